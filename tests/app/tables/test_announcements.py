"""A play that is asked about is said once the question is answered, with what changed by then."""

from __future__ import annotations

import pytest

from kibitz.app.tables.announcements import Announcer
from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import Action, Question
from tests.engine.record.test_retold import CAT, game_of

ANN, BOB = (1, "Ann", CAT), (2, "Bob", {"I9": "T"})
SAID = ["Bob plays AT.", "3 for AT; 3."]
"""What is said of Bob's play."""


def asked(square: str | None) -> list[Question]:
    return [Question("letter", "Is it a T?", ("T", "I"), square)]


def held(*heard: str, apart: bool = False) -> Announcer:
    """Bob's play is not said yet, but for these lines."""
    announcer = Announcer(None, apart=apart)
    announcer.hold(2, game_of(ANN), heard)
    return announcer


def test_it_is_said_once():
    """Then nothing is held any more."""
    announcer, ledger = held(), game_of(ANN, BOB)
    first = announcer.release(ledger)

    assert (SAID, None) == (first, announcer.photo)
    assert [] == announcer.release(game_of())


def test_what_was_heard_of_it_is_not_said_again():
    """A part of it was said when it lay there alone."""
    assert SAID[1:] == held(SAID[0]).release(game_of(ANN, BOB))


def test_a_play_that_lies_elsewhere_by_now_is_said_to_have_moved():
    """Ann's CAT was known; the picture that asked shows it on other squares."""
    announcer = Announcer(None, apart=False)
    announcer.hold(2, game_of(ANN), ())
    lines = announcer.release(game_of((2, "Ann", {"H6": "C", "H7": "A", "H8": "T"})))

    assert "CAT is taken up and laid elsewhere." == lines[0]
    assert "Ann plays CAT." in lines


@pytest.mark.parametrize(
    ("square", "apart", "doubted"),
    [
        ("I9", False, True),
        (None, False, True),
        ("H8", False, False),
        ("2:I9", True, True),
        ("2:I9", False, False),
    ],
)
def test_which_questions_hold_it(square, apart, doubted):
    """Those about its own tiles, and about none; of two boards a square names its own."""
    ledger = game_of(ANN, BOB)

    assert doubted == held(apart=apart).is_doubted(ledger, asked(square))
    assert not held().is_doubted(ledger, [])


def test_a_restart_knows_which_play_was_held():
    """The steps hold the number of its picture."""
    assert SAID == Announcer(2, apart=False).release(game_of(ANN, BOB))


PASSED = ("Ann passes.",)


@pytest.mark.parametrize(
    ("action", "letters", "expected"),
    [
        (Action("pass", "Ann"), [], (*SAID, *PASSED)),
        (Action("answer", data={"square": "I9"}), [], tuple(SAID)),
        (Action("correct", data={"square": "I9"}), [], tuple(SAID)),
        (Action("answer", data={"square": "H8"}), [], (*SAID, *PASSED)),
        (Action("pass", "Ann"), asked("I9"), PASSED),
    ],
    ids=["before what came after it", "answered", "corrected", "of another", "still asked about"],
)
def test_it_is_said_with_what_people_do(action, letters, expected):
    """What an answer about it puts right nobody had heard; it is said as it is now."""
    assert expected == held().with_held(action, PASSED, game_of(ANN, BOB), letters)


def test_where_nothing_is_held_an_action_says_its_own():
    """As at most times."""
    announcer = Announcer(None, apart=False)

    assert PASSED == announcer.with_held(Action("pass"), PASSED, game_of(ANN, BOB), [])


LONGER: Ledger = game_of((3, "Ann", {**CAT, "H11": "S"}))


def test_what_was_heard_of_a_play_that_goes_on():
    """CAT was said, then CATS lies there: its lines are no news."""
    announcer = Announcer(None, apart=False)

    assert frozenset({"Ann plays CAT.", "10 for CAT; 10."}) == announcer.parts_announced(
        game_of(ANN), LONGER, 3
    )
    assert frozenset() == announcer.parts_announced(game_of(), LONGER, 3)


def test_of_a_held_play_that_goes_on_only_what_was_said_is_heard():
    """CAT itself was asked about and not said; what came before it was."""
    announcer = Announcer(None, apart=False)
    announcer.hold(1, game_of(), ["AT."])

    assert frozenset({"AT."}) == announcer.parts_announced(game_of(ANN), LONGER, 3)
