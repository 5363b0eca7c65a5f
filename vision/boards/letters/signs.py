"""Signs on blanks: what is printed on a tile and is no letter.

A face, a ring, a heart, a maker's name: people know such a tile for a blank because it shows no
letter, and because the set prints its letters otherwise: in another ink, with numerals, as thick.
The sign network looks at each tile by itself, and says of each how likely it shows a sign, what
the set is like that it is of, and what in a set would make a sign of it likelier. Here that is put
together for all tiles of a board.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

KEYS: Final = 16
"""Numbers that say what a set's print is like."""

Floats = NDArray[np.float32]


def odds_of_sign(seen: Floats) -> Floats:
    """(K,) log odds that each tile shows a sign, given what all of them are like.

    Args:
        seen: (K, 1 + 2 * KEYS) what the network says of each tile: log odds by itself, what it
            asks of the others, what it says of itself to the others.
    """
    alone, asks, says = np.split(seen, (1, 1 + KEYS), axis=1)
    # a set is what its letters are like; no tile is told by itself
    counts = 1 / (1 + np.exp(alone.clip(-30, 30)))
    says = np.tanh(says) * counts
    others = says.sum(0) - says
    usual = others / np.maximum(counts.sum() - counts, LEAST)
    return np.asarray(alone[:, 0] + (asks * usual).sum(1), np.float32)


LEAST: Final = 1.0
"""Fewer letters than one say less of a set."""
