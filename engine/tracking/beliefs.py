"""Lines of belief: what a series of photographs may have shown, each with its weight.

A photograph rarely leaves a doubt, but where it does, what comes next tells: a tile that was
missed, a shadow taken for a tile, a hand over half a word. So several lines are kept side by
side, each a whole game with its own ledger, and the best one speaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import Question, Refused
from kibitz.engine.table import Grid, Square
from kibitz.engine.tracking.changes import SquareView


@dataclass(frozen=True, slots=True)
class Waiting:
    """Tiles seen that are no play yet: a hand hides the rest, or the rules refuse them.

    `views` are those of the picture in which they were refused, `weight` what the refusal cost.
    """

    tiles: Mapping[Square, str]
    refused: Refused | None = None
    views: Mapping[Square, SquareView] = field(default_factory=dict)
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one photograph was taken to show.

    Attributes:
        photo: its number in the series.
        status: the `status` of its line.
        laid: new tiles, `?` for a blank; on squares where the same letter stayed, none.
        plays: the new squares of each play, in order.
        removed: squares that were cleared.
        turned: squares whose tile was turned round.
        question: what only a person can tell.
        refused: why the tiles seen are no play.
        not_laid: the tiles seen that are no play.
        note: a word for people.
        missed: squares where an explosion wanted something done that was not done before this
            play.
        due_cards: ship cards that were to be laid before this play and do not lie there.
        wrong_card: where a ship card lies that belongs elsewhere.
    """

    photo: int
    status: str
    laid: Mapping[Square, str] = field(default_factory=dict)
    plays: tuple[frozenset[Square], ...] = ()
    removed: tuple[Square, ...] = ()
    turned: tuple[Square, ...] = ()
    question: Question | None = None
    refused: Refused | None = None
    not_laid: Mapping[Square, str] = field(default_factory=dict)
    note: str = ""
    missed: tuple[Square, ...] = ()
    due_cards: tuple[frozenset[Square], ...] = ()
    wrong_card: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The newest play that may still be taken off, with the square views from before it."""

    squares: frozenset[Square]
    photo: int
    entry: int


@dataclass(frozen=True, slots=True)
class Belief:
    """One line of belief.

    Attributes:
        ledger: what was done, and so the state of the game.
        lying: the tiles that are thought to lie on the board, which is not always what the
            rules expect (exploded tiles stay until somebody lifts them).
        weight: log probability against nothing ever having happened.
        sightings: one for each photograph so far.
        views: for each tile, every view of it since it was laid.
        last: the newest play.
        waiting: tiles that are no play yet.
        cards: ship cards that the rules want laid and that were not seen yet.
    """

    ledger: Ledger
    lying: Grid
    weight: float = 0.0
    sightings: tuple[Sighting, ...] = ()
    views: Mapping[Square, tuple[SquareView, ...]] = field(default_factory=dict)
    last: LastPlay | None = None
    waiting: Waiting | None = None
    cards: tuple[frozenset[Square], ...] = ()

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.ledger.state
