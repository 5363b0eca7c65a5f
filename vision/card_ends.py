"""Ends of ship cards that look like letters (ScrabbleShip).

The bow of a hull beside the tile that hides the rest is an A, a V or a U to a reader of letters.
What tells it from a tile is its colour, which no tile of the board has, and its print, which
does not end before the square does but runs on under the tile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.readings import COVERED_KIND, MARKER_KIND, TILE_KIND

MAYBE_CARD = 1e-4
"""The reader gives a card this much on nearly every such end, and on one tile in a hundred."""
LIKELY_CARD = 0.1
"""With this much it was never a tile: colour and print need not be asked."""
HAND_BESIDE = 0.01
"""Fingers leave parts of letters that look like hulls."""
SURE_TILE, FEW_TILES = 0.95, 4
OTHER_COLOUR = 8.0
"""CIELAB distance, brightness counted less, from the second nearest of the board's tiles."""
FAINTEST = 25.0
"""Grey levels between a hull and its card."""
WORST_FIT = 0.25
"""How far a print may be from a plain band along the card, 0 to 1."""
NARROWEST, WIDEST, MOST_ASIDE = 0.4, 0.68, 0.11
"""A hull's width, and how far it lies from the middle, in squares."""
ALONG, ACROSS = (0.52, 0.86), (0.08, 0.92)
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def card_ends(
    kind: NDArray[np.float32],
    blank: NDArray[np.float32],
    edges: NDArray[np.float32],
    straight: NDArray[np.uint8],
    square_px: int,
) -> NDArray[np.bool_]:
    """(n, n) squares read as tiles that may show the end of a card.

    Args:
        kind: (n, n, 4) log probabilities in the order of `readings.KINDS`.
        blank: (n, n) probability that a tile there is a blank.
        edges: (n, n, 3) CIELAB of the edges of squares read as tiles.
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
    """
    tile = kind.argmax(-1) == TILE_KIND
    unhidden = kind[..., COVERED_KIND] < np.log(HAND_BESIDE)
    maybe = tile & unhidden & (kind[..., MARKER_KIND] > np.log(MAYBE_CARD)) & (blank < 0.5)
    ends = maybe & (kind[..., MARKER_KIND] > np.log(LIKELY_CARD))
    sure = tile & (kind[..., TILE_KIND] > np.log(SURE_TILE))
    over = tile | (kind.argmax(-1) == COVERED_KIND)
    for r, c in np.argwhere(maybe & ~ends).tolist():
        others = sure.copy()
        others[r, c] = False
        if others.sum() >= FEW_TILES and _apart(edges[r, c], edges[others]) > OTHER_COLOUR:
            y, x = (r + 1) * square_px, (c + 1) * square_px
            part = straight[y : y + square_px, x : x + square_px]
            ends[r, c] = any(
                _hull_runs_on(_towards(part, step))
                for step in STEPS
                if _holds(over, (r + step[0], c + step[1]))
            )
    return np.asarray(ends, np.bool_)


def _holds(squares: NDArray[np.bool_], at: tuple[int, int]) -> bool:
    n = squares.shape[0]
    return 0 <= at[0] < n and 0 <= at[1] < n and bool(squares[at])


def _apart(colour: NDArray[np.float32], others: NDArray[np.float32]) -> float:
    away = (others - colour) * np.array([0.7, 1.0, 1.0], np.float32)
    return float(np.partition(np.linalg.norm(away, axis=-1), 1)[1])


def _towards(part: NDArray[np.uint8], step: tuple[int, int]) -> NDArray[np.float32]:
    """A square as (across, along, 3), its last columns nearest to where a step leads."""
    across = part.transpose(1, 0, 2) if step[0] else part
    return (across[:, ::-1] if sum(step) < 0 else across).astype(np.float32)


def _hull_runs_on(square: NDArray[np.float32]) -> bool:
    """Whether a print of one plain width goes on up to the end of a square (across, along, 3)."""
    px = len(square)

    def part(low: float, high: float) -> slice:
        return slice(round(low * px), round(high * px))

    rims = [square[part(*rim), part(0.35, ALONG[1])] for rim in ((0.08, 0.18), (0.82, 0.92))]
    card = np.median(np.concatenate(rims).reshape(-1, 3), axis=0)
    hull = np.median(square[part(0.34, 0.66), part(*ALONG)].reshape(-1, 3), axis=0)
    ink = hull - card
    if np.abs(ink).max() < FAINTEST:
        return False
    # 0 where the card is bare, 1 on its hull.
    print_ = np.clip((square[part(*ACROSS), part(*ALONG)] - card) @ ink / (ink @ ink), 0, 1)
    # A band from `low` to `high` differs from the print by 1 - print inside and print outside.
    lines = print_.mean(1)
    inside = np.concatenate([[0.0], np.cumsum(1 - 2 * lines)])
    low, high = np.triu_indices(len(inside), 1)
    fit = (lines.sum() + inside[high] - inside[low]) / len(lines)
    best = int(fit.argmin())
    width, middle = (high[best] - low[best]) / px, (high[best] + low[best]) / 2
    aside = abs(middle - len(lines) / 2) / px
    plain = float(fit[best]) < WORST_FIT and aside < MOST_ASIDE
    return plain and NARROWEST <= float(width) <= WIDEST
