"""Photographs of boards with tiles of one set, of any letters, for tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.server.session import Session
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.scene import Spread, SpriteCabinet, make_scene
from kibitz.models.training.drawing.sized_boards import SizedBoard, photograph
from kibitz.models.training.drawing.typefaces import fonts_with

IN_A_ROW = 10
PRINTED = (*load_tile_set("bg").letters, "?")
UNKNOWN = (*(chr(0x531 + k) for k in range(len(PRINTED) - 1)), "?")
"""Armenian signs, of which Kibitz knows none, for tiles that look like `PRINTED`."""


def offer_unknown(session: Session, folder: Path) -> str:
    """Offer a tile set of `UNKNOWN` letters to tables of a session; returns its name."""
    path = folder / "unknown.json"
    tiles = {letter: {"count": 3, "value": 1} for letter in UNKNOWN[:-1]}
    path.write_text(json.dumps({"language": "hy", "blanks": 2, "tiles": tiles}), encoding="utf-8")
    offer = session.tables.offer
    session.tables.offer = replace(offer, tile_sets={**offer.tile_sets, "unknown": str(path)})
    return "unknown"


def in_unknown(word: str) -> str:
    """A word of `PRINTED` letters in the letters of that set."""
    return "".join(UNKNOWN[PRINTED.index(x)] for x in word)


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
        """A picture of a board with these tiles; `upright`: row A nearest to its top."""
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
