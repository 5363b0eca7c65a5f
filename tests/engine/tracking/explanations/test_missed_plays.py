"""How far the orders of plays that nobody saw are looked for."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.parameters import with_number
from kibitz.engine.record.ledger import Opening, open_ledger
from kibitz.engine.rules import Materials
from kibitz.engine.table import square_named
from kibitz.engine.tracking.evidence.hypotheses import TableFacts
from kibitz.engine.tracking.evidence.priors import PRIORS
from kibitz.engine.tracking.explanations.missed_plays import Missed, missed_at, ways_of
from kibitz.engine.words.lexicon import WordList
from tests.helpers.pictured_games import drawn, replay_of

LYING = "ABCDEFGHIJKLMNO"
"""The word that lies in row H; below it every play hangs from a letter of its own."""


def ways(ending: str, columns: range, name: str, value: int, *, known: bool) -> int:
    """How many orders are found in which words with an ending were laid down from some letters."""
    game = find_game("scrabble")
    lexicon = WordList(frozenset({LYING, *(x + ending for x in LYING if known)}))
    materials = Materials(lexicon, load_tile_set("en"))
    rows = [LYING if r == 7 else "." * 15 for r in range(15)]
    start = {"board": rows, "scores": {"Ann": 0, "Bob": 0}, "to_move": "Ann"}
    opening = Opening(game, ("Ann", "Bob"), check_options(game.info, {}), materials, start)
    tiles = {
        square_named(f"{chr(ord('I') + k)}{column}"): letter
        for column in columns
        for k, letter in enumerate(ending)
    }
    facts = TableFacts(7, False, 1, None, False, with_number(PRIORS, f"search.{name}", value))
    return len(ways_of(Missed(open_ledger(opening), tiles, {}, 0), facts))


@pytest.mark.parametrize(
    ("most", "expected"), [(3, [False, False]), (6, [True, False]), (9, [True, True])]
)
def test_so_many_plays_may_be_missed(most, expected):
    """Six and seven tiles that do not touch each other are as many plays."""
    found = [
        ways("A", range(1, 2 * plays, 2), "plays_at_once", most, known=True) for plays in (6, 7)
    ]

    assert expected == [n > 0 for n in found]


@pytest.mark.parametrize(
    ("most", "expected"),
    [(100, [50, 50]), (200, [100, 100]), (400, [120, 200]), (2000, [120, 720])],
)
def test_so_many_beginnings_are_looked_through(most, expected):
    """For each number of plays: five have 120 orders, all found by the usual 400, and six have 720."""
    found = [
        ways("A", range(1, 2 * plays, 2), "looked_through", most, known=True) for plays in (5, 6)
    ]

    assert expected == found


@pytest.mark.parametrize(("plays", "expected"), [(2, True), (3, False)])
def test_so_many_tiles_of_words_outside_the_list_are_parted(plays, expected):
    """Two plays of five tiles, not three: as many as two racks hold."""
    found = ways("ATING", range(1, 4 * plays, 4), "offered", 6, known=False)

    assert expected == (found > 0)


@pytest.mark.parametrize(("most_tiles", "expected"), [(4, False), (5, True)])
def test_a_game_with_fewer_tiles_a_play_has_fewer_parted(most_tiles, expected):
    """Ten tiles are two plays of five, and no two of four."""
    assert expected == (TableFacts(most_tiles, False, 1, None, False).most_parted >= 10)


def test_ways_of_known_words_come_before_others():
    """WINTER and DISTEMPER; the other order that the rules take makes REPMETSID of the second."""
    replay = replay_of("scrabble-house")
    *before, _, newest = drawn("scrabble-house")
    for found in (*before, newest):
        replay.see(found)
    missed = missed_at(replay.tracker.ledger)
    labels = [way.label for way in ways_of(missed, replay.tracker.facts)]

    assert ["North: WINTER, South: DISTEMPER"] == labels
