"""Calls with an Idempotency-Key: a repeated call is done once and answered alike."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from kibitz.app.common.storage.tables import RefusalRow, Step
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.setup import Outcome
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Accepted, Action, JsonValue, Refused

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
