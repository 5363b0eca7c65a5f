"""Boards that the picture cuts off: laid on the lines that show, whatever lies beyond its edge.

The lattice network was trained on whole boards. Where the picture's edge takes a column away it
spreads fifteen columns over the fourteen that show, and is sure of it. The board's lines do not
agree: a comb whose teeth count only where the picture shows something finds how far apart they
really are. Which of them is the board's first is for its print to tell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from sys import float_info
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_finder import BoardNotFound
from kibitz.calibration.board_geometry import (
    IN_ONE,
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    geometry_from_corners,
    shrink_of,
)
from kibitz.calibration.comb import COMB, CombRule, edges_along
from kibitz.calibration.lattice import fit, reframed
from kibitz.engine.parameters import checked, number
from kibitz.engine.table import SIDE

SIDES: Final = ("left", "top", "right", "bottom")
ENDS: Final = (0.0, float(SIDE))
"""Where the first and the last line of a lattice lie."""
AS_IT_IS: Final = (0.0, 0.0, ENDS[1], ENDS[1])
NODES: Final = np.arange(SIDE + 1.0)
"""Where a lattice's lines lie, in squares."""


@dataclass(frozen=True, slots=True)
class CutRule:
    """When a board may be cut off, and how it is laid on the lines that show."""

    near_edge: float = number(
        0.6, "squares", 0.0, 3.0, "a side so near to the picture's edge may lie beyond it"
    )
    reach: float = number(
        6.0, "squares", 0.5, 8.0, "a cut side may lie so much further out than it was found"
    )
    back: float = number(1.2, "squares", 0.1, 2.0, "any side may lie so much further in, or out")
    step: float = number(0.1, "squares", 0.01, 0.5, "combs are tried in such steps")
    widest: float = number(1.5, "squares", 1.0, 3.0, "no lines are further apart")
    least_lines: int = number(10, "lines", 3, 16, "fewer lines in sight tell nothing")
    rim_px: int = number(
        3, "pixels", 0, 16, "the picture's own edge is no line: so much beside it does not count"
    )
    strip: float = number(
        3.0, "squares", 0.5, 15.0, "a bit of a line so long tells where it crosses another"
    )
    shown: float = number(
        0.3, "part", 0.0, 1.0, "of a line, or of a bit of one, so much must show for it to count"
    )
    near: float = number(0.3, "squares", 0.05, 0.5, "it lies so near to where the comb has it")
    rounds: int = number(2, "rounds", 0, 6, "the lattice is laid on its crossings so often")
    comb: CombRule = COMB

    def __post_init__(self) -> None:
        checked(self)


CUT: Final = CutRule()


def sides_cut(geometry: BoardGeometry, rule: CutRule = CUT) -> tuple[bool, bool, bool, bool]:
    """Which sides of a board may lie beyond the picture's edge.

    Returns:
        Of the lattice, the first column's side, row A's, the last column's, the last row's.
    """
    out, n = rule.near_edge, float(geometry.size)
    along = np.linspace(1.0, n - 1, 7)
    far = np.full(7, n + out)
    near = np.full(7, -out)
    lines = np.array([(near, along), (along, near), (far, along), (along, far)])
    inside = geometry.in_picture(geometry.to_px(lines.swapaxes(1, 2)))
    left, top, right, bottom = (inside.mean(1) < 0.5).tolist()
    return left, top, right, bottom


def edges_of_picture(geometry: BoardGeometry) -> tuple[str, ...]:
    """Which edges of the picture cut the board off: `left`, `top`, `right`, `bottom`."""
    x, y = geometry.to_px(np.stack(np.meshgrid(NODES, NODES), -1)).reshape(-1, 2).T
    beyond = x.min() < 0, y.min() < 0, x.max() > geometry.width, y.max() > geometry.height
    return tuple(side for side, is_beyond in zip(SIDES, beyond, strict=True) if is_beyond)


def lay_on_lines(
    picture: Picture | Pyramid, geometry: BoardGeometry, rule: CutRule = CUT
) -> BoardGeometry | None:
    """A board that may be cut off, laid on those of its lines that the picture shows.

    By whole squares it may be off: its lines do not tell which is the first.

    Returns:
        None where no side is near the picture's edge, or the lattice lies on the lines already.
    """
    cut = sides_cut(geometry, rule)
    if not any(cut):
        return None
    if _frame(picture, geometry, cut, rule) == AS_IT_IS and not edges_of_picture(geometry):
        return None
    # A lens that was fitted to lines that are not there bends the others.
    straight = geometry_from_corners(geometry.corners_px, SIDE, geometry.width, geometry.height)
    laid = reframed(straight, _frame(picture, straight, cut, rule))
    for _ in range(rule.rounds):
        laid = _Lines(picture, laid, rule).on_crossings()
    return replace(laid, quality=geometry.quality)


def _frame(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    cut: tuple[bool, bool, bool, bool],
    rule: CutRule,
) -> tuple[float, float, float, float]:
    """Where the lines in sight say that the 15 squares lie: x0, y0, x1, y1."""
    lines = _Lines(picture, geometry, rule)
    (x0, x1), (y0, y1) = (
        lines.ends(axis, cut[axis], cut[axis + 2]) if cut[axis] or cut[axis + 2] else ENDS
        for axis in (0, 1)
    )
    return x0, y0, x1, y1


class BoardCutOff(BoardNotFound):
    """The picture cuts a board off, and what shows does not tell which of its squares it is."""

    code = "board_cut_off"


def refusal(geometry: BoardGeometry) -> BoardCutOff:
    """What is said of a board that the picture cuts off and whose place cannot be known."""
    edges = edges_of_picture(geometry)
    sides = " and ".join(edges) or "outer"
    plural = "edges are" if len(edges) > 1 else "edge is"
    return BoardCutOff(
        f"the board's {sides} {plural} outside the picture, and what shows of it does not tell "
        "which rows and columns those are: move the camera so that all four corners are in it"
    )


class _Lines:
    """The edges of a straightened board, and where the picture shows any."""

    def __init__(self, picture: Picture | Pyramid, geometry: BoardGeometry, rule: CutRule) -> None:
        self._geometry, self._rule = geometry, rule
        margin, px = rule.comb.margin_squares, rule.comb.square_px
        pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
        part, scale = pyramid.nearest(shrink_of(geometry, px))
        where = geometry.to_px(_points(margin, px))
        at = (where * scale - 0.5).astype(np.float32)
        # What lies beyond the picture's edge is like the edge: it makes no line of its own.
        flat = cv2.remap(part, at, IN_ONE, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        shown = geometry.in_picture(where).astype(np.uint8)
        thick = np.ones((2 * rule.rim_px + 1,) * 2, np.uint8)
        self._shown = cv2.erode(shown, thick, borderValue=1).astype(np.float32)
        self._edges = [
            edges_along(np.asarray(flat, np.uint8), rule.comb).astype(np.float32),
            edges_along(np.asarray(cv2.transpose(flat), np.uint8), rule.comb).astype(np.float32),
        ]

    def _of(self, axis: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Edges across an axis and where they are shown, that axis along the rows."""
        shown = self._shown if axis == 0 else self._shown.T
        return self._edges[axis] * shown, shown

    def ends(self, axis: int, first_cut: bool, last_cut: bool) -> tuple[float, float]:
        """The first and the last line of the comb that fits the lines in sight best, in squares.

        As they are if none fits clearly better.
        """
        rule = self._rule
        px, margin = rule.comb.square_px, rule.comb.margin_squares
        edges, shown = self._of(axis)
        rows = slice(round(margin * px), round((margin + SIDE) * px))
        seen = shown[rows].sum(0)
        profile = np.divide(edges[rows].sum(0), seen, out=np.zeros_like(seen), where=seen > 0)
        known = (seen > rule.shown * len(edges[rows])).astype(np.float32)
        value = _relative(profile[None] * known, known[None], rule)[0]
        at = (np.arange(len(value)) + 1.0) / px - margin
        if not known.any():
            return ENDS
        low, high = at[known > 0][[0, -1]]
        first, last, teeth = _combs(first_cut, last_cut, rule)
        inside = (teeth > low) & (teeth < high)
        count = inside.sum(0)
        sums = (np.interp(teeth, at, value) * inside).sum(0)
        strength = np.where(count >= rule.least_lines, sums / np.maximum(count, 1), 0.0)
        # the lattice as it stands, and with its ends a step off
        aside = np.maximum(np.abs(first), np.abs(last - SIDE))
        here = strength[aside < rule.step * (1 + 0.5)]
        best = int(strength.argmax())
        if strength[best] <= rule.comb.clearly * float(here.max()):
            return ENDS
        pitch = (last[best] - first[best]) / SIDE
        # The side that shows stays where it was found, as far as whole squares let it.
        off = SIDE - last[best] if not last_cut else -first[best] if not first_cut else 0.0
        by = round(off / pitch) * pitch
        return float(first[best] + by), float(last[best] + by)

    def on_crossings(self) -> BoardGeometry:
        """The lattice fitted to where its lines cross in the picture, those in sight."""
        rule = self._rule
        px, margin = rule.comb.square_px, rule.comb.margin_squares
        reach = round(rule.near * px)
        steps = np.arange(-reach, reach + 1)
        nodes = ((NODES + margin) * px).round().astype(int)
        off, weight = np.zeros((2, 16, 16)), np.ones((16, 16))
        for axis in (0, 1):
            edges, shown = self._of(axis)
            tall = (1, round(rule.strip * px))
            soft = cv2.blur(edges, tall), cv2.blur(np.ascontiguousarray(shown), tall)
            value = _relative(np.asarray(soft[0]), np.asarray(soft[1]), rule)
            rows, columns = nodes[:, None, None], (nodes[:, None] + steps - 1)[None]
            rows, columns = rows.clip(0, len(value) - 1), columns.clip(0, value.shape[1] - 1)
            near = value[rows, columns] * (np.asarray(soft[1])[rows, columns] > rule.shown)
            best = near.argmax(-1)
            strong = near.max(-1)
            found = steps[best] / px
            off[axis] = found if axis == 0 else found.T
            weight *= strong if axis == 0 else strong.T
        lattice = np.stack(np.meshgrid(NODES, NODES), -1)
        here = self._geometry.to_px(lattice + np.moveaxis(off, 0, -1)).reshape(-1, 2)
        weight = np.minimum(weight, np.median(weight[weight > 0])) if weight.any() else weight
        if np.count_nonzero(weight) < rule.least_lines**2:
            return self._geometry
        try:
            return fit(here, lattice.reshape(-1, 2), weight.ravel(), self._geometry, lens=False)
        except np.linalg.LinAlgError:
            return self._geometry


def _relative(
    edges: NDArray[np.float32], shown: NDArray[np.float32], rule: CutRule
) -> NDArray[np.float32]:
    """Strength of edges along rows, 1 on average around, counted where they are shown."""
    width, comb = rule.comb.square_px * 2 + 1, rule.comb
    soft = [cv2.GaussianBlur(x, (7, 1), comb.line_width_px) for x in (edges, shown)]
    wide = [cv2.blur(x, (width, 1)) for x in (edges, shown)]
    line = soft[0] / np.maximum(soft[1], np.float32(float_info.epsilon))
    usual = wide[0] / np.maximum(wide[1], np.float32(float_info.epsilon))
    floor = comb.usual_floor * float(edges.sum() / max(1.0, float(shown.sum())))
    return np.asarray(line / (usual + floor + float_info.epsilon) * (shown > 0), np.float32)


@cache
def _points(margin: float, px: int) -> Points:
    """Lattice points of a straightened board's pixels."""
    along = (np.arange(round((SIDE + 2 * margin) * px)) + 0.5) / px - margin
    points = np.stack(np.meshgrid(along, along), -1)
    points.setflags(write=False)
    return points


@cache
def _combs(
    first_cut: bool, last_cut: bool, rule: CutRule
) -> tuple[Points, Points, NDArray[np.float64]]:
    """Combs that are tried: first and last tooth, (N,), and all teeth, (16, N), in squares."""
    out = (rule.reach if x else rule.back for x in (first_cut, last_cut))
    before, after = (round(x / rule.step) for x in out)
    back = round(rule.back / rule.step)
    first, last = np.mgrid[-before : back + 1, -back : after + 1].reshape(2, -1) * rule.step
    last = last + SIDE
    pitch = (last - first) / SIDE
    fair = (pitch > 1 / rule.widest) & (pitch < rule.widest)
    first, last = first[fair], last[fair]
    return first, last, first + (last - first) * (NODES[:, None] / SIDE)
