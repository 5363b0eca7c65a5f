"""Telling two sets of tiles apart by colour, whatever the colours are."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

MIN_APART = 26.0
"""CIELAB distance from which two groups of tiles are two sets."""


def square_colours(
    straight: NDArray[np.uint8],
    square_px: int,
    where: NDArray[np.bool_] | None = None,
    surround: int = 1,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What colour most of every square's middle and most of its edge has, (n, n, 3) CIELAB each.

    Of a tile both are its body: a median is not moved by a letter. A patch printed on a blank
    fills the middle and leaves the edge.

    Args:
        straight: ((n + 2 * surround) * square_px squared, 3) BGR.
        square_px: side of a square, even.
        where: (n, n) which squares are wanted, or None for all; the others are left black.
        surround: squares of surround in the picture.
    """
    n = straight.shape[0] // square_px - 2 * surround
    out = surround * square_px
    inner = straight[out : out + n * square_px, out : out + n * square_px]
    # Every other pixel of every other line is plenty for a median.
    px = square_px // 2
    squares = inner[::2, ::2].reshape(n, px, n, px, 3).swapaxes(1, 2)
    wanted = np.ones((n, n), bool) if where is None else where
    lo, hi = int(0.2 * px), int(0.8 * px)
    near = round(0.17 * px)
    first, last = min(lo, near), max(hi, px - near)
    part = squares[..., first:last, first:last, :][wanted]
    flat = part.reshape(-1, last - first, 3).astype(np.float32) / 255
    lab = cv2.cvtColor(flat, cv2.COLOR_BGR2Lab).reshape(part.shape) if len(part) else flat
    edge = np.zeros((px, px), bool)
    edge[near : px - near, near : px - near] = True
    edge[near + 1 : px - near - 1, near + 1 : px - near - 1] = False
    middles, edges = np.zeros((n, n, 3), np.float32), np.zeros((n, n, 3), np.float32)
    if len(part):
        in_part = slice(lo - first, hi - first)
        middles[wanted] = _median(lab[:, in_part, in_part].reshape(len(part), -1, 3))
        edges[wanted] = _median(lab[:, edge[first:last, first:last]])
    return middles, edges


def _median(values: NDArray[Any]) -> NDArray[np.float32]:
    """The medians of (K, pixels, 3) over the pixels, (K, 3)."""
    rows = np.ascontiguousarray(values.swapaxes(1, 2))
    half = rows.shape[-1] // 2
    return np.asarray(np.partition(rows, half, axis=-1)[..., half], np.float32)


def split_colours(colours: NDArray[np.float32], tiles: NDArray[np.bool_]) -> NDArray[np.str_]:
    """`a` or `b` for every tile, `.` elsewhere; `a` is the set with more tiles.

    Args:
        colours: (n, n, 3) CIELAB of every square.
        tiles: (n, n) which squares hold tiles.
    """
    out = np.full(tiles.shape, ".", dtype="<U1")
    where = np.argwhere(tiles)
    if len(where) == 0:
        return out
    out[tiles] = "a"
    if len(where) < 2:
        return out
    # Light falls off across a board: brightness counts less than hue.
    points = colours[tiles] * np.array([0.7, 1.0, 1.0], np.float32)
    if np.linalg.norm(points.max(0) - points.min(0)) < MIN_APART:
        return out  # no two of them are so far apart
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
