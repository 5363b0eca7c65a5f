"""What changed on a board that lies where it lay, told from noise, light and shadows."""

from __future__ import annotations

from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import BoardGeometry, Picture, Pyramid
from vision.board_reader import straighten

SMALL_PX = 12
"""Boards are compared at so many pixels a square."""
SURE_PLACE, STILL = 0.3, 0.04
"""A quarter of a board that fits the same quarter so well, no further than that (squares) away,
lies where it lay."""
MOST_GAIN = 0.3
"""A picture brighter or darker than that (natural log) shows letters otherwise."""
OTHER_LIGHT = 5.0
"""Grey levels by which most squares differ if the light is another."""
CHANGED_MEAN, CHANGED_PIXEL, CHANGED_SHARE = 4.0, 26, 0.012
"""A square changed if it differs so much on average, or so large a part of it by so much."""
REACHED_MEAN, REACHED_USUAL, REACHED_SHARE = 2.0, 1.5, 0.002
"""Beside a square that changed less than that says that another did."""
MOST_CHANGED = 75
"""Of 225 squares, with those beside them: the light is another, or something moved."""


def from_afar(straight: Picture) -> Picture:
    """A straightened board as it is compared with others.

    It is small and a little blurred: noise of single pixels is no change.
    """
    side = 17 * SMALL_PX
    if straight.shape[0] != side:
        small = cv2.resize(straight, (side, side), interpolation=cv2.INTER_AREA)
        straight = np.asarray(small, np.uint8)
    return np.asarray(cv2.blur(straight, (3, 3)), np.uint8)


def seen_from_afar(picture: Pyramid, geometry: BoardGeometry) -> Picture:
    """A board in a picture as it is compared; a smaller picture will do than for reading."""
    return from_afar(straighten(picture, geometry, SMALL_PX))


def changed_squares(
    now: Picture,
    before: Picture,
    sure: NDArray[np.bool_] | None = None,
    least: float = CHANGED_MEAN,
) -> NDArray[np.bool_] | None:
    """(15, 15) squares that look different, with what they reach; None if too much does.

    Args:
        now: a straightened board with one square around it, see `from_afar`.
        before: the same board earlier.
        sure: (15, 15) squares that surely hold a tile whose letter is known: it is no other
            letter because a shadow or a neighbour reaches it.
        least: by how many grey levels a square that changed differs on average.
    """
    n = now.shape[0] // SMALL_PX
    # A camera that sets its exposure anew changes every square alike.
    means = [
        cv2.resize(x, (n, n), interpolation=cv2.INTER_AREA).reshape(-1, 3) + np.float32(1)
        for x in (now, before)
    ]
    gain = _median(means[0] / means[1])
    if np.abs(np.log(gain)).max() > MOST_GAIN:
        return None
    brighter = np.clip(np.arange(256)[:, None] * gain + 0.5, 0, 255).astype(np.uint8)
    b, g, r = cv2.split(cv2.absdiff(now, cv2.LUT(before, brighter[None])))
    most = cv2.max(cv2.max(b, g), r)
    strong = cv2.threshold(most, CHANGED_PIXEL, 255, cv2.THRESH_BINARY)[1]
    mean, share = (
        cv2.resize(x.astype(np.float32), (n, n), interpolation=cv2.INTER_AREA)
        for x in (most, strong)
    )
    usual = float(_median(mean.reshape(-1)))
    if usual > OTHER_LIGHT:
        return None
    touched = (mean > max(least, 3 * usual)) | (share > 255 * CHANGED_SHARE)
    # A tile's shadow and its raised top reach its neighbours, where a little of them is seen.
    wide = cv2.dilate(touched.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if wide[1:-1, 1:-1].sum() > MOST_CHANGED and not _lies_still(now, before):
        return None
    reached = (mean > max(REACHED_MEAN, REACHED_USUAL * usual)) | (share > 255 * REACHED_SHARE)
    beside = (wide & reached)[1:-1, 1:-1]
    return np.asarray(touched[1:-1, 1:-1] | (beside if sure is None else beside & ~sure))


def _median(values: NDArray[Any]) -> NDArray[Any]:
    """The medians of an odd number of rows."""
    half = len(values) // 2
    return np.asarray(np.partition(values, half, axis=0)[half])


def _lies_still(now: Picture, before: Picture) -> bool:
    """Whether each quarter of a board lies where it lay, though its light may be another."""
    side = now.shape[0] // 2
    window = cv2.createHanningWindow((side, side), cv2.CV_32F)
    grey = [cv2.cvtColor(x, cv2.COLOR_BGR2GRAY).astype(np.float32) for x in (before, now)]
    for y, x in product((0, side), (0, side)):
        old, new = (g[y : y + side, x : x + side] for g in grey)
        shift, sure = cv2.phaseCorrelate(old, new, window)
        if sure < SURE_PLACE or max(map(abs, shift)) > STILL * SMALL_PX:
            return False
    return True
