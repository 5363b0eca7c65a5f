"""Tile sets and word lists by the names that people give."""

import gzip
from pathlib import Path

import pytest

from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import (
    KWG_ALPHABETS,
    TILE_SETS,
    any_word_note,
    can_be_read,
    letters_to_teach,
    load_lexicon,
    load_tile_set,
    teach_note,
)


@pytest.mark.parametrize(
    ("name", "taught"),
    [
        ("en", ()),
        ("sv", ()),
        ("da", ("Æ", "Ø")),
        ("hr", ("Č", "Š", "Ž", "Đ", "Ǆ", "Ǉ", "Ǌ")),
    ],
)
def test_letters_that_must_be_taught(name, taught):
    """What the networks cannot tell of a set is said."""
    assert taught == letters_to_teach(name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("en", None),
        (
            "es",
            "Letters that are read only once their look is taught, and until then as others: "
            "CH LL RR. kibitz calibrate --teach learns it.",
        ),
    ],
)
def test_a_set_with_letters_to_teach_says_so(name, said):
    """They are named as they are printed, with what to do."""
    assert said == teach_note(name)


def test_other_scripts_need_not_be_taught():
    """Letters of other scripts are told as they are."""
    for name in ("ru", "uk", "bg", "el", "he"):
        assert () == letters_to_teach(name)
        assert can_be_read(name)


def test_unknown_set_lists_the_known_ones():
    """A set that does not exist is refused with the sets that do."""
    with pytest.raises(UsageError, match=" ".join(TILE_SETS)):
        load_tile_set("klingon")


def test_broken_file_is_refused(tmp_path):
    """A file that is no tile set is refused with the form expected."""
    path = tmp_path / "broken.json"
    path.write_text("{")

    with pytest.raises(UsageError, match='"count": 9'):
        load_tile_set(str(path))


@pytest.mark.parametrize("name", sorted(KWG_ALPHABETS))
def test_word_graph_alphabets_are_those_of_the_tiles(name):
    """The alphabet of a language's word graphs holds just the letters of its tiles."""
    assert set(KWG_ALPHABETS[name]) == {"?", *load_tile_set(name).letters}


@pytest.mark.parametrize(
    "content",
    [b"", b"\x1f\x8b broken", gzip.compress(b"cat", mtime=0)[:12] + b"\xff" * 9, b"12\n"],
)
def test_wrong_files_are_refused(tmp_path, content):
    """A file that is no list is refused in words."""
    path = tmp_path / ("words.gz" if content.startswith(b"\x1f") else "words.txt")
    path.write_bytes(content)

    with pytest.raises(UsageError, match="is no word list"):
        load_lexicon(str(path))


def test_missing_file_is_refused():
    """A list that is not there is refused with what could be given instead."""
    with pytest.raises(UsageError, match="default, none or a file"):
        load_lexicon("/nowhere/words.txt")


@pytest.mark.parametrize(("tiles", "good"), [("en", False), ("de", True), ("fr", True)], ids=str)
def test_the_bundled_list_is_for_english_tiles(tiles: str, good: bool) -> None:
    """Tiles of another language have no bundled list, so any word is good, and that is told."""
    words, note = load_lexicon("default", tiles), any_word_note("default", tiles, {})

    assert good is ("JAUL" in words)
    assert good is (note is not None)


def test_a_set_of_ones_own_says_its_language(tmp_path: Path) -> None:
    """A tile set file of English keeps the English list."""
    own = tmp_path / "own.json"
    own.write_text('{"language": "en", "blanks": 2, "tiles": {"A": {"count": 9, "value": 1}}}')

    assert "JAUL" not in load_lexicon("default", str(own))
    assert any_word_note("default", str(own), {}) is None


def test_a_list_that_was_named_is_used(tmp_path: Path) -> None:
    """With a list of one's own nothing is said; the settings' own list goes before."""
    path = tmp_path / "words.txt"
    path.write_text("JAUL\n")

    assert "QZX" not in load_lexicon(str(path), "de")
    assert any_word_note(str(path), "de", {}) is None
    assert any_word_note("default", "de", {"lexicon": str(path)}) is None
