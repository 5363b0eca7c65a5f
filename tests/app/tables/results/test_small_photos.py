"""Photographs made small for a page, with the outlines of what was read in them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.app.reading.pictures import FileReading
from kibitz.app.tables.results.html_replay import LONGEST_PX, small_photo
from tests.helpers import loose_readings
from tests.helpers.fake_readings import reading_of_rows

WIDE = np.full((2 * LONGEST_PX // 2, 2 * LONGEST_PX, 3), 128, np.uint8)
"""Twice as wide as is shown."""
CORNERS = [[150.0, 0.0], [1650.0, 0.0], [1650.0, 1500.0], [150.0, 1500.0]]
ROWS = ["." * 15] * 7 + [".......Ce......"] + ["." * 15] * 7


def photo_of_board(**facts):
    """A board of squares of 100 pixels, 150 from the left edge."""
    reading = reading_of_rows(ROWS, "CE", corners_px=CORNERS, **facts)
    return FileReading("1.jpg", reading, WIDE)


@pytest.mark.parametrize(
    ("height", "width", "size"),
    [
        (LONGEST_PX, 2 * LONGEST_PX, (LONGEST_PX, LONGEST_PX // 2)),
        (2 * LONGEST_PX, LONGEST_PX, (LONGEST_PX // 2, LONGEST_PX)),
        (30, 40, (40, 30)),
        (1, 3 * LONGEST_PX, (LONGEST_PX, 1)),
    ],
)
def test_the_longer_side_is_made_small(height, width, size):
    """Never larger than it was; its picture is as large as is said."""
    found = FileReading("1.jpg", None, np.full((height, width, 3), 128, np.uint8))
    shot = small_photo(found)
    pixels = cv2.imdecode(np.frombuffer(shot.jpeg, np.uint8), cv2.IMREAD_COLOR)

    assert size == (shot.width, shot.height) == (pixels.shape[1], pixels.shape[0])
    assert (None, ()) == (shot.corners, shot.seen)


def test_a_picture_that_is_not_in_memory_is_opened(tmp_path):
    """And one that cannot be opened has no small copy."""
    kept, broken = tmp_path / "1.png", tmp_path / "2.png"
    cv2.imwrite(str(kept), np.zeros((30, 40, 3), np.uint8))
    broken.write_text("no picture")

    assert 40 == small_photo(FileReading(str(kept))).width
    assert None is small_photo(FileReading(str(broken)))
    assert None is small_photo(FileReading(str(tmp_path / "3.png")))


def test_outlines_of_tiles_lie_in_the_small_picture():
    """Half as far from its corner as in the large one."""
    shot = small_photo(photo_of_board())
    c, _ = shot.seen
    left, top = (150 + 700) / 2, 700 / 2
    square = [(left, top), (left + 50, top), (left + 50, top + 50), (left, top + 50)]

    assert [("H8", "C"), ("H9", "?")] == [(s.square, s.letter) for s in shot.seen]
    assert np.abs(np.array(square) - np.array(c.points)).max() < 0.01
    assert pytest.approx(50) == c.size
    assert [(x / 2, y / 2) for x, y in CORNERS] == list(shot.corners)


def test_what_a_hand_covers_is_marked():
    """Also where a tile may lie."""
    shot = small_photo(photo_of_board(occluded=[[7, 7], [0, 0]]))

    assert [("A1", "#"), ("H8", "#"), ("H9", "?")] == [(s.square, s.letter) for s in shot.seen]


def test_loose_tiles_are_shown_where_there_is_no_board():
    """Face-up ones; or where none of the boards was looked at."""
    reading = loose_readings.photo("AB", 3)
    loose = small_photo(FileReading("1.jpg", reading, WIDE))
    none = small_photo(photo_of_board(), None)
    middle = np.mean(loose.seen[0].points, axis=0)

    assert (["A", "B"], None) == ([s.letter for s in loose.seen], loose.corners)
    assert pytest.approx([150, 200]) == list(middle)
    assert ((), None) == (none.seen, none.corners)
