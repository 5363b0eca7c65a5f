"""When a game of ScrabbleShip ends, and who wins (SS-33 to SS-35)."""

from __future__ import annotations

from dataclasses import replace

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabbleship.ending import ended, finish, recounted
from kibitz.engine.games.scrabbleship.events import folded
from kibitz.engine.games.scrabbleship.fleets import SHIP_LENGTHS
from kibitz.engine.games.scrabbleship.rules import GAME
from kibitz.engine.options import check_options
from kibitz.engine.rules import Materials
from kibitz.engine.words.lexicon import words_from_text

MATERIALS = Materials(words_from_text("CAT"), load_tile_set("en"))
SHIPS = tuple(SHIP_LENGTHS)
TWO, FOUR = ("Ann", "Bob"), ("Ann", "Bob", "Cyd", "Dee")


def table(players=TWO, settings=None, *, fleets=True, **initial):
    """A table; each fleet lies in the rows of its owner, which the end does not look at."""
    lies = {
        s: [f"{row}{i + 1}" for i in range(n)]
        for row, (s, n) in zip("ABCDE", SHIP_LENGTHS.items(), strict=True)
    }
    start = {"fleets": dict.fromkeys(players, lies) if fleets else {}, **initial}
    options = check_options(GAME.info, settings or {})
    return GAME.begin(players, options, MATERIALS, start)


def lost(*players, ships=SHIPS):
    return [[p, ship] for p in players for ship in ships]


def test_a_fleet_that_was_not_entered_is_not_sunk():
    """Nobody knows yet who has ships afloat."""
    assert [] == ended(table(fleets=False), "Ann")


def test_the_end_names_who_wins_and_who_has_most_points():
    """Ships decide, and points are told as well; who is afloat is told where ships are level."""
    start = {"scores": {"Ann": 90, "Bob": 120}, "sunk": lost("Bob")}
    ships, level = (table(ship_count={"Ann": n, "Bob": 1}, **start) for n in (5, 1))
    said = [
        [*GAME.announce(folded(state, over), over[-1])]
        for state in (ships, level)
        for over in [finish(state, "one_fleet_left", None)]
    ]

    assert [
        ["Only Ann is still afloat.", "Ann wins with 5 ships.", "Most points: Bob, 120."],
        ["Only Ann is still afloat.", "Ships are level; points decide: Bob."],
    ] == said


RACKS = {"Ann": ["Q"], "Bob": ["A"]}


def test_racks_told_after_the_end_are_counted_once():
    """What was counted before is taken back first."""
    known = table(settings={"ss.endgame_racks": True}, scores={"Ann": 30}, racks=RACKS)
    over = folded(known, finish(replace(known, racks={"Bob": ("A",)}), "no_plays", None))
    again = folded(over, recounted(replace(over, racks=known.racks)))

    assert {"Ann": 30, "Bob": -1} == over.scores
    assert {"Ann": 20, "Bob": -1} == again.scores
