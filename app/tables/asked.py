"""Questions that the steps of a table leave open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kibitz.app.common.storage.tables import Step
from kibitz.app.tables.steps import SAID, SHOWS_END
from kibitz.engine.record.ledger import Ledger
from kibitz.engine.tracking.explanations.missed_plays import missed_at
from kibitz.engine.tracking.questions import Kind, Trait

OpenQuestion = dict[str, Any]
"""A question as a line has it, with the picture or the step that it is of."""
Questions = dict[tuple[str, str], OpenQuestion]
"""Open questions by what is asked, and the square or the photograph that it is about."""


def asked_in(steps: Iterable[Step]) -> Questions:
    """Open questions after some steps, as far as these tell."""
    open_ones: Questions = {}
    before: list[Questions] = [{}]
    undone: list[Questions] = []
    for step in steps:
        if step.kind == "undo":
            undone.append(before[-1])
            before = before[:-1] or [{}]
            # refused tiles lie there still, whatever was taken back
            lie = {k: q for k, q in open_ones.items() if k[0] == Kind.PLAY}
            open_ones = before[-1] = {**before[-1], **lie}
            continue
        if step.kind == "redo" and undone:
            open_ones = undone.pop()
            before.append(open_ones)
            continue
        open_ones = _asked_after(open_ones, step)
        if step.kind in SAID or SHOWS_END in step.data:
            before[-1] = open_ones
        else:
            before.append(open_ones)
    return open_ones


def scores_wait(steps: Iterable[Step], ledger: Ledger) -> bool:
    """True if an open question decides scores: which plays were made, in which order.

    Args:
        steps: those of the table.
        ledger: its game.
    """
    asked = asked_in(steps)
    return any(field == Kind.PLAYS and is_open(ledger, q) for (field, _), q in asked.items())


def is_open(ledger: Ledger, question: OpenQuestion) -> bool:
    """True if the game still has the tiles whose plays a question is about."""
    return missed_at(ledger, int(question["photo"])) is not None


def _asked_after(asked: Questions, step: Step) -> Questions:
    """Open questions after a step."""
    line = step.data.get("line")
    if isinstance(line, dict):
        # a question about the whole picture holds only until the next one
        asked = {k: q for k, q in asked.items() if k[0] in (Kind.BLANK, Kind.PLAYS)}
        if line.get("question"):
            question = dict(line["question"])
            key = str(question.get("square"))
            if question["field"] == Kind.PLAYS:
                question["photo"], key = step.data["photo"], str(step.data["photo"])
            asked[str(question["field"]), key] = question
    letters = step.data.get("letters")
    if isinstance(letters, list):
        # these stay until a person or a picture answers them
        asked = {k: q for k, q in asked.items() if not Kind(k[0]).has(Trait.OF_TILE)}
        asked |= {(str(q["field"]), str(q.get("square"))): {**q, "seq": step.seq} for q in letters}
    do = step.data.get("do")
    if not isinstance(do, dict):
        return asked
    gone: set[tuple[str, str]] = set()
    square = str(do.get("square"))
    named = square if ":" in square or not do.get("board") else f"{do['board']}:{square}"
    if do.get("action") == "correct":
        gone.add((str(Kind.LETTER), named))
    if do.get("action") == "answer":
        gone = {(str(do.get("field")), named)}
        if do.get("field") == Kind.BLANK:  # then it is no letter's tile
            gone.add((str(Kind.LETTER), named))
        if do.get("field") == Kind.PLAYS:
            newest = [k for k in asked if k[0] == Kind.PLAYS][-1:]
            gone = {("plays", str(do["photo"]))} if "photo" in do else set(newest)
    return {k: q for k, q in asked.items() if k not in gone}
