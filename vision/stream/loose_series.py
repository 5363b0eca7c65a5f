"""Loose tiles before a fixed camera: looks at an unchanged tile are combined.

A back with a print may look like a letter in one picture and like none in the next, and a pale
tile may be missed in it. Where the picture has not changed nobody has touched a tile, so all looks
at it since then count alike: for its letter, for whether it lies face up, for its being a tile.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Picture, Pyramid
from kibitz.vision.loose.finder import RULES as FOUND
from kibitz.vision.loose.words import with_words
from kibitz.vision.readings import LooseTile, PhotoReading
from kibitz.vision.stream.changed import CHANGES
from kibitz.vision.stream.fusing import FUSING

SPARSE: Final = 16
"""Every so many pixels tell how bright a picture is."""


def remembering(
    now: PhotoReading,
    picture: Pyramid,
    before: PhotoReading,
    earlier: Pyramid,
) -> PhotoReading:
    """The reading combined with earlier looks at unchanged tiles.

    Args:
        now: what was read of a picture.
        picture: that picture.
        before: what was known of the one before it, from the same camera.
        earlier: that one.
    """
    as_before = (now.mirrored, now.small) == (before.mirrored, before.small)
    if not before.loose or picture.shape != earlier.shape or not as_before:
        return now
    new, old = picture.level(0), earlier.level(0)
    light = _light(new) / _light(old)
    tiles = list(now.loose)
    partners = _partners(now.loose, before.loose)
    for index, tile in enumerate(before.loose):
        if not _unchanged(new, old, light, tile):
            continue
        partner = partners.get(index)
        if partner is not None:
            tiles[partner] = _together(tile, tiles[partner])
        else:
            looks, seen = tile.looks + 1, tile.confidence * tile.looks
            faded = replace(tile, confidence=seen / looks, looks=looks)
            if faded.confidence > FOUND.sure / 2:  # it was seen in most of its looks
                tiles.append(faded)
    return with_words(replace(now, loose=tuple(tiles)))


def _partners(now: tuple[LooseTile, ...], before: tuple[LooseTile, ...]) -> dict[int, int]:
    """For each earlier tile, by index, the tile at its place now."""
    if not now:
        return {}
    at = np.array([t.centre_px for t in now])
    out = {}
    for index, tile in enumerate(before):
        off = np.hypot(*(at - tile.centre_px).T)
        nearest = int(off.argmin())
        if off[nearest] <= FUSING.same_place_squares * tile.size_px:
            out[index] = nearest
    return out


def _light(picture: Picture) -> float:
    """Brightness of most of a picture, above 0."""
    return float(np.median(picture[::SPARSE, ::SPARSE])) + 1.0


def _unchanged(new: Picture, old: Picture, light: float, tile: LooseTile) -> bool:
    """True if a tile looks the same, apart from light that changed everywhere."""
    a, b = (_patch(picture, tile) for picture in (new, old))
    return bool(a.size) and float(np.abs(a - light * b).mean()) <= CHANGES.coarse_mean


def _patch(picture: Picture, tile: LooseTile) -> NDArray[np.float32]:
    """Picture of a tile, grey and slightly blurred."""
    half = max(2, round(tile.size_px / 2))
    x, y = (round(v) for v in tile.centre_px)
    part = picture[max(0, y - half) : y + half, max(0, x - half) : x + half]
    if not part.size:
        return np.zeros((0, 0), np.float32)
    grey = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.blur(grey, (3, 3)), np.float32)


def _together(before: LooseTile, now: LooseTile) -> LooseTile:
    """A tile with one more look combined."""
    looks = before.looks + 1
    if before.letter_log_prob.shape != now.letter_log_prob.shape or not now.letter_log_prob.size:
        return now if now.confidence > before.confidence else before
    old, new = np.exp(before.letter_log_prob), np.exp(now.letter_log_prob)
    share = (before.looks * old + new) / looks
    is_one = (before.looks * before.is_one + now.is_one) / looks
    named = now if share[now.shown] >= share[before.shown] else before
    return replace(
        named,
        centre_px=now.centre_px,
        confidence=float(is_one * share[named.shown]),
        letter_log_prob=np.log(np.maximum(share / share.sum(), 1e-9)).astype(np.float32),
        looks=looks,
    )
