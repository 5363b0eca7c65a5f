"""Fields of a line of `kibitz read --json`, and a reading as text."""

from __future__ import annotations

from typing import NotRequired, TypedDict

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


class ErrorLine(TypedDict):
    """Why a picture could not be read: a stable code, and what to do."""

    code: str
    message: str


class MarkerLine(TypedDict):
    """A ship card and the squares that it covers."""

    kind: str
    squares: list[str]


class PanelLine(TypedDict):
    """Which of nine joined boards a picture showed, and how sure that is."""

    panel: int | None
    file: str
    error: ErrorLine | None
    corners_px: NotRequired[list[list[float]]]
    quality: NotRequired[float]
    top_certain: NotRequired[bool]
    squares_seen: NotRequired[int]


class BoardLine(TypedDict):
    """A board in `kibitz read --json`: one text for each row, row A first."""

    corners_px: list[list[float]] | None
    rows: list[str]
    turns: list[str]
    tile_set: list[str]
    confidence: list[list[float]]
    markers: list[MarkerLine]
    top_certain: NotRequired[bool]
    quality: NotRequired[float]
    mirrored: NotRequired[bool]
    thickness_squares: NotRequired[float]
    view_deg: NotRequired[float]
    panels: NotRequired[list[PanelLine]]


class LooseLine(TypedDict):
    """A tile that lies on no board."""

    letter: str
    face_up: bool
    centre_px: list[float]
    angle_deg: float
    confidence: float


class WordLine(TypedDict):
    """Loose tiles in a row that form a word; `tiles` are indices into `loose`."""

    text: str
    tiles: list[int]
    facing_deg: float


class ScriptLine(TypedDict):
    """A detected script: its name, the tile set used for reading, and alternatives."""

    name: str
    tiles: str
    others: list[str]


class ReadLine(TypedDict):
    """One line of `kibitz read --json`.

    `overlay` names the picture drawn, if one was. `script` is there where the tiles are of another
    script than usual and no tile set was told, `mirrored` where loose tiles lie as in a mirror.
    `advice` says that, that the picture is mirrored, and where squares cannot be seen, what can be
    done about it.
    """

    file: str
    error: ErrorLine | None
    boards: list[BoardLine]
    loose: list[LooseLine]
    words: list[WordLine]
    ms: dict[str, float]
    overlay: NotRequired[str]
    script: NotRequired[ScriptLine]
    mirrored: NotRequired[bool]
    advice: NotRequired[list[str]]


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
