"""How often one caller may call: a bucket that fills slowly and is emptied by calls."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

MOST_CALLERS = 4096


class RateLimit:
    """A bucket for each caller.

    Args:
        per_second: how fast a bucket fills.
        burst: how many calls a full bucket allows at once.
    """

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second = per_second
        self.burst = burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, caller: str, now: float | None = None) -> bool:
        """Use one call; False: the bucket is empty."""
        at = time.monotonic() if now is None else now
        with self._lock:
            left, since = self._buckets.pop(caller, (float(self.burst), at))
            left = min(float(self.burst), left + (at - since) * self.per_second)
            allowed = left >= 1.0
            self._buckets[caller] = (left - 1.0 if allowed else left, at)
            if len(self._buckets) > MOST_CALLERS:  # who called longest ago starts afresh
                self._buckets.popitem(last=False)
            return allowed

    def empty(self, caller: str, now: float | None = None) -> bool:
        """Whether a caller has no call left, without using one."""
        at = time.monotonic() if now is None else now
        with self._lock:
            left, since = self._buckets.get(caller, (float(self.burst), at))
            return left + (at - since) * self.per_second < 1.0
