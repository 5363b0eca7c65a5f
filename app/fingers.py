"""Beside a hand: a finger that reaches out is no tile, and a bare square may be hidden yet."""

from __future__ import annotations

from dataclasses import replace

from engine.changes import BoardView, SquareView
from engine.table import Square

HIDDEN = 0.5
"""From this probability on a square counts as covered."""
CLEAR = 0.9
"""Tiles beside a hand whose letter is less sure than this wait."""
MAYBE = 0.15
"""From this probability on a square beside a covered one may be covered as well."""


def without_fingers(view: BoardView) -> BoardView:
    """The view with what is most likely a finger counted as covered.

    Beside a covered square a tile whose letter is not clear may as well be a finger tip, or have
    one across it.
    Nothing is lost by waiting: the hand goes, and the square shows what it holds.
    """
    near = _beside_covered(view)
    fingers = {
        s: replace(seen, tile=0.0, covered=seen.covered + seen.tile)
        for s in near
        if _is_unclear(seen := view[s])
    }
    return replace(view, squares={**view.squares, **fingers}) if fingers else view


def without_gaps(view: BoardView, *, cards: bool = False) -> BoardView:
    """The view with squares that a hand may hide counted as covered.

    Squares of which a part can be seen are read. Where one beside a covered square shows no tile
    and may be hidden after all, a tile may lie there that closes a play.

    Args:
        view: what a picture shows.
        cards: whether the game has ship cards; where it has none, what looks like one beside a
            covered square is a tile with a finger across it, or the hand.
    """
    near = _beside_covered(view)
    gaps = {
        s: replace(seen, empty=0.0, marker=0.0, covered=1.0 - seen.tile)
        for s in near
        if (seen := view[s]).covered + (0.0 if cards else seen.marker) > MAYBE
        and max(seen.empty, seen.marker) > max(seen.tile, seen.covered)
    }
    return replace(view, squares={**view.squares, **gaps}) if gaps else view


def _is_unclear(seen: SquareView) -> bool:
    likeliest = seen.tile * max(seen.letters.values(), default=0.0)
    return seen.tile > max(seen.empty, seen.marker, seen.covered) and likeliest < CLEAR


def _beside_covered(view: BoardView) -> list[Square]:
    """The squares that have a covered one among the eight around them."""
    covered = [s for s, seen in view.squares.items() if seen.covered > HIDDEN]
    near = {n for s in covered for n in _around(s)}
    return [s for s in view.squares if s in near] if near else []


def _around(square: Square) -> list[Square]:
    """The eight squares around one; some may lie off the board."""
    row, col = square
    near = (-1, 0, 1)
    return [Square(row + i, col + j) for i in near for j in near if i or j]
