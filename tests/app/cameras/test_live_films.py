"""A filmed game, hands and all, from the first tile to the last."""

from __future__ import annotations

import statistics

import pytest

from tests.measures.live_video import filmed


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_filmed_game_is_told_as_it_was_played():
    """Every play, challenge and take-back is told once it lies there, and nothing else is."""
    (score,) = filmed([100], plays=5)

    assert [] == score.wrong
    assert (5, 1, 7, 7) == (score.plays, score.challenges, score.changes, score.right)
    assert score.with_hands > 0.4 * score.seconds
    assert statistics.median(score.waits) <= 0.7
