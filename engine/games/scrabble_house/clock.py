"""Chess clock of two players as a value; time comes as an argument (rule SH-26)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class ChessClock:
    """Seconds left for each player at the last press, and whose clock runs since when."""

    left: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    running: str | None = None
    since: float = 0.0

    def remaining(self, player: str, at: float) -> float:
        """Seconds that a player has left at a time; negative after the flag has fallen."""
        used = max(0.0, at - self.since) if player == self.running else 0.0
        return self.left[player] - used

    def flag_of(self, at: float) -> str | None:
        """The player whose flag has fallen by then; None if nobody's has."""
        player = self.running
        return player if player is not None and self.remaining(player, at) <= 0 else None

    def started(self, player: str, at: float) -> ChessClock:
        """The clock running for a player from now, with the other's time used up to now."""
        stopped = self.stopped(at)
        return replace(stopped, running=player, since=at)

    def stopped(self, at: float) -> ChessClock:
        """The clock stopped now."""
        if self.running is None:
            return self
        left = {**self.left, self.running: self.remaining(self.running, at)}
        return ChessClock(MappingProxyType(left), None, at)

    def halted(self) -> ChessClock:
        """The clock stopped at an unknown time."""
        return replace(self, running=None)


def clock_for(players: Iterable[str], seconds: float) -> ChessClock:
    """A clock that does not run yet."""
    return ChessClock(MappingProxyType(dict.fromkeys(players, float(seconds))))
