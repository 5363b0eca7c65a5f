"""The tiles of a language: which letters, how many, worth what (rule 0.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from unicodedata import name as name_of

from kibitz.engine.rules import JsonValue
from kibitz.engine.table import UNKNOWN_BLANK


@dataclass(frozen=True, slots=True)
class TileSet:
    """One set of tiles.

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
        """The letters, without the blank."""
        return tuple(self.tiles)

    @property
    def total(self) -> int:
        """How many tiles the set has, with its blanks."""
        return self.blanks + sum(count for count, _ in self.tiles.values())

    def value(self, letter: str) -> int:
        """Face value; a blank or a letter of another set is 0."""
        return self.tiles.get(letter, (0, 0))[1]

    def count(self, letter: str) -> int:
        """How many of a letter there are; `?` are the blanks."""
        return self.blanks if letter == UNKNOWN_BLANK else self.tiles.get(letter, (0, 0))[0]


def script_of(letters: Iterable[str]) -> str:
    """The script of most letters, as Unicode names it: `LATIN`, `CYRILLIC`, `GREEK`, `HEBREW`.

    Raises:
        ValueError: there are no letters.
    """
    return _script_of(tuple(letters))


@lru_cache(maxsize=256)
def _script_of(letters: tuple[str, ...]) -> str:
    """The same, worked out once for each tile set."""
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
