"""Boards cut off by the picture, laid on their visible lines.

The lattice network was trained on whole boards. Where the picture's edge takes a column away it
spreads fifteen columns over the fourteen that show, and is sure of it. The board's lines do not
agree: a comb whose teeth count only where the picture shows something finds how far apart they
really are. Which of them is the board's first is for its print to tell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from sys import float_info
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_finder import FINDER, BoardNotFound
from kibitz.calibration.board_geometry import (
    CORNERS,
    IN_ONE,
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    geometry_from_corners,
    shrink_of,
)
from kibitz.calibration.comb import (
    COMB,
    FLAT_MARGIN,
    FLAT_PX,
    LEANS_IN,
    LINE_PX,
    Combs,
    combs_between,
    edges_along,
    measure_lines,
    nearest_lines,
)
from kibitz.calibration.lattice import LATTICE, fit, straighten_for_model
from kibitz.engine.parameters import checked, number
from kibitz.engine.phrases import counted, listed, phrase
from kibitz.engine.table import SIDE

Floats = NDArray[np.float64]

SIDES: Final = ("left", "top", "right", "bottom")
SIDE_NAMES: Final = {
    "left": phrase("left"),
    "top": phrase("top"),
    "right": phrase("right"),
    "bottom": phrase("bottom"),
    "outer": phrase("outer"),
}
ENDS: Final = (0.0, float(SIDE))
"""Where the first and the last line of a lattice lie."""
NODES: Final = np.arange(SIDE + 1.0)
"""Where a lattice's lines lie, in squares."""


@dataclass(frozen=True, slots=True)
class CutRule:
    """When a board may be cut off, and how it is laid on its visible lines."""

    aside: float = number(
        1.2,
        "squares",
        0.0,
        2.0,
        "any side may lie so much further out or in: beyond the picture's edge, if that is nearer",
    )
    widest: float = number(1.5, "squares", 1.0, 3.0, "no lines are further apart")

    def __post_init__(self) -> None:
        checked(self)

    @property
    def least_lines(self) -> int:
        """Fewest visible lines that decide, at their largest spacing."""
        return int(len(NODES) / self.widest)


CUT: Final = CutRule()


def sides_cut(geometry: BoardGeometry) -> tuple[bool, bool, bool, bool]:
    """Which sides of a board may be beyond the picture's edge.

    Returns:
        Of the lattice, the first column's side, row A's, the last column's, the last row's.
    """
    out, n = CUT.aside, float(geometry.size)
    along = np.linspace(1.0, n - 1, 7)
    far = np.full(7, n + out)
    near = np.full(7, -out)
    lines = np.array([(near, along), (along, near), (far, along), (along, far)])
    inside = geometry.in_picture(geometry.to_px(lines.swapaxes(1, 2)))
    left, top, right, bottom = (inside.mean(1) < 0.5).tolist()
    return left, top, right, bottom


def edges_of_picture(geometry: BoardGeometry) -> tuple[str, ...]:
    """Edges of the picture that cut the board off: `left`, `top`, `right`, `bottom`."""
    x, y = geometry.to_px(np.stack(np.meshgrid(NODES, NODES), -1)).reshape(-1, 2).T
    beyond = x.min() < 0, y.min() < 0, x.max() > geometry.width, y.max() > geometry.height
    return tuple(side for side, is_beyond in zip(SIDES, beyond, strict=True) if is_beyond)


def lay_on_lines(picture: Picture | Pyramid, geometry: BoardGeometry) -> BoardGeometry | None:
    """A board that may be cut off, laid on its visible lines.

    By whole squares it may be off: its lines do not tell which is the first.

    Returns:
        None where no side is near the picture's edge, or the lattice lies on the lines already.
    """
    cut = sides_cut(geometry)
    if not any(cut):
        return None
    if not edges_of_picture(geometry):
        seen = straighten_for_model(picture, geometry)
        if measure_lines(seen, geometry)[0] > FINDER.plain_lines:
            return None
        if (_frame(picture, geometry, cut) == np.asarray(CORNERS)).all():
            return None
    # A lens that was fitted to lines that are not there bends the others.
    laid = geometry_from_corners(geometry.corners_px, SIDE, geometry.width, geometry.height)
    for _ in range(LATTICE.rounds):
        # Lines that run together along one axis lie closer and closer along the other.
        corners = laid.to_px(_frame(picture, laid, cut))
        laid = geometry_from_corners(corners, SIDE, geometry.width, geometry.height)
    for _ in range(LATTICE.rounds):
        laid = _Lines(picture, laid).on_crossings()
    return replace(laid, quality=geometry.quality)


def _frame(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    cut: tuple[bool, bool, bool, bool],
) -> Points:
    """(4, 2) corners of the 15 squares according to the visible lines, in squares."""
    lines = _Lines(picture, geometry)
    left, right = lines.ends(0, cut[0], cut[2])
    top, bottom = lines.ends(1, cut[1], cut[3])
    return np.array(
        [_meet(x, y) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
    )


Side = tuple[float, float]
"""Where a side that may lean crosses the two sides of the lattice that it joins, in squares."""
UPRIGHT: Final = ((ENDS[0], ENDS[0]), (ENDS[1], ENDS[1]))
"""Both sides of a lattice as it is."""


def _meet(upright: Side, level: Side) -> tuple[float, float]:
    """Crossing of two sides, in squares."""
    by_y, by_x = (upright[1] - upright[0]) / SIDE, (level[1] - level[0]) / SIDE
    x = (upright[0] + by_y * level[0]) / (1 - by_y * by_x)
    return x, level[0] + by_x * x


class BoardCutOff(BoardNotFound):
    """The board is cut off, and it is unclear which of its squares show."""

    code = "board_cut_off"


def refusal(geometry: BoardGeometry) -> BoardCutOff:
    """Error for a cut-off board with an unknown place."""
    edges = edges_of_picture(geometry)
    said = counted(
        "The board's {sides} edge is outside the picture, and what shows of it does not tell "
        "which rows and columns those are: move the camera so that all four corners are in it.",
        "The board's {sides} edges are outside the picture, and what shows of it does not tell "
        "which rows and columns those are: move the camera so that all four corners are in it.",
        max(1, len(edges)),
        sides=listed(SIDE_NAMES[edge] for edge in edges or ("outer",)),
    )
    return BoardCutOff(said, geometry)


class _Lines:
    """Edges of a straightened board, and where they are in the picture."""

    def __init__(self, picture: Picture | Pyramid, geometry: BoardGeometry) -> None:
        self._geometry = geometry
        margin, px = FLAT_MARGIN, FLAT_PX
        pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
        part, scale = pyramid.nearest(shrink_of(geometry, px))
        where = geometry.to_px(_points(margin, px))
        at = (where * scale - 0.5).astype(np.float32)
        # What lies beyond the picture's edge is like the edge: it makes no line of its own.
        flat = cv2.remap(part, at, IN_ONE, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        shown = geometry.in_picture(where).astype(np.uint8)
        # What a line's strength is told from must all show.
        near = np.ones((LINE_PX, LINE_PX), np.uint8)
        self._shown = cv2.erode(shown, near, borderValue=1).astype(np.float32)
        self._edges = [
            edges_along(np.asarray(flat, np.uint8)).astype(np.float32),
            edges_along(np.asarray(cv2.transpose(flat), np.uint8)).astype(np.float32),
        ]

    def _of(self, axis: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Edges across an axis and their visibility, with that axis along the rows."""
        shown = self._shown if axis == 0 else self._shown.T
        return self._edges[axis] * shown, shown

    def ends(self, axis: int, first_cut: bool, last_cut: bool) -> tuple[Side, Side]:
        """First and last line of the comb that fits the visible lines best, in squares.

        A lattice that was spread over what shows leans as well: towards the ends of its lines
        the comb may lie further on. As they are if none fits clearly better.
        """
        step, half = 1 / COMB.steps, LEANS_IN // 2
        most = COMB.steps // 2  # half a square further aside, a fifth of the board further on
        # from the middle strip to the outermost a tooth may lean by so much
        more = half * most * step
        # a cut side as far out as lines are apart at most
        far, near = more + (CUT.widest - 1) * SIDE, more + CUT.aside
        before, after = (far if is_cut else near for is_cut in (first_cut, last_cut))
        combs = combs_between((before, near), (near, after), COMB.steps)
        strips = [slice(k, k + SIDE // LEANS_IN) for k in range(0, SIDE, SIDE // LEANS_IN)]
        scores = [self._on_teeth(axis, strip, combs) for strip in strips]
        sums = np.stack([x for x, _ in scores]).reshape(LEANS_IN, *combs.shape)
        counts = np.stack([x for _, x in scores]).reshape(LEANS_IN, *combs.shape)
        best, here, found, leans = -1.0, 0.0, (0.0, 0.0), [0.0, 0.0]
        inner = tuple(slice(half * most, n - half * most) for n in combs.shape)
        first, last = (x.reshape(combs.shape)[inner] for x in (combs.first, combs.last))
        aside = combs.off.max(0).reshape(combs.shape)[inner]
        pitch = (last - first) / SIDE
        fair = (pitch > 1 / CUT.widest) & (pitch < CUT.widest)
        for lean in product(range(-most, most + 1), repeat=2):
            at = [
                tuple(
                    slice(half * most + k * d, n - half * most + k * d)
                    for n, d in zip(combs.shape, lean, strict=True)
                )
                for k in range(-half, half + 1)
            ]
            total = sum(x[i] for x, i in zip(sums, at, strict=True))
            count = sum(x[i] for x, i in zip(counts, at, strict=True))
            enough = fair & (count >= CUT.least_lines * LEANS_IN)
            strength = np.where(enough, total / np.maximum(count, 1), 0.0)
            if max(map(abs, lean)) <= 1:
                # the lattice as it stands, and with its ends a step off
                here = max(here, float(strength[aside <= 1].max()))
            if strength.max() > best:
                i = np.unravel_index(int(strength.argmax()), strength.shape)
                best = float(strength[i])
                found = (float(first[i]), float(last[i]))
                leans = [d * step for d in lean]
        if best <= COMB.clearly * here:
            return UPRIGHT
        first_at, last_at = found
        # The side that shows stays where it was found, as far as whole squares let it.
        off = SIDE - last_at if not last_cut else -first_at if not first_cut else 0.0
        spacing = (last_at - first_at) / SIDE
        by = round(off / spacing) * spacing
        # from the middle strip's middle to the lattice's ends
        far = LEANS_IN / 2
        one, two = (
            (at + by - far * d, at + by + far * d)
            for at, d in zip((first_at, last_at), leans, strict=True)
        )
        return one, two

    def _on_teeth(self, axis: int, strip: slice, combs: Combs) -> tuple[Floats, Floats]:
        """For each comb the sum of edges on its teeth, and the number of visible teeth.

        Args:
            axis: the one that the comb's line lies along.
            strip: squares of the other that count.
            combs: those that are tried.
        """
        px, margin = FLAT_PX, FLAT_MARGIN
        rows = slice(*(round((margin + end) * px) for end in (strip.start, strip.stop)))
        edges, shown = (x[rows] for x in self._of(axis))
        seen = shown.sum(0)
        profile = np.divide(edges.sum(0), seen, out=np.zeros_like(seen), where=seen > 0)
        known = (seen > 0.5 * len(edges)).astype(np.float32)
        value = _relative(profile[None] * known, known[None])[0]
        at = (np.arange(len(value)) + 1.0) / px - margin
        if not known.any():
            return np.zeros(len(combs.first)), np.zeros(len(combs.first))
        low, high = at[known > 0][[0, -1]]
        inside = (combs.places > low) & (combs.places < high)
        strength = np.interp(combs.places, at, value) * inside
        return strength[combs.teeth].sum(0), inside[combs.teeth].sum(0).astype(float)

    def on_crossings(self) -> BoardGeometry:
        """The lattice fitted to the visible crossings of its lines."""
        px, margin = FLAT_PX, FLAT_MARGIN
        nodes = ((NODES + margin) * px).round().astype(int)
        tall = (1, round(2 * COMB.bit * px))
        values = []
        for axis in (0, 1):
            of_axis = (cv2.blur(np.ascontiguousarray(x), tall) for x in self._of(axis))
            edges, seen = (np.asarray(x, np.float32) for x in of_axis)
            values.append(_relative(edges, seen) * (seen > 0.5))
        off, strong = nearest_lines(values, (nodes, nodes), round(COMB.near * px))
        weight = strong.prod(-1)
        lattice = np.stack(np.meshgrid(NODES, NODES), -1)
        here = self._geometry.to_px(lattice + off / px).reshape(-1, 2)
        weight = np.minimum(weight, np.median(weight[weight > 0])) if weight.any() else weight
        if np.count_nonzero(weight) < CUT.least_lines**2:
            return self._geometry
        try:
            return fit(here, lattice.reshape(-1, 2), weight.ravel(), self._geometry, lens=False)
        except np.linalg.LinAlgError:
            return self._geometry


def _relative(edges: NDArray[np.float32], shown: NDArray[np.float32]) -> NDArray[np.float32]:
    """Strength of edges along rows, locally normalised to 1, where visible."""
    width = FLAT_PX * 2 + 1
    soft = [cv2.GaussianBlur(x, (LINE_PX, 1), COMB.line_px) for x in (edges, shown)]
    wide = [cv2.blur(x, (width, 1)) for x in (edges, shown)]
    line = soft[0] / np.maximum(soft[1], np.float32(float_info.epsilon))
    usual = wide[0] / np.maximum(wide[1], np.float32(float_info.epsilon))
    return np.asarray(line / (usual + float_info.epsilon) * (shown > 0), np.float32)


@cache
def _points(margin: float, px: int) -> Points:
    """Lattice points of a straightened board's pixels."""
    along = (np.arange(round((SIDE + 2 * margin) * px)) + 0.5) / px - margin
    points = np.stack(np.meshgrid(along, along), -1)
    points.setflags(write=False)
    return points
