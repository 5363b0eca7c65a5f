"""Two boards of one game: each knows what was played on the other, after a restart too."""

from __future__ import annotations

from kibitz.engine.tracking.two_board_tracker import TwoBoardTracker
from tests.app.observers.test_two_boards import EMPTY, GARDEN, HOUSE, both, opening, replay


def known_to(tracker: TwoBoardTracker) -> list[list[str | None]]:
    """Who made the plays that each board knows of."""
    return [[done.entry.action.player for done in b.ledger.done] for b in tracker.boards]


def test_each_board_knows_the_others_plays_after_a_restart() -> None:
    """One play was made on each board, one after the other."""
    pictures = [both(EMPTY, EMPTY), both(HOUSE, EMPTY), both(HOUSE, GARDEN)]
    tracker = replay(pictures)[2].tracker
    again = TwoBoardTracker(opening())
    again.restart(tracker.ledger, None, tracker.photos)

    assert [["Ann", "Dan"], ["Ann", "Dan"]] == known_to(tracker) == known_to(again)
