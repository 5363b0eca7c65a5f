"""GrabScrab as the rules have it: scenarios, what may never happen, what is said."""

from __future__ import annotations

import json

import pytest

from kibitz.engine.games.grabscrab.rules import GAME
from kibitz.engine.rules import Accepted, Action, Refused, apply
from tests.engine.games.grabscrab.grabscrab_help import act, table

pytestmark = pytest.mark.fast

TWO_CALLS = [{"player": "Ann", "word": "TRAIN"}, {"player": "Bob", "word": "RAIN"}]


def scenarios(path):
    if not path.is_file():
        return []
    found = json.loads(path.read_text(encoding="utf-8"))["scenarios"]
    return [pytest.param(s, id=s["id"]) for s in found if s["game"] == "grabscrab"]


@pytest.mark.parametrize(
    ("kind", "player", "data", "code"),
    [
        ("place", "Ann", {}, "unknown_action"),
        ("flip", "Dee", {"letter": "A"}, "unknown_player"),
        ("flip", "Ann", {}, "bad_action"),
        ("flip", "Ann", {"letter": "AB"}, "bad_action"),
        ("flip", "Ann", {"letter": "7"}, "bad_action"),
        ("claim", None, {"word": "RAIN"}, "unknown_player"),
        ("claim", "Ann", {}, "bad_action"),
        ("claim", "Ann", {"word": 5}, "bad_action"),
        ("claim", "Ann", {"word": "RAIN", "tiles": "R?"}, "bad_action"),
        (
            "claim",
            "Ann",
            {"word": "RAIN", "steal": "STOP", "from_player": "Dee"},
            "unknown_player",
        ),
        ("claim", "Ann", {"word": "RAIN", "steal": "STOP", "also": [3]}, "bad_action"),
        ("claim", "Ann", {"word": "RA-IN"}, "not_a_word"),
        ("tie", None, {}, "bad_action"),
        ("tie", None, {"claims": []}, "bad_action"),
        ("tie", None, {"claims": 3}, "bad_action"),
        ("tie", None, {"claims": ["RAIN"]}, "bad_action"),
        ("tie", None, {"claims": [{"word": "RAIN"}]}, "unknown_player"),
        ("give_up", "Ann", {"word": "RAIN"}, "no_penalty"),
        ("no_more_words", None, {}, "tiles_left"),
        ("overrule_root", None, {"old": "RAIN"}, "bad_action"),
        ("overrule_root", None, {"old": "", "new": "", "same": True}, "bad_action"),
        ("judge_decision", None, {"word": "R-N"}, "bad_action"),
    ],
)
def test_broken_actions_are_refused(kind, player, data, code):
    """An action that cannot be is refused with a code and changes nothing."""
    before = table({"pool": "AINR", "face_down": 3})
    after, verdict = act(before, kind, player, **data)

    assert isinstance(verdict, Refused)
    assert code == verdict.code
    assert before == after


def test_all_tiles_face_up_cannot_be_turned():
    """Without face-down tiles nobody flips."""
    _, verdict = act(table({"pool": "A", "face_down": 0}), "flip", "Ann", letter="B")

    assert "no_tiles_left" == verdict.code


def test_nothing_happens_after_the_end():
    """After the end every action is refused."""
    state, _ = act(table({"pool": "AINR", "face_down": 0}), "no_more_words")
    _, verdict = act(state, "claim", "Ann", word="RAIN")

    assert "game_over" == verdict.code
    assert frozenset() == state.may_act


@pytest.mark.parametrize(
    ("down", "words", "said"),
    [
        (2, {}, ["2 tiles are still face down."]),
        (2, {"Bob": ["RAIN"]}, ["2 tiles are still face down.", "Bob leads with one word."]),
        (
            1,
            {"Ann": ["DRIFT"], "Bob": ["RAIN"]},
            ["1 tile is still face down.", "Ann and Bob lead with one word each."],
        ),
    ],
)
def test_who_stops_before_all_tiles_are_turned_has_no_winner(down, words, said):
    """Only the full end has one (GS-19); who leads is told, and how many tiles nobody turned."""
    state, verdict = act(table({"face_down": down, "words": words}), "end_game")
    (event,) = verdict.events

    assert (True, ()) == (state.over, state.winner)
    assert ["The game is over.", *said] == list(GAME.announce(state, event))


def test_who_stops_with_all_tiles_turned_has_the_usual_end():
    """It comes to the same as that there are no more words."""
    state, verdict = act(table({"face_down": 0, "words": {"Bob": ["RAIN"]}}), "end_game")
    (event,) = verdict.events

    assert ("no_more_words", ("Bob",)) == (event.data["reason"], state.winner)
    assert ("All turned. Bob wins with one word.",) == GAME.announce(state, event)


def test_false_calls_are_marked_where_they_cost_a_word():
    """With the penalty on, the answer says whether a refused call is a false one (GS-17)."""
    state = table({"pool": "AINR"}, {"gs.penalty": True})
    _, bad_word = act(state, "claim", "Ann", word="RINA")
    _, too_short = act(state, "claim", "Ann", word="RAN")

    assert ("not_a_word", {"penalty": True}) == (bad_word.code, bad_word.result)
    assert ("too_short", {}) == (too_short.code, too_short.result)


def test_only_named_codes_cost_a_word():
    """`gs.penalty_codes` says which refusals are false calls."""
    state = table({"pool": "AINR"}, {"gs.penalty": True, "gs.penalty_codes": ["too_short"]})
    _, bad_word = act(state, "claim", "Ann", word="RINA")
    _, too_short = act(state, "claim", "Ann", word="RAN")

    assert {} == bad_word.result
    assert {"penalty": True} == too_short.result


def test_people_rule_on_words():
    """A word that people allow may be claimed, one that they refuse may not."""
    state = table({"pool": "AINRSTOP"})
    state, _ = act(state, "judge_decision", word="tarpons", valid=True)
    state, _ = act(state, "judge_decision", word="stop", valid=False)
    _, allowed = act(state, "claim", "Ann", word="TARPONS")
    _, refused = act(state, "claim", "Ann", word="STOP")

    assert isinstance(allowed, Accepted)
    assert "not_a_word" == refused.code


def test_two_calls_of_one_player_are_no_tie():
    """A player who calls two words at once wins the first."""
    state = table({"pool": "AINRT"})
    claims = [{"player": "Ann", "word": "TRAIN"}, {"player": "Ann", "word": "RAIN"}]
    _, verdict = act(state, "tie", claims=claims)

    assert ("won", "TRAIN") == (verdict.result["event"], verdict.result["word"])


def test_window_without_times_starts_with_the_first_tick():
    """Where no action had a time, the window for last calls counts from the first tick."""
    state = table({"pool": "AINR", "face_down": 0}, {"gs.final_window": 5})
    state, first = act(state, "tick", at=50.0)
    state, later = act(state, "tick", at=55.0)

    assert {} == first.result
    assert "game_over" == later.result["event"]


@pytest.mark.parametrize(
    ("initial", "settings", "action", "said"),
    [
        ({}, {}, Action("flip", data={"letter": "Q"}), "Q."),
        ({}, {}, Action("flip", data={"letter": "?"}), "Blank."),
        ({"face_down": 1}, {}, Action("flip", data={"letter": "Q"}), "Q. That was the last tile."),
        (
            {"pool": "AINR"},
            {},
            Action("claim", "Bob", data={"word": "rain"}),
            "Bob: RAIN. Bob flips next.",
        ),
        (
            {"pool": "AINR", "face_down": 0},
            {},
            Action("claim", "Bob", data={"word": "RAIN"}),
            "Bob: RAIN.",
        ),
        (
            {"pool": "T", "words": {"Ann": ["RAIN"]}},
            {},
            Action("claim", "Bob", data={"word": "TRAIN", "steal": "RAIN"}),
            "RAIN of Ann becomes TRAIN for Bob!",
        ),
        (
            {"pool": "AINRTGO", "last_flip": {"letter": "T", "by": "Ann"}},
            {},
            Action("tie", data={"claims": TWO_CALLS}),
            "Both at once; the T goes back.",
        ),
        (
            {"pool": "AINRT"},
            {"gs.tie": "dismiss"},
            Action("tie", data={"claims": TWO_CALLS}),
            "Both at once; those words are out.",
        ),
        (
            {"words": {"Ann": ["RAIN"]}},
            {"gs.penalty": True},
            Action("give_up", "Ann", data={"word": "RAIN"}),
            "Ann gives up RAIN.",
        ),
        (
            {"words": {"Ann": ["RAIN", "STOP"]}, "face_down": 0},
            {},
            Action("no_more_words"),
            "All turned. Ann wins with 2 words.",
        ),
        (
            {"words": {"Ann": ["RAIN"], "Cyd": ["STOP"]}, "face_down": 0},
            {},
            Action("no_more_words"),
            "All turned. Ann and Cyd share the win with one word each.",
        ),
    ],
)  # fmt: skip
def test_what_is_said(initial, settings, action, said):
    """Every event has its line."""
    state, verdict = apply(GAME, table(initial, settings), action)
    lines = [line for event in verdict.events for line in GAME.announce(state, event)]

    assert [said] == lines


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"word": "ANTIC", "steal": "TRAIN"}, "ANTIC leaves letters of TRAIN behind."),
        ({"word": "TRAIN", "steal": "TRAIN"}, "No new letter."),
        ({"word": "TRA"}, "Four letters at least."),
        ({"word": "GLOVE"}, "Those tiles are not there."),
        ({"word": "TRAINX"}, "TRAINX is not in the list."),
        ({"word": "TRAINING", "steal": "TRAIN"}, "TRAINING has the same root as TRAIN."),
    ],
)
def test_refusals_are_said_in_short(call, said):
    """A refused call is answered in one short line."""
    _, verdict = act(table({"pool": "GINC", "words": {"Bob": ["TRAIN"]}}), "claim", "Ann", **call)

    assert said == verdict.message


def test_a_tile_of_two_letters_is_turned_by_what_stands_on_it():
    """RR is one tile of the Spanish set."""
    after, _ = act(table({"face_down": 3}, tiles="es"), "flip", "Ann", letter="rr")

    assert "Ŕ" == after.pool
