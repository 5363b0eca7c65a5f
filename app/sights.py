"""One photograph of one board, and the positions from which new tiles are looked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.beliefs import Belief, LastPlay, Sighting
from app.ledger import Ledger
from engine.changes import BoardView
from engine.rules import Refused
from engine.table import Grid, Square

CLEAR = 3.0
"""From this weight on (natural logs) a square speaks clearly."""


WORST_KEPT = -12.0
"""Lines of belief that are this much less likely than the best (natural logs) are dropped."""


def most_tiles_of(game: str) -> int:
    """How many tiles one play may have in a game."""
    return {"frankenscrabbards": 15, "scrabble-house": 15}.get(game, 7)


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the kind of game says about its board."""

    most_tiles: int = 7
    facing: bool = False
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
