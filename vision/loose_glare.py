"""Tiles in a lamp's glare, where a letter is only a little less bright than the tile.

All channels are burnt out but the one in which tile and letter are farthest apart; with that one
stretched to its full range, what is left of the letter can be read.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BURNT = 250
"""Grey level from which a channel says nothing any more."""
MOST_BURNT = 0.5
AROUND = 0.2
"""How far around a tile's middle it is looked for glare, in sides."""
FAINT, PLAIN = 10.0, 80.0
"""Grey levels between letter and tile: less is noise, and more needs no second look."""
EDGE_PX = 15
BURNT_OUT, MUCH = 245, 0.25
"""A tile of which this part is that bright in every channel hides what it shows."""
CLEAR = 0.8
"""A letter read from what is left counts from this probability on."""
_STEPS = np.array([(0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]) * AROUND


def in_glare(picture: NDArray[np.uint8], where: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(N,) which tiles of a picture (h, w, 3) lie in glare, by their places, see `Spots`."""
    h, w = picture.shape[:2]
    at = (where[:, None, :2] + _STEPS * where[:, None, 2:3]).astype(np.intp)
    pixels = picture[np.clip(at[..., 1], 0, h - 1), np.clip(at[..., 0], 0, w - 1)]
    return np.asarray((pixels.max(-1) >= BURNT).mean(-1) > MOST_BURNT)


def is_faint(contrast: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which contrasts of letter and tile make a second look pay."""
    return np.asarray((contrast > FAINT) & (contrast < PLAIN))


def hides(cuts: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(N,) of which tiles cut out, (N, h, w, 3), so much is burnt out that a face may not show."""
    inner = cuts[:, EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX].min(-1)
    return np.asarray((inner >= BURNT_OUT).mean((1, 2)) > MUCH)


def stretched(cuts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Tiles cut out, (N, h, w, 3), in their most telling channel alone, its range made full."""
    inner = cuts[:, EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX].reshape(len(cuts), -1, 3)
    low, high = np.percentile(inner, (2, 98), axis=1)
    each, best = np.arange(len(cuts)), (high - low).argmax(-1)
    low, high = low[each, best], high[each, best]
    one = np.moveaxis(cuts, -1, 1)[each, best].astype(np.float64)
    grey = (one - low[:, None, None]) / np.maximum(high - low, 3.0)[:, None, None] * 200 + 20
    return np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[..., None], 3, -1)
