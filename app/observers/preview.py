"""What a picture would come to, before it is decided whether it is taken in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from kibitz.engine.tracking.hypotheses import Capture
from kibitz.vision.readings import PhotoReading

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture's likely meaning.

    Attributes:
        status: as in the line of `kibitz replay --json`.
        news: whether taking it in would change anything.
        patience: whether it may still be incomplete: a refused word, one that is in no list, a
            hand over the board.
        half_laid: whether it is no play yet that more tiles may make one.
        weight: how well the picture agrees with what is known to lie there; only two pictures of
            one moment may be compared by it.
    """

    status: str
    news: bool
    patience: bool = False
    half_laid: bool = False
    weight: float = 0.0


class Ahead(Generic[T]):
    """Remembers what pictures would come to, so that taking one in need not find it out again.

    What is kept holds only as long as the table stands as it stood then: whoever changes it has
    to `forget`.
    """

    MOST = 2
    """Two readings of one moment are at times held against each other."""

    def __init__(self) -> None:
        self._known: tuple[tuple[PhotoReading, Capture, T], ...] = ()

    def keep(self, reading: PhotoReading, how: Capture, after: T) -> None:
        """Remember how things stand after a picture."""
        self._known = ((reading, how, after), *self._known)[: self.MOST]

    def take(self, reading: PhotoReading, how: Capture) -> T | None:
        """How things stand after this very picture, if that is known; the rest is forgotten."""
        known, self._known = self._known, ()
        return next((x for r, h, x in known if r is reading and h == how), None)

    def forget(self) -> None:
        """The table no longer stands as it did."""
        self._known = ()
