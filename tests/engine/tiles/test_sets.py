"""Tile sets hold the counts and values that are printed on the tiles."""

import json

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.tiles.sets import tile_set_from_json
from tests.helpers.shared_data import SHARED, needs_shared

pytestmark = pytest.mark.fast

# fmt: off
TOTALS = {
    "en": 100, "de": 102, "fr": 102, "ro": 100, "pl": 100, "fi": 101, "es": 100, "ca": 100,
    "pt": 120, "it": 120, "nl": 102, "sv": 100, "no": 100, "da": 100, "is": 104, "cs": 100,
    "sk": 100, "sl": 100, "hr": 103, "hu": 100, "tr": 100, "et": 102, "lv": 104, "af": 102,
    "id": 100, "ms": 100, "ru": 104, "uk": 104, "bg": 102, "el": 104, "he": 104,
}
# fmt: on


@pytest.mark.parametrize(("name", "total"), TOTALS.items())
def test_totals(name, total):
    """Every language has the number of tiles of its standard set."""
    tiles = load_tile_set(name)

    assert total == tiles.total
    assert name == tiles.language


@pytest.mark.parametrize(
    ("name", "letter", "count", "value"),
    [
        ("en", "C", 2, 3),
        ("en", "O", 8, 1),
        ("en", "?", 2, 0),
        ("fr", "O", 6, 1),
        ("fr", "Q", 1, 8),
        ("de", "Ä", 1, 6),
        ("de", "Ö", 1, 8),
        ("de", "E", 15, 1),
        ("pl", "Ł", 2, 3),
        ("pl", "Ź", 1, 9),
        ("fi", "Ä", 5, 2),
        ("fi", "W", 1, 8),
        ("ro", "A", 11, 1),
        ("ro", "K", 0, 0),
        ("es", "Ĉ", 1, 5),
        ("pt", "Ç", 2, 3),
        ("ca", "Ç", 1, 10),
        ("cs", "U", 3, 2),
        ("ru", "Ё", 1, 3),
        ("el", "Ω", 3, 3),
        ("he", "ו", 12, 1),
    ],
)
def test_single_tiles(name, letter, count, value):
    """Letters that are easily got wrong have their own count and value."""
    tiles = load_tile_set(name)

    assert (count, value) == (tiles.count(letter), tiles.value(letter))


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ([], "expected an object"),
        ({"tiles": {"AB": {"count": 1, "value": 1}}}, "single letters"),
        ({"tiles": {"A": 3}}, r"tiles\.A"),
        ({"tiles": {"A": {"count": "9", "value": 1}}}, r"tiles\.A\.count"),
        ({"tiles": {"A": {"count": 9}}}, r"tiles\.A\.value"),
        ({"tiles": {"A": {"count": True, "value": 1}}}, r"tiles\.A\.count"),
        ({"tiles": {"A": {"count": 1, "value": 1, "print": 3}}}, r"tiles\.A\.print"),
        ({"blanks": -1, "tiles": {"A": {"count": 9, "value": 1}}}, "blanks"),
    ],
)
def test_wrong_files_name_the_field(raw, message):
    """What is wrong with a tile set is said with the field that is wrong."""
    with pytest.raises(ValueError, match=message):
        tile_set_from_json(raw)


def test_file_is_read(tmp_path):
    """A tile set file has the form that the interface promises."""
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"language": "xx", "tiles": {"é": {"count": 3, "value": 4}}}))
    tiles = load_tile_set(str(path))

    assert ("É",) == tiles.letters
    assert (3, 4, 2) == (tiles.count("É"), tiles.value("É"), tiles.blanks)


@needs_shared
def test_romanian_values_are_those_on_photographed_tiles():
    """The Romanian values are those read off photographed tiles."""
    game = json.loads((SHARED / "photos/bucharest_game1/game.json").read_text(encoding="utf-8"))
    tiles = load_tile_set("ro")

    assert game["tile_values"] == {x: tiles.value(x) for x in tiles.letters}
