"""A play in the making: tiles that come one by one are waited with until their turn is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.app.cameras.settling import ReadText, RestRule
from kibitz.app.reading.frames import Frame
from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.engine.tracking.tracker import DOUBTFUL, Preview
from kibitz.vision.readings import PhotoReading
from kibitz.vision.stream.hand_side import SIDE


@dataclass(frozen=True, slots=True)
class Seen:
    """A position at rest, and what it most likely means."""

    frame: Frame
    reading: PhotoReading
    how: Capture
    text: ReadText
    likely: Preview[Any]


@dataclass(eq=False)
class Laying:
    """Tiles that were laid since the last play was told.

    Attributes:
        held: a play that is not told yet, as its player may lay more.
        waits: whether tiles are waited with, which may be more by and by.
    """

    held: Seen | None = None
    waits: bool = False
    _tiles: frozenset[tuple[int, Square]] = frozenset()
    _rests: int = 0

    def goes_on(self, likely: Preview[Any], rule: RestRule) -> bool:
        """True if tiles come one by one, so that the same hand may bring more."""
        new = likely.brought
        self._rests += bool(new - self._tiles)
        self._tiles = new
        slow = rule.laid_slowly or self._rests > 1 or (likely.alone and not likely.half_laid)
        return bool(new) and (slow or likely.grows)

    def told(self) -> None:
        """Begin anew: what lies there is told."""
        self.held, self._tiles, self._rests, self.waits = None, frozenset(), 0, False


def patience_with(
    likely: Preview[Any], rule: RestRule, *, over: bool, there: bool, goes_on: bool
) -> float:
    """Seconds of rest to wait before a doubtful or growing position is told.

    Args:
        likely: what it most likely means.
        rule: how long people are waited for.
        over: whether a hand hides tiles.
        there: whether an arm lies beside the board.
        goes_on: whether the play may go on.
    """
    patience = rule.half_laid_s if likely.half_laid else rule.doubtful_s
    if likely.hidden or (over and likely.news and likely.status not in DOUBTFUL):
        patience = max(patience, rule.hand_s)
    if goes_on:
        patience = max(patience, rule.laying_s)
    # an arm, until it belongs to the table
    return max(patience, SIDE.rests_s) if there else patience
