"""The page of corner markers that `kibitz print markers` and `kibitz calibrate` write."""

from __future__ import annotations

from functools import partial
from typing import Final

from kibitz.app.cli.printing.canvas import PAPERS_MM, Canvas, Sheet
from kibitz.app.cli.printing.sheets import check_line
from kibitz.calibration.markers import CORNER_IDS, MARKER_MM, marker_cells

NAMES = ("row A, column 1", "row A, last column", "last row, last column", "last row, column 1")
TOUCHES: Final = ((1, 1), (0, 1), (0, 0), (1, 0))
"""The corner of each marker that lies on the playing area: right of it or left, below or above."""
LEFT_MM: Final = 34.0
TOP_MM: Final = 42.0
APART_MM: Final = (85.0, 110.0)
"""From one marker to the next, across and down."""
ARROW_MM: Final = 10.0
HEAD_MM: Final = 3.0
LINE_MM: Final = 0.4
TYPE_MM: Final = 5.0
OVERLAP_MM: Final = 0.1
"""White cells side by side overlap, so that no printer leaves a seam between them."""
LINES = (
    "Print at 100 %: this line is 100 mm long.",
    "Lay each marker outside its corner,",
    "the arrow's tip on the corner of the playing area.",
)


def marker_page(paper: str) -> Sheet:
    """Four corner markers at true size, each with an arrow to its corner of the board.

    Args:
        paper: `a4` or `letter`.
    """
    return partial(_draw, paper)


def _draw(paper: str, canvas: Canvas) -> None:
    for k, (marker, name, (right, below)) in enumerate(
        zip(CORNER_IDS, NAMES, TOUCHES, strict=True)
    ):
        x, y = LEFT_MM + k % 2 * APART_MM[0], TOP_MM + k // 2 * APART_MM[1]
        beside = (
            -TYPE_MM - HEAD_MM if below else MARKER_MM + TYPE_MM + HEAD_MM
        )  # where no arrow is
        canvas.text(x - 5, y + beside, name, TYPE_MM, "lm")
        _marker(canvas, marker, x, y)
        _arrow(
            canvas,
            (x + right * MARKER_MM, y + below * MARKER_MM),
            (1 if right else -1, 1 if below else -1),
        )
    foot = PAPERS_MM[paper][1] - 26
    for k, line in enumerate(LINES):
        canvas.text(LEFT_MM - 9, foot - 26 + TYPE_MM * 3 / 2 * k, line, TYPE_MM, "lm")
    check_line(canvas, LEFT_MM - 9, foot)


def _marker(canvas: Canvas, number: int, x: float, y: float) -> None:
    cells = marker_cells(number)
    side = MARKER_MM / len(cells)
    canvas.box(x, y, MARKER_MM, MARKER_MM, 0)
    for row, line in enumerate(cells):
        for col, white in enumerate(line):
            if white:  # the outermost cells of a marker are black: there is one beside every cell
                wide = side + OVERLAP_MM * line[col + 1]
                high = side + OVERLAP_MM * cells[row + 1][col]
                canvas.box(x + col * side, y + row * side, wide, high, 255)


def _arrow(canvas: Canvas, tip: tuple[float, float], away: tuple[int, int]) -> None:
    """An arrow from the playing area's side to the marker's corner."""
    (x, y), (right, down) = tip, away
    canvas.line(x + right * ARROW_MM, y + down * ARROW_MM, x, y, LINE_MM)
    canvas.line(x, y, x + right * HEAD_MM, y, LINE_MM)
    canvas.line(x, y, x, y + down * HEAD_MM, LINE_MM)
