"""Measures how well confidence is calibrated: expected calibration error on labelled photographs.

    python tests/measures/calibration_error.py ../shared/photos/*

Squares are put into ten bins by the confidence that `kibitz read` reports; the error is the mean
distance between confidence and share of right answers, weighted by the bins' squares (Naeini et
al., Obtaining Well Calibrated Probabilities Using Bayesian Binning, 2015). Tiles apart from empty
squares, which are many and easy.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

LANGUAGE_SETS = {x: x for x in ("de", "fi", "fr", "pl", "ro")}
SHARED = Path(__file__).resolve().parents[3] / "shared"
sys.path.insert(0, str(SHARED / "tools"))


def letters_of(truth: dict[str, Any]) -> tuple[str, ...]:
    """Letters of the tile set in a labelled photograph."""
    from kibitz.app.common.materials.named import load_tile_set

    return tuple(load_tile_set(LANGUAGE_SETS.get(truth.get("language", ""), "en")).letters)


def answers(folder: str) -> Iterator[tuple[bool, float, bool]]:
    """Yield for each square: is it read as a tile, the confidence, and is that correct."""
    import score_read  # lies beside the photographs

    from kibitz.app.reading.results import board_of
    from kibitz.vision.pipeline import BoardNotFound, Reader
    from kibitz.vision.request import ReadRequest

    reader = Reader()
    for path, truth in score_read.load_truth(folder):
        boards = score_read.truth_boards(truth)
        picture = cv2.imread(str(path))
        if len(boards) != 1 or len(boards[0]["board"]) != 15 or picture is None:
            continue
        try:
            reading = reader.read(picture, ReadRequest(letters=letters_of(truth)))
        except BoardNotFound:
            continue
        read = board_of(reading.boards[0]).to_json()
        quarters, _, rows, _ = score_read.aligned(read, boards[0]["corners_px"])
        confidence = np.rot90(np.array(read["confidence"]), quarters)
        for r, row in enumerate(boards[0]["board"]):
            for c, true in enumerate(row):
                if true != "#" and rows[r][c] != "#":
                    right = bool(score_read.same(true, rows[r][c]))
                    yield rows[r][c] != ".", float(confidence[r, c]), right


def error(confidence: np.ndarray, right: np.ndarray) -> float:
    """Expected calibration error over ten equal bins."""
    bins = np.minimum((confidence * 10).astype(int), 9)
    gaps = [
        (bins == b).mean() * abs(confidence[bins == b].mean() - right[bins == b].mean())
        for b in range(10)
        if (bins == b).any()
    ]
    return float(sum(gaps))


def main() -> None:
    """Print the error over all folders given."""
    rows = [a for folder in sys.argv[1:] for a in answers(folder)]
    tile, confidence, right = (np.array(x) for x in zip(*rows, strict=True))
    for name, take in (("tiles", tile), ("empty squares", ~tile)):
        share = right[take].mean()
        print(
            f"{name}: {take.sum()} squares, right {share:.4f}, mean confidence "
            f"{confidence[take].mean():.4f}, expected calibration error "
            f"{error(confidence[take], right[take]):.4f}"
        )
        for b in range(10):
            here = take & (np.minimum((confidence * 10).astype(int), 9) == b)
            if here.any():
                print(
                    f"  {b / 10:.1f} to {b / 10 + 0.1:.1f}: {here.sum():6} right {right[here].mean():.3f}"
                )


if __name__ == "__main__":
    main()
