"""Pictures that show loose tiles as in a mirror are read as they are meant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.observers.loose import table_view
from kibitz.app.reading.frames import FrameReader
from kibitz.app.reading.results import reading_of
from kibitz.models.training.drawing import glyphs
from kibitz.models.training.drawing.scene import SpriteCabinet, paste
from kibitz.vision.loose import tiles as loose_tiles
from kibitz.vision.pipeline import Reader
from kibitz.vision.readings import LooseTile, LooseWord, PhotoReading, as_meant, swapped
from kibitz.vision.request import LATIN, ReadRequest

DEMO = Path(app.__file__).parent / "data" / "demo"
SAID = "The picture is mirrored: it is read as it is meant."
LOOSE = ReadRequest("loose", LATIN)
WORDS = ("JUNGLE", "FORK", "SPRING")
"""Laid in rows; what lies loose beside them is turned every way."""


@pytest.fixture(scope="module")
def reader():
    """The published networks."""
    return Reader()


def table(*words: str, loose: str = "") -> np.ndarray:
    """A plain table with words row by row, and tiles below them, each turned otherwise."""
    rng = np.random.default_rng(3)
    cabinet = SpriteCabinet(rng, replace(glyphs.random_tile_style(rng), family="arvo-400"))
    canvas = np.full((110 * (len(words) + 2), 1000, 3), (0.25, 0.3, 0.22), np.float32)
    laid = [
        (char, (120.0 + 66 * k, 110.0 * (row + 1)), 0.0)
        for row, word in enumerate(words)
        for k, char in enumerate(word)
    ]
    last = 110.0 * (len(words) + 1)
    laid += [
        (char, (90.0 + 100 * k, last), float(rng.uniform(0, 360))) for k, char in enumerate(loose)
    ]
    for char, at, angle in laid:
        paste(canvas, cabinet.get(char), at, angle, 64, (1.0, 1.0), cabinet.style.side, 1.0)
    return (canvas.clip(0, 1) * 255).astype(np.uint8)


def flipped(picture: np.ndarray) -> np.ndarray:
    """The same in a mirror."""
    return np.ascontiguousarray(picture[:, ::-1])


def words(reading: PhotoReading) -> list[str]:
    """The words, by the alphabet."""
    return sorted(word.text for word in reading.words)


def letters(reading: PhotoReading) -> str:
    """The letters that lie face up, by the alphabet."""
    return "".join(sorted(t.letter for t in reading.loose if t.face_up))


def test_a_mirrored_table_is_read_as_it_is_meant(reader):
    """Words and letters as they are meant, each tile where it lies in the picture."""
    picture = table(*WORDS, loose="RATSENLF")
    plain, mirrored = reader.read(picture, LOOSE), reader.read(flipped(picture), LOOSE)
    width = picture.shape[1]
    where = sorted((width - 1 - t.centre_px[0], t.centre_px[1]) for t in mirrored.loose)
    turns = sorted(-t.angle_deg % 360 for t in mirrored.loose)

    assert [False, True] == [plain.mirrored, mirrored.mirrored]
    assert sorted(WORDS) == words(plain) == words(mirrored)
    assert letters(plain) == letters(mirrored)
    assert np.abs(np.array(where) - sorted(t.centre_px for t in plain.loose)).max() < 3
    assert np.abs(np.array(turns) - sorted(t.angle_deg for t in plain.loose)).max() < 3


def test_the_words_name_their_tiles(reader):
    """In reading order, which runs to the left of a mirrored picture."""
    reading = reader.read(flipped(table(*WORDS, loose="RATSENLF")), LOOSE)

    for word in reading.words:
        tiles = [reading.loose[k] for k in word.tiles]
        assert word.text == "".join(t.letter for t in tiles)
        assert tiles[0].centre_px[0] > tiles[-1].centre_px[0]


def test_people_are_told(reader):
    """In the JSON and by the program's results; a plain picture says nothing."""
    picture = table(*WORDS, loose="RATSENLF")
    read = [reading_of("", reader.read(x, LOOSE)) for x in (picture, flipped(picture))]
    plain, mirrored = (x.to_json() for x in read)

    assert (True, [SAID]) == (mirrored["mirrored"], mirrored["advice"])
    assert {"mirrored", "advice"}.isdisjoint(plain)
    assert [False, True] == [x.mirrored for x in read]


@pytest.mark.parametrize("name", ["03.jpg", "06.jpg", "10.jpg"])
def test_bundled_tables_are_not_mirrored(reader, name):
    """Photographs of a game."""
    assert not reader.read(cv2.imread(str(DEMO / "grabscrab" / name)), LOOSE).mirrored


@pytest.mark.parametrize("loose", ["", "FRG", "HIOTAMUV", "BCDEKHO"])
def test_what_lies_right_is_not_told_mirrored(reader, loose):
    """An empty table, few tiles, letters that look alike in a mirror or upside down."""
    assert not reader.read(table(loose=loose), LOOSE).mirrored


def test_a_mirrored_camera_is_looked_at_in_a_mirror_at_once(reader, monkeypatch):
    """Once it is known each frame is read once; the first one twice."""
    looked = []
    usual = loose_tiles.read_loose
    monkeypatch.setattr(
        loose_tiles, "read_loose", lambda *given: looked.append(1) or usual(*given)
    )
    frames, before, seen = FrameReader(load=lambda: reader), None, []
    for _ in range(3):
        before = frames.read(flipped(table(*WORDS, loose="RATSENLF")), LOOSE, before)
        seen.append((before.reading.mirrored, words(before.reading), len(looked)))

    assert [(True, sorted(WORDS), k) for k in (2, 3, 4)] == seen
    assert (SAID,) == before.advice


def test_a_camera_that_no_longer_swaps_is_noticed(reader):
    """What was known of the mirrored tiles is forgotten."""
    frames, picture = FrameReader(load=lambda: reader), table(*WORDS, loose="RATSENLF")
    mirrored = frames.read(flipped(picture), LOOSE)
    plain = frames.read(picture, LOOSE, mirrored)

    assert [True, False] == [x.reading.mirrored for x in (mirrored, plain)]
    assert sorted(WORDS) == words(plain.reading)
    assert {1} == {t.looks for t in plain.reading.loose}


def test_a_picture_that_reads_worse_in_a_mirror_is_not_mirrored(reader, monkeypatch):
    """Where the mirror network leads by little."""

    class Saying:
        facts = SimpleNamespace(temperature=1.0)

        def run(self, cuts):
            """(N, 1) log odds."""
            return np.full((len(cuts), 1), 0.1, np.float32)

    monkeypatch.setattr(reader.squares, "mirror", Saying())

    assert not reader.read(table(*WORDS, loose="RATSENLFQ"), LOOSE).mirrored


@pytest.mark.parametrize("loose", ["HIOTAMUV", "BCDEKHO"])
def test_numerals_tell_where_letters_do_not(reader, loose):
    """Letters that look alike in a mirror or upside down."""
    assert reader.read(flipped(table(loose=loose)), LOOSE).mirrored


def test_letters_of_another_script_are_read_in_a_mirror_too(reader):
    """The network knows no letters, only what they look like."""
    letters = load_tile_set("ru").letters
    picture = table("ЖУК", "ФЕЯ", "ЩИТ", loose="БГЦЫЧ")
    request = ReadRequest("loose", letters)
    plain, mirrored = reader.read(picture, request), reader.read(flipped(picture), request)

    assert [False, True] == [plain.mirrored, mirrored.mirrored]
    assert words(plain) == words(mirrored)


def tile(letter: str, x: float, angle: float = 0.0) -> LooseTile:
    """A tile of 40 pixels."""
    return LooseTile(letter, True, (x, 50.0), angle, 40.0, 1.0)


def test_swapped_twice_is_as_before():
    """Left and right, and turns, change sides; words keep their tiles."""
    word = LooseWord("GO", (0, 1), 10.0)
    plain = PhotoReading(200, 100, (), (tile("G", 40.0, 10.0), tile("O", 80.0, 10.0)), (word,))
    there = swapped(plain)

    assert [(159.0, 350.0), (119.0, 350.0)] == [(t.centre_px[0], t.angle_deg) for t in there.loose]
    assert (True, (replace(word, facing_deg=350.0),)) == (there.mirrored, there.words)
    again = [
        reading_of("", x).to_json() for x in (swapped(there), as_meant(there), as_meant(plain))
    ]
    assert 3 * [reading_of("", plain).to_json()] == again


def test_players_sit_as_they_do_at_the_table():
    """Whose word it is, clockwise from the bottom of what the picture means."""
    side = tuple(
        replace(tile(x, 0.0, 90.0), centre_px=(50.0, 40.0 * k)) for k, x in enumerate("RUN", 1)
    )
    plain = PhotoReading(200, 200, (), side, (LooseWord("RUN", (0, 1, 2), 90.0),))
    seen = [table_view(x, ("?",), 4, 3).words for x in (plain, swapped(plain))]

    assert [1, 1] == [view[0].seat for view in seen]
