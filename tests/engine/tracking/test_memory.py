"""What each tracker knows beside its game, and takes back."""

from __future__ import annotations

import pytest

from kibitz.engine.tracking.doubts import NO_DOUBTS
from kibitz.engine.tracking.evidence.hypotheses import Seats
from kibitz.engine.tracking.explanations.steadiness import Letters
from tests.engine.tracking.test_tracker import EVERY_GAME, FOUR, TWO, opening_of, tracker_of


@EVERY_GAME
def test_people_say_where_they_sit(slug, players):
    """On one board, on two and on a table without one."""
    kept = tracker_of(opening_of(slug, players))
    kept.told_seat(players[0], "top")

    assert "top" == kept.side_of(players[0])
    assert {players[0]: "top"} == kept.known_seats.told


@pytest.mark.parametrize(("players", "known"), [(TWO, True), (FOUR[:3], False), (FOUR, True)])
def test_seats_at_loose_tiles_tell_of_turns_where_each_has_a_side(players, known):
    """Of three people two share a side of the picture."""
    kept = tracker_of(opening_of("grabscrab", players))

    assert known is (kept.known_seats is not None)


@EVERY_GAME
def test_before_any_picture_nothing_is_kept_beside_the_game(slug, players):
    """And what was kept of nothing is taken back as nothing."""
    kept = tracker_of(opening_of(slug, players))
    kept.recall(kept.letters())
    kept.remember(kept.doubts())
    kept.sit(Seats(told={players[0]: "left"}), {})

    assert (Letters(), NO_DOUBTS, None) == (kept.letters(), kept.doubts(), kept.asked_tile)
    assert "left" == kept.seats.told[players[0]]
