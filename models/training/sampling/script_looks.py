"""Features of drawn tiles in close looks, for the layer that tells letters of every script.

    python -m kibitz.models.training.sampling.script_looks --sheets scratch/sheets --out scratch/script-looks

Each tile of a sheet lies on some ground among others of its set, a little askew and aside; it is
seen in few or many pixels, blurred, in some light, and looked at in any of four turns. A file that
is there already is left alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.session import WEIGHTS, Model, load_model
from kibitz.models.training.drawing.glyphs import SPRITE_PX
from kibitz.vision.boards.squares import CUT_PX, SQUARE_PX

Array = NDArray[np.float32]
Cuts = NDArray[np.uint8]
LEAST_PX, MOST_PX = 18.0, 60.0
"""Fewest and most pixels a square in the photograph."""
NEIGHBOURED = 0.35
"""The part of tiles' sides where another tile lies."""
ASKEW_DEG, ASIDE = 2.5, 0.03
"""Spread of a tile's turn, and of its place in squares."""
TILT = 0.03
"""Spread of how far a corner of the picture is moved, in its side, as a tilted camera does."""


def photographed(rng: np.random.Generator, tiles: NDArray[np.uint8]) -> Cuts:
    """(K, 60, 60, 3) squares with tiles, as a close look has them, all in one light.

    Args:
        rng: chance.
        tiles: (K, side, side, 4) a sheet.
    """
    ground = rng.uniform(0.1, 0.95) * rng.uniform(0.75, 1.0, 3).astype(np.float32)
    px = float(np.exp(rng.uniform(np.log(LEAST_PX), np.log(MOST_PX))))
    blur = float(abs(rng.normal(0, 0.5)))
    gamma, gain = float(np.exp(rng.normal(0, 0.25))), float(rng.uniform(0.6, 1.1))
    tint = rng.uniform(0.88, 1.0, 3).astype(np.float32)
    noise, lean = abs(rng.normal(0, 0.02)), rng.normal(0, TILT, (4, 2))
    return np.stack(
        [
            _finished(rng, _laid(rng, tiles, k, ground, lean), px, blur, gamma, gain * tint, noise)
            for k in range(len(tiles))
        ]
    )


def _laid(
    rng: np.random.Generator,
    tiles: NDArray[np.uint8],
    which: int,
    ground: Array,
    lean: NDArray[np.float64],
) -> Array:
    """(60, 60, 3) a tile on the ground, with others beside it."""
    out = np.empty((CUT_PX, CUT_PX, 3), np.float32)
    out[:] = ground * rng.uniform(0.9, 1.1)
    beside = ((-1, 0), (1, 0), (0, -1), (0, 1))
    there = [
        (step, int(rng.integers(len(tiles)))) for step in beside if rng.random() < NEIGHBOURED
    ]
    side = tiles.shape[1]
    for (dx, dy), k in [*there, ((0, 0), which)]:
        scale = SQUARE_PX / SPRITE_PX * rng.uniform(0.97, 1.03)
        m = cv2.getRotationMatrix2D(
            ((side - 1) / 2, (side - 1) / 2), float(rng.normal(0, ASKEW_DEG)), float(scale)
        )
        m[:, 2] += (CUT_PX - 1) / 2 - (side - 1) / 2
        m[:, 2] += SQUARE_PX * (np.array([dx, dy]) + rng.normal(0, ASIDE, 2))
        top = cv2.warpAffine(tiles[k], m, (CUT_PX, CUT_PX), flags=cv2.INTER_LINEAR)
        cover = top[..., 3:].astype(np.float32) / 255
        out = out * (1 - cover) + top[..., :3].astype(np.float32) / 255 * cover
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (CUT_PX - 1)
    tilted = cv2.getPerspectiveTransform(
        corners.astype(np.float32), (corners + lean * CUT_PX).astype(np.float32)
    )
    return cv2.warpPerspective(out, tilted, (CUT_PX, CUT_PX), borderMode=cv2.BORDER_REPLICATE)


def _finished(
    rng: np.random.Generator,
    picture: Array,
    px: float,
    blur: float,
    gamma: float,
    gain: Array,
    noise: float,
) -> Cuts:
    """That as a camera shows it, so many pixels a square, and in the close look's size again."""
    side = max(8, round(CUT_PX * px / SQUARE_PX))
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    if blur > 0.2:
        small = cv2.GaussianBlur(small, (0, 0), blur)
    small = np.clip(small, 0, 1) ** gamma * gain + rng.normal(0, noise, small.shape)
    seen = cv2.resize(small.astype(np.float32), (CUT_PX, CUT_PX), interpolation=cv2.INTER_LINEAR)
    return np.round(255 * np.clip(seen, 0, 1)).astype(np.uint8)


def look(sheet: Path, path: Path, seed: int, times: int, large: Model) -> Path:
    """The file of one sheet: features, letters and turns of its tiles, photographed some times."""
    features, shown, turns = [], [], []
    with np.load(sheet) as z:
        tiles, letters = z["tiles"], z["letters"]
    for k in range(times):
        rng = np.random.default_rng([seed, int(sheet.stem.split("-")[-1]), k])
        cuts = photographed(rng, tiles)
        turned = rng.integers(0, 4, len(cuts))
        for i, quarters in enumerate(turned):
            cuts[i] = np.rot90(cuts[i], -quarters)
        features.append(large.look(cuts)[1].reshape(len(cuts), -1).astype(np.uint8))
        shown.append(letters)
        turns.append(turned.astype(np.uint8))
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        features=np.concatenate(features),
        letters=np.concatenate(shown),
        turns=np.concatenate(turns),
    )
    part.rename(path)
    return path


def main() -> None:
    """Photograph and look."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--sheets", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--seed", type=int, default=3)
    ap.add_argument("--times", type=int, default=8, help="photographs of each sheet")
    ap.add_argument("--weights", type=Path, default=WEIGHTS)
    a = ap.parse_args()
    cv2.setNumThreads(1)
    a.out.mkdir(parents=True, exist_ok=True)
    large = load_model("glyph", a.weights)
    for sheet in sorted(a.sheets.glob("sheet-*[0-9].npz")):
        path = a.out / f"looks-{a.seed}-{sheet.stem}.npz"
        if not path.exists():
            print(look(sheet, path, a.seed, a.times, large), flush=True)


if __name__ == "__main__":
    main()
