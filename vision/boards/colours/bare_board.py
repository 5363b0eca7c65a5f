"""Tells doubtful squares that are bare: they look as the bare board does elsewhere.

A hand hides the board, and a tile fills its square. A square that looks like other bare squares,
or in part, is rather bare than covered by something; one that is as light as they are too is
rather bare than a tile. Networks take a blotched board without lines for something that lies on
it, and a hand's edge for the hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.engine.table import SIDE
from kibitz.vision.boards.colours.blanks import RULES as COLOURS
from kibitz.vision.boards.square_logs import log_softmax
from kibitz.vision.boards.squares import mirror_images
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, SURE, TILE_KIND

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
BINS: Final = 96
"""Into so many steps a colour's share of blue and of green is parted."""
CUT: Final = 4
"""Pixels of a square's rim that are left out: lines, neighbours' sides."""


@dataclass(frozen=True, slots=True)
class BareRules:
    """What looks as the bare board does."""

    common: float = number(
        0.004, "share", 0.0, 0.5, "a hue, or a light, is the board's that so many of its pixels have"
    )
    one_hue: int = number(
        3, "steps", 1, 31, "so many of `BINS` steps are one hue: what differs by more is another"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = BareRules()


def settle_bare(
    straight: Picture, square_px: int, kind: NDArray[np.float32], rules: BareRules = RULES
) -> NDArray[np.float32]:
    """Kinds with the look of the bare board taken into account where they are in doubt.

    As much of a square as has the board's hues, in light or in a shadow, speaks against something
    that covers it. As much as is also as light as the board speaks against a tile of which the
    looks are not sure.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        kind: (n, n, 4) log probabilities.
        rules: what looks as the board does.

    Returns:
        As `kind`.
    """
    p = np.exp(kind)
    bare = p[..., EMPTY_KIND] > SURE.known
    # Squares outside the picture are covered for certain.
    asked = ~bare & (kind[..., COVERED_KIND] < 0) & (p[..., TILE_KIND] < SURE.known)
    if not asked.any():
        return kind
    hue, light = _hues(straight, square_px)
    plain = bare & _commonest(hue, kind.argmax(-1) == EMPTY_KIND, rules.one_hue)
    if plain.sum() < SURE.few:
        return kind
    seen = _Looks(hue, _evened(light, plain), rules)
    shown = np.zeros((*bare.shape, 2))
    shown[asked] = seen.shown(plain, asked)
    if len(kind) == SIDE:
        images, new = mirror_images(SIDE)
        for k in np.flatnonzero(asked & (shown < 1).any(-1)):
            this, alike = np.zeros_like(asked), np.zeros_like(asked)
            this.flat[k] = True
            alike.flat[images[k][new[k]]] = True
            shown[this] = np.maximum(shown[this], seen.shown(alike & bare, this))
    out = kind.copy()
    out[..., COVERED_KIND] -= COLOURS.most_tile * shown[..., 0]
    out[..., TILE_KIND] -= COLOURS.most * shown[..., 1]
    out[asked] = log_softmax(out[asked])
    return out


def _hues(straight: Picture, px: int) -> tuple[NDArray[np.intp], Floats]:
    """(n, n, pixels) which bin a pixel's colour falls in and how bright it is."""
    soft = cv2.blur(straight, (3, 3))[px:-px, px:-px].astype(np.float32)
    n = soft.shape[0] // px
    squares = soft.reshape(n, px, n, px, 3).swapaxes(1, 2)[:, :, CUT:-CUT:2, CUT:-CUT:2]
    pixels = squares.reshape(n, n, -1, 3)
    light = pixels.sum(-1) + 1.0
    part = (pixels[..., :2] * BINS / light[..., None]).astype(np.intp)
    return part[..., 0] * BINS + part[..., 1], light


def _commonest(
    hue: NDArray[np.intp], maybe: NDArray[np.bool_], one_hue: int
) -> NDArray[np.bool_]:
    """Squares of the commonest colour of those that are rather bare than not: no premium ones."""
    middle = np.stack([np.median(hue // BINS, -1), np.median(hue % BINS, -1)], -1)
    usual = np.median(middle[maybe], axis=0)
    return np.asarray(np.abs(middle - usual).max(-1) <= one_hue // 2 + 1)


def _evened(light: Floats, plain: NDArray[np.bool_]) -> Floats:
    """How bright pixels are as a part of what plain squares are there: a lamp stands aside."""
    row, col = np.indices(plain.shape)
    place = np.stack([row, col, np.ones_like(row)], -1).astype(np.float64)
    middle = np.log(np.median(light[plain], -1))
    slope, *_ = np.linalg.lstsq(place[plain], middle, rcond=None)
    return np.asarray(light / np.exp(place @ slope)[..., None])


@dataclass(frozen=True, slots=True, eq=False)
class _Looks:
    """Every pixel's hue and light, and what looks as the board does."""

    hue: NDArray[np.intp]
    light: Floats
    rules: BareRules

    def shown(self, like: NDArray[np.bool_], asked: NDArray[np.bool_]) -> Floats:
        """(K, 2) how much of the squares asked for looks as some bare ones do, (n, n).

        In light or shade, and then as light as those.
        """
        if like.sum() < 2:
            return np.zeros((int(asked.sum()), 2))
        rules, light = self.rules, self.light[asked]
        lights = self.light[like].ravel()
        few = int(rules.common * len(lights))
        darkest, brightest = np.partition(lights, (few, -1 - few))[[few, -1 - few]]
        count = np.bincount(self.hue[like].ravel(), minlength=BINS * BINS).reshape(BINS, BINS)
        often = (count > rules.common * count.sum()).astype(np.uint8)
        palette = cv2.dilate(often, np.ones((rules.one_hue,) * 2, np.uint8)).ravel() > 0
        shows = palette[self.hue[asked]] & (light <= brightest)
        return np.stack([shows.mean(-1), (shows & (light >= darkest)).mean(-1)], -1)
