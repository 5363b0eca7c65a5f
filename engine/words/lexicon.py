"""Word lists: which strings are valid words (rule 0.6)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final
from unicodedata import normalize

from kibitz.engine.rules import TileSetLike


@dataclass(frozen=True, slots=True)
class WordList:
    """A set of upper-case words, with words added and removed by settings or rulings."""

    words: frozenset[str]
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    name: str = ""

    def __contains__(self, word: object) -> bool:
        """True if the word is valid; a removal wins over an addition."""
        if word in self.removed:
            return False
        return word in self.words or word in self.added

    def __len__(self) -> int:
        """Number of words."""
        return len((self.words | self.added) - self.removed)

    def __iter__(self) -> Iterator[str]:
        """Iterate over all words."""
        return iter((self.words | self.added) - self.removed)

    def with_changes(self, add: Iterable[str] = (), remove: Iterable[str] = ()) -> WordList:
        """A copy with words added and removed; the later ruling on a word holds."""
        plus, minus = {w.upper() for w in add}, {w.upper() for w in remove}
        return replace(
            self,
            added=frozenset((self.added - minus) | plus),
            removed=frozenset((self.removed - plus) | minus),
        )


@dataclass(frozen=True, slots=True)
class AcceptAll:
    """Accepts any string of two or more letters, except those removed."""

    removed: frozenset[str] = frozenset()
    name: str = "none"

    def __contains__(self, word: object) -> bool:
        """True if the string is accepted."""
        return isinstance(word, str) and len(word) > 1 and word not in self.removed

    def with_changes(self, add: Iterable[str] = (), remove: Iterable[str] = ()) -> AcceptAll:
        """A copy with words removed."""
        plus, minus = {w.upper() for w in add}, {w.upper() for w in remove}
        return replace(self, removed=frozenset((self.removed - plus) | minus))


def words_from_text(
    text: str, name: str = "", laid: Callable[[str], str | None] | None = None
) -> WordList:
    """Parse a list: one word a line; `#` begins a remark; the rest after a blank is ignored.

    Args:
        text: the words as people write them.
        name: what the list is called.
        laid: gives the tiles that a word is laid with, or None where it cannot be; without it
            each capital is a tile.

    Raises:
        ValueError: a line is no word, or there is none; the message gives the line.
    """
    if laid is None and text.isupper() and text.isascii() and text.replace("\n", "").isalpha():
        return WordList(frozenset(w for w in text.split() if len(w) > 1), name=name)
    words = set()
    for number, line in enumerate(normalize("NFC", text).splitlines(), 1):
        word = line.split("#", 1)[0].split(maxsplit=1)
        if not word:
            continue
        if not is_word_text(word[0]):
            raise ValueError(f"line {number}: expected a word of letters, got {word[0]!r}")
        tiles = word[0].upper() if laid is None else laid(word[0])
        if tiles is not None and len(tiles) > 1:
            words.add(tiles)
    if not words:
        raise ValueError("expected one word a line, got none")
    return WordList(frozenset(words), name=name)


def is_word_text(text: str, tile_set: TileSetLike | None = None) -> bool:
    """True if the text consists of letters; in Catalan also `L·L`.

    With the tiles that it is laid with also one whose tiles are parted: `PER-RO`.
    """
    return (text.replace("·", "") if tile_set is None else tile_set.tiles_in(text)).isalpha()


ENGLISH = "?ABCDEFGHIJKLMNOPQRSTUVWXYZ"


MOST_LETTERS: Final = 100_000_000
"""In all words of a list; the largest have 45 million."""
_PLACE, _LAST, _WORD = 0x3FFFFF, 0x400000, 0x800000
"""In a node of a word graph: the first child, the last of its siblings, the end of a word."""
_DEEPEST: Final = 60


def words_from_kwg(
    data: bytes, alphabet: str = ENGLISH, name: str = "", most: int = MOST_LETTERS
) -> WordList:
    """Read a word list from a word graph in the KWG format (Andy Kurnia's wolges).

    The file is a row of little-endian 32-bit nodes: the tile in the top 8 bits, then a bit that
    says a word ends here, a bit that says this is the last of its siblings, and 22 bits with the
    place of the first child. Node 0 leads to the word graph.

    Args:
        data: the file.
        alphabet: the letter of each tile.
        name: what the list is called.
        most: letters in all words; a few hundred bytes can name more words than fit anywhere.

    Raises:
        ValueError: the bytes are no such graph, or hold more.
    """
    # two rows of nodes at most: those that 22 bits lead to, and siblings behind the last of them
    if len(data) < 8 or len(data) % 4 or len(data) > 8 * (_PLACE + 1):
        raise ValueError(f"expected a KWG file (4-byte nodes), got {len(data)} bytes")
    nodes = struct.unpack(f"<{len(data) // 4}I", data)
    counted: dict[int, tuple[int, int]] = {0: (0, 0)}
    first = nodes[0] & _PLACE
    _, letters = _count(nodes, first, counted, alphabet)
    if letters > most:
        raise ValueError(f"the word graph holds words of more than {most} letters together")
    words: set[str] = set()
    stack = [(first, "")]
    while stack:
        at, prefix = stack.pop()
        if len(prefix) > _DEEPEST:
            raise _leads_outside()
        while at:
            node = nodes[at]
            word = prefix + alphabet[node >> 24]
            if node & _WORD:
                words.add(word)
            stack.append((node & _PLACE, word))
            at = 0 if node & _LAST else at + 1
    if not words:
        raise ValueError("the word graph holds no word; is this a KWG file?")
    return WordList(frozenset(w for w in words if len(w) > 1), name=name)


def _count(
    nodes: Sequence[int],
    at: int,
    counted: dict[int, tuple[int, int]],
    alphabet: str,
    deep: int = 0,
) -> tuple[int, int]:
    """Number of words, and of their letters, reachable from a node or its siblings.

    Args:
        nodes: the graph's.
        at: the node.
        counted: what was counted before, by node; grows.
        alphabet: the letter of each tile.
        deep: how many nodes led there.

    Raises:
        ValueError: it is no node of a word graph.
    """
    row: list[int] = []
    while at not in counted:
        if at >= len(nodes) or deep > _DEEPEST or len(row) >= len(alphabet):
            raise _leads_outside()
        if (tile := nodes[at] >> 24) >= len(alphabet):
            raise ValueError(f"tile {tile} is not in an alphabet of {len(alphabet)} letters")
        row.append(at)
        at = 0 if nodes[at] & _LAST else at + 1
    words, letters = counted[at]
    for place in reversed(row):
        node = nodes[place]
        under, inside = _count(nodes, node & _PLACE, counted, alphabet, deep + 1)
        under += bool(node & _WORD)
        if not under:
            raise ValueError(f"node {place} leads to no word; is this a KWG file?")
        words, letters = words + under, letters + inside + under
        counted[place] = words, letters
    return counted[row[0]] if row else (words, letters)


def _leads_outside() -> ValueError:
    return ValueError("the word graph leads outside the file; is this a KWG file?")
