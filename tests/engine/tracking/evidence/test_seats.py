"""Who sits where: learnt from the first turns, corrected by people, evidence of whose turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.hypotheses import Capture, Seats, around
from kibitz.engine.tracking.evidence.priors import PRIORS
from tests.app.server_help import board
from tests.helpers.seen_boards import tracker, view_of

LIVE = Capture(live=True)
KNOWN = Seats({("Ann", "bottom"): 2, ("Bob", "top"): 2})
PEOPLE = PRIORS.people


def from_side(side: str | None, **more: float) -> Capture:
    return replace(LIVE, side=side, **more)


def extended(side: str | None) -> BoardTracker:
    """CATS lies there seven seconds after CAT, laid from a side."""
    kept = tracker()
    kept.sit(KNOWN)
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(board(H8="CAT")), LIVE)
    kept.update(view_of(board(H8="CATS")), from_side(side, pause_s=7.0))
    return kept


@pytest.mark.parametrize(("side", "plays"), [("bottom", 1), ("top", 2)])
def test_one_play_or_two_by_the_hand(side, plays):
    """From the same side it is one play, from the other side two; nobody is asked."""
    kept = extended(side)

    assert plays == len(kept.ledger.done)
    assert kept.best.findings[-1].question is None


def test_nobody_is_taken_for_the_owner_of_a_side_where_two_sit():
    """A side tells only where one player sits there."""
    seats = replace(KNOWN, told={}, seen={**KNOWN.seen, ("Cyd", "top"): 5})

    assert (None, "Ann") == (
        seats.owner_of("top", ("Ann", "Bob", "Cyd"), PEOPLE),
        seats.owner_of("bottom", ("Ann", "Bob", "Cyd"), PEOPLE),
    )


def test_one_play_is_enough_to_tell_another_hand():
    """Ann's only play came from below: a hand from above is not hers, one from below likely is."""
    seats = Seats({("Ann", "bottom"): 1})

    assert (-3.0, 1.5) == (seats.says("top", "Ann"), seats.says("bottom", "Ann"))


@pytest.mark.parametrize(("side", "expected"), [("bottom", 3.0), ("top", 0.0), ("left", 0.0)])
def test_once_somebody_reached_over_no_hand_speaks_against_a_player(side, expected):
    """People said that a hand from elsewhere was its player's: the own side still tells."""
    assert expected == replace(KNOWN, reaching=True).says(side, "Ann")


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({}, ("Ann", "Bob", "Cyd", "Dan")),
        ({"Ann": "top"}, ("Cyd", "Bob", "Ann", "Dan")),
        ({"Ann": "top", "Cyd": "right"}, ("Dan", "Bob", "Ann", "Cyd")),
        ({"Eve": "top"}, ("Ann", "Bob", "Cyd", "Dan")),
    ],
)
def test_round_a_table(told, expected):
    """Who is told to sit elsewhere takes that place; the others stay if they can."""
    assert expected == around(("Ann", "Bob", "Cyd", "Dan"), Seats(told=told))


@pytest.mark.parametrize(("side", "expected"), [("bottom", 3.0), ("top", -3.0), (None, 0.0)])
def test_what_a_hand_says_of_who_played(side, expected):
    """From the own side it speaks for a player, from another's as much against."""
    assert expected == KNOWN.says(side, "Ann")
