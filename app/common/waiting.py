"""Timeouts, polling intervals, and pauses before a failed action is tried again.

Whoever waits takes over the number of its kind, and may be given another one, in tests above all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kibitz.engine.parameters import as_in, checked, number


@dataclass(frozen=True, slots=True)
class WaitRule:
    """Timeouts and polling intervals, one for each kind of wait."""

    moment_s: float = number(
        0.1, "s", 0.001, 1.0, "between two looks whether a wait was called off, or is over"
    )
    look_s: float = number(
        0.25, "s", 0.05, 60.0, "between two looks at what changes by itself: a folder, a clock"
    )
    soon_s: float = number(
        4.0,
        "s",
        0.1,
        60.0,
        "until a camera, an address or a database says something; people hear within five seconds",
    )
    answer_s: float = number(
        30.0,
        "s",
        0.001,
        3600.0,
        "until another program has answered: a server, which reads a photograph in that, a "
        "webhook, a cluster; no older call is believed",
    )
    alive_s: int = number(
        20, "s", 5, 3600, "of silence after which a page or a broker gets a sign of life"
    )

    shown_s: float = number(
        2.0, "s", 0.1, 600, "for which each picture of a game is shown, in a film and in the demo"
    )

    air_s: int = number(900, "s", 0, 86_400, "that spectators may be behind a table, at most")

    def __post_init__(self) -> None:
        checked(self)


WAITS: Final = WaitRule()


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
