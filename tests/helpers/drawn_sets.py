"""Photographs of boards with tiles of one set, of any letters, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.scene import Spread, SpriteCabinet, make_scene
from kibitz.models.training.drawing.sized_boards import SizedBoard, photograph
from kibitz.models.training.drawing.typefaces import fonts_with

IN_A_ROW = 10


@dataclass(frozen=True, eq=False)
class DrawnSet:
    """A set of tiles, and boards that it lies on.

    Args:
        seed: says how it looks.
        wobble: how far hand-made letters stray.
        letters: of letters that are not Latin it takes a typeface that has them all.
    """

    seed: int
    wobble: float = 0.0
    letters: str = ""

    def photograph(
        self, chars: NDArray[np.str_], seed: int, tilt_deg: float, upright: bool = False
    ) -> SizedBoard:
        """A board with these tiles; `upright`: row A nearest to the picture's top."""
        rng = np.random.default_rng([self.seed])
        style = replace(glyphs.random_tile_style(rng), wobble=self.wobble)
        if self.letters:
            style = replace(style, family=str(rng.choice(fonts_with(self.letters[0]))))
        cabinet = SpriteCabinet(rng, style)
        turns = np.zeros(chars.shape, np.uint8)
        for number in range(40):
            chance = np.random.default_rng([self.seed, seed, number])
            scene = make_scene(chance, len(chars), Spread(chars, turns, cabinet))
            board = photograph(chance, len(chars), (26.0, 38.0), tilt_deg, scene)
            across = board.geometry.corners_px[1] - board.geometry.corners_px[0]
            if not upright or across[0] > 2 * abs(across[1]):
                return board
        raise AssertionError("no upright photograph")


def laid_out(order: Sequence[str], squares: int = 15) -> NDArray[np.str_]:
    """A set laid out row by row."""
    chars = np.full((squares, squares), "", dtype="<U1")
    for k, letter in enumerate(order):
        chars[2 + 2 * (k // IN_A_ROW), 2 + k % IN_A_ROW] = letter
    return chars


def strewn(order: Sequence[str], seed: int, squares: int = 15) -> NDArray[np.str_]:
    """Many tiles of a set anywhere on a board."""
    rng = np.random.default_rng(seed)
    there = rng.random((squares, squares)) < 0.35
    return np.where(there, rng.choice(list(order), (squares, squares)), "")
