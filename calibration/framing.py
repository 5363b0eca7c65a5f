"""Decides which squares of a lattice are the board, by the ends of its lines and its colours."""

from __future__ import annotations

from dataclasses import dataclass
from sys import float_info
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import (
    CORNERS,
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    rectify,
)
from kibitz.calibration.comb import (
    COLOUR_PX,
    COMB,
    FLAT_PX,
    LINE_PX,
    colours_of,
    even_edges,
    middle_of,
    nearest_lines,
)
from kibitz.calibration.lattice import LATTICE, SQUARE_PX, fit, fits
from kibitz.calibration.outline import Masks
from kibitz.engine.parameters import checked, number

Floats = NDArray[np.float64]

AROUND: Final = 1
"""Squares around a board in which lines may go on."""


UNITS: Final = 16
"""An outline is so many units a side, whatever the squares in it are."""
FEWEST: Final = 8
MOST: Final = 24
"""Boards have so many squares a side."""
MARGIN: Final = UNITS / FEWEST
"""Units around an outline that are looked at: one of the largest squares."""
UNIT_PX: Final = 28
"""A unit of an outline is so wide where lines are looked for."""


@dataclass(frozen=True, slots=True)
class FrameWeights:
    """Weights of the signs that some squares are the board, in nats; fitted on drawn boards.

    A bit of a line is 1 where it is as strong as the lattice's usually are, 0 where there is none.
    """

    border: float = number(0.97, "nats", 0.0, 5.0, "a whole side of bits along its edge")
    outer: float = number(0.85, "nats", 0.0, 9.0, "lines that cross its outermost squares")
    weakest: float = number(1.27, "nats", 0.0, 9.0, "on the side where they are weakest")
    beyond: float = number(2.19, "nats", 0.0, 9.0, "lines that go on beyond: so much against it")
    strongest: float = number(5.19, "nats", 0.0, 9.0, "on the side where they are strongest")
    unlike: float = number(5.61, "nats", 0.0, 20.0, "squares unlike their mirror images: against")
    one_way: float = number(2.78, "nats", 0.0, 20.0, "in the mirror where they are least alike")
    area: float = number(0.2, "nats", 0.0, 5.0, "what the finder takes for a board, a row of it")

    def __post_init__(self) -> None:
        checked(self)


FRAME_WEIGHTS: Final = FrameWeights()


@dataclass(frozen=True, slots=True)
class SizeRule:
    """Parameters of the search for lattices of any size."""

    off: float = number(
        3.5, "squares", 0.5, 8.0, "by so much an outline may lie beside the board's edge"
    )
    going_on: float = number(
        0.33,
        "of the usual",
        0.0,
        1.0,
        "lines so strong beyond an edge are those of squares",
    )
    beside: float = number(
        0.8, "of a side", 0.0, 1.0, "so much of the squares beyond each side shows: it ends there"
    )
    told_by: FrameWeights = FRAME_WEIGHTS
    step: float = number(
        1.02, "times", 1.005, 1.2, "spacings are tried so much further apart each time"
    )
    phases: int = number(
        12, "count", 2, 60, "each spacing is tried with its first line at so many places"
    )
    bend: float = number(
        0.24, "of itself", 0.0, 0.5, "by so much the spacing may change across a board, either way"
    )
    tried: int = number(4, "count", 1, 20, "spacings that are looked into")
    same: float = number(
        1.1, "times", 1.0, 1.5, "spacings no further apart are one: squares are square"
    )
    compared: int = number(
        60, "frames", 1, 10_000, "of the likeliest by lines squares are compared in mirrors"
    )

    def __post_init__(self) -> None:
        checked(self)


SIZE: Final = SizeRule()


@dataclass(frozen=True, eq=False)
class _Flat:
    """Edges around a lattice, one number a pixel.

    Attributes:
        x, y: of upright edges, and of level ones with columns and rows exchanged.
        origin: the lattice point of the first pixel's outer corner.
        squares: how many each way.
    """

    x: NDArray[np.float32]
    y: NDArray[np.float32]
    origin: tuple[int, int]
    squares: tuple[int, int]


def _flattened(picture: Picture | Pyramid, g: BoardGeometry, quad: Points) -> _Flat | None:
    """Edges of an outline and its surroundings, along a lattice."""
    there = g.to_lattice(quad)
    if not np.isfinite(there).all():
        return None
    outside = int(SIZE.off)
    low = np.floor(there.min(0)).astype(int) - outside
    high = np.ceil(there.max(0)).astype(int) + outside
    w, h = (high - low).tolist()
    if max(w, h) > 2 * MOST or min(w, h) < FEWEST:
        return None
    px, origin = FLAT_PX, (int(low[0]), int(low[1]))
    flat = rectify(picture, g, px, (float(low[0]), float(low[1])), (float(w), float(h)))
    of_x, of_y = (_sharp(np.asarray(x, np.uint8), px) for x in (flat, cv2.transpose(flat)))
    return _Flat(of_x, of_y, origin, (w, h))


def _sharp(flat: Picture, px: int) -> NDArray[np.float32]:
    """Vertical edges of a flattened lattice, locally normalised to 1, as wide as lines."""
    even = even_edges(flat, 2 * px)
    return np.asarray(cv2.GaussianBlur(even, (LINE_PX, 1), COMB.line_px), np.float32)


def _bits(near: NDArray[np.float32], squares: tuple[int, int]) -> Floats:
    """(3, lines, rows) strength of each segment of a vertical line, and beside it.

    Args:
        near: upright edges, the strongest of each pixel and those beside it.
        squares: the edges' columns and rows of squares.
    """
    columns, rows = squares
    px = near.shape[1] // columns
    places = np.arange(columns + 1) + np.array([[0.0], [-0.5], [0.5]])
    at = (places * px - 1).round().astype(int).clip(0, near.shape[1] - 1)
    lines = near.take(at.ravel(), axis=1)
    edge = max(1, px // 8)
    middle = lines.reshape(rows, px, -1)[:, edge:-edge].mean(1)
    return np.asarray(middle.T.reshape(*at.shape, rows), np.float64)


def _on_crossings(flat: _Flat, g: BoardGeometry, quad: Points) -> tuple[BoardGeometry, float]:
    """The lattice fitted to its lines' crossings, and the median distance of these."""
    px, (w, h) = FLAT_PX, flat.squares
    columns, rows = np.arange(w + 1), np.arange(h + 1)
    lattice = np.stack(np.meshgrid(columns, rows), -1).astype(float) + flat.origin
    tall = (1, round(2 * COMB.bit * px))
    soft = [np.asarray(cv2.blur(edges, tall), np.float32) for edges in (flat.x, flat.y)]
    off, strong = nearest_lines(soft, (columns * px, rows * px), round(COMB.near * px))
    weight = strong.prod(-1)
    inside = cv2.pointPolygonTest
    here = g.to_px(lattice)
    ring = quad.astype(np.float32)[:, None]
    counts = np.array(
        [[inside(ring, (float(x), float(y)), False) >= 0 for x, y in row] for row in here]
    )
    if counts.sum() < len(CORNERS):
        return g, np.inf
    at = g.to_px(lattice + off / px)[counts]
    try:
        fitted = fit(at, lattice[counts], weight[counts], g, lens=False)
    except np.linalg.LinAlgError:
        return g, np.inf
    apart = np.linalg.norm(fitted.to_lattice(at) - lattice[counts], axis=1)
    return fitted, float(np.median(apart))


def framed(
    picture: Picture | Pyramid,
    rough: BoardGeometry,
    quad: Points,
    area: Masks,
    squares: int | None,
) -> BoardGeometry | None:
    """A lattice fitted to its crossings, and the squares of it that are the board.

    Args:
        picture: the photograph.
        rough: the lattice, about.
        quad: (4, 2) the corners of a rough outline, clockwise.
        area: what the finder says.
        squares: how many a side, where that is known.

    Returns:
        Where they lie, with their number a side and a quality; None if that is not seen.
    """
    g, apart = rough, np.inf
    for _ in range(LATTICE.rounds):
        flat = _flattened(picture, g, quad)
        if flat is None:
            return None
        g, apart = _on_crossings(flat, g, quad)
    if fits(apart) < LATTICE.least_quality:
        return None
    return chosen(picture, g, apart, quad, area, squares)


def chosen(
    picture: Picture | Pyramid,
    g: BoardGeometry,
    apart: float,
    quad: Points,
    area: Masks,
    squares: int | None,
) -> BoardGeometry | None:
    """The squares of a lattice that are the board.

    Args:
        picture: the photograph.
        g: the lattice.
        apart: half of its crossings lie further from it, in squares.
        quad: (4, 2) the corners of a rough outline, clockwise.
        area: what the finder says.
        squares: how many a side, where that is known.
    """
    flat = _flattened(picture, g, quad)
    if flat is None:
        return None
    frames = _frames(g.to_lattice(quad) - flat.origin, flat.squares, squares)
    if not len(frames):
        return None
    worth = _worth(picture, g, flat, frames, area)
    chance = np.exp(worth - worth.max())
    chance /= chance.sum()
    n, x, y = frames[int(chance.argmax())].tolist()
    size = float(chance[frames[:, 0] == n].sum())
    origin = np.array([(1, 0, flat.origin[0] + x), (0, 1, flat.origin[1] + y), (0, 0, 1.0)])
    return BoardGeometry(g.homography @ origin, n, g.width, g.height, g.k1, fits(apart) * size)


def goes_on(picture: Picture | Pyramid, geometry: BoardGeometry) -> bool:
    """True if a board's lines continue beyond its edge, so that it has more squares."""
    return max(_across(picture, geometry, AROUND)) > SIZE.going_on


def crosses(picture: Picture | Pyramid, geometry: BoardGeometry, out: int = 0) -> bool:
    """True if lines cross the squares of a ring, on at least one side.

    In the dark and under tiles half of such lines are seen.

    Args:
        picture: the photograph.
        geometry: the board.
        out: how many squares outside of its outermost squares the ring lies.
    """
    return max(_across(picture, geometry, out)) > SIZE.going_on / 2


def _across(picture: Picture | Pyramid, geometry: BoardGeometry, out: int) -> list[float]:
    """Strength of lines that cross a ring of squares: left, right, above, below.

    Args:
        picture: the photograph.
        geometry: the board.
        out: how many squares outside of its outermost squares the ring lies.
    """
    n, low = geometry.size, -float(AROUND)
    squares = n + 2 * AROUND, n + 2 * AROUND
    side = float(squares[0])
    flat = rectify(picture, geometry, SQUARE_PX, (low, low), (side, side))
    of_axes = [_sharp(np.asarray(x, np.uint8), SQUARE_PX) for x in (flat, cv2.transpose(flat))]
    x, y = (_line_sums(edges, squares) for edges in of_axes)
    size, first = np.array([n]), np.array([AROUND])
    return [float(side) for side in _crossing(x, y, size, first, first, out, squares)[:, 0]]


def _frames(corners: Points, room: tuple[int, int], squares: int | None) -> NDArray[np.int64]:
    """Possible frames of an outline, (N, 3): squares a side, first column and row.

    Args:
        corners: (4, 2) of the outline, in squares.
        room: columns and rows to choose among.
        squares: how many a side, where that is known.
    """
    w, h = room
    left, top = corners.min(0)
    right, bottom = corners.max(0)
    side = float(np.sqrt(max(0.0, cv2.contourArea(corners.astype(np.float32)))))
    sizes = range(FEWEST, MOST + 1) if squares is None else (squares,)
    out = [
        (n, x, y)
        for n in sizes
        if abs(n - side) <= SIZE.off
        for x in range(w - n + 1)
        if x >= left - SIZE.off and x + n <= right + SIZE.off
        for y in range(h - n + 1)
        if y >= top - SIZE.off and y + n <= bottom + SIZE.off
    ]
    return np.array(out, np.int64).reshape(-1, 3)


def _worth(
    picture: Picture | Pyramid,
    g: BoardGeometry,
    flat: _Flat,
    frames: NDArray[np.int64],
    area: Masks,
) -> Floats:
    """(N,) log odds of some frames, in nats."""
    w, h = flat.squares
    n, x, y = frames.T
    upright, level = _line_sums(flat.x, (w, h)), _line_sums(flat.y, (h, w))

    border = sum(_total(upright, x + k, x + k + 1, y, y + n) for k in (0, n)) + sum(
        _total(level, y + k, y + k + 1, x, x + n) for k in (0, n)
    )
    outer, beyond = (_crossing(upright, level, n, x, y, k, (w, h)) for k in (0, 1))
    at = np.stack(np.meshgrid(np.arange(w) + 0.5, np.arange(h) + 0.5), -1) + flat.origin
    found = _summed(_sample(area, g.to_px(at)).T)
    weight = SIZE.told_by
    by_lines = (
        weight.border * border / n
        + weight.outer * outer.sum(0)
        + weight.weakest * outer.min(0)
        - weight.beyond * beyond.sum(0)
        - weight.strongest * beyond.max(0)
        + weight.area * _total(found, x, x + n, y, y + n) / n
    )
    best = np.argsort(-by_lines)[: SIZE.compared]
    unlike = _unlike(picture, g, flat, frames[best])
    out = np.full(len(frames), -np.inf)
    out[best] = by_lines[best] - weight.unlike * unlike.mean(1) - weight.one_way * unlike.max(1)
    return out


def _crossing(
    upright: Floats,
    level: Floats,
    n: NDArray[np.int64],
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    out: int,
    squares: tuple[int, int],
) -> Floats:
    """(4, N) strength of lines that cross the squares of a ring, on its four sides.

    Args:
        upright: sums of the bits of upright lines, see `_line_sums`.
        level: the same of level ones.
        n: squares a side of each frame.
        x: its first column.
        y: its first row.
        out: how many squares outside of its outermost squares the ring lies.
        squares: how many columns and rows there are.
    """
    x0, y0 = np.maximum(x - out, 0), np.maximum(y - out, 0)
    x1, y1 = np.minimum(x + n + out, squares[0]), np.minimum(y + n + out, squares[1])
    sides = (
        _total(level, y0 + 1, y1, x0, x0 + 1),
        _total(level, y0 + 1, y1, x1 - 1, x1),
        _total(upright, x0 + 1, x1, y0, y0 + 1),
        _total(upright, x0 + 1, x1, y1 - 1, y1),
    )
    return np.stack(sides) / (n - 1 + 2 * out)


def _line_sums(edges: NDArray[np.float32], squares: tuple[int, int]) -> Floats:
    """Cumulative strength of vertical line segments, usual ones 1; see `_summed`."""
    wide = cv2.dilate(edges, np.ones((1, 3), np.uint8))  # a line may be a pixel off
    near = np.asarray(wide, np.float32)
    line, left, right = bits = _bits(near, squares)
    columns, rows = squares
    inner = bits[:2, columns // 4 : columns - columns // 4, rows // 4 : rows - rows // 4]
    usual, beside = middle_of(np.sort(inner.reshape(2, -1))).tolist()
    spread = max(usual - beside, float_info.epsilon)
    return _summed(np.clip((line - np.maximum(left, right)) / spread, -1.0, 1.0))


def _summed(values: Floats) -> Floats:
    """Two-dimensional cumulative sums, for `_total`."""
    out = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    values.cumsum(0).cumsum(1, out=out[1:, 1:])
    return out


def _total(
    sums: Floats,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    c: NDArray[np.int64],
    d: NDArray[np.int64],
) -> Floats:
    """Sum over rows `a` to before `b` and columns `c` to before `d`."""
    return np.asarray(sums[b, d] - sums[a, d] - sums[b, c] + sums[a, c], np.float64)


def _unlike(
    picture: Picture | Pyramid,
    g: BoardGeometry,
    flat: _Flat,
    frames: NDArray[np.int64],
) -> Floats:
    """(N, 3) distances of squares from their mirror images, relative to the usual."""
    w, h = flat.squares
    low = float(flat.origin[0]), float(flat.origin[1])
    cells = colours_of(rectify(picture, g, COLOUR_PX, low, (float(w), float(h))))
    most = COMB.tiles_differ
    out = np.empty((len(frames), 3))
    for k, (n, x, y) in enumerate(frames.tolist()):
        part = cells[y : y + n, x : x + n]
        others = part[::-1], part[:, ::-1], part.swapaxes(0, 1)
        far = [np.minimum(np.linalg.norm(part - o, axis=-1), most).mean() for o in others]
        # moved by a third, a square meets another that is no image of it
        moved = np.roll(part, (n // 3, n // 3 + 1), (0, 1))
        usual = np.minimum(np.linalg.norm(part - moved, axis=-1), most).mean()
        out[k] = np.array(far) / max(float(usual), 1.0)
    return out


def _sample(area: Masks, px: Points) -> Floats:
    """Finder's log odds at pixels, (..., 2) to (...); zero where it saw nothing."""
    where = ((px - area.origin) / area.cell_px).astype(int)
    column, row = where[..., 0], where[..., 1]
    high, wide = min(area.height, area.area.shape[0]), min(area.width, area.area.shape[1])
    seen = (column >= 0) & (row >= 0) & (column < wide) & (row < high)
    out = np.zeros(seen.shape)
    out[seen] = area.area[row[seen], column[seen]]
    return out
