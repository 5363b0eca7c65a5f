"""Checks a lattice against the board's lines with a comb laid over the edges.

A frame that took a rim for a row squeezes sixteen rows into fifteen. The lines of the board then
miss the lines of the lattice, which needs no learning to see: along each axis the strength of
edges is summed up, and a comb of sixteen teeth is laid over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from sys import float_info
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import (
    CORNERS,
    IN_ONE,
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    rectify,
)
from kibitz.calibration.lattice import LATTICE, StraightView
from kibitz.calibration.lattice import MARGIN as SEEN_MARGIN
from kibitz.calibration.lattice import SQUARE_PX as SEEN_PX
from kibitz.engine.parameters import checked, number
from kibitz.engine.table import SIDE


@dataclass(frozen=True, slots=True)
class CombRule:
    """Parameters of the search for lines along a board's edges."""

    strongest: float = number(
        0.97, "share", 0.5, 1.0, "edges stronger than such a part of them count alike"
    )
    clearly: float = number(
        1.08, "times", 1.0, 3.0, "so much stronger the lines of another frame must be"
    )
    tiles_differ: float = number(
        28.0, "CIELAB", 1.0, 200.0, "squares that differ more differ altogether: one has a tile"
    )
    near: float = number(
        0.3, "squares", 0.05, 0.5, "a crossing lies no further from where it is looked for"
    )
    bit: float = number(
        0.8, "squares", 0.3, 1.0, "so far to each side a bit of a line tells where it crosses"
    )
    line_px: float = number(
        0.9, "pixels", 0.1, 8.0, "half of how wide a line is, of a square of `FLAT_PX`"
    )
    steps: int = number(
        10,
        "of a square",
        1,
        32,
        "the ends of combs go by so much; corners by twice that, once, and half",
    )
    lightness: float = number(
        0.7, "share", 0.0, 1.0, "light changes across a board: it counts less than colour"
    )

    def __post_init__(self) -> None:
        checked(self)


COMB: Final = CombRule()

FLAT_PX: Final = 16
FLAT_MARGIN: Final = LATTICE.reach + 0.5
"""The side of a square where lines are looked for, and how many squares around the board are: as
far as a lattice may lie off, and half of one beside its line."""
Strip = tuple[int, int]
STRIPS: Final[tuple[Strip, ...]] = (
    (0, SIDE), *((k, k + SIDE // 3) for k in range(0, SIDE, SIDE // 3)),
)  # fmt: skip
"""All squares, and thirds of them."""
LEANS_IN: Final = 5
"""Lines may lean: each is looked at in so many parts, an odd number."""
LINE_PX: Final = 7
"""How strong a line is, is told from so many pixels across it."""
COLOUR_PX: Final = 8
"""A square's colour is told from so many pixels a side, of which its middle half counts."""


@dataclass(frozen=True, slots=True)
class CombFit:
    """Best place of the comb on one axis: first and last tooth in squares, and strength.

    `here` is the strength of the lattice as it stands; 1 is as strong as anywhere.
    """

    first: float
    last: float
    strength: float
    here: float


def flatten(picture: Picture | Pyramid, geometry: BoardGeometry) -> Picture:
    """The board straightened with a margin, (320, 320, 3), for the comb."""
    margin, side = FLAT_MARGIN, SIDE + 2 * FLAT_MARGIN
    return rectify(picture, geometry, FLAT_PX, (-margin, -margin), (side, side))


def _profiles(
    flat: Picture, strips: Sequence[Strip], px: int, margin: float
) -> NDArray[np.float64]:
    """(2, strips, side) strength of edges in strips of squares, about 1 on average.

    Of upright edges along x, and of level ones along y.

    Args:
        flat: the board straightened with its surround, as wide as high.
        strips: the first square across, and the one after the last, of each.
        px: side of a square.
        margin: squares of surround on each side.
    """
    side = len(flat)
    lines = np.empty((2, len(strips), side))
    for of_axis, picture in zip(lines, (flat, cv2.transpose(flat)), strict=True):
        # Every other line tells as much.
        edges = _edges(np.asarray(picture, np.uint8)[::2], 1)
        for line, strip in zip(of_axis, strips, strict=True):
            low, high = (round((margin + end) * px / 2) for end in strip)
            line[:-1] = cv2.reduce(edges[low:high], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    lines[..., -1] = lines[..., -2]
    rows = lines.reshape(-1, side)
    smooth = cv2.GaussianBlur(rows, (LINE_PX, 1), COMB.line_px)
    usual = cv2.blur(rows, (px * 2 + 1, 1)) + float_info.epsilon
    return np.asarray(smooth / usual).reshape(lines.shape)


def edges_along(flat: Picture) -> NDArray[np.uint8]:
    """Vertical edges of a flattened board: differences between neighbouring pixels along x.

    The last column has none.
    """
    inner = _edges(flat, 1)
    return np.asarray(
        cv2.copyMakeBorder(inner, 0, 0, 0, 1, cv2.BORDER_CONSTANT, value=0), np.uint8
    )


def even_edges(flat: Picture, beside_px: int) -> NDArray[np.float32]:
    """Vertical edges of a flattened picture, locally normalised to 1.

    Args:
        flat: the picture.
        beside_px: so much on each side is around.
    """
    edges = edges_along(flat)
    reach = 2 * beside_px + 1
    usual = cv2.boxFilter(edges, cv2.CV_32F, (reach, reach))
    return np.asarray(edges / (usual + float_info.epsilon), np.float32)


def _edges(flat: Picture, step: int) -> NDArray[np.uint8]:
    """Differences of pixels `step` apart along x, in the channel that differs most.

    One strong edge (a sleeve, a shadow) must not outweigh fifteen faint ones: the strongest
    count alike.
    """
    b, g, r = cv2.split(cv2.absdiff(flat[:, step:], flat[:, :-step]))
    d = np.asarray(cv2.max(cv2.max(b, g), r), np.uint8)
    # In steps that do not fit into a square's side: others may pass all of the lines by.
    some = d[::5, ::3].ravel()
    strong = min(int(COMB.strongest * some.size), some.size - 1)
    most = float(np.partition(some, strong)[strong])
    return np.asarray(cv2.threshold(d, most, 0, cv2.THRESH_TRUNC)[1], np.uint8)


def fit_comb(profile: NDArray[np.float64]) -> CombFit:
    """The best comb of equally spaced teeth near the lattice's own."""
    reach = LATTICE.reach
    combs = combs_between((reach, reach), (reach, reach), COMB.steps)
    places = (combs.places + FLAT_MARGIN) * FLAT_PX
    # An edge stands between two pixels.
    fine = np.interp(places, np.arange(len(profile)) + 1.0, profile)
    values = fine[combs.teeth].mean(0)
    best = int(np.argmax(values))
    # the lattice as it stands, and with one end a step off
    here = float(values[combs.off.sum(0) <= 1].max())
    return CombFit(float(combs.first[best]), float(combs.last[best]), float(values[best]), here)


@dataclass(frozen=True, slots=True, eq=False)
class Combs:
    """All combs, one for each pair of a first and a last tooth.

    Attributes:
        off: (2, N) by how many steps first and last tooth lie off the lattice's own.
        first: (N,) the first tooth, in squares.
        last: (N,) the last one.
        places: where teeth of combs lie, in squares: many have the same.
        teeth: (16, N) the places of each comb's teeth.
        shape: how many first and how many last teeth there are.
    """

    off: NDArray[np.intp]
    first: NDArray[np.float64]
    last: NDArray[np.float64]
    places: NDArray[np.float64]
    teeth: NDArray[np.intp]
    shape: tuple[int, int]


@cache
def combs_between(first: tuple[float, float], last: tuple[float, float], steps: int) -> Combs:
    """Combs near the lattice's own.

    Args:
        first: by how many squares the first tooth may lie further out, and further in.
        last: the same of the last one, further in and further out.
        steps: so many a square are tried.
    """
    ends = [(round(low * steps), round(high * steps) + 1) for low, high in (first, last)]
    off = np.mgrid[tuple(slice(-low, high) for low, high in ends)]
    x, y = off.reshape(2, -1)
    # One tooth of all goes by so much less than the ends.
    k = np.arange(SIDE + 1)[:, None]
    whole = steps * SIDE
    teeth = x * (SIDE - k) + (y + whole) * k
    start = teeth.min()
    places = np.arange(start, teeth.max() + 1) / whole
    return Combs(
        np.abs(off.reshape(2, -1)),
        x / steps,
        y / steps + SIDE,
        places,
        teeth - start,
        off.shape[1:],
    )


def nearest_lines(
    edges: Sequence[NDArray[np.float32]],
    nodes: tuple[NDArray[np.intp], NDArray[np.intp]],
    reach: int,
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The strongest lines near a lattice's crossings.

    Args:
        edges: upright edges of a flattened board, and level ones with columns and rows exchanged.
        nodes: the pixels of the lattice's columns and rows.
        reach: how many pixels off a line may lie.

    Returns:
        By how many pixels the lines lie further on, and how strong they are, (rows, columns, 2).
    """
    steps = np.arange(-reach, reach + 1)
    off, strong = [], []
    for axis in (0, 1):
        value, across, down = edges[axis], nodes[axis], nodes[1 - axis]
        rows = down[:, None, None].clip(0, value.shape[0] - 1)
        # An edge stands between two pixels.
        columns = (across[:, None] + steps - 1)[None].clip(0, value.shape[1] - 1)
        near = value[rows, columns]
        best, most = steps[near.argmax(-1)], near.max(-1)
        off.append(best if axis == 0 else best.T)
        strong.append(most if axis == 0 else most.T)
    return np.stack(off, -1), np.stack(strong, -1)


@dataclass(frozen=True, slots=True)
class Lines:
    """Best combs of both axes, x first, for one geometry."""

    x: CombFit
    y: CombFit

    @property
    def strength(self) -> float:
        """Strength of the lattice's own lines, mean of both axes (1: no lines)."""
        return (self.x.here + self.y.here) / 2

    def better_frame(self) -> tuple[float, float, float, float] | None:
        """Frame of the 15 squares according to the lines: x0, y0, x1, y1; None if unchanged."""
        fits = (self.x, self.y)
        moved = [f.strength > COMB.clearly * f.here for f in fits]
        if not any(moved):
            return None
        (x0, x1), (y0, y1) = (
            (f.first, f.last) if m else (0.0, float(SIDE))
            for f, m in zip(fits, moved, strict=True)
        )
        return x0, y0, x1, y1


def find_lines(flat: Picture) -> Lines:
    """Combs that fit a flattened board's edges best."""
    of_axes = _profiles(flat, STRIPS[:1], FLAT_PX, FLAT_MARGIN)
    x, y = (fit_comb(of_axis[0]) for of_axis in of_axes)
    return Lines(x, y)


def _teeth() -> Points:
    """(axis, strip, line, x and y) crossings of the lattice's lines with the strips' middles."""
    here = np.arange(SIDE + 1.0)
    upright = np.array([[(line, sum(strip) / 2) for line in here] for strip in STRIPS])
    return np.stack([upright, upright[..., ::-1]])


_TEETH = _teeth()


def measure_lines(seen: StraightView, geometry: BoardGeometry) -> tuple[float, float]:
    """Strength and evenness of the lattice's lines in a picture.

    Returns:
        The strength on the fainter axis, and what part of the usual strength the weakest bit of
        the board has: four lines, a third of them long. A corner that lies off its square has a
        weak one though the rest stands out.
    """
    at = (seen.geometry.to_lattice(geometry.to_px(_TEETH)) + SEEN_MARGIN) * SEEN_PX
    profiles = _profiles(seen.straight, STRIPS, SEEN_PX, SEEN_MARGIN)
    side = profiles.shape[-1]
    # An edge stands between two pixels. All profiles lie on one line, one behind the other.
    along = np.minimum(np.maximum(at[(0, 1), ..., (0, 1)], 1), side) - 1
    along += np.arange(0, profiles.size, side).reshape(2, len(STRIPS), 1)
    teeth = np.interp(along, np.arange(profiles.size), profiles.ravel())
    bits = np.sort(teeth[:, 1:].reshape(-1, 4).mean(1))
    usual = float(middle_of(bits))
    return float(teeth[:, 0].mean(-1).min()), float(bits[0] / max(float_info.epsilon, usual))


def middle_of(ranked: NDArray[np.float64]) -> NDArray[np.float64]:
    """Medians of numbers that are sorted along the last axis.

    Of few numbers `np.median` takes longest for what it checks.
    """
    last = ranked.shape[-1] - 1
    return np.asarray((ranked[..., last // 2] + ranked[..., (last + 1) // 2]) / 2)


def colours_of(flat: Picture) -> NDArray[np.float32]:
    """(rows, columns, 3) colours of squares in CIELAB, each `COLOUR_PX` pixels a side."""
    px, edge = COLOUR_PX, COLOUR_PX // 4
    rows, columns, inner = flat.shape[0] // px, flat.shape[1] // px, px - 2 * edge
    # The middle of each square: its edges may show its neighbours.
    middles = flat.reshape(rows, px, columns, px, 3)[:, edge:-edge, :, edge:-edge]
    small = middles.reshape(rows * inner, columns * inner, 3).astype(np.float32) / 255
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2Lab).reshape(rows, inner, columns, inner, 3)
    squares = lab.transpose(0, 2, 4, 1, 3).reshape(rows, columns, 3, -1)
    return np.asarray(np.median(squares, axis=-1), np.float32)


def as_compared(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """CIELAB colours, (..., 3), scaled so that distances show similarity."""
    return lab * np.array([COMB.lightness, 1.0, 1.0], np.float32)


CORNER_MOVES = tuple(m for i in range(4) for m in ((i,), (i, (i + 1) % 4)))
"""What is moved at a time: a corner alone, or the side that starts at it."""
WAYS: Final = (*np.eye(2), *-np.eye(2))


def nudge_corners(flat: Picture, geometry: BoardGeometry) -> BoardGeometry:
    """Move each corner slightly so that the lattice's lines lie on the strongest edges.

    Coordinate descent over the four corners, at most half a square; for frames that a net was
    misled about and that are therefore right only to a third of a square.
    """
    maps = []
    for picture in (flat, cv2.transpose(flat)):
        inner = _edges(np.asarray(picture, np.uint8), 2)
        d = cv2.copyMakeBorder(inner.astype(np.float32), 0, 0, 1, 1, cv2.BORDER_REPLICATE)
        local = cv2.blur(d, (2 * FLAT_PX + 1, 2 * FLAT_PX + 1))
        maps.append(cv2.GaussianBlur(d / (local + float_info.epsilon), (0, 0), COMB.line_px))
    maps[1] = cv2.transpose(maps[1])
    along, across = np.meshgrid(np.arange(0.5, 2 * SIDE) / 2, np.arange(SIDE + 1.0))
    upright = np.stack([across.ravel(), along.ravel()], -1)
    half = len(upright)
    points = np.concatenate([upright, upright[:, ::-1]])[:, None]
    square = np.array(CORNERS, np.float32)
    px = FLAT_PX
    edge = FLAT_MARGIN * px - 0.5
    to_px = np.array([(px, 0, edge), (0, px, edge), (0, 0, 1.0)])

    def worth(corners: NDArray[np.float64]) -> float:
        m = to_px @ cv2.getPerspectiveTransform(square, corners.astype(np.float32))
        at = cv2.perspectiveTransform(points, m).astype(np.float32)
        seen = (
            cv2.remap(maps[0], at[:half], IN_ONE, cv2.INTER_LINEAR),
            cv2.remap(maps[1], at[half:], IN_ONE, cv2.INTER_LINEAR),
        )
        return (cv2.sumElems(seen[0])[0] + cv2.sumElems(seen[1])[0]) / half

    best = square.astype(np.float64)
    value = worth(best)
    for step in (2 / COMB.steps, 1 / COMB.steps, 0.5 / COMB.steps):
        before = -1.0
        while value > before:
            before = value
            for corners, way in product(CORNER_MOVES, WAYS):
                trial = best.copy()
                trial[list(corners)] += way * step
                if np.abs(trial - square).max() <= 0.5 and (new := worth(trial)) > value:
                    best, value = trial, new
    m = cv2.getPerspectiveTransform(square, best.astype(np.float32)).astype(np.float64)
    return replace(geometry, homography=geometry.homography @ m)
