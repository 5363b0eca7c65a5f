"""The end of a hand of Scrabbage: last, the scrab, fragments, the next deal (SB-24 to SB-32)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games import find_game
from kibitz.engine.games.scrabbage.hand import (
    draw,
    end_game,
    end_of_hand,
    end_of_play,
    maybe_won,
    scrab,
    working_on,
)
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, Materials, Refused, apply
from kibitz.engine.words.lexicon import words_from_text

pytestmark = pytest.mark.fast

GAME = find_game("scrabbage")
MATERIALS = Materials(
    words_from_text("AT\nCAT\nCATS\nTO\nON\nTON\nSO\nEAT\n"), load_tile_set("en")
)
TWO, THREE, FOUR = ("Ann", "Bob"), ("Ann", "Bob", "Cyd"), ("Ann", "Bob", "Cyd", "Dee")
CAT = ["." * 15] * 7 + [".......CAT....."] + ["." * 15] * 7
"""CAT on H8 to H10."""


def table(players=TWO, settings=None, **initial):
    settings = {"sb." + name: value for name, value in (settings or {}).items()}
    options = check_options(GAME.info, settings)
    return GAME.begin(players, options, MATERIALS, initial or None)


def laid(state, *tiles):
    """The state after tiles: player, square, letter."""
    for player, square, letter in tiles:
        data = {"square": square, "letter": letter}
        state, verdict = apply(GAME, state, Action("tile", player, None, data))
        assert isinstance(verdict, Accepted), verdict
    return state


def scrabbed(state, tiles, player="Ann"):
    return scrab(state, Action("scrab", player, None, {"tiles": tiles}))


def told(verdict):
    """What happened, with the points."""
    return [(e.kind, e.data.get("points")) for e in verdict.events]


SAID = Action("said")


@pytest.mark.parametrize(("score", "winner"), [(120, []), (121, [["Bob"]]), (130, [["Bob"]])])
def test_121_wins_at_once(score, winner):
    """Or more (SB-30, SB-A16)."""
    state = table(scores={"Ann": 120, "Bob": score})

    assert winner == [e.data["winner"] for e in maybe_won(state, "Bob")]


def test_the_last_tile_of_the_play_gives_one():
    """To whoever laid it (SB-24); a play that is over is not ended again."""
    state = laid(table(dealer="Ann"), ("Ann", "H8", "A"), ("Bob", "H9", "T"))
    verdict = end_of_play(state, SAID)
    scrab_next = replace(state, phase="scrab")

    assert [("last", 1)] == told(verdict)
    assert "Bob" == verdict.events[0].data["player"]
    assert "play_over" == end_of_play(scrab_next, SAID).code


def test_a_play_without_a_tile_has_no_last():
    """Nobody scores."""
    assert [("_play_over", None)] == told(end_of_play(table(), SAID))


def test_the_last_point_may_win():
    """For the side of four that has 120 (SB-30, SB-33)."""
    state = table(FOUR, team_scores={"Ann+Cyd": 120, "Bob+Dee": 0}, last_tile_by="Cyd")

    assert ["last", "game_over"] == [e.kind for e in end_of_play(state, SAID).events]


@pytest.mark.parametrize(
    ("left", "stuck", "first"),
    [
        ({"Ann": 0, "Bob": 0}, (), ("last", 1)),
        ({"Ann": 0, "Bob": 1}, ("Bob",), ("last", 1)),
        ({"Ann": 0, "Bob": 1}, (), ("_play_over", None)),
    ],
)
def test_last_is_known_when_all_are_out_or_stuck(left, stuck, first):
    """The scrab ends the play; while somebody could lay on, last must be told (SB-24)."""
    state = table(board=CAT, dealer="Ann", tiles_left=left, last_tile_by="Bob")
    verdict = scrabbed(replace(state, stuck=frozenset(stuck)), {})

    assert [first, ("_scrab", 0)] == told(verdict)


@pytest.mark.parametrize(
    ("tiles", "settings", "points"),
    [
        ({}, {}, 0),
        ({"H11": "S"}, {}, 2),
        ({"H11": "S", "I11": "O"}, {}, 2 + 2),
        ({"G10": "A", "I10": "O"}, {}, None),
        ({"G8": "S"}, {}, None),
        ({"H11": "s"}, {}, 2),
        ({"H11": "?"}, {}, 2),
    ],
)
def test_a_scrab_is_scored_on_the_final_position(tiles, settings, points):
    """Two for each string with a scrab tile; all of them are words (SB-26, SB-27)."""
    state = replace(table(board=CAT, settings=settings, dealer="Ann"), phase="scrab")
    verdict = scrabbed(state, tiles)

    assert points == (None if isinstance(verdict, Refused) else verdict.result["points"])


@pytest.mark.parametrize(
    ("tiles", "initial", "code"),
    [
        ({"H8": "S"}, {}, "occupied"),
        ({"H11": "S", "I11": "O", "J11": "N", "K11": "S", "L11": "O"}, {}, "too_many"),
        ({"H11": "S"}, {"scrab": ["A", "E", "I", "O"]}, "not_in_scrab"),
        ({"H11": "s"}, {"scrab": ["S", "E", "I", "O"]}, "not_in_scrab"),
        ({"H11": "S", "I10": "O"}, {"settings": {"scrab_line": "single"}}, "not_in_line"),
        ({"A1": "S"}, {}, "not_connected"),
        ({"H11": "E"}, {}, "not_a_word"),
        (None, {}, "bad_action"),
    ],
)
def test_a_scrab_that_breaks_a_rule_is_refused(tiles, initial, code):
    """Free squares, four tiles of the scrab, connected, all strings words (SB-26)."""
    state = table(board=CAT, dealer="Ann", **initial)

    assert code == scrabbed(state, tiles).code


@pytest.mark.parametrize(
    ("player", "phase", "code"),
    [("Bob", "scrab", "not_dealer"), ("Ann", "clean_up", "scrab_done"), (None, "scrab", None)],
)
def test_the_scrab_is_the_dealers_and_comes_once(player, phase, code):
    """Who is not named is the dealer (SB-26)."""
    state = replace(table(board=CAT, dealer="Ann"), phase=phase)

    assert code == getattr(scrabbed(state, {"H11": "S"}, player), "code", None)


def test_a_scrab_may_win():
    """In mid-scrab (SB-30)."""
    state = replace(table(board=CAT, dealer="Ann", scores={"Ann": 119, "Bob": 0}), phase="scrab")

    assert ["_scrab", "game_over"] == [e.kind for e in scrabbed(state, {"H11": "S"}).events]


def test_a_fragment_is_reported_with_who_lengthened_it():
    """With the penalty that was agreed on (SB-15)."""
    start = table(settings={"fragment_penalty": 3}, board=CAT)
    state = laid(start, ("Bob", "I8", "O"), ("Ann", "I9", "E"))
    left = [e.data for e in end_of_hand(state, SAID).events if e.kind == "fragment_left"]

    assert {("Bob", "CO", 3), ("Ann", "AE", 3), ("Ann", "OE", 3)} == {
        (d["player"], d["text"], d["penalty"]) for d in left
    }


NEAR = ["." * 15] * 7 + [".......E......."] + ["..........O...."] + ["." * 15] * 6
"""E on H8, and O on I11 beside what ends the line of EA."""
ANN = ("Ann", "H9", "A")


@pytest.mark.parametrize(
    ("tiles", "left"),
    [
        ([ANN, ("Bob", "H11", "T")], []),
        ([ANN, ("Bob", "J11", "N"), ("Ann", "H11", "T")], ["Ann"]),
        ([ANN, ("Bob", "J11", "N")], ["Ann"]),
        ([("Bob", "H11", "T"), ANN], ["Ann"]),
    ],
)
def test_a_fragment_that_somebody_else_blocked_is_not_reported(tiles, left):
    """Ann's EA could become EAT until a tile of Bob's, laid after it, lies behind it (SB-15)."""
    state = laid(table(board=NEAR, dealer=tiles[0][0]), *tiles)
    events = end_of_hand(state, SAID).events

    assert left == [e.data["player"] for e in events if e.kind == "fragment_left"]


NEED = [(TWO, 12), (THREE, 16), (FOUR, 20)]


@pytest.mark.parametrize(("players", "need"), NEED)
@pytest.mark.parametrize("short", [False, True])
def test_the_game_ends_when_the_bag_is_short_at_the_end_of_a_hand(players, need, short):
    """All tiles but those on the board are back in it (SB-29, SB-31, SB-32)."""
    lying = "A" * (100 - need + short)
    full = table(players, board=[lying[i : i + 15].ljust(15, ".") for i in range(0, 225, 15)])
    events = end_of_hand(full, SAID).events

    assert ["bag_short"] * short == [e.data["reason"] for e in events if e.kind == "game_over"]


@pytest.mark.parametrize(("players", "need"), NEED)
@pytest.mark.parametrize("short", [False, True])
def test_nothing_is_drawn_from_a_bag_that_is_short(players, need, short):
    """The game ends instead (SB-31)."""
    events = draw(table(players, bag_count=need - short), SAID).events

    assert ["game_over" if short else "_drawn"] == [e.kind for e in events]


@pytest.mark.parametrize(("players", "count"), [(TWO, 12), (THREE, 15), (FOUR, 20)])
def test_how_many_tiles_are_drawn(players, count):
    """Six each of two, else five (SB-5); and once a hand."""
    state = table(players)
    (event,) = draw(state, SAID).events

    assert count == event.data["count"]
    assert "already_drawn" == draw(replace(state, dealt=True), SAID).code


def test_who_is_working_on_something():
    """The players are named, never what they mean to lay."""
    state = laid(table(board=CAT), ("Bob", "I8", "O"))
    first = laid(table(dealer="Ann"), ("Ann", "H8", "A"))

    assert ["Bob"] == working_on(state, SAID).result["working"]
    assert ["Ann"] == working_on(first, SAID).result["working"]
    assert [] == working_on(laid(first, ("Bob", "H9", "T")), SAID).result["working"]


@pytest.mark.parametrize(
    ("scores", "settings", "winner", "line"),
    [
        ({"Ann": 5, "Bob": 9}, {}, ["Bob"], "Bob wins, 9 to 5."),
        ({"Ann": 7, "Bob": 7}, {}, ["Ann", "Bob"], "A draw, 7 to 7."),
        ({"Ann": 7, "Bob": 7}, {"end_tie": "play_off"}, None, "A draw, 7 to 7."),
    ],
)
def test_people_end_the_game(scores, settings, winner, line):
    """Before anybody has 121: most points win, as when the bag is short (SB-31)."""
    state = table(settings=settings, scores=scores)
    (over,) = end_game(state, SAID).events
    after = GAME.evolve(state, over)

    assert (winner, "ended") == tuple(GAME.view(after, None)[k] for k in ("winner", "reason"))
    assert (line,) == GAME.announce(after, over)


@pytest.mark.parametrize(
    ("tiles", "code"),
    [
        ({"H8": "T"}, None),
        ({"H8": "T", "H9": "O"}, None),
        ({"H8": "T", "A10": "N"}, "not_connected"),
        ({"H9": "O"}, "not_centre"),
    ],
)
def test_a_scrab_on_an_empty_board_hangs_on_its_tile_on_the_star(tiles, code):
    """As on a board with tiles, directly or through others (SB-26)."""
    assert code == getattr(scrabbed(table(dealer="Ann"), tiles), "code", None)
