"""Finds the squares of an unmoved board that look different in another picture."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, Picture, Pyramid
from kibitz.calibration.quality import VIEW
from kibitz.engine.parameters import as_in, checked, number
from kibitz.vision.boards.reader import straighten

SMALL_PX: Final = 12
BLUR_PX: Final = 3
"""The side of a square where boards are compared, and how far pixels are blurred before."""
QUARTERS: Final = 4


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """When a square of an unmoved board counts as changed.

    Boards are compared small and a little blurred: noise of single pixels is no change.
    """

    most_gain: float = number(
        0.3, "natural log", 0.01, 3.0, "in a picture so much brighter letters look otherwise"
    )
    mean: float = as_in(VIEW, "noise")
    """A square that changed differs so much on average."""
    coarse_mean: float = number(
        6.0,
        "grey levels",
        0.5,
        255.0,
        "and so much where the picture was unpacked smaller, which shows thin strokes otherwise; "
        "where most squares differ by more the light is another",
    )
    usual: float = number(
        3.0, "times", 1.0, 20.0, "and so many times as much as most squares differ"
    )
    pixel: float = number(26.0, "grey levels", 1.0, 255.0, "a pixel that changed differs so much")
    share: float = number(
        0.012, "of a square", 0.0, 1.0, "or else so much of it consists of pixels that changed"
    )
    most: int = number(
        75, "squares", 1, 225, "where more changed the light is another, or something moved"
    )
    sure_place: float = number(
        0.3,
        "phase correlation",
        0.0,
        1.0,
        "a quarter of the board that fits so well, to half a pixel, lies where it lay",
    )

    def __post_init__(self) -> None:
        checked(self)


CHANGES: Final = ChangeRule()


def shrink_board(straight: Picture) -> Picture:
    """A straightened board at the size for comparisons."""
    side = 17 * SMALL_PX
    if straight.shape[0] != side:
        small = cv2.resize(straight, (side, side), interpolation=cv2.INTER_AREA)
        straight = np.asarray(small, np.uint8)
    return np.asarray(cv2.blur(straight, (BLUR_PX, BLUR_PX)), np.uint8)


def straighten_small(picture: Pyramid, geometry: BoardGeometry) -> Picture:
    """A board straightened at the size for comparisons, from a picture of any size."""
    return shrink_board(straighten(picture, geometry, SMALL_PX))


def changed_squares(
    now: Picture,
    before: Picture,
    sure: NDArray[np.bool_] | None = None,
    *,
    coarse: bool = False,
) -> NDArray[np.bool_] | None:
    """(15, 15) bool: squares that changed, and their neighbours; None if too many did.

    Args:
        now: a straightened board with one square around it, see `shrink_board`.
        before: the same board earlier.
        sure: (15, 15) squares that surely hold a tile whose letter is known: it is no other
            letter because a shadow or a neighbour reaches it.
        coarse: whether the picture was unpacked in half its size or less.
    """
    n = now.shape[0] // SMALL_PX
    # A camera that sets its exposure anew changes every square alike.
    means = [
        cv2.resize(x, (n, n), interpolation=cv2.INTER_AREA).reshape(-1, 3) + np.float32(1)
        for x in (now, before)
    ]
    gain = _median(means[0] / means[1])
    if np.abs(np.log(gain)).max() > CHANGES.most_gain:
        return None
    brighter = np.clip(np.arange(256)[:, None] * gain + 0.5, 0, 255).astype(np.uint8)
    b, g, r = cv2.split(cv2.absdiff(now, cv2.LUT(before, brighter[None])))
    most = cv2.max(cv2.max(b, g), r)
    strong = cv2.threshold(most, CHANGES.pixel, 255, cv2.THRESH_BINARY)[1]
    mean, share = (
        cv2.resize(x.astype(np.float32), (n, n), interpolation=cv2.INTER_AREA)
        for x in (most, strong)
    )
    usual = float(_median(mean.reshape(-1)))
    if usual > CHANGES.coarse_mean:
        return None
    least = max(CHANGES.coarse_mean if coarse else CHANGES.mean, CHANGES.usual * usual)
    touched = (mean > least) | (share > 255 * CHANGES.share)
    # A tile's shadow and its raised top reach its neighbours, where a little of them is seen.
    wide = cv2.dilate(touched.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if wide[1:-1, 1:-1].sum() > CHANGES.most and quarters_at_rest(now, before) < QUARTERS:
        return None
    reached = (mean > least / 2) | (share > 0)
    beside = (wide & reached)[1:-1, 1:-1]
    return np.asarray(touched[1:-1, 1:-1] | (beside if sure is None else beside & ~sure))


def _median(values: NDArray[Any]) -> NDArray[Any]:
    """Medians of an odd number of rows."""
    half = len(values) // 2
    return np.asarray(np.partition(values, half, axis=0)[half])


def squares_aside(now: Picture, before: Picture) -> tuple[int, int]:
    """Squares by which a board shows further right and down what it showed; 0, 0 if unsure.

    Args:
        now: a straightened board, see `shrink_board`.
        before: the same board earlier.
    """
    window = cv2.createHanningWindow(now.shape[:2], cv2.CV_32F)
    old, new = (cv2.cvtColor(x, cv2.COLOR_BGR2GRAY).astype(np.float32) for x in (before, now))
    (dx, dy), sure = cv2.phaseCorrelate(old, new, window)
    if sure < CHANGES.sure_place:
        return 0, 0
    return round(dx / SMALL_PX), round(dy / SMALL_PX)


def quarters_at_rest(now: Picture, before: Picture) -> int:
    """Number of quarters of a board that have not moved, light aside.

    Args:
        now: a straightened board, see `shrink_board`.
        before: the same board earlier.
    """
    side = now.shape[0] // 2
    window = cv2.createHanningWindow((side, side), cv2.CV_32F)
    grey = [cv2.cvtColor(x, cv2.COLOR_BGR2GRAY).astype(np.float32) for x in (before, now)]
    still = 0
    for y, x in product((0, side), (0, side)):
        old, new = (g[y : y + side, x : x + side] for g in grey)
        shift, sure = cv2.phaseCorrelate(old, new, window)
        still += sure >= CHANGES.sure_place and max(map(abs, shift)) <= 0.5
    return still
