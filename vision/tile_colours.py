"""Telling two sets of tiles apart by colour, whatever the colours are."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

MIN_APART = 26.0
"""CIELAB distance from which two groups of tiles are two sets."""


def tile_body_colours(
    straight: NDArray[np.uint8], tiles: NDArray[np.bool_], square_px: int, surround: int = 1
) -> NDArray[np.float32]:
    """The body colour of every tile, (K, 3) CIELAB, in the order of `np.argwhere(tiles)`.

    The body is what most of a tile shows: the median is not moved by a letter.
    """
    # Every other pixel of every other line is plenty for a median.
    thin = np.ascontiguousarray(straight[::2, ::2]).astype(np.float32) / 255
    lab = cv2.cvtColor(thin, cv2.COLOR_BGR2Lab)
    out = np.zeros((int(tiles.sum()), 3), np.float32)
    px = square_px / 2
    for i, (r, c) in enumerate(np.argwhere(tiles)):
        (y0, y1), (x0, x1) = (
            (int((v + surround + 0.2) * px), int((v + surround + 0.8) * px)) for v in (r, c)
        )
        out[i] = np.median(lab[y0:y1, x0:x1].reshape(-1, 3), axis=0)
    return out


def split_colours(
    straight: NDArray[np.uint8], tiles: NDArray[np.bool_], square_px: int, surround: int = 1
) -> NDArray[np.str_]:
    """`a` or `b` for every tile, `.` elsewhere; `a` is the set with more tiles.

    Args:
        straight: ((n + 2 * surround) * square_px squared, 3) BGR.
        tiles: (n, n) which squares hold tiles.
        square_px: side of a square.
        surround: squares of surround in the picture.
    """
    out = np.full(tiles.shape, ".", dtype="<U1")
    where = np.argwhere(tiles)
    if len(where) == 0:
        return out
    out[tiles] = "a"
    if len(where) < 2:
        return out
    lab = tile_body_colours(straight, tiles, square_px, surround)
    # Light falls off across a board: brightness counts less than hue.
    points = lab * np.array([0.7, 1.0, 1.0], np.float32)
    spread = points - points.mean(0)
    axis = np.linalg.svd(spread, full_matrices=False)[2][0]
    t = spread @ axis
    low = t < (t.min() + t.max()) / 2
    for _ in range(12):
        if low.all() or not low.any():
            return out
        centres = points[low].mean(0), points[~low].mean(0)
        nearer = np.linalg.norm(points - centres[0], axis=1) < np.linalg.norm(
            points - centres[1], axis=1
        )
        if (nearer == low).all():
            break
        low = nearer
    if low.all() or not low.any():
        return out
    apart = float(np.linalg.norm(np.median(points[low], 0) - np.median(points[~low], 0)))
    within = np.concatenate(
        [np.linalg.norm(points[g] - np.median(points[g], 0), axis=1) for g in (low, ~low)]
    )
    if apart < MIN_APART or apart < 3.0 * float(np.median(within)):
        return out
    second = low if low.sum() < (~low).sum() else ~low
    for (r, c), other in zip(where, second, strict=True):
        out[r, c] = "b" if other else "a"
    return out
