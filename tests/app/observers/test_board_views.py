"""Readings as the engine weighs them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.observers.board_views import (
    BoardViews,
    RowA,
    align,
    board_view,
    lies_as_read,
    tiles_seen,
)
from kibitz.engine.table import Square, grid_from_rows, parse_square
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView
from kibitz.vision.readings import GridReading
from tests.app.server_help import LETTERS, board
from tests.helpers.fake_readings import reading_of_rows


def turned_in_place(reading: GridReading) -> GridReading:
    """The reading of a board that was turned by a quarter where it lies."""
    names = ("kind_log_prob", "letter_log_prob", "turn_log_prob", "tile_sets")
    turned = {name: np.rot90(getattr(reading, name)) for name in names}
    turns = np.roll(turned["turn_log_prob"], -1, axis=-1)
    return replace(reading, **{**turned, "turn_log_prob": turns})


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


def test_which_way_up_tiles_lie_tells_where_row_a_is():
    """Turned round, the I would lie where one was imagined; but it would stand on its head."""
    shown = reading_of_rows(board(H7="IF"), LETTERS).boards
    known = grid_from_rows(board(H8="FI"))
    view, _ = align(shown, known, fixed_top=False)

    assert "F" == view[parse_square("H8")].best_letter()
    assert "I" == view[parse_square("H7")].best_letter()


@pytest.mark.parametrize(("moved", "row"), [(0.0, "F"), (40.0, "I")])
def test_a_board_that_has_not_moved_was_not_turned(moved, row):
    """A hand over all other tiles leaves one, misread; where the board lay still tells row A.

    A board that lies elsewhere may as well have been turned, by one quarter or by more.
    """
    corners = np.array([[100.0, 100], [1000, 100], [1000, 1000], [100, 1000]])
    row_a = RowA()
    first = reading_of_rows(board(F9="U"), LETTERS, corners_px=corners.tolist())
    known = grid_from_rows(board(F9="V"))
    align(first.boards, known, fixed_top=False, row_a=row_a)
    hand = [[r, c] for r in range(15) for c in range(15) if (r, c) != (5, 8)]
    shown = reading_of_rows(
        board(F9="U"), LETTERS, corners_px=(corners + moved).tolist(), occluded=hand
    )
    view, _ = align(shown.boards, known, fixed_top=False, row_a=row_a)
    (there,) = [s for s, seen in view.squares.items() if seen.tile > 0.5]

    assert row == there.name[0]


@pytest.mark.parametrize(("letters", "turned"), [("V", False), ("VO", True)])
def test_how_many_tiles_tell_that_a_board_was_turned_in_its_place(letters, turned):
    """Two of them; one alone may be misread."""
    known = grid_from_rows(board(H3=letters))
    corners = [[100, 100], [1000, 100], [1000, 1000], [100, 1000]]
    (shown,) = reading_of_rows(board(H3=letters), LETTERS, corners_px=corners).boards
    row_a = RowA()
    align((shown,), known, fixed_top=False, row_a=row_a)
    view, _ = align((turned_in_place(shown),), known, fixed_top=False, row_a=row_a)

    assert turned == (view[parse_square("H3")].tile > 0.5)


@pytest.mark.parametrize(("letters", "expected"), [("VOU", 0), ("VOUC", 1)])
def test_how_many_tiles_tell_that_row_a_was_elsewhere_all_along(letters, expected):
    """Twice as many as told for certain where it is."""
    corners = np.array([[100, 100], [1000, 100], [1000, 1000], [100, 1000]])
    first, then = (
        reading_of_rows(board(H3=word), LETTERS, corners_px=at.tolist()).boards[0]
        for word, at in (("VO", corners), (letters, np.roll(corners, -1, axis=0)))
    )
    row_a = RowA()
    row_a.remember(replace(first, top_certain=True), 0)

    assert expected == row_a.was_wrong(replace(then, top_certain=True))


@pytest.mark.parametrize("as_read", [True, False])
def test_whether_a_game_lies_as_it_is_read(as_read):
    """A word across row H, known there or on the squares that it has when the board is turned."""
    rows = board(H4="GARDEN")
    view = board_view(reading_of_rows(rows, LETTERS).boards[0])
    turned = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    known = grid_from_rows(rows if as_read else turned)

    assert as_read is lies_as_read(view, known)


def seen(rows=15, **squares):
    """A view with tiles at some places: how likely a tile, and its letters."""
    at = {"first": Square(7, 7), "second": Square(rows - 1, 0)}
    views = {at[k]: SquareView(1 - tile, tile, letters=x) for k, (tile, x) in squares.items()}
    return BoardView(rows, rows, views)


E_OR_F = (0.9, {"E": 0.75, "F": 0.25})
BLANK = (1.0, {"?": 0.5, "A": 0.4})


@pytest.mark.parametrize(
    ("view", "tiles"),
    [
        (None, {}),
        (seen(), {}),
        (seen(first=E_OR_F, second=BLANK), {"H8": ("E", 0.675), "O1": ("?", 0.5)}),
        (seen(first=(0.5, {"E": 1.0})), {}),
        (seen(first=(0.9, {})), {}),
        (seen(first=(1.0, {"E": 0.33333, "F": 0.3})), {"H8": ("E", 0.3333)}),
        (seen(45, second=E_OR_F), {"7:O1": ("E", 0.675)}),
        ((seen(first=E_OR_F), seen(second=BLANK)), {"1:H8": ("E", 0.675), "2:O1": ("?", 0.5)}),
        ((None, seen(second=BLANK)), {"2:O1": ("?", 0.5)}),
        ((None, None), {}),
    ],
)
def test_tiles_by_the_names_that_plays_give_their_squares(view, tiles):
    """A tile there times its likeliest letter; on joined and on two boards with the board's number."""
    assert tiles == tiles_seen(view)
