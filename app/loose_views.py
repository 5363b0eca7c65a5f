"""Turns a reading of loose tiles into a table: words before seats, the rest the pool."""

from __future__ import annotations

import numpy as np

from app.loose_table import SeenWord, TableSight, UpTile
from vision.loose_words import join_pieces
from vision.readings import LooseTile, PhotoReading

_FAINT = 1e-4
_FACES = 40.0
"""How far (degrees) a word may be turned from the seat that it lies before."""


def table_sight(
    reading: PhotoReading, labels: tuple[str, ...], seats: int, shortest: int
) -> TableSight:
    """The table that a photograph shows.

    Args:
        reading: loose tiles and tiles lined up.
        labels: the letters in the order of the tiles' probabilities, `?` among them.
        seats: players round the table; the first sits at the bottom of the picture, the
            others clockwise from there.
        shortest: fewer tiles in a row are no word.
    """
    tiles = [_up_tile(tile, labels) for tile in reading.loose]
    words: list[SeenWord] = []
    in_words: set[int] = set()
    for word in join_pieces(reading.loose, reading.words):
        if len(word.tiles) < shortest:
            continue
        seat = seat_of(word.facing_deg, seats)
        if seat is None:
            continue
        words.append(SeenWord(tuple(tiles[i] for i in word.tiles), seat))
        in_words.update(word.tiles)
    loose = tuple(tiles[i] for i, t in enumerate(reading.loose) if t.face_up and i not in in_words)
    return TableSight(loose, tuple(words), sum(not t.face_up for t in reading.loose))


def seat_of(facing_deg: float, seats: int) -> int | None:
    """The seat that a word faces; None if it faces between two seats."""
    step = 360.0 / max(1, seats)
    nearest = round(facing_deg / step) % seats
    away = abs((facing_deg - nearest * step + 180) % 360 - 180)
    return nearest if away <= max(_FACES, step / 2) else None


def _up_tile(tile: LooseTile, labels: tuple[str, ...]) -> UpTile:
    letters = {tile.letter: max(tile.confidence, 0.5)}
    if tile.letter_log_prob.shape == (len(labels),):
        values = np.exp(tile.letter_log_prob.astype(np.float64))
        letters = {x: float(p) for x, p in zip(labels, values, strict=True) if p > _FAINT}
    return UpTile(letters, tile.centre_px, tile.size_px, tile.confidence)
