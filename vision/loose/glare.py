"""Reads loose tiles in glare: enhances faint letters, marks hidden ones as unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.quality import VIEW
from kibitz.engine.parameters import checked, number
from kibitz.vision.loose.words import join_pieces, line_up
from kibitz.vision.readings import BLANK, LooseTile

EDGE_PX: Final = 15
"""Where a tile's middle begins in what is cut out for it."""
_PLACES: Final = np.array([(0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]) / 5
"""A tile's middle and four places around it, where it is looked for glare, in sides."""


@dataclass(frozen=True, slots=True)
class GlareRules:
    """When a lamp's glare lies on a tile, and when it hides the letter."""

    burnt: int = number(245, "grey levels", 1, 255, "a channel as bright says nothing any more")
    plain: float = number(80.0, "grey levels", 0.0, 255.0, "more needs no second look")

    def __post_init__(self) -> None:
        checked(self)


RULES = GlareRules()


def in_glare(picture: NDArray[np.uint8], where: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(N,) bool: tiles of a picture (h, w, 3) in glare."""
    h, w = picture.shape[:2]
    at = (where[:, None, :2] + _PLACES * where[:, None, 2:3]).astype(np.intp)
    pixels = picture[np.clip(at[..., 1], 0, h - 1), np.clip(at[..., 0], 0, w - 1)]
    return np.asarray((pixels.max(-1) >= RULES.burnt).mean(-1) > 0.5)


def is_faint(contrast: NDArray[np.float64]) -> NDArray[np.bool_]:
    """True for contrasts of letter and tile that make a second look worthwhile."""
    return np.asarray((contrast > VIEW.noise) & (contrast < RULES.plain))


def hides(cuts: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(N,) bool: tiles, (N, h, w, 3), so burnt out that a letter may be lost."""
    inner = cuts[:, EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX].min(-1)
    return np.asarray((inner >= RULES.burnt).mean((1, 2)) > 0.5)


def stretched(cuts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Tiles, (N, h, w, 3), in their most telling channel at full range."""
    inner = cuts[:, EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX].reshape(len(cuts), -1, 3)
    low, high = np.percentile(inner, VIEW.ends, axis=1)
    each, best = np.arange(len(cuts)), (high - low).argmax(-1)
    low, high = low[each, best], high[each, best]
    one = np.moveaxis(cuts, -1, 1)[each, best].astype(np.float64)
    contrast = np.maximum(high - low, VIEW.noise)[:, None, None]
    grey = (one - low[:, None, None]) / contrast * 200 + 20
    return np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[..., None], 3, -1)


def show_hidden(
    tiles: Sequence[LooseTile], hidden: NDArray[np.bool_], letters: int
) -> tuple[LooseTile, ...]:
    """The tiles, with hidden ones counted as face up if they continue a word.

    Args:
        tiles: every loose tile.
        hidden: (N,) which of them glare hides.
        letters: how many letters and blanks there are, each as likely as the others.
    """
    out = list(tiles)
    asked = [i for i, tile in enumerate(tiles) if tile.face_up or hidden[i]]
    some = [tiles[i] for i in asked]
    for word in join_pieces(some, line_up(some), blanks=True):
        for i in (asked[k] for k in word.tiles):
            if not tiles[i].face_up:
                out[i] = _unread(tiles[i], word.facing_deg, letters)
    return tuple(out)


def _unread(tile: LooseTile, facing_deg: float, letters: int) -> LooseTile:
    """An unreadable face-up tile, turned like its word to the nearest quarter."""
    quarters = round((facing_deg - tile.angle_deg) / 90)
    return replace(
        tile,
        letter=BLANK,
        face_up=True,
        angle_deg=(tile.angle_deg + 90 * quarters) % 360,
        confidence=tile.confidence / letters,
        letter_log_prob=np.full(letters, -np.log(letters), np.float32),
    )
