"""Frames that lines, a rim or a shadow could mislead about, and things that are no boards."""

import cv2
import numpy as np
import pytest

from kibitz.calibration.board_finder import find_boards
from kibitz.calibration.outline import masks_of, other_outlines
from kibitz.engine.table import Square
from kibitz.models.session import load_model
from kibitz.vision.pipeline import BoardNotFound, Reader
from tests.filming.film_stage import Moment, Moved, Stage
from tests.filming.story import Laid

NO_LINES = 41
"""The stage of this seed has a board without lines, with a rim as wide as a square."""
GARDEN = {Square(7, 3 + i): Laid(letter) for i, letter in enumerate("GARDEN")}


@pytest.mark.parametrize("turned_deg", [0, 90, 180, -93])
def test_the_edge_of_a_rim_is_no_line_of_the_board(turned_deg):
    """A board without lines is found where it lies, to a fifth of a square."""
    stage, moved = Stage(NO_LINES), Moved(0.0, 0.0, turned_deg)
    picture, _ = stage.picture(Moment(GARDEN, moved=moved), 5)

    (found,) = find_boards(picture, load_model("finder"), load_model("lattice").run)

    true = stage.corners(moved)
    off = min(np.abs(np.roll(found.corners_px, k, axis=0) - true).max() for k in range(4))
    assert off < 0.2 * found.square_px


class Halves:
    """A finder that sees the two ends of a board on either side of a shadow."""

    input_px = 320

    def run(self, pictures):
        """(N, 2, px / 4, px / 4): rows 10 to 29 and 36 to 55 of columns 20 to 59."""
        cells = pictures.shape[1] // 4
        out = np.full((len(pictures), 2, cells, cells), -6.0, np.float32)
        out[:, :, 10:30, 20:60] = out[:, :, 36:56, 20:60] = 6.0
        return out


def test_an_outline_round_both_halves_of_a_board_is_tried():
    """Where a shadow cuts a board in two, the quadrilateral round both parts is among them."""
    picture = np.zeros((640, 640, 3), np.uint8)
    whole = np.array([(160, 80), (480, 80), (480, 448), (160, 448)], float)

    tried = other_outlines([masks_of(picture, Halves())])

    assert min(np.abs(np.sort(q, axis=0) - np.sort(whole, axis=0)).max() for q in tried) < 16


def crossword(seed):
    """A puzzle of 15 by 15 on grey paper, the same upside down as puzzles are, with numbers."""
    rng = np.random.default_rng(seed)
    picture, px = np.full((900, 1000, 3), 205, np.uint8), 40
    black = rng.random((15, 15)) < 0.2
    black |= black[::-1, ::-1]
    for r in range(15):
        for c in range(15):
            x, y = 200 + c * px, 150 + r * px
            cv2.rectangle(picture, (x, y), (x + px, y + px), (250, 250, 250), -1)
            if black[r, c]:
                cv2.rectangle(picture, (x, y), (x + px, y + px), (25, 25, 25), -1)
            elif rng.random() < 0.4:
                at = (x + 3, y + 12)
                cv2.putText(picture, str(rng.integers(1, 60)), at, 0, 0.35, (20, 20, 20), 1)
            cv2.rectangle(picture, (x, y), (x + px, y + px), (25, 25, 25), 1)
    return picture


@pytest.mark.parametrize("seed", range(4))
def test_a_crossword_is_no_board(seed):
    """An empty crossword puzzle is not read as a board."""
    with pytest.raises(BoardNotFound):
        Reader().read(crossword(seed))
