"""Cuts single squares out of a straightened board."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import (
    BoardGeometry,
    Picture,
    Pyramid,
    box_around,
    shrink_of,
)

SQUARE_PX: Final = 42
CUT_PX: Final = 60
NODES: Final = 4
"""Points along a side of a square that are mapped exactly; between them is close to even."""
WORTH_A_CHANNEL: Final = 8
"""Pixels of four bytes are cut out twice as fast; to make one of three takes an eighth of that."""


@lru_cache
def _between(px: int) -> NDArray[np.float32]:
    """(px, NODES) interpolation weights of nodes for pixels along a side."""
    at = (np.arange(px)[:, None] + 0.5) * ((NODES - 1) / px) - np.arange(NODES)
    return np.asarray(np.maximum(0, 1 - np.abs(at)), np.float32)


@lru_cache
def _nodes(squares: float) -> NDArray[np.float64]:
    """(NODES, NODES, 2) positions in squares, for a cut so many squares wide."""
    along = np.linspace(-0.5, 0.5, NODES) * squares + 0.5
    return np.stack(np.meshgrid(along, along), -1)


def cut_squares(
    straight: NDArray[np.uint8],
    squares: NDArray[np.int64],
    surround: int = 1,
    square_px: int = SQUARE_PX,
    cut_px: int = CUT_PX,
) -> NDArray[np.uint8]:
    """Pictures of squares with a margin of their neighbours.

    Args:
        straight: (h, w, 3) board with `surround` squares around it.
        squares: (N, 2) rows and columns.
        surround: squares of surround in the picture.
        square_px: side of a square in the picture.
        cut_px: side of what is cut out.

    Returns:
        (N, cut_px, cut_px, 3).
    """
    pad = (cut_px - square_px) // 2
    out = np.empty((len(squares), cut_px, cut_px, 3), np.uint8)
    for i, (r, c) in enumerate(squares):
        y, x = (int(r) + surround) * square_px - pad, (int(c) + surround) * square_px - pad
        out[i] = straight[y : y + cut_px, x : x + cut_px]
    return out


def squares_of(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    where: NDArray[np.int64],
    side: int = CUT_PX,
    square_px: int = SQUARE_PX,
) -> NDArray[np.uint8]:
    """Pictures of some squares with a small margin, straight from the photograph.

    Args:
        picture: (h, w, 3) BGR, or its pyramid.
        geometry: where the board lies; its squares are cut out where the tops of tiles lie.
        where: (N, 2) rows and columns.
        side: pixels of each to be cut out.
        square_px: pixels a square.

    Returns:
        (N, side, side, 3); black beyond the picture's edge.
    """
    if len(where) == 0:
        return np.empty((0, side, side, 3), np.uint8)
    pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
    part, scale = pyramid.nearest(shrink_of(geometry, square_px))
    # Nodes are mapped exactly, and evenly between them.
    tops = geometry.tops
    px = tops.to_px(where[:, None, None, ::-1] + _nodes(side / square_px)) * scale
    first = 0, 0
    # To give a picture a fourth channel pays only where many of its pixels are asked for.
    box = left, top, right, bottom = box_around(px, part.shape[1], part.shape[0])
    if len(where) * side**2 * WORTH_A_CHANNEL > (right - left) * (bottom - top):
        part, first = pyramid.for_warping(scale, box), (left, top)
    px = (px - 0.5).astype(np.float32)
    between = _between(side)
    # A square's pixels make one line: the remainders of short ones would take half of the time.
    x, y = (
        np.matmul(np.matmul(between, px[..., k]), between.T).reshape(-1, side**2)
        - np.float32(first[k])
        for k in (0, 1)
    )
    cuts = cv2.remap(part, x, y, cv2.INTER_LINEAR)
    if part.shape[2] == 4:
        cuts = cv2.cvtColor(cuts, cv2.COLOR_BGRA2BGR)
    return np.asarray(cuts, np.uint8).reshape(-1, side, side, 3)


def moved(cuts: NDArray[np.uint8], by: tuple[int, int]) -> NDArray[np.uint8]:
    """Pictures (N, h, w, ...) shifted cyclically down and right."""
    down, right = by
    if down:
        cuts = np.concatenate([cuts[:, -down:], cuts[:, :-down]], axis=1)
    if right:
        cuts = np.concatenate([cuts[:, :, -right:], cuts[:, :, :-right]], axis=2)
    return cuts


def pixels_within(straight: NDArray[np.uint8], square_px: int, within: slice) -> NDArray[np.void]:
    """(n, n, k, k) some pixels of every square, inset by `within`.

    Each is one piece of three bytes, which is picked out quicker than three; no copy is made.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        within: pixels along a side of a square.
    """
    n = straight.shape[0] // square_px - 2
    inner = straight.view("V3")[square_px:-square_px, square_px:-square_px, 0]
    squares = inner.reshape(n, square_px, n, square_px).swapaxes(1, 2)
    return squares[:, :, within, within]


@lru_cache
def mirror_images(n: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """(n * n, 8) mirror images of every square, and which of them are new.

    Premium squares lie the same way in a mirror on every board we know.
    """
    square = np.arange(n * n).reshape(n, n)
    both = [y for x in (square, square.T) for y in (x, x[::-1], x[:, ::-1], x[::-1, ::-1])]
    images = np.stack([x.ravel() for x in both], 1)
    new = np.array([[x not in row[:k] for k, x in enumerate(row)] for row in images.tolist()])
    new[:, 0] = False  # the square itself
    return images, new
