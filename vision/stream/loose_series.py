"""Loose tiles before a fixed camera: one that looks as it did is what it was taken for.

A back with a print may look like a letter in one picture and like none in the next. Where the
picture has not changed nobody has turned a tile, so its readings are put together: letters are
averaged, and a face that turned into a back, or a tile that is no longer seen, stays what it was
until later pictures are surer of it than it still is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Picture, Pyramid
from kibitz.engine.parameters import checked, number
from kibitz.vision.loose.tiles import is_sure
from kibitz.vision.loose.words import join_pieces, line_up
from kibitz.vision.readings import LooseTile, PhotoReading
from kibitz.vision.stream.fusing import FUSING
from kibitz.vision.stream.series import CHANGES

SPARSE: Final = 16
"""Every so many pixels tell how bright a picture is."""


@dataclass(frozen=True, slots=True)
class LooseSeriesRule:
    """When a loose tile is the one of the picture before, and what its readings say together."""

    kept: float = number(
        0.7, "share", 0.0, 1.0, "what was read before counts so much beside the new reading"
    )

    def __post_init__(self) -> None:
        checked(self)


LOOSE_SERIES: Final = LooseSeriesRule()


def remembering(
    now: PhotoReading,
    picture: Pyramid,
    before: PhotoReading,
    earlier: Pyramid,
    rule: LooseSeriesRule = LOOSE_SERIES,
) -> PhotoReading:
    """A reading of loose tiles with what was known of those that have not changed.

    Args:
        now: what was read of a picture.
        picture: that picture.
        before: what was known of the one before it, from the same camera.
        earlier: that one.
        rule: which tiles are the same.
    """
    if not before.loose or picture.shape != earlier.shape:
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
            tiles[partner] = _together(tile, tiles[partner], rule)
        else:
            faded = replace(tile, confidence=tile.confidence * rule.kept)
            if is_sure(faded):
                tiles.append(faded)
    return replace(now, loose=tuple(tiles), words=join_pieces(tiles, line_up(tiles)))


def _partners(now: tuple[LooseTile, ...], before: tuple[LooseTile, ...]) -> dict[int, int]:
    """For each tile before, by its number, the one that lies at its place now."""
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
    """How bright most of a picture is, above 0."""
    return float(np.median(picture[::SPARSE, ::SPARSE])) + 1.0


def _unchanged(new: Picture, old: Picture, light: float, tile: LooseTile) -> bool:
    """Whether a tile looks as it did, apart from light that is brighter or darker everywhere."""
    a, b = (_patch(picture, tile) for picture in (new, old))
    return bool(a.size) and float(np.abs(a - light * b).mean()) <= CHANGES.coarse_mean


def _patch(picture: Picture, tile: LooseTile) -> NDArray[np.float32]:
    """What a tile looks like, grey and a little blurred."""
    half = max(2, round(tile.size_px / 2))
    x, y = (round(v) for v in tile.centre_px)
    part = picture[max(0, y - half) : y + half, max(0, x - half) : x + half]
    if not part.size:
        return np.zeros((0, 0), np.float32)
    grey = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.blur(grey, (3, 3)), np.float32)


def _together(before: LooseTile, now: LooseTile, rule: LooseSeriesRule) -> LooseTile:
    """What two pictures of one tile say."""
    if before.face_up != now.face_up:
        left = before.confidence * rule.kept
        if now.confidence > left:
            return now
        return replace(before, centre_px=now.centre_px, confidence=left)
    if before.letter_log_prob.shape != now.letter_log_prob.shape or not before.face_up:
        return now if now.confidence > before.confidence else before
    share = rule.kept * np.exp(before.letter_log_prob) + np.exp(now.letter_log_prob)
    logs = np.log(np.maximum(share / share.sum(), 1e-9)).astype(np.float32)
    mine, its = (int(t.letter_log_prob[:-1].argmax()) for t in (before, now))
    named = now if share[its] >= share[mine] else before
    sure = (rule.kept * before.confidence + now.confidence) / (rule.kept + 1)
    return replace(named, centre_px=now.centre_px, confidence=sure, letter_log_prob=logs)
