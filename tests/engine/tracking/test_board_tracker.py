"""One board, picture by picture: what is expected, what lies there, and what people tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.observers.board_views import board_view
from kibitz.engine.rules import Action, Refused
from kibitz.engine.table import parse_square
from kibitz.engine.tracking.evidence.changes import SquareView
from kibitz.engine.tracking.evidence.hypotheses import Capture
from tests.app.server_help import board
from tests.helpers.pictured_games import drawn, replay_of
from tests.helpers.seen_boards import tracker, view_of

LIVE = Capture(live=True)
CAT = board(H8="CAT")
UNDER_A_HAND = SquareView(empty=0.002, covered=0.998)
LIFTED = SquareView(empty=1.0)


@pytest.mark.parametrize(("shown", "expected"), [(UNDER_A_HAND, True), (LIFTED, False)])
def test_a_hidden_tile_is_not_lifted(shown, expected):
    """GATE explodes: its tiles count as lifted once their squares are seen bare."""
    replay, square = replay_of("scrabble-house"), parse_square("F5")
    seen = list(drawn("scrabble-house"))
    number = next(
        i for i, found in enumerate(seen) if replay.see(found) and _is_to_be_lifted(replay, "F5")
    )
    view = board_view(seen[number].reading.boards[0])
    replay.tracker.update(replace(view, squares={**view.squares, square: shown}), LIVE)

    assert expected == (square in replay.tracker.lying)


def _is_to_be_lifted(replay, name: str) -> bool:
    return any(name in task.squares for task in replay.tracker.tasks())


def test_a_copy_takes_in_what_the_first_does_not_know():
    """Neither game nor board of the first changes."""
    first = tracker()
    first.update(view_of(board()))
    other = first.copy()
    found = other.update(view_of(CAT))

    assert ("play", CAT) == (found.status, other.lying_rows())
    assert (board(), 1, ()) == (first.lying_rows(), first.photos, first.ledger.done)


def test_a_look_at_a_picture_takes_nothing_in():
    """Neither a match nor a preview, which come to what the picture itself comes to."""
    kept = tracker()
    kept.update(view_of(board()))
    matched, ahead = kept.match(view_of(CAT))[0], kept.preview(view_of(CAT))

    assert (1, board()) == (kept.photos, kept.lying_rows())
    assert CAT == list(matched.lying.text_rows()) == ahead.after.lying_rows()
    assert matched.findings[-1] == kept.update(view_of(CAT))
    assert "play" == matched.findings[-1].status == ahead.status


def test_what_the_rules_expect_and_what_lies_there_may_differ():
    """A play that people told lies nowhere before a picture shows it."""
    kept = tracker()
    kept.update(view_of(board()))
    kept.tell(Action("place", "Ann", None, {"tiles": {"H8": "C", "H9": "A", "H10": "T"}}))
    (expected,) = kept.predict()

    assert CAT == list(expected.rules.text_rows())
    assert expected.lying == kept.lying == kept.best.lying


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_a_turned_board_is_turned_as_a_whole(quarters):
    """Four quarter turns are none; a play that the rules refuse there turns nothing."""
    kept = tracker()
    kept.update(view_of(board()))
    kept.update(view_of(CAT))
    before = kept.lying_rows()
    turned = kept.turn(quarters)
    back = kept.turn((4 - quarters) % 4)

    assert (True, True) == (turned, back)
    assert before == kept.lying_rows()
    assert {"Ann": 10, "Bob": 0} == dict(kept.ledger.state.scores)


def test_a_seat_that_people_told_is_known():
    """Nobody sits anywhere before that, and nothing waits to be told."""
    kept = tracker()
    nobody = dict(kept.seats.told)
    kept.told_seat("Ann", "left")

    assert ({}, {"Ann": "left"}) == (nobody, dict(kept.seats.told))
    assert [] == kept.finish()


def test_no_picture_shows_nothing_and_says_why():
    """Whoever reads pictures knows; the picture is counted."""
    kept = tracker()
    found = kept.update(None, unseen="no_board")

    assert ("no_board", 0, 1) == (found.status, found.photo, kept.photos)


def test_letters_that_were_told_are_recalled():
    """After a restart the game is the one that was put right, and the letter is known as told."""
    kept, again = tracker(), tracker()
    kept.update(view_of(board()))
    kept.update(view_of(CAT))
    told = Action("answer", None, None, {"field": "letter", "square": "H10", "value": "R"})
    verdict = kept.tell(told)
    again.restart(kept.ledger, kept.lying_rows(), kept.photos)
    before = dict(again.letters().told)
    again.recall(kept.letters())

    assert not isinstance(verdict, Refused)
    assert ({}, {"H10": "R"}) == (before, dict(kept.letters().told))
    assert kept.letters() == again.letters()
    assert board(H8="CAR") == kept.lying_rows() == again.lying_rows()
