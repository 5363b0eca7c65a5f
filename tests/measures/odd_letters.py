"""Measures how well unusual letters are read: lower case, slanted and hand-made.

    python tests/measures/odd_letters.py --boards 12 --seed 1

Prints for each make how many letters are read rightly, left unread and told wrongly, and how many of
these surely (above 0.9).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.glyphs import TileStyle
from kibitz.models.training.drawing.scene import Spread, SpriteCabinet, make_scene
from kibitz.models.training.drawing.sized_boards import photograph
from kibitz.vision.pipeline import Reader
from tests.measures.marked_blanks import SQUARE_PX, SQUARES, TILT_DEG, told

MAKES: dict[str, Callable[[TileStyle], TileStyle]] = {
    "usual": lambda style: style,
    "lower case": lambda style: replace(style, lower=True),
    "slanted": lambda style: replace(style, slant=0.25),
    "hand-made": lambda style: replace(style, wobble=0.04, slant=0.08),
}
TEXT = "ABCDEFGHIJKLMNOPQRSTUVWXYZEAIONRT"
"""Every letter, in rows of words."""


def main() -> None:
    """Draw, read and count."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--boards", type=int, default=12)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--models", type=Path, help="folder of the networks, if not the published")
    a = ap.parse_args()
    reader = Reader(a.models)
    for name, made in MAKES.items():
        counts: Counter[str] = Counter()
        for number in range(a.boards):
            rng = np.random.default_rng([a.seed, number])
            chars = np.full((SQUARES, SQUARES), "", "<U1")
            chars[6:9:2, 2:13] = np.array(list(TEXT[:22])).reshape(2, 11)
            chars[10, 2:13] = list(TEXT[22:])
            style = made(glyphs.random_tile_style(rng))
            cabinet = SpriteCabinet(rng, style, honest=True)
            spread = Spread(chars, np.zeros(chars.shape, np.uint8), cabinet)
            scene = make_scene(rng, SQUARES, spread)
            counts.update(told(reader, photograph(rng, SQUARES, SQUARE_PX, TILT_DEG, scene)) or {})
        print(name, {k: v for k, v in counts.items() if k.startswith("letters")}, flush=True)


if __name__ == "__main__":
    main()
