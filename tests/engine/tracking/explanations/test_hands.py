"""A word half laid beside a hand: waited for, and put right where it turns out longer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.observers.board_views import board_view
from kibitz.engine.parameters import with_number
from kibitz.engine.table import Grid, Tile, parse_square
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.changes import SquareView
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.explanations.one_or_two import ends_of
from tests.app.server_help import board
from tests.helpers.pictured_games import drawn, replay_of
from tests.helpers.seen_boards import BARE, HAND, leaning, tracker, view_of

LIVE = Capture(live=True)
CAT, CATS = board(H8="CAT"), board(H8="CATS")
FINGER = SquareView(empty=0.7, tile=0.05, covered=0.25, letters={"S": 1.0})
"""A tile that a finger touches, taken for a bare square by the reader."""
DIM = SquareView(empty=0.75, tile=0.25, letters={"S": 1.0})


def started(priors: TrackingPriors = PRIORS) -> BoardTracker:
    kept = tracker(priors=priors)
    kept.update(view_of(board()), LIVE)
    return kept


def words(kept: BoardTracker) -> list[tuple[str, str]]:
    return [
        (d.verdict.events[0].data["player"], d.verdict.result["words"][0]["word"])
        for d in kept.ledger.done
    ]


@pytest.mark.parametrize(
    ("view", "how"), [(HAND, LIVE), (FINGER, replace(LIVE, hand=True))], ids=["hidden", "in part"]
)
def test_what_a_hand_touches_is_waited_for(view, how):
    """Nothing is told while the next square of the line is hidden, not even in part."""
    kept = started()
    found = [kept.update(view_of(CAT, {"H11": view}), how) for _ in range(3)]
    whole = kept.update(view_of(CATS), LIVE)

    assert ["covered"] * 3 == [f.status for f in found]
    assert ("play", [("Ann", "CATS")]) == (whole.status, words(kept))


def test_without_a_hand_nothing_is_half_hidden():
    """Filmed: a brown tile's square on a brown board; no blank is seen there, and CAT is told.

    Should a tile show there after all, it belongs to that play.
    """
    kept = started()
    bare = SquareView(empty=0.759, tile=0.0005, covered=0.236, letters={"?": 0.7, "V": 0.03})
    first = kept.update(view_of(CAT, {"H11": bare}), LIVE)
    told = words(kept)
    kept.update(view_of(CATS), LIVE)

    assert ("play", [("Ann", "CAT")]) == (first.status, told)
    assert [("Ann", "CATS")] == words(kept)


@pytest.mark.parametrize(("hand", "expected"), [(True, "covered"), (False, "play")])
def test_a_finger_tip_on_the_rim(hand, expected):
    """Its arm lies beside the board and hides no square: what looks like a tile may be a tip."""
    kept = started()
    kept.update(view_of(board(v_H8="CARAVAN")), LIVE)
    tip = SquareView(empty=0.46, tile=0.537, covered=0.002, letters={"?": 0.7, "W": 0.06})
    view = view_of(board(v_H8="CARAVANS", O8="SAT"), {"O11": tip})
    found = kept.update(view, replace(LIVE, hand=hand))

    assert expected == found.status


def test_it_is_waited_for():
    """A hand goes away by itself: what ends at it is no play yet."""
    assert "covered" == started().update(view_of(CAT, {"H11": HAND}), LIVE).status


def test_in_a_photograph_a_hand_may_lie_beside_a_whole_play():
    """A photograph is of a position that was complete: one and a half nats."""
    kept = tracker()
    kept.update(view_of(CAT), PHOTO)

    assert "covered" == kept.update(view_of(CATS, {"H12": HAND}), PHOTO).status


def half_told(dim: SquareView = DIM, priors: TrackingPriors = PRIORS) -> BoardTracker:
    """CAT was told although its last tile lay there: the reader saw next to nothing of it."""
    kept = started(priors)
    assert "play" == kept.update(view_of(CAT, {"H11": dim}), LIVE).status
    return kept


def test_a_play_that_turns_out_longer_is_put_right():
    """The tile shows when the hand is gone, and is no play of the other player."""
    kept = half_told()
    kept.update(view_of(CATS), LIVE)

    assert [("Ann", "CATS")] == words(kept)
    assert 12 == kept.ledger.state.scores["Ann"]


def test_whoever_has_moved_since():
    """Bob laid his play meanwhile; it stays his."""
    kept = half_told()
    other = board(H8="CAT", v_I8="OW")
    kept.update(view_of(other, {"H11": DIM}), LIVE)
    kept.update(view_of(board(H8="CATS", v_I8="OW")), LIVE)

    assert [("Ann", "CATS"), ("Bob", "COW")] == words(kept)


def test_with_a_new_play_in_the_same_picture():
    """What else is new is the next play."""
    kept = half_told()
    kept.update(view_of(board(H8="CATS", v_I8="OW")), LIVE)

    assert [("Ann", "CATS"), ("Bob", "COW")] == words(kept)


def test_where_tiles_face_their_players_a_further_one_faces_as_its_play():
    """INTER of North grows to WINTER: the rules want nothing turned."""
    replay, square = replay_of("scrabble-house"), parse_square("A11")
    *before, whole = list(drawn("scrabble-house"))[:9]
    for found in before:
        replay.see(found)
    kept, view = replay.tracker, board_view(whole.reading.boards[0])
    dim = SquareView(empty=0.75, tile=0.25, letters={"W": 1.0})
    kept.update(replace(view, squares={**view.squares, square: dim}), LIVE)
    told = kept.ledger.done[-1].verdict.result["words"]
    kept.update(view, LIVE)

    assert [["INTER"], ["WINTER"]] == [told, kept.ledger.done[-1].verdict.result["words"]]
    assert ({2}, []) == ({kept.lying.tiles[s].turn for s in kept.best.last.squares}, kept.tasks())


def test_a_square_that_was_seen_bare_since():
    """The S is then a play of its own."""
    kept = half_told()
    kept.update(view_of(CAT), LIVE)
    kept.update(view_of(CATS), LIVE)

    assert [("Ann", "CAT"), ("Bob", "CATS")] == words(kept)


@pytest.mark.parametrize(("empty", "expected"), [(0.85, {"H11"}), (0.94, set())])
def test_from_when_on_a_square_is_bare(empty, expected):
    """A tenth of a doubt is enough to remember it."""
    kept = half_told(SquareView(empty=empty, tile=1 - empty, letters={"S": 1.0}))

    assert expected == {s.name for s in kept.best.touched}


@pytest.mark.parametrize(("nats", "expected"), [(3.0, ["CATS"]), (0.0, ["CAT", "CATS"])])
def test_how_likely_the_tile_belongs_to_the_play(nats, expected):
    """Three nats say so; without them the plain meaning comes first."""
    kept = half_told(priors=with_number(PRIORS, "plays.went_on", nats))
    kept.update(view_of(CATS), LIVE)

    assert expected == [word for _, word in words(kept)]


@pytest.mark.parametrize(
    ("squares", "expected"),
    [(["H8", "H9"], {"H7", "H12"}), (["H9"], {"H7", "H12", "G9", "I9"}), (["A1", "B1"], {"C1"})],
)
def test_the_ends_of_a_play(squares, expected):
    """Along its line, over tiles that lie there; one tile has two lines."""
    grid = Grid(15, 15, {parse_square(name): Tile("A") for name in ("H8", "H10", "H11")})

    assert expected == {s.name for s in ends_of(frozenset(map(parse_square, squares)), grid)}


def test_nothing_is_remembered_of_photographs():
    """There no hand rests on a play."""
    kept = tracker()
    kept.update(view_of(CAT, {"H11": leaning("S", -1.0), "H6": BARE}), PHOTO)

    assert {} == dict(kept.best.touched)
