"""Draws boards and readings in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.app.common.terminal import shown
from kibitz.app.languages.catalogues import said
from kibitz.engine.table import JOINED_SIDE, board_rows
from kibitz.vision.readings import SURE

if TYPE_CHECKING:
    from kibitz.app.reading.results import Reading


from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.app.common.limits import LISTS
from kibitz.engine.phrases import SquareName, counted, phrase
from kibitz.engine.rules import JsonValue
from kibitz.engine.tracking.why import SHOWED

_DIM, _BOLD, _AMBER, _RED, _OFF = "\x1b[2m", "\x1b[1m", "\x1b[33m", "\x1b[31m", "\x1b[0m"


def draw_rows(
    rows: Sequence[str], confidence: Sequence[Sequence[float]] | None = None, *, colours: bool
) -> str:
    """A board as text, with row letters and column numbers.

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
    """A reading as text for people."""
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


STATUS = {**SHOWED, "question": phrase("a question")}
"""Words for what a photograph shows, by the status of its line."""


def draw_replay_line(line: Mapping[str, JsonValue]) -> str:
    """A line of `kibitz replay --json` as text for people."""
    if "final" in line:
        final = line["final"]
        parts = [said(phrase("Final position"))]
        if rows := board_rows(final):
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
