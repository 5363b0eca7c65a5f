"""Combines `kibitz read` of nine joined boards in several pictures into one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kibitz.app.common.errors import Problem
from kibitz.app.observers.observer import PANEL_UNKNOWN
from kibitz.app.observers.panel_places import is_in_parts, panels_of, piece_of, spots_of
from kibitz.app.observers.panels import PanelOrder
from kibitz.app.reading.lines import COVERED
from kibitz.app.reading.pictures import (
    FileReading,
    GivenPicture,
    PathProblem,
    ReadsPictures,
    read_file,
)
from kibitz.app.reading.results import Board, Reading, board_of
from kibitz.app.wire.lines import PanelLine
from kibitz.engine.table import BOARDS_A_SIDE, JOINED_SIDE, SIDE, corner_of
from kibitz.vision.readings import COVERED_KIND, GridReading
from kibitz.vision.request import ReadRequest

WHOLE = BOARDS_A_SIDE * SIDE


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One of nine boards in one picture, or why the picture shows none."""

    found: FileReading
    panel: int | None = None
    board: GridReading | None = None
    error: tuple[str, str] | None = None

    @property
    def in_sight(self) -> int:
        """Number of its squares in sight."""
        if self.board is None:
            return 0
        return int((np.exp(self.board.kind_log_prob[..., COVERED_KIND]) < 0.5).sum())

    def to_json(self) -> PanelLine:
        """Number of the board, and how well it is seen."""
        out: PanelLine = {"panel": self.panel, "file": self.found.file, "error": None}
        if self.error is not None:
            out["error"] = {"code": self.error[0], "message": self.error[1]}
        elif self.board is not None:
            board = board_of(self.board)
            out["corners_px"] = [[x, y] for x, y in board.corners]
            out["quality"], out["top_certain"] = board.quality, board.top_certain
            out["squares_seen"] = self.in_sight
        return out


def panel_lines(
    sources: Sequence[str | PathProblem],
    reader: ReadsPictures,
    request: ReadRequest,
    order: PanelOrder,
) -> Iterator[Reading]:
    """Yield one line for each look at the table.

    Where boards are named, as many photographs are one look; else all of them are, each put in
    its place by where the boards end and by what it shows together with others.
    """
    if not order.boards:
        found = [
            read_file(source, reader, replace(request, squares=JOINED_SIDE)) for source in sources
        ]
        yield put_together(by_overlap(found, fixed_top=request.top is not None))
        return
    alone = replace(request, squares=SIDE, part=True)
    for first in range(0, len(sources), len(order.boards)):
        some = [read_file(x, reader, alone) for x in sources[first : first + len(order.boards)]]
        named = zip(some, order.boards, strict=False)
        yield put_together([_named(found, panel) for found, panel in named])


def lines_of_wide(
    sources: Sequence[str | PathProblem | GivenPicture],
    reader: ReadsPictures,
    request: ReadRequest,
) -> Iterator[tuple[FileReading, Reading]]:
    """Yield readings of nine joined boards; partial ones are combined in one more line."""
    parts: list[FileReading] = []
    for source in sources:
        found = read_file(source, reader, request)
        if found.reading is not None and is_in_parts(found.reading):
            parts.append(replace(found, picture=None))
        else:
            yield found, found.to_reading()
    if parts:
        line = put_together(by_overlap(parts, fixed_top=request.top is not None))
        yield replace(parts[0], reading=None), line


def _named(found: FileReading, panel: int) -> Part:
    if found.reading is None or not found.reading.boards:
        return Part(found, panel, error=(found.code, found.message))
    return Part(found, panel, found.reading.boards[0])


def by_overlap(found: Sequence[FileReading], *, fixed_top: bool) -> list[Part]:
    """Every board of every picture, numbered where that is clear."""
    read = [f for f in found if f.reading is not None and is_in_parts(f.reading)]
    pieces = [piece_of(f.reading) for f in read if f.reading is not None]
    spots = dict(zip(map(id, read), spots_of(pieces, fixed_top=fixed_top), strict=True))
    out = []
    for one in found:
        spot = spots.get(id(one))
        if one.reading is None:
            out.append(Part(one, error=(one.code, one.message)))
        elif not is_in_parts(one.reading):
            message = "this picture shows all nine boards; read it by itself"
            out.append(Part(one, error=("not_a_part", message)))
        elif spot is None:
            out.append(Part(one, error=("panel_unknown", PANEL_UNKNOWN)))
        else:
            panels = panels_of(one.reading, spot)
            out += [Part(one, panel, board) for panel, board in sorted(panels.items())]
    return out


def put_together(parts: Sequence[Part]) -> Reading:
    """45 rows combined from pictures of some boards; `#` where nothing was seen.

    Where several show a square, the one that shows most of its board counts.
    """
    # of each square the sign, how it is turned, its tile set, and how sure all that is
    whole = [[(COVERED, ".", ".", 1.0)] * WHOLE for _ in range(WHOLE)]
    for part in sorted(parts, key=lambda p: -p.in_sight):
        if part.board is None or part.panel is None:
            continue
        board = board_of(part.board)
        top, left = corner_of(part.panel)
        for r, c in np.ndindex(SIDE, SIDE):
            if whole[top + r][left + c][0] == COVERED:
                whole[top + r][left + c] = (
                    board.rows[r][c],
                    board.turns[r][c],
                    board.tile_sets[r][c],
                    board.confidence[r][c],
                )
    panels = tuple(part.to_json() for part in parts)
    found = list({id(p.found): p.found for p in parts}.values())
    errors = [p["error"] for p in panels if p["error"] is not None]
    nothing = len(errors) == len(panels)
    board = Board(
        rows=tuple("".join(sign for sign, *_ in row) for row in whole),
        turns=tuple("".join(turn for _, turn, *_ in row) for row in whole),
        tile_sets=tuple("".join(tile_set for *_, tile_set, _ in row) for row in whole),
        confidence=tuple(tuple(sure for *_, sure in row) for row in whole),
        panels=panels,
    )
    return Reading(
        file=found[0].file if found else "",
        boards=() if nothing else (board,),
        loose=(),
        words=(),
        ms=_times(found),
        error=Problem(**errors[0]) if nothing and errors else None,
        overlay_file=None,
    )


def _times(found: Sequence[FileReading]) -> dict[str, float]:
    total = {"decode": sum(f.decode_ms for f in found)}
    for reading in (f.reading for f in found if f.reading is not None):
        for stage, value in reading.ms.items():
            total[stage] = total.get(stage, 0.0) + value
    return {stage: round(value, 2) for stage, value in total.items()}
