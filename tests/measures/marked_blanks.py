"""Measures how well marked blanks are read: drawn boards with two marked blanks each.

    python tests/measures/marked_blanks.py --boards 100 --seed 1

A third of the boards have shapes as the networks were trained on, a third have shapes and a third
icons that are in no picture that they have seen. Prints for each what the blanks are read as, and
what happens to the letters of the same boards.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kibitz.app.common.materials.named import counts_of
from kibitz.app.reading.results import board_of
from kibitz.models.training.drawing import glyphs, icons, mark_shapes
from kibitz.models.training.drawing.blank_marks import print_pictogram
from kibitz.models.training.drawing.scene import Spread, SpriteCabinet, make_scene, random_layout
from kibitz.models.training.drawing.sized_boards import SizedBoard, photograph
from kibitz.vision.pipeline import BoardNotFound, Reader

SQUARES = 15
BLANKS = 2
FEWEST_TILES = 12
SQUARE_PX = (18.0, 44.0)
TILT_DEG = 35.0
SURE = 0.9
LOCATED = 0.35
"""Corners no further off than so many squares are those of the board."""
LETTERS = "".join(x * n for x, n in counts_of("en").items() if x != "?")


KINDS = {"trained shapes": mark_shapes.TRAINED, "held-out shapes": mark_shapes.HELD_OUT}
ICONS = "held-out icons"


class MarkedCabinet(SpriteCabinet):
    """Sprites of a set whose blanks carry different marks of one kind."""

    kind = ICONS

    def get(self, char: str) -> NDArray[np.float32]:
        """The sprite of a letter; of a blank, with a mark."""
        if char != "?":
            return super().get(char)
        bare = glyphs.sprite(self.rng, replace(self.style, blank_mark=False), char)
        shapes = KINDS.get(self.kind, ())
        if self.style.numeral == "none":
            shapes = tuple(x for x in shapes if x not in mark_shapes.LIKE_LETTERS)
        draw: Callable[[np.random.Generator], NDArray[np.float32]] = partial(
            icons.icon, part="held out"
        )
        if shapes:
            draw = partial(mark_shapes.shape, name=str(self.rng.choice(shapes)))
        face = np.ascontiguousarray(bare[..., :3])
        print_pictogram(self.rng, face, self.style.ink, draw)
        return np.dstack([face, bare[..., 3:]]).clip(0, 1)


def marked_board(seed: int, number: int, kind: str) -> SizedBoard:
    """A photograph of crossing words with two marked blanks among their tiles."""
    rng = np.random.default_rng([seed, number, [*KINDS, ICONS].index(kind)])
    tiles = np.zeros((0, 2), np.intp)
    while len(tiles) < FEWEST_TILES:
        tiles = np.argwhere(random_layout(rng, SQUARES))
    chars = np.full((SQUARES, SQUARES), "", "<U1")
    chars[tuple(tiles.T)] = rng.choice(list(LETTERS), len(tiles))
    chars[tuple(rng.permutation(tiles)[:BLANKS].T)] = "?"
    cabinet = MarkedCabinet(rng, glyphs.random_tile_style(rng), honest=True)
    cabinet.kind = kind
    scene = make_scene(rng, SQUARES, Spread(chars, np.zeros(chars.shape, np.uint8), cabinet))
    return photograph(rng, SQUARES, SQUARE_PX, TILT_DEG, scene)


def told(reader: Reader, board: SizedBoard) -> Counter[str] | None:
    """Counts of what blanks and letters of a board are read as; None if it is not located."""
    try:
        reading = reader.read(board.picture).boards[0]
    except BoardNotFound:
        return None
    corners = board.geometry.corners_px
    off = [np.abs(np.roll(reading.corners_px, k, 0) - corners).max() for k in range(4)]
    quarters = int(np.argmin(off))
    if off[quarters] > LOCATED * board.geometry.square_px:
        return None
    out = board_of(reading).to_json()
    rows, confidence = (
        np.rot90(np.array([list(row) for row in out[name]]), -quarters)
        for name in ("rows", "confidence")
    )
    truth = np.array([list(row) for row in board.rows()])
    counts: Counter[str] = Counter()
    for true, read, sure in zip(truth.flat, rows.flat, confidence.flat, strict=True):
        if true == "?":
            counts["blanks"] += 1
            counts["blanks right"] += read == "?"
            counts["blanks unread"] += read == "#"
            counts["blanks as letters, surely"] += read.isalpha() and sure > SURE
        elif true.isalpha():
            counts["letters"] += 1
            counts["letters right"] += read == true
            counts["letters unread"] += read == "#"
            counts["letters as blanks"] += read == "?"
            counts["letters wrong, surely"] += read not in (true, "#") and sure > SURE
    return counts


def main() -> None:
    """Draw, read and count."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--boards", type=int, default=100)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--models", type=Path, help="folder of the networks, if not the published")
    a = ap.parse_args()
    reader = Reader(a.models)
    for kind in (*KINDS, ICONS):
        counts: Counter[str] = Counter()
        for number in range(a.boards // (len(KINDS) + 1)):
            of_board = told(reader, marked_board(a.seed, number, kind))
            counts["boards located"] += of_board is not None
            counts.update(of_board or {})
        print(kind, dict(counts), flush=True)


if __name__ == "__main__":
    main()
