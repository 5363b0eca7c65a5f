"""A pool of canonical scenes on disk, drawn once and photographed many times.

python -m kibitz.models.training.sampling.pool --out scratch/pool --count 8000 --seed 1 --workers 2
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
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
    pictures: list[NDArray[np.uint8]] = []
    scenes = [
        scene.make_scene(np.random.default_rng([seed, shard, i]), in_depth=True)
        for i in range(SHARD)
    ]
    for s in scenes:
        assert s.raised is not None
        pictures += packed(s.image)
        pictures += [x for layer in (s.raised.tops, s.raised.over) for x in packed(layer)]
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        pictures=np.concatenate(pictures),
        ends=np.cumsum([len(x) for x in pictures]),
        numbers=np.stack([s.raised.numbers for s in scenes if s.raised]),
        kinds=np.stack([s.kinds for s in scenes]),
        letters=np.stack([s.letters for s in scenes]),
        turns=np.stack([s.turns for s in scenes]),
        rims=np.array([s.rim for s in scenes]),
    )
    part.rename(path)
    return path


def packed(layer: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """A picture (h, w, 3) as JPEG; of one (h, w, 4) the coverage too, as PNG."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, 93]
    out = [cv2.imencode(".jpg", layer[..., :3], quality)[1].ravel()]
    if layer.shape[2] == 4:
        out.append(cv2.imencode(".png", layer[..., 3])[1].ravel())
    return [np.asarray(x, np.uint8) for x in out]


class Scenes:
    """Scenes drawn in depth, in memory.

    Attributes:
        kinds, letters, turns: (N, n, n) uint8, see `scene.Scene`.
        rims: (N, 4) int, left, top, right, bottom in pixels.
    """

    def __init__(self, scenes: Sequence[scene.Scene]) -> None:
        self._scenes = scenes
        self.kinds = np.stack([s.kinds for s in scenes])
        self.letters = np.stack([s.letters for s in scenes])
        self.turns = np.stack([s.turns for s in scenes])
        self.rims = np.array([s.rim for s in scenes])

    def __len__(self) -> int:
        return len(self.kinds)

    def scene(self, i: int) -> scene.Scene:
        """Scene `i`, in depth."""
        return self._scenes[i]

    def image(self, i: int) -> NDArray[np.uint8]:
        """Scene `i` seen from straight above, (px, px, 3) BGR."""
        return self.scene(i).flat()


class Pool(Scenes):
    """Scenes drawn earlier, of all shards of a folder or of one, held in memory as JPEG.

    Attributes:
        numbers: (N, 8), see `scene.Raised`.
    """

    def __init__(self, folder: Path, limit: int | None = None) -> None:
        shards = [folder] if folder.is_file() else sorted(folder.glob("scenes-*.npz"))
        paths = [p for p in shards if ".part" not in p.name][:limit]
        if not paths:
            raise FileNotFoundError(
                f"expected scenes-*.npz in {folder}; draw some with kibitz.models.training.sampling.pool"
            )
        self._pictures: list[NDArray[np.uint8]] = []
        numbers, kinds, letters, turns, rims = [], [], [], [], []
        for path in paths:
            with np.load(path) as z:
                self._pictures += np.split(z["pictures"], z["ends"][:-1])
                numbers.append(z["numbers"])
                kinds.append(z["kinds"])
                letters.append(z["letters"])
                turns.append(z["turns"])
                rims.append(z["rims"])
        self.numbers, self.kinds, self.letters, self.turns, self.rims = map(
            np.concatenate, (numbers, kinds, letters, turns, rims)
        )

    def scene(self, i: int) -> scene.Scene:
        """Scene `i`, in depth."""
        image, *layers = self._pictures[5 * i : 5 * i + 5]
        tops, over = (
            np.asarray(
                cv2.merge([cv2.imdecode(colours, 1), cv2.imdecode(cover, cv2.IMREAD_GRAYSCALE)])
            )
            for colours, cover in (layers[:2], layers[2:])
        )
        truth = self.kinds[i], self.letters[i], self.turns[i]
        rim = tuple(int(x) for x in self.rims[i])
        raised = scene.Raised(tops, over, self.numbers[i])
        return scene.Scene(cv2.imdecode(image, 1), *truth, rim, raised)


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
