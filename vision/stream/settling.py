"""Waits until hands are out of a moving picture: only still positions are worth reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.vision.frame import Picture
from kibitz.vision.stream.video import VideoPicture


@dataclass(frozen=True, slots=True)
class SettleRule:
    """When a moving picture counts as still."""

    still_s: float = number(0.7, "seconds", 0.0, 30.0, "hardly anything moves for so long")
    moving: float = number(
        0.004,
        "of the pixels",
        0.0,
        1.0,
        "no more change from picture to picture while it is still",
    )
    fresh: float = number(
        0.0008, "of the pixels", 0.0, 1.0, "so many differ from the picture that was shown last"
    )
    side_px: int = number(240, "pixels", 16, 2000, "the longer side of the pictures compared")
    step: float = number(14.0, "grey levels", 1.0, 255.0, "a pixel that changed differs so much")

    def __post_init__(self) -> None:
        checked(self)


SETTLE: Final = SettleRule()


def settled_pictures(
    pictures: Iterable[VideoPicture], rule: SettleRule = SETTLE
) -> Iterator[VideoPicture]:
    """The pictures at which a scene came to rest, each position once."""
    last: NDArray[np.float32] | None = None
    shown: NDArray[np.float32] | None = None
    still_since: float | None = None
    for item in pictures:
        small = shrink_grey(item.picture, rule)
        if last is None or changed_share(last, small, rule) > rule.moving:
            still_since = item.at_s
        last = small
        if still_since is None or item.at_s - still_since < rule.still_s:
            continue
        if shown is None or changed_share(shown, small, rule) > rule.fresh:
            shown = small
            yield item


def shrink_grey(picture: Picture, rule: SettleRule = SETTLE) -> NDArray[np.float32]:
    """A small, smoothed grey copy, freed of the picture's overall brightness."""
    height, width = picture.shape[:2]
    scale = rule.side_px / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    grey = cv2.cvtColor(
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
    )
    smooth = cv2.GaussianBlur(np.asarray(grey, np.float32), (3, 3), 0)
    return np.asarray(smooth - np.median(smooth), np.float32)


def changed_share(
    one: NDArray[np.float32], other: NDArray[np.float32], rule: SettleRule = SETTLE
) -> float:
    """Share of pixels that differ clearly; 1 for pictures of different shape."""
    if one.shape != other.shape:
        return 1.0
    return float((np.abs(one - other) > rule.step).mean())
