"""Rough outlines of boards: a learnt mask, and the quadrilateral around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Picture, Points, Pyramid
from kibitz.engine.parameters import checked, number
from kibitz.engine.table import SIDE

INNER_SQUARES: Final = 2.2
"""The finder was trained to leave out so many squares on each side of a board's inner part."""
CELL_PX: Final = 4
"""A cell of what the finder says is as wide as so many pixels of what it was shown."""
HALF_CELL: Final = 0.5
"""Where corners lie is known to about half a cell: smaller bends are straightened."""


@dataclass(frozen=True, slots=True)
class OutlineRule:
    """Parameters of the quadrilaterals around the finder's areas."""

    opening_cells: int = number(
        5, "cells", 1, 15, "narrower bits are cut off, corners are moved by less"
    )
    tried: int = number(
        2, "outlines", 1, 20, "of all that are found so many, the largest, are looked into"
    )
    unlikely: float = number(
        0.05,
        "probability",
        0.01,
        0.5,
        "cells that are likelier lie in the widest of other outlines, where the likeliest misled",
    )
    area_gain: float = number(
        0.1, "probability over a half", -0.5, 0.5, "surer cells belong to the area"
    )
    agrees: float = number(
        0.96,
        "of the area",
        0.5,
        1.0,
        "a quadrilateral that holds so much is good enough",
    )
    stand_back: float = number(
        0.7, "of the size", 0.2, 1.0, "a picture that a board may fill is shown so much smaller"
    )

    def __post_init__(self) -> None:
        checked(self)


OUTLINE: Final = OutlineRule()


class FinderModel(Protocol):
    """Network that marks the playing area and its inner part, at a quarter of the size."""

    @property
    def input_px(self) -> int:
        """Input size that it was made for, a multiple of 16."""
        ...

    def run(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(N, px, px, 3) pictures, px any multiple of 16, to (N, 2, px / 4, px / 4) logits."""
        ...


def letterbox(
    picture: Picture | Pyramid, px: int, box: tuple[int, int, int, int] | None = None
) -> tuple[Picture, float]:
    """The picture (or a part: x0, y0, x1, y1) shrunk into the top left of a square.

    Returns:
        (px, px, 3) and the number of its pixels for each picture pixel.
    """
    pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
    height, width = pyramid.shape
    x0, y0, x1, y1 = box or (0, 0, width, height)
    scale = px / max(x1 - x0, y1 - y0)
    w, h = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
    source, level = pyramid.not_below(scale)
    part = source[
        round(y0 * level) : max(round(y1 * level), round(y0 * level) + 1),
        round(x0 * level) : max(round(x1 * level), round(x0 * level) + 1),
    ]
    out = np.zeros((px, px, 3), np.uint8)
    # No smaller than half the level's size, every pixel of it counts without averaging.
    out[:h, :w] = cv2.resize(part, (w, h), interpolation=cv2.INTER_LINEAR)
    return out, scale


def quadrilateral(points: Points) -> Points | None:
    """Quadrilateral around a convex hull, by removing the cheapest sides; None if degenerate.

    Args:
        points: (N, 2).

    Returns:
        (4, 2) clockwise in the picture, or None where there is none.
    """
    hull = cv2.approxPolyDP(cv2.convexHull(points.astype(np.float32)), HALF_CELL, True)
    if len(hull) < 4:
        return None
    quad = cv2.approxPolyN(hull, 4, ensure_convex=False).reshape(-1, 2)
    return _clockwise(quad.astype(np.float64)) if len(quad) == 4 else None


def _worth_inside(quad: Points, gain: NDArray[np.float32]) -> float:
    """Sum of the gains of cells inside."""
    inside = np.zeros(gain.shape, np.float32)
    cv2.fillConvexPoly(inside, ((quad - 0.5) * 16).astype(np.int32), 1.0, shift=4)
    return float(np.dot(inside.ravel(), gain.ravel()))


def adjust_corners(quad: Points, gain: NDArray[np.float32]) -> Points:
    """Move corners until the quadrilateral holds enough of the area.

    Narrow leaks of the mask, which pull a hull outwards, do not pay for what else they would take
    in.

    Args:
        quad: (4, 2) in mask cells.
        gain: (h, w) what each cell is worth inside: its probability less a half.
    """

    def worth(q: Points) -> float:
        return _worth_inside(q, gain)

    best, value = quad.copy(), worth(quad)
    step = OUTLINE.opening_cells - 1.0  # no gap that is as narrow as what is cut off
    enough = OUTLINE.agrees * float(np.maximum(gain, 0).sum())
    while step >= HALF_CELL and value < enough:
        better = False
        moves = [
            (i, d)
            for i in range(4)
            for d in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step))
        ]
        for i, d in moves:
            # A corner alone, and the side that starts at it.
            for others in ((), ((i + 1) % 4,)):
                trial = best.copy()
                trial[[i, *others]] += d
                new = worth(trial)
                gains = new - value > np.finfo(np.float32).eps
                if gains and cv2.isContourConvex(trial.astype(np.float32)):
                    best, value, better = trial, new, True
        if not better:
            step /= 2
    return best


def _extend_inner(core: NDArray[np.uint8]) -> Points | None:
    """Outer corners implied by the inner part, which lacks the outer squares."""
    contours, _ = cv2.findContours(core, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    edge = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float64) + 0.5
    quad = quadrilateral(edge)
    if quad is None:
        return None
    low, high = INNER_SQUARES, SIDE - INNER_SQUARES
    src = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
    m = cv2.getPerspectiveTransform(src, quad.astype(np.float32))
    outer = np.array([[(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)]], np.float32)
    out = cv2.perspectiveTransform(outer, m)[0].astype(np.float64)
    return out if np.isfinite(out).all() else None


def propose(
    picture: Picture | Pyramid,
    model: FinderModel,
    box: tuple[int, int, int, int] | None = None,
    *,
    stand_back: bool = False,
) -> list[Points]:
    """Rough outer corners of playing areas, (4, 2) pixels each, clockwise, largest first.

    Args:
        picture: the photograph.
        model: the finder.
        box: only this part of the picture, x0, y0, x1, y1.
        stand_back: show the picture smaller, with a surround: for boards that fill it.
    """
    return outlines(masks_of(picture, model, box, stand_back=stand_back))


def outlines(seen: Masks) -> list[Points]:
    """Rough outer corners of playing areas from the finder's masks, as `propose`."""
    area, inner = seen.area, seen.inner
    opened = cv2.morphologyEx(
        (inner > 0).astype(np.uint8), cv2.MORPH_OPEN, _square(OUTLINE.opening_cells)
    )
    _, cores, stats, _ = cv2.connectedComponentsWithStats(opened)
    found: list[tuple[float, Points]] = []
    sizes = stats[1:, cv2.CC_STAT_AREA].tolist()
    for k in range(1, len(sizes) + 1):
        core = (cores == k).astype(np.uint8)
        gain = np.asarray(np.tanh(area / 2) / 2, np.float32)
        if len(sizes) > 1:
            # Each cell of the area belongs to its nearest core.
            others = ((cores > 0) & (cores != k)).astype(np.uint8)
            mine = cv2.distanceTransform(1 - core, cv2.DIST_L2, 3)
            theirs = cv2.distanceTransform(1 - others, cv2.DIST_L2, 3)
            gain[mine > theirs] = -0.5
        # Beyond the picture's edge nothing is known.
        gain[seen.height :, :] = 0
        gain[:, seen.width :] = 0
        quad = _fit_quad(core, gain)
        if quad is not None:
            found.append((sizes[k - 1], seen.to_picture(quad)))
    found.sort(key=lambda f: -f[0])
    return [_start_top_left(q) for _, q in found]


@dataclass(frozen=True, slots=True, eq=False)
class Masks:
    """The finder's masks for a picture, and where their cells lie.

    `area` and `inner` are logits, (px / 4, px / 4); only the first `height` rows and `width`
    columns show something.
    """

    area: NDArray[np.float32]
    inner: NDArray[np.float32]
    width: int
    height: int
    cell_px: float
    origin: tuple[float, float]

    def to_picture(self, cells: Points) -> Points:
        """Mask cells to pixels, (N, 2)."""
        return cells * self.cell_px + self.origin


def masks_of(
    picture: Picture | Pyramid,
    model: FinderModel,
    box: tuple[int, int, int, int] | None = None,
    *,
    stand_back: bool = False,
    px: int | None = None,
) -> Masks:
    """The finder's masks for a picture, shown at `px` pixels; other arguments as `propose`."""
    px = px or model.input_px
    reduced, scale = letterbox(picture, px, box)
    shape = picture.shape
    x0, y0 = (float(box[0]), float(box[1])) if box else (0.0, 0.0)
    bw, bh = ((box[2] - box[0]), (box[3] - box[1])) if box else (shape[1], shape[0])
    right, bottom = bw * scale, bh * scale
    if stand_back:
        part = reduced[: max(1, round(bottom)), : max(1, round(right))]
        less = OUTLINE.stand_back
        small = cv2.resize(part, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
        edge = np.concatenate([small[0], small[-1], small[:, 0], small[:, -1]])
        reduced = np.empty_like(reduced)
        reduced[:] = np.median(edge, axis=0)
        lead = round((1 - less) / 2 * px)
        reduced[lead : lead + small.shape[0], lead : lead + small.shape[1]] = small
        scale *= less
        x0, y0 = x0 - lead / scale, y0 - lead / scale
        right = bottom = float(px)
    area, inner = model.run(reduced[None])[0]
    width, height = int(np.ceil(right / CELL_PX)), int(np.ceil(bottom / CELL_PX))
    return Masks(area, inner, width, height, CELL_PX / scale, (x0, y0))


def other_outlines(looks: Iterable[Masks]) -> list[Points]:
    """Further outlines, for boards that a shadow or an arm cuts in two.

    Around the largest part and around all parts that are more probable than one level or another,
    the quadrilateral and the rectangle that hug them. Each is (4, 2) pixels, clockwise.
    """
    found: list[Points] = []
    for seen in looks:
        likely = 1 / (1 + np.exp(-seen.area))
        likely[seen.height :], likely[:, seen.width :] = 0.0, 0.0
        for level in np.linspace(OUTLINE.unlikely, 1 - OUTLINE.unlikely, 5):
            open_by = _square(OUTLINE.opening_cells)
            mask = cv2.morphologyEx((likely > level).astype(np.uint8), cv2.MORPH_OPEN, open_by)
            contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            if not contours:
                continue
            for edge in (max(contours, key=cv2.contourArea), np.concatenate(contours)):
                points = edge.reshape(-1, 2).astype(np.float64) + 0.5
                box = cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32)))
                for quad in (quadrilateral(points), box.astype(np.float64)):
                    if quad is not None and cv2.isContourConvex(quad.astype(np.float32)):
                        found.append(_start_top_left(seen.to_picture(_clockwise(quad))))
    kept: list[Points] = []
    for quad in found:
        side = np.sqrt(cv2.contourArea(quad.astype(np.float32)))
        half = side / SIDE / 2  # of a square: what differs by less is the same
        if side > 0 and not any(np.abs(quad - k).max() < half for k in kept):
            kept.append(quad)
    return kept


def _clockwise(quad: Points) -> Points:
    against = cv2.contourArea(quad.astype(np.float32), oriented=True) < 0
    return quad[::-1].copy() if against else quad


def _fit_quad(core: NDArray[np.uint8], gain: NDArray[np.float32]) -> Points | None:
    """The best quadrilateral around one inner part, in mask cells; None if there is none."""
    enough = OUTLINE.agrees * float(np.maximum(gain, 0).sum())
    best: tuple[float, Points] | None = None
    for quad in _candidate_quads(core, gain):
        if quad is None or not cv2.isContourConvex(quad.astype(np.float32)):
            continue
        worth = _worth_inside(quad, gain)
        if best is None or worth > best[0]:
            best = worth, quad
        if worth >= enough:
            break
    return None if best is None else _clockwise(adjust_corners(best[1], gain))


def _candidate_quads(
    core: NDArray[np.uint8], gain: NDArray[np.float32]
) -> Iterator[Points | None]:
    """Yield quadrilaterals around one inner part, in mask cells, usually best first.

    The one and the rectangle that hug the area it lies in, and the one that it implies itself.
    """
    open_by = _square(OUTLINE.opening_cells)
    mask = cv2.morphologyEx((gain > OUTLINE.area_gain).astype(np.uint8), cv2.MORPH_OPEN, open_by)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if contours:
        part = (
            contours[0]
            if len(contours) == 1
            else max(contours, key=lambda c: _shared_cells(c, core))
        )
        edge = part.reshape(-1, 2).astype(np.float64) + 0.5
        yield quadrilateral(edge)
        yield cv2.boxPoints(cv2.minAreaRect(edge.astype(np.float32))).astype(np.float64)
    yield _extend_inner(core)


def _shared_cells(contour: cv2.typing.MatLike, core: NDArray[np.uint8]) -> int:
    """Number of cells of an inner part in a contour."""
    inside = np.zeros_like(core)
    cv2.drawContours(inside, [contour], -1, 1, cv2.FILLED)
    return cv2.countNonZero(inside & core)


@lru_cache
def _square(side: int) -> NDArray[np.uint8]:
    return np.ones((side, side), np.uint8)


def _start_top_left(quad: Points) -> Points:
    first = min(range(4), key=lambda k: quad[k, 0] + quad[k, 1])
    return quad[np.arange(first, first + 4) % 4]
