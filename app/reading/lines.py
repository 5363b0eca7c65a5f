"""Fields of a line of `kibitz read --json`, and a reading as text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.phrases import listed, phrase
from kibitz.engine.table import Square
from kibitz.vision.readings import (
    COVERED_KIND,
    EMPTY_KIND,
    MARKER_KIND,
    GridReading,
    NoticedScript,
    PhotoReading,
    script_name,
)

COVERED = "#"


def rows_of(board: GridReading) -> list[str]:
    """The board as text, row A first: `.`, a letter, `?` a blank, `#` not seen or not read."""
    kind = board.told
    signs = np.array(board.labels)[board.letter_log_prob.argmax(-1)]
    signs[(kind == EMPTY_KIND) | (kind == MARKER_KIND)] = "."
    signs[kind == COVERED_KIND] = COVERED
    return ["".join(row) for row in signs.tolist()]


def turns_of(board: GridReading, rows: list[str]) -> list[str]:
    """Quarter turns of the tiles: `0` to `3`, `?` for a blank, `.` for an empty square."""
    turn = board.turn_log_prob.argmax(-1)
    return [
        "".join(
            "." if char in ".#" else "?" if char == "?" else str(turn[r, c])
            for c, char in enumerate(row)
        )
        for r, row in enumerate(rows)
    ]


def confidence_of(board: GridReading) -> list[list[float]]:
    """Probability that each square is reported right, as nested lists."""
    return [[round(x, 4) for x in row] for row in confidences(board).tolist()]


def confidences(board: GridReading) -> NDArray[np.float64]:
    """Probability that each square is reported right, (n, n)."""
    return np.asarray(np.minimum(board.chances.max(-1), 1.0), np.float64)


def square_name(row: int, col: int, size: int) -> str:
    """Name of a square: `H8`, or `4:B8` on nine joined boards."""
    return Square(row, col).name_on(size)


def remarks_on(reading: PhotoReading) -> tuple[str, ...]:
    """Remarks on a picture that is read all the same."""
    from kibitz.calibration.quality import advice_mirrored

    script = () if reading.noticed is None else (advice_noticed(reading.noticed),)
    mirrored = reading.mirrored or any(board.mirrored for board in reading.boards)
    return (*script, advice_mirrored()) if mirrored else script


def advice_noticed(noticed: NoticedScript) -> str:
    """Advice where no tile set was given and the tiles are of another script."""
    script, (first, *others) = script_name(noticed.script), noticed.tile_sets
    if not others:
        return phrase("These tiles are {script}: read as {tiles}.", script=script, tiles=first)
    return phrase(
        "These tiles are {script}: read as {tiles}; say the tile set if it is another ({others}).",
        script=script,
        tiles=first,
        others=listed(others, ", "),
    )
