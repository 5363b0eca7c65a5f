"""A table of Scrabbage: who deals, who may act, sides and bag (SB-5, SB-21, SB-29, SB-33)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabbage.info import INFO
from kibitz.engine.games.scrabbage.state import (
    DEALS,
    bag_after,
    begin_table,
    unseen_by,
)
from kibitz.engine.options import check_options
from kibitz.engine.rules import Materials
from kibitz.engine.table import Grid, Square, Tile
from kibitz.engine.words.lexicon import words_from_text

MATERIALS = Materials(words_from_text("CAT"), load_tile_set("en"))
FOUR = ("Ann", "Bob", "Cyd", "Dee")
CAT_ROWS = ["." * 15] * 7 + ["......CAT......"] + ["." * 15] * 7


def table(players=("Ann", "Bob"), settings=None, **start):
    return begin_table(players, check_options(INFO, settings or {}), MATERIALS, start)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_deal_leaves_four_tiles_each_and_a_scrab(count):
    """And the bag must hold what all of them draw (SB-5, SB-31)."""
    deal = DEALS[count]

    assert 4 == deal.draw - deal.discard
    assert deal.scrab == count * deal.discard
    assert 4 == deal.scrab + deal.dealer_extra
    assert deal.need_in_bag == count * deal.draw + deal.dealer_extra
    assert deal.dealer_extra == table(FOUR[:count]).dealers_extra


@pytest.mark.parametrize(
    ("changed", "who"),
    [
        ({}, {"Ann"}),
        ({"to_move": None}, {"Ann", "Bob"}),
        ({"phase": "scrab", "dealer": "Bob"}, {"Bob"}),
        ({"over": True}, set()),
        ({"stuck": frozenset({"Bob"})}, {"Ann", "Bob"}),
        ({"stuck": frozenset({"Ann"})}, {"Ann"}),
    ],
)
def test_who_may_act(changed, who):
    """Whoever is to move, and who said go may come back where that was agreed on (SB-21)."""
    assert who == replace(table(settings={"sb.go2_resume": True}), **changed).may_act


def test_who_said_go_is_out_where_nobody_comes_back():
    """Only the other one may lay on; of three whoever is to move, in any case."""
    two = replace(table(settings={"sb.go2_resume": False}), stuck=frozenset({"Bob"}))
    three = replace(table(FOUR[:3]), stuck=frozenset({"Ann"}))

    assert ({"Ann"}, {"Ann"}) == (two.may_act, three.may_act)


def test_all_tiles_but_those_on_the_board_go_back():
    """At the end of a hand (SB-29); what is more than the set makes no bag smaller than empty."""
    state = table(board=CAT_ROWS)
    full = Grid(15, 15, {Square(r, c): Tile("A") for r in range(15) for c in range(15)})

    assert (97, 97, 0) == (state.bag, bag_after(state, state.grid), bag_after(state, full))


def test_the_dealer_alone_sees_the_scrab():
    """Not while others' discards lie face down in it."""
    state = table(board=CAT_ROWS, scrab=["Q", "?"], hands={"Bob": ["Z"]})
    hidden = replace(state, discards={"Bob": ("Q",)})
    seen = [
        [unseen_by(x, who).get(y, 0) for y in "QZ?"]
        for x in (state, hidden)
        for who in ("Ann", "Bob")
    ]

    assert [[0, 1, 1], [1, 0, 2], [1, 1, 2], [1, 0, 2]] == seen
    assert replace(hidden, phase="scrab").scrab_shown
