"""Draws lines of a replay in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.app.common.listing import LISTS
from kibitz.app.common.terminal import shown
from kibitz.app.reading.drawing import draw_rows
from kibitz.engine.rules import JsonValue


def draw_replay_line(line: Mapping[str, JsonValue]) -> str:
    """A line of `kibitz replay --json` as text for people."""
    if "final" in line:
        final = line["final"]
        parts = ["Final position"]
        rows = final.get("board45") or final.get("board")
        if rows:
            parts.append(draw_rows(rows, colours=sys.stdout.isatty()))
        if final.get("scores"):
            parts.append(_scores_line(final["scores"]))
        return "\n".join([*parts, *_summary_lines(final)])
    play = line.get("play") or {}
    parts = [f"{shown(line['file'])}: {line['status'].replace('_', ' ')}"]
    if play.get("tiles"):
        laid = " ".join(f"{square}={letter}" for square, letter in play["tiles"].items())
        parts.append(f"    laid: {laid}")
    if play.get("removed"):
        parts.append(f"    taken off: {' '.join(play['removed'])}")
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
    parts = [f"    {_counted(plays, 'play')}"]
    if names := final["unresolved"]:
        listed = ", ".join(shown(Path(name).name) for name in names[: LISTS.best])
        more = ", ..." if len(names) > LISTS.best else ""
        parts.append(f"{_counted(len(names), 'photograph')} not understood ({listed}{more})")
    if asked := final["questions"]:
        parts.append(f"{_counted(len(asked), 'question')} open")
    if len(parts) == 1:
        parts.append("nothing open")
    return [
        "; ".join(parts),
        *(f"    open: {shown(Path(q['file']).name)}: {shown(q['prompt'])}" for q in asked),
        *(f"    note: {shown(note)}" for note in final["notes"]),
    ]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _scores_line(scores: Mapping[str, Any]) -> str:
    return "    " + ", ".join(f"{shown(player)} {score}" for player, score in scores.items())


def _question_lines(line: Mapping[str, Any]) -> list[str]:
    """Questions not shown before, with the answers on offer."""
    question = line.get("question")
    if not question:
        return []
    asked = [] if question["prompt"] in (line.get("say") or ()) else [question["prompt"]]
    choices = " / ".join(str(choice) for choice in question["choices"])
    return [*asked, *([f"answers: {choices}"] if choices else [])]
