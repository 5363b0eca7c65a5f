"""Boards with another number of squares a side are read where it is told, or found."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.app.reading.results import board_of
from kibitz.models.training.drawing.covers import TILE
from kibitz.models.training.drawing.sized_boards import NOT_ASKED, photograph
from kibitz.vision.pipeline import BoardNotFound, OtherSize, Reader
from kibitz.vision.request import ReadRequest

pytestmark = pytest.mark.fast

BOARDS = {21: 0, 17: 0, 11: 3}
"""Squares a side, and the number of a drawn board that is in plain sight."""


@pytest.fixture(scope="module")
def reader():
    """The published networks."""
    return Reader()


@pytest.fixture(scope="module", params=BOARDS)
def board(request):
    """A drawn board, turned and tilted."""
    return photograph(
        np.random.default_rng([5, request.param, BOARDS[request.param]]), request.param
    )


@pytest.mark.parametrize("told", [True, False], ids=["told", "auto"])
def test_squares_and_tiles_are_right(reader, board, told):
    """The number may be told or not: corners, and nearly all squares, are right."""
    n = len(board.scene.kinds)
    seen = reader.read(board.picture, ReadRequest(n if told else "auto")).boards[0]
    true = board.geometry.corners_px
    off = [np.abs(np.roll(seen.corners_px, k, 0) - true).max() for k in range(4)]
    quarters = int(np.argmin(off))
    rows = np.rot90(np.array([list(row) for row in board_of(seen).to_json()["rows"]]), -quarters)
    truth = np.array([list(row) for row in board.rows()])
    asked = (truth != NOT_ASKED) & (truth != "#") & (rows != "#")
    tiles = board.scene.kinds == TILE

    assert n == seen.size
    assert off[quarters] < 0.35 * seen.square_px
    assert ((rows == ".") == ~tiles)[asked].mean() > 0.98


def test_corners_alone_do_not_tell_the_number(reader, board):
    """Corners given by hand: the lines between them tell how many squares there are."""
    corners = tuple(map(tuple, board.geometry.corners_px))
    seen = reader.read(board.picture, ReadRequest("auto", corners=corners)).boards[0]

    assert len(board.scene.kinds) == seen.size


def test_it_is_not_given_as_15(reader, board):
    """Asked for 15 squares a side it is refused, with the number that is right."""
    n = len(board.scene.kinds)

    with pytest.raises(BoardNotFound) as caught:
        reader.read(board.picture, ReadRequest(15))

    assert isinstance(caught.value, OtherSize)
    assert "other_size" == caught.value.code
    assert f"This board has {n} squares a side, not 15: read it with --squares {n}." == str(
        caught.value
    )


@pytest.mark.parametrize(("squares", "number"), [(11, 1), (13, 4), (14, 4), (14, 6)])
def test_what_fits_15_squares_less_than_plainly_must_be_printed_like_a_board(
    reader, squares, number
):
    """Whatever its lines say: laid on 15 squares its premium squares do not lie as in a mirror."""
    drawn = photograph(np.random.default_rng([901, squares, number]), squares)

    with pytest.raises(BoardNotFound):
        reader.read(drawn.picture, ReadRequest(15))


@pytest.mark.parametrize(
    ("seed", "squares", "number"), [(31, 14, 2), (32, 14, 11), (32, 13, 26), (32, 17, 26)]
)
def test_a_rim_is_no_row_of_squares(reader, seed, squares, number):
    """However well 15 squares fit: no lines cross the outermost ones."""
    drawn = photograph(np.random.default_rng([seed, squares, number]), squares)

    with pytest.raises(BoardNotFound):
        reader.read(drawn.picture, ReadRequest(15))


@pytest.mark.parametrize(("seed", "squares", "number"), [(32, 13, 5), (31, 17, 4)])
def test_its_own_number_is_found_where_15_fit_worse(reader, seed, squares, number):
    """Its rim was laid on rows, or its lines go on and are found by a second look."""
    drawn = photograph(np.random.default_rng([seed, squares, number]), squares)

    assert squares == reader.read(drawn.picture, ReadRequest("auto")).boards[0].size


def test_it_is_not_given_as_15_where_the_picture_ends_beside_it(reader):
    """Its rim is no row of squares that the picture cuts off; what to do is said."""
    board = photograph(np.random.default_rng([77, 13, 0]), 13, (24.0, 36.0))
    said = []
    for squares in (15, "auto"):
        with pytest.raises(OtherSize) as caught:
            reader.read(board.picture, ReadRequest(squares))
        said.append(str(caught.value))

    assert [
        "This board may have 13 squares a side, but the picture ends beside it: move the camera "
        "back, or read it with --squares 13."
    ] * 2 == said
