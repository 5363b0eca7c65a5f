"""Drawn photographs with their truth, by kind: what networks are judged by.

    python -m kibitz.models.training.sampling.by_kind --out scratch/kinds --each 8

One folder a kind: how high the camera stands (degrees above the table), and kinds of board, typeface,
table and lamp that no network learns from, and boards of other sizes. Beside `NAME.jpg` lies `NAME.json`: the rows of the
board, its corners in the plane where tiles stand and in that of their tops, what is hidden
(`occluded`), and what nobody is asked for (`doubtful_cells`: drowned in light, or less than
`LEAST_PX` high in the picture).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.table import SIDE
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.covers import COVERED, IGNORE
from kibitz.models.training.drawing.raised import random_view
from kibitz.models.training.drawing.scene import Spread, SpriteCabinet, make_scene
from kibitz.models.training.drawing.tabletop import photograph
from kibitz.models.training.sampling.samples import seen_px

KINDS: dict[str, tuple[tuple[float, float], Sequence[str]]] = {
    "from-15-to-25": ((15, 25), ()),
    "from-25-to-35": ((25, 35), ()),
    "from-35-to-45": ((35, 45), ()),
    "from-45-to-90": ((45, 90), ()),
    "other-boards": ((25, 90), ("board",)),
    "other-faces": ((25, 90), ("face",)),
    "other-tables": ((25, 90), ("table",)),
    "other-lamps": ((25, 90), ("lamp",)),
    "other-sizes": ((25, 90), ("size",)),
}
"""By name: the least and most degrees of the camera above the table, and what is held out."""
OTHER_SIZES = (9, 11, 13, 17, 19, 21)
LEAST_PX = 7.0
BAG = (
    "AAAAAAAAABBCCDDDDEEEEEEEEEEEEFFGGGHHIIIIIIIIIJKLLLLMMNNNNNNOOOOOOOOPPQRRRRRRSSSSTTTTTT"
    "UUUUVVWWXYYZ??"
)
FULL_PX = (700, 1800)
"""The longer side of a picture."""


def _spread(rng: np.random.Generator, n: int) -> Spread:
    """A game on the way on `n` squares a side: crossing words of a hundred tiles, all facing one way."""
    on = np.zeros((n, n), bool)
    on[n // 2, 4 : 4 + int(rng.integers(3, 8))] = True
    wanted = min(int(rng.integers(0, 96)) if rng.random() < 0.9 else 0, n * n // 2)
    across = False
    while on.sum() < wanted:
        r, c = rng.permutation(np.argwhere(on))[0].tolist()
        begin, length = int(rng.integers(0, 5)), int(rng.integers(2, 8))
        line = on[r] if across else on[:, c]
        at = c if across else r
        line[max(0, at - begin) : at - begin + length] = True
        across = not across
    letters = iter(rng.permutation(list(BAG)))
    chars = np.full((n, n), "", "<U1")
    for r, c in np.argwhere(on if wanted else on & False)[: len(BAG)]:
        chars[r, c] = next(letters)
    cabinet = SpriteCabinet(rng, glyphs.unusual(rng, glyphs.random_tile_style(rng)), honest=True)
    return Spread(chars, np.zeros((n, n), np.uint8), cabinet)


def draw(rng: np.random.Generator, kind: str) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """A photograph of a kind and its truth, as `NAME.json` has it."""
    (low, high), held = KINDS[kind]
    squares = int(rng.choice(OTHER_SIZES)) if "size" in held else SIDE
    spread = _spread(rng, squares)
    scene = make_scene(rng, squares, spread, in_depth=True, held=held)
    long = int(np.exp(rng.uniform(*np.log(FULL_PX))))
    short = round(long * float(rng.choice([0.75, 0.5625, 1.0])))
    elevation = float(rng.uniform(low, high))
    w, h = (long, short) if elevation < 45 or rng.random() < 0.6 else (short, long)
    fill = float(rng.uniform(0.6, 0.97))
    view = random_view(rng, w, h, 90 - elevation, squares, fill=fill, off_centre=0.3 * (1 - fill))
    side = view.geometry().square_px
    shown = photograph(rng, scene, view, side, hard=0.5, held=held)
    low_seen = seen_px(view.geometry(shown.tile)) < LEAST_PX
    doubtful = (shown.kinds == IGNORE) | (low_seen & (spread.chars != ""))
    truth = {
        "kind": "classic",
        "elevation_deg": round(elevation, 1),
        "corners_px": view.geometry().corners_px.round(1).tolist(),
        "top_corners_px": view.geometry(shown.tile).corners_px.round(1).tolist(),
        "tile_squares": round(shown.tile, 3),
        "board": ["".join(c or "." for c in row) for row in spread.chars.tolist()],
        "rotation": [[0 if c else "." for c in row] for row in spread.chars.tolist()],
        "occluded": np.argwhere((shown.kinds == COVERED) & ~doubtful).tolist(),
        "doubtful_cells": np.argwhere(doubtful).tolist(),
    }
    return shown.picture, truth


def main() -> None:
    """Draw photographs of each kind."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--each", type=int, default=8, help="photographs of a kind")
    ap.add_argument("--seed", type=int, default=20)
    a = ap.parse_args()
    for number, kind in enumerate(KINDS):
        (a.out / kind).mkdir(parents=True, exist_ok=True)
        for i in range(a.each):
            picture, truth = draw(np.random.default_rng([a.seed, number, i]), kind)
            path = a.out / kind / f"{i:03d}.jpg"
            cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
            path.with_suffix(".json").write_text(json.dumps({"file": path.name, **truth}))


if __name__ == "__main__":
    main()
