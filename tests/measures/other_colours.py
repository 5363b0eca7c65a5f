"""Reads labelled photographs with changed colours, in the dark, and as from a lower camera.

    python tests/measures/other_colours.py ../shared/photos/* --every 3

Colours turned make boards, premium squares and tiles that no photograph shows; a tilt adds to the
camera's. Prints for each change how many boards are located and exact and what is misread.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kibitz.app.reading.results import board_of
from kibitz.vision.pipeline import BoardNotFound, Reader
from kibitz.vision.request import ReadRequest
from tests.measures.calibration_error import letters_of

Picture = np.ndarray
Changed = tuple[Picture, np.ndarray]
"""A picture and where a board's corners lie in it, (4, 2) pixels."""


def hue(picture: Picture, degrees: int) -> Picture:
    """The picture with every hue turned."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + degrees // 2) % 180
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)


def dark(picture: Picture) -> Picture:
    """The picture with a sixth of the light, and noise."""
    noise = np.random.default_rng(0).normal(0, 3, picture.shape)
    return (picture * 0.18 + noise).clip(0, 255).astype(np.uint8)


def tilted(picture: Picture, corners: np.ndarray, by: float) -> Changed:
    """The picture with its far side narrowed by that share of its width at each end."""
    h, w = picture.shape[:2]
    near = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    far = np.array([(w * by, h * by / 2), (w - w * by, h * by / 2), (w, h), (0, h)], np.float32)
    m = cv2.getPerspectiveTransform(near, far)
    there = cv2.perspectiveTransform(corners.reshape(-1, 1, 2), m).reshape(-1, 2)
    return cv2.warpPerspective(picture, m, (w, h), borderValue=(90, 100, 110)), there


def coloured(change: Callable[[Picture], Picture]) -> Callable[[Picture, np.ndarray], Changed]:
    """A change of colours, which leaves the board where it is."""
    return lambda picture, corners: (change(picture), corners)


CHANGES: dict[str, Callable[[Picture, np.ndarray], Changed]] = {
    "as it is": lambda picture, corners: (picture, corners),
    "red as blue": coloured(lambda x: np.ascontiguousarray(x[..., ::-1])),
    "negative": coloured(lambda x: 255 - x),
    "grey": coloured(
        lambda x: cv2.cvtColor(cv2.cvtColor(x, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    ),
    **{f"hue {d}": coloured(lambda x, d=d: hue(x, d)) for d in (60, 120, 180, 240)},
    "warm": coloured(lambda x: (x * (0.55, 0.85, 1.1)).clip(0, 255).astype(np.uint8)),
    "dark": coloured(dark),
    "contrast": coloured(lambda x: ((x / 255.0) ** 2 * 255).astype(np.uint8)),
    "tilt 0.30": lambda picture, corners: tilted(picture, corners, 0.30),
    "tilt 0.36": lambda picture, corners: tilted(picture, corners, 0.36),
}


def photographs(folders: Iterable[str], every: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield pictures of one board with their labels; of each folder one in so many."""
    import score_read  # lies beside the photographs

    for folder in folders:
        known = [
            (path, truth)
            for path, truth in score_read.load_truth(folder)
            if [len(b["board"]) for b in score_read.truth_boards(truth)] == [15]
        ]
        yield from known[::every]


def counted(reader: Reader, path: str, truth: dict[str, Any], change: str) -> Counter[str]:
    """The scorer's counts for one changed picture."""
    import score_read

    board = score_read.truth_boards(truth)[0]
    picture, corners = CHANGES[change](cv2.imread(path), np.array(board["corners_px"], float))
    try:
        found = reader.read(picture, ReadRequest(letters=letters_of(truth))).boards
        out: dict[str, Any] = {"boards": [board_of(b).to_json() for b in found]}
    except BoardNotFound:
        out = {"error": {"code": "board_not_found"}}
    count: Any = Counter()
    count.update({"corner_err": [], "ms": []})
    there = {**truth, "corners_px": corners.tolist()}
    if "boards" in truth:
        there["boards"] = [{**board, "corners_px": corners.tolist()}]
    score_read.score_picture(there, out, count, [])
    return Counter({name: n for name, n in count.items() if isinstance(n, int)})


def main() -> None:
    """Print a line for each change."""
    ap = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ap.add_argument("folders", nargs="+")
    ap.add_argument("--every", type=int, default=1, help="of each folder one picture in so many")
    a = ap.parse_args()
    reader, pictures = Reader(), list(photographs(a.folders, a.every))
    for change in CHANGES:
        total, lost = Counter[str](), []
        for path, truth in pictures:
            count = counted(reader, path, truth, change)
            total += count
            if not count["located"]:
                lost.append("/".join(Path(path).parts[-2:]))
        print(
            f"{change:12} located {total['located']}/{total['boards']}, exact {total['exact']}, "
            f"tiles wrong {total['tiles_wrong']} of {total['tiles']}, false {total['false_tiles']}, "
            f"unseen {total['unseen']}",
            *(["; not located:", *lost] if lost else []),
            flush=True,
        )


if __name__ == "__main__":
    main()
