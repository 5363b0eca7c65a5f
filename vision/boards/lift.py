"""Height of the tops of tiles over a board's plane, found where their letters read best.

Tiles are a quarter of a square thick. Seen from low down their tops lie half a square and more
behind their squares, all by the same height. A lattice that was fitted to a full board may lie on
the tops themselves, or between both: what is told is how high over that lattice letters are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, Pyramid
from kibitz.engine.parameters import checked, number
from kibitz.models.session import Model
from kibitz.vision.boards.reader import glance_at
from kibitz.vision.readings import SURE

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LiftRules:
    """Thickness of tiles, and when it matters."""

    usual: float = number(
        0.25, "squares", 0.0, 1.0, "4 to 6 mm on squares of 18 to 20 mm: so thick most tiles are"
    )
    spread: float = number(0.06, "squares", 0.01, 1.0, "of three tile sets two differ by less")
    most: float = number(0.45, "squares", 0.0, 1.0, "no tile is thicker")
    matters: float = number(
        0.2, "squares", 0.0, 1.0, "tops that are seen no further back are read in their squares"
    )
    step: float = number(0.1, "squares", 0.01, 1.0, "tops are looked for so much further back")

    def __post_init__(self) -> None:
        checked(self)


RULES: Final = LiftRules()


def may_matter(geometry: BoardGeometry) -> bool:
    """True if the view is so low that usual tiles appear beside their squares."""
    return geometry.slant * RULES.usual > RULES.matters


def lift_of(
    picture: Pyramid,
    boards: Sequence[BoardGeometry],
    glance: Model,
    letters: Sequence[str],
) -> float:
    """Height of the tops of tiles in squares; 0 where it cannot be determined.

    Args:
        picture: the photograph.
        boards: those on which tiles of one set lie.
        glance: the model for whole boards.
        letters: the tile set's letters.
    """
    if not any(may_matter(g) for g in boards):
        return 0.0
    slant = max(g.slant for g in boards)
    heights = np.arange(0.0, RULES.most, RULES.step / slant)
    looks = [
        [glance_at(picture, replace(g, lift=height), glance, letters) for g in boards]
        for height in heights.tolist()
    ]
    # the same squares are compared: what looks like a tile from most heights
    tiles = np.mean([[look.tile for look in there] for there in looks], axis=0)
    if not (tiles > 0.5).any():
        return 0.0
    said = np.array([[look.letter.max(-1) for look in there] for there in looks])
    reads = (tiles * np.maximum(said, SURE.least_said)).sum((1, 2, 3))
    # a lattice lies between the board and the tops, the nearer to these the more of them there are
    expected = RULES.usual * (1 - tiles.mean())
    likely = reads - ((heights - expected) / RULES.spread) ** 2 / 2
    lift = _peak(heights, likely)
    return lift if lift * slant > RULES.matters else 0.0


def _peak(at: Floats, values: Floats) -> float:
    """Position of the peak of a parabola through the largest value and its neighbours."""
    k = min(max(int(np.argmax(values)), 1), len(at) - 2)
    before, here, after = values[k - 1 : k + 2].tolist()
    bend = before - 2 * here + after
    aside = (before - after) / (2 * bend) if bend < 0 else 0.0
    return float(at[k] + np.clip(aside, -1, 1) * (at[1] - at[0]))
