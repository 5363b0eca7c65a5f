"""Measures how many pictures a camera brings and what they cost."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Final

WINDOW_S: Final = 10.0
"""So far back pictures are counted: it is a measurement, nothing is decided by it."""


class Load:
    """Counts a camera's pictures and the processor time that each took.

    Args:
        window_s: over which time.
    """

    def __init__(self, window_s: float = WINDOW_S) -> None:
        self._window_s = window_s
        self._taken: deque[tuple[float, float]] = deque()
        self._lock = threading.Lock()
        self._since: float | None = None
        self.count = 0
        self.last_at: float | None = None

    def note(self, cpu_s: float, at: float | None = None) -> None:
        """Count a picture that took so many seconds of processor time; `at` on a steady clock."""
        now = time.monotonic() if at is None else at
        with self._lock:
            self._since = now if self._since is None else self._since
            self._taken.append((now, cpu_s))
            while now - self._taken[0][0] > self._window_s:
                self._taken.popleft()
            self.count += 1
            self.last_at = time.time()

    def a_second(self, at: float | None = None) -> float:
        """Pictures per second in the recent past."""
        taken, seconds = self._late(at)
        return len(taken) / seconds if seconds else 0.0

    def share(self, at: float | None = None) -> float:
        """Share of one processor core used in the recent past, 1 being all of it."""
        taken, seconds = self._late(at)
        return sum(taken) / seconds if seconds else 0.0

    def _late(self, at: float | None) -> tuple[list[float], float]:
        """Processor seconds of each recent picture, and the seconds that they span."""
        now = time.monotonic() if at is None else at
        with self._lock:
            if self._since is None:
                return [], 0.0
            taken = [cpu for then, cpu in self._taken if now - then <= self._window_s]
            return taken, min(self._window_s, max(1.0, now - self._since))
