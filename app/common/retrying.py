"""Pauses before a failed action is tried again: longer after each failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kibitz.app.common.waiting import WAITS
from kibitz.engine.parameters import as_in, checked, number


@dataclass(frozen=True, slots=True)
class RetryRule:
    """Pauses between tries to reach a camera, webhook or broker that failed.

    Attributes:
        first_s: before the first try.
        longest_s: the most that they grow to.
    """

    first_s: float = number(1.0, "s", 0.0, 3600.0, "before the first try; each failure doubles it")
    longest_s: float = as_in(WAITS, "answer_s")

    def __post_init__(self) -> None:
        checked(self)

    def after(self, pause_s: float) -> float:
        """The pause that follows a pause which did not help, in seconds."""
        return min(self.longest_s, 2 * pause_s)


RETRY: Final = RetryRule()
