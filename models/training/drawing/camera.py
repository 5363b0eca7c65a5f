"""A camera over a table: where it stands, its lens, its sensor and its JPEG."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry
from kibitz.models.training.drawing import textures
from kibitz.models.training.drawing.board_art import MARGIN, SQUARE_PX

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]
SMEARED = 0.12
"""So many of the pictures that nobody would keep are blurred far."""


def random_view(
    rng: np.random.Generator,
    width: int,
    height: int,
    board_px: float,
    tilt_deg: float,
    size: int = 15,
    off_centre: float = 0.0,
) -> NDArray[np.float64]:
    """The homography from a lattice of `size` squares to pixels for a pinhole camera.

    Args:
        rng: chance.
        width: of the picture, pixels.
        height: of the picture, pixels.
        board_px: about how long the board's side comes out, pixels.
        tilt_deg: the optical axis against straight down.
        size: squares a side.
        off_centre: how far the board's middle may be from the picture's, parts of its size.
    """
    fov = np.deg2rad(rng.uniform(28, 75))
    f = 0.5 * max(width, height) / np.tan(fov / 2)
    az, roll, tilt = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi), np.deg2rad(tilt_deg)

    def rz(a: float) -> NDArray[np.float64]:
        return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])

    rx = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    r = rz(roll) @ rx @ rz(az)
    dist = f * size / board_px
    ox, oy = rng.uniform(-off_centre, off_centre, 2) * (width, height)
    k = np.array([[f, 0, width / 2], [0, f, height / 2], [0, 0, 1]])
    t = np.array([ox / f * dist, oy / f * dist, dist])
    h = k @ np.column_stack([r[:, 0], r[:, 1], t])
    centre = np.array([[1, 0, -size / 2], [0, 1, -size / 2], [0, 0, 1.0]])
    return np.asarray(h @ centre)


def warp_onto(
    canonical: Picture,
    geometry: BoardGeometry,
    square_px: float = SQUARE_PX,
    margin: float = MARGIN,
    border: int = cv2.BORDER_REFLECT,
) -> tuple[Picture, Array]:
    """The canonical picture as the camera sees it, and its coverage in 0..1."""
    w, h = geometry.width, geometry.height
    side = geometry.square_px
    scale = min(1.0, side * 1.3 / square_px)
    src = canonical
    if scale < 0.85:
        n = max(8, round(canonical.shape[0] * scale))
        src = cv2.resize(canonical, (n, n), interpolation=cv2.INTER_AREA)
    sq = square_px * src.shape[0] / canonical.shape[0]
    step = 8 if geometry.k1 else max(w, h)
    if geometry.k1:
        gx, gy = np.arange(0, w + step, step, float), np.arange(0, h + step, step, float)
        xx, yy = np.meshgrid(gx, gy)
        src_xy = (geometry.to_lattice(np.stack([xx, yy], -1)) + margin) * sq - 0.5
        m2 = np.array([[1 / step, 0, 0.5 / step], [0, 1 / step, 0.5 / step]], np.float32)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        mx, my = (
            cv2.warpAffine(src_xy[..., i].astype(np.float32), m2, (w, h), flags=flags)
            for i in (0, 1)
        )
        out = cv2.remap(src, mx, my, cv2.INTER_LINEAR, borderMode=border)
        cover = ((mx > 0) & (my > 0) & (mx < src.shape[1] - 1) & (my < src.shape[0] - 1)).astype(
            np.float32
        )
        return out, cover
    to_src = np.array([[sq, 0, margin * sq - 0.5], [0, sq, margin * sq - 0.5], [0, 0, 1.0]])
    from_px = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    m = to_src @ np.linalg.inv(geometry.homography) @ from_px
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpPerspective(src, m, (w, h), flags=flags, borderMode=border)
    cover = cv2.warpPerspective(np.ones(src.shape[:2], np.float32), m, (w, h), flags=flags)
    return out, cover


def smeared(rng: np.random.Generator, picture: Picture, square_px: float) -> Picture:
    """A picture far out of focus or taken in motion, up to where nobody can read it."""
    reach = float(rng.uniform(0.06, 0.36)) * square_px
    if rng.random() < 0.5:
        return cv2.GaussianBlur(picture, (0, 0), max(0.3, reach * 0.7))
    n = max(2, round(reach))
    kernel = np.zeros((2 * n + 1, 2 * n + 1), np.float32)
    a = rng.uniform(0, np.pi)
    step = np.array([np.cos(a), np.sin(a)]) * n / 2
    begin, end = (np.round(n + k * step).astype(int).tolist() for k in (-1, 1))
    cv2.line(kernel, begin, end, 1.0)
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def expose(
    rng: np.random.Generator, picture: Picture, square_px: float, hard: float = 1.0
) -> Picture:
    """Optics, exposure, sensor noise, the phone's processing and JPEG.

    At `hard` 0.5 or less the picture is one that its maker would keep: no near darkness, haze,
    coarse JPEG or strong noise.
    """
    kept = hard <= 0.5
    x = picture
    if not kept and rng.random() < SMEARED:
        x = smeared(rng, x, square_px)
    blur = rng.random()
    sigma = 0.0
    if blur < 0.45:
        most = 0.065 if blur < 0.12 else 0.035
        sigma = rng.uniform(0.3, most * square_px * hard + 0.3)
        x = cv2.GaussianBlur(x, (0, 0), sigma)
    elif blur < 0.51:
        n = max(2, int(rng.uniform(0.05, 0.16) * square_px * hard))
        kernel = np.zeros((2 * n + 1, 2 * n + 1), np.float32)
        a = rng.uniform(0, np.pi)
        d = (n / 2 * np.array([np.cos(a), np.sin(a)])).astype(int)
        cv2.line(kernel, tuple((n - d).tolist()), tuple((n + d).tolist()), 1.0)
        x = cv2.filter2D(x, -1, kernel / kernel.sum())
    f = x.astype(np.float32) / 255
    if rng.random() < (0.05 if kept else 0.3):  # haze and flat contrast
        f = f * rng.uniform(0.4, 1) + rng.uniform(0, 0.35)
    wb = 1 + rng.normal(0, 0.09, 3)
    if rng.random() < 0.15:
        wb = np.array([rng.uniform(0.4, 0.9), rng.uniform(0.75, 1), 1.0])
    gain = rng.uniform(0.6, 1.35) if kept or rng.random() < 0.87 else rng.uniform(0.08, 0.6)
    f = f * (wb * gain).astype(np.float32)
    gamma = rng.uniform(0.7, 1.4)
    f = np.clip(f, 0, 1) ** np.float32(gamma)
    if rng.random() < 0.15:
        f = f.mean(2, keepdims=True) * np.ones(3, np.float32) * 0.8 + f * 0.2
    noise = rng.uniform(0, 0.02) if kept or rng.random() < 0.78 else rng.uniform(0.02, 0.08) * hard
    shot = (
        rng.standard_normal(f.shape[:2], np.float32)[..., None] * 0.7
        + rng.standard_normal(f.shape, np.float32) * 0.6
    )
    f = f + shot * np.float32(noise) * np.sqrt(f + 0.05)
    x = (np.clip(f, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.25:
        x = cv2.addWeighted(x, 1.6, cv2.GaussianBlur(x, (0, 0), 1.2), -0.6, 0)
    if noise > 0.03 and rng.random() < 0.5:
        x = cv2.medianBlur(x, 3)
    quality = int(rng.uniform(55, 96)) if kept or rng.random() < 0.78 else int(rng.uniform(15, 55))
    return cv2.imdecode(
        cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
    )


def shaken(rng: np.random.Generator, geometry: BoardGeometry, sigma: float) -> BoardGeometry:
    """The geometry with its corners moved by `sigma` squares, as a finder would err."""
    n = float(geometry.size)
    corners = (
        np.array([(0, 0), (n, 0), (n, n), (0, n)])
        + rng.normal(0, sigma, (4, 2))
        + rng.normal(0, sigma, 2)
    )
    src = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
    m = cv2.getPerspectiveTransform(src, corners.astype(np.float32)).astype(np.float64)
    return BoardGeometry(
        geometry.homography @ m, geometry.size, geometry.width, geometry.height, geometry.k1
    )


def backdrop(rng: np.random.Generator, width: int, height: int) -> Picture:
    """A table with things on it and no board."""
    f = textures.table_top(rng, height, width)
    textures.clutter(rng, f, int(rng.integers(0, 9)))
    return (np.clip(f, 0, 1) * 255).astype(np.uint8)
