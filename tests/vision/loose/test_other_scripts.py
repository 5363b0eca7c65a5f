"""Loose tiles of other scripts are read by their own sets, and noticed where Latin was told."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.reading.frames import FrameReader
from kibitz.engine.tiles.sets import script_of
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.scene import SpriteCabinet, paste
from kibitz.models.training.drawing.typefaces import fonts_with
from kibitz.vision.boards.letters.scripts import Scripts
from kibitz.vision.loose.tiles import worst_read
from kibitz.vision.pipeline import OtherScript, Reader
from kibitz.vision.readings import LooseTile, PhotoReading
from kibitz.vision.request import ReadRequest

PX = 64
ROW = 8


@pytest.fixture(scope="module")
def reader():
    """The published networks."""
    return Reader()


def table(tiles: str, seed: int, *, lower: bool = False) -> tuple[np.ndarray, list[str]]:
    """A plain table with every letter of a set, each turned otherwise, row by row."""
    rng = np.random.default_rng(seed)
    letters = list(load_tile_set(tiles).letters)
    style = replace(glyphs.random_tile_style(rng), family=str(fonts_with(letters[1])[0]))
    style = replace(style, lower=lower)
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


@pytest.mark.parametrize(("tiles", "seed"), [("el", 3), ("he", 2), ("ru", 1)])
def test_scripts_that_read_well_as_latin_are_noticed(reader, tiles, seed):
    """Letters that look like Latin ones say nothing; the few that read worst are asked."""
    picture, letters = table(tiles, seed)
    with pytest.raises(OtherScript) as caught:
        reader.read(picture, request("en"))

    assert script_of(letters) == caught.value.script


def test_how_many_tiles_are_asked_first(reader, monkeypatch):
    """Four: the others are looked at only where these are likelier of another script."""
    asked = []
    monkeypatch.setattr(Scripts, "other", lambda _, cuts, letters: asked.append(cuts) or ())
    reader.squares.check_loose([*range(30)], len, request("en"))

    assert [4] == asked


def test_letters_in_no_doubt_are_not_asked():
    """Nor is what lies face down."""
    plain, doubtful, back = (
        LooseTile("A", up, (0.0, 0.0), 0.0, 50.0, 1.0, np.log(np.array(p, np.float32)))
        for up, p in ((True, (0.97, 0.03)), (True, (0.75, 0.25)), (False, (0.5, 0.5)))
    )

    assert [] == worst_read([plain, back])
    assert [doubtful, plain] == worst_read([plain, back, doubtful])


def test_small_letters_are_read(reader):
    """A whole table in lower case, each tile turned otherwise; most of them."""
    picture, letters = table("en", 6, lower=True)

    assert right(reader.read(picture, request("en")), letters) >= 22


def test_a_table_stays_in_lower_case_from_picture_to_picture(reader):
    """A single tile tells too little: what all of them told before counts."""
    picture, letters = table("en", 6, lower=True)
    alone = picture.copy()
    alone[:, 160:] = picture[0, 0]
    alone[160:] = picture[0, 0]
    frames = FrameReader(load=lambda: reader)
    before = frames.read(picture, request("en"))
    after = frames.read(alone, request("en"), before)
    first = frames.read(alone, request("en"))

    assert [True, True, False] == [x.reading.small for x in (before, after, first)]
    assert letters[:1] == [t.letter for t in after.reading.loose]
    assert {1} == {t.looks for t in frames.read(picture, request("en"), first).reading.loose}
