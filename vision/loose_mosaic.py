"""Cutting loose tiles out of a picture and laying them out as the board reader wants them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

TILE_SHARE = 0.9
"""A tile's side as a part of the square it is laid on."""
REACH = 0.9
"""How far from a tile's middle, in sides, what is cut out for it reaches: to its corners."""
SHRINK_BELOW = 0.7


def mosaic(
    picture: NDArray[np.uint8], spots: NDArray[np.float64], square_px: int
) -> NDArray[np.uint8]:
    """Up to 225 tiles, turned upright, in rows of 15, with one empty square around.

    Args:
        picture: (h, w, 3) BGR.
        spots: (N, 4) centre x, y and side in pixels, clockwise angle in degrees.
        square_px: side of a square in the result.

    Returns:
        (17 * square_px, 17 * square_px, 3).
    """
    n = 17 * square_px
    out = np.zeros((n, n, 3), np.uint8)
    if len(spots) == 0:
        return out
    out[:] = np.median(
        picture[:: max(1, picture.shape[0] // 50), :: max(1, picture.shape[1] // 50)].reshape(
            -1, 3
        ),
        axis=0,
    )
    scale = TILE_SHARE * square_px / float(np.median(spots[:, 2]))
    for i, (x_px, y_px, side, angle) in enumerate(spots[:225]):
        small, (x0, y0), (sx, sy) = _around(picture, (x_px, y_px), side, scale)
        x, y = x_px - x0, y_px - y0
        r, c = divmod(i, 15)
        k = side / (TILE_SHARE * square_px)  # picture pixels for each result pixel
        a = np.deg2rad(angle)
        cos, sin = k * np.cos(a), k * np.sin(a)
        mid = (square_px - 1) / 2
        m = np.array(
            [
                [cos * sx, -sin * sx, (x - cos * mid + sin * mid) * sx - 0.5],
                [sin * sy, cos * sy, (y - sin * mid - cos * mid) * sy - 0.5],
            ],
            np.float64,
        )
        patch = cv2.warpAffine(
            small,
            m,
            (square_px, square_px),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        top, left = (r + 1) * square_px, (c + 1) * square_px
        out[top : top + square_px, left : left + square_px] = patch
    return out


def _around(
    picture: NDArray[np.uint8], centre: tuple[float, float], side: float, scale: float
) -> tuple[NDArray[np.uint8], tuple[int, int], tuple[float, float]]:
    """The part of the picture that a tile lies in, its corner, and how much it was shrunk.

    It is shrunk by area to a little more than it will be, so that the warp skips no pixels.
    """
    h, w = picture.shape[:2]
    x0, y0 = (
        int(np.clip(v - REACH * side, 0, n - 1)) for v, n in zip(centre, (w, h), strict=True)
    )
    x1, y1 = (
        int(np.clip(v + REACH * side + 1, low + 1, n))
        for v, low, n in zip(centre, (x0, y0), (w, h), strict=True)
    )
    part = picture[y0:y1, x0:x1]
    if scale >= SHRINK_BELOW:
        return part, (x0, y0), (1.0, 1.0)
    size = (max(1, round((x1 - x0) * scale * 1.25)), max(1, round((y1 - y0) * scale * 1.25)))
    small = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small, (x0, y0), (size[0] / (x1 - x0), size[1] / (y1 - y0))
