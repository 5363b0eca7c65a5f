"""A pool of canonical scenes on disk, drawn once and photographed many times.

python -m kibitz.models.training.sampling.pool --out scratch/pool --count 8000 --seed 1 --workers 2
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.models.training.drawing import scene

SHARD = 250


def draw_shard(out: Path, seed: int, shard: int) -> Path:
    """Draw one shard of scenes; a shard that is there already is left alone."""
    path = out / f"scenes-{seed}-{shard:04d}.npz"
    if path.exists():
        return path
    cv2.setNumThreads(1)
    jpegs, kinds, letters, turns, rims = [], [], [], [], []
    for i in range(SHARD):
        s = scene.make_scene(np.random.default_rng([seed, shard, i]))
        jpegs.append(cv2.imencode(".jpg", s.image, [cv2.IMWRITE_JPEG_QUALITY, 93])[1].ravel())
        kinds.append(s.kinds)
        letters.append(s.letters)
        turns.append(s.turns)
        rims.append(s.rim)
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        jpeg=np.concatenate(jpegs),
        ends=np.cumsum([len(j) for j in jpegs]),
        kinds=np.stack(kinds),
        letters=np.stack(letters),
        turns=np.stack(turns),
        rims=np.array(rims),
    )
    part.rename(path)
    return path


class Pool:
    """Scenes drawn earlier, of all shards of a folder or of one, held in memory as JPEG.

    Attributes:
        kinds, letters, turns: (N, 15, 15) uint8, see `scene.Scene`.
        rims: (N, 4) int, left, top, right, bottom in pixels.
    """

    def __init__(self, folder: Path, limit: int | None = None) -> None:
        shards = [folder] if folder.is_file() else sorted(folder.glob("scenes-*.npz"))
        paths = [p for p in shards if ".part" not in p.name][:limit]
        if not paths:
            raise FileNotFoundError(
                f"expected scenes-*.npz in {folder}; draw some with kibitz.models.training.sampling.pool"
            )
        self._jpegs: list[NDArray[np.uint8]] = []
        kinds, letters, turns, rims = [], [], [], []
        for path in paths:
            with np.load(path) as z:
                self._jpegs += np.split(z["jpeg"], z["ends"][:-1])
                kinds.append(z["kinds"])
                letters.append(z["letters"])
                turns.append(z["turns"])
                rims.append(z["rims"])
        self.kinds, self.letters, self.turns, self.rims = map(
            np.concatenate, (kinds, letters, turns, rims)
        )

    def __len__(self) -> int:
        return len(self._jpegs)

    def image(self, i: int) -> NDArray[np.uint8]:
        """The canonical picture of scene `i`, (CANVAS_PX, CANVAS_PX, 3) BGR."""
        return cv2.imdecode(self._jpegs[i], cv2.IMREAD_COLOR)


def main() -> None:
    """Draw a pool."""
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--count", type=int, default=8000)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--workers", type=int, default=2)
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(a.workers) as pool:
        jobs = [
            pool.submit(draw_shard, a.out, a.seed, k)
            for k in range((a.count + SHARD - 1) // SHARD)
        ]
        for job in jobs:
            print(job.result(), flush=True)


if __name__ == "__main__":
    main()
