"""Readings of loose tiles on a bare table, given as letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace as changed
from typing import Any

import numpy as np

from kibitz.vision.readings import LooseTile, LooseWord, PhotoReading

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def photo(
    pool: str,
    face_down: int,
    south: Sequence[str] = (),
    north: Sequence[str] = (),
    hidden: str = "",
) -> PhotoReading:
    """A table with pool tiles apart from each other, and words in front of two players."""
    tiles: list[LooseTile] = []
    words = []
    for i, letter in enumerate(pool):
        if letter not in hidden:
            tiles.append(tile(letter, (300 + 70.0 * i, 400 + 31.0 * (i % 3)), 20.0 * i))
    for seat, held in ((0.0, south), (180.0, north)):
        for row, word in enumerate(held):
            first = len(tiles)
            for k, letter in enumerate(word):
                x, y = 300 + 40.0 * k, 700 + 50.0 * row
                if seat:
                    x, y = 1000 - x, 800 - y
                tiles.append(tile(letter, (x, y), seat))
            words.append(LooseWord(word, tuple(range(first, len(tiles))), seat))
    for i in range(face_down):
        tiles.append(tile("?", (50 + 40.0 * i, 40.0), 0.0, up=False))
    return PhotoReading(1000, 800, (), tuple(tiles), tuple(words))


def tile(letter: str, centre: tuple[float, float], angle: float, *, up: bool = True) -> LooseTile:
    values = np.full(27, 0.015 / 26)
    values[(*LETTERS, "?").index(letter)] = 0.985
    return LooseTile(letter, up, centre, angle, 38.0, 0.98, np.log(values).astype(np.float32))


def doubtful(reading: PhotoReading, number: int, chances: Mapping[str, float]) -> PhotoReading:
    """The table with one tile that reads with these probabilities."""
    values = np.full(27, 1e-4)
    for letter, chance in chances.items():
        values[(*LETTERS, "?").index(letter)] = chance
    logs = np.log(values / values.sum()).astype(np.float32)
    return unsure(reading, number, letter_log_prob=logs)


def unsure(reading: PhotoReading, number: int, **what: Any) -> PhotoReading:
    """The table with some fields of one tile changed."""
    tiles = list(reading.loose)
    tiles[number] = changed(tiles[number], **what)
    return changed(reading, loose=tuple(tiles))
