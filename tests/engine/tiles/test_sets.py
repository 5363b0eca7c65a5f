"""Tile sets hold the counts and values that are printed on the tiles."""

import json

import pytest

from kibitz.app.common.materials.named import (
    TILE_SETS,
    counts_of,
    load_tile_set,
)
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
POINTS = {
    "en": 187, "de": 202, "fr": 197, "es": 192, "ca": 189, "pt": 204, "it": 293, "nl": 230,
    "sv": 194, "no": 202, "da": 247, "is": 244, "cs": 205, "sk": 267, "sl": 180, "hr": 182,
    "hu": 235, "tr": 201, "et": 209, "lv": 250, "af": 179, "id": 217, "ms": 184, "ru": 224,
    "uk": 234, "bg": 227, "el": 206, "he": 233,
}
BLANKS = {"pt": 3}
# fmt: on


def test_empty_set_is_refused():
    """A tile set without letters is an error that shows the form expected."""
    with pytest.raises(ValueError, match='"tiles"'):
        tile_set_from_json({"language": "xx", "tiles": {}})


@pytest.mark.parametrize(("name", "total"), TOTALS.items())
def test_totals(name, total):
    """Every language has the number of tiles of its standard set."""
    tiles = load_tile_set(name)

    assert total == tiles.total
    assert name == tiles.language


@pytest.mark.parametrize("name", TILE_SETS)
def test_blanks(name):
    """Every set has two blanks, the Portuguese one three."""
    assert BLANKS.get(name, 2) == load_tile_set(name).blanks


@pytest.mark.parametrize("name", TILE_SETS)
def test_letters_fit_a_board_text(name):
    """Each letter is one sign, and so is its small form, which stands for a blank."""
    letters = load_tile_set(name).letters

    assert [1] * len(letters) == [len(x.lower()) for x in letters]
    assert len(letters) == len({x.upper() for x in letters})


@pytest.mark.parametrize(
    ("name", "prints"),
    [
        ("es", {"Ĉ": "CH", "Ĺ": "LL", "Ŕ": "RR"}),
        ("ca", {"Ŀ": "L·L", "Ñ": "NY", "Q": "QU"}),
        ("hr", {"Ǆ": "DŽ", "Ǉ": "LJ", "Ǌ": "NJ"}),
        ("tr", {"Î": "İ"}),
        ("en", {}),
    ],
)
def test_tiles_of_several_letters(name, prints):
    """A tile of several letters has one sign in a board's text, and what is printed is kept."""
    assert prints == dict(load_tile_set(name).prints)


@pytest.mark.parametrize(("name", "points"), POINTS.items())
def test_points(name, points):
    """All tiles together are worth what the standard set is worth."""
    tiles = load_tile_set(name)

    assert points == sum(tiles.count(x) * tiles.value(x) for x in tiles.letters)


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


def test_counts_include_the_blanks():
    """The counts of a set add up to all its tiles."""
    counts = counts_of("en")

    assert 2 == counts["?"]
    assert 100 == sum(counts.values())


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
