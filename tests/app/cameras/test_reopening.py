"""A camera that goes away is opened again and again."""

from __future__ import annotations

import threading
from itertools import islice

from kibitz.app.cameras.reopening import (
    Connection,
    LiveSource,
    Shot,
    SourceTroubleError,
    _Line,
)


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


def test_how_long_a_camera_may_take(monkeypatch) -> None:
    """Four and a half seconds until its first picture, four between two; each is looked at often."""
    limits: list[float] = []
    waits: list[float] = []
    answers = iter([Shot(b"1"), Shot(b"2"), None])

    def newest(_line: object, limit: float, _stop: threading.Event) -> Shot | None:
        limits.append(limit)
        return next(answers)

    with monkeypatch.context() as patched:
        patched.setattr(_Line, "newest", newest)
        found = list(islice(LiveSource("kitchen", refused).frames(NoWaiting()), 3))
    line = _Line()
    monkeypatch.setattr(line._arrived, "wait", lambda s: waits.append(s) or stop.set())
    stop = threading.Event()

    assert ["kitchen: no picture came for 4 s; trying again in 1 s"] == found[2:]
    assert [4.5, 4.0, 4.0] == limits
    assert (None, [0.1]) == (line.newest(5.0, stop), waits)


def test_a_camera_that_came_back_is_waited_for_from_the_beginning(monkeypatch) -> None:
    """A picture in between, and the next failure is the first again."""
    answers = iter(["gone", "gone", Shot(b"1"), "gone"])
    monkeypatch.setattr(_Line, "newest", lambda *_: next(answers))
    found = list(islice(LiveSource("kitchen", refused).frames(NoWaiting()), 4))

    assert ["1 s", "2 s", "1 s"] == [str(x)[-3:] for x in found if isinstance(x, str)]
