"""Every change of a game with its cause and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.app.common.storage.tables import Step
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.table import Table
from kibitz.app.wire.tables import Change, Meaning, SquareRead, Why

PICTURE, PERSON, RULE = "picture", "person", "rule"


def changes_of(table: Table) -> list[Change]:
    """Changes of the game or its scores, oldest first.

    Returns:
        For each step: its number and time, `cause` (picture, person, rule), `by` (who, if a
        person), `first` (the number of the first entry that it changed or added) and `entries`
        (how many follow from there), `before` and `after` (the scores), and what was said.
    """
    out = []
    for step in table.steps:
        change = step.data.get("change")
        if not isinstance(change, Mapping):
            continue
        before, after = _scores(step)
        if not change.get("entries") and before == after and step.kind == "seen":
            continue
        cause, by, what = _cause(step)
        out.append(
            Change(
                seq=step.seq,
                at=step.at,
                cause=cause,
                by=by,
                what=what,
                photo=step.data.get("photo"),
                first=int(change.get("keep", 0)),
                entries=len(change.get("entries") or ()),
                before=before,
                after=after,
                say=tuple(step.data.get("say") or ()),
            )
        )
    return out


def why(table: Table, seq: int, actor: Actor) -> Why | None:
    """Evidence for one change; None if there is no such step.

    Args:
        table: the table.
        seq: the number of the step.
        actor: who asks; pictures are only for those who may see them.
    """
    change = next((c for c in changes_of(table) if c.seq == seq), None)
    if change is None:
        return None
    shown = _shown_at([s for s in table.steps if s.seq <= seq])
    told = shown.data.get("why") if shown is not None else None
    known = told if isinstance(told, Mapping) else {}
    picture = None
    if shown is not None and actor.sees_all_pictures:
        picture = f"/api/tables/{table.id}/pictures/{shown.seq}.jpg"
    return Why(
        **dict(change),
        readings=tuple(map(SquareRead.model_validate, known.get("readings") or ())),
        alternatives=tuple(map(Meaning.model_validate, known.get("alternatives") or ())),
        picture=picture,
    )


def _shown_at(steps: Sequence[Step]) -> Step | None:
    """The step with the picture that the last of these steps is about; None if there is none.

    Of what a person or a rule changed it is the one that showed the first entry changed, else the
    newest: so the table was before the camera.
    """
    pictures = [s for s in steps if s.kind == "seen"]
    if not pictures or steps[-1] is pictures[-1]:
        return pictures[-1] if pictures else None
    photos: list[int] = []
    first = None
    for step in steps:
        change = step.data["change"]
        keep, new = int(change["keep"]), [int(e["photo"]) for e in change["entries"]]
        first = next(iter([*photos[keep:], *new]), None)
        photos = [*photos[:keep], *new]
    of_it = [s for s in pictures if s.data["photo"] == first]
    return (of_it or pictures)[-1]


def _cause(step: Step) -> tuple[str, str | None, str]:
    """Cause of a step: picture, person or rule; the person's name; and what it was."""
    if step.kind == "seen":
        return PICTURE, None, str(_line(step).get("status") or "")
    do = step.data.get("do")
    what = str(do.get("action") or "") if isinstance(do, Mapping) else step.kind
    by = step.data.get("by")
    if what == "tick" or not isinstance(by, Mapping):
        return RULE, None, what
    return PERSON, str(by.get("player") or by.get("role") or ""), what


def _line(step: Step) -> Mapping[str, Any]:
    line = step.data.get("line")
    return line if isinstance(line, Mapping) else {}


def _scores(step: Step) -> tuple[dict[str, int], dict[str, int]]:
    """Scores before and after a step; empty where the game has none."""
    scores = step.data.get("scores")
    if not isinstance(scores, Mapping):
        return {}, {}
    return dict(scores.get("before") or {}), dict(scores.get("after") or {})
