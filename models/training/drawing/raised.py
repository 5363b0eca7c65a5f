"""Boards in three dimensions: slabs that lie on a table, seen by a camera from any height.

A ray from a camera above a table goes down all the way, so what stands higher hides what lies
lower. Slabs are therefore painted slice by slice from the table upwards, each slice through the
homography of its own height, and every edge, side and shadow falls where it would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, undistort

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]
FINER = 1.15
"""Slabs are shrunk to so many times the size at which they are seen, so that no line is lost."""
SLICE_PX = 2.0
"""A side is painted in slices at most so many pixels apart."""
FINE_TILT, FINE_SIDE = 35.0, 1100
"""From such a tilt on, in degrees, pictures up to such a side are painted twice as fine: there
squares are much lower than wide, and a camera takes the mean of all that is in a pixel."""

LIFTED = 0.06
"""How far the plane of the tops of tiles is off, to the side on the board, in squares."""
NEAR = 0.25
"""Tops seen no farther aside than this, in squares, may be read where they are seen."""


@dataclass(frozen=True, eq=False)
class View:
    """A camera over a board.

    Attributes:
        projection: (3, 4), lattice x, y, height above the squares in squares and 1, to pixels.
        size: squares a side.
        width, height: of the picture, pixels.
        tilt_deg: the optical axis against straight down.
        k1: radial distortion, see `BoardGeometry`.
    """

    projection: NDArray[np.float64]
    size: int
    width: int
    height: int
    tilt_deg: float
    k1: float = 0.0

    def plane(self, height: float) -> NDArray[np.float64]:
        """The homography of the plane at a height, in squares, to undistorted pixels."""
        p = self.projection
        return np.column_stack([p[:, 0], p[:, 1], p[:, 2] * height + p[:, 3]])

    def geometry(self, height: float = 0.0) -> BoardGeometry:
        """Where the board's squares lie if they are lifted so high."""
        return BoardGeometry(self.plane(height), self.size, self.width, self.height, self.k1)


def random_view(
    rng: np.random.Generator,
    width: int,
    height: int,
    tilt_deg: float,
    size: int = 15,
    fill: float = 0.8,
    off_centre: float = 0.0,
) -> View:
    """A pinhole camera that has all of a board before it, held upright where it is held low.

    Args:
        rng: chance.
        width: of the picture, pixels.
        height: of the picture, pixels.
        tilt_deg: the optical axis against straight down.
        size: squares a side.
        fill: how much of the picture's width or height the board takes up.
        off_centre: how far the board's middle may be from the picture's, parts of its size.
    """
    f = 0.5 * max(width, height) / np.tan(np.deg2rad(rng.uniform(28, 75)) / 2)
    tilt, az = np.deg2rad(tilt_deg), rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.5:  # as players sit, square to the board
        az = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.15)
    low = tilt_deg > 25
    roll = rng.normal(0, 0.1) if low else rng.uniform(0, 2 * np.pi)
    roll += rng.choice(4) * np.pi / 2 if low and rng.random() < 0.1 else 0.0

    def rz(a: float) -> NDArray[np.float64]:
        return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])

    cos, sin = np.cos(-tilt), np.sin(-tilt)
    r = rz(roll) @ np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]]) @ rz(az)
    k = np.array([[f, 0, width / 2], [0, f, height / 2], [0, 0, 1.0]])
    m = size / 2
    corners = np.array([(-m, -m), (m, -m), (m, m), (-m, m)]) @ r[:, :2].T
    wanted = np.array([width, height]) * (0.5 + rng.uniform(-off_centre, off_centre, 2))
    t = np.array([0.0, 0.0, f * size / (fill * max(width, height))])
    for _ in range(12):
        t[2] = max(t[2], 0.12 * size - corners[:, 2].min())
        seen = corners + t
        px = seen[:, :2] / seen[:, 2:] * f + (width / 2, height / 2)
        lo, hi = px.min(0), px.max(0)
        t[:2] += (wanted - (lo + hi) / 2) / f * t[2]
        t *= float(((hi - lo) / (fill * width, fill * height)).max()) ** 0.8
    towards = np.column_stack([r[:, 0], r[:, 1], -r[:, 2], t - r[:, :2] @ (m, m)])
    return View(k @ towards, size, width, height, tilt_deg)


def found_lift(rng: np.random.Generator, tile: float, tilt_deg: float) -> float:
    """How high the tops of tiles are said to lie: about as high as they do.

    Where they are seen hardly aside of their squares, they are read as if they lay on these.
    """
    slant = float(np.tan(np.deg2rad(tilt_deg)))
    lift = tile * float(rng.uniform(0, 1)) if tile * slant < NEAR and rng.random() < 0.6 else tile
    aside = float(np.clip(rng.normal(0, LIFTED), -3 * LIFTED, 3 * LIFTED))
    return lift + aside / max(0.4, slant)


@dataclass(frozen=True, eq=False)
class Slab:
    """Something flat with upright sides.

    Attributes:
        top: (H, W, 4) BGR and coverage, seen from straight above.
        square_px: pixels a square there.
        origin: lattice x, y of its top left corner.
        bottom, height: how high above the squares it begins and ends, in squares.
        side: how light its sides are beside its top.
        gloss: how much it mirrors a lamp.
        endless: it goes on as far as one can see.
    """

    top: Picture
    square_px: float
    origin: tuple[float, float]
    bottom: float
    height: float
    side: float = 0.6
    gloss: float = 0.0
    endless: bool = False


def _sides(slab: Slab, sun: float) -> Picture:
    """The colours of a slab's sides, which face the light or not."""
    cover = slab.top[..., 3]
    if slab.square_px * 3 > len(cover) or cover.all():
        return slab.top
    reach = round(0.2 * slab.square_px) + 1
    ahead = np.float32([[1, 0, reach * np.cos(sun)], [0, 1, reach * np.sin(sun)]])
    size = cover.shape[::-1]
    lit = cv2.warpAffine(cover, ahead, size)
    dark = cv2.warpAffine(cover, ahead * np.float32([[1, 1, -1], [1, 1, -1]]), size)
    shade = cv2.addWeighted(dark, 0.2 * slab.side, lit, -0.2 * slab.side, 255 * slab.side * 0.5)
    out = cv2.multiply(slab.top, cv2.merge([shade] * 4), scale=2 / 255)
    out[..., 3] = cover
    return out


def _slice(
    size: tuple[int, int], view: View, slab: Slab, top: Picture, z: float, fine: int
) -> Picture:
    """(h, w, 4) what a slice of a slab looks like and where it is, 0 to 255."""
    sq = slab.square_px
    to_px = np.diag([float(fine), float(fine), 1.0]) @ view.plane(z)
    shift = np.array([[1 / sq, 0, slab.origin[0]], [0, 1 / sq, slab.origin[1]], [0, 0, 1.0]])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    m = np.linalg.inv(half) @ to_px @ shift @ half
    border = cv2.BORDER_REFLECT if slab.endless else cv2.BORDER_CONSTANT
    return cv2.warpPerspective(top, m, size, flags=cv2.INTER_LINEAR, borderMode=border)


def seen(
    view: View, slabs: Sequence[Slab], sky: Picture, sun: float = 0.0
) -> tuple[Picture, Picture]:
    """What the camera sees.

    Args:
        view: the camera.
        slabs: what lies there.
        sky: (h, w, 3) what is seen beyond the table.
        sun: where the light comes from, an angle in the board's plane.

    Returns:
        (h, w, 3) BGR and (h, w) which slab each pixel shows, from 1; 0 beyond the table.
    """
    w, h = view.width, view.height
    fine = 2 if view.tilt_deg > FINE_TILT and max(w, h) * 2 <= FINE_SIDE else 1
    size = w * fine, h * fine
    canvas = cv2.cvtColor(cv2.resize(sky, size), cv2.COLOR_BGR2BGRA)
    owner = np.zeros(canvas.shape[:2], np.uint8)
    middle = np.array([view.size / 2, view.size / 2, 1.0])
    tilt = np.deg2rad(view.tilt_deg)
    area = abs(np.linalg.det(view.plane(0))) / abs(view.plane(0)[2] @ middle) ** 3
    px = float(np.sqrt(area / max(0.2, np.cos(tilt)))) * fine
    per_height = px * (np.sin(tilt) * 1.2 + 0.2)
    slices: list[tuple[float, bool, int, Slab, Picture]] = []
    for i, slab in enumerate(slabs):
        top, scale = slab.top, px * FINER / slab.square_px
        if scale < 0.9:
            smaller = (max(8, round(v * scale)) for v in top.shape[1::-1])
            top = cv2.resize(top, tuple(smaller), interpolation=cv2.INTER_AREA)
        scaled = replace(
            slab, top=top, square_px=slab.square_px * top.shape[1] / slab.top.shape[1]
        )
        high = slab.height - slab.bottom
        steps = int(np.ceil(high * per_height / SLICE_PX))
        sides = _sides(scaled, sun) if steps else top
        slices += [(slab.bottom + high * k / steps, False, i, scaled, sides) for k in range(steps)]
        slices.append((slab.height, True, i, scaled, top))
    for z, is_top, i, slab, top in sorted(slices, key=lambda s: s[:3]):
        painted = _slice(size, view, slab, top, z, fine)
        cover = cv2.extractChannel(painted, 3)
        if slab.endless:
            back = np.linalg.inv(np.diag([float(fine), float(fine), 1.0]) @ view.plane(z))[2]
            yy, xx = np.arange(size[1])[:, None], np.arange(size[0])[None]
            cover = np.where(back[0] * xx + back[1] * yy + back[2] > 0, np.uint8(255), np.uint8(0))
        here = cv2.compare(cover, 127, cv2.CMP_GT)
        if is_top and not slab.endless:
            share = cv2.merge([cover] * 4)
            old = cv2.multiply(canvas, cv2.bitwise_not(share), scale=1 / 255)
            canvas = cv2.add(old, cv2.multiply(painted, share, scale=1 / 255))
        else:
            cv2.copyTo(painted, here, canvas)
        cv2.copyTo(np.full_like(owner, i + 1), here, owner)
    canvas = cv2.cvtColor(canvas, cv2.COLOR_BGRA2BGR)
    if fine > 1:
        canvas = cv2.resize(canvas, (w, h), interpolation=cv2.INTER_AREA)
        owner = np.ascontiguousarray(owner[::fine, ::fine])
    return _bent(canvas, view, cv2.INTER_LINEAR), _bent(owner, view, cv2.INTER_NEAREST)


def _bent(picture: Picture, view: View, how: int) -> Picture:
    """A picture as a lens bends it."""
    if not view.k1:
        return picture
    h, w = picture.shape[:2]
    xx, yy = np.meshgrid(np.arange(w) + 0.5, np.arange(h) + 0.5)
    to = undistort(np.stack([xx.ravel(), yy.ravel()], -1), view.k1, w, h).reshape(h, w, 2) - 0.5
    to = to.astype(np.float32)
    return cv2.remap(picture, to[..., 0], to[..., 1], how, borderMode=cv2.BORDER_REFLECT)
