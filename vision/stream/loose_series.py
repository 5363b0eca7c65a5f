"""Loose tiles before a fixed camera: all looks at a tile that nobody touched are combined.

A back with a print may look like a letter in one picture and like none in the next, and a pale
tile may be missed in it. Where the picture has not changed nobody has touched a tile, so all looks
at it since then count alike: for its letter, for whether it lies face up, for its being a tile. So
it is with a tile that an arm hid meanwhile, if it looks again as it did.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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

Light = NDArray[np.float32]
"""(3,) how bright most of a picture is in each colour."""
SPARSE: Final = 16
"""Every so many pixels tell how bright a picture is."""
PARTS: Final = 4
"""Looks are compared in squares of which so many make a side of the tile: a stroke fills one."""
MOST_HIDDEN: Final = 100
"""So many tiles are remembered that look otherwise now, as many as a set has."""


def remembering(now: PhotoReading, picture: Pyramid, before: PhotoReading | None) -> PhotoReading:
    """The reading combined with earlier looks at unchanged tiles.

    Args:
        now: what was read of a picture.
        picture: that picture.
        before: what was known of the one before it, from the same camera.
    """
    pixels = picture.level(0)
    light = _light(pixels)
    seen = replace(now, loose=tuple(_with_look(tile, pixels, light) for tile in now.loose))
    if before is None or not _goes_on(now, before):
        return seen
    known = (*before.loose, *before.hidden)
    differ = [_difference(pixels, light, tile) for tile in known]
    usual = float(np.median(differ[: len(before.loose)] or [0.0]))
    most = np.clip(CHANGES.usual * usual, CHANGES.coarse_mean, CHANGES.pixel)
    here = [t for t, other in zip(known, differ, strict=True) if other <= most]
    hidden = [t for t, other in zip(known, differ, strict=True) if other > most]
    tiles = list(seen.loose)
    partners = _partners(tiles, here)
    lay = {id(tile) for tile in before.loose}
    for index, tile in enumerate(here):
        partner = partners.get(index)
        if partner is not None:
            tiles[partner] = _together(tile, tiles[partner])
        elif id(tile) not in lay:
            hidden.append(tile)
        elif not any(_overlap(tile, other) for other in seen.loose):
            looks, said = tile.looks + 1, tile.confidence * tile.looks
            faded = replace(tile, confidence=said / looks, looks=looks)
            if faded.confidence > FOUND.sure / 2:  # it was seen in most of its looks
                tiles.append(faded)
    return with_words(replace(seen, loose=tuple(tiles), hidden=tuple(hidden[:MOST_HIDDEN])))


def _goes_on(now: PhotoReading, before: PhotoReading) -> bool:
    """True if two pictures come from one camera and are read alike."""
    return (now.width, now.height, now.mirrored, now.small) == (
        before.width,
        before.height,
        before.mirrored,
        before.small,
    )


def _partners(now: Sequence[LooseTile], before: Sequence[LooseTile]) -> dict[int, int]:
    """For each earlier tile, by index, the tile at its place now; the most looked at first."""
    out: dict[int, int] = {}
    for index in sorted(range(len(before)), key=lambda i: -before[i].looks):
        tile = before[index]
        free = [i for i, t in enumerate(now) if _overlap(tile, t) and i not in out.values()]
        if free:
            out[index] = min(free, key=lambda i: _off(tile, now[i]))
    return out


def _off(one: LooseTile, other: LooseTile) -> float:
    """Distance of two tiles' centres in pixels."""
    return float(np.hypot(*np.subtract(one.centre_px, other.centre_px)))


def _overlap(one: LooseTile, other: LooseTile) -> bool:
    """True if two tiles would lie in one another: they are one."""
    return _off(one, other) < FOUND.apart * max(one.size_px, other.size_px)


def _light(picture: Picture) -> Light:
    """Brightness of most of a picture in each colour, above 0."""
    return np.asarray(np.median(picture[::SPARSE, ::SPARSE], (0, 1)) + 1.0, np.float32)


def _with_look(tile: LooseTile, picture: Picture, light: Light) -> LooseTile:
    """A tile with how it looks, light that is everywhere taken out."""
    return replace(tile, look=_patch(picture, tile) / light)


def _difference(picture: Picture, light: Light, tile: LooseTile) -> float:
    """By how much a part of a tile looks otherwise, apart from light that changed everywhere.

    A stroke of a letter changes little of a tile, and noise in the parts evens out.
    """
    now = _patch(picture, tile) / light
    if not now.size or now.shape != tile.look.shape:
        return math.inf
    part = max(1, now.shape[0] // PARTS)
    return float(np.abs(cv2.blur(light * (now - tile.look), (part, part))).max())


def _patch(picture: Picture, tile: LooseTile) -> NDArray[np.float32]:
    """Picture of a tile, slightly blurred."""
    half = max(2, round(tile.size_px / 2))
    x, y = (round(v) for v in tile.centre_px)
    part = picture[max(0, y - half) : y + half, max(0, x - half) : x + half]
    if not part.size:
        return np.zeros((0, 0, 3), np.float32)
    return np.asarray(cv2.blur(np.ascontiguousarray(part), (3, 3)), np.float32)


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
        size_px=now.size_px,
        look=now.look,
        confidence=float(is_one * share[named.shown]),
        letter_log_prob=np.log(np.maximum(share / share.sum(), 1e-9)).astype(np.float32),
        looks=looks,
    )
