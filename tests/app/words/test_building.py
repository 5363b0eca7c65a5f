"""Which words of a dictionary are taken into a list, and where they come from."""

from __future__ import annotations

import gzip

import pytest

from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.words.building import (
    installed_source,
    layable_words,
    words_of_file,
    words_of_source,
)
from kibitz.app.words.recipes import recipe_named

FRENCH, POLISH = load_tile_set("fr"), load_tile_set("pl")


@pytest.mark.parametrize(
    ("given", "tile_set", "capitals", "words"),
    [
        ([], FRENCH, False, set()),
        (["été", "cœur", "garçon"], FRENCH, False, {"ETE", "COEUR", "GARCON"}),
        (["żółć", "café"], POLISH, False, {"ŻÓŁĆ", "CAFE"}),
        (["Straße", "Haus"], load_tile_set("de"), True, {"STRASSE", "HAUS"}),
        (["Paris", "NATO", "eau"], FRENCH, False, {"EAU"}),
        (["l'eau", "week-end", "a", "x1"], FRENCH, False, set()),
        (["niño"], None, False, {"NIÑO"}),
        (["chocho", "perro", "kilo"], load_tile_set("es"), False, {"CHOCHO", "PERRO"}),
        (["col·legi", "gyerek"], load_tile_set("ca"), False, {"COL·LEGI"}),
        (["gyerek", "hosszú"], load_tile_set("hu"), False, {"GYEREK", "HOSSZÚ"}),
        (["anticonstitution", "constitutionnel"], FRENCH, False, {"CONSTITUTIONNEL"}),
    ],
)
def test_words_are_taken_that_can_be_laid(given, tile_set, capitals, words):
    """With the tiles' letters; neither names nor what is too long for a board."""
    assert words == layable_words(given, tile_set, capitals=capitals).words


def test_what_is_left_out_is_counted():
    made = layable_words(["Paris", "NATO", "l'eau", "a", "eau"], FRENCH, capitals=False)

    assert (2, 1, 1) == (made.names, made.signs, made.lengths)
    assert (
        "2 names and abbreviations, 1 with other signs than the tiles' letters, "
        "1 too short or too long"
    ) == made.left_out()


def test_the_longest_word_may_be_another():
    assert {"TREE"} == layable_words(["tree", "trees"], None, 4, capitals=False).words


def test_the_first_package_that_is_installed_is_taken(tmp_path):
    """A list before the dictionary; without it the dictionary."""
    recipe = recipe_named("de")
    assert recipe is not None
    (tmp_path / "hunspell").mkdir()
    (tmp_path / "hunspell" / "de_DE.dic").write_text("1\nHaus/S\n")
    (tmp_path / "hunspell" / "de_DE.aff").write_text("SET UTF-8\nSFX S Y 1\nSFX S 0 es .\n")
    second = installed_source(recipe, tmp_path)
    (tmp_path / "dict").mkdir()
    (tmp_path / "dict" / "ngerman").write_text("Haus\nHäuser\n", encoding="utf-8")
    first = installed_source(recipe, tmp_path)

    assert ("wngerman", "hunspell-de-de") == (first.package, second.package)
    assert ["Haus", "Häuser"] == list(words_of_source(first, tmp_path))
    assert ["Haus", "Hauses"] == list(words_of_source(second, tmp_path))


def test_a_missing_package_is_named(tmp_path):
    recipe = recipe_named("de")
    assert recipe is not None

    with pytest.raises(
        UsageError,
        match=r"package wngerman, or hunspell-de-de; none .*apt-get install wngerman\), or name",
    ):
        installed_source(recipe, tmp_path)


def test_a_dictionary_is_named_as_a_file_or_its_folder(tmp_path):
    (tmp_path / "x.aff").write_text("SET UTF-8\n")
    (tmp_path / "x.dic").write_text("1\ntree\n")
    packed = tmp_path / "list.txt.gz"
    packed.write_bytes(gzip.compress(b"# remark\nsea a definition\n"))

    assert ["tree"] == list(words_of_file(tmp_path))
    assert ["tree"] == list(words_of_file(tmp_path / "x.dic"))
    assert ["sea"] == list(words_of_file(packed))


@pytest.mark.parametrize(
    ("files", "named", "said"),
    [
        ({}, ".", r"expected a folder with one \.dic file, got none"),
        ({"a.dic": "", "b.dic": ""}, ".", r"got a\.dic, b\.dic; name the file"),
        ({"a.dic": "1\nx\n"}, "a.dic", r"is two files, and .*a\.aff is missing"),
        ({}, "none.txt", r"cannot be read as a word list"),
    ],
)
def test_what_is_no_dictionary_is_said(tmp_path, files, named, said):
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    with pytest.raises(UsageError, match=said):
        list(words_of_file(tmp_path / named))
