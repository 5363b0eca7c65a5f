"""How long to wait before something that failed is tried again: longer after each failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kibitz.engine.parameters import checked, number


@dataclass(frozen=True, slots=True)
class RetryRule:
    """The pauses before a camera, a webhook or a broker that failed is tried again."""

    first_s: float = number(1.0, "s", 0.0, 3600.0, "before the first try; each failure doubles it")
    longest_s: float = number(30.0, "s", 0.0, 3600.0, "the most that it grows to")

    def __post_init__(self) -> None:
        checked(self)

    def after(self, pause_s: float) -> float:
        """The pause after one that did not help."""
        return min(self.longest_s, 2 * pause_s)


RETRY: Final = RetryRule()
