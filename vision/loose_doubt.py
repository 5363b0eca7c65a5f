"""A loose tile whose letter is in doubt is looked at again, from each side.

Light letters on dark tiles are read worse than dark ones: they are looked at in the negative.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DOUBTFUL = 0.8
"""Letters less likely than this are in doubt."""
ASIDE_PX = 2
SIDES = ((0, -ASIDE_PX), (0, ASIDE_PX), (-ASIDE_PX, 0), (ASIDE_PX, 0))
_EDGE_PX, _RIM_PX = 13, 4
"""Where a tile begins in what is cut out for it, and how much of it no letter reaches."""


def looks_again(cuts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Tiles cut out, (N, h, w, 3), as they look from four sides: (4, N, h, w, 3)."""
    light = light_letters(cuts)[:, None, None, None]
    plain = np.where(light, 255 - cuts, cuts)
    return np.stack([np.roll(plain, move, axis=(1, 2)) for move in SIDES])


def light_letters(cuts: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(N,) on which tiles what differs most from the tile's own colour is lighter than it."""
    grey = cuts[:, _EDGE_PX:-_EDGE_PX, _EDGE_PX:-_EDGE_PX].mean(-1)
    rim = np.ones(grey.shape[1:], bool)
    rim[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX] = False
    tile = np.median(grey[:, rim], axis=-1)
    dark, light = np.percentile(grey[:, ~rim], (5, 95), axis=-1)
    return np.asarray(light - tile > tile - dark)
