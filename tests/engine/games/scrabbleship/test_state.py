"""A table of ScrabbleShip: a position to go on from, shots, strips and whose turn follows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabbleship.info import INFO
from kibitz.engine.games.scrabbleship.state import (
    begin_table,
    moved_on,
    unseen_by,
)
from kibitz.engine.options import check_options
from kibitz.engine.rules import Materials
from kibitz.engine.table import parse_square
from kibitz.engine.words.lexicon import words_from_text
from tests.helpers.fleets import FLEET

MATERIALS = Materials(words_from_text("CAT"), load_tile_set("en"))
FOUR = ("Ann", "Bob", "Cyd", "Dee")


def table(players=("Ann", "Bob"), settings=None, **start):
    return begin_table(players, check_options(INFO, settings or {}), MATERIALS, start)


def rows(**words):
    """A board with words across: `E1="CAT"`."""
    out = [list("." * 15) for _ in range(15)]
    for place, word in words.items():
        square = parse_square(place)
        out[square.row][square.col : square.col + len(word)] = word
    return ["".join(row) for row in out]


def test_an_empty_table():
    """Racks are full, nobody has points, and nothing was hit."""
    state = table()

    assert (0, "Ann", 86) == (len(state.grid.tiles), state.to_move, state.bag)
    assert ({"Ann": 7, "Bob": 7}, {"Ann": 0, "Bob": 0}) == (dict(state.counts), dict(state.scores))
    assert (frozenset(), (), True) == (state.hits, state.sunk, state.untouched)
    assert {"Ann"} == state.may_act


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ({"fleets": [1]}, "fleets: expected an object by player"),
        ({"fleets": {"Zed": FLEET}}, "fleets: there is no player 'Zed'"),
        ({"fleets": {"Ann": {}}}, "fleets.Ann: A fleet is one of each ship"),
        ({"sunk": ["patrol"]}, "sunk: expected pairs as"),
        ({"sunk": [["Zed", "patrol"]]}, "sunk: expected pairs as"),
        ({"hits": ["P1"]}, "hits: expected a square"),
        ({"scores": {"Zed": 1}}, "scores: expected Ann, Bob"),
    ],
)
def test_a_position_that_cannot_be_is_told(start, said):
    """With its field."""
    with pytest.raises(ValueError, match=said):
        table(**start)


@pytest.mark.parametrize(
    ("skip", "following", "left"),
    [
        ((), "Bob", set()),
        (("Bob",), "Cyd", set()),
        (("Bob", "Cyd"), "Dee", set()),
        (("Dee",), "Bob", {"Dee"}),
    ],
)
def test_who_lost_a_turn_is_passed_over_once(skip, following, left):
    """The others come in order."""
    state = moved_on(replace(table(FOUR), skip=frozenset(skip)), "Ann")

    assert (following, left) == (state.to_move, set(state.skip))


def test_an_own_rack_is_unseen_by_the_others():
    """What lies on the board everybody sees."""
    state = table(board=rows(H7="CAT"), racks={"Ann": ["Q", "?"]})
    seen = [[unseen_by(state, who).get(x, 0) for x in "CQ?"] for who in ("Ann", "Bob", None)]

    assert [[1, 0, 1], [1, 1, 2], [1, 1, 2]] == seen
