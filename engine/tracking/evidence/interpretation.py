"""Finds the plays that a picture can mean, best first; whole plays are weighed, not squares.

A game is asked what a change may have meant, and each meaning is tried; so are letters of blanks.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import islice, product
from typing import Final

from kibitz.engine.board.connection import adrift
from kibitz.engine.board.scoring import RACK_SIZE
from kibitz.engine.phrases import SquareName, phrase
from kibitz.engine.record.blanks import letters_of_blank
from kibitz.engine.record.ledger import Entry, Ledger
from kibitz.engine.record.orders import Step, search_orders
from kibitz.engine.record.trace import TraceRule, cost_of
from kibitz.engine.rules import Accepted, Candidate, Change, Materials, Question, Refused
from kibitz.engine.table import (
    JOINED_SIDE,
    UNKNOWN_BLANK,
    Axis,
    Grid,
    Square,
    Tile,
    tile_from_text,
)
from kibitz.engine.tracking.evidence.changes import BoardView, new_letters
from kibitz.engine.tracking.evidence.hypotheses import TableFacts, name_of, rules_grid
from kibitz.engine.tracking.evidence.priors import PLAYS, SEARCH, PlayPriors, SearchLimits
from kibitz.engine.tracking.questions import Kind


@dataclass(frozen=True, slots=True)
class Laying:
    """New tiles that a picture may show, with their log likelihood ratio against none."""

    tiles: Mapping[Square, str]
    weight: float
    squares: frozenset[Square] = field(default_factory=frozenset)


def best_stretches(
    gain: Mapping[Square, float],
    grid: Grid,
    *,
    limits: SearchLimits = SEARCH,
    least: float = 0.0,
) -> list[tuple[float, frozenset[Square]]]:
    """Sets of new squares in one line, with old tiles between, best first.

    Only sets that agree better with the picture than none of their tiles would.

    Args:
        gain: what a new tile on each square says.
        grid: the tiles that lie there.
        limits: how far is looked.
        least: sets that weigh less need not be found.
    """
    found: dict[frozenset[Square], float] = {}
    for axis in ("across", "down"):
        most = _most_in_line(gain, axis)
        for start, here in gain.items():
            there = most.get(start[axis == "down"])
            if there is None or _too_little(min(here, 0.0) + there, least):
                continue  # nothing of this line makes up for it
            reach = limits.worst_kept
            for squares, weight in _from(start, axis, gain, grid, reach, left=there, least=least):
                if not _too_little(weight, least):
                    found.setdefault(frozenset(squares), weight)
                    least = max(least, weight - limits.worst_kept)
    ranked = sorted(((w, s) for s, w in found.items()), key=lambda x: (-x[0], sorted(x[1])))
    return [item for item in ranked[: limits.tried] if item[0] >= least]


def _too_little(weight: float, least: float) -> bool:
    """True if new tiles fit no better than none, or less than is required."""
    return weight <= 0 or weight < least


def _most_in_line(gain: Mapping[Square, float], axis: str) -> dict[int, float]:
    """Sum of positive gains in each row or column."""
    most: dict[int, float] = {}
    for square, here in gain.items():
        if here > 0:
            line = square[axis == "down"]
            most[line] = most.get(line, 0.0) + here
    return most


def _from(
    start: Square,
    axis: str,
    gain: Mapping[Square, float],
    grid: Grid,
    reach: float,
    *,
    most: int = JOINED_SIDE,
    left: float = math.inf,
    least: float = 0.0,
) -> Iterator[tuple[list[Square], float]]:
    """Yield every stretch from a square to the right or down; the yielded list grows.

    With `left`, the most that the squares of this line may add, those are left out that make no
    more than `least`, or nothing, however far they go on.
    """
    dr, dc = (0, 1) if axis == "across" else (1, 0)
    squares: list[Square] = []
    total = 0.0
    tiles, (row, col) = grid.tiles, start
    while 0 <= row < grid.rows and 0 <= col < grid.cols and len(squares) < most:
        at = (row, col)
        if at not in tiles:
            here = gain.get(at)  # type: ignore[call-overload]  # squares are pairs
            if here is None:
                return
            squares.append(Square(row, col))
            total += here
            if here > 0:
                left -= here
            if total < -reach or _too_little(total + left, least):
                return
            yield squares, total
        row, col = row + dr, col + dc


def layings(
    view: BoardView,
    squares: Iterable[Square],
    *,
    left: Callable[[str], int] | None = None,
    keep: int = SEARCH.tried,
    within: float = math.inf,
    limits: SearchLimits = SEARCH,
    priors: PlayPriors = PLAYS,
) -> list[Laying]:
    """Likeliest letters on some new squares, best first.

    Args:
        view: what the picture shows.
        squares: where the new tiles lie.
        left: how many tiles of a letter (`?` the blanks) may still be laid; more of them count
            as very unlikely, not as impossible (sets are mixed, tiles get lost).
        keep: how many layings to return.
        within: those that agree by so much less than the best are left out.
        limits: how far is looked.
        priors: what one tile too many says.
    """
    order = sorted(squares)
    empty = sum(view.fit(s, None) for s in order)
    choices = [new_letters(view, s, limits) for s in order]
    ranked = best_products(choices, keep * (3 if left else 1), within)
    out = []
    for weight, letters in ranked:
        cost = priors.seldom * _too_many(letters, left) if left else 0.0
        out.append(Laying(dict(zip(order, letters, strict=True)), weight - empty + cost))
    out.sort(key=lambda x: -x.weight)
    return [Laying(x.tiles, x.weight, frozenset(order)) for x in out[:keep]]


def _too_many(letters: Sequence[str], left: Callable[[str], int]) -> int:
    """Number of tiles beyond those that are left."""
    over = 0
    for letter in set(letters):
        if letter != "#":
            over += max(0, letters.count(letter) - max(0, left(letter)))
    return over


def best_products(
    choices: Sequence[Sequence[tuple[float, str]]], keep: int, within: float = math.inf
) -> list[tuple[float, tuple[str, ...]]]:
    """Best combinations of one choice from each list; the lists are sorted, best first.

    Those worse by more than `within` than the best are left out.
    """
    if not choices:
        return []
    start = (0,) * len(choices)
    heap = [(-sum(c[0][0] for c in choices), start)]
    seen = {start}
    out: list[tuple[float, tuple[str, ...]]] = []
    while heap and len(out) < keep:
        weight, at = heapq.heappop(heap)
        if out and -weight < out[0][0] - within:
            break
        out.append((-weight, tuple(c[i][1] for c, i in zip(choices, at, strict=True))))
        for k, index in enumerate(at):
            if index + 1 >= len(choices[k]):
                continue
            following = (*at[:k], index + 1, *at[k + 1 :])
            if following not in seen:
                seen.add(following)
                step = choices[k][index][0] - choices[k][index + 1][0]
                heapq.heappush(heap, (weight + step, following))
    return out


def certain_squares(gain: Mapping[Square, float]) -> frozenset[Square]:
    """Squares where a new tile fits the picture better than none."""
    return frozenset(s for s, g in gain.items() if g > 0)


HIDDEN: Final = 0.5
"""From this probability on a square is more likely hidden than not."""


_STEPS: Final = ((0, 1), (1, 0))


def ends_of(squares: frozenset[Square], grid: Grid) -> frozenset[Square]:
    """Free squares at both ends of a play's line.

    One tile, or tiles in no line, may go on in either direction.
    """
    rows, cols = {s.row for s in squares}, {s.col for s in squares}
    steps = [step for step, line in zip(_STEPS, (rows, cols), strict=True) if len(line) == 1]
    tiles = grid.tiles
    out = set()
    for dr, dc in steps or _STEPS:
        for square in squares:
            for by in (-1, 1):
                row, col = square
                while (row, col) in tiles or (row, col) in squares:
                    row, col = row + by * dr, col + by * dc
                if 0 <= row < grid.rows and 0 <= col < grid.cols:
                    out.add(Square(row, col))
    return frozenset(out)


def open_ends(
    squares: frozenset[Square], grid: Grid, view: BoardView, least: float = HIDDEN
) -> frozenset[Square]:
    """Covered squares where the play of these tiles may go on.

    Args:
        squares: the tiles.
        grid: the tiles that lay there before.
        view: the picture.
        least: from which probability on a square counts as covered.
    """
    return frozenset(s for s in ends_of(squares, grid) if view[s].covered > least)


@dataclass(frozen=True, slots=True)
class Order:
    """Plays in an order that the rules accept.

    Attributes:
        plays: the squares of each.
        ledger: the game with them.
        points: what each scored.
        weight: how likely they are by their words, as `Tried` has it.
        cost: how unlikely people lay them, in nats, as for traced games.
    """

    plays: tuple[frozenset[Square], ...]
    ledger: Ledger
    points: tuple[int, ...] = ()
    weight: float = 0.0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class _Position:
    """Some of the new tiles, after so many plays, with one of the orders that lead there."""

    free: frozenset[Square]
    plays: int
    over: bool
    order: Order = field(compare=False)


def orders_of(
    before: Ledger,
    lying: Grid,
    squares: frozenset[Square],
    change_of: Callable[[frozenset[Square]], Change | None],
    photo: int,
    facts: TableFacts,
    fewest: int = 2,
) -> list[Order]:
    """Orders of as few plays as possible that the rules accept, the likeliest first.

    People photograph every play, and forget one at most.

    Args:
        before: the game without the new tiles.
        lying: the tiles that lay there before.
        squares: every new square.
        change_of: some of them as a change for the rules, None where they are no single play.
        photo: the picture that showed them.
        facts: what kind of table it is.
        fewest: so many plays there are at least.
    """
    limits, most_tiles, priors = facts.priors.search, facts.most_tiles, facts.priors.plays
    known: dict[tuple[frozenset[Square], ...], Order | None] = {(): Order((), before)}

    def attempt(order: Order | None, play: frozenset[Square]) -> Order | None:
        if order is None:
            return None
        made = (*order.plays, play)
        if made not in known:
            change = change_of(play)
            found = change and try_change(order.ledger, change, photo, priors)[0]
            known[made] = _gone_on(order, play, found) if found else None
        return known[made]

    def steps(at: _Position, most: int) -> Iterator[Step[_Position, frozenset[Square]]]:
        free, order = at.free, at.order
        now = lying.with_tiles(dict.fromkeys(squares - free, ANY_TILE))
        apart = adrift(now, free)
        if apart and not any(attempt(order, s) for s in _stretches(apart, now, most_tiles)):
            return  # nothing that is laid later joins them to a tile
        for play in _stretches(free, now, most_tiles):
            left, made = free - play, at.plays + 1
            if _fit_in_lines(left, most - made) and (one := attempt(order, play)):
                over = bool(getattr(one.ledger.state, "over", False))
                cost = (one.cost - one.weight) - (order.cost - order.weight)
                state = _Position(left, made, over, one)
                yield Step(state, len(play), cost, play, hash((made, play)))

    start = _Position(squares, 0, over=False, order=Order((), before))
    limit = limits.looked_through
    width = max(1, limit // len(squares))
    for most in range(fewest, limits.plays_at_once + 1):
        found, _ = search_orders(start, len(squares), partial(steps, most=most), width, limit)
        # a position stood for all that lead to it; now each order is judged as it came about
        judged = [reduce(attempt, ways, known[()]) for _, ways in found[:limit]]
        if orders := [order for order in judged if order]:
            return sorted(orders, key=_likelihood)
    return []


def _gone_on(order: Order, play: frozenset[Square], found: Tried) -> Order:
    """The order with one more play."""
    points = found.ledger.done[-1].verdict.result.get("turn_score")
    score = points if isinstance(points, int) else 0
    return Order(
        (*order.plays, play),
        found.ledger,
        (*order.points, score),
        order.weight + found.weight,
        order.cost + cost_of(min(len(play), RACK_SIZE), score, TraceRule()),
    )


def _likelihood(order: Order) -> tuple[float, float, list[int], list[int], list[list[Square]]]:
    """Sort key of orders: the likeliest first, of equally likely ones that with most points.

    The best places of a board are taken first; where nothing is scored, the longest plays come
    first.
    """
    cost = round(order.cost, 6)  # the same sum in another order differs in its last digits
    points, lengths = [-x for x in order.points], [-len(x) for x in order.plays]
    return -order.weight, cost, points, lengths, [sorted(x) for x in order.plays]


def _fit_in_lines(squares: frozenset[Square], lines: int) -> bool:
    """Whether so many plays, each in one row or column, can hold all these squares."""
    if not squares or not lines:
        return not squares
    first = min(squares)
    return any(
        _fit_in_lines(frozenset(s for s in squares if s[way] != first[way]), lines - 1)
        for way in (0, 1)
    )


ANY_TILE: Final = Tile("A")
"""Stands for a new tile where only its place matters."""


def _stretches(squares: frozenset[Square], grid: Grid, most: int) -> list[frozenset[Square]]:
    """Stretches inside a set of squares, longest first."""
    flat = dict.fromkeys(squares, 0.0)
    found: set[frozenset[Square]] = set()
    for axis in ("across", "down"):
        for start in squares:
            ways = _from(start, axis, flat, grid, SEARCH.worst_kept, most=most)
            found |= {frozenset(s) for s, _ in ways}
    return sorted(found, key=lambda x: (-len(x), sorted(x)))


def log_sum(values: Iterable[float]) -> float:
    """Log of the sum of values given as logs."""
    items = list(values)
    top = max(items, default=-math.inf)
    return top if math.isinf(top) else top + math.log(sum(math.exp(v - top) for v in items))


# --- tried by the rules ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tried:
    """A ledger that accepted a change, with the log weight of that meaning."""

    ledger: Ledger
    weight: float
    candidate: Candidate


def try_change(
    ledger: Ledger, change: Change, photo: int, priors: PlayPriors = PLAYS
) -> tuple[Tried | None, Refused | None]:
    """First meaning of a change that the rules accept, else the first refusal.

    Nothing told in secret refuses what lies on the board: tiles that a told rack lacks show that
    it was told wrongly, and whoever names letters learns from no refusal what others hold.
    """
    refused: Refused | None = None
    for rank, candidate in enumerate(ledger.game.interpret(ledger.state, change)):
        after, problem = _play_all(ledger, candidate, photo)
        if problem is None:
            weight = priors.overruled * rank + word_weight(ledger, after, priors)
            return Tried(after, weight, candidate), None
        refused = refused or problem
    return None, refused


def _play_all(ledger: Ledger, candidate: Candidate, photo: int) -> tuple[Ledger, Refused | None]:
    now = ledger
    for action in candidate.actions:
        now, verdict = now.add(Entry(action, photo), again=True)
        if isinstance(verdict, Refused):
            return ledger, verdict
    return now, None


def may_be_word(word: str, materials: Materials, limits: SearchLimits = SEARCH) -> bool:
    """True if a string is in the list with some letters for its unnamed blanks.

    Where there are more ways to letter them than are looked through, it may be.
    """
    lexicon, letters = materials.lexicon, materials.tile_set.letters
    blanks, tiles = word.count(UNKNOWN_BLANK), materials.tile_set.tiles_in(word)
    if not blanks:
        return materials.is_word(word)
    if blanks == 1:
        before, _, after = tiles.partition(UNKNOWN_BLANK)
        return any(before + x + after in lexicon for x in letters)
    lettered = tiles.replace(UNKNOWN_BLANK, "{}").format
    ways = product(letters, repeat=blanks)
    some = islice(ways, limits.looked_through)
    return any(lettered(*way) in lexicon for way in some) or next(ways, None) is not None


def word_weight(before: Ledger, after: Ledger, priors: PlayPriors = PLAYS) -> float:
    """Log weight of new entries by their words; an unknown word makes a reading doubtful."""
    materials = before.opening.materials
    bad = 0
    for done in after.done[len(before.done) :]:
        for word in words_in(done.verdict):
            bad += not may_be_word(word, materials)
    return priors.bad_word * bad


def has_strange_word(verdict: Accepted, materials: Materials) -> bool:
    """True if a verdict names a word that is not in the list."""
    return any(not may_be_word(w, materials) for w in words_in(verdict))


def words_in(verdict: Accepted) -> tuple[str, ...]:
    """Words that a verdict names, without scores."""
    words = verdict.result.get("words") or ()
    return tuple(str(w["word"]) if isinstance(w, Mapping) else str(w) for w in words)


@dataclass(frozen=True, slots=True)
class Strings:
    """Strings of two or more letters through new squares, whatever their letters (rule 0.3).

    Attributes:
        runs: the squares of each.
        letters: what lies on those that are not new.
    """

    runs: tuple[tuple[Square, ...], ...]
    letters: Mapping[Square, str]

    def bearing(self, laid: Mapping[Square, str]) -> list[str]:
        """The strings with letters on the new tiles."""
        new = {s: tile_from_text(x).letter for s, x in laid.items()}
        letters = {**self.letters, **new}
        return ["".join([letters[s] for s in run]) for run in self.runs]


def strings_on(grid: Grid, squares: Iterable[Square]) -> Strings:
    """Strings through new tiles on some squares."""
    tiles, runs = grid.tiles, tuple(_runs_through(grid, squares))
    return Strings(runs, {s: tiles[s].letter for run in runs for s in run if s in tiles})


def _runs_through(grid: Grid, squares: Iterable[Square]) -> list[tuple[Square, ...]]:
    new = tuple(squares)
    whole = grid.with_tiles(dict.fromkeys(new, ANY_TILE))
    axes: tuple[Axis, Axis] = ("across", "down")
    runs: list[tuple[Square, ...]] = []
    for axis in axes:
        held: set[Square] = set()
        for square in new:
            if square not in held:
                run = whole.run_through(square, axis).squares
                held.update(run)
                if len(run) > 1:
                    runs.append(run)
    return runs


def strange_words(ledger: Ledger, strings: Strings, laid: Mapping[Square, str]) -> int:
    """Number of a play's strings outside the list, read from any side."""
    materials = ledger.opening.materials
    word_of = materials.tile_set.word_of
    missing = [w for w in strings.bearing(laid) if not may_be_word(word_of(w), materials)]
    if not ledger.game.info.surface.facing:
        return len(missing)
    return sum(not may_be_word(word_of(w[::-1]), materials) for w in missing)


def tiles_left(count_of: Mapping[str, int], lying: Iterable[Tile]) -> dict[str, int]:
    """Number of tiles of each letter that are not on the board; `?` are blanks."""
    left = dict(count_of)
    for tile in lying:
        letter = UNKNOWN_BLANK if tile.blank else tile.letter
        left[letter] = left.get(letter, 0) - 1
    return left


def blank_question(ledger: Ledger, laid: Mapping[Square, str], most: int) -> Question | None:
    """Question about the first unnamed blank of a play; None if all are named.

    Args:
        ledger: the game after the play.
        laid: the play's tiles.
        most: letters offered.
    """
    blanks = [s for s in sorted(laid) if laid[s] == UNKNOWN_BLANK]
    if not blanks:
        return None
    square = blanks[0]
    grid = rules_grid(ledger.game, ledger.state)
    if square not in grid:
        return None
    name = name_of(square, grid.rows)
    choices = likely_letters(ledger, grid, square, most)
    prompt = phrase("Which letter is the blank on {square}?", square=SquareName(name))
    return Question(Kind.BLANK, prompt, choices, name)


def likely_letters(
    ledger: Ledger, grid: Grid, square: Square, most: int = SEARCH.offered
) -> tuple[str, ...]:
    """Letters for a blank: those that make only good words, the common ones first."""
    letters = letters_of_blank(ledger.opening, [grid], square)
    return tuple(map(ledger.opening.materials.tile_set.word_of, letters[:most]))
