"""What a picture would mean, worked out before it is decided whether to accept it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from kibitz.engine.record.ledger import Ledger
from kibitz.engine.tracking.evidence.hypotheses import Finding
from kibitz.engine.tracking.evidence.interpretation import has_strange_word
from kibitz.engine.tracking.explanations.matching import HALF_LAID
from kibitz.engine.tracking.questions import Kind

T = TypeVar("T")

DOUBTFUL = frozenset({"question", "board_changed", "covered", "unreadable"})
"""Statuses that more patience may clear up: a hand, a play half laid."""


@dataclass(frozen=True, slots=True)
class Preview(Generic[T]):
    """A picture's likely meaning.

    Attributes:
        status: as in the line of `kibitz replay --json`.
        news: whether accepting it would change anything.
        patience: whether it may still be incomplete: a refused word, one that is in no list, a
            hand over the board.
        half_laid: whether it is no play yet that more tiles may make one.
        hidden: whether tiles do not add up, as under an arm.
        weight: how well the picture agrees with what is known to lie there, in nats; only two
            pictures of one moment may be compared by it.
        before: what knew nothing of the picture yet.
        after: the same with the picture accepted; None if it shows nothing.
    """

    status: str
    news: bool
    patience: bool = False
    half_laid: bool = False
    hidden: bool = False
    weight: float = 0.0
    before: T | None = None
    after: T | None = None


def preview_of(
    before: T,
    after: T,
    ledgers: tuple[Ledger, Ledger],
    status: str,
    findings: Iterable[Finding],
    weight: float,
) -> Preview[T]:
    """What a picture of boards would mean.

    Args:
        before: the tracker without it.
        after: the tracker with it.
        ledgers: the game without it and with it.
        status: what it is taken to show.
        findings: the same for each board.
        weight: how well it agrees with what is known to lie there.
    """
    old, new = ledgers
    fresh = [d for d in new.done if d not in old.done]
    phony = any(has_strange_word(d.verdict, new.opening.materials) for d in fresh)
    found = tuple(findings)
    asked = any(f.question is not None and f.question.field == Kind.LETTER for f in found)
    return Preview(
        status,
        news=status != "no_change" or new.done != old.done,
        patience=phony or asked or status in DOUBTFUL,
        half_laid=any(f.refused is not None and f.refused.code in HALF_LAID for f in found),
        weight=weight,
        before=before,
        after=after,
    )
