"""A play that is taken up again: announced, with the turn given back unless it was challenged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kibitz.engine.record.gcg_writer import gcg_game
from kibitz.engine.record.history import lines_said
from kibitz.engine.record.ledger import tiles_of
from kibitz.engine.rules import Action, Refused
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.changes import BoardView
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.explanations.take_backs import (
    CHALLENGED,
    WITHDRAWN,
    open_ones,
)
from kibitz.engine.tracking.questions import Kind
from tests.app.server_help import board
from tests.helpers.seen_boards import tracker, view_of

LIVE = Capture(live=True)
CAT = board(H8="CAT")
HORT = board(H8="CAT", v_G10="HTORT")
ELSEWHERE = board(H8="CATTHOR")
FREE = {"reject_invalid": False}


def seen(kept: BoardTracker, *boards: list[str], how: Capture = LIVE) -> list[Any]:
    """What each of some pictures was taken to show."""
    return [kept.update(view_of(rows), how) for rows in boards]


def plays(kept: BoardTracker) -> list[tuple[str, str | None]]:
    """What was done, with whose turn it was then."""
    done = kept.ledger.done
    states = [kept.ledger.start, *(d.state for d in done)]
    return [(d.entry.action.kind, s.to_move) for d, s in zip(done, states, strict=False)]


def said(kept: BoardTracker) -> list[str]:
    return lines_said(kept.ledger, kept.ledger.done)


def answer(value: str) -> Action:
    return Action("answer", data={"field": Kind.TAKE_BACK, "value": value})


def test_who_takes_up_a_play_has_the_turn_again():
    """The take-back is announced, and the same player lays what comes next."""
    kept = tracker()
    found = seen(kept, board(), CAT, board(H8="CATS"), CAT, board(H8="CAT", G9="O"))

    assert "taken_back" == found[3].status
    assert "Bob takes CATS back and has the turn again." in said(kept)
    assert [("place", "Ann"), ("place", "Bob"), ("take_back", "Ann"), ("place", "Bob")] == plays(
        kept
    )


def test_photographs_show_what_was_challenged_off():
    """Of photographs only what stayed is known: the turn is spent (CL-14)."""
    kept = tracker()
    seen(kept, CAT, board(H8="CATS"), CAT, how=PHOTO)

    assert "CATS comes off." in said(kept)
    assert "Ann" == kept.ledger.state.to_move


def test_the_same_tiles_laid_elsewhere_in_one_visit_are_one_play():
    """Taken up and laid again before the hand is gone: nothing is left of the first place."""
    kept = tracker()
    seen(kept, board(), CAT, board(H8="CAT", I8="HORT"), board(H8="CATHORT"))

    assert [("place", "Ann"), ("place", "Bob")] == plays(kept)
    assert {"H11", "H12", "H13", "H14"} == set(kept.ledger.done[1].entry.action.data["tiles"])


def test_other_tiles_in_the_same_visit_are_a_play_of_the_same_player():
    """Bob takes up CATS and lays COW: both are told."""
    kept = tracker()
    seen(kept, board(), CAT, board(H8="CATS"), board(H8="CAT", v_I8="OW"))

    assert [("place", "Ann"), ("place", "Bob"), ("take_back", "Ann"), ("place", "Bob")] == plays(
        kept
    )


def scores(kept: BoardTracker) -> dict[str, int]:
    return kept.ledger.game.view(kept.ledger.state, None)["scores"]


COW = board(H8="CAT", v_H8="COW")
COW_TEN = board(H8="CAT", v_H8="COW", v_H10="TEN")


def test_of_two_plays_in_one_picture_only_the_one_taken_up_goes():
    """Ann takes up TEN; COW stays and counts, and she lays another word."""
    kept = tracker()
    seen(kept, board(), CAT, COW_TEN, COW)
    back = scores(kept)
    seen(kept, board(H8="CAT", v_H8="COW", v_H10="TEA"))

    assert "Ann takes TEN back and has the turn again." in said(kept)
    assert {"Ann": 10, "Bob": 8} == back
    assert [("place", "Ann"), ("place", "Bob"), ("place", "Ann")] == plays(kept)[:3]
    assert [("take_back", "Bob"), ("place", "Ann")] == plays(kept)[3:]


def test_what_was_taken_up_is_left_out_of_a_gcg():
    """COW of the same picture is written, TEN is not."""
    kept = tracker()
    seen(kept, board(), CAT, COW_TEN, COW)
    words = [m.word for m in gcg_game(kept.ledger).moves if m.kind == "play"]

    assert ["CAT", ".OW"] == words


def test_a_play_in_the_picture_of_a_take_back_goes_alone():
    """CATS comes off and COW is laid in one visit; taken up, COW leaves the take-back standing."""
    kept = tracker()
    seen(kept, board(), CAT, board(H8="CATS"), COW, board(H8="CAT", v_G10="HTORT"))
    kinds = [kind for kind, _ in plays(kept)]

    assert ["place", "place", "take_back"] == kinds[:3]


def taken_off() -> BoardTracker:
    """A table where words are challenged: CATS was taken off, and Bob or Ann laid on."""
    kept = tracker(**FREE)
    seen(kept, board(), CAT, board(H8="CATS"), CAT)
    return kept


@pytest.mark.parametrize(
    ("given", "movers"),
    [(WITHDRAWN, ["Ann", "Bob", "Ann", "Bob"]), (CHALLENGED, ["Ann", "Bob", "Ann", "Ann"])],
)
def test_what_people_answer_puts_later_turns_right(given, movers):
    """It is asked once; the game goes on, and the answer says whose the later play was."""
    kept = taken_off()
    finding = kept.best.findings[-1]
    seen(kept, board(H8="CAT", v_I8="OW"))
    verdict = kept.tell(answer(given))

    assert (Kind.TAKE_BACK, (WITHDRAWN, CHALLENGED)) == (
        finding.question.field,
        finding.question.choices,
    )
    assert "CATS of Bob" in finding.question.prompt
    assert not isinstance(verdict, Refused)
    assert movers == [mover for _, mover in plays(kept)]
    assert [] == open_ones(kept.ledger)


def test_where_the_list_rules_at_once_nobody_is_asked():
    """A word that the list has cannot be challenged off."""
    kept = tracker()
    found = seen(kept, board(), CAT, board(H8="CATS"), CAT)

    assert found[-1].question is None


@pytest.mark.parametrize(("taken", "open_ones_left"), [("SO", 0), ("SON", 1)])
def test_the_same_tiles_laid_later_answer_the_question(taken, open_ones_left):
    """Half of the tiles taken up lie elsewhere: their player withdrew them; of a third nobody knows."""
    kept = tracker(**FREE)
    seen(kept, board(), CAT, board(H8="CAT" + taken), CAT, board(H8="CAT", v_I8="OWL"))

    assert open_ones_left == len(open_ones(kept.ledger))
    assert ("place", "Bob") == plays(kept)[-1]


def test_a_challenge_told_after_the_tiles_are_gone_says_so():
    """Nobody saw the page in time: the challenge is of what was just taken off."""
    kept = taken_off()
    verdict = kept.tell(Action("challenge", "Ann"))

    assert not isinstance(verdict, Refused)
    assert [] == open_ones(kept.ledger)
    assert "Ann" == kept.ledger.state.to_move


def test_who_passes_when_it_is_the_others_turn_says_so_too():
    """Ann passes: so it was her turn, and the play was challenged off."""
    kept = taken_off()
    verdict = kept.tell(Action("pass", "Ann"))

    assert not isinstance(verdict, Refused)
    assert [("take_back", "Ann"), ("pass", "Ann")] == plays(kept)[2:]


@pytest.mark.parametrize(("pressed", "mover"), [(False, "Bob"), (True, "Ann")])
def test_where_a_clock_is_pressed_the_press_tells(pressed, mover):
    """Before the press a play is withdrawn, after it it was challenged off; nobody is asked."""
    kept = tracker(**FREE, **{"cl.press_clock": True})
    seen(kept, board(), CAT, board(H8="CATS"))
    if pressed:
        assert not isinstance(kept.tell(Action("press_clock", "Bob")), Refused)
    (finding,) = seen(kept, CAT)

    assert (None, mover) == (finding.question, kept.ledger.state.to_move)


@pytest.mark.parametrize(("plays_too", "mover"), [(False, "Bob"), (True, "Ann")])
def test_only_a_clock_that_presses_move_tells_whose_turn_it_is(plays_too, mover):
    """Where plays move it as well, nobody need press, and a press by habit tells nothing."""
    kept = tracker(**FREE, clock="down", clock_plays=plays_too)
    kept.tell(Action("press_clock", "Bob", 0.0))
    seen(kept, board(), CAT)
    kept.tell(Action("press_clock", "Ann", 5.0))
    seen(kept, board())

    assert mover == kept.ledger.state.to_move
    assert plays_too is bool(open_ones(kept.ledger))


def test_clocks_that_move_by_themselves_change_nothing_that_pictures_show():
    """A play that grows is one; taken up, its player has turn and time back."""
    kept = tracker(**FREE, clock="down", clock_plays=True)
    kept.tell(Action("press_clock", "Bob", 0.0))
    seen(kept, board(), CAT)
    kept.tell(Action("tick", None, 10.0))
    grown = seen(kept, board(H8="CATS"), how=replace(LIVE, soon=True))
    told = [(d.entry.action.kind, len(tiles_of(d.entry))) for d in kept.ledger.done]
    seen(kept, board())
    clock = kept.ledger.state.clock

    assert ["play"] == [found.status for found in grown]
    assert [("press_clock", 0), ("tick", 0), ("place", 4)] == told
    assert ("Ann", "Ann", 0.0) == (kept.ledger.state.to_move, clock.running, clock.since)


def test_a_clock_that_nobody_presses_is_refused():
    """Without the setting a press says nothing."""
    verdict = tracker().tell(Action("press_clock", "Bob"))

    assert isinstance(verdict, Refused)
    assert "no_clock" == verdict.code


@pytest.mark.parametrize("value", ["", "yes", "withdrawn "])
def test_an_answer_that_was_not_offered_is_refused(value):
    """It says what was expected."""
    verdict = taken_off().tell(answer(value))

    assert isinstance(verdict, Refused)
    assert ("unknown_choice", True) == (verdict.code, WITHDRAWN in verdict.message)


def test_an_answer_that_nothing_asks_for_is_refused():
    """No play was taken off."""
    verdict = tracker().tell(answer(WITHDRAWN))

    assert isinstance(verdict, Refused)
    assert "unknown_question" == verdict.code


def late(value: str, *before: list[str]) -> tuple[BoardTracker, list[str]]:
    """CAT, HORT that is none, SO elsewhere; then HORT is gone, and people answer."""
    kept = tracker(**FREE)
    after = board(H8="CAT", v_G10="HTORT", v_I8="SO")
    *_, gone = seen(kept, board(), CAT, *before, HORT, after, board(H8="CAT", v_I8="SO"))
    assert gone.question is not None
    offered = list(gone.question.choices)
    told = {"field": gone.question.field, "value": value}
    kept.tell(Action("answer", data=told))
    return kept, offered


def test_a_play_that_is_challenged_off_one_turn_late():
    """Its turn is spent, what was laid since stays, and so does whose turn it is."""
    before, offered = late("put back")
    kept, _ = late(CHALLENGED)
    seen(kept, board(H8="CAT", v_I8="SO"))

    assert ["put back", "moved", CHALLENGED] == offered
    assert ["place", "place", "place"] == [d.entry.action.kind for d in before.ledger.done]
    assert [("place", "Ann"), ("place", "Bob"), ("take_back", "Ann"), ("place", "Ann")] == plays(
        kept
    )
    assert (0, "Bob") == (kept.ledger.state.scores["Bob"], kept.ledger.state.to_move)
    assert "no_change" == kept.best.findings[-1].status


def test_a_play_that_lay_there_before_and_is_challenged_off_one_turn_late():
    """HORT was laid, taken up and laid again: the one that lies there comes off."""
    kept, offered = late(CHALLENGED, HORT, CAT)

    assert ["put back", "moved", CHALLENGED] == offered
    kinds = ["place", "place", "take_back", "place", "take_back", "place"]
    assert kinds == [kind for kind, _ in plays(kept)]


@pytest.mark.parametrize("left", [board(H8="C", H10="T", v_I8="SO"), board(v_I8="SO")])
def test_what_was_not_challenged_off(left):
    """A tile of a play, and a play on which a later one rests."""
    kept = tracker(**FREE)
    *_, gone = seen(kept, board(), CAT, board(H8="CAT", v_I8="SO"), left)

    assert gone.question is not None
    assert ["put back", "moved"] == list(gone.question.choices)


def in_fog(rows: list[str]) -> BoardView:
    """A board whose letters cannot be read, and whose bare squares look bare."""
    faint = {"letters": dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ?", 1 / 27)}
    view = view_of(rows)
    tiles = {s: replace(v, **faint) for s, v in view.squares.items() if v.shows_tile}
    return replace(view, squares={**view.squares, **tiles})


def in_thick_fog(rows: list[str]) -> BoardView:
    """A board on which every tile looks rather bare, and none can be read."""
    view = in_fog(board(H8="CAT", v_I8="SO"))
    faint = {s: replace(v, empty=0.7, tile=0.3) for s, v in view.squares.items() if v.shows_tile}
    return replace(view, squares={**view.squares, **faint})


@pytest.mark.parametrize(
    ("seen_so", "expected"),
    [(in_fog, ("covered", 2)), (in_thick_fog, ("covered", 2)), (view_of, ("taken_back", 3))],
)
def test_what_cannot_be_seen_was_not_taken_up(seen_so, expected):
    """Where the letters of the tiles that still show are gone as well, the picture is blurred."""
    kept = tracker()
    seen(kept, board(), CAT, board(H8="CAT", v_I8="SO"))
    status = kept.update(seen_so(CAT), LIVE).status

    assert expected == (status, len(kept.ledger.done))
