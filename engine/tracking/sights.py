"""One photograph of one board, and the positions from which new tiles are looked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import Refused
from kibitz.engine.table import Grid, Square
from kibitz.engine.tracking.beliefs import Belief, LastPlay, Sighting
from kibitz.engine.tracking.changes import BoardView, SquareView

CLEAR = 3.0
"""From this weight on (natural logs) a square speaks clearly."""


WORST_KEPT = -12.0
"""Lines of belief that are this much less likely than the best (natural logs) are dropped."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the kind of game says about its board.

    Attributes:
        most_tiles: how many tiles one play may have.
        facing: each tile is upright for one of two players who sit opposite each other.
        colours: how many tile sets lie mixed, told apart by their colour.
        counts: how often each letter may lie at most; None where nobody knows.
        cards: cards may lie over squares.
    """

    most_tiles: int = 7
    facing: bool = False
    colours: int = 1
    counts: Mapping[str, int] | None = None
    cards: bool = False


@dataclass(frozen=True, slots=True)
class Seeing:
    """How a picture came about.

    Attributes:
        live: out of a film, where a play may be half laid; else somebody took a photograph of
            a position that was complete.
        soon: whether the last play was told only a moment before something moved again, so
            that it may not have been complete.
    """

    live: bool = False
    soon: bool = False


PHOTO = Seeing()


@dataclass(frozen=True, slots=True)
class Sight:
    """One photograph of one board, and what kind of table it shows.

    `lasting` says which squares looked like tiles all along (`engine.interpretation`), `carded`
    which looked like a ship card in the picture before; `how` tells how it was taken.
    """

    photo: int
    view: BoardView
    facts: TableFacts
    lasting: Mapping[Square, float] = field(default_factory=dict)
    carded: frozenset[Square] = frozenset()
    how: Seeing = PHOTO


@dataclass(frozen=True, slots=True)
class Base:
    """A position from which new tiles are looked for.

    `whole` holds the squares of a play that was told too early: only a single play that holds
    them all and more is looked for then.
    """

    belief: Belief
    ledger: Ledger
    lying: Grid
    weight: float
    sighting: Sighting
    last: LastPlay | None
    whole: frozenset[Square] = frozenset()


@dataclass(frozen=True, slots=True)
class Puzzle:
    """New tiles that are no single play, to be parted only if that could be the best line.

    Attributes:
        base: what they are new to.
        squares: where they lie.
        refused: why they are no single play.
        most: the weight that no parting of them can exceed.
    """

    base: Base
    squares: frozenset[Square]
    refused: Refused | None
    most: float


HIDDEN = 0.5
"""From this probability on a square counts as covered."""
CLEAR_BESIDE_HAND = 0.9
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
    return seen.tile > max(seen.empty, seen.marker, seen.covered) and likeliest < CLEAR_BESIDE_HAND


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
