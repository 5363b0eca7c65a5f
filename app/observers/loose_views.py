"""Turns a reading of loose tiles into a table: words before seats, the rest the pool."""

from __future__ import annotations

import numpy as np

from kibitz.engine.tracking.loose_table import SeenWord, TableView, UpTile, WideWord
from kibitz.vision.loose.words import join_pieces
from kibitz.vision.readings import BLANK, LooseTile, LooseWord, PhotoReading

_FAINT = 1e-4
_FACES = 40.0
"""How far (degrees) a word may be turned from the seat that it lies before."""


def table_view(
    reading: PhotoReading, labels: tuple[str, ...], seats: int, shortest: int
) -> TableView:
    """The table that a photograph shows.

    Args:
        reading: loose tiles and tiles lined up.
        labels: the letters in the order of the tiles' probabilities, `?` among them.
        seats: players round the table; the first sits at the bottom of the picture, the
            others clockwise from there.
        shortest: fewer tiles in a row are no word.
    """
    tiles = [_up_tile(tile, labels) for tile in reading.loose]
    plain = UpTile({BLANK: 1.0}, (0.0, 0.0))

    def seen(word: LooseWord) -> SeenWord | None:
        seat = seat_of(word.facing_deg, seats)
        if seat is None or len(word.tiles) < shortest:
            return None
        up = (tiles[i] if reading.loose[i].face_up else plain for i in word.tiles)
        return SeenWord(tuple(up), seat)

    rows = join_pieces(reading.loose, reading.words)
    words = [(set(row.tiles), word) for row in rows if (word := seen(row)) is not None]
    wide = []
    for row in join_pieces(reading.loose, rows, blanks=True):
        blanks = [i for i in row.tiles if not reading.loose[i].face_up]
        word = seen(row) if blanks else None
        if word is not None:
            parts = tuple(n for n, (inside, _) in enumerate(words) if inside <= set(row.tiles))
            wide.append(WideWord(word, parts, len(blanks)))
    in_words = {i for inside, _ in words for i in inside}
    loose = tuple(tiles[i] for i, t in enumerate(reading.loose) if t.face_up and i not in in_words)
    down = sum(not t.face_up for t in reading.loose)
    return TableView(loose, tuple(word for _, word in words), down, tuple(wide))


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
