"""Tiles that the rules want lifted: under a hand nobody knows whether they still lie there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.observers.board_views import board_view
from kibitz.engine.table import parse_square
from kibitz.engine.tracking.evidence.changes import SquareView
from kibitz.engine.tracking.evidence.hypotheses import Capture
from tests.helpers.pictured_games import drawn, replay_of

LIVE = Capture(live=True)
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
