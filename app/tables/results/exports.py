"""Exports a table's record as JSON, CSV, GCG, CGP, or an HTML page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypedDict

from kibitz.app.common.errors import CommandError
from kibitz.app.common.storage.tables import Damage, Step
from kibitz.app.tables.midway import SECRET, start_json
from kibitz.app.tables.table import Table
from kibitz.engine.phrases import phrase
from kibitz.engine.record.cgp import CgpImpossible, cgp_text
from kibitz.engine.record.history import HistoryLine
from kibitz.engine.rules import JsonValue


class ExportError(Exception):
    """The record cannot be written in this format; `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Export:
    """One export format."""

    media: str
    suffix: str
    write: Callable[[Table], str]


def export_table(table: Table, format_: str, after: int | None = None) -> str:
    """Record of a table in a format.

    While the game is being played what only some players may know is left out.

    Args:
        table: the table.
        format_: one of `EXPORTS`.
        after: for a format that holds one position: after so many entries of the history.

    Raises:
        ExportError: this game, or this moment, has no such record.
    """
    if after is None:
        return EXPORTS[format_].write(table)
    if format_ != "cgp":
        raise ExportError(
            "no_position",
            phrase(
                "{format} holds the whole game; only CGP is written of one position.",
                format=format_.upper(),
            ),
        )
    return _cgp_of(table, after)


class RecordLine(TypedDict):
    """Record of a table: setup, steps, history and present position."""

    format: int
    table: str
    title: str
    header: dict[str, JsonValue]
    start: dict[str, JsonValue] | None
    events: list[dict[str, JsonValue]]
    history: list[HistoryLine]
    final: dict[str, JsonValue]
    over: bool


def record_json(table: Table) -> RecordLine:
    """Setup, history and position as one document."""
    game = table.setup.opening.game
    return {
        "format": 1,
        "table": table.id,
        "title": game.info.title,
        "header": _header(table),
        "start": start_json(table.ledger),
        "events": [_step_json(step, secrets=table.over) for step in table.steps],
        "history": table.history(),
        "final": dict(game.view(table.ledger.state, None)),
        "over": table.over,
    }


def _header(table: Table) -> dict[str, JsonValue]:
    """Setup of the table, with the position that the record begins from."""
    header = {**table.setup.row.header, "created": table.setup.row.created}
    initial = table.ledger.opening.initial
    shown = {k: v for k, v in (initial or {}).items() if table.over or k not in SECRET}
    return {**header, "initial": shown} if initial is not None else header


def damaged_json(table_id: str, damage: Damage, kept: Iterable[Step]) -> str:
    """Readable steps of a table whose game cannot be replayed."""
    document = {
        "format": 1,
        "table": table_id,
        "damaged": damage.wrong,
        "players": list(damage.players),
        "events": [_step_json(step, secrets=True) for step in kept],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _step_json(step: Step, *, secrets: bool) -> dict[str, JsonValue]:
    data = {k: v for k, v in step.data.items() if secrets or k not in ("change", "answer")}
    data.pop("asked", None)
    return {"seq": step.seq, "time": step.at, "kind": step.kind, **data}


def _write_json(table: Table) -> str:
    return json.dumps(record_json(table), ensure_ascii=False, indent=1)


def _write_csv(table: Table) -> str:
    """One CSV row for each entry of the history."""
    out = io.StringIO()
    history = table.history()
    # teams have one score together
    sides = next((tuple(e["scores"]) for e in history if e.get("scores")), None)
    sides = sides or table.setup.opening.players
    writer = csv.writer(out, lineterminator="\r\n")
    totals = [f"total {side}" for side in sides]
    writer.writerow(["number", "player", "action", "words", "tiles", "score", *map(_cell, totals)])
    if (start := start_json(table.ledger)) is not None:
        scores = start.get("scores") or {}
        row = [0, "", "begins_from_position", "", "", "", *(scores.get(s, "") for s in sides)]
        writer.writerow([_cell(x) for x in row])
    for number, entry in enumerate(history, 1):
        words = " ".join(_words_of(entry))
        tiles = " ".join(f"{k}={v}" for k, v in (entry.get("tiles") or {}).items())
        tiles = tiles or " ".join(str(e["letter"]) for e in entry["events"] if "letter" in e)
        scores = entry.get("scores") or {}
        row = [number, entry.get("player") or "", entry["action"], words, tiles]
        row += [entry.get("turn_score", ""), *(scores.get(side, "") for side in sides)]
        writer.writerow([_cell(x) for x in row])
    return out.getvalue()


def _words_of(entry: HistoryLine) -> list[str]:
    """Words of an entry, from its events where nothing was laid."""
    laid = [str(w.get("word", "")) for w in entry.get("words") or ()]
    return laid or [str(e["word"]) for e in entry["events"] if "word" in e]


def _cell(value: object) -> object:
    """The value, marked so that no spreadsheet runs it as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _write_gcg(table: Table) -> str:
    if not table.setup.opening.game.info.gcg:
        raise ExportError(
            "no_gcg", "GCG is a format for Scrabble; take CSV or JSON for this game."
        )
    from kibitz.app.tables.results.records import table_gcg

    try:
        return table_gcg(table)
    except CommandError as error:
        raise ExportError("no_gcg", str(error)) from error


def _write_cgp(table: Table) -> str:
    return _cgp_of(table)


def _cgp_of(table: Table, after: int | None = None) -> str:
    try:
        return cgp_text(table.ledger, after, racks=table.over) + "\n"
    except CgpImpossible as error:
        raise ExportError("no_cgp", str(error)) from error


def _write_html(table: Table) -> str:
    from kibitz.app.tables.results.records import table_page

    return table_page(table)


EXPORTS = {
    "json": Export("application/json", "json", _write_json),
    "csv": Export("text/csv", "csv", _write_csv),
    "gcg": Export("text/plain", "gcg", _write_gcg),
    "cgp": Export("text/plain", "cgp", _write_cgp),
    "html": Export("text/html", "html", _write_html),
}
