"""From a finished board back to its game: the orders in which its words can have been laid.

The search goes backwards. From the whole board it takes off what may have been the last play: at
most seven tiles of one line, so that only good words are left and all of them hang together on the
star. Of all positions with equally many tiles the likeliest are followed.

How likely a play is has two parts. A rack of seven holds more choices of few tiles than of many,
and people lay what scores well. Orders that differ only in plays which do not touch each other are
one order. Points that people wrote down leave few of them: then positions before equally many
plays are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import comb, exp, factorial, log, log1p
from operator import itemgetter
from typing import Final, NamedTuple

from kibitz.engine.board.connection import adrift
from kibitz.engine.board.layouts import STANDARD_LAYOUT, Layout
from kibitz.engine.board.notation import gcg_position
from kibitz.engine.board.scoring import RACK_SIZE, rack_bonus, tile_value, word_score
from kibitz.engine.parameters import checked, number
from kibitz.engine.record.orders import Step, search_orders
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import UNKNOWN_BLANK, Grid, Square, Tile
from kibitz.engine.words.formed import AXES, text_of, words_formed


@dataclass(frozen=True, slots=True)
class TraceRule:
    """How far orders are searched, and which plays people choose."""

    orders: int = number(10, "orders", 1, 1000, "how many are told at most")
    positions: int = number(
        2500, "positions", 1, 1_000_000, "how many are looked at; a position takes a millisecond"
    )
    extra_play: float = number(
        1.0, "nats", 0.0, 100.0, "what a play costs that is one more than the words need"
    )
    missing_play: float = number(
        8.0, "nats", 0.0, 100.0, "what it costs where turns leave a play less than the words need"
    )
    plays_off: int = number(
        5, "plays", 0, 100, "how many more or fewer plays than the words need are tried at most"
    )
    bad_word: float = number(
        2.5, "nats", 0.0, 100.0, "what a word costs that is not in the list, as in tracking"
    )
    usual_points: float = number(28.0, "points", 1.0, 100.0, "what half of all plays reach")
    spread_points: float = number(6.0, "points", 0.1, 50.0, "how much plays differ in that")

    def __post_init__(self) -> None:
        """Refuse numbers out of bounds."""
        checked(self)


WIDER: Final = 4
"""So many times the positions are looked at where people know something and no order was found."""


@dataclass(frozen=True, slots=True)
class TracedPlay:
    """One play of an order.

    Attributes:
        tiles: the tiles that it laid, by their squares.
        place: where its main word begins, as `8H` across or `H8` down.
        words: the words that it formed, the main word first, each with its points.
        score: its points, with those for laying seven tiles.
    """

    tiles: Mapping[Square, Tile]
    place: str
    words: tuple[tuple[str, int], ...]
    score: int

    @property
    def word(self) -> str:
        """The main word."""
        return self.words[0][0]


@dataclass(frozen=True, slots=True)
class TracedOrder:
    """One order in which a board can have been laid.

    Attributes:
        plays: from the first to the last.
        share: how likely it is among those that were found, from 0 to 1.
    """

    plays: tuple[TracedPlay, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Trace:
    """The orders in which a board can have been laid, the likeliest first.

    Attributes:
        orders: what was found; two never differ only in plays that do not touch each other.
        count: how many there are, where all were found; else None.
        why: without orders: what forbids them, or that the search was too short.
    """

    orders: tuple[TracedOrder, ...]
    count: int | None
    why: str = ""


class _Removal(NamedTuple):
    """What may have been the last play on a position.

    Attributes:
        left: the position without it, as a bit for each square.
        tiles: what it laid, likewise.
        zone: all squares of the words that it formed, likewise.
        words: its main word; of a single tile, each word that it made.
        score: its points.
        bad: how many words it leaves that are not in the list and were not seen with it.
    """

    left: int
    tiles: int
    zone: int
    words: tuple[str, ...]
    score: int
    bad: int


_Found = tuple[float, tuple[_Removal, ...]]
"""An order: its cost in nats, and its plays, the last one first."""
_State = tuple[int, int | None]
"""A position, and how many plays led to it; None while no play after it is known by its turn."""


def trace_orders(
    grid: Grid,
    is_word: Callable[[str], bool],
    tile_set: TileSetLike,
    *,
    turns: Mapping[int, str] | None = None,
    points: Sequence[int | None] = (),
    layout: Layout = STANDARD_LAYOUT,
    rule: TraceRule | None = None,
) -> Trace:
    """The orders in which the rules allow a board of Scrabble to have been laid (CL-4 to CL-11).

    Words that lie on the finished board count as good. Where no order has good words only, others
    are allowed, each at a price.

    Args:
        grid: the board, with a letter on every tile.
        is_word: whether some letters are a word.
        tile_set: what tiles are worth, and how many there are.
        turns: what people remember: the main words of some plays, by their number from 1; they are
            good words.
        points: those of all plays, in their order, where people know how many there were; None
            is a play of which they do not know them.
        layout: the board's premium squares.
        rule: how far orders are searched.
    """
    why = _impossible(grid, tile_set, layout)
    if why:
        return Trace((), 0, why)
    told = {turn: tile_set.tiles_in(word) for turn, word in (turns or {}).items()}
    rule = rule or TraceRule()
    # few positions are left by what is known, so that more can be looked at
    tries = [1, WIDER] if told or points else [1]
    found: list[_Found] = []
    complete = False
    for bad, wider in product((0, 1), tries):  # bad words take time, so only where they must be
        if not found and not (wider > 1 and complete):
            search = _Search(grid, is_word, tile_set, layout, rule, told, points, bad)
            found, complete = search.run(wider)
    count = len(found) if complete else None
    if found:
        return Trace(_told(found, rule.orders, grid, tile_set, layout), count)
    if count is None:
        why = "No order was found in the time allowed: look at more positions."
    elif told or points:
        why = "No order agrees with what was said of its plays."
    else:
        why = "No order of plays leads to this board with these words."
    return Trace((), count, why)


def _impossible(grid: Grid, tile_set: TileSetLike, layout: Layout) -> str:
    """The reason why nobody can have laid a board, as far as a look at it tells; else empty."""
    if len(grid.tiles) < 2:
        return "There are no two tiles on this board."
    if layout.star not in grid:
        return f"Nothing lies on the star, {layout.star.name}."
    first = grid.without(set(grid.tiles) - {layout.star})
    loose = adrift(first, set(grid.tiles) - {layout.star})
    if loose:
        return f"The tile on {min(loose).name} hangs on no other word."
    lying = [("?" if t.blank else t.letter) for t in grid.tiles.values()]
    for letter in sorted(set(lying)):
        held = tile_set.count(letter)
        if lying.count(letter) > held:
            return f"{lying.count(letter)} tiles show {letter}, and the set has {held}."
    return ""


class _Search:
    """Positions of one board, looked at from the whole board back to the first play."""

    def __init__(
        self,
        grid: Grid,
        is_word: Callable[[str], bool],
        tile_set: TileSetLike,
        layout: Layout,
        rule: TraceRule,
        turns: Mapping[int, str],
        points: Sequence[int | None],
        most_bad: int,
    ) -> None:
        self.rule = rule
        self._most_bad = most_bad
        self._turns = turns
        self._by_plays = False
        self._points = points
        self._grid = grid
        self._side = n = grid.rows
        squares = [Square(row, col) for row in range(n) for col in range(n)]
        tiles = [grid.get(s) for s in squares]
        self._value = [tile_value(t, tile_set) if t else 0 for t in tiles]
        self._letter_factor = [layout.letter_factor(s) for s in squares]
        self._word_factor = [layout.word_factor(s) for s in squares]
        # which square is a place in a row, and which in a column
        rows_of_squares = [list(range(n * line, n * line + n)) for line in range(n)]
        self._squares = rows_of_squares, [list(x) for x in zip(*rows_of_squares, strict=True)]
        self._star = 1 << layout.star.row * n + layout.star.col
        column = sum(1 << (row * n) for row in range(n))
        self._not_first, self._not_last = ~column, ~(column << (n - 1))
        rows = [
            "".join(t.letter if (t := grid.get(Square(r, c))) else "." for c in range(n))
            for r in range(n)
        ]
        self._text = rows, ["".join(row[c] for row in rows) for c in range(n)]
        self._shown = {text_of(grid, run) for run in grid.runs()} | set(turns.values())
        self._told_places = {turn: list(self._lying(word)) for turn, word in turns.items()}
        self._is_word = is_word
        self._bad: dict[tuple[int, int, int], frozenset[tuple[int, int]]] = {}
        self._choices: dict[tuple[int, ...], list[tuple[int, int, int, int]]] = {}
        self._runs: dict[int, list[tuple[int, int]]] = {}
        self._words: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
        self._word_costs: dict[tuple[int, int], float] = {}

    def run(self, wider: int) -> tuple[list[_Found], bool]:
        """Orders with what each costs in nats, the cheapest first, and whether these are all.

        Args:
            wider: how many times the positions of the rule are looked at.
        """
        whole = sum(1 << s.row * self._grid.rows + s.col for s in self._grid.tiles)
        counts: Sequence[int | None] = [len(self._points) or None]
        if wider > 1 and not self._points:  # words by their turns tell most where turns are known
            about = self._to_come(whole)[1]
            low = max(*self._turns, about - self.rule.plays_off)
            counts = range(low, max(low, about + self.rule.plays_off) + 1)
        budget = wider * self.rule.positions // (1 + self._most_bad) // len(counts)
        found: list[_Found] = []
        complete = True
        for count in counts:
            self._by_plays = count is not None
            total = count or len(self._grid.tiles)
            orders, every = search_orders(
                (whole, count),
                total,
                self._steps,
                max(1, budget // total),
                self.rule.orders,
                self._come,
            )
            found += orders
            complete = complete and every
        return sorted(found, key=itemgetter(0)), complete and len(counts) == 1

    def _steps(self, state: _State) -> Iterator[Step[_State, _Removal]]:
        """Every play that may have been the last one on a position, with what is then left."""
        position, turn = state
        for last in self._removals(position):
            size = last.tiles.bit_count()
            cost = cost_of(size, last.score, self.rule) + last.bad * self.rule.bad_word
            own = hash(last[1:5])
            # where their number is known, positions before equally many plays are compared
            depth = 1 if self._by_plays else size
            for before in self._before(turn, last):
                yield Step((last.left, before), depth, cost, last, own)

    def _before(self, turn: int | None, last: _Removal) -> Iterator[int | None]:
        """How many plays can have come before one, where the words told have their turns.

        Args:
            turn: the play's number, None where it comes after the last one that was told.
            last: the play.
        """
        told, left = self._turns, last.left.bit_count()
        latest = max(told, default=0)
        could: list[int | None] = [None]
        if turn is not None:
            said = turn not in told or told[turn] in last.words
            said = said and (not self._points or self._points[turn - 1] in (None, last.score))
            could = [turn - 1] if said else []
        elif told.get(latest) in last.words:
            could.append(latest - 1)
        for count in could:
            least = latest if count is None else count
            most = left if count is None else RACK_SIZE * count
            if (least < left <= most or not (left or least)) and all(
                any(x & ~last.left == 0 for x in places)
                for due, places in self._told_places.items()
                if due <= least
            ):
                yield count

    def _lying(self, word: str) -> Iterator[int]:
        """Where a word lies on the whole board, as a bit for each square."""
        for axis, lines in enumerate(self._text):
            for line, text in enumerate(lines):
                first = text.find(word)
                while first >= 0:
                    yield sum(1 << s for s in self._squares[axis][line][first : first + len(word)])
                    first = text.find(word, first + 1)

    def _come(self, state: _State) -> float:
        """Estimated cost in nats of the plays before a position, extra ones included."""
        position, turn = state
        cost, plays = self._to_come(position)
        count = max(plays, *self._turns, 0) if turn is None else turn
        extra = count - plays
        return cost + max(extra * self.rule.extra_play, -extra * self.rule.missing_play)

    def _to_come(self, position: int) -> tuple[float, int]:
        """Estimated cost in nats of the plays before a position, and their number.

        As if words were laid whole, the longest first.
        """
        words: list[tuple[int, int]] = []
        for axis, lines in enumerate(self._lines(position)):
            for line, bits in enumerate(lines):
                if bits:
                    words += self._words_in(axis, line, bits)
        words.sort(key=itemgetter(0), reverse=True)
        laid, cost, plays = 0, 0.0, 0
        for _, word in words:
            new = word & ~laid
            if new:
                laid |= word
                plays += 1
                cost += self._cost_of_word(word, new)
        return cost, plays

    def _words_in(self, axis: int, line: int, bits: int) -> list[tuple[int, int]]:
        """The words of a line: how long each is, and where it lies, as a bit for each square."""
        key = axis, line, bits
        found = self._words.get(key)
        if found is None:
            squares = self._squares[axis][line]
            found = self._words[key] = [
                (end - first, sum(1 << s for s in squares[first:end]))
                for first, end in self._runs_of(bits)
                if end - first > 1
            ]
        return found

    def _cost_of_word(self, word: int, new: int) -> float:
        """What it costs to lay a word, of which some squares are new, in a play of its own."""
        key = word, new
        cost = self._word_costs.get(key)
        if cost is None:
            laid = list(_places(new))[:RACK_SIZE]
            points, factor = sum(self._value[s] for s in _places(word)), 1
            for square in laid:
                points += self._value[square] * (self._letter_factor[square] - 1)
                factor *= self._word_factor[square]
            score = points * factor + rack_bonus(len(laid))
            cost = self._word_costs[key] = cost_of(len(laid), score, self.rule)
        return cost

    def _removals(self, position: int) -> Iterator[_Removal]:
        """Every play that may have been the last one on a position."""
        lines = self._lines(position)
        for axis in (0, 1):
            across = lines[1 - axis]
            for line, bits in enumerate(lines[axis]):
                if not bits:
                    continue
                loose = dear = 0
                for place in _places(bits):
                    bad = self._left_bad(1 - axis, place, across[place], 1 << line)
                    loose |= (not bad) << place
                    dear |= (0 < bad <= self._most_bad) << place
                for tiles, first, end, bad in self._choices_in(axis, line, bits, loose, dear):
                    # a single tile has one main word, across where it has two
                    if axis and not tiles & (tiles - 1):
                        beside = self._run_around(lines[0][tiles.bit_length() - 1], line)
                        if beside[1] - beside[0] > 1:
                            continue
                    last = self._removal(position, axis, line, tiles, (first, end), across, bad)
                    if last is not None:
                        yield last

    def _choices_in(
        self, axis: int, line: int, bits: int, loose: int, dear: int
    ) -> list[tuple[int, int, int, int]]:
        """Tiles of one word in a line that can go, where it begins and ends, and bad words left.

        Of these there is one at most, at an end of the word or across it.

        Args:
            axis: 0 across, 1 down.
            line: its number.
            bits: where tiles lie in it.
            loose: those of which the crossing words stay good without them.
            dear: those that leave one crossing word that is not.
        """
        key = axis, line, bits, loose, dear
        found = self._choices.get(key)
        if found is None:
            found = self._choices[key] = []
            for first, end in self._runs_of(bits):
                if end - first < 2:
                    continue
                able = [1 << k for k in range(first, end) if loose >> k & 1]
                others = [0, *(1 << k for k in range(first, end) if dear >> k & 1)]
                for size, other in product(range(RACK_SIZE + 1), others):
                    for chosen in combinations(able, size - bool(other)) if size else ():
                        tiles = sum(chosen) | other
                        bad = bool(other) + self._left_bad(axis, line, bits, tiles)
                        rest = bits & ~tiles & ((1 << end) - (1 << first))
                        whole = bool(other) or len(self._runs_of(rest)) < 2
                        if not bad or (whole and bad <= self._most_bad):
                            found.append((tiles, first, end, bad))
        return found

    def _removal(
        self,
        position: int,
        axis: int,
        line: int,
        tiles: int,
        word: tuple[int, int],
        across: Sequence[int],
        bad: int,
    ) -> _Removal | None:
        """A last play with its points (CL-8 to CL-10); None where it leaves no position.

        Args:
            position: what lies there with it.
            axis: 0 across, 1 down.
            line: its number.
            tiles: what it laid in the line.
            word: where its main word begins and ends.
            across: where tiles lie in the lines that cross it.
            bad: how many bad words it leaves.
        """
        squares = self._squares[axis][line]
        laid = sum(1 << squares[place] for place in _places(tiles))
        if not self._hangs_together(position & ~laid, laid):
            return None
        words = [self._text[axis][line][word[0] : word[1]]]
        main = side = zone = 0
        factor = 1
        for place in range(*word):
            square = squares[place]
            zone |= 1 << square
            value = self._value[square]
            if tiles >> place & 1:
                value *= self._letter_factor[square]
                factor *= self._word_factor[square]
                first, end = self._run_around(across[place], line)
                if end - first > 1:
                    others = value - self._value[square]
                    if tiles.bit_count() == 1:
                        words.append(self._text[1 - axis][place][first:end])
                    for beside in self._squares[1 - axis][place][first:end]:
                        zone |= 1 << beside
                        others += self._value[beside]
                    side += others * self._word_factor[square]
            main += value
        score = main * factor + side + rack_bonus(laid.bit_count())
        return _Removal(position & ~laid, laid, zone, tuple(words), score, bad)

    def _hangs_together(self, left: int, laid: int) -> bool:
        """Whether what a play leaves could lie there: all on the star, or nothing (CL-4)."""
        n = self._side
        if not left:
            return bool(laid & self._star) and laid.bit_count() > 1
        across = (left & self._not_last) << 1 | (left & self._not_first) >> 1
        if left & ~(across | left << n | left >> n):
            return False  # a tile lies alone
        reach, found = 0, self._star & left
        while found != reach:
            reach = found
            for _ in range(3):
                beside = (found & self._not_last) << 1 | (found & self._not_first) >> 1
                found = (found | found << n | found >> n | beside) & left
        return reach == left

    def _left_bad(self, axis: int, line: int, bits: int, tiles: int) -> int:
        """Number of bad words that a line has only without some of its tiles."""
        return len(self._bad_in(axis, line, bits & ~tiles) - self._bad_in(axis, line, bits))

    def _bad_in(self, axis: int, line: int, bits: int) -> frozenset[tuple[int, int]]:
        """The words in a line that are not in the list, by their places."""
        key = axis, line, bits
        known = self._bad.get(key)
        if known is None:
            text = self._text[axis][line]
            known = self._bad[key] = frozenset(
                (first, end)
                for first, end in self._runs_of(bits)
                if end - first > 1
                and text[first:end] not in self._shown
                and not self._is_word(text[first:end])
            )
        return known

    def _runs_of(self, bits: int) -> list[tuple[int, int]]:
        """Where tiles lie beside each other in a line: the first place, and one past the last."""
        found = self._runs.get(bits)
        if found is None:
            found = self._runs[bits] = []
            places = list(_places(bits))
            for place in places:
                if found and found[-1][1] == place:
                    found[-1] = found[-1][0], place + 1
                else:
                    found.append((place, place + 1))
        return found

    def _run_around(self, bits: int, place: int) -> tuple[int, int]:
        """The one that holds a place."""
        for run in self._runs_of(bits):
            if place < run[1]:
                return run
        raise AssertionError

    def _lines(self, position: int) -> tuple[list[int], list[int]]:
        """Where tiles lie in each row, and in each column."""
        n = self._side
        rows = [position >> (row * n) & ((1 << n) - 1) for row in range(n)]
        columns = [0] * n
        for row, bits in enumerate(rows):
            for column in _places(bits):
                columns[column] |= 1 << row
        return rows, columns


def _places(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def cost_of(size: int, score: int, rule: TraceRule) -> float:
    """How unlikely a play is, in nats, up to what is the same for all orders of a board.

    A rack holds some tiles in as many ways as they can be taken out of seven; and the more a play
    scores, the more often it is the one that is chosen.
    """
    ways = comb(RACK_SIZE, size) * factorial(size)
    return log1p(exp((rule.usual_points - score) / rule.spread_points)) - log(ways)


def _told(
    found: Sequence[_Found],
    most: int,
    grid: Grid,
    tile_set: TileSetLike,
    layout: Layout,
) -> tuple[TracedOrder, ...]:
    """The likeliest orders as they are told; `found` has all, each with its cost in nats."""
    least = found[0][0]
    weights = [exp(least - cost) for cost, _ in found]
    return tuple(
        TracedOrder(tuple(_replayed(history, grid, tile_set, layout)), weight / sum(weights))
        for weight, (_, history) in zip(weights[:most], found[:most], strict=True)
    )


def _replayed(
    history: tuple[_Removal, ...], grid: Grid, tile_set: TileSetLike, layout: Layout
) -> Iterator[TracedPlay]:
    """An order's plays with their words and points, laid one after the other."""
    lying = Grid(grid.rows, grid.cols)
    for play in reversed(history):
        tiles = {
            s: t for s, t in grid.tiles.items() if play.tiles >> (s.row * grid.rows + s.col) & 1
        }
        lying = lying.with_tiles(tiles)
        runs = words_formed(lying, tiles)
        words = tuple(
            (
                tile_set.word_of(text_of(lying, run)),
                word_score(lying, run, set(tiles), tile_set, layout=layout),
            )
            for run in runs
        )
        yield TracedPlay(
            tiles,
            gcg_position(runs[0].squares[0], runs[0].axis),
            words,
            sum(points for _, points in words) + rack_bonus(len(tiles)),
        )


def named_blanks(
    grid: Grid, is_word: Callable[[str], bool], tile_set: TileSetLike
) -> tuple[Grid, dict[Square, tuple[str, ...]]]:
    """A board on which blanks have the only letter that makes their words good.

    Args:
        grid: the board; blanks without a letter have `?`.
        is_word: whether some letters are a word.
        tile_set: the letters that a blank can stand for.

    Returns:
        It, and the blanks that have no such letter, each with the letters that it can stand for.
    """
    unnamed: dict[Square, tuple[str, ...]] = {}
    for square, tile in sorted(grid.tiles.items()):
        if tile.letter != UNKNOWN_BLANK:
            continue
        could = []
        for letter in tile_set.letters:
            lying = grid.with_tiles({square: replace(tile, letter=letter)})
            words = (text_of(lying, lying.run_through(square, axis)) for axis in AXES)
            if all(len(word) < 2 or UNKNOWN_BLANK in word or is_word(word) for word in words):
                could.append(letter)
        if len(could) == 1:
            grid = grid.with_tiles({square: replace(tile, letter=could[0])})
        else:
            unnamed[square] = tuple(could)
    return grid, unnamed
