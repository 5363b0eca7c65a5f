"""Tells two tile sets apart by colour, whatever the colours are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.comb import COMB, as_compared
from kibitz.calibration.quality import VIEW
from kibitz.engine.parameters import checked, number
from kibitz.vision.boards.square_logs import largest
from kibitz.vision.boards.squares import pixels_within


@dataclass(frozen=True, slots=True)
class ColourParameters:
    """When two groups of tiles with different colours are two sets."""

    apart_spreads: float = number(
        3.0, "times", 1.0, 20.0, "they are so many times as far apart as tiles are in their group"
    )

    def __post_init__(self) -> None:
        checked(self)


COLOURS = ColourParameters()


class SquareColours:
    """Colours of a straightened board's squares, measured on demand.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square, even.
    """

    def __init__(self, straight: NDArray[np.uint8], square_px: int) -> None:
        self.straight = straight
        self.square_px = square_px
        n = straight.shape[0] // square_px - 2
        self._middles, self._edges = (np.zeros((n, n, 3), np.float32) for _ in range(2))
        self._known = np.zeros((n, n), np.bool_)
        self._gain = _gain(straight)

    def of(self, where: NDArray[np.bool_]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Median colours of squares' middles and edges, (n, n, 3) CIELAB each.

        Of a tile both are its body: a median is not moved by a letter. A patch printed on a
        blank fills the middle and leaves the edge.

        Args:
            where: (n, n) which squares are wanted; of others it may say anything.
        """
        new = where & ~self._known
        if new.any():
            self._middles[new], self._edges[new] = _measured(
                self.straight, self.square_px, new, self._gain
            )
            self._known |= new
        return self._middles, self._edges

    def after(self, straight: NDArray[np.uint8], changed: NDArray[np.bool_]) -> SquareColours:
        """Colours in a picture of which only some squares, (n, n), changed."""
        out = SquareColours(straight, self.square_px)
        if out._gain == self._gain:
            out._known = self._known & ~changed
        out._middles, out._edges = self._middles.copy(), self._edges.copy()
        return out


def _gain(straight: NDArray[np.uint8]) -> float:
    """Factor, a power of two, that makes a board as bright as possible."""
    some = largest(straight[::8, ::8]).ravel()
    at = round((some.size - 1) * (1 - VIEW.extreme))
    bright = max(1.0, float(np.partition(some, at)[at]))
    return 2.0 ** max(0, int(np.log2(255 / bright)))


def _measured(
    straight: NDArray[np.uint8], square_px: int, wanted: NDArray[np.bool_], gain: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Median colours of some squares' middles and edges, (N, 3) CIELAB each."""
    # Every other pixel of every other line is plenty for a median.
    px = square_px // 2
    near, lo, hi = px // 6, px // 6, px * 3 // 4
    first, last = near, px - near
    pixels = pixels_within(straight, square_px, np.s_[2 * first : 2 * last : 2])[wanted]
    part = pixels.view(np.uint8).reshape(*pixels.shape, 3)
    lab = _cielab(part.reshape(-1, last - first, 3), gain).reshape(part.shape)
    in_part = slice(lo - first, hi - first)
    middles = _median(lab[:, in_part, in_part].reshape(len(part), -1, 3))
    edge = _edge(last - first, near - first)
    return middles, _median(lab.reshape(len(part), -1, 3).take(edge, axis=1))


def _cielab(bgr: NDArray[np.uint8], gain: float) -> NDArray[np.float32]:
    """CIELAB of pixels, (h, w, 3), made brighter by a factor.

    OpenCV's own conversion first makes tables, which takes as long as reading two photographs.
    """
    bright = np.minimum(np.arange(256) * (gain / 255), 1.0)
    curve = np.where(bright > 0.04045, ((bright + 0.055) / 1.055) ** 2.4, bright / 12.92)
    linear = cv2.LUT(bgr, curve.astype(np.float32))
    of_white = cv2.cvtColor(np.ones((1, 1, 3), np.float32), cv2.COLOR_BGR2XYZ)
    xyz = cv2.cvtColor(linear, cv2.COLOR_BGR2XYZ) / of_white
    dark = np.float32(6 / 29)
    x, y, z = cv2.split(np.where(xyz > dark**3, np.cbrt(xyz), xyz / (3 * dark**2) + 4 / 29))
    return np.asarray(cv2.merge([116 * y - 16, 500 * (x - y), 200 * (y - z)]), np.float32)


@lru_cache
def _edge(side: int, inset: int) -> NDArray[np.intp]:
    """Indices of a square's pixels on a line inset from its sides."""
    edge = np.zeros((side, side), bool)
    edge[inset : side - inset, inset : side - inset] = True
    edge[inset + 1 : side - inset - 1, inset + 1 : side - inset - 1] = False
    return edge.ravel().nonzero()[0]


def _median(values: NDArray[Any]) -> NDArray[np.float32]:
    """Medians of (K, pixels, 3) over the pixels, (K, 3)."""
    rows = np.ascontiguousarray(values.swapaxes(1, 2))
    half = rows.shape[-1] // 2
    return np.asarray(np.partition(rows, half, axis=-1)[..., half], np.float32)


def split_colours(colours: NDArray[np.float32], tiles: NDArray[np.bool_]) -> NDArray[np.str_]:
    """`a` or `b` for every tile, `.` elsewhere; `a` is the set with more tiles.

    Args:
        colours: (n, n, 3) CIELAB of every square.
        tiles: (n, n) which squares hold tiles.
    """
    out = np.full(tiles.shape, ".", dtype="<U1")
    where = np.argwhere(tiles)
    if len(where) == 0:
        return out
    out[tiles] = "a"
    if len(where) < 2:
        return out
    points = as_compared(colours[tiles])
    if np.linalg.norm(points.max(0) - points.min(0)) < COMB.tiles_differ:
        return out  # no two of them are so far apart
    spread = points - points.mean(0)
    t = spread @ np.linalg.eigh(spread.T @ spread)[1][:, -1]
    low = t < (t.min() + t.max()) / 2
    for _ in range(12):
        if low.all() or not low.any():
            return out
        one, other = points[low].mean(0), points[~low].mean(0)
        nearer = (points - (one + other) / 2) @ (one - other) > 0
        if (nearer == low).all():
            break
        low = nearer
    if low.all() or not low.any():
        return out
    middles = np.median(points[low], 0), np.median(points[~low], 0)
    apart = float(np.linalg.norm(middles[0] - middles[1]))
    within = np.linalg.norm(points - np.where(low[:, None], *middles), axis=1)
    if apart < max(COMB.tiles_differ, COLOURS.apart_spreads * float(np.median(within))):
        return out
    second = low if low.sum() < (~low).sum() else ~low
    out[tuple(where[second].T)] = "b"
    return out
