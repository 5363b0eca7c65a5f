"""Putting squares that show a ship card together into cards (ScrabbleShip)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.readings import MARKER_KIND, TILE_KIND, Marker

SHIP_BY_LENGTH = {5: "carrier", 4: "scrabbleship", 3: "submarine", 2: "patrol"}
"""Two ships are three squares long; the fleet tells which one a card is for."""


def group_cards(kind_prob: NDArray[np.float32]) -> tuple[Marker, ...]:
    """Cards as straight runs of two to five squares.

    A card may run under a tile: a run may bridge one square that holds a tile.

    Args:
        kind_prob: (n, n, 4) probabilities in the order of `readings.KINDS`.
    """
    marker = kind_prob[..., MARKER_KIND] > 0.5
    if not marker.any():
        return ()
    tile = kind_prob[..., TILE_KIND] > 0.5
    free = marker.copy()
    runs: list[tuple[tuple[int, int], ...]] = []
    n = marker.shape[0]
    candidates: list[tuple[float, tuple[tuple[int, int], ...]]] = []
    for r in range(n):
        for c in range(n):
            for dr, dc in ((0, 1), (1, 0)):
                for length in (5, 4, 3, 2):
                    squares = tuple((r + i * dr, c + i * dc) for i in range(length))
                    if squares[-1][0] >= n or squares[-1][1] >= n:
                        continue
                    seen = [bool(marker[q]) for q in squares]
                    if not (seen[0] and seen[-1]) or not all(
                        m or tile[q] for m, q in zip(seen, squares, strict=True)
                    ):
                        continue
                    if seen.count(False) > 1:
                        continue
                    candidates.append((sum(seen) + (0.5 if all(seen) else 0.0), squares))
    # Longest first; what one card takes no other may have.
    for _, squares in sorted(candidates, key=lambda x: -x[0]):
        if (
            all(free[q] or not marker[q] for q in squares)
            and sum(bool(free[q]) for q in squares) >= 2
        ):
            for q in squares:
                free[q] = False
            runs.append(squares)
    return tuple(Marker(SHIP_BY_LENGTH[len(s)], s) for s in sorted(runs))
