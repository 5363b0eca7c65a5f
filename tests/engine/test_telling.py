"""What people tell in more than one game: a blank's letter, racks, an exchange, a verdict."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.rules import Action
from kibitz.engine.table import Grid, Square, grid_from_rows, parse_square
from kibitz.engine.telling import (
    clock_pressed,
    exchange_count,
    name_blank,
    rack_events,
    squares_told,
    told_ruling,
    told_verdict,
)

EN, ES = load_tile_set("en"), load_tile_set("es")
BOARD = grid_from_rows(["A?" + "." * 13, "b" + "." * 14, *["." * 15] * 13])
BLANK = BOARD.tiles[Square(0, 1)]
JOINED = Grid(45, 45).with_tiles({Square(16, 7): BLANK})
LARGE = Grid(21, 21).with_tiles({Square(15, 20): BLANK})


def told(**data):
    return Action("told", "Ann", None, data)


def code_of(found):
    """The code of a refusal, else what was found."""
    return getattr(found, "code", found)


@pytest.mark.parametrize(
    ("grid", "data", "event"),
    [
        (BOARD, {"square": "A2", "value": "e"}, {"square": "A2", "letter": "E"}),
        (
            BOARD,
            {"square": "a2", "letter": "E", "field": "blank"},
            {"square": "A2", "letter": "E"},
        ),
        (BOARD, {"square": "B1", "value": "E"}, {"square": "B1", "letter": "E"}),
        (LARGE, {"square": "P21", "value": "E"}, {"square": "P21", "letter": "E"}),
        (JOINED, {"square": "4:B8", "value": "E"}, {"square": "4:B8", "letter": "E"}),
    ],
)
def test_a_blank_is_named_by_its_square(grid, data, event):
    """Also anew, and on large boards and joined ones (CL-3)."""
    assert [event] == [e.data for e in name_blank(grid, told(**data), EN).events]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"square": "A2", "value": "E", "field": "word"}, "bad_action"),
        ({"square": "P2", "value": "E"}, "bad_action"),
        ({"value": "E"}, "bad_action"),
        ({"square": "A1", "value": "E"}, "no_blank"),
        ({"square": "C3", "value": "E"}, "no_blank"),
        ({"square": "A2", "value": "EE"}, "bad_action"),
        ({"square": "A2", "value": "?"}, "bad_action"),
        ({"square": "A2"}, "bad_action"),
    ],
)
def test_what_names_no_blank(data, code):
    """A lettered tile, an empty square, no square, or no letter."""
    assert code == name_blank(BOARD, told(**data), EN).code


@pytest.mark.parametrize(("presses", "found"), [(True, [{"player": "Ann"}]), (False, "no_clock")])
def test_a_clock_is_pressed_where_there_is_one(presses, found):
    """By the table's settings."""
    verdict = clock_pressed(told(), "x.clock", presses=presses)

    assert found == (getattr(verdict, "code", None) or [e.data for e in verdict.events])


@pytest.mark.parametrize(
    ("data", "good"),
    [
        ({}, True),
        ({"valid": False}, False),
        ({"verdict": "not_a_word"}, False),
        ({"valid": "no"}, "bad_action"),
        ({"valid": 0}, "bad_action"),
        ({"verdict": "no"}, "bad_action"),
    ],
)
def test_what_a_judge_says_of_a_word(data, good):
    """True or false; a text that may mean either is refused (SS-11)."""
    assert good == code_of(told_ruling(told(**data)))


@pytest.mark.parametrize(
    ("raw", "squares"),
    [
        ([], ()),
        (["B1", "A2"], (parse_square("A2"), parse_square("B1"))),
        ("A2", "bad_action"),
        (["Z1"], "bad_action"),
        ([5], "bad_action"),
    ],
)
def test_squares_come_sorted(raw, squares):
    """By name, as a list."""
    assert squares == code_of(squares_told(raw))


def test_only_its_holder_learns_a_rack():
    """One event a player."""
    events = rack_events(("Ann", "Bob"), told(racks={"Ann": ["A", "?"], "Bob": "Q"}), 7)

    assert [({"Ann": ["A", "?"]}, {"Ann"}), ({"Bob": ["Q"]}, {"Bob"})] == [
        (e.data["racks"], e.visible_to) for e in events
    ]


@pytest.mark.parametrize(
    "racks", [None, {}, ["A"], {"Zoe": ["A"]}, {"Ann": ["AB"]}, {"Ann": list("ABCDEFGH")}]
)
def test_what_is_no_rack_is_refused(racks):
    """Nobody's, a stranger's, no tiles, or too many."""
    assert "bad_action" == code_of(rack_events(("Ann", "Bob"), told(racks=racks), 7))


@pytest.mark.parametrize("valid", [True, False, "no"])
def test_a_challenge_that_says_valid_is_told_what_is_taken(valid):
    """Not decided by the word list as if nothing had been said."""
    assert "bad_action" == code_of(told_verdict(told(valid=valid)))


@pytest.mark.parametrize(
    ("data", "count"),
    [
        ({"count": 2}, 2),
        ({"tiles": "AE?"}, 3),
        ({"tiles": ["A", "E"], "count": 2}, 2),
        ({}, "bad_action"),
        ({"tiles": "H8"}, "bad_action"),
        ({"tiles": [{"A": 1}]}, "bad_action"),
        ({"tiles": {"H8": "A"}, "count": 1}, "bad_action"),
        ({"tiles": "AE", "count": 3}, "bad_action"),
    ],
)
def test_an_exchange_is_a_number_or_letters(data, count):
    """Where both are told, as many; nothing else passes for a letter."""
    assert count == code_of(exchange_count(told(**data), "Ann", 7))
