"""Fit how much it counts for a blank that a tile shows a sign.

    python -m kibitz.models.training.weighing.sign_fit --boards 280 --seed 7 [--write]

Drawn boards of usual and unusual looks, half of them with signs on their blanks, are photographed
and made worse, and read where they lie. What the sign network says of each tile, by the tile itself
and beside its set, is weighed so that, beside what the looks and its neighbours' facing say, blanks
are told best (logistic regression; Platt, Probabilistic Outputs for Support Vector
Machines, 1999). The signs are others than the network was trained on: it knows these by heart, and
what it says of a tile by itself would be believed too far. A board has few blanks, so each counts as
often as several letters. `--write` keeps the numbers found, one decimal each, with the sign network.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Pyramid
from kibitz.models.session import WEIGHTS
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.covers import TILE
from kibitz.models.training.facts import keep_blend
from kibitz.models.training.sampling.worse import CHANGES, made_worse
from kibitz.models.training.weighing.blank_fit import drawn, lies_in
from kibitz.vision.boards.letters.signs import Blend, odds_of_blank, odds_of_sign
from kibitz.vision.boards.square_logs import settle_turns
from kibitz.vision.pipeline import Reader
from kibitz.vision.request import ReadRequest

WORSE_EACH = 2
"""So many pictures of each board are made worse."""
LOOKS_COUNT = 0.4
"""How much the looks' log odds of a blank count. Fitted as well it would be 0.3: then letters whose
numeral the light has washed out are blanks."""
BLANK_COUNTS = 10.0
"""A blank counts as often as so many letters: there are forty of these to each, and a sign would be
missed a hundred times as often as a letter is taken for one."""

Floats = NDArray[np.float64]
Told = tuple[Floats, Floats, NDArray[np.bool_]]
"""Of K tiles, (K, 3) log odds of a blank by the looks, and of a sign by itself and by its set, (K,)
of a blank by the neighbours' facing, and which are blanks."""


def told(reader: Reader, board_number: int, seed: int) -> Iterator[Told]:
    """What is told of a board's tiles in several pictures."""
    rng = np.random.default_rng([seed, board_number])
    style = glyphs.random_tile_style(rng)
    if board_number % 2:
        style = glyphs.unusual(rng, style)
    board = drawn(rng, replace(style, signs="fitted"))
    changes = rng.choice(len(CHANGES), WORSE_EACH, replace=False)
    px = board.geometry.square_px
    worse = [made_worse(rng, board.picture, px, CHANGES[k]) for k in changes]
    for picture in (board.picture, *worse):
        g = lies_in(picture, board)
        _, logs = reader.squares.see(Pyramid(picture), g, ReadRequest())
        assert logs.evidence is not None
        tiles = logs.evidence.signs.any(-1) & (logs.tile > 0.5)
        signs = odds_of_sign(logs.evidence.signs[tiles])
        told = odds_of_blank(logs.both[tiles]).astype(np.float64)
        # without what reading has added already
        of_looks, *of_signs, rare = blend_of(reader)
        looks = (told - signs @ np.array(of_signs) + rare) / of_looks
        odds = np.column_stack([looks, signs]).astype(np.float64)
        letter = settle_turns(logs, reader.squares.labels(ReadRequest()))[0][tiles]
        facing = letter[:, -1] - np.logaddexp.reduce(letter[:, :-1], -1) - told
        known = board.scene.kinds[tiles] == TILE
        blank = board.scene.letters[tiles] == glyphs.LABELS.index("?")
        yield odds[known], facing[known], blank[known]


def blend_of(reader: Reader) -> Blend:
    """What counts as much as it is read now."""
    assert reader.squares.glyphs.sign is not None
    return reader.squares.glyphs.sign.facts.sign_blend


def fit(x: Floats, beside: Floats, blank: NDArray[np.bool_], blank_counts: float = 1.0) -> Floats:
    """Weights of the columns of x, (K, n), that with what is said beside make a blank's log odds.

    A blank counts so many times.
    """
    out = np.zeros(x.shape[1])
    counts = np.where(blank, blank_counts, 1.0)
    for _ in range(100):
        p = 1 / (1 + np.exp(-(x @ out + beside)))
        slope = x.T @ (counts * (p - blank)) + 1e-3 * out
        bend = (x * (counts * p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(len(out))
        out = out - np.linalg.solve(bend, slope)
    return out


def main() -> None:
    """Draw, read, fit."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--boards", type=int, default=280)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--write", action="store_true", help="keep what was found")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    reader = Reader()
    parts = [part for k in range(a.boards) for part in told(reader, k, a.seed)]
    odds, facing, blank = (np.concatenate(x) for x in zip(*parts, strict=True))
    # what lowers the odds is said last
    odds = np.column_stack([odds, -np.ones(len(odds))])
    looks = LOOKS_COUNT * odds[:, 0]
    weights = np.array([LOOKS_COUNT, *fit(odds[:, 1:], facing + looks, blank, BLANK_COUNTS)])
    print("looks {:.2f} sign alone {:.2f} in its set {:.2f} rare {:.2f}".format(*weights))
    print(f"{blank.sum()} blanks, {(~blank).sum()} letters")
    ways = {"looks alone": np.eye(4)[0], "as told now": blend_of(reader), "as fitted": weights}
    for name, weights_then in ways.items():
        wrong = (odds @ weights_then + facing > 0) != blank
        print(f"{name}: {wrong[blank].sum()} blanks and {wrong[~blank].sum()} letters wrong")
    if a.write:
        keep_blend(WEIGHTS / "sign.onnx", {"signs": [round(float(x), 1) for x in weights]})


if __name__ == "__main__":
    main()
