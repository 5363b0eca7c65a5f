"""`kibitz read --panel`: photographs of single boards of nine, put together into one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from app.errors import UsageError
from app.panel_views import PANELS, SIDE, PanelOrder
from app.picture_paths import PathProblem
from app.picture_reader import FileReading, ReadsPictures, read_file
from app.read_options import Look
from app.reading_json import COVERED, board_json

WHOLE = 3 * SIDE


def panel_lines(
    sources: Sequence[str | PathProblem], reader: ReadsPictures, look: Look, order: PanelOrder
) -> Iterator[dict[str, Any]]:
    """One line for each look at the table: as many photographs as boards are named.

    Raises:
        UsageError: it is not said which boards the photographs show.
    """
    boards = order.boards or tuple(range(1, PANELS + 1))
    if not order.boards and len(sources) != PANELS:
        raise UsageError(
            f"--panel auto: a reading by itself needs all {PANELS} boards in order, got "
            f"{len(sources)} photographs; name the boards, as --panel 2,5,8"
        )
    part = replace(look, squares=15, part=True)
    for first in range(0, len(sources), len(boards)):
        some = sources[first : first + len(boards)]
        found = [read_file(source, reader, part) for source in some]
        yield put_together(found, boards)


def put_together(found: Sequence[FileReading], boards: Sequence[int]) -> dict[str, Any]:
    """The 45 rows of what the photographs of single boards show; `#` where none was seen."""
    rows = [[COVERED] * WHOLE for _ in range(WHOLE)]
    turns = [["."] * WHOLE for _ in range(WHOLE)]
    sets = [["."] * WHOLE for _ in range(WHOLE)]
    sure = [[1.0] * WHOLE for _ in range(WHOLE)]
    panels = []
    for reading, panel in zip(found, boards, strict=False):
        part: dict[str, Any] = {"panel": panel, "file": reading.file, "error": None}
        panels.append(part)
        if reading.reading is None or not reading.reading.boards:
            part["error"] = {"code": reading.code, "message": reading.message}
            continue
        board = board_json(reading.reading.boards[0])
        part |= {k: board[k] for k in ("corners_px", "quality", "top_certain")}
        top, left = SIDE * ((panel - 1) // 3), SIDE * ((panel - 1) % 3)
        for r in range(SIDE):
            rows[top + r][left : left + SIDE] = board["rows"][r]
            turns[top + r][left : left + SIDE] = board["turns"][r]
            sets[top + r][left : left + SIDE] = board["tile_set"][r]
            sure[top + r][left : left + SIDE] = board["confidence"][r]
    errors = [p["error"] for p in panels if p["error"] is not None]
    whole = {
        "corners_px": None,
        "rows": ["".join(row) for row in rows],
        "turns": ["".join(row) for row in turns],
        "tile_set": ["".join(row) for row in sets],
        "confidence": sure,
        "markers": [],
        "panels": panels,
    }
    return {
        "file": found[0].file,
        "error": errors[0] if len(errors) == len(panels) else None,
        "boards": [] if len(errors) == len(panels) else [whole],
        "loose": [],
        "words": [],
        "ms": _times(found),
    }


def _times(found: Sequence[FileReading]) -> dict[str, float]:
    total = {"decode": sum(f.decode_ms for f in found)}
    for reading in (f.reading for f in found if f.reading is not None):
        for stage, value in reading.ms.items():
            total[stage] = total.get(stage, 0.0) + value
    return {stage: round(value, 2) for stage, value in total.items()}
