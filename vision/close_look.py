"""A square whose letter is in doubt is looked at again: a little to the side, and in grey.

A closer look that hesitates between two letters often changes its mind when the square is cut
a little differently, and a strong colour may hide a letter that is plain in grey. The mean of
three such looks is right more often than the first one alone. Where it is still torn between two
letters the square is looked at from above and below too. Doubtful ones of a watched table are
looked at from all sides at once, in colour and in grey.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

DOUBT = 4.0
"""Squares whose second letter is less likely by no more than this (natural logs) are doubtful."""
TORN = 1.5
"""Those whose second letter comes so near after further looks get two more."""
LIKELY = 0.5
"""Of squares that hold a tile with less probability the letter does not matter."""
ASIDE_PX = 2
"""How far to the side a square is looked at again."""
LEFT_AND_RIGHT = ((0, -ASIDE_PX), (0, ASIDE_PX))
_STEPS = (0, -ASIDE_PX, ASIDE_PX)
EVERYWHERE = tuple(product(_STEPS, _STEPS))
UP_AND_DOWN = ((-ASIDE_PX, 0), (ASIDE_PX, 0))
_GREY = np.array([0.114, 0.587, 0.299], np.float32)


def lead(letter: NDArray[np.float32]) -> NDArray[np.float32]:
    """By how much (natural logs) the likeliest letter leads, (N, letters) to (N,)."""
    best = np.partition(letter, -2, axis=-1)
    return np.asarray(best[:, -1] - best[:, -2])


def looks_again(
    cuts: NDArray[np.uint8], moves: Sequence[tuple[int, int]], *, colour: bool = False
) -> list[NDArray[np.uint8]]:
    """Squares as they look in grey from a little aside.

    Args:
        cuts: (N, h, w, 3) squares with some of their surroundings.
        moves: by how many pixels further down and right.
        colour: from aside in colour too.
    """
    shades = (cuts @ _GREY).astype(np.uint8)
    grey = np.repeat(shades[..., None], 3, -1)
    looks = [_moved(grey, move) for move in moves]
    return looks + [_moved(cuts, move) for move in moves if colour and any(move)]


def _moved(cuts: NDArray[np.uint8], by: tuple[int, int]) -> NDArray[np.uint8]:
    """What leaves a square on one side comes in on the other."""
    return np.roll(cuts, by, axis=(1, 2))
