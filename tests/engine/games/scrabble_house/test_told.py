"""What people tell in Scrabble House: objections, clocks, draws, passes (SH-11, SH-22 to SH-28)."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabble_house.rules import GAME
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, Materials, apply
from kibitz.engine.words.lexicon import words_from_text

MATERIALS = Materials(words_from_text("CAT\nDOG"), load_tile_set("en"))
TWO, FOUR = ("Ann", "Bob"), ("Ann", "Bea", "Cyd", "Dan")
CAT = {"O7": "C", "O8": "A", "O9": "T"}
WAITS = ("place", "Ann", None, {"tiles": CAT, "window": "open"})
NO_CLOCK = {"sh.clocks": "off"}


def table(players=TWO, settings=None, **start):
    """A table at which anybody may open."""
    options = check_options(GAME.info, {"sh.opening": "any", **(settings or {})})
    return GAME.begin(players, options, MATERIALS, start)


def done(state, *steps):
    """The state after some steps, and what became of each: `ok` or a code."""
    codes = []
    for kind, player, at, data in steps:
        state, verdict = apply(GAME, state, Action(kind, player, at, data))
        codes.append("ok" if isinstance(verdict, Accepted) else verdict.code)
    return state, codes


def told(state, kind, player=None, at=None, **data):
    """The result of one thing told, or the code of its refusal."""
    _, verdict = apply(GAME, state, Action(kind, player, at, data))
    return verdict.result if isinstance(verdict, Accepted) else verdict.code


def test_people_judge_a_word_against_the_list():
    """What they say of it holds."""
    state, _ = done(table(settings=NO_CLOCK), WAITS)

    assert {"upheld": True} == told(state, "challenge", "Bob", verdict="not_a_word")


def test_nobody_objects_to_an_own_play_or_to_none():
    """Nor to one that was let stand."""
    state, _ = done(table(settings=NO_CLOCK), WAITS)
    after, _ = done(state, ("accept", "Bob", None, {}))

    assert "own_play" == told(state, "challenge", "Ann")
    assert ["nothing_to_challenge"] * 2 == [told(x, "challenge", "Bob") for x in (table(), after)]
    assert "nothing_to_challenge" == told(after, "accept", "Bob")


def test_the_last_play_comes_back_by_agreement():
    """Once, and before anything else is done on its board."""
    state, codes = done(table(settings=NO_CLOCK), WAITS, *[("withdraw", None, None, {})] * 2)

    assert ["ok", "ok", "nothing_to_withdraw"] == codes
    assert CAT.keys() == set(told(done(table(settings=NO_CLOCK), WAITS)[0], "withdraw")["removed"])
    assert ["." * 15] * 15 == list(GAME.view(state, None)["board"])


@pytest.mark.parametrize(
    ("players", "named", "code"),
    [
        (TWO, None, "ok"),
        (TWO, "Bob", "not_your_turn"),
        (FOUR, None, "bad_action"),
        (FOUR, "Cyd", "ok"),
    ],
)
def test_a_turn_is_passed_by_whose_it_is(players, named, code):
    """With two boards the player must be named (SH-28)."""
    state = table(players, NO_CLOCK, to_move=["Ann", "Cyd"])

    assert [code] == done(state, ("pass", named, None, {}))[1]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"square": "O9", "value": "t"}, {}),
        ({"square": "O9", "letter": "T"}, {}),
        ({"square": "O9", "value": "TH"}, "bad_action"),
        ({"square": "O9"}, "bad_action"),
        ({"square": "O8", "value": "T"}, "no_blank"),
        ({"square": "Z9", "value": "T"}, "bad_action"),
    ],
)
def test_a_blank_is_named_where_one_lies(data, code):
    """With one letter (SH-29)."""
    rows = ["." * 15] * 14 + ["......CA?......"]

    assert code == told(table(board=rows, blanks=["O9"]), "answer", None, **data)


@pytest.mark.parametrize(
    ("kind", "said"),
    [("press_clock", "pressed"), ("flag_fall", "flag"), ("draw", "draws"), ("draw_limit", "draw")],
)
def test_who_presses_or_draws_must_be_told(kind, said):
    """No picture shows it."""
    verdict = GAME.decide(table(), Action(kind))

    assert "bad_action" == verdict.code
    assert said in str(verdict.message)


def test_a_flag_falls_when_the_time_is_over():
    """By the clock that is kept here, or one that people see (SH-26)."""
    state, _ = done(table(settings={"sh.clock": 600}), ("press_clock", "Bob", 0.0, {}))
    over = [
        done(state, step)[0]
        for step in (
            ("tick", None, 599.0, {}),
            ("tick", None, 601.0, {}),
            ("flag_fall", "Ann", None, {}),
        )
    ]

    assert [None, "Bob", "Bob"] == [GAME.view(x, None)["winner"] for x in over]
    assert "bad_action" == told(state, "tick")
    assert "game_over" == told(over[1], "flag_fall", "Ann")
    assert "game_over" == told(over[1], "press_clock", "Ann", 602.0)


def test_people_end_the_match_and_nobody_wins():
    """It has no scores (SH-31)."""
    state, codes = done(table(), ("end_game", None, None, {}))

    assert (["ok"], True, None) == (
        codes,
        GAME.view(state, None)["over"],
        GAME.view(state, None)["winner"],
    )
