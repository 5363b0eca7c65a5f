"""Boards drawn in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.app.common.listing import LISTS
from kibitz.engine.rules import JsonValue
from kibitz.engine.table import JOINED_SIDE
from kibitz.vision.readings import SURE

if TYPE_CHECKING:
    from kibitz.app.reading.results import Reading

from kibitz.app.common.terminal import shown
from kibitz.app.languages.spoken import said

_DIM, _BOLD, _AMBER, _RED, _OFF = "\x1b[2m", "\x1b[1m", "\x1b[33m", "\x1b[31m", "\x1b[0m"


def draw_rows(
    rows: Sequence[str], confidence: Sequence[Sequence[float]] | None = None, *, colours: bool
) -> str:
    """A board with its row letters and column numbers.

    Letters that are less than 95 % sure are amber, less than 60 % red.
    """
    size = len(rows)
    alone = size != JOINED_SIDE
    lines = ["    " + "".join(f"{c + 1:>2}" for c in range(size))] if alone else []
    for r, row in enumerate(rows):
        cells = []
        for c, char in enumerate(row):
            sure = 1.0 if confidence is None else confidence[r][c]
            cells.append(_cell(char, sure, colours))
        name = chr(65 + r) if alone else f"{r + 1}"
        gap = " " if alone else ""
        lines.append(f"{name:>3} {gap}" + gap.join(cells))
    return "\n".join(lines)


def _cell(char: str, sure: float, colours: bool) -> str:
    drawn = "·" if char == "." else char
    if not colours:
        return drawn
    if char in ".#":
        return f"{_DIM}{drawn}{_OFF}"
    tint = _RED if sure < SURE.fair else _AMBER if sure < SURE.known else ""
    return f"{_BOLD}{tint}{drawn}{_OFF}"


def draw_reading(reading: Reading, *, colours: bool) -> str:
    """A photograph as read, for people."""
    tint = colours and sys.stdout.isatty()
    if reading.error is not None:
        error = reading.error
        return f"{shown(reading.file)}: {shown(said(error.message))} ({error.code})"
    parts = [shown(reading.file)]
    for board in reading.boards:
        hidden = sum(ch == "#" for row in board.rows for ch in row)
        parts.append(draw_rows(board.rows, board.confidence, colours=tint))
        cards = ", ".join(f"{c.kind} {' '.join(c.squares)}" for c in board.ship_cards)
        parts.append(
            f"    {sum(ch not in '.#' for row in board.rows for ch in row)} tiles"
            + (f", {hidden} squares cannot be seen" if hidden else "")
            + (f", ship cards: {cards}" if cards else "")
        )
    if reading.loose:
        up = "".join(tile.letter for tile in reading.loose if tile.face_up)
        down = sum(not tile.face_up for tile in reading.loose)
        parts.append(f"    loose tiles face up: {up or '-'}; face down: {down}")
        parts += [f"    word: {word.text}" for word in reading.words]
    parts += [f"    {said(text)}" for text in reading.said]
    ms = reading.ms
    parts.append("    " + ", ".join(f"{stage} {value:.0f} ms" for stage, value in ms.items()))
    return "\n".join(parts)


def draw_replay_line(line: Mapping[str, JsonValue]) -> str:
    """One line of `kibitz replay --json` for people."""
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
    """How many plays there were, and what stayed open."""
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
    """What is asked, where it was not said already, and the answers on offer."""
    question = line.get("question")
    if not question:
        return []
    asked = [] if question["prompt"] in (line.get("say") or ()) else [question["prompt"]]
    choices = " / ".join(str(choice) for choice in question["choices"])
    return [*asked, *([f"answers: {choices}"] if choices else [])]
