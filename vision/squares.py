"""Cutting single squares out of a straightened board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SQUARE_PX = 42
CUT_PX = 60


def cut_squares(
    straight: NDArray[np.uint8], squares: NDArray[np.int64], surround: int = 1
) -> NDArray[np.uint8]:
    """Squares with a little of their neighbours.

    Args:
        straight: (h, w, 3) board at `SQUARE_PX` a square, with `surround` squares around it.
        squares: (N, 2) rows and columns.
        surround: squares of surround in the picture.

    Returns:
        (N, CUT_PX, CUT_PX, 3).
    """
    pad = (CUT_PX - SQUARE_PX) // 2
    out = np.empty((len(squares), CUT_PX, CUT_PX, 3), np.uint8)
    for i, (r, c) in enumerate(squares):
        y, x = (int(r) + surround) * SQUARE_PX - pad, (int(c) + surround) * SQUARE_PX - pad
        out[i] = straight[y : y + CUT_PX, x : x + CUT_PX]
    return out
