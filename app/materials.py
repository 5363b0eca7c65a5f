"""Tile sets and word lists by name or file, as the command line takes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import UsageError
from engine.rules import Materials

LETTERS = {
    "en": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "de": "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ",
    "fr": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ro": "ABCDEFGHIJLMNOPRSTUVXZ",
    "pl": "AĄBCĆDEĘFGHIJKLŁMNŃOÓPRSŚTUWYZŹŻ",
    "fi": "ABCDEFGHIJKLMNOPRSTUVWYÄÖ",
}
_EN="A1.9 B3.2 C3.2 D2.4 E1.12 F4.2 G2.3 H4.2 I1.9 J8.1 K5.1 L1.4 M3.2 N1.6 O1.8 P3.2 Q10.1 R1.6 S1.4 T1.6 U1.4 V4.2 W4.2 X8.1 Y4.2 Z10.1"
_DE="A1.5 B3.2 C4.2 D1.4 E1.15 F4.2 G2.3 H2.4 I1.6 J6.1 K4.2 L2.3 M3.4 N1.9 O2.3 P4.1 Q10.1 R1.6 S1.7 T1.6 U1.6 V6.1 W3.1 X8.1 Y10.1 Z3.1 Ä6.1 Ö8.1 Ü6.1"

@dataclass(frozen=True)
class _Tiles:
    language: str
    table: Mapping[str, tuple[int, int]]
    letters: tuple[str, ...]
    def value(self, letter: str) -> int:
        return self.table.get(letter, (0, 0))[0]
    def count(self, letter: str) -> int:
        return self.table.get(letter, (0, 0))[1]

def _set(tiles: str) -> _Tiles:
    if tiles in ("en","de"):
        t={x[0]:tuple(int(y) for y in x[1:].split(".")) for x in (_EN if tiles=="en" else _DE).split()}
        lang=tiles
    else:
        d=json.loads(Path(tiles).read_text()); lang=d["language"]
        t={k:(v["value"],v["count"]) for k,v in d["tiles"].items()}
    t["?"]=(0,2)
    return _Tiles(lang,t,tuple(x for x in t if x!="?"))

class _All:
    def __contains__(self, w: object) -> bool:
        return True

def make_materials(lexicon: str, tiles: str, options: Any) -> Materials:
    words: Any = _All()
    if lexicon!="none":
        words=frozenset(Path("/work/shared/enable1.txt").read_text().upper().split())
    return Materials(words,_set(tiles))

def counts_of(tiles: str) -> Mapping[str,int]|None:
    t=_set(tiles)
    return {x:t.count(x) for x in (*t.letters,"?")}

def letters_for(tiles: str) -> tuple[str, ...]:
    """The letters of a tile set, by its name or a tile set file.

    Raises:
        UsageError: no such set; the message lists the known ones.
    """
    if tiles in LETTERS:
        return tuple(LETTERS[tiles])
    path = Path(tiles)
    if not path.is_file():
        raise UsageError(
            f"--tiles: there is no tile set {tiles!r}; known are {' '.join(LETTERS)}, or a file"
        )
    try:
        letters = tuple(str(x) for x in json.loads(path.read_text(encoding="utf-8"))["tiles"])
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise UsageError(
            f"--tiles: {tiles} is no tile set file; expected "
            '{"language": "xx", "blanks": 2, "tiles": {"A": {"count": 9, "value": 1}, ...}}'
        ) from error
    return tuple(x for x in letters if x != "?")
