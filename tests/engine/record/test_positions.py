"""Positions to begin from: each field is checked, and the message begins with its place."""

from __future__ import annotations

import pytest

from kibitz.engine.record.positions import (
    board_in,
    checked_players,
    counts_in,
    list_in,
    number_in,
    object_in,
)

TWO = ("Ann", "Bob")
ROWS = ["...", ".A.", "..."]


@pytest.mark.parametrize(
    ("players", "counts", "said"),
    [
        ((), (2, 3, 4), "bad_player_count: expected 2 to 4 players, got 0"),
        (("Ann",), (2, 4), "bad_player_count: expected 2 or 4 players, got 1"),
        (("Ann", "Ann"), (2,), "players: expected different names, got 'Ann', 'Ann'"),
        (("Ann", ""), (2,), "players: expected different names"),
    ],
)
def test_who_cannot_play_is_told(players, counts, said):
    """How many there may be, and that names differ."""
    with pytest.raises(ValueError, match=said):
        checked_players(players, counts)


@pytest.mark.parametrize(
    ("start", "keys", "rows"),
    [
        ({}, (), ("...",) * 3),
        ({"board": None}, (), ("...",) * 3),
        ({"board": ROWS}, (), tuple(ROWS)),
        ({"board45": ROWS, "board": ["..."]}, ("board45",), tuple(ROWS)),
    ],
)
def test_a_board_is_drawn_as_text_or_empty(start, keys, rows):
    """A game's own name for it comes first."""
    assert rows == board_in(start, 3, *keys).text_rows()


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("...", "board: expected 3 rows of text"),
        ([1, 2, 3], "board: expected 3 rows of text"),
        (["...", "..."], "board: expected 3 rows of 3, got 2 rows of 3"),
        (["...", "..1", "..."], "board: expected a letter"),
        (["...", "..", "..."], "board: expected 3 characters in row 2"),
    ],
)
def test_a_board_that_is_none_is_told(board, said):
    """Of whatever kind it is."""
    with pytest.raises(ValueError, match=said):
        board_in({"board": board}, 3)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("7", "n: expected a whole number, got '7'"),
        (7.5, "n: expected a whole number, got 7.5"),
        (True, "n: expected a whole number, got True"),
        (-1, "n: expected 0 or more, got -1"),
    ],
)
def test_a_number_that_is_none_is_told(value, said):
    """Neither text nor a part nor a yes."""
    with pytest.raises(ValueError, match=said):
        number_in({"n": value}, "n", 7)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"Ann": 8}, "rack_counts.Ann: expected at most 7, got 8"),
        ({"Ann": -1}, "rack_counts.Ann: expected 0 or more, got -1"),
        ({"Bob": 3}, "rack_counts.Bob: expected 2 for the rack A[?], got 3"),
        ({"Zed": 1}, "rack_counts: expected Ann, Bob, got 'Zed'"),
    ],
)
def test_racks_that_cannot_be_are_told(told, said):
    """More than a rack takes, or another number than is known."""
    with pytest.raises(ValueError, match=said):
        counts_in({"rack_counts": told}, TWO, {"Bob": ("A", "?")}, 7, 7)


def test_lists_and_objects_are_empty_where_they_are_missing():
    """Anything else under their names is told."""
    assert ([], {}) == (list_in({}, "x"), object_in({}, "x", ("a",)))
    assert ([1], {"a": 1}) == (list_in({"x": (1,)}, "x"), object_in({"x": {"a": 1}}, "x", "a"))
    with pytest.raises(ValueError, match="x: expected a list, got 'abc'"):
        list_in({"x": "abc"}, "x")
    with pytest.raises(ValueError, match="x: expected a, got 'b'"):
        object_in({"x": {"b": 1}}, "x", ("a",))
