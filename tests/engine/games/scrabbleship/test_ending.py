"""When a game of ScrabbleShip ends, and who wins (SS-33 to SS-35)."""

from __future__ import annotations

from dataclasses import replace

import pytest

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


def why(events):
    """The reason of the end, or nothing."""
    return [e.data["reason"] for e in events if e.kind == "game_over"]


def lost(*players, ships=SHIPS):
    return [[p, ship] for p in players for ship in ships]


@pytest.mark.parametrize(
    ("players", "sunk", "reason"),
    [
        (TWO, [], []),
        (TWO, lost("Bob", ships=SHIPS[:4]), []),
        (TWO, lost("Bob"), ["one_fleet_left"]),
        (TWO, lost("Ann", "Bob"), ["one_fleet_left"]),
        (FOUR, lost("Ann", "Bob"), []),
        (FOUR, lost("Ann", "Bob", "Dee"), ["one_fleet_left"]),
    ],
)
@pytest.mark.parametrize("fleets", ["entered", "told"])
def test_it_ends_when_one_fleet_is_afloat_at_most(players, sunk, reason, fleets):
    """Also where owners call their hits themselves (SS-33, SS-A14)."""
    state = table(players, {"ss.fleets": fleets}, fleets=fleets == "entered", sunk=sunk)

    assert reason == why(ended(state, "Ann"))


def test_a_fleet_that_was_not_entered_is_not_sunk():
    """Nobody knows yet who has ships afloat."""
    assert [] == ended(table(fleets=False), "Ann")


@pytest.mark.parametrize(
    ("bag", "held", "player", "reason"),
    [
        (0, 0, "Ann", ["out_of_tiles"]),
        (0, 1, "Ann", []),
        (1, 0, "Ann", []),
        (0, 0, "Bob", []),
        (0, 0, None, []),
    ],
)
def test_it_ends_when_the_last_tile_is_laid(bag, held, player, reason):
    """The bag is empty, and who laid tiles has none left (SS-33)."""
    state = table(bag_count=bag, rack_counts={"Ann": held, "Bob": 5})

    assert reason == why(ended(state, player))


@pytest.mark.parametrize(
    ("players", "passes", "reason"),
    [
        (TWO, 3, []),
        (TWO, 4, ["all_passed_twice"]),
        (FOUR, 7, []),
        (FOUR, 8, ["all_passed_twice"]),
    ],
)
def test_it_ends_when_all_have_passed_twice_running(players, passes, reason):
    """Twice as many passes as players (SS-33)."""
    assert reason == why(ended(table(players, pass_run=passes), None))


@pytest.mark.parametrize(
    ("ships", "points", "winner"),
    [
        ((1, 0), (0, 300), ["Ann"]),
        ((-1, -2), (-20, 300), ["Ann"]),
        ((2, 2), (50, 51), ["Bob"]),
        ((2, 2), (51, 51), None),
    ],
)
def test_ships_then_points_then_a_judge(ships, points, winner):
    """Points never beat ships (SS-34)."""
    counts, scores = (dict(zip(TWO, x, strict=True)) for x in (ships, points))
    (over,) = finish(table(ship_count=counts, scores=scores), "no_plays", None)

    assert winner == over.data["winner"]
    assert (winner is None) == (over.data.get("needs") == "judge")


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


@pytest.mark.parametrize(("counted", "winner"), [(False, "Ann"), (True, "Bob")])
def test_racks_count_only_where_that_was_agreed_on(counted, winner):
    """Ann, eight ahead, holds a Q (SS-35)."""
    settings = {"ss.endgame_racks": counted}
    state = table(settings=settings, scores={"Ann": 8}, racks=RACKS)
    *racks, over = finish(state, "no_plays", None)

    assert [winner] == over.data["winner"]
    assert [{"Ann": -10, "Bob": -1}] * counted == [e.data["change"] for e in racks]


def test_racks_told_after_the_end_are_counted_once():
    """What was counted before is taken back first."""
    known = table(settings={"ss.endgame_racks": True}, scores={"Ann": 30}, racks=RACKS)
    over = folded(known, finish(replace(known, racks={"Bob": ("A",)}), "no_plays", None))
    again = folded(over, recounted(replace(over, racks=known.racks)))

    assert {"Ann": 30, "Bob": -1} == over.scores
    assert {"Ann": 20, "Bob": -1} == again.scores
