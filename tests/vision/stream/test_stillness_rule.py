"""Each number of the rules of movement and of places decides, just below it and just above."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.vision.frame import Picture
from kibitz.vision.stream.fusing import same_boards
from kibitz.vision.stream.settling import settled_pictures
from kibitz.vision.stream.stillness import STILLNESS, StillWatch, moved, relief_of
from kibitz.vision.stream.video import VideoPicture, video_pictures
from tests.helpers.fake_readings import reading_of_rows

CORNERS = [[320.0, 180.0], [960.0, 180.0], [960.0, 820.0], [320.0, 820.0]]


def relief(side: int = 0, by: float = 0.0) -> np.ndarray:
    """A small picture without contrast, save in a patch of so many pixels."""
    out = np.zeros((120, 160), np.float32)
    out[40 : 40 + side, 50 : 50 + side] = by
    return out


@pytest.mark.parametrize(
    ("side", "by", "expected"),
    [(20, 0.1, False), (20, 0.2, True), (4, 0.5, False), (5, 0.5, True)],
    ids=["faint", "plain", "small", "as large as half a tile"],
)
def test_what_is_a_movement(side, by, expected):
    """Pixels that differ enough, in enough of a patch."""
    assert expected == moved(relief(), relief(side, by))


def shown(level: int, width: int = 320, height: int = 240) -> Picture:
    """A picture of one grey."""
    return np.full((height, width, 3), level, np.uint8)


def with_block(picture: Picture, side: int, by: int) -> Picture:
    """The same with a square that much brighter in its middle."""
    out = picture.astype(int)
    y, x = picture.shape[0] // 2, picture.shape[1] // 2
    out[y : y + side, x : x + side] += by
    return out.clip(0, 255).astype(np.uint8)


def moves(before: Picture, now: Picture) -> bool:
    """Whether something moved between two pictures."""
    return moved(relief_of(before), relief_of(now))


@pytest.mark.parametrize(("by", "expected"), [(3, False), (4, True)])
def test_in_the_dark_noise_is_no_movement(by, expected):
    """On a table of 12 grey levels three more are noise and four are a tile."""
    table = shown(12)

    assert expected == moves(table, with_block(table, 12, by))


@pytest.mark.parametrize(("side", "expected"), [(12, False), (20, True)])
def test_how_small_a_thing_may_be_that_moves(side, expected):
    """In a picture 1280 wide something of 20 pixels is seen, not of 12."""
    table = shown(100, 1280, 960)

    assert expected == moves(table, with_block(table, side, 100))


def soft_blob(width_px: float, by: float) -> Picture:
    """A table with something soft on it, as wide as that on either side of its middle."""
    y, x = np.indices((240, 320))
    blob = by * np.exp(-((x - 160) ** 2 + (y - 120) ** 2) / (2 * width_px**2))
    return np.repeat((100 + blob)[..., None], 3, axis=2).astype(np.uint8)


@pytest.mark.parametrize(("width_px", "expected"), [(9, True), (20, False)])
def test_how_soft_a_shadow_may_be(width_px, expected):
    """A hand out of focus is a movement; a shadow twice as wide is none."""
    assert expected == moves(shown(100), soft_blob(width_px, 40))


def test_boards_of_many_squares_are_watched_more_closely():
    """Their tiles are small: the picture compared is 800 wide and not 320."""
    from kibitz.app.cameras.settling import side_for

    assert (320, 800) == (side_for(15), side_for(45))
    assert (320, 800) == (STILLNESS.side_px, STILLNESS.fine_side_px)


@pytest.mark.parametrize(("off_squares", "expected"), [(0.2, True), (0.4, False)])
def test_how_far_corners_may_jitter(off_squares, expected):
    """Readings are of one place if their corners differ by less than a third of a square."""
    px = off_squares * reading_of_rows(["." * 15] * 15, "ABC").boards[0].square_px
    here, there = (
        reading_of_rows(["." * 15] * 15, "ABC", corners_px=[[x + d, y] for x, y in CORNERS])
        for d in (0.0, px)
    )

    assert expected == same_boards(here, there)


def film(*pictures: Picture, every_s: float = 0.25) -> list[VideoPicture]:
    """Pictures, one after another."""
    return [VideoPicture(str(i), i * every_s, p) for i, p in enumerate(pictures)]


def block(side: int, x: int = 100) -> Picture:
    """A table 240 wide with a light square on it."""
    out = shown(60, 240, 180)
    out[80 : 80 + side, x : x + side] = 220
    return out


def test_how_long_a_scene_must_rest():
    """Seven tenths of a second: the third picture after the first one, four a second."""
    ((found, first),) = settled_pictures(film(*[block(20)] * 5), StillWatch())

    assert (0.75, True) == (found.at_s, first)


def test_a_position_that_rests_on_is_looked_at_again():
    """After five seconds, and again after ten."""
    found = settled_pictures(film(*[block(20)] * 45), StillWatch())

    assert [(0.75, True), (5.75, False), (10.75, False)] == [(x.at_s, f) for x, f in found]


def test_what_moves_beside_the_board_disturbs_no_film():
    """Only where the board lies does a movement count, once that is known."""
    pictures = [block(20, 20 + 40 * (i % 2)) for i in range(8)]
    watch = StillWatch()
    everywhere = [x.at_s for x, _ in settled_pictures(film(*pictures), watch)]
    watch = StillWatch()
    watch.where = np.zeros((240, 320), np.uint8)
    watch.where[:, 200:] = 1
    board_only = [x.at_s for x, _ in settled_pictures(film(*pictures), watch)]

    assert ([], [0.75]) == (everywhere, board_only)


@pytest.mark.parametrize(("rate", "expected"), [(20.0, 4), (0.0, 4)])
def test_how_often_a_video_is_looked_at(rate, expected, monkeypatch, tmp_path):
    """Every quarter of a second; a file that does not tell its rate is taken to have 25."""
    frames = 20 if rate else 24

    class Capture:
        def __init__(self, _: str) -> None:
            self.left = frames

        def get(self, _: int) -> float:
            return rate

        def grab(self) -> bool:
            self.left -= 1
            return self.left >= 0

        def retrieve(self) -> tuple[bool, Picture]:
            return True, shown(60)

        def release(self) -> None:
            return

    path = tmp_path / "film.mp4"
    path.write_bytes(b"film")
    monkeypatch.setattr(cv2, "VideoCapture", Capture)

    assert expected == len(list(video_pictures(path)))
