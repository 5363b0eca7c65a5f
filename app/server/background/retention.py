"""Retention of pictures: a thread deletes those that are too old."""

from __future__ import annotations

import re
import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final

from kibitz.app.common.errors import UsageError
from kibitz.app.common.storage.tables import Storage, StorageError
from kibitz.app.common.terminal import RepeatLimiter

_SECONDS = {"h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}


KEPT_S: Final = 30 * 86_400
"""So long pictures, a broker's news of a table, a cache's of a game and its start are kept."""
GOES_ON_S: Final = 12 * 3600.0
"""So long a game may lie unfinished until a server that starts begins another one."""


@dataclass(frozen=True, slots=True)
class Retention:
    """Age at which pictures are deleted; the game itself stays.

    Attributes:
        keep_s: seconds after which a picture goes; 0: none is kept at all; None: all stay.
        every_s: seconds between two looks at what is too old.
    """

    keep_s: float | None = KEPT_S
    every_s: float = 3600.0

    @property
    def keeps(self) -> bool:
        """True if pictures are kept at all."""
        return self.keep_s != 0


def parse_keep(text: str) -> Retention:
    """Parse `30d`, `12h`, `4w`, `none` or `all`, as `--keep-pictures` takes it.

    Raises:
        UsageError: it is none of them.
    """
    given = text.strip().lower()
    if given in ("none", "all"):
        return Retention(0.0 if given == "none" else None)
    found = re.fullmatch(r"([1-9]\d{0,4})([hdw])", given)
    if found is None:
        raise UsageError(
            f"--keep-pictures: expected a time as 30d, 12h or 4w, none or all, got {text!r}"
        )
    return Retention(float(found[1]) * _SECONDS[found[2]])


class Rounds(ABC):
    """A thread of a server that looks again and again, until it is stopped."""

    name: ClassVar[str]

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @abstractmethod
    def run(self) -> None:
        """Look until `stopping` is set."""

    def start(self) -> None:
        """Start the thread."""
        self.stopping.clear()
        self._thread = threading.Thread(target=self.run, name=self.name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread."""
        self.stopping.set()
        if self._thread is not None:
            self._thread.join(5)


class PictureKeeper(Rounds):
    """Deletes old pictures at the start and at intervals.

    Args:
        storage: where they are.
        retention: how long they stay.
    """

    name = "pictures"

    def __init__(self, storage: Storage, retention: Retention) -> None:
        super().__init__()
        self._storage = storage
        self._retention = retention
        self._sparing = RepeatLimiter()

    def run(self) -> None:
        """Look until it is stopped; there is nothing to do where all pictures stay."""
        while self._retention.keep_s is not None:
            try:
                self.look()
            except StorageError as error:
                self._sparing.tell(f"old pictures stay for now: {error.message}")
            if self.stopping.wait(self._retention.every_s):
                return

    def look(self, now: float | None = None) -> int:
        """Delete pictures that are too old now; returns how many."""
        if self._retention.keep_s is None:
            return 0
        at = time.time() if now is None else now
        return self._storage.drop_pictures(at - self._retention.keep_s)
