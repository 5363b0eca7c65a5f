"""Cutting loose tiles out of a picture and laying them out as the board reader wants them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

TILE_SHARE = 0.9
"""A tile's side as a part of the square it is laid on."""


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
    small = picture
    if scale < 0.7:  # shrink by area once; the warps below are then near full size
        shrink = scale * 1.25
        area = cv2.INTER_AREA
        small = np.asarray(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=area))
    sx, sy = small.shape[1] / picture.shape[1], small.shape[0] / picture.shape[0]
    for i, (x, y, side, angle) in enumerate(spots[:225]):
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
        y0, x0 = (r + 1) * square_px, (c + 1) * square_px
        out[y0 : y0 + square_px, x0 : x0 + square_px] = patch
    return out
