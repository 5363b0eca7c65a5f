"""Actions that people tell during a game, each with the photograph that came next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.app.common.errors import Option, UsageError
from kibitz.app.common.files import load_json
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import Action, JsonValue, Refused, Verdict, action_from_json
from kibitz.engine.table import Square, parse_square


@dataclass(frozen=True, slots=True)
class ToldAction:
    """Something that people said or did, and the photograph that came next."""

    before: str | None
    action: Action


def due_before(told: Sequence[ToldAction], name: str) -> tuple[list[ToldAction], list[ToldAction]]:
    """Actions told before a photograph, and those told later.

    What names no photograph was said before the first one.
    """
    due = [t for t in told if t.before is None or Path(t.before).name == name]
    return due, [t for t in told if t not in due]


def load_told(path: Path | None) -> list[ToldAction]:
    """Load told actions in order.

    Raises:
        UsageError: the file is no list of actions.
    """
    if path is None:
        return []
    items = load_json(path, Option("told"))
    if not isinstance(items, list):
        raise UsageError(Option("told"), f": expected a JSON list of actions in {path}")
    return told_of(items, f" of {path}")


def told_of(items: Iterable[Any], where: str = "") -> list[ToldAction]:
    """Parse told actions: scenario actions, each with `before`, the photograph after it.

    Args:
        items: the actions.
        where: where they stand, for messages.

    Raises:
        UsageError: one of them is no action.
    """
    actions = []
    for number, item in enumerate(items, 1):
        try:
            actions.append(_told(item))
        except (ValueError, TypeError, RecursionError) as error:
            raise UsageError(Option("told"), f": item {number}{where}: {error}") from error
    return actions


def _told(item: Any) -> ToldAction:
    if not isinstance(item, Mapping):
        raise TypeError(f"expected an object with an 'action', got {item!r:.60}")
    fields = dict(item)
    before = fields.pop("before", None)
    if before is not None and not isinstance(before, str):
        raise TypeError(f"before: expected the name of a photograph, got {before!r:.60}")
    return ToldAction(before, action_from_json(with_whole_ships(fields)))


def photographs_missing(told: Iterable[ToldAction], files: Iterable[str]) -> list[str]:
    """Photographs that `before` names and that are not among the files."""
    there = {Path(name).name for name in files}
    named = {Path(t.before).name: None for t in told if t.before is not None}
    return [name for name in named if name not in there]


def with_whole_ships(fields: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The action's fields with each ship's two end squares extended to all its squares."""
    fleet = fields.get("fleet")
    if fields.get("action") != "enter_fleet" or not isinstance(fleet, Mapping):
        return fields
    return {**fields, "fleet": {str(s): _between(str(s), ends) for s, ends in fleet.items()}}


def _between(ship: str, names: Any) -> list[str]:
    if not isinstance(names, (list, tuple)) or not all(isinstance(n, str) for n in names):
        raise TypeError(f"fleet.{ship}: expected names of squares, got {names!r:.60}")
    if len(names) != 2:
        return list(names)
    a, b = parse_square(names[0]), parse_square(names[1])
    if a.row != b.row and a.col != b.col:
        return list(names)  # not straight: the rules say so in their own words
    rows = range(min(a.row, b.row), max(a.row, b.row) + 1)
    cols = range(min(a.col, b.col), max(a.col, b.col) + 1)
    return [Square(r, c).name for r in rows for c in cols]


def tell_all(tell: Callable[[Action], Verdict], told: Iterable[ToldAction]) -> list[str]:
    """Tell a game what people said; returns messages about refusals."""
    problems: list[str] = []
    for item in told:
        verdict = tell(item.action)
        if isinstance(verdict, Refused):
            names = {"action": item.action.kind, "why": verdict.message}
            if who := item.action.player:
                problems.append(phrase("{action} of {player}: {why}", player=who, **names))
            else:
                problems.append(phrase("{action}: {why}", **names))
    return problems
