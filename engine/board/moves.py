"""Move generator: all plays that a rack allows on a board, with their points.

The way of Appel and Jacobson (CACM 31/5, 1988): each line for itself, from squares beside tiles;
what may lie on a square is known beforehand from the words that cross there. Words are looked up
by their beginnings in a sorted list.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain

from kibitz.engine.board.layouts import CENTRE, letter_factor, word_factor
from kibitz.engine.board.notation import gcg_position
from kibitz.engine.board.scoring import rack_bonus, tile_value
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import UNKNOWN_BLANK, Axis, Grid, Square, Tile
from kibitz.engine.words.formed import AXES


class WordIndex:
    """Words by their prefixes.

    What follows a beginning is found when it is first asked for, and remembered: a game asks for
    a small part of all beginnings.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = sorted(set(words))
        self._known = frozenset(self._words)
        self._after: dict[str, str] = {}

    def __contains__(self, word: object) -> bool:
        """True if it is a word."""
        return word in self._known

    def after(self, beginning: str) -> str:
        """Letters that can follow a prefix on the way to some word, in order."""
        found = self._after.get(beginning)
        if found is None:
            found = self._after[beginning] = "".join(self._letters(beginning))
        return found

    def _letters(self, beginning: str) -> Iterator[str]:
        words, size = self._words, len(beginning)
        at = bisect_right(words, beginning)
        while at < len(words) and words[at].startswith(beginning):
            letter = words[at][size]
            yield letter
            at = bisect_left(words, beginning + chr(ord(letter) + 1), at)


@dataclass(frozen=True, slots=True)
class Move:
    """A legal play.

    Attributes:
        square: where its main word begins.
        axis: how that lies.
        word: as GCG has it: capitals for tiles, small letters for blanks, `.` for what lies there.
        text: the main word in capitals.
        score: its points, with those of the words it crosses and for laying seven tiles.
        tiles: the tiles to be laid, by their squares.
    """

    square: Square
    axis: Axis
    word: str
    text: str
    score: int
    tiles: tuple[tuple[Square, Tile], ...]

    @property
    def place(self) -> str:
        """Start square and direction of its main word: `8H` across, `H8` down."""
        return gcg_position(self.square, self.axis)


@dataclass(frozen=True, slots=True)
class _Crossing:
    """An empty square with tiles next to it across the line.

    Attributes:
        letters: what may lie there so that the crossing word is good.
        value: what the tiles of that word are worth together.
    """

    letters: frozenset[str]
    value: int


@dataclass(slots=True)
class _Work:
    """Budget of prefixes that may still be tried."""

    left: float = math.inf


@dataclass(frozen=True, slots=True)
class Best:
    """The highest-scoring plays found so far, best first.

    Attributes:
        moves: the plays.
        whole: whether every play was looked at.
    """

    moves: tuple[Move, ...] = ()
    whole: bool = True


def moves(grid: Grid, rack: str, words: WordIndex, tile_set: TileSetLike) -> Iterator[Move]:
    """Yield every legal play once.

    Args:
        grid: the board, with the premium squares of Scrabble.
        rack: the tiles held, `?` for a blank.
        words: the words that are good.
        tile_set: what tiles are worth.
    """
    return chain.from_iterable(_by_line(grid, rack, words, tile_set, _Work()))


def _by_line(
    grid: Grid, rack: str, words: WordIndex, tile_set: TileSetLike, work: _Work
) -> Iterator[list[Move]]:
    """Yield the new plays of each row, then of each column."""
    held = Counter(rack.upper())
    seen: set[tuple[tuple[Square, Tile], ...]] = set()
    for axis in AXES:
        for squares in _lines(grid, axis):
            line = _Line(grid, axis, squares, words, tile_set, work)
            found = [move for move in line.moves(held) if move.tiles not in seen]
            seen.update(move.tiles for move in found)
            yield found


def best_by_line(
    grid: Grid,
    rack: str,
    words: WordIndex,
    tile_set: TileSetLike,
    count: int,
    most: float = math.inf,
) -> Iterator[Best]:
    """Yield the best plays found so far, after each row and column.

    Equal ones come by word and place. A rack with many blanks has no end of plays: who asks may
    go on with something else in between, or say what is enough.

    Args:
        grid: the board, with the premium squares of Scrabble.
        rack: the tiles held, `?` for a blank.
        words: the words that are good.
        tile_set: what tiles are worth.
        count: how many plays are wanted.
        most: how many beginnings of words are looked at.
    """
    work, best = _Work(most), Best()
    for found in _by_line(grid, rack, words, tile_set, work):
        ranked = nsmallest(
            count, (*best.moves, *found), key=lambda m: (-m.score, m.word, m.square, m.axis)
        )
        best = Best(tuple(ranked), work.left > 0)
        yield best


def _lines(grid: Grid, axis: Axis) -> Iterator[tuple[Square, ...]]:
    if axis == "across":
        for row in range(grid.rows):
            yield tuple(Square(row, col) for col in range(grid.cols))
    else:
        for col in range(grid.cols):
            yield tuple(Square(row, col) for row in range(grid.rows))


class _Line:
    """One row or column, with the letters that each square allows."""

    def __init__(
        self,
        grid: Grid,
        axis: Axis,
        squares: tuple[Square, ...],
        words: WordIndex,
        tile_set: TileSetLike,
        work: _Work,
    ) -> None:
        self._work = work
        self._grid = grid
        self._axis = axis
        self._squares = squares
        self._words = words
        self._set = tile_set
        self._there = [grid.get(s) for s in squares]
        self._crossings: Mapping[int, _Crossing] = dict(self._crossed())

    def _crossed(self) -> Iterator[tuple[int, _Crossing]]:
        other: Axis = "down" if self._axis == "across" else "across"
        for place, square in enumerate(self._squares):
            if self._there[place] is not None:
                continue
            before, behind = square.step(other, -1), square.step(other)
            head = self._grid.run_through(before, other).squares if before in self._grid else ()
            tail = self._grid.run_through(behind, other).squares if behind in self._grid else ()
            if not head and not tail:
                continue
            front = "".join(self._grid.tiles[s].letter for s in head)
            back = "".join(self._grid.tiles[s].letter for s in tail)
            good = frozenset(
                x for x in self._words.after(front) if front + x + back in self._words
            )
            value = sum(tile_value(self._grid.tiles[s], self._set) for s in (*head, *tail))
            yield place, _Crossing(good, value)

    def moves(self, held: Counter[str]) -> Iterator[Move]:
        """Yield every play in this line once, from the first square where it touches a tile."""
        free = 0  # squares before an anchor on which a word may begin
        for place in range(len(self._squares)):
            if self._there[place] is not None:
                free = 0
                continue
            if not self._is_anchor(place):
                free += 1
                continue
            if place and self._there[place - 1] is not None:
                yield from self._after_tiles(place, held)
            else:
                yield from self._begun(place, free, "", (), held)
            free = 0

    def _is_anchor(self, place: int) -> bool:
        if not self._grid.tiles:
            return self._squares[place] == CENTRE
        around = (place - 1, place + 1)
        beside = any(0 <= x < len(self._there) and self._there[x] is not None for x in around)
        return beside or place in self._crossings

    def _after_tiles(self, place: int, held: Counter[str]) -> Iterator[Move]:
        begin = place
        while begin and self._there[begin - 1] is not None:
            begin -= 1
        text = "".join(t.letter for t in self._there[begin:place] if t is not None)
        yield from self._extended(begin, place, place, text, (), held)

    def _begun(
        self, anchor: int, free: int, text: str, laid: tuple[bool, ...], held: Counter[str]
    ) -> Iterator[Move]:
        """Yield plays with every prefix that fits before the anchor; `laid` marks blanks."""
        begin = anchor - len(text)
        new = tuple(
            (begin + i, Tile(x, blank=b)) for i, (x, b) in enumerate(zip(text, laid, strict=True))
        )
        yield from self._extended(begin, anchor, anchor, text, new, held)
        if len(text) < free:
            for letter, blank in self._from(held, self._words.after(text)):
                face = UNKNOWN_BLANK if blank else letter
                held[face] -= 1
                yield from self._begun(anchor, free, text + letter, (*laid, blank), held)
                held[face] += 1

    @staticmethod
    def _from(held: Counter[str], letters: Iterable[str]) -> Iterator[tuple[str, bool]]:
        """Yield the rack's letters, each with whether a blank stands for it."""
        for letter in letters:
            if held[letter]:
                yield letter, False
            if held[UNKNOWN_BLANK]:
                yield letter, True

    def _extended(
        self,
        begin: int,
        anchor: int,
        place: int,
        text: str,
        new: tuple[tuple[int, Tile], ...],
        held: Counter[str],
    ) -> Iterator[Move]:
        """Extend to the right; a word ends where no tile follows and the anchor is covered."""
        self._work.left -= 1
        if self._work.left < 0:
            return
        there = self._there[place] if place < len(self._squares) else None
        if there is not None:
            if there.letter in self._words.after(text):
                more = text + there.letter
                yield from self._extended(begin, anchor, place + 1, more, new, held)
            return
        if place > anchor and len(text) > 1 and text in self._words:
            yield self._move(begin, text, new)
        if place >= len(self._squares):
            return
        crossing = self._crossings.get(place)
        for letter, blank in self._from(held, self._words.after(text)):
            if crossing is not None and letter not in crossing.letters:
                continue
            face = UNKNOWN_BLANK if blank else letter
            held[face] -= 1
            laid = (*new, (place, Tile(letter, blank=blank)))
            yield from self._extended(begin, anchor, place + 1, text + letter, laid, held)
            held[face] += 1

    def _move(self, begin: int, text: str, new: tuple[tuple[int, Tile], ...]) -> Move:
        laid = dict(new)
        main, factor, side = 0, 1, 0
        word = ""
        for place in range(begin, begin + len(text)):
            tile = laid.get(place)
            if tile is None:
                lying = self._there[place]
                assert lying is not None
                main += tile_value(lying, self._set)
                word += "."
                continue
            square = self._squares[place]
            value = tile_value(tile, self._set) * letter_factor(square)
            main += value
            factor *= word_factor(square)
            word += tile.text
            if (crossing := self._crossings.get(place)) is not None:
                side += (value + crossing.value) * word_factor(square)
        score = main * factor + side + rack_bonus(len(new))
        tiles = tuple((self._squares[place], tile) for place, tile in new)
        return Move(self._squares[begin], self._axis, word, text, score, tiles)
