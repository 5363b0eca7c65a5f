"""Compares a doubtful tile with the other tiles of its board, as one set looks alike.

Nothing shows better what an L of this set looks like than its other Ls, in the same print,
before the same camera and in the same light. Which of the others is an L the game knows; here
is only measured what looks alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.vision.readings import SURE

FACE_PX: Final = 32
REACH_PX: Final = 6
"""Tiles lie a little askew on their squares: a face is looked for so far around."""
LOOKED_AT_PX: Final = FACE_PX + 2 * REACH_PX
MOST_TWINS: Final = 9
"""So many pairs of one letter tell how much alike tiles look; more would only take time."""


Cell = tuple[int, int]
Alike = Mapping[Cell, Mapping[Cell, float]]
Grey = NDArray[np.uint8]


def doubtful(tile: NDArray[np.float32], letter: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n, n) bool: tiles with a doubtful letter.

    Args:
        tile: (n, n) probability of a tile.
        letter: (n, n, letters) log probabilities, the blank last.
    """
    out = tile > 0.5
    seen = letter[out]
    near = (seen >= seen.max(-1, keepdims=True) - SURE.lead).sum(-1)
    out[out] = near > 1
    return out


def _lettered(letter: NDArray[np.float32]) -> NDArray[np.bool_]:
    return np.asarray(letter.argmax(-1) < letter.shape[-1] - 1)


def comparable(
    tile: NDArray[np.float32],
    letter: NDArray[np.float32],
    turn: NDArray[np.float32],
) -> dict[Cell, tuple[Cell, ...]]:
    """For every tile with a doubtful letter: tiles that may show one of its letters.

    They may where one tile read wrongly would say no more against it.

    Args:
        tile: (n, n) probability of a tile.
        letter: (n, n, letters) log probabilities, the blank last.
        turn: (n, n, 4) log probabilities; only tiles that face the same way are compared.
    """
    doubt = doubtful(tile, letter)
    which = doubt | (tile > SURE.known)
    cells: list[Cell] = [(r, c) for r, c in np.argwhere(which).tolist()]
    shown = tile[which] > SURE.known
    ways = turn[which].argmax(-1)
    maybe = letter[which] >= letter[which].max(-1, keepdims=True) + SURE.least_said
    out = {}
    for k in np.flatnonzero(doubt[which]).tolist():
        others = shown & (ways == ways[k]) & (maybe & maybe[k])[:, :-1].any(-1)
        others[k] = False
        out[cells[k]] = tuple(cells[o] for o in np.flatnonzero(others).tolist())
    return out


def twins(
    tile: NDArray[np.float32], letter: NDArray[np.float32], turn: NDArray[np.float32]
) -> list[tuple[Cell, Cell]]:
    """Pairs of tiles that surely show the same letter the same way round; arguments as above."""
    sure = tile > SURE.known
    seen = letter[sure]
    sure[sure] = _lettered(seen) & (seen.max(-1) > np.log(SURE.known))
    shows = letter[sure].argmax(-1) * 4 + turn[sure].argmax(-1)
    groups: dict[int, list[Cell]] = {}
    for (r, c), what in zip(np.argwhere(sure).tolist(), shows.tolist(), strict=True):
        groups.setdefault(what, []).append((r, c))
    # One pair of every letter before a second of any: E is not the whole alphabet.
    pairs = [pair for cells in groups.values() for pair in enumerate(pairwise(cells))]
    return [pair for _, pair in sorted(pairs, key=lambda x: x[0])][:MOST_TWINS]


class Faces:
    """Close-up grey pictures of tiles, and their correlations."""

    def __init__(self) -> None:
        self._cuts: dict[Cell, Grey] = {}
        self._alike: dict[tuple[Cell, Cell], float] = {}

    def but(self, anew: NDArray[np.bool_]) -> Faces:
        """A copy without squares, (n, n), that were read anew."""
        out = Faces()
        # A game may be asking at the same time.
        cuts, known = self._cuts.copy().items(), self._alike.copy().items()
        out._cuts = {cell: cut for cell, cut in cuts if not anew[cell]}
        out._alike = {(a, b): x for (a, b), x in known if not (anew[a] or anew[b])}
        return out

    def missing(self, cells: Iterable[Cell]) -> list[Cell]:
        """Tiles whose picture is not there yet."""
        return sorted(set(cells) - self._cuts.keys())

    def add(self, cells: Sequence[Cell], cuts: NDArray[np.uint8]) -> None:
        """Add pictures of tiles.

        Args:
            cells: their rows and columns.
            cuts: (N, h, w, 3) the middles of those squares, `LOOKED_AT_PX` high and wide or more.
        """
        if len(cuts) == 0:
            return
        n, side = len(cuts), LOOKED_AT_PX
        low = (cuts.shape[1] - side) // 2
        middle = np.ascontiguousarray(cuts[:, low : low + side, low : low + side])
        grey = cv2.cvtColor(middle.reshape(n * side, side, 3), cv2.COLOR_BGR2GRAY)
        self._cuts.update(zip(cells, np.asarray(grey).reshape(n, side, side), strict=True))

    def alike(self, cell: Cell, others: Sequence[Cell]) -> dict[Cell, float]:
        """Correlation of a tile's face with others at the best shift; at most 1."""
        new = [other for other in others if (cell, other) not in self._alike]
        if new:
            face = self._cuts[cell][REACH_PX:-REACH_PX, REACH_PX:-REACH_PX]
            # All in one picture: most of the time goes into starting.
            where = np.concatenate([self._cuts[other] for other in new])
            found = cv2.matchTemplate(where, face, cv2.TM_CCOEFF_NORMED)
            rows = 2 * REACH_PX + 1
            for k, other in enumerate(new):
                best = found[k * LOOKED_AT_PX : k * LOOKED_AT_PX + rows].max()
                self._alike[cell, other] = float(best)
        return {other: self._alike[cell, other] for other in others}


def likenesses(
    pairs: Mapping[Cell, tuple[Cell, ...]],
    same: Sequence[tuple[Cell, Cell]],
    faces: Faces,
) -> Alike:
    """Correlations between tiles; under a tile itself, the correlation of twins.

    That is left out where there are too few of them.

    Args:
        pairs: what is to be compared with what, as `comparable` says it.
        same: pairs of tiles that show the same letter, as `twins` says it.
        faces: all these tiles.
    """
    out = {cell: faces.alike(cell, others) for cell, others in pairs.items()}
    if len(same) >= SURE.few:
        usual = float(np.median([faces.alike(a, [b])[b] for a, b in same]))
        out = {cell: {**to, cell: usual} for cell, to in out.items()}
    return out


class LazySimilarity(Mapping[Cell, Mapping[Cell, float]]):
    """Correlations computed on demand.

    Only a game does, which knows some of the letters.
    """

    def __init__(self, work: Callable[[], Alike]) -> None:
        self._work = work

    @cached_property
    def _values(self) -> Alike:
        return self._work()

    def __getitem__(self, cell: Cell) -> Mapping[Cell, float]:
        return self._values[cell]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def turned(alike: Alike, size: int, quarters: int) -> Alike:
    """Correlations on the board turned by quarters clockwise."""

    def place(cell: Cell) -> Cell:
        row, col = cell
        for _ in range(quarters % 4):
            row, col = size - 1 - col, row
        return row, col

    return LazySimilarity(
        lambda: {place(s): {place(o): x for o, x in to.items()} for s, to in alike.items()}
    )
