"""Rectifies tables that are seen from the side.

From the side square tiles look like lozenges, and letters are read worse: a sideways U is a C. All
tiles of a picture lie on one table, so all of them are pressed together alike. How much and which
way is told by their outlines and letters together: of squares, whichever way each of them lies,
edges of all directions are as long (shape from texture; Gårding, 1992).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Pyramid
from kibitz.engine.parameters import checked, number
from kibitz.vision.boards.squares import SQUARE_PX
from kibitz.vision.loose.finder import Spots
from kibitz.vision.readings import SURE

Matrix = NDArray[np.float64]

SEEN_PX: Final = 24
"""About how large tiles are where their outlines are measured."""
DIRECTIONS: Final = 60
"""So many directions of edges are told apart, in half a turn."""
ROUNDS: Final = 12
"""Each leaves at most half of the error."""
FAINT: Final = (1e-9, 0.0, 1e-9)
"""Edges that are always taken to be there, alike in all directions: a picture may have none."""
SOFT_PX: Final = 5
"""What softening by one pixel and a Sobel filter reach, and one for rounding: cut off further
outside, a picture has the same edges."""


@dataclass(frozen=True, slots=True)
class AskewRules:
    """When a table is seen so far from the side that its picture is rectified."""

    least: float = number(
        1.15, "times", 1.0, 5.0, "tiles that are less longer than wide are taken as they are"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES: Final = AskewRules()


def from_above(picture: Pyramid, spots: Spots) -> tuple[Pyramid, Spots]:
    """The picture and its tiles as seen from above; unchanged if that is nearly so.

    Args:
        picture: the photograph.
        spots: where tiles lie.
    """
    if len(spots) < SURE.few:
        return picture, spots
    stretch = _stretch(picture, spots)
    long, short = np.linalg.svd(stretch, compute_uv=False)
    if long / short < RULES.least:
        return picture, spots
    side = float(np.median(spots.where[:, 2]))
    source, level = picture.not_below(min(1.0, SQUARE_PX / side))
    height, width = source.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)]) @ stretch.T
    where = spots.where.copy()
    where[:, :2] = where[:, :2] * level @ stretch.T
    where[:, 2] *= level  # a lozenge's sides lie, on average, as those of its square do
    # what lies further than a tile from all of them is not laid out: nobody looks at it
    low = np.maximum(corners.min(0), (where[:, :2] - where[:, 2:3]).min(0))
    high = np.minimum(corners.max(0), (where[:, :2] + where[:, 2:3]).max(0))
    size = np.ceil(high - low).astype(int)
    # coordinates count from a pixel's edge, the warp from its middle
    moved = stretch @ (0.5, 0.5) - low - 0.5
    laid = cv2.warpAffine(
        source,
        np.column_stack([stretch, moved]),
        (int(size[0]), int(size[1])),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    where[:, :2] -= low
    return Pyramid(np.asarray(laid, np.uint8)), Spots(where, spots.up, spots.sure)


def _stretch(picture: Pyramid, spots: Spots) -> Matrix:
    """(2, 2) stretch of the picture, without rotation and change of area."""
    side = float(np.median(spots.where[:, 2]))
    source, level = picture.not_below(min(1.0, SEEN_PX / side))
    # as far as a tile's corners edges are its own
    discs = spots.where[:, :3] * (level, level, level * np.sqrt(0.5))
    low = np.maximum((discs[:, :2] - discs[:, 2:]).min(0).astype(int) - SOFT_PX, 0)
    high = (discs[:, :2] + discs[:, 2:]).max(0).astype(int) + 1 + SOFT_PX
    part = source[low[1] : high[1], low[0] : high[0]]
    grey = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    whose = np.zeros(grey.shape, np.int32)
    for k, (x, y, reach) in enumerate(discs, 1):
        cv2.circle(whose, (int(x) - int(low[0]), int(y) - int(low[1])), int(reach), k, -1)
    near = whose > 0
    across, down = (
        cv2.Sobel(grey, cv2.CV_16S, *d)[near].astype(np.float32) for d in ((1, 0), (0, 1))
    )
    way = (np.arctan2(down, across) % np.pi * (DIRECTIONS / np.pi)).astype(np.intp) % DIRECTIONS
    count = len(spots) + 1
    each = np.bincount(
        whose[near] * DIRECTIONS + way, np.hypot(across, down), count * DIRECTIONS
    ).reshape(count, DIRECTIONS)
    # a tile in shade says as much as one in the light
    return evened((each / np.maximum(each.sum(1, keepdims=True), 1.0)).sum(0))


def evened(power: NDArray[np.float64]) -> Matrix:
    """(2, 2) symmetric map of determinant 1 that makes edges of all directions equally long.

    Args:
        power: how strong edges are whose normals point each of some ways, in half a turn.
    """
    angle = (np.arange(len(power)) + 0.5) * np.pi / len(power)
    x, y = np.cos(angle), np.sin(angle)
    # normal by normal: x x, x y and y y
    squares = np.stack([x * x, x * y, y * y])
    xx, xy, yy = 1.0, 0.0, 1.0
    for _ in range(ROUNDS):
        # how long edges, which run across their normals, become by the root of what is known
        length = np.sqrt(np.array([yy, -2 * xy, xx]) @ squares)
        # half of the way: squares that lie straight ask for all of it, others for more
        xx, xy, yy = (squares @ (power / length) + FAINT).tolist()
        whole = sqrt(xx * yy - xy * xy)
        xx, xy, yy = xx / whole, xy / whole, yy / whole
    values, ways = np.linalg.eigh(np.array([(xx, xy), (xy, yy)]))
    return np.asarray(ways @ np.diag(np.sqrt(values)) @ ways.T)
