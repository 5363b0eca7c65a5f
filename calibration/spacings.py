"""Finds spacing and place of the lines in a rough outline, with combs of any spacing.

The edges along each axis are summed up in strips. Of all spacings, and a little perspective, those
are likely whose teeth lie on edges and whose gaps do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import (
    CORNERS,
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    geometry_from_corners,
    rectify,
)
from kibitz.calibration.comb import COMB, FLAT_PX, LEANS_IN, even_edges
from kibitz.calibration.framing import FEWEST, MARGIN, MOST, SIZE, UNIT_PX, UNITS

Floats = NDArray[np.float64]


def rough_lattices(picture: Picture | Pyramid, quad: Points) -> Iterator[BoardGeometry]:
    """Yield possible lattices of a rough outline, likeliest first; the origin is arbitrary.

    Args:
        picture: the photograph.
        quad: (4, 2) the outline's corners, clockwise.
    """
    height, width = picture.shape[0], picture.shape[1]
    outline = geometry_from_corners(quad, UNITS, width, height)
    side = UNITS + 2 * MARGIN
    flat = rectify(picture, outline, UNIT_PX, (-MARGIN, -MARGIN), (side, side))
    edges = [even_edges(x, 2 * UNIT_PX) for x in (flat, np.asarray(cv2.transpose(flat), np.uint8))]
    for x, y in _spacings(edges[0], edges[1]):
        rough = _laid(outline, *_crossings(x, y))
        if rough is not None:
            yield rough


@dataclass(frozen=True, eq=False)
class _CombFits:
    """Fit of combs to the vertical lines of an outline's strips.

    Attributes:
        strength: (sizes, strips) by how many spreads of chance edges are stronger on the teeth of
            a comb of about that many squares than between them.
        at: for each size and strip where the teeth are.
    """

    strength: Floats
    at: list[list[Floats]]


def _fit_combs(edges: NDArray[np.float32]) -> _CombFits:
    """Fit of combs to the vertical edges of a flattened outline."""
    px = UNIT_PX
    low, inner = round(MARGIN * px), UNITS * px
    ends = np.linspace(low, low + inner, LEANS_IN + 1).round().astype(int)
    profiles = np.stack([edges[a:b].mean(0) for a, b in pairwise(ends)])
    wide = COMB.line_px * px / FLAT_PX
    soft = cv2.GaussianBlur(profiles.astype(np.float32), (9, 1), wide)
    profiles = np.asarray(soft, np.float32)
    strength, at = [], []
    for teeth, mids, on in _combs(SIZE.step, SIZE.phases, SIZE.bend):
        value = np.subtract(_sampled(profiles, teeth), _sampled(profiles, mids))
        count = on.sum(-1)
        fitted = (value * on).sum(-1) / count * np.sqrt(count)
        phase = fitted.argmax(1)
        strength.append(fitted.max(1))
        at.append(teeth[phase])
    sizes = len(_sizes(SIZE.step))
    bends = len(strength) // sizes
    of_size = np.array(strength).reshape(sizes, bends, -1)
    best = np.zeros((sizes, LEANS_IN))
    # lines lean: in a strip they lie further apart, or less, by up to half of what parts spacings
    spread = math.ceil(math.log(SIZE.same) / math.log(SIZE.step) / 2)
    places = []
    for k in range(sizes):
        near = slice(max(0, k - spread), k + spread + 1)
        part = of_size[near].reshape(-1, LEANS_IN)
        best[k] = part.max(0)
        first = near.start * bends
        places.append([at[first + int(part[:, s].argmax())][s] for s in range(LEANS_IN)])
    return _CombFits(best, places)


def _spacings(
    of_x: NDArray[np.float32], of_y: NDArray[np.float32]
) -> list[tuple[list[Floats], list[Floats]]]:
    """Likeliest places of lines along both axes, with similar spacings."""
    x, y = _fit_combs(of_x), _fit_combs(of_y)
    sizes = _sizes(SIZE.step)
    both = x.strength.sum(1)[:, None] + y.strength.sum(1)[None]
    both[np.abs(np.log(sizes[:, None] / sizes[None])) > np.log(SIZE.same)] = -np.inf
    out: list[tuple[list[Floats], list[Floats]]] = []
    while len(out) < SIZE.tried and np.isfinite(both.max()):
        i, j = np.unravel_index(both.argmax(), both.shape)
        out.append((x.at[i], y.at[j]))
        near = np.abs(np.log(sizes / np.sqrt(sizes[i] * sizes[j]))) < np.log(SIZE.same)
        both[np.ix_(near, near)] = -np.inf
    return out


@cache
def _sizes(step: float) -> Floats:
    """Numbers of squares a side that are tried (need not be whole)."""
    count = round(np.log(MOST / FEWEST) / np.log(step))
    return np.asarray(FEWEST * step ** np.arange(count + 1))


def _sampled(profiles: NDArray[np.float32], at: Floats) -> Floats:
    """(strips, ...) profiles interpolated between pixels."""
    where = np.clip(at - 1.0, 0, profiles.shape[1] - 2)
    low = where.astype(int)
    part = where - low
    return np.asarray(profiles[:, low] * (1 - part) + profiles[:, low + 1] * part, np.float64)


@cache
def _combs(
    step: float, phases: int, most_bend: float
) -> tuple[tuple[Floats, Floats, Floats], ...]:
    """All combs: teeth, midpoints between them, and which teeth lie in the outline.

    Each (phases, teeth), in pixels of a flattened outline.
    """
    px = UNIT_PX
    low, inner = MARGIN * px, UNITS * px
    middle = low + inner / 2
    out = []
    for squares in _sizes(step):
        pitch = inner / squares
        # as many as reach the outline's edges where the spacing changes
        half = int(squares * (1 + most_bend) / 2) + 1
        k = np.arange(-half, half + 1)
        for bend in np.linspace(-most_bend, most_bend, 7):
            phase = np.arange(phases)[:, None] / phases
            there, between = ((k + phase + d) * pitch for d in (0.0, 0.5))
            # towards one end lines lie closer: as on a plane that leans back
            teeth, mids = (middle + u + bend * u * u / inner for u in (there, between))
            on = ((teeth > low - pitch / 2) & (teeth < low + inner + pitch / 2)).astype(float)
            out.append((teeth, mids, on))
    return tuple(out)


def _lined_up(at: list[Floats]) -> dict[int, list[tuple[int, float]]]:
    """Teeth of all strips as lines: for each its strips and crossings with their middles."""
    lines: dict[int, list[tuple[int, float]]] = {}
    first = 0
    for s, teeth in enumerate(at):
        middle = len(teeth) // 2
        if s:
            # the tooth of the strip before that is nearest to this one's middle has its number
            before = at[s - 1]
            first += int(np.abs(before - teeth[middle]).argmin()) - len(before) // 2
        for k, x in enumerate(teeth):
            lines.setdefault(first + k - middle, []).append((s, float(x)))
    return lines


def _crossings(x: list[Floats], y: list[Floats]) -> tuple[Points, Points]:
    """Crossings of vertical and horizontal lines: (N, 2) lattice points, and pixels."""
    lines = []
    for at in (x, y):
        middles = (MARGIN + (np.arange(len(at)) + 0.5) * UNITS / len(at)) * UNIT_PX
        known = {k: v for k, v in _lined_up(at).items() if len(v) > 1}
        lines.append({k: _line(middles, v) for k, v in known.items()})
    lattice, px = [], []
    for i, (a, b) in lines[0].items():  # x = a + b * y
        for j, (c, d) in lines[1].items():  # y = c + d * x
            down = (c + d * a) / (1 - d * b)
            lattice.append((i, j))
            px.append((a + b * down, down))
    return np.array(lattice, float).reshape(-1, 2), np.array(px).reshape(-1, 2)


def _line(middles: Floats, crossed: list[tuple[int, float]]) -> tuple[float, float]:
    """Intercept and slope of a line through the middles of some strips."""
    strips, at = zip(*crossed, strict=True)
    slope, first = np.polyfit(middles[list(strips)], at, 1)
    return float(first), float(slope)


def _laid(outline: BoardGeometry, lattice: Points, crossings: Points) -> BoardGeometry | None:
    """A lattice through crossings in a flattened outline; None if it does not fit."""
    units = crossings / UNIT_PX - MARGIN
    inside = (np.abs(units - UNITS / 2) < UNITS / 2).all(-1)
    if inside.sum() < len(CORNERS):
        return None
    px = outline.to_px(units[inside])
    near = COMB.near * outline.square_px
    h: Any = cv2.findHomography(lattice[inside], px, cv2.RANSAC, near)[0]
    if h is None:
        return None
    return BoardGeometry(np.asarray(h, np.float64), 1, outline.width, outline.height)
