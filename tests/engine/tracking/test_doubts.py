"""What else pictures may have shown, kept and known again."""

from __future__ import annotations

from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.doubts import NO_DOUBTS, Doubts, OtherGame
from kibitz.engine.tracking.evidence.hypotheses import Capture
from tests.app.server_help import board
from tests.helpers.seen_boards import leaning, tracker, view_of

LIVE = Capture(live=True)
CAT, CATS = board(H8="CAT"), board(H8="CATS")


def played() -> BoardTracker:
    """A play that may have had one tile more."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)
    kept.update(view_of(CAT, {"H11": leaning("S", -1.0)}), LIVE)
    return kept


def begun_again(kept: BoardTracker) -> BoardTracker:
    """Another that knows what a record holds of it."""
    again = tracker()
    again.restart(kept.ledger, kept.lying_rows(), kept.photos)
    again.remember(kept.doubts())
    return again


def games(kept: BoardTracker) -> list[tuple[list[str], float]]:
    """The boards that may lie there, with their weights."""
    return [(list(h.lying.text_rows()), round(h.weight, 2)) for h in kept.hypotheses]


def test_a_bare_board_leaves_no_doubt():
    """There is one game."""
    kept = tracker()
    kept.update(view_of(board()), LIVE)

    assert NO_DOUBTS == kept.doubts()


def test_the_other_games_are_known_again():
    """With their weights, and the same once more."""
    kept = played()
    again = begun_again(kept)

    assert [CAT, CATS] == [rows for rows, _ in games(kept)][:2]
    assert games(kept) == games(again)
    assert kept.doubts() == again.doubts()


def test_what_comes_next_is_weighed_with_them():
    """A surer picture puts the play right as it would have without the restart."""
    kept = played()
    again = begun_again(kept)
    for one in (kept, again):
        one.update(view_of(CATS), LIVE)

    plays = [[d.entry.action.data["tiles"] for d in one.ledger.done] for one in (kept, again)]
    assert [dict(zip(("H8", "H9", "H10", "H11"), "CATS", strict=True))] == plays[0]
    assert plays[0] == plays[1]


def test_a_game_that_no_longer_holds_is_left_out():
    """As where this version's rules refuse a kept play."""
    kept = played()
    (entry,) = (d.entry for d in kept.ledger.done)
    kept.remember(Doubts((OtherGame(-1.0, 1, (entry,)),)))

    assert [CAT] == [rows for rows, _ in games(kept)]
