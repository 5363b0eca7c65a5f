"""Plays under a hand that came with them and stays over the board: it may lay more."""

from __future__ import annotations

import pytest

from kibitz.app.cameras.settling import REST
from kibitz.vision.stream.hand_side import HandWatch
from tests.app.cameras.test_turn_ends import Filmed
from tests.app.server_help import board, make_session


@pytest.fixture
def filmed(tmp_path):
    session = make_session(tmp_path, rest=REST)
    yield Filmed(session)
    session.close()


CAT = [("Ann", "place", ["CAT"])]


@pytest.mark.parametrize(
    ("columns", "seconds", "expected"),
    [([], 1.0, CAT), ([2], 1.0, CAT), ([2, 3], 9.5, []), ([2, 3], 11.0, CAT)],
)
def test_a_play_is_told_when_the_hand_over_the_board_has_gone(filmed, columns, seconds, expected):
    """Or after ten seconds; what hides one square only may be a tile that cannot be read."""
    filmed.show(board(), 10)
    hidden = [[0, c] for c in columns]
    filmed.show(board(H7="CAT"), round(10 * seconds), occluded=hidden)
    told = filmed.done()
    filmed.show(board(H7="CAT"), 10)

    assert expected == told
    assert CAT == filmed.done()


def test_an_arm_that_lay_there_before_is_not_waited_for(filmed):
    """It belongs to the table."""
    arm = [[0, 2], [0, 3], [1, 3]]
    filmed.show(board(), 20, occluded=arm)
    filmed.show(board(H7="CAT"), 10, occluded=arm)

    assert CAT == filmed.done()


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [([[7, 9], [0, 2]], [[7, 9], [0, 2]], CAT), ([[0, 2]], [[7, 9], [0, 2]], [])],
)
def test_what_was_hidden_before_hides_no_end_of_a_play(filmed, before, now, expected):
    """A board that looks hidden by itself keeps no play from being told; a finger beside it does."""
    filmed.show(board(), 20, occluded=before)
    filmed.show(board(H7="CAT"), 20, occluded=now)

    assert expected == filmed.done()


def test_what_an_arm_hides_as_it_rests_was_not_hidden_before(filmed, monkeypatch):
    """A hand that rests and then lays tiles beside its fingers may lay more of them."""
    fingers = [[7, 9], [7, 10]]
    filmed.show(board(), 20)
    with monkeypatch.context() as arm:
        arm.setattr(HandWatch, "there", True)
        filmed.show(board(), 10, occluded=fingers)
    filmed.show(board(H7="CAT"), 10, occluded=fingers)
    told = filmed.done()
    filmed.show(board(H7="CATS"), 10)

    assert [] == told
    assert [("Ann", "place", ["CATS"])] == filmed.done()
