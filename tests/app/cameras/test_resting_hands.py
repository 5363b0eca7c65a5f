"""Plays under a hand that came with them and stays over the board: it may lay more."""

from __future__ import annotations

import pytest

from kibitz.app.cameras.settling import REST
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


def test_under_a_hand_that_stays_a_word_half_laid_is_no_turn_tile_by_tile(filmed):
    """Once it has gone all of the play is told at once."""
    filmed.show(board(), 10)
    filmed.show(board(H7="CA"), 60, occluded=[[7, 8], [7, 9], [7, 10]])
    filmed.show(board(H7="CATS"), 6)

    assert [("Ann", "place", ["CATS"])] == filmed.done()
