"""Finds bare squares by their colours, whatever the networks say.

A hand hides the board: what looks as other bare squares do, hue and light, is hardly covered.
Networks take blotches on a board without lines for things that lie on it.

A tile fills its square. Where a good part of a square looks as the board does elsewhere, and as
no tile of this game does, no tile lies there, whatever covers the rest of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.engine.table import SIDE
from kibitz.vision.boards.colours.blanks import RULES as COLOURS
from kibitz.vision.boards.colours.burnt import burnt_part
from kibitz.vision.boards.square_logs import log_softmax
from kibitz.vision.boards.squares import mirror_images
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, SURE, TILE_KIND

Picture = NDArray[np.uint8]
BINS: Final = 96
"""Into so many steps a colour's share of blue and of green is parted."""
AROUND: Final = np.array([(1, 1, 1), (1, 0, 1), (1, 1, 1)], np.uint8)
"""The squares beside a square."""
CUT: Final = 4
"""Pixels of a square's rim that are left out: lines, neighbours' sides."""


@dataclass(frozen=True, slots=True)
class BareRules:
    """When the visible part of a partly hidden square is bare board."""

    brightest: float = number(
        1.25,
        "share",
        1.0,
        5.0,
        "a hand casts a shadow, no light: a bare pixel is no brighter than others of the board",
    )
    shows: float = number(
        0.42, "share", 0.05, 1.0, "the part that must be bare: a tile laid askew leaves a third"
    )
    most_others: float = number(
        0.85,
        "share",
        0.5,
        1.0,
        "such a part of the tiles, and of the hand, shows no more than half as much of its hues",
    )
    common: float = number(
        0.004, "share", 0.0, 0.5, "a hue is the board's that so many of its pixels have"
    )
    one_hue: int = number(
        7, "steps", 3, 31, "so many of `BINS` steps are one hue, or fewer that part it from others"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = BareRules()


def settle_bare(
    straight: Picture,
    square_px: int,
    kind: NDArray[np.float32],
    wanted: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """Kinds of squares, corrected by the board's colours where a square may be covered.

    What has hue and light of bare squares speaks against anything that covers a square, and
    against a tile where one surely lies on the board. What light has burnt out has lost both.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        kind: (n, n, 4) log probabilities.
        wanted: (n, n) squares that may be asked about.

    Returns:
        As `kind`.
    """
    p = np.exp(kind)
    bare, tiles = p[..., EMPTY_KIND] > SURE.known, p[..., TILE_KIND] > SURE.known
    # Squares outside the picture are covered for certain.
    asked = wanted & ~bare & ~tiles & (kind[..., COVERED_KIND] < 0)
    asked &= p[..., COVERED_KIND] > SURE.maybe
    if not asked.any():
        return kind
    lost = burnt_part(straight, square_px) > 0  # its hue and light are the lamp's
    asked, bare = asked & ~lost, bare & ~lost
    if bare.sum() < SURE.few:
        return kind
    hue, light = _hues(straight, square_px)
    plain = bare & _most_alike(hue, kind.argmax(-1) == EMPTY_KIND, RULES.one_hue)
    if plain.sum() < SURE.few:
        return kind
    share = partial(_as_bare, hue, light)
    shown = np.zeros(bare.shape)
    shown[asked] = share(plain, asked)
    for this, alike in _with_images(asked & (shown < 1)):
        shown[this] = np.maximum(shown[this], share(alike & bare, this))
    shown[shown < RULES.shows] = 0
    out = kind.copy()
    out[..., COVERED_KIND] -= COLOURS.most_tile * shown
    if tiles.any():  # of a blurred board nothing is sure
        out[..., TILE_KIND] -= COLOURS.most * shown
    out[asked] = log_softmax(out[asked])
    return out


def _as_bare(
    hue: NDArray[np.intp],
    light: NDArray[np.float32],
    like: NDArray[np.bool_],
    asked: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """(K,) share of each asked square that looks like bare ones."""
    if like.sum() < 2:
        return np.zeros(int(asked.sum()))
    lights = light[like].ravel()
    few = int(RULES.common * len(lights))
    darkest, brightest = np.partition(lights, (few, -1 - few))[[few, -1 - few]]
    palette = cv2.dilate(_often(hue, like), np.ones((3, 3), np.uint8)).ravel() > 0
    lit = (light[asked] >= darkest) & (light[asked] <= brightest)
    return np.asarray((palette[hue[asked]] & lit).mean(-1))


def _often(hue: NDArray[np.intp], like: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """(BINS, BINS) hues that are common on some squares."""
    count = np.bincount(hue[like].ravel(), minlength=BINS * BINS).reshape(BINS, BINS)
    return np.asarray(count > RULES.common * count.sum(), np.uint8)


def settle_hidden(
    straight: Picture,
    square_px: int,
    kind: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Kinds of squares, with sufficiently visible empty ones settled.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        kind: (n, n, 4) log probabilities.

    Returns:
        As `kind`.
    """
    p = np.exp(kind)
    best = p.argmax(-1)
    covered = best == COVERED_KIND
    if not covered.any():
        return kind
    # Squares outside the picture are covered for certain.
    asked = covered & (kind[..., COVERED_KIND] < 0)
    bare, tiles = p[..., EMPTY_KIND] > SURE.known, (p[..., TILE_KIND] > 0.5) & ~asked
    if not asked.any() or bare.sum() < SURE.few or not tiles.any():
        return kind
    hue, light = _hues(straight, square_px)
    deep = cv2.erode(covered.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    hand = covered if deep.sum() < 3 else deep
    seen = _Hues(hue, light, tiles, hand)
    shows = asked & seen.shows(bare & _most_alike(hue, bare, RULES.one_hue), asked)
    for this, alike in _with_images(asked & ~shows):
        shows |= seen.shows(alike & bare, this)
    out = kind.copy()
    shown = out[shows]
    shown[:, EMPTY_KIND] = shown.max(-1) + COLOURS.most
    out[shows] = shown - np.log(np.exp(shown).sum(-1, keepdims=True))
    return out


def settle_lone(kind: NDArray[np.float32]) -> NDArray[np.float32]:
    """Kinds of squares, with those less likely covered beside which nothing surely is.

    Hands and what they hold reach over several squares. On drawn boards nine in ten of the squares
    that looked covered by themselves were not.

    Args:
        kind: (n, n, 4) log probabilities.
    """
    sure = (kind[..., COVERED_KIND] > np.log(SURE.known)).astype(np.uint8)
    beside = cv2.filter2D(sure, -1, AROUND, borderType=cv2.BORDER_CONSTANT) > 0
    # Squares outside the picture are covered for certain.
    alone = (kind.argmax(-1) == COVERED_KIND) & (kind[..., COVERED_KIND] < 0) & ~beside
    if not alone.any():
        return kind
    out = kind.copy()
    out[alone, COVERED_KIND] -= COLOURS.most
    out[alone] = log_softmax(out[alone])
    return out


def _with_images(
    squares: NDArray[np.bool_],
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield each square with its mirror images, (n, n) bool both; only on 15 squares a side."""
    if len(squares) != SIDE:
        return
    images, new = mirror_images(SIDE)
    for k in np.flatnonzero(squares):
        this, alike = np.zeros_like(squares), np.zeros_like(squares)
        this.flat[k] = True
        alike.flat[images[k][new[k]]] = True
        yield this, alike


def _hues(straight: Picture, px: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """(n, n, pixels) colour bin and brightness of each pixel."""
    soft = cv2.blur(straight, (3, 3))[px:-px, px:-px].astype(np.float32)
    n = soft.shape[0] // px
    squares = soft.reshape(n, px, n, px, 3).swapaxes(1, 2)[:, :, CUT:-CUT:2, CUT:-CUT:2]
    pixels = squares.reshape(n, n, -1, 3)
    light = pixels.sum(-1) + 1.0
    part = (pixels[..., :2] * BINS / light[..., None]).astype(np.intp)
    return part[..., 0] * BINS + part[..., 1], light


def _most_alike(hue: NDArray[np.intp], bare: NDArray[np.bool_], one_hue: int) -> NDArray[np.bool_]:
    """Bare squares of the commonest colour, which are no premium squares."""
    middle = np.stack([np.median(hue // BINS, -1), np.median(hue % BINS, -1)], -1)
    usual = np.median(middle[bare], axis=0)
    return np.asarray(np.abs(middle - usual).max(-1) <= one_hue // 2 + 1)


@dataclass(frozen=True, slots=True, eq=False)
class _Hues:
    """Hue and brightness of every pixel of tiles and hands."""

    hue: NDArray[np.intp]
    light: NDArray[np.float32]
    tiles: NDArray[np.bool_]
    hand: NDArray[np.bool_]

    def shows(self, like: NDArray[np.bool_], asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(n, n) bool: asked squares of which enough looks like bare ones.

        Of none, if tiles and hand cannot be told from these.
        """
        out = np.zeros_like(like)
        if like.sum() < 2:
            return out
        usual = float(np.median(self.light[like]))
        often = _often(self.hue, like)
        for width in range(RULES.one_hue, 1, -2):
            palette = cv2.dilate(often, np.ones((width, width), np.uint8)).ravel() > 0
            share = self._share(palette, usual, asked)
            if not (share > RULES.shows).any():
                break  # fewer hues show less
            tiles, hand = (self._share(palette, usual, x) for x in (self.tiles, self.hand))
            others = (_quantile(x, RULES.most_others) for x in (tiles, hand))
            if max(others) < RULES.shows / 2:
                out[asked] = share > RULES.shows
                break
        return out

    def _share(
        self, palette: NDArray[np.bool_], usual: float, squares: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """(K,) share of each square with hues of a palette, in light or shade."""
        light = self.light[squares]
        lit = light < RULES.brightest * usual
        return np.asarray((palette[self.hue[squares]] & lit).mean(-1))


def _quantile(values: NDArray[np.float64], part: float) -> float:
    """Quantile of a few values; `numpy.quantile` takes ten times as long."""
    return float(np.interp(part * (len(values) - 1), np.arange(len(values)), np.sort(values)))
