"""What is ruled like a board and cannot be read is none."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.pipeline import BoardNotFound, Reader
from kibitz.vision.readings import EMPTY_KIND, TILE_KIND
from kibitz.vision.request import ReadRequest

PICTURE = Path(app.__file__).parent / "data" / "demo" / "scrabble" / "01.jpg"


class Unsure(Reader):
    """Reads like any other, but is sure of only so many rows."""

    rows = 15

    def __init__(self):
        """What every square shows is asked of the usual looks."""
        super().__init__()
        self._seen = self.squares.see
        self.squares.see = self.see

    def see(self, picture, g, request, known=None):
        """What every square shows, and of some nothing."""
        colours, logs = self._seen(picture, g, request, known)
        kind = logs.kind.copy()
        kind[self.rows :] = np.log(0.25)
        return colours, SquareLogs(kind, logs.both)


@pytest.fixture(scope="module")
def reader():
    """One reader with the models."""
    return Unsure()


def test_a_grid_whose_squares_tell_nothing_is_no_board(reader):
    """With 7 of 15 rows told nothing is found, and the message says why; with 8 it is a board."""
    picture = cv2.imread(str(PICTURE))
    reader.rows = 8
    found = len(reader.read(picture).boards)
    reader.rows = 7
    with pytest.raises(BoardNotFound) as refused:
        reader.read(picture)

    assert 1 == found
    assert "ruled like a board" in str(refused.value)
    assert "its squares cannot be made out" in str(refused.value)


def test_where_a_board_lies_is_not_doubted_once_it_is_told(reader):
    """With its corners given a board of which nothing is sure is read."""
    picture = cv2.imread(str(PICTURE))
    reader.rows = 15
    corners = reader.read(picture).boards[0].corners_px
    reader.rows = 0

    assert 1 == len(reader.read(picture, ReadRequest(corners=corners)).boards)


def test_a_grid_that_is_no_mirror_image_of_itself_is_no_board(reader):
    """Where bare squares are dark or light by chance a crossword was taken for a board."""
    picture = cv2.imread(str(PICTURE))
    reader.rows = 15
    board = reader.read(picture).boards[0]
    rng = np.random.default_rng(5)
    square = np.array([(0, 0), (15, 0), (15, 15), (0, 15)], np.float32)
    place = cv2.getPerspectiveTransform(square, board.corners_px.astype(np.float32))
    for row, col in np.argwhere(board.kind_log_prob.argmax(-1) == EMPTY_KIND):
        corners = np.array([(0.0, 0.0), (1, 0), (1, 1), (0, 1)]) * 0.94 + (col + 0.03, row + 0.03)
        px = cv2.perspectiveTransform(corners[None], place).round().astype(np.int32)
        cv2.fillConvexPoly(picture, px[0], (150,) * 3 if rng.random() < 0.7 else (75,) * 3)

    with pytest.raises(BoardNotFound) as refused:
        reader.read(picture)
    given = reader.read(picture, ReadRequest(corners=board.corners_px))

    assert "has no premium squares as boards have" in str(refused.value)
    assert 1 == len(given.boards)


@pytest.mark.parametrize(("rows", "left"), [(8, 120), (9, 0)])
def test_where_more_tiles_seem_to_lie_than_a_game_has_none_is_told(reader, rows, left):
    """A carved board's squares look like tiles: with its corners told, letters were read on all."""
    g = geometry_from_corners(np.array([(0, 0), (360, 0), (360, 360), (0, 360)]), 15, 360, 360)
    kind = np.full((15, 15, 4), -12.0, np.float32)
    kind[..., EMPTY_KIND] = -1e-4
    kind[:rows] = kind[:rows, :, [TILE_KIND, EMPTY_KIND, 2, 3]]
    both = np.full((15, 15, 27, 4), -12.0, np.float32)
    both[:, :, 0, 0] = -1e-2
    colours = SquareColours(np.full((17 * 24, 17 * 24, 3), 120, np.uint8), 24)

    board = reader.tell(g, colours, SquareLogs(kind, both), ReadRequest())

    assert left == np.count_nonzero(board.kind_log_prob.argmax(-1) == TILE_KIND)
