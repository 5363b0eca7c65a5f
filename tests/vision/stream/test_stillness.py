"""Movement is told from light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.vision.stream.reduced_decode import open_packed
from kibitz.vision.stream.stillness import Steadied, StillWatch, moved, relief_of

LIGHTS = {
    "brighter": lambda p, _x, _y: p * 1.3,
    "darker": lambda p, _x, _y: p * 0.6,
    "a lamp from the left": lambda p, x, _y: p * (1.5 - 0.8 * x),
    "a cloud": lambda p, x, y: p * (1 - 0.35 * np.exp(-(((x - 0.4) / 0.5) ** 2 + (y - 0.5) ** 2))),
    "warmer": lambda p, _x, _y: p * np.array([0.8, 1.0, 1.15]),
    "noise": lambda p, _x, _y: p + np.random.default_rng(2).normal(0, 4, p.shape),
}


def board(tiles: int, hand: int | None = None) -> np.ndarray:
    """A green board with squares, some tiles with a letter, and a hand at a column."""
    picture = np.full((960, 1280, 3), (60, 110, 70), np.uint8)
    for i in range(16):
        cv2.line(picture, (300 + 44 * i, 120), (300 + 44 * i, 824), (200, 210, 200), 2)
        cv2.line(picture, (300, 120 + 44 * i), (1004, 120 + 44 * i), (200, 210, 200), 2)
    for i in range(tiles):
        x, y = 302 + 44 * (4 + i), 120 + 44 * 7
        picture[y + 2 : y + 42, x : x + 40] = (180, 215, 230)
        cv2.putText(picture, "A", (x + 8, y + 32), cv2.FONT_HERSHEY_SIMPLEX, 1, (20, 20, 20), 3)
    if hand is not None:
        picture[400:, hand : hand + 200] = (120, 150, 210)
    return np.clip(picture + np.random.default_rng(1).normal(0, 2, picture.shape), 0, 255).astype(
        np.uint8
    )


@pytest.mark.parametrize("light", LIGHTS)
def test_light_is_no_movement(light):
    """What a lamp, a cloud or the camera's exposure does to a picture is no movement."""
    picture = board(3)
    y, x = np.mgrid[0:960, 0:1280]
    lit = LIGHTS[light](picture.astype(float), (x / 1280)[..., None], (y / 960)[..., None])

    assert not moved(relief_of(picture), relief_of(np.clip(lit, 0, 255).astype(np.uint8)))


@pytest.mark.parametrize("tiles", [0, 1, 5])
def test_a_tile_more_is_movement(tiles):
    """One tile more or less is seen."""
    assert moved(relief_of(board(tiles)), relief_of(board(tiles + 1)))


def test_file_and_pixels_are_the_same():
    """A JPEG that is unpacked at a reduced size shows no movement against its pixels."""
    picture = board(3)
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()

    assert not moved(relief_of(jpeg), relief_of(picture))
    assert relief_of(jpeg).shape == relief_of(picture).shape


@pytest.mark.parametrize("width", [1920, 1281, 1000, 640, 300])
@pytest.mark.parametrize("told", [True, False])
def test_however_large_a_picture_is_its_file_shows_the_same(width, told):
    """Whether a file is unpacked whole or small, and its size is known or not, is no movement."""
    large = cv2.resize(board(3), (width, width * 3 // 4), interpolation=cv2.INTER_AREA)
    jpeg = cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    small = relief_of(jpeg, size=large.shape[:2] if told else None)
    pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)

    for other in (pixels, open_packed(jpeg, 1), open_packed(jpeg, 2)):
        assert small.shape == relief_of(other).shape
        assert np.abs(small - relief_of(other)).max() < 0.05


def test_what_lies_outside_does_not_matter():
    """An elbow beside the board is no movement once it is known where the board lies."""
    with_elbow = board(3)
    with_elbow[600:, 1100:] = (120, 150, 210)
    where = np.zeros(relief_of(with_elbow).shape, np.uint8)
    where[30:210, 70:255] = 1

    assert moved(relief_of(board(3)), relief_of(with_elbow))
    assert not moved(relief_of(board(3)), relief_of(with_elbow), where)


def test_a_picture_of_another_size_is_movement():
    """A stream that changes its size starts anew."""
    assert moved(relief_of(board(3)), relief_of(np.ascontiguousarray(board(3)[:, :960])))


def test_rest_begins_after_the_last_movement():
    """Seconds of rest count from the first picture without movement, and by the camera's clock."""
    watch = StillWatch()
    films = [board(3)] * 3 + [board(3, h) for h in (900, 600, 500)] + [board(5)] * 4
    rest = [round(watch.look(relief_of(p), i / 10), 1) for i, p in enumerate(films)]

    assert rest == [0.0, 0.1, 0.2, 0.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3]


def test_what_moves_slowly_is_seen():
    """A hand that creeps is no rest, however little it moves between two pictures."""
    watch = StillWatch()
    rest = [watch.look(relief_of(board(3, 900 - 6 * i)), i / 10) for i in range(30)]

    assert max(rest) < 0.8


def test_rubbish_never_rests():
    """Bytes that are no picture count as movement."""
    watch = StillWatch()
    rest = [watch.look(relief_of(b"no picture"), i / 10) for i in range(5)]

    assert rest == [0.0] * 5


def pushed(picture: np.ndarray, dx: float, dy: float, degrees: float) -> np.ndarray:
    """A picture as a camera shows it that is pushed and turned by a little."""
    push = cv2.getRotationMatrix2D((640, 480), degrees, 1.0)
    push[:, 2] += dx, dy
    return cv2.warpAffine(picture, push, (1280, 960), borderMode=cv2.BORDER_REFLECT)


@pytest.mark.parametrize(
    ("push", "shakes"),
    [((5, 0, 0), False), ((-9, 8, 0.4), False), ((5, -6, -0.3), False), ((90, 0, 0), True)],
)
def test_a_camera_that_shakes_shows_no_movement(push, shakes):
    """A picture that is pushed by some pixels is brought back; one that shows another place not."""
    steadied = Steadied()
    first = relief_of(board(5))
    steadied.of(first)
    other = relief_of(pushed(board(5), *push))

    assert moved(first, other)
    assert shakes == moved(first, steadied.of(other))


def test_what_moves_before_a_camera_that_shakes_is_movement():
    """A hand, and one tile more."""
    for tiles, hand in ((5, 500), (6, None)):
        steadied = Steadied()
        first = relief_of(board(5))
        steadied.of(first)
        other = relief_of(pushed(board(tiles, hand), 5, -6, 0.3))

        assert moved(first, steadied.of(other))
