"""A table's own clock: seconds of play, which people can pause."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final

from app.storage import Step

PAUSE, RESUME = "pause_clock", "resume_clock"
SAID: Final = {PAUSE: "The clocks stand still.", RESUME: "The clocks go on."}


class TableClock:
    """Counts the seconds that a table was played at; pauses and a server's rest do not count.

    Args:
        base: what it showed before.
        paused: whether it stands.
        now: where time comes from.
    """

    def __init__(
        self, base: float = 0.0, *, paused: bool = False, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._base = base
        self._since = None if paused else now()

    @property
    def paused(self) -> bool:
        """Whether it stands."""
        return self._since is None

    def seconds(self) -> float:
        """What it shows, to the millisecond."""
        gone = 0.0 if self._since is None else self._now() - self._since
        return round(self._base + gone, 3)

    def pause(self) -> None:
        """Let it stand."""
        self._base, self._since = self.seconds(), None

    def resume(self) -> None:
        """Let it go on."""
        if self._since is None:
            self._since = self._now()


def clock_after(kept: Iterable[Step]) -> TableClock:
    """The clock as it stood after a table's last step."""
    base, paused = 0.0, False
    for step in kept:
        base = float(step.data.get("t", base))
        do = step.data.get("do")
        if isinstance(do, dict) and do.get("action") in SAID:
            paused = do["action"] == PAUSE
    return TableClock(base, paused=paused)
