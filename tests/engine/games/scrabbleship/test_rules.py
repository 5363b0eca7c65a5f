"""What ScrabbleShip lets people do: fleets in secret, plays, judges and strips (SS-4 to SS-34)."""

from __future__ import annotations

from functools import partial

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabbleship.rules import GAME
from kibitz.engine.options import check_options
from kibitz.engine.rules import Change, Materials
from kibitz.engine.table import parse_square
from kibitz.engine.words.lexicon import words_from_text
from tests.helpers.fleets import FLEET, moved
from tests.helpers.steps import after_steps

MATERIALS = Materials(words_from_text("CAT\nCATS"), load_tile_set("en"))
SHIPS = [("carrier", 5), ("scrabbleship", 4), ("submarine", 3), ("destroyer", 3), ("patrol", 2)]
CAT = {"H7": "C", "H8": "A", "H9": "T"}
LAID = ("place", "Ann", {"tiles": CAT})
ENTERED = ("enter_fleet", "Ann", {"fleet": FLEET})
ENTERED_TOO = ("enter_fleet", "Bob", {"fleet": moved(FLEET, down=8)})
WAITS = ("place", "Ann", {"tiles": CAT, "window": "open"})
"""A play that may be challenged; of words that are all in the list only where people want to."""
LISTED = {"reject_invalid": True}


def table(settings=None, **initial):
    """A table of Ann and Bob; Ann begins, and her ships lie in the upper half."""
    return GAME.begin(("Ann", "Bob"), check_options(GAME.info, settings or {}), MATERIALS, initial)


def at_sea(settings=None, **initial):
    """The same with both fleets entered, far from where words are laid."""
    fleets = {"Ann": FLEET, "Bob": moved(FLEET, down=8)}
    return table(settings, **{"fleets": fleets, **initial})


done = partial(after_steps, GAME)


@pytest.mark.parametrize(
    ("steps", "codes"),
    [
        ([("enter_fleet", None, {"fleet": FLEET})], ["bad_action"]),
        ([("enter_fleet", "Bob", {"fleet": FLEET})], ["outside_zone"]),
        ([ENTERED, ENTERED], ["ok", "ok"]),
        ([LAID, ENTERED, LAID], ["fleets_missing", "ok", "fleets_missing"]),
        ([ENTERED, ENTERED_TOO, LAID, ENTERED], ["ok", "ok", "ok", "fleets_fixed"]),
    ],
    ids=["nobody's", "another's zone", "once more", "before it", "too late"],
)
def test_fleets_are_fixed_by_the_first_play(steps, codes):
    """Until then they may be told anew (SS-6)."""
    assert codes == done(table(), *steps)[1]


def test_tiles_that_lie_have_hit_a_fleet_that_is_told_later():
    """A game that goes on from paper: what was hit was called out then."""
    rows = [list("." * 15) for _ in range(15)]
    rows[4][0] = "C"
    state, codes = done(table(board=["".join(r) for r in rows]), ENTERED)

    assert ["ok"] == codes
    assert ([parse_square("E1")], [("Ann", "patrol")]) == (sorted(state.hits), list(state.sunk))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"tiles": CAT, "calls": {"Zed": []}}, "bad_action"),
        ({"tiles": {"A1": "C", "A2": "A", "A3": "T"}}, "not_centre"),
        ({"tiles": {"H7": "C", "H8": "T"}}, "not_a_word"),
        ({"tiles": {"H7": "C", "H8": "T"}, "forced": True}, "ok"),
        ({"tiles": CAT}, "ok"),
    ],
)
def test_the_first_rule_that_a_play_breaks_is_named(data, code):
    """Calls, squares, list (SS-9 to SS-11); people may let a word stand."""
    assert [code] == done(at_sea(LISTED), ("place", "Ann", data))[1]


def test_a_play_waits_for_its_turn_and_its_tiles():
    """As at any game of Scrabble."""
    racks = {"Ann": ["C", "A", "E"]}

    assert ["not_your_turn"] == done(at_sea(), ("place", "Bob", {"tiles": CAT}))[1]
    assert ["not_on_rack"] == done(at_sea(racks=racks), LAID)[1]


@pytest.mark.parametrize(("valid", "code"), [(True, "ok"), (False, "not_a_word")])
def test_a_judge_rules_on_a_word_for_the_whole_game(valid, code):
    """Whatever the list has (SS-11)."""
    word = "CTA" if valid else "CAT"
    ruled = ("judge_decision", None, {"word": word.lower(), "valid": valid})
    tiles = dict(zip(CAT, word, strict=True))

    assert ["ok", code] == done(at_sea(LISTED), ruled, ("place", "Ann", {"tiles": tiles}))[1]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"word": "C4T"}, "bad_action"),
        ({"word": 4}, "bad_action"),
        ({"winner": "Ann"}, "no_judge_needed"),
    ],
)
def test_a_judge_is_asked_only_what_is_open(data, code):
    """A word of letters, or who has won where nothing else tells (SS-34)."""
    assert [code] == done(at_sea(), ("judge_decision", None, data))[1]


@pytest.mark.parametrize("kind", ["challenge", "withdraw"])
def test_nothing_is_settled_where_nothing_waits(kind):
    """Neither before the first play nor after one whose words are all in the list."""
    _, codes = done(at_sea(), (kind, "Bob", {}), LAID, (kind, "Bob", {}))

    assert ["nothing_to_challenge", "ok", "nothing_to_challenge"] == codes


@pytest.mark.parametrize(("word", "left"), [("CTA", 0), ("CAT", 3)])
def test_a_challenged_play_comes_off_if_it_is_no_word(word, left):
    """One that is stands, also where people wanted to look it up (SS-13)."""
    tiles = {"tiles": dict(zip(CAT, word, strict=True)), "window": "open"}
    state, codes = done(at_sea(), ("place", "Ann", tiles), ("challenge", "Bob", {}))

    assert ["ok", "ok"] == codes
    assert left == len(state.grid.tiles)


@pytest.mark.parametrize(
    ("settings", "verdict", "codes", "left"),
    [
        ({}, "not_a_word", ["ok", "nothing_to_challenge", "not_your_turn"], 3),
        ({"ss.challenge": "any_word"}, "not_a_word", ["ok", "ok", "not_your_turn"], 0),
        ({"ss.challenge": "any_word"}, "valid", ["ok", "ok", "not_your_turn"], 3),
        (
            {"ss.challenge": "any_word", "reject_invalid": True},
            "not_a_word",
            ["ok", "nothing_to_challenge", "not_your_turn"],
            3,
        ),
    ],
    ids=["of the list", "no word", "good", "refused at once"],
)
def test_any_word_may_be_challenged_before_the_judge(settings, verdict, codes, left):
    """Where players agreed on that, a word of the list waits for the judge as well (SS-11)."""
    asked = ("challenge", "Bob", {"verdict": verdict})
    state, told = done(at_sea(settings), LAID, asked, LAID)

    assert codes == told
    assert (left, "CAT" not in state.ruled) == (len(state.grid.tiles), left == 3)


def test_what_a_play_hit_is_told_once_it_stands():
    """While it may be challenged nothing gives a ship away (SS-14)."""
    start = {
        "fleets": {
            "Ann": FLEET,
            "Bob": {
                ship: [f"{row}1", f"{row}{n}"]
                for row, (ship, n) in zip("KLMNO", SHIPS, strict=True)
            },
        }
    }
    start["fleets"]["Bob"]["patrol"] = ["J8", "J9"]
    down = {"H8": "C", "I8": "A", "J8": "T"}
    state, _ = done(at_sea(**start), ("place", "Ann", {"tiles": down, "window": "open"}))
    after, _ = done(state, ("accept", "Bob", {}))
    strip = ("lay_card", None, {"squares": ["J9", "J8"]})

    assert ([], ["J8"]) == (GAME.view(state, None)["hits"], GAME.view(after, None)["hits"])
    assert [["Bob", "patrol"]] == GAME.view(after, None)["sunk"]
    assert (["wrong_place"], ["ok"]) == (done(state, strip)[1], done(after, strip)[1])


@pytest.mark.parametrize(
    ("bag", "count", "code"), [(7, 3, "ok"), (2, 3, "bag_too_small"), (20, 8, "bad_action")]
)
def test_tiles_are_exchanged_while_the_bag_holds_enough(bag, count, code):
    """Never more than a rack."""
    assert [code] == done(at_sea(bag_count=bag), ("exchange", "Ann", {"count": count}))[1]


def test_what_a_camera_sees_is_a_play_or_one_taken_off():
    """A part of a play that waits is for people to explain."""
    squares = [parse_square(s) for s in CAT]
    (seen,) = GAME.interpret(at_sea(), Change(added=dict(zip(squares, "CAT", strict=True))))
    state, _ = done(at_sea(), WAITS)
    (off,) = GAME.interpret(state, Change(removed=tuple(squares)))

    assert (["place"], ["withdraw"]) == (
        [a.kind for a in seen.actions],
        [a.kind for a in off.actions],
    )
    assert CAT == seen.actions[0].data["tiles"]
    assert () == GAME.interpret(state, Change(removed=tuple(squares[:2])))
