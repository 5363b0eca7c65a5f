"""Squares that a hand hides in part, and of which the rest shows the bare board.

A tile fills its square. Where a good part of a square looks as the board does elsewhere, and as
no tile of this game does, no tile lies there, whatever covers the rest of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.vision.boards.squares import mirror_images
from kibitz.vision.readings import CLEAR_BESIDE_A_HAND, COVERED_KIND, EMPTY_KIND, TILE_KIND

Picture = NDArray[np.uint8]
BINS = 64
WIDTHS = (7, 5, 3)
"""How many of 96 steps of a colour's share of blue and of green count as one hue: as many as keep
the board apart from tiles and hand."""
CUT = 4
"""Pixels of a square's rim that are left out: lines, neighbours' sides."""
DARKEST, BRIGHTEST = 0.3, 1.25
"""A bare pixel's brightness beside the board's: a hand casts a shadow, and no light."""
SHOWS = 0.42
"""The part of a square that must be bare: a tile laid askew leaves a third of its square."""
TILES_SHOW, ABOVE_TILES = 0.4, 0.15
"""What a tile may show of the board's hues, its letter for instance, and how much more is bare."""
HAND_SHOWS = 0.2
BARE_SHOWS = 0.7
FEW_TILES, FEW_BARE = 3, 12
ENOUGH = 24
"""Squares that say how tiles and the hand look."""
PRINTED = 15
"""Squares a side of a board whose print lies as in a mirror."""
SAYS = 3.0
"""How much that counts (nats)."""


def settle_hidden(
    straight: Picture, square_px: int, kind: NDArray[np.float32], letter: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Kinds with squares told empty of which enough is seen.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        kind: (n, n, 4) log probabilities.
        letter: (n, n) the best letter's probability.

    Returns:
        As `kind`.
    """
    p = np.exp(kind)
    best = p.argmax(-1)
    covered = best == COVERED_KIND
    if not covered.any():
        return kind
    beside = cv2.dilate(covered.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    # Squares outside the picture are covered for certain.
    asked = (covered | (beside & (best == TILE_KIND) & (letter < CLEAR_BESIDE_A_HAND))) & (
        kind[..., COVERED_KIND] < -1e-3
    )
    bare, tiles = p[..., EMPTY_KIND] > 0.97, (p[..., TILE_KIND] > 0.95) & ~beside
    if not asked.any() or bare.sum() < FEW_BARE or tiles.sum() < FEW_TILES:
        return kind
    hue, light = _hues(straight, square_px)
    deep = cv2.erode(covered.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    hand = covered if deep.sum() < 3 else deep
    seen = _Seen(hue, light, _some(tiles), _some(hand))
    shows = asked & seen.shows(_most_alike(hue, bare), asked)
    if len(kind) == PRINTED:
        images, new = mirror_images(PRINTED)
        for k in np.flatnonzero(asked & ~shows):
            this, alike = np.zeros_like(asked), np.zeros_like(asked)
            this.flat[k] = True
            alike.flat[images[k][new[k]]] = True
            shows |= seen.shows(alike & bare, this)
    out = kind.copy()
    told = out[shows]
    told[:, EMPTY_KIND] = told.max(-1) + SAYS
    out[shows] = told - np.log(np.exp(told).sum(-1, keepdims=True))
    return out


def _some(squares: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """At most `ENOUGH` of some squares, from all over the board."""
    where = np.flatnonzero(squares)
    out = np.zeros_like(squares)
    out.flat[where[:: max(1, -(-len(where) // ENOUGH))]] = True
    return out


def _hues(straight: Picture, px: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """(n, n, pixels) which bin a pixel's colour falls in and how bright it is."""
    soft = cv2.blur(straight, (3, 3))[px:-px, px:-px].astype(np.float32)
    n = soft.shape[0] // px
    squares = soft.reshape(n, px, n, px, 3).swapaxes(1, 2)[:, :, CUT:-CUT:2, CUT:-CUT:2]
    pixels = squares.reshape(n, n, -1, 3)
    light = pixels.sum(-1) + 1.0
    part = (pixels[..., :2] * (BINS * 1.5) / light[..., None]).astype(np.intp).clip(0, BINS - 1)
    return part[..., 0] * BINS + part[..., 1], light


def _most_alike(hue: NDArray[np.intp], bare: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The bare squares of the commonest colour: no premium squares."""
    middle = np.stack([np.median(hue // BINS, -1), np.median(hue % BINS, -1)], -1)
    usual = np.median(middle[bare], axis=0)
    return np.asarray(bare & (np.abs(middle - usual).max(-1) <= 4))


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Some tiles and some of the hand on a board, with each pixel's hue and light."""

    hue: NDArray[np.intp]
    light: NDArray[np.float32]
    tiles: NDArray[np.bool_]
    hand: NDArray[np.bool_]

    def shows(self, like: NDArray[np.bool_], asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(n, n) of which of the squares asked for enough looks as some bare ones do.

        Of none, if tiles and hand cannot be told from these.
        """
        out = np.zeros_like(like)
        if like.sum() < 2:
            return out
        usual = float(np.median(self.light[like]))
        count = np.bincount(self.hue[like].ravel(), minlength=BINS * BINS).reshape(BINS, BINS)
        often = (count > 0.004 * count.sum()).astype(np.uint8)
        for width in WIDTHS:
            palette = cv2.dilate(often, np.ones((width, width), np.uint8)).ravel() > 0
            tiles, hand, bare, share = (
                self._share(palette, usual, x) for x in (self.tiles, self.hand, like, asked)
            )
            most = float(np.quantile(tiles, 0.9))
            if most < TILES_SHOW and np.quantile(hand, 0.75) < HAND_SHOWS:
                if np.median(bare) >= BARE_SHOWS:
                    out[asked] = share > max(SHOWS, most + ABOVE_TILES)
                break
        return out

    def _share(
        self, palette: NDArray[np.bool_], usual: float, squares: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """(K,) which part of each of some squares has hues of a palette, in light or shade."""
        light = self.light[squares]
        lit = (light > DARKEST * usual) & (light < BRIGHTEST * usual)
        return np.asarray((palette[self.hue[squares]] & lit).mean(-1))
