"""Fit how far the mirror network is believed about several tiles of one set.

    python -m kibitz.models.training.weighing.mirror_fit --pool scratch/fresh --sets 300 --seed 9 [--write]

Tiles of one set look alike, and so do a board's premium squares: what each of them says is not all
news. Drawn sets and boards are looked at as they are and in a mirror, a few squares of each; one
number says by how much the sum of the log odds is too sure (temperature scaling; Guo et al., On
Calibration of Modern Neural Networks, 2017).
`--write` keeps it with the network.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.session import WEIGHTS, load_model
from kibitz.models.training.facts import keep_facts, kept_facts
from kibitz.models.training.sampling.faces import mirror_sample
from kibitz.models.training.sampling.pool import Pool
from kibitz.models.training.sampling.prints import print_sample
from kibitz.models.training.sampling.turns import mirror
from kibitz.vision.boards.mirror import each_another_way

Floats = NDArray[np.float64]
MOST = 16
"""Of a set or a board at most so many squares are seen."""
TEMPERATURES = np.geomspace(0.5, 8.0, 57)


def loss(sums: Floats, mirrored: NDArray[np.bool_], temperature: float) -> float:
    """Mean cross entropy of sets: of the log odds of a mirror, (N,), and whether there was one."""
    return float(np.logaddexp(0, np.where(mirrored, -sums, sums) / temperature).mean())


def fit(sums: Floats, mirrored: NDArray[np.bool_]) -> float:
    """The temperature with the least loss."""
    return float(min(TEMPERATURES, key=lambda t: loss(sums, mirrored, t)))


def main() -> None:
    """Draw, look, fit."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--pool", type=Path, required=True)
    ap.add_argument("--sets", type=int, default=300)
    ap.add_argument("--seed", type=int, default=9)
    ap.add_argument("--weights", type=Path, default=WEIGHTS)
    ap.add_argument("--write", action="store_true", help="keep what was found")
    a = ap.parse_args()
    cv2.setNumThreads(1)
    model, pool = load_model("mirror", a.weights), Pool(a.pool)
    sums, shown, tiles = [], [], []
    for k in range(a.sets):
        rng = np.random.default_rng([a.seed, k])
        sample = mirror_sample(rng, pool) if k % 2 else print_sample(rng)
        quarter = int(rng.integers(4))
        few = slice(0, int(rng.integers(1, MOST + 1)))
        for swapped in (False, True):
            cuts, truth = mirror(sample, quarter, swapped)
            if truth[0] != 255:
                sums.append(float(model.run(each_another_way(cuts[few])).sum()))
                shown.append(swapped)
                tiles.append(bool(k % 2))
    odds, mirrored = np.array(sums), np.array(shown)
    temperature = round(fit(odds, mirrored), 2)
    print(f"temperature {temperature}, loss {loss(odds, mirrored, temperature):.4f}")
    right, of_tiles = (odds > 0) == mirrored, np.array(tiles)
    for what, some in (("sets", of_tiles), ("boards", ~of_tiles)):
        own = fit(odds[some], mirrored[some])
        print(f"of {some.sum()} {what} {right[some].sum()} are told rightly, by itself {own:.2f}")
    if a.write:
        path = a.weights / "mirror.onnx"
        keep_facts(path, {**kept_facts(path), "temperature": temperature})


if __name__ == "__main__":
    main()
