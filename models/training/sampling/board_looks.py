"""What the looks leave of photographs of drawn boards, for the board network to learn from.

    python -m kibitz.models.training.sampling.board_looks --pool scratch/pool --out scratch/looks --seed 6

Each shard of the pool is photographed and looked at once, as reading does it, and becomes one
file; a file that is there already is left alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry
from kibitz.models.session import WEIGHTS, load_model
from kibitz.models.training.sampling import samples
from kibitz.models.training.sampling.pool import Pool
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.letters.close_look import Glyphs
from kibitz.vision.boards.reader import SQUARE_PX, look_at_all
from kibitz.vision.boards.square_logs import log_sum

LEAST = -60.0
"""Log probabilities below it are kept as this: half precision."""
LOW_PX, HIGH_PX = 11, 48
"""Fewest and most pixels a square in the photographs."""
BOARD = (
    "glance_logits", "glance_features", "colours", "square_px", "kinds", "letters", "turns",
)  # fmt: skip
SQUARES = ("small_where", "small_logits", "small_features")
CLOSER = ("large_where", "large_logits", "large_features")

Arrays = dict[str, NDArray[Any]]


class Looker:
    """The published networks that look at squares."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self.glance = load_model("reader", weights)
        self.glyphs = Glyphs(load_model("small_glyph", weights), load_model("glyph", weights))
        self.letters = self.glance.facts.labels[:-1]

    def leaves(self, picture: NDArray[np.uint8], geometry: BoardGeometry) -> Arrays:
        """What the looks at one board leave; shapes as `together.Looks` has them."""
        seen = look_at_all(picture, geometry, self.glance, self.glyphs, self.letters)
        colours = SquareColours(seen.straight, SQUARE_PX).of(np.ones((15, 15), np.bool_))
        looks, glance = seen.looks, seen.looks.glance.logs
        told = glance.kind, log_sum(glance.both, -1), log_sum(glance.both, -2)
        out: Arrays = {
            "glance_logits": np.concatenate(told, -1).astype(np.float16),
            "glance_features": looks.glance.features.astype(np.float16),
            "colours": np.concatenate(colours, -1).astype(np.float16),
            "square_px": np.float32(geometry.square_px),
        }
        feed = looks.feed()
        for name, at in (("small", looks.small_at), ("large", looks.large_at)):
            # the last row is none
            kind, both, features = (feed[f"{name}_{x}"][:-1] for x in ("kind", "both", "features"))
            logs = np.concatenate([kind, both.reshape(len(both), both.shape[1] * 4)], -1)
            out[f"{name}_where"] = np.flatnonzero(at).astype(np.uint8)
            out[f"{name}_logits"] = np.maximum(logs, LEAST).astype(np.float16)
            out[f"{name}_features"] = features
        return out


def look_at_shard(pool: Path, out: Path, seed: int, photographs: int) -> Path:
    """The file of one shard of a pool.

    Args:
        pool: the shard, `scenes-*.npz`.
        out: the folder of the file.
        seed: which photographs are taken.
        photographs: of each scene.
    """
    path = out / f"looks-{seed}-{pool.stem}.npz"
    if path.exists():
        return path
    cv2.setNumThreads(1)
    looker, scenes = Looker(), Pool(pool)
    number = int(pool.stem.split("-")[-1])
    taken: list[Arrays] = []
    for i in range(len(scenes) * photographs):
        rng = np.random.default_rng([seed, number, i])
        picture, geometry, kinds, letters, turns = samples.board_photograph(
            rng, scenes, LOW_PX, HIGH_PX, i % len(scenes)
        )
        left = looker.leaves(picture, geometry)
        taken.append(left | {"kinds": kinds, "letters": letters, "turns": turns})
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        **{name: np.stack([x[name] for x in taken]) for name in BOARD},
        **{name: np.concatenate([x[name] for x in taken]) for name in (*SQUARES, *CLOSER)},
        small_count=np.array([len(x["small_where"]) for x in taken]),
        large_count=np.array([len(x["large_where"]) for x in taken]),
    )
    part.rename(path)
    return path


def main() -> None:
    """Look at a pool."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--pool", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--seed", type=int, default=6)
    ap.add_argument("--photographs", type=int, default=2, help="of each scene")
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    for shard in sorted(a.pool.glob("scenes-*.npz")):
        if ".part" not in shard.name:
            print(look_at_shard(shard, a.out, a.seed, a.photographs), flush=True)


if __name__ == "__main__":
    main()
