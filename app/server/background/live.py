"""Notifies the open pages of a table when it changes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(eq=False)
class Subscriber:
    """An open page; it is woken once for several changes and sends the newest state."""

    loop: asyncio.AbstractEventLoop
    awake: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Wake the page from any thread."""
        try:
            self.loop.call_soon_threadsafe(self.awake.set)
        except RuntimeError:
            return  # its loop has closed: the page is gone


class LiveHub:
    """Open pages by table.

    Attributes:
        hearers: called with a table's name at every change, from any thread; they may not wait.
    """

    def __init__(self) -> None:
        self.hearers: list[Callable[[str], None]] = []
        self._lock = threading.Lock()
        self._subscribers: dict[str, set[Subscriber]] = {}

    def join(self, table_id: str) -> Subscriber:
        """Add a page to a table; called from the page's own event loop."""
        subscriber = Subscriber(asyncio.get_running_loop())
        with self._lock:
            self._subscribers.setdefault(table_id, set()).add(subscriber)
        return subscriber

    def leave(self, table_id: str, subscriber: Subscriber) -> None:
        """Remove a page."""
        with self._lock:
            here = self._subscribers.get(table_id, set())
            here.discard(subscriber)
            if not here:
                self._subscribers.pop(table_id, None)

    def wake(self, table_id: str) -> None:
        """Wake the pages of a table that changed."""
        with self._lock:
            here = tuple(self._subscribers.get(table_id, ()))
        for subscriber in here:
            subscriber.wake()
        for hear in tuple(self.hearers):
            hear(table_id)

    def watching(self, table_id: str) -> int:
        """Number of open pages of a table."""
        with self._lock:
            return len(self._subscribers.get(table_id, ()))
