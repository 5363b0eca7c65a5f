"""Cuts out loose tiles and lays them out as the board reader needs them."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import FINER, Pyramid
from kibitz.engine.table import SIDE

TILE_SHARE: Final = 0.9
"""A tile's side as a part of the square it is laid on."""
ROW: Final = SIDE


def mosaic(
    picture: NDArray[np.uint8] | Pyramid,
    spots: NDArray[np.float64],
    square_px: int,
    rows: int = ROW,
) -> NDArray[np.uint8]:
    """Tiles turned upright, in rows of 15, with one empty square around.

    Args:
        picture: (h, w, 3) BGR, or its pyramid where it is looked at more than once.
        spots: (N, 4) centre x, y and side in pixels, clockwise angle in degrees.
        square_px: side of a square in the result.
        rows: how many rows there are; what finds no place is left out.

    Returns:
        ((rows + 2) * square_px, 17 * square_px, 3).
    """
    pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
    spots = spots[: rows * ROW]
    out = np.zeros(((rows + 2) * square_px, (ROW + 2) * square_px, 3), np.uint8)
    if len(spots) == 0:
        return out
    source, level = _source(pyramid, spots, square_px)
    h, w = source.shape[:2]
    few = source[:: max(1, h // 24), :: max(1, w // 24)].reshape(-1, 3)
    out[:] = np.sort(np.ascontiguousarray(few.T), axis=1)[:, len(few) // 2]
    for i, turned in enumerate(_to_source(spots, square_px, level)):
        r, c = divmod(i, ROW)
        top, left = (r + 1) * square_px, (c + 1) * square_px
        out[top : top + square_px, left : left + square_px] = cv2.warpAffine(
            source,
            turned,
            (square_px, square_px),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return out


def middles(
    pyramid: Pyramid, spots: NDArray[np.float64], square_px: int, edge_px: int, step: int
) -> NDArray[np.uint8]:
    """Middles of tiles as in `mosaic`, with fewer pixels.

    Args:
        pyramid: the picture.
        spots: (N, 4) as for `mosaic`.
        square_px: side of a square.
        edge_px: how much of each side of a square is left out.
        step: every so many pixels one is taken.

    Returns:
        (N, side, side, 3).
    """
    side = -(-(square_px - 2 * edge_px) // step)
    out = np.empty((len(spots), side, side, 3), np.uint8)
    if len(spots) == 0:
        return out
    source, level = _source(pyramid, spots, square_px)
    inner = np.array([(step, 0, edge_px), (0, step, edge_px), (0, 0, 1)], np.float64)
    for turned, middle in zip(_to_source(spots, square_px, level) @ inner, out, strict=True):
        cv2.warpAffine(
            source,
            turned,
            (side, side),
            dst=middle,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return out


def _source(
    pyramid: Pyramid, spots: NDArray[np.float64], square_px: int
) -> tuple[NDArray[np.uint8], float]:
    """The picture at a scale from which tiles are cut well, and that scale.

    A plain warp skips pixels when it shrinks: it starts from about the right size.
    """
    scale = TILE_SHARE * square_px / float(np.median(spots[:, 2]))
    return pyramid.nearest(min(1.0, scale * FINER))


def _to_source(spots: NDArray[np.float64], square_px: int, level: float) -> NDArray[np.float64]:
    """(N, 2, 3) maps from a tile's square to the picture shrunk to `level`."""
    x, y, side, angle = spots.T
    k = side / (TILE_SHARE * square_px) * level  # source pixels for each result pixel
    cos, sin = k * np.cos(np.deg2rad(angle)), k * np.sin(np.deg2rad(angle))
    mid = (square_px - 1) / 2
    # Coordinates count from a pixel's edge, the warp from its middle.
    across = np.stack([cos, -sin, x * level - cos * mid + sin * mid - 0.5], -1)
    down = np.stack([sin, cos, y * level - sin * mid - cos * mid - 0.5], -1)
    return np.stack([across, down], -2)
