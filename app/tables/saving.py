"""Saves steps to the storage: kept in memory, in order, until it accepts them."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from typing import Final

from kibitz.app.common.storage.tables import RefusalRow, Step, Storage, StorageError

MOST_PICTURES: Final = 200
"""So many pictures wait to be saved; the older ones are given up then."""


class Saving:
    """Unsaved steps of one table. Any thread may call it; one at a time writes.

    Args:
        storage: where tables are kept.
        table_id: the table.
    """

    def __init__(self, storage: Storage, table_id: str) -> None:
        self._storage = storage
        self._table_id = table_id
        self._waiting: list[Step] = []
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._trouble: StorageError | None = None

    @property
    def trouble(self) -> StorageError | None:
        """Why the newest steps are only in memory; None if everything is saved."""
        return self._trouble

    @property
    def waiting(self) -> tuple[Step, ...]:
        """Unsaved steps, in order."""
        with self._lock:
            return tuple(self._waiting)

    def is_saved(self, seq: int) -> bool:
        """True if a step is saved."""
        return all(step.seq != seq for step in self.waiting)

    def picture(self, seq: int) -> bytes | None:
        """Picture of a step, saved or not; None if it has none."""
        for step in self.waiting:
            if step.seq == seq:
                return step.picture
        return self._storage.picture(self._table_id, seq)

    def add(self, step: Step) -> None:
        """Add a step to be saved."""
        with self._lock:
            self._waiting.append(step)

    def save(self, *, hurried: bool = False) -> bool:
        """Write unsaved steps; those that cannot be written stay in memory, in order.

        Args:
            hurried: somebody waits for the answer: a place that took long to say no just now is
                left to who tries again later.

        Raises:
            StorageError: trying again would not help.
        """
        if hurried and self._is_slow():
            return False
        with self._writing:
            if hurried and self._is_slow():
                return False
            batch = self.waiting
            if not batch:
                return True
            try:
                self._storage.append(self._table_id, batch)
            except StorageError as error:
                if not error.is_temporary:
                    raise
                with self._lock:
                    self._trouble = error
                    for i in range(len(self._waiting) - MOST_PICTURES):
                        self._waiting[i] = replace(self._waiting[i], picture=None)
                return False
            with self._lock:
                del self._waiting[: len(batch)]
                self._trouble = None
            return True

    def _is_slow(self) -> bool:
        trouble = self._trouble
        return trouble is not None and trouble.slow

    def keep_refusal(self, row: RefusalRow) -> None:
        """Save the refusal of a call with a key; dropped if it cannot be written."""
        with suppress(StorageError):
            if self._trouble is None:
                self._storage.keep_refusal(self._table_id, row)
