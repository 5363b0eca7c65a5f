"""How far a doubtful tile looks like each of the other tiles of its board: one set looks alike.

Nothing shows better what an L of this set looks like than its other Ls, in the same print,
before the same camera and in the same light. Which of the others is an L the game knows; here
is only measured what looks alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

HESITANT = 3.0
"""A letter is doubtful where another is less likely by no more than this (natural logs)."""
CONCEIVABLE = 5.0
"""Tiles that share no letter within so many natural logs of their best need no comparison."""
MAYBE_TILE, SURELY_TILE = 0.5, 0.95
SURE_LETTER = 0.98
FEWEST_TWINS, MOST_TWINS = 3, 9
"""How many pairs of one letter tell how much alike such tiles look on this board."""
FACE_PX = 32
REACH_PX = 6
"""Tiles lie a little askew on their squares: a face is looked for so far around."""
LOOKED_AT_PX = FACE_PX + 2 * REACH_PX

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


def comparable(
    tile: NDArray[np.float32], letter: NDArray[np.float32], turn: NDArray[np.float32]
) -> dict[Cell, tuple[Cell, ...]]:
    """For every tile whose letter is doubtful: the tiles that may show one of its letters.

    Args:
        tile: (n, n) probability of a tile.
        letter: (n, n, letters) log probabilities, the blank last.
        turn: (n, n, 4) log probabilities; only tiles that face the same way are compared.
    """
    doubt = doubtful(tile, letter)
    if not doubt.any():
        return {}
    shown = (tile > SURELY_TILE) & _lettered(letter)
    ways = turn.argmax(-1)
    maybe = letter >= letter.max(-1, keepdims=True) - CONCEIVABLE
    out = {}
    for r, c in np.argwhere(doubt).tolist():
        others = shown & (ways == ways[r, c]) & (maybe & maybe[r, c])[..., :-1].any(-1)
        others[r, c] = False
        out[r, c] = tuple((i, j) for i, j in np.argwhere(others).tolist())
    return out


def twins(
    tile: NDArray[np.float32], letter: NDArray[np.float32], turn: NDArray[np.float32]
) -> list[tuple[Cell, Cell]]:
    """Pairs of tiles that surely show the same letter the same way round; arguments as above."""
    sure = (tile > SURELY_TILE) & _lettered(letter) & (letter.max(-1) > np.log(SURE_LETTER))
    shows = letter.argmax(-1) * 4 + turn.argmax(-1)
    groups: dict[int, list[Cell]] = {}
    for r, c in np.argwhere(sure).tolist():
        groups.setdefault(int(shows[r, c]), []).append((r, c))
    # One pair of every letter before a second of any: E is not the whole alphabet.
    pairs = [pair for cells in groups.values() for pair in enumerate(pairwise(cells))]
    return [pair for _, pair in sorted(pairs, key=lambda x: x[0])][:MOST_TWINS]


def likenesses(
    pairs: Mapping[Cell, tuple[Cell, ...]],
    where: NDArray[np.int64],
    cuts: NDArray[np.uint8],
    same: Sequence[tuple[Cell, Cell]] = (),
) -> tuple[Alike, float | None]:
    """How well tiles correlate with others, each with at most 1.

    Args:
        pairs: what is to be compared with what, as `comparable` says it.
        where: (N, 2) rows and columns of all these tiles.
        cuts: (N, h, w, 3) the middles of those squares, `LOOKED_AT_PX` high and wide or more.
        same: pairs of tiles that show the same letter, as `twins` says it.

    Returns:
        How well tiles correlate, and how well those pairs do if there are enough of them.
    """
    n, side = len(cuts), LOOKED_AT_PX
    if n == 0:
        return {cell: {} for cell in pairs}, None
    low = (cuts.shape[1] - side) // 2
    middle = np.ascontiguousarray(cuts[:, low : low + side, low : low + side])
    grey = cv2.cvtColor(middle.reshape(n * side, side, 3), cv2.COLOR_BGR2GRAY)
    cells: list[Cell] = [(int(r), int(c)) for r, c in where]
    faces: dict[Cell, Grey] = {
        cell: np.asarray(face, np.uint8)
        for cell, face in zip(cells, grey.reshape(n, side, side), strict=True)
    }
    usual = [_correlations(faces[a], {b: faces[b]})[b] for a, b in same]
    known = float(np.median(usual)) if len(usual) >= FEWEST_TWINS else None
    out = {
        cell: _correlations(faces[cell], {o: faces[o] for o in others}) if others else {}
        for cell, others in pairs.items()
    }
    return out, known


def still_known(alike: Alike, anew: NDArray[np.bool_]) -> Alike:
    """What is known of tiles that were not read anew, compared with others that were not."""
    return {
        cell: {other: x for other, x in to.items() if other != cell and not anew[other]}
        for cell, to in alike.items()
        if not anew[cell]
    }


def not_among(
    pairs: Mapping[Cell, tuple[Cell, ...]], known: Alike
) -> dict[Cell, tuple[Cell, ...]]:
    """The comparisons that are still to be made."""
    return {
        cell: tuple(other for other in others if other not in known.get(cell, ()))
        for cell, others in pairs.items()
    }


def usual_likeness(alike: Alike) -> float | None:
    """How far tiles of one letter look alike, where that is said: the same under all squares."""
    return next((to[cell] for cell, to in alike.items() if cell in to), None)


def joined(pairs: Mapping[Cell, tuple[Cell, ...]], known: Alike, new: Alike) -> Alike:
    """What was known and what was found out, of all that is to be compared."""
    return {
        cell: {o: (new[cell] if o in new[cell] else known[cell])[o] for o in others}
        for cell, others in pairs.items()
    }


def with_usual(alike: Alike, usual: float | None) -> Alike:
    """The same, with how far tiles of one letter look alike said under every square itself."""
    if usual is None:
        return alike
    return {cell: {**to, cell: usual} for cell, to in alike.items()}


def turned(alike: Alike, size: int, quarters: int) -> Alike:
    """The same on a board whose first corner moved on by quarter turns clockwise."""

    def place(cell: Cell) -> Cell:
        row, col = cell
        for _ in range(quarters % 4):
            row, col = size - 1 - col, row
        return row, col

    return {place(s): {place(o): x for o, x in to.items()} for s, to in alike.items()}


def _correlations(cut: Grey, others: Mapping[Cell, Grey]) -> dict[Cell, float]:
    """How well the face in one cut correlates with that in others, wherever it lies best."""
    if not others:
        return {}
    face = cut[REACH_PX:-REACH_PX, REACH_PX:-REACH_PX]
    # All in one picture: most of the time goes into starting.
    found = cv2.matchTemplate(np.concatenate(list(others.values())), face, cv2.TM_CCOEFF_NORMED)
    rows = 2 * REACH_PX + 1
    return {
        other: float(found[k * LOOKED_AT_PX : k * LOOKED_AT_PX + rows].max())
        for k, other in enumerate(others)
    }
