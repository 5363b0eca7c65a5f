"""Detects a camera that did not move, and the place of its board in every picture."""

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
    """When a camera did not move, by the places of its board."""

    same_place_squares: float = as_in(FUSING, "same_place_squares")
    least_pictures: int = number(3, "pictures", 1, 100, "fewer that agree tell nothing")
    least_share: float = number(
        0.12, "of the pictures", 0.0, 1.0, "nor does a smaller part of them"
    )

    def __post_init__(self) -> None:
        checked(self)


STEADY: Final = SteadyRule()


def steady_corners(readings: Sequence[PhotoReading | None]) -> Corners | None:
    """Place of the board in most pictures, if the camera did not move; else None.

    Args:
        readings: one a picture; None where nothing was read.

    Returns:
        (4, 2) corners as the group of pictures has them that agrees and fits best, or None: too
        few pictures agree, or they differ in size or in the number of boards.
    """
    single = [r for r in readings if r is not None and len(r.boards) == 1]
    least = STEADY.least_pictures
    if len(single) < least:
        return None
    corners = np.stack([_turned(r) for r in single])
    sides = np.array([_side(r) for r in single])
    sizes = np.array([(r.width, r.height) for r in single])
    best: tuple[float, PhotoReading] | None = None
    for its, size in zip(corners[:, 0], sizes, strict=True):
        near = _off(corners, its) / sides < STEADY.same_place_squares
        group = [single[k] for k in (near & (sizes == size).all(-1)).nonzero()[0]]
        if len(group) < max(least, STEADY.least_share * len(single)):
            continue
        # a lattice that slipped by a row fits a little worse, however often it slips
        fits = sorted((other.boards[0].quality for other in group), reverse=True)
        fit = sum(fits[:least]) / least
        if best is None or fit > best[0]:
            best = fit, max(group, key=lambda r: r.boards[0].quality)
    return None if best is None else np.asarray(best[1].boards[0].corners_px)


def off_by(corners: Corners, reading: PhotoReading) -> float:
    """Distance in squares of a picture's board from given corners."""
    return float(_off(_turned(reading), corners)) / _side(reading)


def _turned(reading: PhotoReading) -> Corners:
    """(4, 4, 2) corners of a picture's board, starting with each of them."""
    here = np.asarray(reading.boards[0].corners_px, np.float64)
    return np.asarray(here[np.add.outer(np.arange(4), np.arange(4)) % 4])


def _off(turned: Corners, corners: Corners) -> Corners:
    """Largest distance in pixels between corners and (4, 2) given ones, (...)."""
    return np.asarray(np.linalg.norm(turned - corners, axis=-1).max(-1).min(-1))


def _side(reading: PhotoReading) -> float:
    """Pixels a square of a picture's board."""
    board = reading.boards[0]
    here = np.asarray(board.corners_px)
    side = board.square_px or float(np.linalg.norm(here[0] - here[1])) / board.size
    return max(side, float_info.epsilon)
