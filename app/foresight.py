"""What a picture would come to, before it is decided whether it is taken in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Foreseen:
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
