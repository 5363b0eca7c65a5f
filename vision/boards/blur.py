"""Deblurring of boards that are out of focus or moved.

Either blurs the whole picture alike, and leaves its mark in the picture's spectrum: where the lens
was out of focus each point became a disc, where something moved a line. Both wipe out some
frequencies altogether, which ones depends on the disc's size or the line's length and direction
alone. So the disc or line whose gaps fit the spectrum best is taken, and undone (Wiener, 1949).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import (
    BoardGeometry,
    OneLevel,
    Picture,
    Pyramid,
    shrink_of,
)
from kibitz.engine.parameters import checked, number
from kibitz.vision.boards import squares

PART_PX: Final = 96
"""Side of the parts of a picture whose spectra are averaged: about two squares."""
OF_LINES: Final = 3
"""So far from a row or column of a spectrum, in its steps, a board's own lines show: Hann's
window, by which parts fade out, spreads a line over two steps, and a line lies between two."""
LEAST: Final = np.finfo(np.float32).eps
"""Divided by instead of nothing."""
LINES: Final = np.geomspace(3.0, 32.0, 24)
DISCS: Final = np.geomspace(1.5, 12.0, 18)
"""Lengths of lines and radii of discs that are tried first, in pixels."""
FINEST_WAVES: Final = math.tau * math.sqrt(0.5) * DISCS[-1] ** 2 / DISCS[-2]
"""At most so many radians of a wave fit into the radius of a disc that is told."""
DIRECTIONS: Final = 20
"""As many directions of lines are tried first."""
FINER: Final = 2
"""Those that fit best are moved on by half a step, and the best of these by a quarter."""
AROUND: Final = 48
"""Pixels around a part of a picture, mirrored: what is undone goes round from side to side."""

Spectrum = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BlurRules:
    """When a board counts as blurred, and how it is deblurred."""

    fits: float = number(
        0.4, "correlation", 0.0, 1.0, "a disc or line fits a blurred picture's gaps at least so"
    )
    detail: float = number(
        0.6,
        "of the coarser detail",
        0.0,
        5.0,
        "tiles with less fine detail than this may be blurred, however surely they are read",
    )
    finest: float = number(
        0.45, "waves a pixel", 0.1, 0.5, "finer ones are the picture's pixels and their noise"
    )
    noise: float = number(
        0.002, "of the power", 1e-5, 1.0, "so much of what blur wipes out is left by noise"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = BlurRules()


@dataclass(frozen=True, slots=True)
class Blur:
    """Point-spread function.

    Attributes:
        px: the length of a line, or the radius of a disc.
        direction: of the line, in radians; None for a disc.
    """

    px: float
    direction: float | None = None

    def left(self, x: Spectrum, y: Spectrum) -> Spectrum:
        """Transfer function at frequencies in waves a pixel; negative where contrast inverts."""
        if self.direction is not None:
            turn = np.array([np.cos(self.direction), np.sin(self.direction)]) * (np.pi * self.px)
            waves = x * np.float32(turn[0]) + y * np.float32(turn[1])
            waves[waves == 0] = LEAST  # NumPy's own of this takes three times as long
            return np.asarray(np.sin(waves) / waves, np.float32)
        return np.asarray(np.interp(2 * np.pi * self.px * np.hypot(x, y), *_disc()), np.float32)


@lru_cache(maxsize=1)
def _disc() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Table of a disc's transfer function over frequency times radius, in radians."""
    waves, along = np.linspace(0.0, FINEST_WAVES, 4096), (np.arange(64) + 0.5) / 64
    chord = np.sqrt(1 - along**2)  # from the disc's middle to its edge
    return waves, np.cos(waves[:, None] * along) @ (chord / chord.sum())


def lacks_detail(straight: Picture, tiles: NDArray[np.float32]) -> bool:
    """True if tiles have little of the finest detail compared with coarser detail.

    Args:
        straight: the straightened board with one square around it, (h, h, 3).
        tiles: (n, n) probability of a tile for each of its squares.
    """
    there = tiles > 0.5
    if not there.any():
        return False
    px = straight.shape[0] // (len(tiles) + 2)
    rows, columns = (np.flatnonzero(there.any(k)) for k in (1, 0))
    within = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    around = np.s_[rows[0] * px : (rows[-1] + 3) * px, columns[0] * px : (columns[-1] + 3) * px]
    mask = there[within].astype(np.uint8).repeat(px, 0).repeat(px, 1)
    grey = cv2.cvtColor(straight[around], cv2.COLOR_BGR2GRAY)
    soft = cv2.blur(grey, (3, 3))
    softer = cv2.blur(soft, (5, 5))  # both together are twice as soft
    inner = np.s_[px:-px, px:-px]
    fine, coarse = (
        cv2.norm(a[inner], b[inner], cv2.NORM_L1, mask) for a, b in ((grey, soft), (soft, softer))
    )
    return fine < RULES.detail * coarse


def likeliest_blur(
    grey: NDArray[np.uint8], axes: NDArray[np.float64]
) -> tuple[Blur, float] | None:
    """The best-fitting disc or line, and its correlation; arguments as `blur_of`.

    None where the picture is too small to tell.

    Args:
        grey: (h, w) a board, at about 40 pixels a square.
        axes: (2, 2) the directions of its rows and columns, along which its lines leave gaps too.
    """
    if min(grey.shape) < PART_PX:
        return None
    x, y = _frequencies()
    along = np.abs(np.stack([x, y], -1) @ (axes / np.linalg.norm(axes, axis=1)[:, None]).T)
    counts = (along > OF_LINES / PART_PX).all(-1)
    basis = np.linalg.qr(_usual() * counts[:, None])[0].astype(np.float32)
    seen = _spectrum(grey) * counts
    seen -= basis @ (seen @ basis)
    seen /= max(float(np.linalg.norm(seen)), LEAST)

    def fits(power: Spectrum) -> Spectrum:
        """Correlation of each candidate's gaps with the picture's spectrum."""
        usual = ((power @ basis) ** 2).sum(-1)
        left = (power * power) @ counts.astype(np.float32) - usual
        return np.asarray(power @ seen / np.sqrt(np.maximum(left, LEAST)))

    tried, powers = _first_candidates(RULES.noise)
    good = fits(powers)
    # every length in the direction that fits it best, and the best disc
    of_lines, of_discs = np.split(good, [len(good) - len(DISCS)])
    ways = of_lines.reshape(len(LINES), DIRECTIONS).argmax(1)
    best = [tried[DIRECTIONS * k + way] for k, way in enumerate(ways.tolist())]
    best += [tried[len(of_lines) + int(of_discs.argmax())]]
    for step in 0.5 ** np.arange(1, 1 + FINER):
        best += [b for one in best for b in _near(one, float(step))]
        good = fits(np.stack([log_power(b, x, y, RULES.noise) for b in best]))
        best = [best[int(good.argmax())]]
    return best[0], float(good.max())


def _near(blur: Blur, step: float) -> list[Blur]:
    """Candidates within part of a first step."""
    longer = np.array([-1, 0, 1]) * step
    if blur.direction is None:
        return [replace(blur, px=blur.px * (DISCS[1] / DISCS[0]) ** k) for k in longer]
    turn = np.pi / DIRECTIONS
    return [
        Blur(blur.px * (LINES[1] / LINES[0]) ** k, blur.direction + turn * t)
        for k in longer
        for t in longer
    ]


@lru_cache
def _frequencies() -> tuple[Spectrum, Spectrum]:
    """The x and y frequencies of a part that are used, in waves a pixel."""
    fx, fy = np.fft.rfftfreq(PART_PX), np.fft.fftfreq(PART_PX)
    x, y = np.meshgrid(fx, fy)
    some = _middling(x, y)
    return np.asarray(x[some], np.float32), np.asarray(y[some], np.float32)


def _middling(x: Spectrum, y: Spectrum) -> NDArray[np.bool_]:
    """Mask of medium frequencies, without large parts and single pixels."""
    far = np.hypot(x, y)
    return np.asarray((far > OF_LINES / PART_PX) & (far < RULES.finest))


@lru_cache
def _usual() -> NDArray[np.float64]:
    """(frequencies, numbers) basis of unblurred pictures' spectra."""
    x, y = _frequencies()
    far, way = np.hypot(x, y), np.arctan2(y, x)
    parts = [np.ones_like(far), np.log(far), far, far * far]
    for times in (2, 4):
        waves = np.cos(times * way), np.sin(times * way)
        parts += [w * f for w in waves for f in (1.0, far)]
    return np.stack(parts, -1).astype(np.float64)


@lru_cache(maxsize=1)
def _first_candidates(gap: float) -> tuple[Sequence[Blur], Spectrum]:
    """First candidates, and the log power that each leaves."""
    x, y = _frequencies()
    ways = np.arange(DIRECTIONS) * np.pi / DIRECTIONS
    all_of = [Blur(px, way) for px in LINES.tolist() for way in ways.tolist()]
    all_of += [Blur(px) for px in DISCS.tolist()]
    return all_of, np.stack([log_power(b, x, y, gap) for b in all_of])


def log_power(blur: Blur, x: Spectrum, y: Spectrum, gap: float) -> Spectrum:
    """Log power that a blur leaves at frequencies."""
    return np.asarray(np.log(blur.left(x, y) ** 2 + np.float32(gap)))


def _spectrum(grey: NDArray[np.uint8]) -> Spectrum:
    """Log power of a picture at the used frequencies, averaged over its parts."""
    starts = [np.linspace(0, n - PART_PX, 2 * n // PART_PX).astype(int) for n in grey.shape]
    edge = np.hanning(PART_PX + 2)[1:-1].astype(np.float32)
    window, whole = np.outer(edge, edge), grey.astype(np.float32)
    squares = np.zeros((PART_PX, PART_PX), np.float32)
    for r, c in product(*starts):
        part = whole[r : r + PART_PX, c : c + PART_PX]
        cv2.accumulateSquare(cv2.dft((part - np.float32(cv2.mean(part)[0])) * window), squares)
    power = _unpacked(squares) / (len(starts[0]) * len(starts[1]))
    x, y = np.meshgrid(np.fft.rfftfreq(PART_PX), np.fft.fftfreq(PART_PX))
    return np.asarray(np.log(power[_middling(x, y)] + 1), np.float32)


def _unpacked(squares: Spectrum) -> Spectrum:
    """Power spectrum, (h, w / 2 + 1), from squares of OpenCV's packed spectrum.

    Real and imaginary parts stand side by side; in the first and the last column, which are their
    own mirror images, one below the other.
    """
    ends = squares[:, [0, -1]]
    down = ends[1:-1:2] + ends[2:-1:2]
    columns = np.concatenate([ends[:1], down, ends[-1:], down[::-1]])
    inner = squares[:, 1:-1:2] + squares[:, 2:-1:2]
    return np.concatenate([columns[:, :1], inner, columns[:, 1:]], axis=1)


def _packed(power: Spectrum) -> Spectrum:
    """(h, w) factors for OpenCV's packed spectrum from factors (h, w / 2 + 1)."""
    out = np.repeat(power, 2, axis=1)[:, 1:-1]
    out[:, [0, -1]] = np.repeat(power[: len(power) // 2 + 1, [0, -1]], 2, axis=0)[1:-1]
    return out


def deblur_board(
    picture: Pyramid, geometry: BoardGeometry, *, any_fit: bool = False
) -> tuple[Pyramid, bool] | None:
    """The picture deblurred at a board; None where no blur is found.

    Args:
        picture: the picture.
        geometry: where the board lies; only there it is sharpened, and as large as it is read.
        any_fit: undo the likeliest blur, however badly it fits.

    Returns:
        That, and whether the blur fits as well as the rules ask for.
    """
    level, scale = picture.nearest(shrink_of(geometry, squares.SQUARE_PX))
    low, high = geometry.corners_px.min(0), geometry.corners_px.max(0)
    height, width = level.shape[:2]
    left, top = np.maximum(0, (low - geometry.square_px) * scale).astype(int)
    right, bottom = np.ceil((high + geometry.square_px) * scale).astype(int)
    here = slice(top, min(bottom, height)), slice(left, min(right, width))
    grey = np.asarray(cv2.cvtColor(level[here], cv2.COLOR_BGR2GRAY), np.uint8)
    sides = np.diff(geometry.corners_px[:3], axis=0)
    found = likeliest_blur(grey, sides)
    if found is None:
        return None
    blur, fit = found
    fits = fit > RULES.fits
    if not fits and not any_fit:
        return None
    out = level.copy()
    out[here] = deblur(level[here], grey, blur, RULES.noise)
    return OneLevel(picture, shrink_of(geometry, squares.SQUARE_PX), out), fits


def deblur(
    picture: Picture, grey: NDArray[np.uint8], blur: Blur, noise: float
) -> NDArray[np.uint8]:
    """Deblur a picture's lightness; its colours are unchanged.

    Args:
        picture: (h, w, 3).
        grey: (h, w) the same in grey.
        blur: what blurred it.
        noise: how strong the noise is, as a part of the picture's power.
    """
    height, width = grey.shape
    down, across = (2 * cv2.getOptimalDFTSize(-(-n // 2) + AROUND) for n in (height, width))
    ends = (AROUND, down - height - AROUND, AROUND, across - width - AROUND)
    wide = cv2.copyMakeBorder(grey, *ends, cv2.BORDER_REFLECT).astype(np.float32)
    x = np.fft.rfftfreq(across).astype(np.float32)
    y = np.fft.fftfreq(down).astype(np.float32)[:, None]
    left = blur.left(x, y)
    by = left / (left * left + np.float32(noise)) * np.float32(1 + noise)
    sharp = cv2.idft(cv2.dft(wide) * _packed(by), flags=cv2.DFT_REAL_OUTPUT | cv2.DFT_SCALE)
    more = sharp[AROUND:, AROUND:][:height, :width] - grey
    return np.asarray(cv2.add(picture, cv2.merge([more] * 3), dtype=cv2.CV_8U), np.uint8)
