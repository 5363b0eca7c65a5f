"""Which plays a picture can mean, best first: whole plays are weighed, never single squares.

A play lies in one line without a gap, so every stretch of every line is a possible play; its
weight is the sum of its squares' probabilities against their being empty. The best stretches
are then put to the game, which judges them (`engine.rules.GameRules.decide`).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kibitz.engine.board.connection import adrift
from kibitz.engine.table import JOINED_SIDE, UNKNOWN_BLANK, Grid, Square, Tile
from kibitz.engine.tracking.evidence.changes import TINY, BoardView, fit, ranked_letters
from kibitz.engine.tracking.evidence.priors import PLAYS, SEARCH, PlayPriors, SearchLimits


@dataclass(frozen=True, slots=True)
class Laying:
    """New tiles that a picture may show, and how much they agree better than none."""

    tiles: Mapping[Square, str]
    weight: float
    squares: frozenset[Square] = field(default_factory=frozenset)


def gains(
    view: BoardView,
    grid: Grid,
    lasting: Mapping[Square, float] | None = None,
    limits: SearchLimits = SEARCH,
) -> dict[Square, float]:
    """For each empty square that may hold a new tile: how much better a tile agrees.

    Args:
        view: what the picture shows.
        grid: the tiles that lie there.
        lasting: by how much each square looked like a tile all along while it was empty (see
            `lasting_gains`); what always looked so is no news.
        limits: how far is looked.
    """
    out = {}
    tiles = grid.tiles
    for square, gain in view.possible_tiles:
        if square in tiles:
            continue
        fresh = gain if lasting is None else gain - lasting.get(square, 0.0)
        if fresh > -limits.worst_kept:
            out[square] = fresh
    return out


def lasting_gains(views: Sequence[BoardView], priors: PlayPriors = PLAYS) -> dict[Square, float]:
    """How much squares looked like tiles in every one of the last pictures.

    A reader that takes a print or a glare for a tile does so in each picture of a camera that
    stands still, so the pictures do not add up to more evidence.
    """
    if not views:
        return {}
    out = {}
    for square, seen in views[-1].squares.items():
        if seen.tile >= TINY and not seen.hidden:
            least = min(v.tile_gains[square] for v in views if square in v.squares)
            if least > -priors.clear:
                out[square] = min(priors.most_lasting, least + priors.clear)
    return out


def best_stretches(
    gain: Mapping[Square, float],
    grid: Grid,
    *,
    limits: SearchLimits = SEARCH,
    least: float = 0.0,
) -> list[tuple[float, frozenset[Square]]]:
    """The sets of new squares that lie in one line with old tiles between, best first.

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
    """Whether new tiles agree no better than none, or not as well as they are to."""
    return weight <= 0 or weight < least


def _most_in_line(gain: Mapping[Square, float], axis: str) -> dict[int, float]:
    """What all squares of each row or column that speak for a tile say together."""
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
    """Every stretch that begins at a square and runs right or down; the list grows.

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
    """The likeliest letters on some new squares, best first.

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


def new_letters(
    view: BoardView, square: Square, limits: SearchLimits = SEARCH
) -> list[tuple[float, str]]:
    """What a new tile on a square may show, best first, and how well that agrees."""
    known = view.new_letters.get(square)
    if known is None:
        known = view.new_letters[square] = _letters_on(view, square, limits)
    return known


def _letters_on(view: BoardView, square: Square, limits: SearchLimits) -> list[tuple[float, str]]:
    seen, priors = view[square], view.priors
    if seen.hidden:
        # nothing is known of a tile under a hand; which letter it is must be asked
        return [(fit(seen, Tile(UNKNOWN_BLANK, blank=True), priors), "#")]
    return [
        (fit(seen, seen_tile(x), priors, fresh=True), x)
        for x, _ in ranked_letters(seen, limits.within)
    ]


def _too_many(letters: Sequence[str], left: Callable[[str], int]) -> int:
    """How many tiles more of some letter there are than are left."""
    over = 0
    for letter in set(letters):
        if letter != "#":
            over += max(0, letters.count(letter) - max(0, left(letter)))
    return over


def best_products(
    choices: Sequence[Sequence[tuple[float, str]]], keep: int, within: float = math.inf
) -> list[tuple[float, tuple[str, ...]]]:
    """The best combinations of one choice from each list (each list best first).

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


def seen_tile(letter: str) -> Tile:
    """The tile that a reader's letter stands for."""
    return Tile(letter, blank=letter == UNKNOWN_BLANK)


def certain_squares(gain: Mapping[Square, float]) -> frozenset[Square]:
    """Squares where a new tile agrees better with the picture than none."""
    return frozenset(s for s, g in gain.items() if g > 0)


HIDDEN: Final = 0.5
"""From this probability on a square is more likely hidden than not."""


_STEPS: Final = ((0, 1), (1, 0))


def ends_of(squares: frozenset[Square], grid: Grid) -> frozenset[Square]:
    """The free squares next in the line of a play, before it and after it.

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
    """Covered squares where the play that these tiles belong to may go on.

    Args:
        squares: the tiles.
        grid: the tiles that lay there before.
        view: the picture.
        least: from which probability on a square counts as covered.
    """
    return frozenset(s for s in ends_of(squares, grid) if view[s].covered > least)


def splits(
    squares: frozenset[Square],
    grid: Grid,
    legal: Callable[[tuple[frozenset[Square], ...]], bool],
    *,
    plays: Iterable[int],
    most_tiles: int,
    budget: int,
) -> list[tuple[frozenset[Square], ...]]:
    """The ways to split new tiles into as few consecutive legal plays as can be.

    Args:
        squares: every new square.
        grid: the tiles that lay there before.
        legal: whether a beginning of plays, in this order, is accepted by the game.
        plays: how many there may be, the fewest first: with the first number that will do.
        most_tiles: tiles in one play.
        budget: how often `legal` may be called for each number of plays; what is found by then
            is returned.
    """
    found: list[tuple[frozenset[Square], ...]] = []
    judged: dict[tuple[frozenset[Square], ...], bool] = {}
    spent = 0

    def accepts(sequence: tuple[frozenset[Square], ...]) -> bool:
        nonlocal spent
        if sequence not in judged:
            if spent >= budget:
                return False
            spent += 1
            judged[sequence] = legal(sequence)
        return judged[sequence]

    def search(
        done: tuple[frozenset[Square], ...], rest: frozenset[Square], now: Grid, most: int
    ) -> None:
        if not rest:
            found.append(done)
            return
        if len(done) >= most:
            return
        apart = adrift(now, rest)
        if apart and not any(accepts((*done, s)) for s in _stretches(apart, now, most_tiles)):
            return  # nothing that is laid later joins them to a tile
        for first in _stretches(rest, now, most_tiles):
            sequence = (*done, first)
            if accepts(sequence):
                after = now.with_tiles(dict.fromkeys(first, ANY_TILE))
                search(sequence, rest - first, after, most)

    for most in plays:
        spent = 0
        search((), squares, grid, most)
        if found:
            break
    return found


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
    """Log of a sum of probabilities given as logs."""
    items = list(values)
    top = max(items, default=-math.inf)
    return top if math.isinf(top) else top + math.log(sum(math.exp(v - top) for v in items))
