"""Squares, tiles and grids: how they are named, read, written and looked up."""

from __future__ import annotations

import pytest

from kibitz.engine.table import JOINED_SIDE, SIDE, Square, grid_from_rows, parse_square


@pytest.mark.parametrize("text", ["0:A1", "10:A1", "x:A1", "-1:A1"])
def test_there_are_nine_boards(text):
    """From 1 to 9."""
    with pytest.raises(ValueError, match="expected a board 1-9 before ':'"):
        parse_square(text)


def test_every_square_of_joined_boards_is_read_back():
    """By its board's name; of a single board without one."""
    joined = [Square(r, c) for r in range(JOINED_SIDE) for c in range(JOINED_SIDE)]
    single = [Square(r, c) for r in range(SIDE) for c in range(SIDE)]

    assert joined == [parse_square(s.name_on(JOINED_SIDE)) for s in joined]
    assert single == [parse_square(s.name_on(SIDE)) for s in single]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (("...", ".."), "expected 3 characters in row 2, got 2"),
        (("..1",), "expected a letter, '[?]' or '[.]', got '1' in row 1"),
    ],
)
def test_rows_that_are_no_board_are_told(rows, said):
    """With the row that is wrong."""
    with pytest.raises(ValueError, match=said):
        grid_from_rows(rows)
