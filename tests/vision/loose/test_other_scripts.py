"""Loose tiles of other scripts are read by their own sets, and noticed where Latin was told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.scene import SpriteCabinet, paste
from kibitz.models.training.drawing.typefaces import fonts_with
from kibitz.vision.pipeline import OtherScript, Reader
from kibitz.vision.readings import PhotoReading
from kibitz.vision.request import ReadRequest

PX = 64
ROW = 8


@pytest.fixture(scope="module")
def reader():
    """The published networks."""
    return Reader()


def table(tiles: str, seed: int) -> tuple[np.ndarray, list[str]]:
    """A plain table with every letter of a set, each turned otherwise, row by row."""
    rng = np.random.default_rng(seed)
    letters = list(load_tile_set(tiles).letters)
    style = replace(glyphs.random_tile_style(rng), family=str(fonts_with(letters[1])[0]))
    cabinet = SpriteCabinet(rng, style)
    rows = -(-len(letters) // ROW)
    canvas = np.full(((rows + 1) * 110, (ROW + 1) * 110, 3), (0.25, 0.3, 0.22), np.float32)
    for k, letter in enumerate(letters):
        row, col = divmod(k, ROW)
        at = (110.0 * (col + 1), 110.0 * (row + 1))
        angle = float(rng.uniform(0, 360))
        paste(canvas, cabinet.get(letter), at, angle, PX, (1.0, 1.0), style.side, 1.0)
    return (canvas.clip(0, 1) * 255).astype(np.uint8), letters


def request(tiles: str, *, told: bool = True) -> ReadRequest:
    """What is asked of a table."""
    return ReadRequest("loose", load_tile_set(tiles).letters, told=told)


def right(reading: PhotoReading, letters: list[str]) -> int:
    """How many letters are among those read, each once."""
    return sum((Counter(t.letter for t in reading.loose) & Counter(letters)).values())


@pytest.mark.parametrize(("tiles", "seed", "least"), [("ru", 4, 28), ("el", 3, 21)])
def test_they_are_read_by_their_own_set(reader, tiles, seed, least):
    """Most of them, whichever way each of them lies."""
    picture, letters = table(tiles, seed)

    assert right(reader.read(picture, request(tiles)), letters) >= least


def test_another_script_is_noticed(reader):
    """Refused by name where a Latin set was told, read in it where none was."""
    picture, letters = table("ru", 4)
    with pytest.raises(OtherScript) as caught:
        reader.read(picture, request("en"))
    noticed = reader.read(picture, request("en", told=False))

    assert "CYRILLIC" == caught.value.script == noticed.noticed.script
    assert right(noticed, letters) >= 0.7 * len(letters)


def test_latin_tiles_are_not_accused(reader):
    """Read as ever."""
    picture, letters = table("en", 6)
    reading = reader.read(picture, request("en", told=False))

    assert (None, len(letters)) == (reading.noticed, right(reading, letters))
