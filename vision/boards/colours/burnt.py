"""Squares burnt out by glare: they look bare, but a tile may lie there unseen.

A lamp that a glossy tile mirrors leaves neither its letter nor its edge. How much light that is
shows in what is dark on any board, lines, print and letters: where it is dark still, a tile would
be seen. Where it is not, one may lie as far as a play may have reached that square.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.quality import VIEW
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, MARKER_KIND, SURE, TILE_KIND

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
RIM: Final = 0.125
"""Of a square's side, so much is left out on each: lines, neighbours' sides."""
BESIDE: Final = np.array([(0, 1, 0), (1, 1, 1), (0, 1, 0)], np.uint8)
"""A square and those beside it."""


def burnt_part(straight: Picture, square_px: int) -> Floats:
    """(n, n) share of each square that is burnt out in every colour.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
    """
    px, n = square_px, straight.shape[0] // square_px - 2
    least = _least(straight)[px:-px, px:-px]
    if int(least.max()) < VIEW.burnt_level:
        return np.zeros((n, n), np.float32)
    rim = round(RIM * px)
    white = (least >= VIEW.burnt_level).reshape(n, px, n, px)[:, rim : px - rim]
    # down first: whole lines are added at once
    part = white.sum(1, dtype=np.float32)[..., rim : px - rim].mean(-1)
    return np.asarray(part / (px - 2 * rim))


def settle_glare(straight: Picture, kind: Floats, letter: Floats, burnt: Floats) -> Floats:
    """Kinds of squares, with those hidden on which a tile may lie in glare.

    A tile would not be seen as far as its square is burnt out, and as far as its letter would be
    as light as that. It is there at most as likely as beside it, seen or not: plays connect.

    Args:
        straight: ((n + 2) * px squared, 3) BGR, one square around the board.
        kind: (n, n, 4) log probabilities.
        letter: (n, n) probability of the likeliest letter of a tile there.
        burnt: (n, n) see `burnt_part`.
    """
    chances = np.exp(kind)
    tile, clear = chances[..., TILE_KIND], burnt == 0
    read = tile * letter
    bare, lettered = clear & (chances[..., EMPTY_KIND] > SURE.known), clear & (read > SURE.known)
    if bare.sum() < SURE.few:
        return kind
    dark = _darkest(straight, len(kind))
    usual = ink = float(np.median(dark[bare]))
    if lettered.sum() >= SURE.few:
        ink = min(ink, float(np.median(dark[lettered])))
    lost = ((dark - usual) / max(VIEW.burnt_level - ink, 1.0)).clip(0, 1)
    unseen = np.sqrt(burnt * lost) * (1 - read - chances[..., MARKER_KIND]).clip(0, 1)
    there = np.zeros_like(tile)
    for _ in kind:
        there = unseen * cv2.dilate(np.maximum(tile, there), BESIDE)
    chances *= 1 - there[..., None]
    chances[..., COVERED_KIND] += there
    return np.log(np.maximum(chances, np.finfo(np.float32).tiny))


def _least(straight: Picture) -> NDArray[np.uint8]:
    """(h, w) the darkest colour of each pixel."""
    blue, green, red = cv2.split(straight)  # a part of a picture takes many times as long
    return np.asarray(cv2.min(cv2.min(blue, green), red))


def _darkest(straight: Picture, n: int) -> Floats:
    """(n, n) how light the darkest is of each square and the lines around it."""
    px = len(straight) // (n + 2)
    soft = cv2.blur(_least(straight), (3, 3))
    dark = cv2.erode(soft, np.ones((px + px // 4,) * 2, np.uint8))
    return dark[px + px // 2 : -px : px, px + px // 2 : -px : px].astype(np.float32)
