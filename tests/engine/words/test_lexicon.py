"""Word lists: text, word graphs, rulings, and the list that comes with the project."""

import gzip
import json
import struct

import pytest

from kibitz.app.common.materials.named import KWG_ALPHABETS, load_lexicon, make_materials
from kibitz.engine.words.lexicon import words_from_kwg, words_from_text
from tests.helpers.shared_data import SHARED, needs_shared

pytestmark = pytest.mark.fast


def kwg(words, alphabet="?ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
    """A word graph without shared ends, as the format has it."""
    trie = {}
    for word in words:
        at = trie
        for letter in word:
            at = at.setdefault(letter, {})
        at[""] = {}
    nodes = [0, 0]

    def lay(children):
        letters = sorted(x for x in children if x)
        first = len(nodes)
        nodes.extend([0] * len(letters))
        for i, letter in enumerate(letters):
            below = children[letter]
            child = lay(below) if any(below) else 0
            last = i == len(letters) - 1
            nodes[first + i] = (
                alphabet.index(letter) << 24 | ("" in below) << 23 | last << 22 | child
            )
        return first if letters else 0

    nodes[0] = lay(trie) | 1 << 22
    return struct.pack(f"<{len(nodes)}I", *nodes)


def test_empty_text_is_refused():
    """A list without a word is an error."""
    with pytest.raises(ValueError, match="one word a line"):
        words_from_text("\n# nothing here\n")


def test_text_lists():
    """Words may be small, have remarks and definitions; single letters are left out."""
    words = words_from_text("# mine\ncat  a pet\nDog # barks\n\na\nÄrger\n")

    assert {"CAT", "DOG", "ÄRGER"} == set(words)
    assert 3 == len(words)


def test_text_with_no_word_names_the_line():
    """A line that is no word is named by its number."""
    with pytest.raises(ValueError, match=r"line 2.*don't"):
        words_from_text("cat\ndon't\n")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "4-byte nodes"),
        (b"abc", "4-byte nodes"),
        (b"\0" * 16, "no word"),
        (struct.pack("<2I", 99, 0), "outside the file"),
        (struct.pack("<3I", 2, 0, 200 << 24 | 1 << 22), "tile 200"),
        (struct.pack("<3I", 2, 0, 1 << 24 | 1 << 22 | 2), "outside the file"),
    ],
)
def test_broken_word_graphs(data, message):
    """Bytes that are no word graph are refused, also if they lead in a circle."""
    with pytest.raises(ValueError, match=message):
        words_from_kwg(data)


def test_a_graph_of_more_words_than_fit_anywhere_is_refused():
    """Forty rows of two letters name 2^40 words in 336 bytes; no word at their end, none."""
    rows = [n << 22 for n in (0, 0)]
    for row in range(40):
        child = 0 if row == 39 else 2 + 2 * (row + 1)
        end = 1 << 23 if row == 39 else 0
        rows += [1 << 24 | end | child, 2 << 24 | end | 1 << 22 | child]
    rows[0] = 2
    data = struct.pack(f"<{len(rows)}I", *rows)
    nothing = struct.pack(f"<{len(rows)}I", *(x & ~(1 << 23) for x in rows))

    with pytest.raises(ValueError, match="more than 100000000 letters"):
        words_from_kwg(data)
    with pytest.raises(ValueError, match="leads to no word"):
        words_from_kwg(nothing)


@pytest.mark.parametrize("suffix", [".txt", ".txt.gz", ".kwg"])
def test_files(tmp_path, suffix):
    """A list may be text, packed text or a word graph."""
    data = kwg({"CAT", "DO"}) if suffix == ".kwg" else b"cat\ndo\n"
    path = tmp_path / f"words{suffix}"
    path.write_bytes(gzip.compress(data) if suffix.endswith(".gz") else data)

    assert {"CAT", "DO"} == set(load_lexicon(str(path)))


def test_word_graph_follows_the_tile_set(tmp_path):
    """A German word graph has its umlauts between the other letters."""
    path = tmp_path / "words.kwg"
    path.write_bytes(kwg({"ÄRA", "ÜB"}, KWG_ALPHABETS["de"]))

    assert {"ÄRA", "ÜB"} == set(load_lexicon(str(path), "de"))


@pytest.mark.parametrize("word", ["AA", "QI", "ZA", "ET", "CAT", "COLOUR", "COLOR", "SOVEREIGN"])
def test_bundled_list_has(word):
    """The bundled list has common words and both spellings."""
    assert word in load_lexicon("default")


@pytest.mark.parametrize("word", ["YT", "VAXT", "CA", "SE", "NASA", "LONDON", "DONT", "A", ""])
def test_bundled_list_has_not(word):
    """Names, abbreviations and nonsense are not in the bundled list."""
    assert word not in load_lexicon("default")


def test_bundled_list_is_plain():
    """Every entry of the bundled list is two or more capital letters A to Z."""
    words = load_lexicon("default")
    wrong = [w for w in words if not (w.isascii() and w.isalpha() and w.isupper() and len(w) > 1)]

    assert [] == wrong
    assert 250_000 < len(words) < 260_000


@needs_shared
def test_bundled_list_holds_nearly_all_of_a_club_list():
    """At least 99.7 % of a widely used list of 172,823 words is in the bundled one."""
    club = {w.strip().upper() for w in (SHARED / "enable1.txt").read_text().splitlines()}
    words = load_lexicon("default")
    shared = sum(w in words for w in club)

    assert 172_823 == len(club)
    assert shared / len(club) >= 0.997


@needs_shared
def test_scenarios_agree_with_the_bundled_list():
    """Words that scenarios accept are in the list, those that they refuse are not."""
    scenarios = json.loads((SHARED / "scenarios.json").read_text(encoding="utf-8"))["scenarios"]
    wrong = []
    for scenario in scenarios:
        words = make_materials("default", "en", scenario.get("settings") or {}).lexicon
        for step in scenario["steps"]:
            do, expect = step["do"], step["expect"]
            if expect.get("reason") == "not_a_word":
                bad = expect.get("bad_words") or [do["word"]]
                wrong += [(scenario["id"], w, "accepted") for w in bad if w in words]
            if expect.get("legal") and do["action"] == "claim" and do["word"] not in words:
                wrong.append((scenario["id"], do["word"], "refused"))

    assert [] == wrong
