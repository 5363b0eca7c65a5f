"""A Hunspell dictionary becomes all words that it holds."""

from __future__ import annotations

import pytest
from spylls.hunspell import Dictionary

from kibitz.app.common.errors import UsageError
from kibitz.app.words.hunspell import read_dictionary, words_of_dictionary

AFF = """SET UTF-8
FORBIDDENWORD !
NEEDAFFIX ~
ONLYINCOMPOUND -
CIRCUMFIX ^
COMPOUNDFLAG +
SFX S Y 2
SFX S 0 s [^y]
SFX S y ies y
SFX A Y 1
SFX A 0 able/N .
SFX N Y 1
SFX N 0 ness .
SFX F N 1
SFX F 0 ful .
SFX L Y 1
SFX L en t/^ en
PFX G Y 1
PFX G 0 ge/^ .
PFX U Y 1
PFX U 0 un .
PFX B N 1
PFX B 0 be .
PFX D Y 1
PFX D T t/- T
"""
ENTRIES = {
    "tree/S": {"tree", "trees"},
    "fly/S": {"fly", "flies"},
    "do/AU": {"do", "doable", "doableness", "undo", "undoable", "undoableness"},
    "hope/FU": {"hope", "hopeful", "unhope"},
    "moan/BS": {"moan", "moans", "bemoan"},
    "lov/~A": {"lovable", "lovableness"},
    "wick/-": set(),
    "naïve": {"naïve"},
    "machen/LG": {"machen", "gemacht"},
    "Tag/DS": {"Tag", "Tags"},
    "good/S": {"good"},
    "goods/!": set(),
}


def dictionary(folder, aff=AFF, entries=tuple(ENTRIES)):
    paths = folder / "small.aff", folder / "small.dic"
    paths[0].write_text(aff, encoding="utf-8")
    text = f"{len(entries)}\n" + "\n".join(entries) + "\n"
    paths[1].write_text(text, encoding="utf-8")
    return paths


def test_every_stem_takes_its_affixes(tmp_path):
    """Suffixes by their condition, twice, with prefixes; what stands not alone, or not at all."""
    found = set(words_of_dictionary(*dictionary(tmp_path)))

    assert set().union(*ENTRIES.values()) == found


def test_a_spelling_checker_knows_each_of_them(tmp_path):
    """What is made is what the same dictionary takes when words are looked up in it."""
    paths = dictionary(tmp_path)
    checker = Dictionary(*read_dictionary(*paths))

    assert [] == [word for word in words_of_dictionary(*paths) if not checker.lookup(word)]


@pytest.mark.parametrize(
    ("format_", "flags"), [("long", ("Aa", "Bb")), ("num", ("101", "7")), ("UTF-8", ("Ä", "Ö"))]
)
def test_flags_may_be_written_in_other_ways(tmp_path, format_, flags):
    first, second = flags
    aff = (
        f"SET UTF-8\nFLAG {format_}\nSFX {first} Y 1\nSFX {first} 0 s .\n"
        f"PFX {second} Y 1\nPFX {second} 0 re .\n"
    )
    both = f"{first},{second}" if format_ == "num" else first + second
    paths = dictionary(tmp_path, aff, [f"do/{both}", f"go/{first}"])

    assert {"do", "dos", "redo", "redos", "go", "gos"} == set(words_of_dictionary(*paths))


def test_other_files_are_refused(tmp_path):
    paths = dictionary(tmp_path, "SET none-such\n", ["a"])

    with pytest.raises(UsageError, match=r"small\.dic and small\.aff are no Hunspell dictionary"):
        list(words_of_dictionary(*paths))


def test_a_condition_is_no_regular_expression(tmp_path):
    """Letters, any letter and letters in brackets, as hunspell(5) says: nothing repeats."""
    conditions = ("(a+)+b", "a{3}", r"\w", "[a-c].", "^a")
    lines = [
        f"SFX {flag} Y 1\nSFX {flag} 0 s {c}" for flag, c in zip("ACDEF", conditions, strict=True)
    ]
    entries = ("a" * 40 + "/A", "x(a+)+b/A", "aaa/C", "a{3}/C", "ab/D", "-z/E", "bz/E", "dz/E", "a/F")  # fmt: skip
    paths = dictionary(tmp_path, "SET UTF-8\n" + "\n".join(lines) + "\n", entries)
    stems = {entry.partition("/")[0] for entry in entries}

    assert {"x(a+)+bs", "a{3}s", "-zs"} == set(words_of_dictionary(*paths)) - stems


def test_there_is_an_end_to_the_words_of_a_dictionary(tmp_path):
    """Suffixes that take each other are refused once they are tried too often."""
    lines = "\n".join(f"SFX A 0 {'a' * n}/A ." for n in range(1, 30))
    paths = dictionary(tmp_path, f"SET UTF-8\nSFX A Y 29\n{lines}\n", ("b/A",))

    assert 29 * 30 + 1 == len(list(words_of_dictionary(*paths)))
    with pytest.raises(UsageError, match="more words than a list may have"):
        list(words_of_dictionary(*paths, 10_000))
