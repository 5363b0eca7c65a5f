"""Draws lines of a replay in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.app.common.limits import LISTS
from kibitz.app.common.terminal import shown
from kibitz.app.languages.spoken import said
from kibitz.app.reading.drawing import draw_rows
from kibitz.engine.phrases import SquareName, counted, phrase
from kibitz.engine.rules import JsonValue
from kibitz.engine.tracking.why import SHOWED

STATUS = {**SHOWED, "question": phrase("a question")}
"""Words for what a photograph shows, by the status of its line."""


def draw_replay_line(line: Mapping[str, JsonValue]) -> str:
    """A line of `kibitz replay --json` as text for people."""
    if "final" in line:
        final = line["final"]
        parts = [said(phrase("Final position"))]
        rows = final.get("board45") or final.get("board")
        if rows:
            parts.append(draw_rows(rows, colours=sys.stdout.isatty()))
        if final.get("scores"):
            parts.append(_scores_line(final["scores"]))
        return "\n".join([*parts, *_summary_lines(final)])
    play = line.get("play") or {}
    parts = [f"{shown(line['file'])}: {said(STATUS[line['status']])}"]
    if play.get("tiles"):
        laid = " ".join(f"{said(SquareName(at))}={letter}" for at, letter in play["tiles"].items())
        parts.append(f"    {said(phrase('laid: {tiles}', tiles=laid))}")
    if play.get("removed"):
        gone = " ".join(said(SquareName(at)) for at in play["removed"])
        parts.append(f"    {said(phrase('taken off: {tiles}', tiles=gone))}")
    parts += [f"    {shown(text)}" for text in line.get("say") or ()]
    if error := line.get("error"):
        parts.append(f"    {shown(error['message'])} ({error['code']})")
    parts += [f"    {shown(text)}" for text in _question_lines(line)]
    if line.get("scores"):
        parts.append(_scores_line(line["scores"]))
    return "\n".join(parts)


def _summary_lines(final: Mapping[str, Any]) -> list[str]:
    """The number of plays, and what stayed open."""
    plays = sum(
        len(play.get("plays") or "1")
        for play in final["plays"]
        if play.get("tiles") or play.get("word")
    )
    parts = [f"    {said(counted('{count} play', '{count} plays', plays))}"]
    if names := final["unresolved"]:
        listed = ", ".join(shown(Path(name).name) for name in names[: LISTS.best])
        more = ", ..." if len(names) > LISTS.best else ""
        unread = counted(
            "{count} photograph not understood", "{count} photographs not understood", len(names)
        )
        parts.append(f"{said(unread)} ({listed}{more})")
    if asked := final["questions"]:
        parts.append(said(counted("{count} question open", "{count} questions open", len(asked))))
    if len(parts) == 1:
        parts.append(said(phrase("nothing open")))
    about = [
        phrase("open: {file}: {question}", file=Path(q["file"]).name, question=q["prompt"])
        for q in asked
    ]
    notes = [phrase("note: {note}", note=note) for note in final["notes"]]
    return ["; ".join(parts), *(f"    {shown(said(text))}" for text in (*about, *notes))]


def _scores_line(scores: Mapping[str, Any]) -> str:
    return "    " + ", ".join(f"{shown(player)} {score}" for player, score in scores.items())


def _question_lines(line: Mapping[str, Any]) -> list[str]:
    """Questions not shown before, with the answers on offer."""
    question = line.get("question")
    if not question:
        return []
    asked = [] if question["prompt"] in (line.get("say") or ()) else [question["prompt"]]
    choices = " / ".join(said(choice) for choice in question["choices"])
    return [*asked, *([said(phrase("answers: {answers}", answers=choices))] if choices else [])]
