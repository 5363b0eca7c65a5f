"""Rescues steps that a stopping server cannot write, and stores them at the next start.

The file lies in the system's folder for temporary files, readable only by its owner.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from kibitz.app.common.files import is_own
from kibitz.app.common.storage.tables import Step, Storage, StorageError, TableRow, TokenRow
from kibitz.app.common.terminal import show_progress
from kibitz.app.tables.table import Table
from kibitz.engine.rules import JsonValue

PREFIX, SUFFIX = "kibitz-unsaved-", ".jsonl"
VERSION: Final = 1
_FIELDS: Final = ("seq", "at", "kind", "data", "idem")
"""The fields of a step that are kept: all but its picture."""


def rescue(table: Table, given: Iterable[TokenRow], where: str, trouble: StorageError) -> None:
    """Write unsaved steps to a file of their own and report it; else report what is lost.

    Args:
        table: a table with unsaved steps.
        given: its tokens.
        where: the place that takes no more.
        trouble: why it does not.
    """
    gone = trouble.code == "storage_gone"
    # of a place that was deleted nothing is left but what is in memory
    steps = table.steps if gone else table.saving.waiting
    if not steps:
        return
    kept = [{name: getattr(step, name) for name in _FIELDS} for step in steps]
    row = table.setup.row
    head = {
        "version": VERSION,
        "where": where,
        "table": row.id,
        "created": row.created,
        "header": dict(row.header),
        "tokens": [[t.hash, t.role, t.player] for t in given],
    }
    lines = [json.dumps(x, ensure_ascii=False) for x in (head, *kept)]
    said = f"table {table.id}: {_count(steps)} not saved ({trouble.message})"
    try:
        handle, name = tempfile.mkstemp(SUFFIX, f"{PREFIX}{table.id}-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            os.fsync(handle)
    except OSError as error:
        show_progress(f"{said}, and no file beside could be written ({error.strerror}); lost are:")
        for step in steps:
            show_progress(f"  step {step.seq}: {_words(step)}")
        return
    show_progress(
        f"{said}; without their pictures they are in {name}: the next 'kibitz serve' on this "
        "place takes them back"
    )


def take_back(storage: Storage) -> None:
    """Store the steps that an earlier server left in files, and report it."""
    for path in sorted(Path(tempfile.gettempdir()).glob(f"{PREFIX}*{SUFFIX}")):
        try:
            if not is_own(path):
                continue
            lines = [json.loads(x) for x in path.read_text(encoding="utf-8").splitlines()]
            head = lines[0]
            if head["version"] != VERSION or head["where"] != storage.where:
                continue
            added = _taken(storage, head, [Step(**x) for x in lines[1:]])
            path.unlink()
        except (StorageError, OSError, ValueError, LookupError, TypeError) as error:
            show_progress(f"{path} could not be taken back: {error}")
        else:
            show_progress(f"table {head['table']}: {_count(added)} taken back from {path}")


def _taken(storage: Storage, head: Mapping[str, JsonValue], steps: list[Step]) -> list[Step]:
    table_id = str(head["table"])
    if storage.table_row(table_id) is None:
        row = TableRow(table_id, float(head["created"]), head["header"])
        storage.create_table(row, tuple(TokenRow(*t) for t in head["tokens"]))
    kept = storage.steps_of(table_id)
    for step in steps:
        if step.seq <= len(kept) and kept[step.seq - 1].data != step.data:
            raise ValueError(f"the game went on without step {step.seq}")
    new = [s for s in steps if s.seq > len(kept)]
    if [s.seq for s in new] != list(range(len(kept) + 1, len(kept) + 1 + len(new))):
        raise ValueError("steps are missing before those in it")
    storage.append(table_id, tuple(new))
    return new


def _count(steps: Iterable[Step]) -> str:
    numbers = [step.seq for step in steps]
    if not numbers:
        return "no step is"
    if len(numbers) == 1:
        return f"step {numbers[0]} is"
    return f"steps {numbers[0]} to {numbers[-1]} are"


def _words(step: Step) -> str:
    say = step.data.get("say")
    return " ".join(map(str, say)) if isinstance(say, list) and say else step.kind
