"""Waits until hands are out of a moving picture: only still positions are worth reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.vision.frame import Picture
from kibitz.vision.stream.video import VideoPicture

SIDE_PX = 240
STEP = 14.0
"""How many grey levels a pixel must change to count as changed."""


@dataclass(frozen=True, slots=True)
class SettleRule:
    """When a moving picture counts as still.

    Attributes:
        still_s: how long hardly anything may move.
        moving: share of pixels that may change between two pictures of a still scene.
        fresh: share of pixels that must differ from the last settled picture for a new one.
    """

    still_s: float = 0.7
    moving: float = 0.004
    fresh: float = 0.0008


def settled_pictures(
    pictures: Iterable[VideoPicture], rule: SettleRule | None = None
) -> Iterator[VideoPicture]:
    """The pictures at which a scene came to rest, each position once."""
    rule = rule or SettleRule()
    last: NDArray[np.float32] | None = None
    shown: NDArray[np.float32] | None = None
    still_since: float | None = None
    for item in pictures:
        small = small_grey(item.picture)
        if last is None or changed_share(last, small) > rule.moving:
            still_since = item.at_s
        last = small
        if still_since is None or item.at_s - still_since < rule.still_s:
            continue
        if shown is None or changed_share(shown, small) > rule.fresh:
            shown = small
            yield item


def small_grey(picture: Picture) -> NDArray[np.float32]:
    """A small, smoothed grey copy, freed of the picture's overall brightness."""
    height, width = picture.shape[:2]
    scale = SIDE_PX / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    grey = cv2.cvtColor(
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
    )
    smooth = cv2.GaussianBlur(np.asarray(grey, np.float32), (3, 3), 0)
    return np.asarray(smooth - np.median(smooth), np.float32)


def changed_share(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Share of pixels that differ clearly; 1 for pictures of different shape."""
    if one.shape != other.shape:
        return 1.0
    return float((np.abs(one - other) > STEP).mean())
