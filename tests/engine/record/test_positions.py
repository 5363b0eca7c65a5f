"""Positions to begin from: each field is checked, and the message begins with its place."""

from __future__ import annotations

import pytest

from kibitz.engine.record.positions import (
    board_in,
    checked_players,
    counts_in,
    list_in,
    number_in,
    numbers_in,
    object_in,
    player_in,
    racks_in,
    squares_in,
)
from kibitz.engine.table import Square

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


def test_as_many_as_the_game_takes_may_play():
    """In whatever order the game names the numbers."""
    assert [None, None] == [checked_players(TWO, counts) for counts in ((2,), (4, 2))]


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


@pytest.mark.parametrize(("start", "number"), [({}, 7), ({"n": None}, 7), ({"n": 0}, 0)])
def test_a_number_that_is_not_told_has_its_default(start, number):
    """Nought is told."""
    assert number == number_in(start, "n", 7)


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


def test_scores_are_told_by_name():
    """Who is not named has none; they may be below nought."""
    assert {"Ann": -3, "Bob": 0} == numbers_in({"scores": {"Ann": -3}}, "scores", TWO)
    assert {"Ann": 0, "Bob": 0} == numbers_in({}, "scores", TWO)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([1, 2], "scores: expected an object by Ann, Bob"),
        ({"Zed": 1}, "scores: expected Ann, Bob, got 'Zed'"),
        ({"Ann": "x"}, "scores.Ann: expected a whole number, got 'x'"),
    ],
)
def test_scores_that_are_none_are_told(scores, said):
    """With the player whose score it is."""
    with pytest.raises(ValueError, match=said):
        numbers_in({"scores": scores}, "scores", TWO)


@pytest.mark.parametrize(
    ("start", "racks", "counts"),
    [
        ({}, {}, {"Ann": 7, "Bob": 7}),
        ({"rack_counts": {"Ann": 3}}, {}, {"Ann": 3, "Bob": 7}),
        ({}, {"Bob": ("A", "?")}, {"Ann": 7, "Bob": 2}),
        ({"rack_counts": {"Bob": 2}}, {"Bob": ("A", "?")}, {"Ann": 7, "Bob": 2}),
    ],
)
def test_a_known_rack_has_as_many_tiles_as_it_names(start, racks, counts):
    """Else as many as were counted, or as the rules give."""
    assert counts == dict(counts_in(start, TWO, racks, 7, 7))


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


def test_racks_are_those_of_players():
    """Their letters are known; who is not named has none that is."""
    assert {"Ann": ("A", "?")} == dict(racks_in({"racks": {"Ann": ["A", "?"]}}, "racks", TWO, 7))
    with pytest.raises(ValueError, match="racks: expected Ann, Bob, got 'Zed'"):
        racks_in({"racks": {"Zed": ["A"]}}, "racks", TWO, 7)


@pytest.mark.parametrize(("start", "player"), [({}, None), ({"to_move": "Bob"}, "Bob")])
def test_a_player_may_be_named(start, player):
    """One who plays."""
    assert player == player_in(start, "to_move", TWO)
    with pytest.raises(ValueError, match="to_move: expected one of Ann, Bob, got 'Zed'"):
        player_in({"to_move": "Zed"}, "to_move", TWO)


def test_lists_and_objects_are_empty_where_they_are_missing():
    """Anything else under their names is told."""
    assert ([], {}) == (list_in({}, "x"), object_in({}, "x", ("a",)))
    assert ([1], {"a": 1}) == (list_in({"x": (1,)}, "x"), object_in({"x": {"a": 1}}, "x", "a"))
    with pytest.raises(ValueError, match="x: expected a list, got 'abc'"):
        list_in({"x": "abc"}, "x")
    with pytest.raises(ValueError, match="x: expected a, got 'b'"):
        object_in({"x": {"b": 1}}, "x", ("a",))


@pytest.mark.parametrize(
    ("value", "said"),
    [(["H8", "P1"], "^hits: expected a square"), ("H8", "^hits: expected a list")],
)
def test_squares_are_listed_by_name(value, said):
    """The field is named once, whichever way they are wrong."""
    assert {Square(7, 7), Square(0, 0)} == squares_in({"hits": ["H8", "A1", "h8"]}, "hits")
    with pytest.raises(ValueError, match=said):
        squares_in({"hits": value}, "hits")
