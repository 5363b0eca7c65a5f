"""Geometry of a board: the map between lattice and pixels, and straightening.

Lattice coordinates count squares: (0, 0) is the outer corner of the first square of row A, x
along the row, y down the columns, so (n, n) is the far corner. Pixel coordinates have their
origin at the outer corner of the top left pixel, x to the right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import floor, hypot, log2, sqrt
from sys import float_info
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.table import SIDE

Points = NDArray[np.float64]
Picture = NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""A part of a picture: its first column and row, and those after its last."""

CORNERS: Final = SIDE * np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
"""Where the corners of a board's lattice lie on it."""
MIDDLE: Final = CORNERS.mean(0)
"""The middle of a board on its lattice."""
COMES_BACK: Final = 0.1
"""Squares: a place that comes back no nearer after a lens and its inverse is beyond the lens."""

IN_ONE: Any = None
"""In place of the second map of two, where both are in the first; the stubs do not know it."""
STEP_PX: Final = 8
"""At least so many pixels lie between the nodes by which a board is straightened, as a rule a
square."""
AT_ONCE: Final = 16
"""So many pixels are warped at once; of a line's remainder each takes many times as long."""
FINER: Final = 1.1
"""A little is lost when a picture is straightened: it is taken so much finer than it is read."""
FOCALS: Final = np.geomspace(0.3, 3.0, 128)
"""Focal lengths that are tried, in the picture's longer side: from wide angle to portrait."""
USUAL_FOCAL: Final = 0.8
"""That of a telephone's main camera, and of most webcams."""
FOCAL_SPREAD: Final = 0.35
"""Natural log: two cameras of three do not differ more from the usual one."""
SQUARE_WITHIN: Final = 0.01
"""So far from a right angle, and as a part from equal sides, squares are found on average."""
_ROLLED: Final = (np.arange(4) + np.arange(4)[:, None]) % 4
"""A board's corners in the four orders that begin with another."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardGeometry:
    """The map from lattice to pixels: a homography and radial distortion.

    Attributes:
        homography: (3, 3), lattice to undistorted pixels.
        size: squares along a side.
        k1: radial distortion; undistorted = distorted * (1 + k1 r^2), r in half diagonals from
            the middle of the picture (one-parameter division-free model of Brown, 1966).
        width, height: the picture's size in pixels.
        quality: 0 to 1, how well the lattice fits.
        lift: how high over the lattice the tops of tiles lie, in squares: they are read there.
    """

    homography: Points
    size: int
    width: int
    height: int
    k1: float = 0.0
    quality: float = 1.0
    lift: float = 0.0

    def to_px(self, lattice: Points) -> Points:
        """Pixels of lattice points, (..., 2) to (..., 2)."""
        flat = np.asarray(lattice, np.float64).reshape(-1, 1, 2)
        mapped = cv2.perspectiveTransform(flat, self.homography).reshape(-1, 2)
        straight = np.asarray(mapped, np.float64)
        return distort(straight, self.k1, self.width, self.height).reshape(np.shape(lattice))

    def to_lattice(self, px: Points) -> Points:
        """Lattice points of pixels, (..., 2) to (..., 2)."""
        flat = np.asarray(px, np.float64).reshape(-1, 2)
        straight = undistort(flat, self.k1, self.width, self.height).reshape(-1, 1, 2)
        out = cv2.perspectiveTransform(straight, inverse(self.homography))
        return np.asarray(out, np.float64).reshape(np.shape(px))

    @property
    def corners_px(self) -> Points:
        """(4, 2) outer corners: row A first and last column, then the last row reversed."""
        return _corners_and_side(self)[0]

    @property
    def square_px(self) -> float:
        """Mean side of a square in pixels."""
        return _corners_and_side(self)[1]

    @property
    def slant(self) -> float:
        """Shift in squares of a point one square higher, at the middle.

        The tangent of the camera's angle against straight above.
        """
        return _camera_of(self)[1]

    @property
    def tops(self) -> BoardGeometry:
        """The plane in which the tops of tiles lie."""
        return self if self.lift == 0.0 else _tops_of(self)

    def in_picture(self, px: Points) -> NDArray[np.bool_]:
        """(...) bool: pixels (..., 2) that are in the picture."""
        x, y = px[..., 0], px[..., 1]
        return np.asarray((x > 0) & (y > 0) & (x < self.width) & (y < self.height))

    def in_sight(self, lattice: Points) -> NDArray[np.bool_]:
        """(...) bool: lattice points (..., 2) that are in the picture."""
        px = self.to_px(lattice)
        # far outside the picture the lens folds over, and squares behind the camera come in front
        true = np.abs(self.to_lattice(px) - lattice).max(-1) < COMES_BACK
        depth = self.homography[2]
        here = depth[:2] @ np.full(2, self.size / 2) + depth[2]
        before_us = (lattice @ depth[:2] + depth[2]) * here > 0
        return np.asarray(self.in_picture(px) & true & before_us)

    def shown_beside(self) -> float:
        """Visible share of the row of squares beyond a side, on the worst side."""
        n = self.size
        along, ends = np.arange(n + 1.0), np.full(n + 1, n + 1.0)
        sides = ((along, 0 * along - 1), (along, ends), (0 * along - 1, along), (ends, along))
        return float(min(self.in_sight(np.stack(side, -1)).mean() for side in sides))

    def shifted(self, dx: float, dy: float) -> BoardGeometry:
        """The geometry of a board that starts so many squares further on."""
        shift = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1.0]])
        return replace(self, homography=self.homography @ shift)

    def corners_off_px(self, other: BoardGeometry) -> float:
        """Distance of its corners from another's in pixels, from any first corner."""
        return float(np.abs(other.corners_px[_ROLLED] - self.corners_px).max((1, 2)).min())

    def turned(self, quarters: int) -> BoardGeometry:
        """The board with its first corner moved by quarter turns clockwise."""
        if quarters % 4 == 0:
            return self
        n, h = float(self.size), self.homography
        # The new (0, 0) is the old corner number `quarters`.
        turn = np.array([[0.0, -1.0, n], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        for _ in range(quarters % 4):
            h = h @ turn
        return replace(self, homography=h)

    def mirrored(self) -> BoardGeometry:
        """The board mirrored: row A stays, columns change sides."""
        n = float(self.size)
        swap = np.array([[-1.0, 0.0, n], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        return replace(self, homography=self.homography @ swap)


def inverse(matrix: Points) -> Points:
    """Inverse of a (3, 3) matrix; zeros if it is singular."""
    return np.asarray(cv2.invert(matrix)[1], np.float64)


@lru_cache(maxsize=64)
def _corners_and_side(geometry: BoardGeometry) -> tuple[Points, float]:
    """Outer corners and mean side of a square, in pixels; cached."""
    n = float(geometry.size)
    corners = geometry.to_px(np.array([(0.0, 0.0), (n, 0.0), (n, n), (0.0, n)]))
    corners.setflags(write=False)
    return corners, _mean_side(corners) / geometry.size


@lru_cache(maxsize=64)
def _camera_of(geometry: BoardGeometry) -> tuple[Points, float]:
    """(3, 3) change of the homography per square of height, and `slant`.

    A plane z squares over one with the homography K [r1 r2 t] has that and z [0 0 K r3]. K is the
    camera with square pixels whose axis meets the middle of the picture: of all focal lengths the
    one with which the lattice's squares come out square, as far as perspective tells it, and that
    is usual (Zhang, A flexible new technique for camera calibration, 2000).
    """
    h, longer = geometry.homography, max(geometry.width, geometry.height)
    to_axis = np.array([(1, 0, -geometry.width / 2), (0, 1, -geometry.height / 2), (0, 0, 1.0)])
    about_axis = to_axis @ h
    x, y = about_axis[:, 0], about_axis[:, 1]
    f2 = (FOCALS * longer) ** 2
    xx, yy, xy = (a[:2] @ b[:2] / f2 + a[2] * b[2] for a, b in ((x, x), (y, y), (x, y)))
    odd = xy**2 / (xx * yy) + (np.log(xx / yy) / 2) ** 2
    unusual = np.log(FOCALS / USUAL_FOCAL) / FOCAL_SPREAD
    f = float(FOCALS[np.argmin(odd / SQUARE_WITHIN**2 + unusual**2)] * longer)
    from_rays = np.linalg.inv(to_axis) @ np.diag((f, f, 1.0))
    along, down, _ = rays = (np.diag((1 / f, 1 / f, 1.0)) @ about_axis).T
    upright = np.cross(along, down)
    side = sqrt(float(np.linalg.norm(upright)))
    middle = np.array([geometry.size / 2, geometry.size / 2, 1.0]) @ rays
    # what lies higher is nearer to the camera, whichever way round the lattice lies
    towards = -float(upright @ middle)
    upright *= np.copysign(1 / max(side, float_info.epsilon), towards)
    raised = np.zeros((3, 3))
    raised[:, 2] = from_rays @ upright
    cosine = abs(towards) / max(side**2 * float(np.linalg.norm(middle)), float_info.epsilon)
    return raised, sqrt(max(0.0, 1 / max(cosine, float_info.epsilon) ** 2 - 1))


@lru_cache(maxsize=64)
def _tops_of(geometry: BoardGeometry) -> BoardGeometry:
    """`BoardGeometry.tops`, cached together with its straightening maps."""
    raised = geometry.homography + geometry.lift * _camera_of(geometry)[0]
    return replace(geometry, homography=raised, lift=0.0)


def _mean_side(corners: Points) -> float:
    """Mean side of a quadrilateral (4, 2)."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    sides = hypot(bx - ax, by - ay), hypot(cx - bx, cy - by), hypot(dx - cx, dy - cy)
    return (sum(sides) + hypot(ax - dx, ay - dy)) / 4


def undistort(px: Points, k1: float, width: int, height: int) -> Points:
    """Undistorted pixels of distorted ones, (N, 2)."""
    if k1 == 0.0:
        return px
    centre = np.array([width / 2, height / 2])
    d = px - centre
    r2 = (d * d).sum(1, keepdims=True) / (width * width + height * height) * 4
    return np.asarray(centre + d * (1 + k1 * r2))


def distort(px: Points, k1: float, width: int, height: int) -> Points:
    """Distorted pixels of undistorted ones, (N, 2).

    The root of s + k1 r^2 s^3 = 1 in closed form (Cardano, Viete); what no lens shows lies on the
    outermost circle that one does, outside the picture.
    """
    if k1 == 0.0:
        return px
    centre = np.array([width / 2, height / 2])
    target = px - centre
    q = np.hypot(target[:, 0], target[:, 1]) * sqrt(27 * abs(k1) / (width**2 + height**2))
    np.maximum(q, float_info.epsilon, out=q)
    third = np.arcsinh(q) / 3 if k1 > 0 else np.arcsin(np.minimum(q, 1.0)) / 3
    shrink = (np.sinh(third) if k1 > 0 else np.sin(third)) * 3 / q
    return np.asarray(centre + target * shrink[:, None])


def geometry_from_corners(corners_px: Points, size: int, width: int, height: int) -> BoardGeometry:
    """A geometry without distortion from four corners (row A first, clockwise)."""
    n = float(size)
    lattice = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
    h = cv2.getPerspectiveTransform(lattice, np.asarray(corners_px, np.float32))
    return BoardGeometry(np.asarray(h, np.float64), size, width, height)


def nearest_level(shrink: float) -> int:
    """Pyramid level nearest to a scale (0.3: a third)."""
    return max(0, round(-log2(max(shrink, float_info.epsilon)))) if shrink < 1 else 0


def box_around(px: Points, width: int, height: int) -> Box:
    """Part of a picture that contains pixels (..., 2) and their neighbours."""
    flat = px.reshape(-1, 2)
    # one pixel is the neighbour that counts too, one is room for rounding
    least, most = np.floor(flat.min(0)) - 2, np.ceil(flat.max(0)) + 2
    sides = np.array([width, height])
    first = np.clip(least, 0, sides - 1).astype(int)
    left, top = first.tolist()
    right, bottom = np.clip(most, first + 1, sides).astype(int).tolist()
    return left, top, right, bottom


class Pyramid:
    """A picture and its halves, computed on demand.

    Halving by area is fast and clean; every straightening starts from the level nearest to its
    own scale, so that a large photograph is shrunk once and not for every look at it.
    """

    def __init__(self, picture: Picture) -> None:
        self._begin((picture.shape[0], picture.shape[1]))
        self._levels[0] = picture

    def _begin(self, size: tuple[int, int]) -> None:
        self._size = size
        self._largest = 0
        self._smallest = max(0, min(size).bit_length() - 2)
        self._levels: dict[int, Picture] = {}
        self._fours: dict[tuple[int, Box], Picture] = {}

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the full picture."""
        return self._size

    @property
    def finest(self) -> int:
        """Finest pyramid level that is available without decoding."""
        return min(self._levels)

    def level(self, k: int) -> Picture:
        """The picture halved `k` times (fewer where it would vanish)."""
        k = self._held(k)
        if k not in self._levels:
            self._levels[k] = self._made(k)
        return self._levels[k]

    def _held(self, k: int) -> int:
        """Nearest level that can be made."""
        return max(self._largest, min(k, self._smallest))

    def _made(self, k: int) -> Picture:
        last = self.level(k - 1)
        h, w = last.shape[0] // 2, last.shape[1] // 2
        # An odd edge line is dropped so that the factor is exactly two (a fast path).
        return np.asarray(cv2.resize(last[: 2 * h, : 2 * w], (w, h), interpolation=cv2.INTER_AREA))

    def nearest(self, shrink: float) -> tuple[Picture, float]:
        """Level nearest to a scale (0.3: a third of the size), and its own scale."""
        k = self._held(nearest_level(shrink))
        return self.level(k), 0.5**k

    def not_below(self, shrink: float) -> tuple[Picture, float]:
        """Smallest level that is no smaller than a scale, and its own scale."""
        k = self._held(floor(-log2(shrink)) if shrink < 1 else 0)
        return self.level(k), 0.5**k

    def for_warping(self, scale: float, box: Box) -> Picture:
        """Part of a level with a fourth channel, which is warped twice as fast.

        Args:
            scale: the level's own, as `nearest` gives it.
            box: the part; what lies in one that was made already is taken out of that.
        """
        k = round(-log2(scale))
        left, top, right, bottom = box
        for (at, (x, y, x_end, y_end)), four in self._fours.items():
            if at == k and x <= left and y <= top and right <= x_end and bottom <= y_end:
                return four[top - y : bottom - y, left - x : right - x]
        part = self.level(k)[top:bottom, left:right]
        made = self._fours[k, box] = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2BGRA))
        return made


class OneLevel(Pyramid):
    """Only the pyramid level nearest to a scale, and smaller ones.

    Args:
        picture: the whole picture.
        shrink: the scale.
        instead: another picture of that size, to be taken instead of the picture's own.
    """

    def __init__(self, picture: Pyramid, shrink: float, instead: Picture | None = None) -> None:
        self._begin(picture.shape)
        level, scale = picture.nearest(shrink)
        self._largest = round(-log2(scale))
        self._levels[self._largest] = level if instead is None else instead


def rectify(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    square_px: int,
    origin: tuple[float, float],
    squares: tuple[float, float],
    *,
    once: bool = False,
) -> Picture:
    """The board seen from straight above.

    Args:
        picture: (h, w, 3) BGR, or its pyramid where it is looked at more than once.
        geometry: where the board lies.
        square_px: side of a square in the result.
        origin: lattice x, y of the result's top left corner.
        squares: the result's width and height in squares.
        once: whether it is seen once in this size: its pixels are then taken as they are, which is
            slower than with a fourth channel, but quicker than to make one.

    Returns:
        (squares[1] * square_px, squares[0] * square_px, 3); black beyond the picture's edge.
    """
    pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
    size = round(squares[0] * square_px), round(squares[1] * square_px)
    # A plain warp skips pixels when it shrinks: it starts from a level of about the right size.
    level, scale = pyramid.nearest(shrink_of(geometry, square_px))
    part, first = level, (0, 0)
    if not once:
        height, width = level.shape[:2]
        box = 0, 0, width, height
        # without a lens a part's coordinates round another way: places found differ by a little
        if geometry.k1 != 0.0:
            box = box_around(_places(geometry, square_px, origin, size) * scale, width, height)
        part, first = pyramid.for_warping(scale, box), box[:2]
    if geometry.k1 == 0.0:
        straight = _seen_straight(part, geometry, square_px, origin, size, scale, first)
    else:
        where = _where_from(geometry, square_px, origin, size, scale, first)
        straight = cv2.remap(part, where, IN_ONE, cv2.INTER_LINEAR)
    straight = straight[:, : size[0]]
    if part.shape[2] == 3:
        return np.ascontiguousarray(straight, np.uint8)
    return np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGRA2BGR), np.uint8)


def shrink_of(geometry: BoardGeometry, square_px: int) -> float:
    """Scale of the picture at which a board's squares have so many pixels."""
    return square_px * FINER / max(geometry.square_px, float_info.epsilon)


def _seen_straight(
    part: Picture,
    geometry: BoardGeometry,
    square_px: int,
    origin: tuple[float, float],
    size: tuple[int, int],
    scale: float,
    first: tuple[int, int],
) -> cv2.typing.MatLike:
    """A board straightened without lens distortion; arguments as `_where_from`."""
    step, half = 1 / square_px, 0.5 / square_px
    # Pixels count from the middle of the first one in both pictures.
    to_lattice = np.array([(step, 0, origin[0] + half), (0, step, origin[1] + half), (0, 0, 1)])
    to_part = np.array([(scale, 0, -0.5 - first[0]), (0, scale, -0.5 - first[1]), (0, 0, 1)])
    full = _full_width(size[0]), size[1]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(part, to_part @ geometry.homography @ to_lattice, full, flags=flags)


def _full_width(width: int) -> int:
    """A width rounded up to a multiple of the vector width."""
    return -(-width // AT_ONCE) * AT_ONCE


def _places(
    geometry: BoardGeometry, square_px: int, origin: tuple[float, float], size: tuple[int, int]
) -> Points:
    """Pixels (..., 2) of the picture that bound a straightened board.

    Arguments as for `_where_from`.
    """
    nodes, _ = _nodes(square_px, origin, (_full_width(size[0]), size[1]))
    depth = nodes @ geometry.homography[2, :2] + geometry.homography[2, 2]
    if depth.min() * depth.max() > 0:
        return geometry.to_px(nodes)
    # a part of it lies behind the camera: anywhere
    return np.array([(0.0, 0.0), (geometry.width, geometry.height)])


@lru_cache(maxsize=18)  # nine joined boards, as they are read and as they are compared
def _where_from(
    geometry: BoardGeometry,
    square_px: int,
    origin: tuple[float, float],
    size: tuple[int, int],
    scale: float,
    first: tuple[int, int],
) -> NDArray[np.float32]:
    """Source pixels of a straightened board's pixels, at a scale.

    A fixed camera's board lies where it lay: its last ones are kept.

    Args:
        geometry: where the board lies.
        square_px: side of a square when straightened.
        origin: lattice x, y of the top left corner.
        size: width W and height H when straightened.
        scale: of the picture.
        first: the column and row, at that scale, where the part begins that they are taken from.

    Returns:
        (H, `_full_width(W)`, 2).
    """
    # A coarse grid is mapped exactly, and between its nodes evenly, which is cheap and smooth.
    nodes, step = _nodes(square_px, origin, (_full_width(size[0]), size[1]))
    px = (geometry.to_px(nodes) * scale - 0.5).astype(np.float32)
    all_of_it = (step * px.shape[1], step * px.shape[0])
    spread = cv2.resize(px, all_of_it, interpolation=cv2.INTER_LINEAR)
    # taken off last, so that what is read does not depend on where the part begins
    inner = spread[step : step + size[1], step : step + _full_width(size[0])]
    # as one number each: NumPy takes many times as long for rows of two
    return np.asarray((inner.view(np.complex64) - complex(*first)).view(np.float32))


@lru_cache(maxsize=8)
def _nodes(
    square_px: int, origin: tuple[float, float], size: tuple[int, int]
) -> tuple[Points, int]:
    """Lattice points of a grid over a straightened board, (rows, columns, 2), and its step.

    Each node stands in the middle of a step, as resizing has it; one more all around.
    """
    step = max(STEP_PX, square_px)
    x, y = (
        (np.arange(-1, -(-side // step) + 1) + 0.5) * (step / square_px) + first
        for side, first in zip(size, origin, strict=True)
    )
    return np.stack(np.meshgrid(x, y), -1), step
