"""A camera that goes away is opened again and again."""

from __future__ import annotations

import threading
from itertools import islice

from kibitz.app.cameras.reopening import Connection, LiveSource, SourceTroubleError


class NoWaiting(threading.Event):
    """In the place of an event that is waited for: the time is over at once."""

    def wait(self, timeout: float | None = None) -> bool:
        """Nothing has happened."""
        return self.is_set()


def refused() -> Connection:
    """A camera that cannot be opened."""
    raise SourceTroubleError("no camera there")


def test_each_failure_doubles_the_pause_up_to_half_a_minute() -> None:
    """A camera that stays away is asked ever more seldom, and never given up."""
    said = list(islice(LiveSource("kitchen", refused).frames(NoWaiting()), 7))

    assert [1, 2, 4, 8, 16, 30, 30] == [int(x.split()[-2]) for x in map(str, said)]
