"""Signs on blanks: prints on a tile that are no letter.

A face, a ring, a heart, a maker's name: people know such a tile for a blank because it shows no
letter, and because the set prints its letters otherwise: in another ink, with numerals, as thick.
The sign network looks at each tile by itself, and says of each how likely it shows a sign, what
the set is like that it is of, and what in a set would make a sign of it likelier. Here that is put
together for all tiles of a board.

Tiles are looked at of which the looks are not beyond doubt: a cat's head may be a B to them with
0.998, as they know nothing but letters. Beside these some letters are, for what the set is like.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.models.session import Model
from kibitz.vision.boards.letters.close_look import LEFT_AND_RIGHT, UP_AND_DOWN
from kibitz.vision.boards.letters.together import Evidence
from kibitz.vision.boards.square_logs import (
    SquareLogs,
    chances_and_facing,
    log_softmax,
    log_sum,
    sums,
)
from kibitz.vision.boards.squares import moved
from kibitz.vision.readings import SURE

KEYS: Final = 16
"""Numbers that say what a set's print is like."""
SEEN: Final = 1 + 2 * KEYS
"""Numbers that the network says of a tile: log odds of a sign by itself, what it asks of the other
tiles, what it says of itself to them."""

Floats = NDArray[np.float32]


Blend = tuple[float, float, float, float]
"""How much the looks' log odds of a blank count, the network's of a sign by the tile itself and
beside its set, and how much less likely a blank is from the outset: fitted, and kept with the
network."""


@dataclass(frozen=True, slots=True)
class SignRules:
    """Which tiles the sign network looks at."""

    beyond_doubt: float = number(
        12.0, "nats", 0.0, 50.0, "looks that are surer that a tile is a blank, or none, are right"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = SignRules()


def to_be_shown(logs: SquareLogs, anew: NDArray[np.bool_], signs: Floats) -> NDArray[np.bool_]:
    """(n, n) bool: tiles that the network looks at: doubtful ones, and letters to compare.

    Letters say what the set is like: those of which the looks are surest, as many as a side has
    squares, with those that were shown before.

    Args:
        logs: of a board's squares, (n, n, ...), the blank last of the letters.
        anew: (n, n) which squares were read now.
        signs: (n, n, SEEN) what the network said before, 0 of tiles that it was not shown.
    """
    tiles = logs.tile > 0.5
    looks = np.full(tiles.shape, np.inf, np.float32)
    looks[tiles] = odds_of_blank(logs.both[tiles])
    shown = tiles & anew & (np.abs(looks) < RULES.beyond_doubt)
    if shown.any():
        before = tiles & signs.any(-1)
        letters = np.where(shown | before | (looks > 0), np.inf, looks)
        wanted = max(0, len(tiles) - int(before.sum()))
        surest = np.argsort(letters, axis=None, kind="stable")[:wanted]
        shown.flat[surest] |= np.isfinite(letters.flat[surest])
    return shown


def upright(
    cuts: NDArray[np.uint8], logs: SquareLogs, labels: tuple[str, ...], where: NDArray[np.intp]
) -> NDArray[np.uint8]:
    """Tiles turned upright, so that a set's numerals are in the same corner.

    Args:
        cuts: (K, h, h, 3) the tiles.
        logs: of a board's squares, (n, n, ...).
        labels: the letters.
        where: (K, 2) rows and columns of the tiles.
    """
    maybe, chances, prior = chances_and_facing(logs, labels)
    turns = np.zeros(maybe.shape, np.intp)
    turns[maybe] = (sums(chances, -2) * prior).argmax(-1)
    each = zip(cuts, turns[tuple(where.T)].tolist(), strict=True)
    return np.stack([np.rot90(cut, turn) for cut, turn in each])


def look_for_signs(cuts: NDArray[np.uint8], sign: Model) -> Floats:
    """(K, SEEN) answers for tiles; for doubtful ones the mean with shifted pictures.

    Args:
        cuts: (K, h, h, 3) the tiles, upright.
        sign: the network.
    """
    seen = sign.run(cuts)
    unsure = np.abs(odds_of_sign(seen).sum(-1)) < SURE.lead
    if unsure.any():
        sides = (*LEFT_AND_RIGHT, *UP_AND_DOWN)
        again = sign.run(np.concatenate([moved(cuts[unsure], by) for by in sides]))
        seen[unsure] = np.mean([seen[unsure], *np.split(again, len(sides))], 0)
    return seen


def odds_of_sign(seen: Floats) -> Floats:
    """(K, 2) log odds of a sign: by the tile itself, and by its set.

    Args:
        seen: (K, SEEN) what the network says of each tile.
    """
    alone, asks, says = seen[:, :1], seen[:, 1 : 1 + KEYS], seen[:, 1 + KEYS :]
    # what a set is like its letters say; no tile is told by itself
    letters = 1 / (1 + np.exp(alone))
    signed = np.tanh(says) * letters
    usual = (signed.sum(0) - signed) / np.maximum(letters.sum() - letters, 1.0)
    return np.concatenate([alone, (asks * usual).sum(1, keepdims=True)], 1, dtype=np.float32)


def take_in_signs(
    logs: SquareLogs, anew: NDArray[np.bool_], evidence: Evidence, blend: Blend
) -> None:
    """Update the blanks of a board in place by the signs on tiles.

    Args:
        logs: of its squares, (n, n, ...), the blank last of the letters; they are changed.
        anew: (n, n) which squares were read now; of the others this is done already.
        evidence: what the network says of tiles; how far the looks say otherwise is kept there.
        blend: how much that counts.
    """
    seen = evidence.signs
    tiles = seen.any(-1) & (logs.tile > 0.5)
    some = tiles & anew
    signs = odds_of_sign(seen[tiles])[anew[tiles]]
    both = logs.both[some]
    looks = odds_of_blank(both)
    of_looks, *of_signs, rare = blend
    odds = of_looks * looks + signs @ np.array(of_signs, np.float32) - rare
    both[:, -1] += (odds - looks)[:, None]
    evidence.disputed[some] = np.where(odds * looks < 0, np.tanh(np.abs(looks) / 2), 0.0)
    logs.put(some, SquareLogs(logs.kind[some], log_softmax(both, (-2, -1))))


def odds_of_blank(both: Floats) -> Floats:
    """(K,) log odds of a blank against all letters, from (K, letters, 4)."""
    turns = log_sum(both, -1)
    return np.asarray(turns[:, -1] - log_sum(turns[:, :-1], -1))
