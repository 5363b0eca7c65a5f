"""Readings as the engine weighs them."""

from __future__ import annotations

import numpy as np

from app.board_views import BoardViews, board_view
from engine.table import parse_square
from tests.app.server_help import LETTERS, board
from tests.fake_readings import reading_of_rows


def test_squares_that_read_as_before_keep_their_views():
    """A view made with the one before it says what one made anew says, gains too."""
    views = BoardViews()
    shown = [reading_of_rows(board(H7=word), LETTERS).boards[0] for word in ("CAT", "CATS", "")]
    before = None
    for reading in shown:
        view, anew = views.of(reading), board_view(reading)
        assert (anew, anew.possible_tiles) == (view, view.possible_tiles)
        assert [anew.tile_gains[s] for s in anew.squares] == [
            view.tile_gains[s] for s in anew.squares
        ]
        if before is not None:
            assert before["A1"] is view[parse_square("A1")]
        before = {"A1": view[parse_square("A1")]}


def test_readings_that_cannot_be_compared_are_viewed_anew():
    """With other letters every square is another."""
    views = BoardViews()
    one, other = (reading_of_rows(board(H7="CAT"), x).boards[0] for x in (LETTERS, LETTERS + "Ä"))
    first, second = views.of(one), views.of(other)

    assert board_view(other) == second
    assert not np.any([first[s] is second[s] for s in second.squares])
