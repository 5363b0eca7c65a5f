"""How far the orders of plays that nobody saw are looked for."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.parameters import with_number
from kibitz.engine.record.ledger import Ledger, Opening, open_ledger
from kibitz.engine.rules import Materials
from kibitz.engine.table import Square, square_named
from kibitz.engine.tracking.evidence.hypotheses import TableFacts
from kibitz.engine.tracking.evidence.priors import PRIORS
from kibitz.engine.tracking.explanations.missed_plays import Missed, missed_at, ways_of
from kibitz.engine.words.lexicon import AcceptAll, WordList
from tests.helpers.pictured_games import drawn, replay_of

LYING = "ABCDEFGHIJKLMNO"
"""The word that lies in row H; below it every play hangs from a letter of its own."""
FACTS = TableFacts(7, False, 1, None, False)


def game_of(row: str, words: frozenset[str] | None) -> Ledger:
    """A game with a word in row H, where these words are good; None: any."""
    game = find_game("scrabble")
    lexicon = AcceptAll() if words is None else WordList(words)
    materials = Materials(lexicon, load_tile_set("de"))
    rows = [row.ljust(15, ".") if r == 7 else "." * 15 for r in range(15)]
    start = {"board": rows, "scores": {"Ann": 0, "Bob": 0}, "to_move": "Ann"}
    options = check_options(game.info, {})
    return open_ledger(Opening(game, ("Ann", "Bob"), options, materials, start))


def down(word: str, column: int) -> dict[Square, str]:
    """The new tiles of a word that goes down from row I."""
    return {square_named(f"{chr(ord('I') + k)}{column}"): x for k, x in enumerate(word)}


def ways(ending: str, columns: range, name: str, value: int, *, known: bool) -> int:
    """How many orders are found in which words with an ending were laid down from some letters."""
    words = frozenset({LYING, *(x + ending for x in LYING if known)})
    tiles = {s: x for column in columns for s, x in down(ending, column).items()}
    facts = TableFacts(7, False, 1, None, False, with_number(PRIORS, f"search.{name}", value))
    return len(ways_of(Missed(game_of(LYING, words), tiles, {}, 0), facts))


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
    ("most", "expected"), [(100, [100, 100]), (400, [120, 400]), (2000, [120, 720])]
)
def test_so_many_orders_are_looked_through(most, expected):
    """Five plays that do not touch each other have 120 orders, and six have 720."""
    found = [
        ways("A", range(1, 2 * plays, 2), "looked_through", most, known=True) for plays in (5, 6)
    ]

    assert expected == found


def test_every_order_of_long_plays_is_found_where_any_word_is_good():
    """Three words of seven new tiles, each down from one letter."""
    tiles = {s: x for column in (1, 4, 7) for s, x in down("ATINGLY", column).items()}

    assert 6 == len(ways_of(Missed(game_of(LYING, None), tiles, {}, 0), FACTS))


def test_the_likeliest_orders_are_offered_where_any_word_is_good():
    """JAB, then MENÜS behind it and HEIMSTEN through its E; other parts of the row score less."""
    row = {Square(7, 7 + k): x for k, x in enumerate("JABMENÜS")}
    column = {Square(6 + k, 11): x for k, x in enumerate("HEIMSTEN")}
    labels = [way.label for way in ways_of(Missed(game_of("", None), row | column, {}, 0), FACTS)]

    assert "Ann: JAB, Bob: JABMENÜS, Ann: HEIMSTEN" in labels[: PRIORS.search.offered]


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
