"""Denoising of a board's picture.

In noise letters are misread: a U has the dots of an Ü, and bare blanks are told as empty squares.
A board's picture is looked at for noise before its squares are read. Noise is told from what a
second difference leaves, which edges and slopes of light do not (Immerkær, Fast Noise Variance
Estimation, 1996); its median, as only a small part of a board is print. It is taken out by means
of near pixels of like colour, so that edges stay (Tomasi and Manduchi, Bilateral Filtering for
Gray and Color Images, 1998).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, OneLevel, Picture, Pyramid, shrink_of
from kibitz.calibration.quality import VIEW
from kibitz.engine.parameters import checked, number
from kibitz.vision.boards import squares

SEEN_PX: Final = 128
"""Side of the part, in a board's middle, whose noise is told."""
SECOND: Final = np.outer((1, -2, 1), (1, -2, 1)).astype(np.float32)
"""Second differences, across and down."""
TO_SPREAD: Final = 1.4826 / float(np.linalg.norm(SECOND))
"""What the median size of differences is multiplied by to be the spread of normal noise."""
APART: Final = 6 / float(np.sqrt(np.pi))
"""Two pixels of one colour are so many spreads of their noise apart on average, the differences of
three channels added up, as OpenCV's filter counts them."""


@dataclass(frozen=True, slots=True)
class NoiseRules:
    """Parameters of denoising; `VIEW` says from when on noise counts."""

    reach: float = number(
        0.1,
        "of a square's side",
        0.01,
        1.0,
        "pixels count that are about so near, as wide as print",
    )

    def __post_init__(self) -> None:
        checked(self)


RULES: Final = NoiseRules()


def noise_of(picture: Picture) -> float:
    """Standard deviation of a picture's noise in each channel, in grey levels.

    Args:
        picture: (h, w, 3) uint8.
    """
    left = np.abs(cv2.filter2D(picture, cv2.CV_16S, SECOND))
    # whole numbers, few of them different: counted, their median is found sooner than sorted
    upto = np.bincount(left.ravel()).cumsum()
    either = np.searchsorted(upto, ((left.size - 1) // 2, left.size // 2), side="right")
    return float(either.mean()) * TO_SPREAD


def without_noise(picture: Pyramid, geometry: BoardGeometry) -> Pyramid:
    """The picture without noise, at the scale at which a board is read.

    Args:
        picture: the picture.
        geometry: where the board lies.
    """
    shrink = shrink_of(geometry, squares.SQUARE_PX)
    level, scale = picture.nearest(shrink)
    spread = noise_of(_middle(level, geometry.corners_px.mean(0) * scale))
    if spread <= VIEW.noise:
        return picture
    reach = RULES.reach * geometry.square_px * scale
    clear = cv2.bilateralFilter(level, 0, APART * spread, reach)
    return OneLevel(picture, shrink, np.asarray(clear, np.uint8))


def _middle(level: Picture, middle: NDArray[np.float64]) -> Picture:
    """Part of a picture, (h, w, 3), around a point x, y."""
    height, width = level.shape[:2]
    left, top = np.clip(
        middle - SEEN_PX / 2, 0, np.maximum(0, (width - SEEN_PX, height - SEEN_PX))
    ).astype(int)
    return level[top : top + SEEN_PX, left : left + SEEN_PX]
