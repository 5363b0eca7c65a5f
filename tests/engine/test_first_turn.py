"""Who begins: drawn tile by tile, drawn by the program, or told (CL-19, SH-5, SB-3)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from kibitz.app.common.materials.named import load_tile_set, make_materials
from kibitz.engine.first_turn import lots_drawn
from kibitz.engine.games import INFOS, find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Entry, Ledger, Opening, fold, open_ledger
from kibitz.engine.rules import Action, Refused

pytestmark = pytest.mark.fast

SLUGS = [info.slug for info in INFOS]
MOVER = {"grabscrab": "flipper"}
"""Where a view names who begins, if not as `to_move`."""


def opened(slug: str, players: tuple[str, ...] = ("Ann", "Bob"), tiles: str = "en") -> Ledger:
    game = find_game(slug)
    options = check_options(game.info, {})
    return open_ledger(Opening(game, players, options, make_materials("none", tiles, options)))


def told(ledger: Ledger, *tiles: tuple[str, str]) -> tuple[Ledger, list[Any]]:
    """The game after tiles were told, and what became of each: a result or a code."""
    got = []
    for seat, letter in tiles:
        action = Action("draw", data={"seat": seat, "letter": letter})
        ledger, verdict = ledger.add(Entry(action, 0, told=True))
        got.append(verdict.code if isinstance(verdict, Refused) else verdict.result)
    return ledger, got


def mover(ledger: Ledger) -> Any:
    return ledger.game.view(ledger.state, None)[MOVER.get(ledger.game.info.slug, "to_move")]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_programs_draw_is_the_same_on_replay(slug):
    """Chance comes from outside and is kept in the action, so the game plays again alike."""
    players = ("Ann", "Bob") if slug != "scrabble-house" else ("Ann", "Bea", "Cyd", "Dan")
    before = opened(slug, players)
    action = lots_drawn(before.state, load_tile_set("en").letters, Random(5))
    after, verdict = before.add(Entry(action, 0, told=True))
    again, refused = fold(after.opening, [done.entry for done in after.done])

    assert not isinstance(verdict, Refused)
    assert (mover(after), []) == (mover(again), refused)
    assert verdict.result["begins"] in players


@pytest.mark.parametrize("seed", range(40))
def test_lots_are_drawn_until_one_is_lowest(seed):
    """Each round asks those who tied for the lowest tile, and the last has one of them."""
    before = opened("scrabble", ("Ann", "Bob", "Cyd"))
    rounds = lots_drawn(before.state, ("A", "B"), Random(seed)).data["rounds"]
    tied = [[p for p in r if r[p] == min(r.values(), key="?AB".index)] for r in rounds]

    assert [list(before.state.players), *tied[:-1]] == [list(r) for r in rounds]
    assert 1 == len(tied[-1])


def test_ties_draw_again():
    """Only those who share the lowest tile do; the others are not asked."""
    ledger, got = told(
        opened("scrabble", ("Ann", "Bob", "Cyd")),
        *(("Ann", "E"), ("Bob", "T"), ("Cyd", "E"), ("Bob", "A"), ("Cyd", "?"), ("Ann", "A")),
    )
    said = [ledger.game.announce(d.state, e) for d in ledger.done for e in d.verdict.events]

    assert [{"waiting": ["Bob", "Cyd"]}, {"waiting": ["Cyd"]}, {"waiting": ["Ann", "Cyd"]}] == got[
        :3
    ]
    assert ["not_asked", {"waiting": ["Ann"]}, {"begins": "Cyd"}] == got[3:]
    assert [("Ann and Cyd draw again.",), ("Cyd draws a blank.",)] == said[3:5]
    assert ("Cyd begins.",) == said[-1]


@pytest.mark.parametrize(
    ("tiles", "first", "second", "begins"),
    [
        ("en", "?", "A", "Ann"),
        ("de", "B", "Ä", "Bob"),
        ("de", "A", "Ä", "Ann"),
        ("fi", "Ä", "Y", "Bob"),
        ("pl", "Ł", "M", "Ann"),
        ("pl", "Ł", "L", "Bob"),
    ],
)
def test_letters_stand_as_in_their_alphabet(tiles, first, second, begins):
    """A blank before A; a marked letter after the plain one, in Finnish after Z."""
    _, got = told(opened("scrabble", tiles=tiles), ("Ann", first), ("Bob", second))

    assert begins == got[1]["begins"]


@pytest.mark.parametrize(
    ("tiles", "codes"),
    [
        ((("Ann", "5"),), ["bad_action"]),
        ((("Ann", ""),), ["bad_action"]),
        ((("Zoe", "A"),), ["bad_action"]),
        ((("Ann", "K"), ("Bob", "K")), ["no_such_tile"]),
        ((("Ann", "A"), ("Ann", "B")), ["already_drawn"]),
        ((("Ann", "A"), ("Bob", "B"), ("Bob", "A")), ["already_drawn"]),
    ],
    ids=str,
)
def test_what_cannot_be_drawn_is_refused(tiles, codes):
    """A tile that the set lacks or has only once, somebody else, a second tile."""
    _, got = told(opened("scrabble"), *tiles)

    assert codes == [x for x in got if isinstance(x, str)]


@pytest.mark.parametrize(
    "rounds", ["CD", [{"Ann": "C"}], [{"Ann": "C", "Bob": "D"}, {"Ann": "A"}], [7], {}], ids=str
)
def test_a_draw_that_settles_nothing_is_refused(rounds):
    """A whole draw names who begins, in just as many rounds as it needs."""
    before = opened("scrabble")
    after, verdict = before.add(Entry(Action("draw", data={"rounds": rounds}), 0, told=True))

    assert isinstance(verdict, Refused)
    assert (verdict.code, before) == ("bad_action", after)


def test_nobody_draws_once_the_game_has_begun():
    """Who begins is settled before the first play."""
    ledger, _ = opened("scrabble").add(Entry(Action("pass"), 0, told=True))
    _, got = told(ledger, ("Ann", "A"))

    assert ["already_begun"] == got
