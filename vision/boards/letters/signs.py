"""Signs on blanks: what is printed on a tile and is no letter.

A face, a ring, a heart, a maker's name: people know such a tile for a blank because it shows no
letter, and because the set prints its letters otherwise: in another ink, with numerals, as thick.
The sign network looks at each tile by itself, and says of each how likely it shows a sign, what
the set is like that it is of, and what in a set would make a sign of it likelier. Here that is put
together for all tiles of a board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.vision.boards.square_logs import SquareLogs, log_softmax

KEYS: Final = 16
"""Numbers that say what a set's print is like."""
SEEN: Final = 1 + 2 * KEYS
"""Numbers that the network says of a tile: log odds of a sign by itself, what it asks of the other
tiles, what it says of itself to them."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SignRules:
    """How much it counts for a blank what the looks say, and that a tile shows a sign."""

    looks: float = number(
        0.6, "times", 0.1, 2.0, "the log odds of a blank to a letter by all looks together"
    )
    signs: float = number(0.8, "times", 0.0, 2.0, "the log odds of a sign to a letter")
    rare: float = number(
        0.5, "nats", 0.0, 10.0, "a set has few blanks: so much less likely from the outset"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = SignRules()


def odds_of_sign(seen: Floats) -> Floats:
    """(K,) log odds that each tile shows a sign, given what all of them are like.

    Args:
        seen: (K, SEEN) what the network says of each tile.
    """
    alone, asks, says = seen[:, :1], seen[:, 1 : 1 + KEYS], seen[:, 1 + KEYS :]
    # what a set is like its letters say; no tile is told by itself
    letters = 1 / (1 + np.exp(alone))
    told = np.tanh(says) * letters
    usual = (told.sum(0) - told) / np.maximum(letters.sum() - letters, 1.0)
    return np.asarray(alone[:, 0] + (asks * usual).sum(1), np.float32)


def with_signs(
    logs: SquareLogs,
    anew: NDArray[np.bool_],
    looked_at: NDArray[np.bool_],
    seen: Floats,
    rules: SignRules = RULES,
) -> SquareLogs:
    """A board's log probabilities, blanks as likely as the signs on tiles make them.

    Args:
        logs: of its squares, (n, n, ...), the blank last of the letters.
        anew: (n, n) which squares were read now; of the others this is done already.
        looked_at: (n, n) which squares the network has looked at.
        seen: (n, n, SEEN) what it says of them.
        rules: how much that counts.
    """
    tiles = looked_at & (logs.tile > 0.5)
    signs = np.zeros(logs.tile.shape, np.float32)
    signs[tiles] = odds_of_sign(seen[tiles])
    some = tiles & anew
    both = logs.both[some]
    looks = odds_of_blank(both)
    told = rules.looks * looks + rules.signs * signs[some] - rules.rare
    both[:, -1] += (told - looks)[:, None]
    out = logs.both.copy()
    out[some] = log_softmax(both, (-2, -1))
    return SquareLogs(logs.kind, out)


def odds_of_blank(both: Floats) -> Floats:
    """(K,) log odds of a blank to all letters, from (K, letters, 4) log probabilities."""
    turns = np.logaddexp.reduce(both, -1)
    return np.asarray(turns[:, -1] - np.logaddexp.reduce(turns[:, :-1], -1), np.float32)
