"""Telling plain tiles from bare squares by the colours of the board's other tiles and squares.

A wooden blank on a wooden board, or a bare square on a board of the tiles' colour, looks like
either close up. What it looks like beside the other tiles and the other bare squares of the same
photograph decides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.readings import EMPTY_KIND, TILE_KIND
from vision.tile_colours import tile_body_colours

REACH = 5
"""Light changes across a board: bare squares further away than this say nothing."""
MOST = 4.0
"""The most that colours may say, in nats."""


def settle_blanks(
    straight: NDArray[np.uint8],
    kind: NDArray[np.float32],
    blank: NDArray[np.float32],
    square_px: int,
) -> NDArray[np.float32]:
    """Kinds with the colours taken into account where a tile would be a blank.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        kind: (n, n, 4) log probabilities.
        blank: (n, n) probability that a tile there is a blank.
        square_px: side of a square.

    Returns:
        As `kind`.
    """
    p = np.exp(kind)
    doubtful = np.argwhere(
        (p[..., TILE_KIND] > 0.005) & (p[..., TILE_KIND] < 0.9995) & (blank > 0.3)
    )
    tiles = (p[..., TILE_KIND] > 0.95) & (blank < 0.2)
    bare = p[..., EMPTY_KIND] > 0.97
    if len(doubtful) == 0 or tiles.sum() < 4 or bare.sum() < 12:
        return kind
    n = kind.shape[0]
    lab = tile_body_colours(straight, np.ones((n, n), bool), square_px).reshape(n, n, 3)
    lab = lab * np.array([0.7, 1.0, 1.0], np.float32)  # brightness changes more than hue
    of_tiles = lab[tiles]
    usual_tile = np.median([_near(of_tiles, x, 0.25) for x in of_tiles])
    some_bare = np.argwhere(bare)[:: max(1, int(bare.sum()) // 40)]
    usual_bare = np.median([_bare_distance(lab, bare, r, c) for r, c in some_bare])
    out = kind.copy()
    for r, c in doubtful:
        as_tile = min(_near(of_tiles, lab[r, c], 0.25) / max(usual_tile, 1.0), 4.0)
        as_bare = min(_bare_distance(lab, bare, r, c) / max(usual_bare, 1.0), 4.0)
        out[r, c, TILE_KIND] += np.clip((as_bare**2 - as_tile**2) / 2, -MOST, MOST)
    top = out.max(-1, keepdims=True)
    total = np.log(np.exp(out - top).sum(-1, keepdims=True)) + top
    return np.asarray(out - total, np.float32)


def _near(colours: NDArray[np.float32], colour: NDArray[np.float32], share: float) -> float:
    """How near the nearest `share` of some colours are (one of two sets is enough)."""
    return float(np.quantile(np.linalg.norm(colours - colour, axis=1), share))


def _bare_distance(lab: NDArray[np.float32], bare: NDArray[np.bool_], r: int, c: int) -> float:
    """How far a square's colour is from bare ones: the third nearest around, or a mirror image's.

    Premium squares lie the same way in a mirror on every board we know.
    """
    n = bare.shape[0]
    lo_r, lo_c = max(0, r - REACH), max(0, c - REACH)
    part = np.s_[lo_r : r + REACH + 1, lo_c : c + REACH + 1]
    use = bare[part].copy()
    use[r - lo_r, c - lo_c] = False
    around = np.sort(np.linalg.norm(lab[part][use] - lab[r, c], axis=1))
    best = float(around[2]) if len(around) > 2 else 1e3
    if n == 15:
        for a, b in ((r, c), (c, r)):
            for mirror in ((a, b), (14 - a, b), (a, 14 - b), (14 - a, 14 - b)):
                if mirror != (r, c) and bare[mirror]:
                    best = min(best, float(np.linalg.norm(lab[mirror] - lab[r, c])))
    return best
