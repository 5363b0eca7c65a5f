"""Cutting single squares out of a straightened board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SQUARE_PX = 42
CUT_PX = 60


def cut_squares(
    straight: NDArray[np.uint8],
    squares: NDArray[np.int64],
    surround: int = 1,
    square_px: int = SQUARE_PX,
    cut_px: int = CUT_PX,
) -> NDArray[np.uint8]:
    """Squares with a little of their neighbours.

    Args:
        straight: (h, w, 3) board at `square_px` a square, with `surround` squares around it.
        squares: (N, 2) rows and columns.
        surround: squares of surround in the picture.
        square_px: side of a square in `straight`.
        cut_px: side of what is cut out around it.

    Returns:
        (N, cut_px, cut_px, 3).
    """
    pad = (cut_px - square_px) // 2
    out = np.empty((len(squares), cut_px, cut_px, 3), np.uint8)
    for i, (r, c) in enumerate(squares):
        y, x = (int(r) + surround) * square_px - pad, (int(c) + surround) * square_px - pad
        out[i] = straight[y : y + cut_px, x : x + cut_px]
    return out
