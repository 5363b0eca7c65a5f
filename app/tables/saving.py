"""Saves steps to the storage, which may fail; repeated calls are answered as before."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from kibitz.app.common.storage.tables import RefusalRow, Step, Storage, StorageError
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.setup import Outcome
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Accepted, Action, JsonValue, Refused

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


REUSED = Refused(
    "idempotency_key_reused", phrase("This Idempotency-Key was used for another call.")
)


def key_hash(key: str, actor: Actor) -> str:
    """Hash of key and caller, so that different people have different keys."""
    return hashlib.sha256(f"{actor.role}\0{actor.player}\0{key}".encode()).hexdigest()


def fingerprint(action: Action) -> str:
    """Hash of a whole request, to tell it from another with the same key."""
    asked = repr(sorted(action.to_json().items(), key=lambda x: x[0]))
    return hashlib.sha256(asked.encode()).hexdigest()


def answer_to(asked: str, result: JsonValue, say: Iterable[str]) -> dict[str, JsonValue]:
    """Fields of a step that keep the answer to its call.

    Args:
        asked: the call's fingerprint.
        result: what came of it, as everybody may know it.
        say: what is said of it.
    """
    return {"asked": asked, "answer": {"result": result, "say": list(say)}}


class Repeats:
    """Answered calls with keys at a table.

    Args:
        kept: the steps that are known.
        refused: what is known of calls that were refused.
    """

    def __init__(self, kept: Iterable[Step], refused: Iterable[RefusalRow]) -> None:
        self._done = {step.idem: step for step in kept if step.idem}
        self._refused = {r.idem: (r.asked, Refused(r.code, r.message)) for r in refused}

    def done(self, idem: str, step: Step) -> None:
        """Note the step of a call that was done."""
        self._done[idem] = step

    def refused(self, idem: str, asked: str, why: Refused) -> None:
        """Note a call that was refused."""
        self._refused[idem] = (asked, why)

    def answered(
        self, idem: str, asked: str, is_saved: Callable[[int], bool]
    ) -> Outcome | Refused | None:
        """Earlier answer to a call with this key; None if there was none.

        Args:
            idem: the key, as `key_hash` has it.
            asked: the call's fingerprint: another call with the same key is refused.
            is_saved: whether a step is written now.
        """
        if idem in self._refused:
            before, why = self._refused[idem]
            return why if before == asked else REUSED
        step = self._done.get(idem)
        if step is None:
            return None
        if step.data.get("asked") != asked:
            return REUSED
        answer = step.data.get("answer") or {}
        verdict = Accepted((), answer.get("result") or {})
        say = tuple(answer.get("say") or ())
        return Outcome(verdict, step.seq, is_saved(step.seq), (), say, repeated=True)
