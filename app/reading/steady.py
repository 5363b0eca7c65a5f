"""Finds out whether a camera stood still, and where its board then lies in every picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from sys import float_info
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import as_in, checked, number
from kibitz.vision.readings import PhotoReading
from kibitz.vision.stream.fusing import FUSING

Corners = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SteadyRule:
    """When a camera stood still, by where its pictures show their board."""

    same_place_squares: float = as_in(FUSING, "same_place_squares")
    least_pictures: int = number(3, "pictures", 1, 100, "fewer that agree tell nothing")
    least_share: float = number(
        0.12, "of the pictures", 0.0, 1.0, "nor does a smaller part of them"
    )

    def __post_init__(self) -> None:
        checked(self)


STEADY: Final = SteadyRule()


def steady_corners(
    readings: Sequence[PhotoReading | None], rule: SteadyRule = STEADY
) -> Corners | None:
    """Where the board lies in most pictures, if the camera stood still.

    Args:
        readings: one a picture; None where nothing was read.
        rule: how many must agree, and how closely.

    Returns:
        (4, 2) corners as the group of pictures has them that agrees and fits best, or None: too
        few pictures agree, or they differ in size or in the number of boards.
    """
    single = [r for r in readings if r is not None and len(r.boards) == 1]
    least = rule.least_pictures
    if len(single) < least:
        return None
    best: tuple[float, PhotoReading] | None = None
    for one in single:
        group = [other for other in single if same_place(one, other, rule)]
        if len(group) < max(least, rule.least_share * len(single)):
            continue
        # a lattice that slipped by a row fits a little worse, however often it slips
        fits = sorted((other.boards[0].quality for other in group), reverse=True)
        fit = sum(fits[:least]) / least
        if best is None or fit > best[0]:
            best = fit, max(group, key=lambda r: r.boards[0].quality)
    return None if best is None else np.asarray(best[1].boards[0].corners_px)


def same_place(one: PhotoReading, other: PhotoReading, rule: SteadyRule = STEADY) -> bool:
    """Whether two pictures show their board at the same place, whichever edge is row A."""
    if (one.width, one.height) != (other.width, other.height):
        return False
    return off_by(one.boards[0].corners_px, other) < rule.same_place_squares


def off_by(corners: Corners, reading: PhotoReading) -> float:
    """How far, in squares, the corners of a picture's board are from given ones."""
    board = reading.boards[0]
    here = np.asarray(board.corners_px)
    side = board.square_px or float(np.linalg.norm(here[0] - here[1])) / board.size
    turns = [np.roll(here, k, axis=0) for k in range(4)]
    return float(min(np.linalg.norm(t - corners, axis=1).max() for t in turns)) / max(
        side, float_info.epsilon
    )
