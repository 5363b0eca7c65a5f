"""How far a doubtful tile looks like each of the other tiles of its board: one set looks alike.

Nothing shows better what an L of this set looks like than its other Ls, in the same print,
before the same camera and in the same light. Which of the others is an L the game knows; here
is only measured what looks alike.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

HESITANT = 3.0
"""A letter is doubtful where another is less likely by no more than this (natural logs)."""
MAYBE_TILE, SURELY_TILE = 0.5, 0.95
FACE_PX = 32
REACH_PX = 6
"""Tiles lie a little askew on their squares: a face is looked for so far around."""

Cell = tuple[int, int]
Alike = Mapping[Cell, Mapping[Cell, float]]
Grey = NDArray[np.uint8]


def doubtful(tile: NDArray[np.float32], letter: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which squares hold a tile whose letter is doubtful.

    Args:
        tile: (n, n) probability of a tile.
        letter: (n, n, letters) log probabilities, the blank last.
    """
    near = (letter >= letter.max(-1, keepdims=True) - HESITANT).sum(-1)
    return np.asarray((tile > MAYBE_TILE) & (near > 1) & _lettered(letter))


def _lettered(letter: NDArray[np.float32]) -> NDArray[np.bool_]:
    return np.asarray(letter.argmax(-1) < letter.shape[-1] - 1)


def likenesses(
    where: NDArray[np.int64],
    cuts: NDArray[np.uint8],
    tile: NDArray[np.float32],
    letter: NDArray[np.float32],
    turn: NDArray[np.float32],
) -> Alike:
    """For every tile whose letter is doubtful: how well each other tile correlates with it.

    Args:
        where: (N, 2) rows and columns of all squares that may hold a tile.
        cuts: (N, h, w, 3) those squares as `vision.squares` cuts them.
        tile: (n, n) probability of a tile.
        letter: (n, n, letters) log probabilities, the blank last.
        turn: (n, n, 4) log probabilities; only tiles that face the same way are compared.

    Returns:
        For (row, column) of each doubtful tile those of the others, each with at most 1.
    """
    grey = {
        (int(r), int(c)): np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY), np.uint8)
        for (r, c), cut in zip(where, cuts, strict=True)
    }
    ways, doubt = turn.argmax(-1), doubtful(tile, letter)
    shown = (tile > SURELY_TILE) & _lettered(letter)
    out: dict[Cell, dict[Cell, float]] = {}
    for cell in (c for c in grey if doubt[c]):
        face = _middle(grey[cell], FACE_PX)
        out[cell] = {
            other: _correlation(face, _middle(cut, FACE_PX + 2 * REACH_PX))
            for other, cut in grey.items()
            if other != cell and shown[other] and ways[other] == ways[cell]
        }
    return out


def turned(alike: Alike, size: int, quarters: int) -> Alike:
    """The same on a board whose first corner moved on by quarter turns clockwise."""

    def place(cell: Cell) -> Cell:
        row, col = cell
        for _ in range(quarters % 4):
            row, col = size - 1 - col, row
        return row, col

    return {place(s): {place(o): x for o, x in to.items()} for s, to in alike.items()}


def _middle(cut: Grey, side: int) -> Grey:
    """The middle of a square that was cut out."""
    low = (cut.shape[0] - side) // 2
    return cut[low : low + side, low : low + side]


def _correlation(face: Grey, other: Grey) -> float:
    """How well one face correlates with another, wherever it lies best."""
    return float(cv2.matchTemplate(other, face, cv2.TM_CCOEFF_NORMED).max())
