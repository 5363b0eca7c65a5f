"""Fit how far looks and colours are believed about squares without a letter.

    python -m kibitz.models.training.weighing.blank_fit --boards 120 --seed 7

Drawn boards are photographed and made worse in every way, and read where they lie. What is told
of each square in doubt is right with log odds that are those told, times one number, and times
another for each of its doubts (the likeliest are taken; Platt, Probabilistic Outputs for Support
Vector Machines, 1999). What is told wrongly counts several times: a person believes what is told surely, and asks about what
is not. The numbers found are those of `vision/boards/colours/believed.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, Pyramid
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.covers import EMPTY, TILE
from kibitz.models.training.drawing.scene import Spread, SpriteCabinet, make_scene, random_layout
from kibitz.models.training.drawing.sized_boards import SizedBoard, photograph
from kibitz.models.training.sampling.worse import CHANGES, made_worse
from kibitz.vision.boards.colours.believed import odds_of_tile
from kibitz.vision.boards.colours.blanks import settle_blanks
from kibitz.vision.boards.colours.burnt import burnt_part
from kibitz.vision.boards.reader import SQUARE_PX
from kibitz.vision.boards.square_logs import settle_turns
from kibitz.vision.pipeline import Reader
from kibitz.vision.readings import COVERED_KIND
from kibitz.vision.request import ReadRequest

SQUARES: Final = 15
FEWEST_TILES, MOST_TILES, MOST_BLANKS = 12, 110, 4
SQUARE_PX_SPAN: Final = (20.0, 50.0)
TILT_DEG: Final = 35.0
TRIED: Final = np.arange(1, 21) / 20
"""What the two numbers may be."""
SURE: Final = float(np.log(9.0))
"""Log odds of nine in ten."""

Floats = NDArray[np.float64]


def drawn(rng: np.random.Generator, style: glyphs.TileStyle | None = None) -> SizedBoard:
    """A photograph of words that cross, with a few blanks; in any style if none is given."""
    tiles = np.zeros((0, 2), np.intp)
    while not FEWEST_TILES <= len(tiles) <= MOST_TILES:
        tiles = np.argwhere(random_layout(rng, SQUARES))
    chars = np.full((SQUARES, SQUARES), "", "<U1")
    chars[tuple(tiles.T)] = rng.choice(list(glyphs.LATIN), len(tiles))
    chars[tuple(rng.permutation(tiles)[: rng.integers(MOST_BLANKS)].T)] = "?"
    cabinet = SpriteCabinet(rng, style or glyphs.random_tile_style(rng), honest=True)
    spread = Spread(chars, np.zeros(chars.shape, np.uint8), cabinet)
    return photograph(rng, SQUARES, SQUARE_PX_SPAN, TILT_DEG, make_scene(rng, SQUARES, spread))


def lies_in(picture: NDArray[np.uint8], board: SizedBoard) -> BoardGeometry:
    """Where a board lies in its picture, which may have been made smaller."""
    height, width = picture.shape[:2]
    part = width / board.picture.shape[1]
    smaller = np.diag((part, part, 1.0)) @ board.geometry.homography
    return BoardGeometry(smaller, SQUARES, width, height)


def told(reader: Reader, board: SizedBoard, picture: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Log odds that are told of a board's squares in doubt, (K,), and their doubts, (K, 2).

    Log odds are below 0 where what is told is wrong.
    """
    request = ReadRequest()
    colours, logs = reader.squares.see(Pyramid(picture), lies_in(picture, board), request)
    letter = settle_turns(logs, reader.squares.labels(request))[0]
    everywhere = np.ones((SQUARES, SQUARES), np.bool_)
    burnt = burnt_part(colours.straight, SQUARE_PX)
    asked = settle_blanks(*colours.of(everywhere), logs.kind, np.exp(letter[..., -1]), burnt)
    doubts = asked.doubts(asked.kind)
    odds = odds_of_tile(asked.kind[asked.there])
    truth = board.scene.kinds[asked.there]
    counts = np.isin(truth, (EMPTY, TILE)) & (asked.kind[asked.there].argmax(-1) != COVERED_KIND)
    right = (odds > 0) == (truth == TILE)
    return np.where(right, abs(odds), -abs(odds))[counts], doubts[counts]


def all_told(boards: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """`told` of drawn boards, as they are and made worse in every way."""
    reader = Reader()
    for number in range(boards):
        rng = np.random.default_rng([seed, number])
        board = drawn(rng)
        px = board.geometry.square_px
        worse = [made_worse(rng, board.picture, px, change) for change in CHANGES]
        for picture in (board.picture, *worse):
            yield told(reader, board, picture)


def fit(odds: Floats, doubts: Floats, times: float) -> tuple[float, float]:
    """How far squares without a doubt are believed, and how much of that one doubt leaves.

    Args:
        odds: (K,) log odds told, below 0 where wrong.
        doubts: (K, 2) each 0 to 1.
        times: how often what is wrong counts.
    """
    often = np.where(odds < 0, times, 1.0)

    def lost(tried: tuple[float, float]) -> float:
        return float(often @ np.logaddexp(0, -believed(odds, doubts, *tried)))

    return min(product(TRIED.tolist(), repeat=2), key=lost)


def believed(odds: Floats, doubts: Floats, usual: float, doubted: float) -> Floats:
    """Log odds as `vision.boards.colours.believed` makes them."""
    return np.asarray(odds * usual * doubted ** doubts.sum(1))


def main() -> None:
    """Draw, read, fit."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--boards", type=int, default=120)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--times", type=float, default=4.0, help="how often what is wrong counts")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    parts = list(all_told(a.boards, a.seed))
    odds, doubts = (np.concatenate(x) for x in zip(*parts, strict=True))
    found = fit(odds, doubts, a.times)
    print("usual {:.2f} doubted {:.2f}".format(*found))
    for name, x in (("told", odds), ("believed", believed(odds, doubts, *found))):
        print(f"{name}: {(x > SURE).sum()} surely and right, {(x < -SURE).sum()} surely and wrong")


if __name__ == "__main__":
    main()
