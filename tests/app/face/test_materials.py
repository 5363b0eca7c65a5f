"""`kibitz.word`, `same_root`, `words`, `add_words`, `build_words` and `tile_sets`."""

from __future__ import annotations

from pathlib import Path

import pytest

import kibitz


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with a data folder of the own."""
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    return tmp_path


def test_a_word() -> None:
    """Whether it is good, what it is worth, and what goes in front and behind."""
    assert kibitz.WordFacts("QI", True, 11, "", "S") == kibitz.word("qi")
    assert kibitz.WordFacts("QX", False, 18, "", "") == kibitz.word("qx")


def test_a_word_of_a_list_of_ones_own(folder: Path) -> None:
    """A kept list is taken by its name, and the letters are those of the tile set."""
    (folder / "mine.txt").write_text("CAT\nCATS\nSCAT\n")
    kept = kibitz.add_words(folder / "mine.txt")

    assert kibitz.KeptList("mine", 3, "mine.txt") == kept
    assert [kept] == [one for one in kibitz.words().kept if one.name != "default"]
    assert kibitz.WordFacts("CAT", True, 5, "S", "S") == kibitz.word("cat", lexicon="mine")


def test_where_any_word_is_good_that_is_said() -> None:
    """German has no bundled list."""
    said: list[str] = []
    facts = kibitz.word("xyz", tiles="de", progress=said.append)

    assert (True, 1) == (facts.good, len(said))


def test_roots() -> None:
    """Two words, whether they share a root, and who says so."""
    same = kibitz.same_root("child", "children")
    other = kibitz.same_root("corn", "corner")

    assert (True, "table") == (same.same, same.source)
    assert (False, "CORN and CORNER share no stem") == (other.same, other.reason)


def test_a_list_is_built_from_a_dictionary(folder: Path) -> None:
    """Names are left out, and that is said."""
    (folder / "some.txt").write_text("sea\ntea\nAnn\n")
    said: list[str] = []
    built = kibitz.build_words(
        "short", dictionary=folder / "some.txt", longest=3, progress=said.append
    )

    assert kibitz.KeptList("short", 2, "some.txt") == built.kept
    assert "1 names and abbreviations" == built.left_out
    assert [f"reading {folder / 'some.txt'} ..."] == said


def test_what_can_be_built() -> None:
    """Each with the package that it is made from."""
    assert {"de", "fr", "pl", "ro"} <= {one.name for one in kibitz.words().to_build}
    assert all(one.package and one.licence for one in kibitz.words().to_build)


def test_tile_sets() -> None:
    """English is read as it is; letters of Georgian must be taught."""
    sets = {one.name: one for one in kibitz.tile_sets()}

    assert (100, 2, ()) == (sets["en"].tiles, sets["en"].blanks, sets["en"].teach)
    assert tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == sets["en"].letters
    assert ("Å",) == tuple(x for x in sets["sv"].letters if x == "Å")


def test_wrong_calls(folder: Path) -> None:
    """They name arguments, not options."""
    calls = [
        (lambda: kibitz.word("a-b"), "word: expected letters only, got 'a-b'"),
        (lambda: kibitz.same_root("a", "b2"), "same_root: expected letters only, got 'b2'"),
        (lambda: kibitz.word("a", tiles="klingon"), "tiles: there is no tile set 'klingon'"),
        (lambda: kibitz.add_words(folder / "no.txt"), "words add: there is no file"),
        (lambda: kibitz.build_words("xx"), "name a dictionary of your own: dictionary FILE"),
        (lambda: kibitz.build_words("de", longest=1), "longest 1: expected words of at least 2"),
    ]
    for call, says in calls:
        with pytest.raises(kibitz.UsageError, match=says):
            call()
