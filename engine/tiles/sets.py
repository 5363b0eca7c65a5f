"""Tile set of a language: letters, counts and values (rule 0.5)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from unicodedata import name as name_of
from unicodedata import normalize

from kibitz.engine.rules import JsonValue
from kibitz.engine.table import UNKNOWN_BLANK

JOINED = {"Œ": "OE", "Æ": "AE", "ẞ": "SS"}
"""Letters that are two tiles where no tile has them."""
PARTED = "-"
"""Stands in a word between letters of two tiles that would be the letters of one."""


@dataclass(frozen=True)
class TileSet:
    """A set of tiles of one language.

    Attributes:
        language: its code.
        blanks: how many.
        tiles: each letter's (count, value).
        prints: what stands on tiles of more than one letter, and on those that have another sign
            in a board's text: `Ĉ` may stand for `CH`.
    """

    language: str
    blanks: int
    tiles: Mapping[str, tuple[int, int]]
    prints: Mapping[str, str] = field(default_factory=dict)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the set, without the blank."""
        return tuple(self.tiles)

    @property
    def total(self) -> int:
        """Number of tiles in the set, blanks included."""
        return self.blanks + sum(count for count, _ in self.tiles.values())

    def value(self, letter: str) -> int:
        """Face value of a letter; 0 for a blank or a letter of another set."""
        return self.tiles.get(letter, (0, 0))[1]

    def count(self, letter: str) -> int:
        """Number of tiles of a letter; `?` are the blanks."""
        return self.blanks if letter == UNKNOWN_BLANK else self.tiles.get(letter, (0, 0))[0]

    def tiles_in(self, word: str) -> str:
        """The tiles of a word as people write it, one sign each: `Calle` is `CAĹE`.

        Letters that stand on one tile are laid with that tile. A word may hold tiles' signs.
        """
        text = normalize("NFC", word)
        if self._dotted:
            text = text.replace("i", "İ").replace("ı", "I")
        text = text.upper()
        if not self.prints:
            return text
        return self._printed.sub(lambda m: self._signs[m[0]], text).replace(PARTED, "")

    def laid(self, word: str) -> str | None:
        """As `tiles_in` with this set's tiles only, accents dropped: `été` is `ETE`; else None.

        None: the word cannot be laid.
        """
        text = self.tiles_in(word)
        if self.tiles.keys() >= set(text):
            return text
        letters = []
        for letter in text:
            plain = letter if letter in self.tiles else JOINED.get(letter)
            letters.append(plain or normalize("NFD", letter)[0])
        out = self.tiles_in("".join(letters))
        return out if self.tiles.keys() >= set(out) else None

    def word_of(self, tiles: str) -> str:
        """The word as people write it, from the signs of its tiles: `CAĹE` is `CALLE`.

        Where letters of several tiles could be those of one they are parted: `PERRO`, laid with
        two tiles R, is `PER-RO`. So no two rows of tiles are the same word.
        """
        if not self.prints:
            return tiles
        out = ""
        for sign in tiles:
            printed = self.prints.get(sign, sign)
            merged = bool(out) and self.tiles_in(out + printed) != self.tiles_in(out) + sign
            out += PARTED + printed if merged else printed
        return out

    def bracketed(self, tiles: str) -> str:
        """The word as records write it, tiles of several letters in brackets: `CA[LL]E`.

        A blank, whose sign is small, has small letters.
        """
        return "".join(map(self._bracketed, tiles)) if self.prints else tiles

    def _bracketed(self, sign: str) -> str:
        capital = sign.upper()
        text = self.prints.get(capital, capital).upper()
        text = text if sign == capital else text.lower()
        return text if len(text) == 1 else f"[{text}]"

    def unbracketed(self, text: str, *, single: bool) -> str:
        """Signs of the tiles in a record's text: `bracketed` undone; bare letters are taken too.

        Args:
            text: as it stands; small letters are blanks.
            single: letters outside brackets are tiles by themselves, where there are such tiles;
                else those that stand on one tile are that tile.
        """
        if not self.prints:
            return text
        parts = re.split(r"\[([^\]]*)\]", text)
        parts[::2] = [self._cut(part, single=single) for part in parts[::2]]
        parts[1::2] = [self._cut(part, single=False) for part in parts[1::2]]
        return "".join(parts)

    def _cut(self, text: str, *, single: bool) -> str:
        for printed in sorted(self._signs, key=len, reverse=True):
            sign = self._signs[printed]
            if single and all(x in self.tiles and x not in self.prints for x in printed):
                continue
            text = text.replace(printed, sign).replace(printed.lower(), sign.lower())
        return text

    @cached_property
    def _signs(self) -> Mapping[str, str]:
        return {printed: sign for sign, printed in self.prints.items()}

    @cached_property
    def _printed(self) -> re.Pattern[str]:
        longest_first = sorted(self._signs, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)))

    @cached_property
    def _dotted(self) -> bool:
        """True if I with a dot and I without one are two letters."""
        return "İ" in self.tiles or "İ" in self._signs


def script_of(letters: Iterable[str]) -> str:
    """Unicode name of the script of most letters: `LATIN`, `CYRILLIC`, `GREEK`, `HEBREW`.

    Raises:
        ValueError: there are no letters.
    """
    return _script_of(tuple(letters))


@lru_cache(maxsize=256)
def _script_of(letters: tuple[str, ...]) -> str:
    """As `script_of`, cached for each tile set."""
    words = Counter(name_of(letter, "UNKNOWN").split()[0] for letter in letters)
    if not words:
        raise ValueError("expected letters, got none")
    return words.most_common(1)[0][0]


def tile_set_from_json(raw: JsonValue) -> TileSet:
    """Read `{"language": "xx", "blanks": 2, "tiles": {"A": {"count": 9, "value": 1}, ...}}`.

    Raises:
        ValueError: a field is missing or no number; the message names it.
    """
    if (
        not isinstance(raw, Mapping)
        or not isinstance(raw.get("tiles"), Mapping)
        or not raw["tiles"]
    ):
        raise ValueError('expected an object with "tiles": {"A": {"count": 9, "value": 1}, ...}')
    tiles: dict[str, tuple[int, int]] = {}
    prints: dict[str, str] = {}
    for letter, facts in raw["tiles"].items():
        if not isinstance(letter, str) or len(letter) != 1:
            raise ValueError(f"tiles: expected single letters, got {letter!r}")
        if letter == UNKNOWN_BLANK:
            continue
        known = isinstance(facts, Mapping)
        if not known:
            form = '{"count": 9, "value": 1}'
            raise ValueError(f"tiles.{letter}: expected {form}, got {facts!r}")
        printed = facts.get("print", letter)
        if not isinstance(printed, str) or not printed:
            raise ValueError(f"tiles.{letter}.print: expected what stands on it, got {printed!r}")
        if printed != letter:
            prints[letter.upper()] = printed
        tiles[letter.upper()] = (_number(facts, "count", letter), _number(facts, "value", letter))
    blanks = raw.get("blanks", 2)
    if isinstance(blanks, bool) or not isinstance(blanks, int) or blanks < 0:
        raise ValueError(f"blanks: expected a whole number, got {blanks!r}")
    return TileSet(str(raw.get("language", "xx")), blanks, MappingProxyType(tiles), prints)


def _number(facts: Mapping[str, JsonValue], key: str, letter: str) -> int:
    value = facts.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"tiles.{letter}.{key}: expected a whole number, got {value!r}")
    return value
