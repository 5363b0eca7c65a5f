"""Fleet sheets to print: a secret map for each player, with coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from kibitz.app.cli.printing.canvas import PAPERS_MM, Canvas, Sheet
from kibitz.app.cli.printing.sheets import MARGIN_MM, TYPE_MM
from kibitz.engine.games import INFOS
from kibitz.engine.table import SIDE, Square

RIM_MM: Final = 9.0
"""Room for the coordinates on each side of the grid."""
HEAD_MM: Final = 24.0
SHADE: Final = 205
"""The grey of squares where this player's ships may not lie."""
FINE_MM: Final = 0.25
HEAVY_MM: Final = 0.9


def grid_side_mm(paper: str) -> float:
    """Side of one square on a sheet: as large as the paper allows."""
    width, _ = PAPERS_MM[paper]
    return (width - 2 * MARGIN_MM - 2 * RIM_MM) / SIDE


def zones_for(players: int) -> tuple[frozenset[Square], ...]:
    """Zone of each player in seating order (SS-5); else the whole board."""
    info = next(i for i in INFOS if i.surface.markers)
    whole = frozenset(Square(r, c) for r in range(SIDE) for c in range(SIDE))
    if info.marker_zones is None or players not in info.players:
        return (whole,) * players
    return info.marker_zones(players)


def grid_sheet(name: str, zone: frozenset[Square], paper: str, canvas: Canvas) -> None:
    """Draw one player's sheet: the grid with their zone in white, and the fleet below.

    Args:
        name: whose it is.
        zone: the squares on which the fleet may lie.
        paper: `a4` or `letter`.
        canvas: what it is drawn on.
    """
    side, left, top = grid_side_mm(paper), MARGIN_MM + RIM_MM, MARGIN_MM + HEAD_MM + RIM_MM
    canvas.text(MARGIN_MM, MARGIN_MM + 7, f"{name}: the fleet", 2 * TYPE_MM, "lm")
    hint = "Keep it secret. Draw each ship on white squares, then tick what is hit."
    canvas.text(MARGIN_MM, MARGIN_MM + 17, hint, TYPE_MM, "lm")
    for row in range(SIDE):
        for col in range(SIDE):
            if Square(row, col) not in zone:
                canvas.box(left + col * side, top + row * side, side, side, SHADE)
    end_x, end_y = left + SIDE * side, top + SIDE * side
    for k in range(SIDE + 1):
        wide = HEAVY_MM if k in (0, SIDE) else FINE_MM
        canvas.line(left + k * side, top, left + k * side, end_y, wide)
        canvas.line(left, top + k * side, end_x, top + k * side, wide)
    for k in range(SIDE):
        middle = (k + 0.5) * side
        for x in (left - RIM_MM / 2, end_x + RIM_MM / 2):
            canvas.text(x, top + middle, chr(65 + k), TYPE_MM)
        for y in (top - RIM_MM / 2, end_y + RIM_MM / 2):
            canvas.text(left + middle, y, str(k + 1), TYPE_MM)
    _fleet(canvas, end_y + RIM_MM + 6, PAPERS_MM[paper][0])


def _fleet(canvas: Canvas, top: float, width: float) -> None:
    """Draw each ship with a box for each of its squares (SS-4)."""
    box, x, y = 6, MARGIN_MM, top
    for ship, length in next(i for i in INFOS if i.surface.markers).surface.markers.items():
        if x + 30 + length * box > width - MARGIN_MM:
            x, y = MARGIN_MM, y + 10
        canvas.text(x, y + box / 2, ship, TYPE_MM, "lm")
        for k in range(length):
            canvas.box(x + 27 + k * box, y, box, box, None, FINE_MM)
        x += 62


def grid_sheets(names: Sequence[str], paper: str) -> list[Sheet]:
    """A sheet for each player, in seating order."""
    zones = zones_for(len(names))
    return [
        partial(grid_sheet, name, zone, paper) for name, zone in zip(names, zones, strict=True)
    ]
