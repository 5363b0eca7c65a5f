"""Details of a view: the straightened board, one square with its letters, a loose tile."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.app.observers.board_views import RowA, align
from kibitz.engine.table import Grid, Square
from kibitz.engine.tracking.evidence.loose_table import UpTile
from kibitz.engine.tracking.evidence.priors import SEARCH
from kibitz.vision.frame import Picture
from kibitz.vision.overlay import bgr
from kibitz.vision.readings import PhotoReading

AROUND: Final = 0.55
"""So much of the board beside a tile is shown with it, in squares."""
BOARD_PX: Final = 900
"""The side of a straightened board."""
SIDE_PX: Final = 240
"""The side of the picture of a tile."""
_DARK, _LIGHT = bgr("#282828"), bgr("#ffd250")


@dataclass(frozen=True, slots=True, eq=False)
class SeenSquare:
    """Reading of one square in a picture.

    Attributes:
        letters: the likely letters of a tile there with their probabilities, the likeliest first.
        corners_px: (4, 2) x, y: where the whole board lies in the picture, row A first.
        rows: squares along a side of that board.
    """

    letters: tuple[tuple[str, float], ...]
    corners_px: NDArray[np.float64]
    rows: int


def straight_board(picture: Picture, reading: PhotoReading, known: Grid) -> Picture | None:
    """The playing area seen from straight above, row A at the top.

    Nothing beside the board is in it: racks may lie there.

    Args:
        picture: (h, w, 3) uint8 BGR.
        reading: what was read off it.
        known: what lies on the board as the game has it; it tells which edge is row A.

    Returns:
        (900, 900, 3) uint8 BGR; None where the board is not in the picture as a whole.
    """
    row_a = RowA()
    if align(reading.boards, known, fixed_top=False, row_a=row_a) is None or row_a.corners is None:
        return None
    side = float(BOARD_PX)
    shown = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    flat = cv2.getPerspectiveTransform(row_a.corners.astype(np.float32), shown)
    size = (BOARD_PX, BOARD_PX)
    return np.asarray(cv2.warpPerspective(picture, flat, size, flags=cv2.INTER_AREA), np.uint8)


def seen_square(reading: PhotoReading, known: Grid, square: Square) -> SeenSquare | None:
    """Reading of a square; None unless the whole board is in the picture.

    Args:
        reading: what was read off the picture.
        known: what lies on the board as the game has it; it tells which edge is row A.
        square: the square.
    """
    row_a = RowA()
    found = align(reading.boards, known, fixed_top=False, row_a=row_a)
    if found is None or row_a.corners is None:
        return None
    view, _ = found
    likely = sorted(view[square].letters.items(), key=lambda x: -x[1])
    return SeenSquare(tuple(likely[: SEARCH.offered]), row_a.corners, known.rows)


def loose_picture(picture: Picture, reading: PhotoReading, tile: UpTile) -> Picture | None:
    """Picture of a loose tile, with little around it.

    Args:
        picture: (h, w, 3) uint8 BGR.
        reading: what was read off it.
        tile: the tile as it was seen before.

    Returns:
        (240, 240, 3) uint8 BGR; None where no tile lies there now.
    """
    there = min(
        (x for x in reading.loose if x.face_up),
        key=lambda x: math.dist(x.centre_px, tile.centre),
        default=None,
    )
    if there is None or math.dist(there.centre_px, tile.centre) >= tile.size / 2:
        return None
    wide = there.size_px * (1 + 2 * AROUND)
    scale = SIDE_PX / wide
    x, y = there.centre_px
    move = np.array([[scale, 0, SIDE_PX / 2 - scale * x], [0, scale, SIDE_PX / 2 - scale * y]])
    size = (SIDE_PX, SIDE_PX)
    return np.asarray(cv2.warpAffine(picture, move, size, flags=cv2.INTER_AREA), np.uint8)


def square_picture(picture: Picture, seen: SeenSquare, square: Square) -> Picture:
    """Picture of a tile from straight above, row A at the top, framed.

    Nothing beside the board is shown: racks may lie there.

    Args:
        picture: (h, w, 3) uint8 BGR.
        seen: where the board lies in it.
        square: which square.

    Returns:
        (240, 240, 3) uint8 BGR.
    """
    n, wide = float(seen.rows), 1 + 2 * AROUND
    left = min(max(square.col - AROUND, 0.0), n - wide)
    top = min(max(square.row - AROUND, 0.0), n - wide)
    board = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float64)
    shown = (board - [left, top]) * (SIDE_PX / wide)
    corners = seen.corners_px.astype(np.float32)
    flat = cv2.getPerspectiveTransform(corners, shown.astype(np.float32))
    size = (SIDE_PX, SIDE_PX)
    shot = np.asarray(cv2.warpPerspective(picture, flat, size, flags=cv2.INTER_AREA), np.uint8)
    scale = SIDE_PX / wide
    first = round((square.col - left) * scale), round((square.row - top) * scale)
    last = first[0] + round(scale) - 1, first[1] + round(scale) - 1
    for colour, width in ((_DARK, 4), (_LIGHT, 2)):
        cv2.rectangle(shot, first, last, colour, width, cv2.LINE_AA)
    return shot
