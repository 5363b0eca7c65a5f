"""Pictures of drawn boards made worse than any that their maker would keep.

Out of focus, moved, dark, noisy, coarsely packed, small, in glare or under a coloured lamp; often
two of these at once, up to where nobody can read them.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Change = Callable[[np.random.Generator, Picture, float], Picture]
GAMMA = 2.2
GLARE = 300.0
TWICE = 0.3
"""So many pictures are made worse in two ways."""


def out_of_focus(rng: np.random.Generator, picture: Picture, square_px: float) -> Picture:
    """Each point a disc of up to a third of a square across."""
    radius = max(0.6, rng.uniform(0.02, 0.18) * square_px)
    far = np.arange(-int(radius + 1), int(radius + 1) + 1)
    kernel = np.clip(radius + 0.5 - np.hypot(far, far[:, None]), 0, 1)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def moved(rng: np.random.Generator, picture: Picture, square_px: float) -> Picture:
    """Each point a line of up to half a square."""
    half = max(1.0, rng.uniform(0.04, 0.27) * square_px)
    n = int(half + 1)
    way = rng.uniform(0, np.pi)
    end = np.array([np.cos(way), np.sin(way)]) * half
    kernel = np.zeros((2 * n + 1, 2 * n + 1), np.uint8)
    ends = (((n + k * end) * 16).round().astype(int).tolist() for k in (-1, 1))
    cv2.line(kernel, *ends, 255, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def packed(rng: np.random.Generator, picture: Picture, square_px: float) -> Picture:
    """A coarse JPEG."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(5, 40))]
    done = cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR)
    return np.asarray(done, np.uint8)


def noisy(rng: np.random.Generator, picture: Picture, square_px: float) -> Picture:
    """Noise of single pixels, of groups of them, or both."""
    shape, spread = picture.shape, rng.uniform(10, 60)
    fine, part = rng.normal(0, spread, shape), rng.uniform(0, 1)
    coarse = cv2.GaussianBlur(rng.normal(0, spread, shape), (0, 0), rng.uniform(0.7, 1.6))
    out = picture + fine * part + coarse / coarse.std() * spread * (1 - part)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def dark(rng: np.random.Generator, picture: Picture, square_px: float) -> Picture:
    """A small part of the light, and its noise."""
    lit = (picture / 255.0) ** GAMMA / np.exp(rng.uniform(1.0, 4.0))
    lit += rng.normal(0, 1, lit.shape) * np.sqrt(lit / rng.uniform(1000, 6000) + 4e-7)
    return np.asarray(np.clip(lit, 0, 1) ** (1 / GAMMA) * 255, np.uint8)


def small(rng: np.random.Generator, picture: Picture, square_px: float) -> Picture:
    """Fewer pixels."""
    part = min(1.0, np.exp(rng.uniform(*np.log((9.0, 22.0)))) / square_px)
    done = cv2.resize(picture, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
    return np.asarray(done, np.uint8)


def in_glare(rng: np.random.Generator, picture: Picture, square_px: float) -> Picture:
    """A lamp's mirror image on the board."""
    height, width = picture.shape[:2]
    x, y = (rng.uniform(0.3, 0.7, 2) * (width, height)).tolist()
    reach = rng.uniform(0.6, 2.6) * square_px
    far = (np.arange(width) - x) ** 2 + (np.arange(height)[:, None] - y) ** 2
    light = GLARE * np.exp(-far / (2 * reach * reach))
    return np.asarray(np.clip(picture + light[..., None], 0, 255), np.uint8)


def lit(rng: np.random.Generator, picture: Picture, square_px: float) -> Picture:
    """Under a coloured lamp."""
    lamp = np.exp(rng.uniform(*np.log((0.1, 1.0)), 3))
    seen = (picture / 255.0) ** GAMMA * (lamp / lamp.max())
    return np.asarray(seen ** (1 / GAMMA) * 255, np.uint8)


def recoloured(rng: np.random.Generator, picture: Picture, square_px: float) -> Picture:
    """In other colours, or with hardly any."""
    seen = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    if rng.random() < 0.5:
        seen[..., 0] = (seen[..., 0].astype(int) + int(rng.uniform(20, 160))) % 180
    else:
        seen[..., 1] = (seen[..., 1] * max(0.0, rng.uniform(-0.3, 0.4))).astype(np.uint8)
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_HSV2BGR), np.uint8)


CHANGES: tuple[Change, ...] = (
    *(out_of_focus, moved, packed, noisy, dark, small, in_glare, lit, recoloured),
)


def made_worse(
    rng: np.random.Generator, picture: Picture, square_px: float, change: Change
) -> Picture:
    """A picture made worse in one way, now and then in another too.

    Args:
        rng: chance.
        picture: of a board.
        square_px: side of its squares.
        change: how it is made worse.
    """
    if rng.random() < TWICE:
        another = CHANGES[int(rng.integers(len(CHANGES)))]
        if another is not small and another is not change:
            picture = another(rng, picture, square_px)
    return change(rng, picture, square_px)
