"""One photograph of one board, and the positions from which new tiles are looked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.beliefs import Belief, LastPlay, Sighting
from app.ledger import Ledger
from engine.changes import BoardView
from engine.table import Grid

CLEAR = 3.0
"""From this weight on (natural logs) a square speaks clearly."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What the kind of game says about its board."""

    most_tiles: int = 7
    facing: bool = False
    counts: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """One photograph of one board, and what kind of table it shows."""

    photo: int
    view: BoardView
    facts: TableFacts


@dataclass(frozen=True, slots=True)
class Base:
    """A position from which new tiles are looked for."""

    belief: Belief
    ledger: Ledger
    lying: Grid
    weight: float
    sighting: Sighting
    last: LastPlay | None
