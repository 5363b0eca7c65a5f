"""Draws boards and readings in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.app.common.terminal import shown
from kibitz.app.languages.spoken import said
from kibitz.engine.table import JOINED_SIDE
from kibitz.vision.readings import SURE

if TYPE_CHECKING:
    from kibitz.app.reading.results import Reading

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
