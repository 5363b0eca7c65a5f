"""Where a board lies in a picture: the map between lattice and pixels, and straightening.

Lattice coordinates count squares: (0, 0) is the outer corner of the first square of row A, x
along the row, y down the columns, so (n, n) is the far corner. Pixel coordinates have their
origin at the outer corner of the top left pixel, x to the right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class BoardGeometry:
    """The map from a board's lattice to pixels: a homography and radial distortion.

    Attributes:
        homography: (3, 3), lattice to undistorted pixels.
        size: squares along a side.
        k1: radial distortion; undistorted = distorted * (1 + k1 r^2), r in half diagonals from
            the middle of the picture (one-parameter division-free model of Brown, 1966).
        width, height: the picture's size in pixels.
        quality: 0 to 1, how well the lattice fits.
    """

    homography: Points
    size: int
    width: int
    height: int
    k1: float = 0.0
    quality: float = 1.0

    def to_px(self, lattice: Points) -> Points:
        """Pixels of lattice points, (..., 2) to (..., 2)."""
        flat = np.asarray(lattice, np.float64).reshape(-1, 1, 2)
        straight = cv2.perspectiveTransform(flat, self.homography).reshape(-1, 2)
        return distort(straight, self.k1, self.width, self.height).reshape(np.shape(lattice))

    def to_lattice(self, px: Points) -> Points:
        """Lattice points of pixels, (..., 2) to (..., 2)."""
        flat = np.asarray(px, np.float64).reshape(-1, 2)
        straight = undistort(flat, self.k1, self.width, self.height).reshape(-1, 1, 2)
        out = cv2.perspectiveTransform(straight, np.linalg.inv(self.homography))
        return out.reshape(np.shape(px))

    @property
    def corners_px(self) -> Points:
        """(4, 2) outer corners: row A first and last column, last row last and first column."""
        n = float(self.size)
        return self.to_px(np.array([(0.0, 0.0), (n, 0.0), (n, n), (0.0, n)]))

    @property
    def square_px(self) -> float:
        """Mean side of a square in pixels."""
        c = self.corners_px
        return float(np.linalg.norm(np.roll(c, -1, 0) - c, axis=1).mean() / self.size)

    def turned(self, quarters: int) -> BoardGeometry:
        """The same board with its first corner moved on by quarter turns clockwise."""
        n, h = float(self.size), self.homography
        # The new (0, 0) is the old corner number `quarters`.
        turn = np.array([[0.0, -1.0, n], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        for _ in range(quarters % 4):
            h = h @ turn
        return BoardGeometry(h, self.size, self.width, self.height, self.k1, self.quality)


def undistort(px: Points, k1: float, width: int, height: int) -> Points:
    """Undistorted pixels of distorted ones, (N, 2)."""
    if k1 == 0.0:
        return px
    centre = np.array([width / 2, height / 2])
    d = px - centre
    r2 = (d * d).sum(1, keepdims=True) / (width * width + height * height) * 4
    return np.asarray(centre + d * (1 + k1 * r2))


def distort(px: Points, k1: float, width: int, height: int) -> Points:
    """Distorted pixels of undistorted ones, (N, 2), by fixed-point steps."""
    if k1 == 0.0:
        return px
    centre = np.array([width / 2, height / 2])
    target = px - centre
    d = target.copy()
    for _ in range(6):
        r2 = (d * d).sum(1, keepdims=True) / (width * width + height * height) * 4
        d = target / np.maximum(1 + k1 * r2, 0.2)
    return np.asarray(centre + d)


def geometry_from_corners(corners_px: Points, size: int, width: int, height: int) -> BoardGeometry:
    """A geometry without distortion from four corners (row A first, clockwise)."""
    n = float(size)
    lattice = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
    h = cv2.getPerspectiveTransform(lattice, np.asarray(corners_px, np.float32))
    return BoardGeometry(np.asarray(h, np.float64), size, width, height)


def rectify(
    picture: Picture,
    geometry: BoardGeometry,
    square_px: int,
    origin: tuple[float, float],
    squares: tuple[float, float],
) -> Picture:
    """The board seen from straight above.

    Args:
        picture: (h, w, 3) BGR.
        geometry: where the board lies.
        square_px: side of a square in the result.
        origin: lattice x, y of the result's top left corner.
        squares: the result's width and height in squares.

    Returns:
        (squares[1] * square_px, squares[0] * square_px, 3); black beyond the picture's edge.
    """
    out_w, out_h = round(squares[0] * square_px), round(squares[1] * square_px)
    corner = np.array([(0, 0), (squares[0], 0), squares, (0, squares[1])], float) + origin
    box = geometry.to_px(corner)
    side = np.linalg.norm(np.roll(box, -1, 0) - box, axis=1).mean() / max(np.mean(squares), 1e-6)
    x0, y0 = np.maximum(np.floor(box.min(0)).astype(int) - 4, 0)
    x1 = min(int(np.ceil(box[:, 0].max())) + 4, picture.shape[1])
    y1 = min(int(np.ceil(box[:, 1].max())) + 4, picture.shape[0])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return np.zeros((out_h, out_w, 3), np.uint8)
    part = picture[y0:y1, x0:x1]
    # A plain warp skips pixels when it shrinks: shrink by area first, warp at about full size.
    shrink = min(1.0, square_px * 1.2 / max(side, 1e-6))
    if shrink < 0.85:
        w, h = max(2, round(part.shape[1] * shrink)), max(2, round(part.shape[0] * shrink))
        sx, sy = w / part.shape[1], h / part.shape[0]
        part = cv2.resize(part, (w, h), interpolation=cv2.INTER_AREA)
    else:
        sx = sy = 1.0
    # Pixel centres are half a pixel from the corners that coordinates count from.
    to_part = np.array([[sx, 0, -x0 * sx - 0.5], [0, sy, -y0 * sy - 0.5], [0, 0, 1.0]])
    from_out = np.array([[1 / square_px, 0, origin[0] + 0.5 / square_px],
                         [0, 1 / square_px, origin[1] + 0.5 / square_px], [0, 0, 1.0]])
    if abs(geometry.k1) < 1e-6:
        m = to_part @ geometry.homography @ from_out
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(part, m, (out_w, out_h), flags=flags))
    # Distorted: map a coarse grid exactly and interpolate between, which is cheap and smooth.
    step = 8
    gx = np.arange(0, out_w + step, step, dtype=np.float64)
    gy = np.arange(0, out_h + step, step, dtype=np.float64)
    xx, yy = np.meshgrid(gx, gy)
    lattice = np.stack([xx / square_px + origin[0], yy / square_px + origin[1]], -1)
    px = geometry.to_px(lattice) * (sx, sy) + to_part[:2, 2]
    maps = []
    for axis in (0, 1):
        # Node k of the coarse grid stands at output x = k * step (a pixel corner).
        coarse = px[..., axis].astype(np.float32)
        m2 = np.array([[1 / step, 0, 0.5 / step], [0, 1 / step, 0.5 / step]], np.float32)
        maps.append(cv2.warpAffine(coarse, m2, (out_w, out_h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP))
    return np.asarray(cv2.remap(part, maps[0], maps[1], cv2.INTER_LINEAR))
