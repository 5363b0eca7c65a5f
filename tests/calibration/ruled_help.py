"""Ruled boards without premium squares, and what finders say of them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.calibration.outline import Masks

SIDE = 440.0
"""Pixels of the ruled boards of these tests."""


CORNERS = np.array(
    [(150.0, 120.0), (150 + SIDE, 120.0), (150 + SIDE, 120 + SIDE), (150, 120 + SIDE)]
)


def ruled(squares: int, width: int = 760, height: int = 700):
    """A board of bare squares on a plain table, seen from straight above."""
    picture = np.full((height, width, 3), 90, np.uint8)
    picture += np.random.default_rng(3).integers(0, 6, picture.shape, np.uint8)
    x0, y0 = CORNERS[0].astype(int)
    x1, y1 = CORNERS[2].astype(int)
    picture[y0:y1, x0:x1] += 70
    for k in range(squares + 1):
        at = round(k * SIDE / squares)
        cv2.line(picture, (x0 + at, y0), (x0 + at, y1), (40, 40, 40), 2)
        cv2.line(picture, (x0, y0 + at), (x1, y0 + at), (40, 40, 40), 2)
    return picture


def seen(picture, corners=CORNERS) -> Masks:
    """What a finder that makes no mistake would say."""
    h, w = picture.shape[:2]
    mask = np.full((h // 4, w // 4), -4.5, np.float32)
    cv2.fillConvexPoly(mask, (corners / 4).astype(np.int32), 4.5)
    return Masks(mask, mask, w // 4, h // 4, 4.0, (0.0, 0.0))


def board_of(quality: float, size: int = 11):
    """A board that was found so surely."""
    return replace(geometry_from_corners(CORNERS, size, 760, 700), quality=quality)
