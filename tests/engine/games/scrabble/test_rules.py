"""What Scrabble lets people do, in which order it looks, and what a change of the board may be."""

from __future__ import annotations

from functools import partial

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.board.layouts import Layout
from kibitz.engine.games.scrabble.rules import GAME
from kibitz.engine.options import check_options
from kibitz.engine.rules import Change, Materials
from kibitz.engine.table import Square, parse_square
from kibitz.engine.words.lexicon import words_from_text
from tests.helpers.steps import after_steps

pytestmark = pytest.mark.fast

MATERIALS = Materials(words_from_text("CAT\nCATS\nAT"), load_tile_set("en"))
CAT = {"H7": "C", "H8": "A", "H9": "T"}
LAID = ("place", "Ann", {"tiles": CAT})
OPEN = {"reject_invalid": False, "challenge": "single"}
"""Any tiles may be laid, and challenged until the next turn."""


def table(settings=None, **initial):
    """A table of Ann and Bob; Ann begins."""
    return GAME.begin(("Ann", "Bob"), check_options(GAME.info, settings or {}), MATERIALS, initial)


done = partial(after_steps, GAME)


@pytest.mark.parametrize(
    ("player", "tiles", "code"),
    [
        ("Bob", CAT, "not_your_turn"),
        ("Ann", {"H17": "C"}, "off_board"),
        ("Ann", {"A1": "C", "A2": "A", "A3": "T"}, "not_centre"),
        ("Ann", {"H8": "A"}, "one_tile_first"),
        ("Ann", {"H8": "A", "H9": "A"}, "not_a_word"),
        ("Ann", CAT, "ok"),
    ],
)
def test_the_first_rule_that_a_play_breaks_is_named(player, tiles, code):
    """Turn, squares, star, word, list (CL-4 to CL-11); a refusal changes nothing."""
    before = table()
    after, codes = done(before, ("place", player, {"tiles": tiles}))

    assert [code] == codes
    assert (code == "ok") == (before != after)


def test_known_racks_hold_what_is_laid():
    """Who is known to hold other tiles cannot lay these, nor exchange them."""
    racks = {"Ann": ["C", "A", "E"]}
    changed = ("exchange", "Ann", {"tiles": ["T"]})

    assert ["not_on_rack"] == done(table(racks=racks), LAID)[1]
    assert ["not_on_rack"] == done(table(racks=racks), changed)[1]


@pytest.mark.parametrize("kind", ["challenge", "withdraw", "accept"])
def test_nothing_is_settled_where_nothing_waits(kind):
    """Neither before the first play nor after one that was accepted."""
    state = table(OPEN)
    _, codes = done(state, (kind, "Bob", {}), LAID, ("accept", "Bob", {}), (kind, "Bob", {}))

    assert ["nothing_to_challenge", "ok", "ok", "nothing_to_challenge"] == codes


@pytest.mark.parametrize(
    ("removed", "kinds"), [(CAT, ["withdraw"]), (["H7", "H8"], None), (["A1"], None)]
)
def test_only_a_whole_play_that_waits_comes_off(removed, kinds):
    """Part of it, or what was there before, is for people to explain (CL-14)."""
    state, _ = done(table(OPEN), LAID)
    found = GAME.interpret(state, Change(removed=tuple(parse_square(s) for s in removed)))

    assert kinds == ([a.kind for a in found[0].actions] if found else None)


def test_a_play_laid_in_the_place_of_another_is_both():
    """It was taken off first."""
    state, _ = done(table(OPEN), LAID)
    removed = (Square(7, 6), Square(7, 8))
    change = Change(removed=removed, added={Square(7, 7): "A", Square(8, 7): "T"})
    (candidate,) = GAME.interpret(state, change)

    assert ["withdraw", "place"] == [a.kind for a in candidate.actions]


def test_other_premium_squares_are_the_same_game():
    """A smaller board says its size in the title, and is written in no GCG."""
    plain = ("." * 9,) * 4
    other = GAME.on_layout(Layout((*plain, "....*....", *plain)))

    assert ("Scrabble (9x9)", 9, False) == (
        other.info.title,
        other.info.surface.rows,
        other.info.gcg,
    )
    assert ("Scrabble", 15, True) == (GAME.info.title, GAME.info.surface.rows, GAME.info.gcg)


def test_people_end_a_game_by_a_player_of_it():
    """Who went out must sit at the table (CL-16)."""
    state, codes = done(
        table(), ("end_game", None, {"out": "Zed"}), ("end_game", None, {"out": "Ann"})
    )

    assert ["unknown_player", "ok"] == codes
    assert state.over
