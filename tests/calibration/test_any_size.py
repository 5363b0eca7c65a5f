"""The lattice of a board of any size is found by its lines."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.calibration import any_size, framing, spacings
from kibitz.calibration.any_size import find_lattice, find_sized, resized
from kibitz.calibration.board_geometry import Pyramid, geometry_from_corners
from kibitz.calibration.framing import MARGIN, SIZE, UNIT_PX, UNITS, FrameWeights
from kibitz.calibration.outline import masks_of
from kibitz.models.session import load_model
from kibitz.models.training.drawing.scene import make_scene
from kibitz.models.training.drawing.sized_boards import photograph
from tests.calibration.ruled_help import CORNERS, SIDE, board_of, ruled, seen


@pytest.fixture(scope="module")
def finder():
    """The published one."""
    return load_model("finder")


@pytest.mark.parametrize("squares", [10, 11, 13, 17])
def test_lines_tell_how_many_squares(squares):
    """An outline half a square off is enough: the number and the corners come from the lines."""
    picture = ruled(squares)
    off = np.array([(-0.5, 0.4), (0.3, -0.5), (0.5, 0.5), (-0.4, -0.3)]) * SIDE / squares

    g = find_lattice(picture, CORNERS + off, seen(picture))

    assert g is not None
    assert squares == g.size
    assert np.abs(g.corners_px - CORNERS).max() < 0.1 * SIDE / squares


def test_nothing_without_lines():
    """A plain area has no lattice."""
    picture = np.full((700, 760, 3), 90, np.uint8)

    assert find_lattice(picture, CORNERS, seen(picture)) is None


@pytest.mark.parametrize("squares", [11, 17, 21])
def test_drawn_boards_are_found(squares, finder):
    """Photographs of drawn boards, turned and tilted: the number and the corners are right."""
    found = []
    for i in range(3):
        board = photograph(np.random.default_rng([5, squares, i + 2]), squares)
        g = find_sized(Pyramid(board.picture), finder, squares)
        if g is not None:
            true = board.geometry.corners_px
            off = min(np.abs(np.roll(g.corners_px, k, 0) - true).max() for k in range(4))
            found.append(g.size == squares and off < 0.35 * g.square_px)

    assert [True] * len(found) == found
    assert len(found) >= 2


def faintly_beyond(seed: int):
    """A ruled board on a table where fainter lines go on beside it, and what a finder says.

    Returns:
        Squares a side, picture, a rough outline, and the finder's masks.
    """
    rng = np.random.default_rng(seed)
    squares = int(rng.integers(9, 15))
    picture = np.full((700, 760, 3), 90, np.uint8)
    (x0, y0), (x1, y1) = CORNERS[0].astype(int), CORNERS[2].astype(int)
    picture[y0:y1, x0:x1] += 70
    pitch, line = SIDE / squares, int(rng.integers(40, 110))
    for k in range(squares + 1):
        at = round(k * pitch)
        cv2.line(picture, (x0 + at, y0), (x0 + at, y1), (line, line, line), 2)
        cv2.line(picture, (x0, y0 + at), (x1, y0 + at), (line, line, line), 2)
    for side in np.flatnonzero(rng.random(4) < 0.5).tolist():
        far, tone = round(pitch * rng.choice([1, 1, 2])), int(rng.integers(60, 85))
        for k in np.flatnonzero(rng.random(squares + 1) > 0.25).tolist():
            at = round(k * pitch)
            ends = [
                ((x0 + at, y0 - far), (x0 + at, y0)),
                ((x1, y0 + at), (x1 + far, y0 + at)),
                ((x0 + at, y1), (x0 + at, y1 + far)),
                ((x0 - far, y0 + at), (x0, y0 + at)),
            ]
            cv2.line(picture, *ends[side], (tone, tone, tone), 2)
    noise = rng.integers(-8, 9, picture.shape)
    picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    outwards = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    corners = CORNERS + outwards * rng.uniform(-1, 1.2) * pitch
    stretched = corners * (1, rng.uniform(0.94, 1.06))
    rough = stretched + rng.uniform(-0.3, 0.3, (4, 2)) * pitch
    return squares, picture, rough, seen(picture, corners)


@pytest.mark.parametrize(("quality", "expected"), [(0.6, None), (0.8, 17)])
def test_a_doubtful_number_of_squares_is_not_told(quality, expected, monkeypatch):
    """Letters round a rim look like a ring of squares; a second fit takes no doubt away."""
    known = geometry_from_corners(CORNERS, 15, 760, 700)
    larger = replace(known, size=17)
    monkeypatch.setattr(any_size, "masks_of", lambda *_, **__: None)
    monkeypatch.setattr(any_size, "outlines", lambda _: [CORNERS])
    monkeypatch.setattr(any_size, "chosen", lambda *_: replace(larger, quality=quality))
    monkeypatch.setattr(any_size, "framed", lambda *_: larger)

    found = resized(ruled(15), known, load_model("finder"))

    assert expected == (found and found.size)


def test_a_rim_of_one_square_is_no_row(monkeypatch):
    """A rim as wide as a square has an edge where a line could be, but no lines across."""
    picture = ruled(11)
    px = round(SIDE / 11)
    x0, y0 = CORNERS[0].astype(int) - px
    x1, y1 = CORNERS[2].astype(int) + px
    cv2.rectangle(picture, (int(x0), int(y0)), (int(x1), int(y1)), (30, 30, 30), 2)
    trusting = replace(
        SIZE,
        told_by=FrameWeights(
            beyond=0.0, strongest=0.0, outer=0.0, weakest=0.0, area=0.0, border=5.0
        ),
    )

    g = find_lattice(picture, CORNERS, seen(picture))
    monkeypatch.setattr(framing, "SIZE", trusting)
    wrong = find_lattice(picture, CORNERS, seen(picture))

    assert g is not None
    assert wrong is not None
    assert 11 == g.size
    assert 11 != wrong.size


def test_scenes_of_other_sizes_have_as_many_squares():
    """The renderer draws boards of any size with the truth of every square."""
    scene = make_scene(np.random.default_rng(1), 10)

    assert (10, 10) == scene.kinds.shape
    assert (540, 540, 3) == scene.image.shape
    assert masks_of(scene.image, load_model("finder")).area.shape == (80, 80)


def searched(monkeypatch, qualities: list[float]) -> tuple[float | None, int, int]:
    """How good the board that is found is, and how many outlines and looks that took."""
    looks, tried = [], []

    def look(*_, **__):
        looks.append(1)
        return seen(np.zeros((700, 760, 3), np.uint8))

    def lattice(*_):
        tried.append(1)
        quality = qualities[len(tried) - 1] if len(tried) <= len(qualities) else 0.0
        return board_of(quality) if quality else None

    monkeypatch.setattr(any_size, "masks_of", look)
    monkeypatch.setattr(any_size, "outlines", lambda _: [CORNERS])
    monkeypatch.setattr(any_size, "other_outlines", lambda _: [CORNERS] * 9)
    monkeypatch.setattr(any_size, "find_lattice", lattice)
    found = find_sized(np.zeros((700, 760, 3), np.uint8), None)
    return (None if found is None else found.quality), len(tried), len(looks)


@pytest.mark.parametrize(
    ("qualities", "expected"),
    [
        ([0.85, 0.95], (0.85, 1, 1)),
        ([0.75, 0.7], (0.75, 4, 2)),
        ([0.72], (0.72, 4, 2)),
        ([0.68], (None, 4, 2)),
        ([], (None, 4, 2)),
    ],
    ids=["surely", "not surely", "just", "not for certain", "nothing"],
)
def test_how_long_a_board_of_any_size_is_looked_for(qualities, expected, monkeypatch):
    """Until one is sure: near by, from further off, and in two less likely outlines."""
    assert expected == searched(monkeypatch, qualities)


@pytest.mark.parametrize(
    ("seed", "squares", "quality"),
    [
        (8, 13, 0.702),
        (15, 14, 0.707),
        (22, 13, 0.640),
        (53, 13, 0.69),
        (56, 11, 0.476),
        (58, 12, 0.673),
    ],
)
def test_how_sure_the_number_of_squares_is(seed, squares, quality):
    """Lines that go on faintly beside a board speak for more squares, its own edges against."""
    true, picture, rough, area = faintly_beyond(seed)
    g = find_lattice(picture, rough, area)

    assert g is not None
    assert true == squares == g.size
    assert abs(g.quality - quality) < 0.02


def test_so_many_spacings_are_looked_into():
    """The four likeliest, however little speaks for the last of them."""
    side = round((UNITS + 2 * MARGIN) * UNIT_PX)
    noise = np.random.default_rng(1).random((side, side)).astype(np.float32)

    assert 4 == len(spacings._spacings(noise, noise.T.copy()))
