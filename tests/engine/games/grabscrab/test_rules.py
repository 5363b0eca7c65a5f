"""What is refused in GrabScrab, how a game of it ends, and what is said."""

from __future__ import annotations

import pytest

from kibitz.engine.games.grabscrab.rules import GAME
from kibitz.engine.rules import Refused
from tests.engine.games.grabscrab.grabscrab_help import act, table

pytestmark = pytest.mark.fast


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


def test_window_without_times_starts_with_the_first_tick():
    """Where no action had a time, the window for last calls counts from the first tick."""
    state = table({"pool": "AINR", "face_down": 0}, {"gs.final_window": 5})
    state, first = act(state, "tick", at=50.0)
    state, later = act(state, "tick", at=55.0)

    assert {} == first.result
    assert "game_over" == later.result["event"]
