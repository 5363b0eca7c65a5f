"""What a picture says of each square, and how well a position agrees with it.

Nothing here decides: probabilities are kept until `engine.interpretation` weighs whole plays.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from kibitz.engine.table import UNKNOWN_BLANK, Grid, Square, Tile

FLOOR = 1e-4
"""Probabilities below this say nothing: readers are overconfident."""

MISREAD = 0.2
"""How often a letter is taken for another one, however sure the reader says it is."""

LETTERS = 27
"""About how many letters a tile may be taken for."""

MISSED = 0.002
"""How often a tile is not seen, or seen where there is none."""


@dataclass(frozen=True, slots=True)
class SquareView:
    """What one square looks like, as probabilities.

    `empty`, `tile`, `marker` and `covered` add up to one. `letters` and `turns` are given that
    a tile lies there; `?` among the letters is a blank. `colour` names the tile set.
    """

    empty: float
    tile: float = 0.0
    marker: float = 0.0
    covered: float = 0.0
    letters: Mapping[str, float] = field(default_factory=dict)
    turns: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    colour: str = "a"

    @property
    def hidden(self) -> bool:
        """Whether the square most likely cannot be seen."""
        return self.covered > 0.5

    def best_letter(self) -> str:
        """The most probable letter of the tile that may lie here."""
        return max(self.letters, key=lambda x: self.letters[x], default=UNKNOWN_BLANK)


@dataclass(frozen=True)
class BoardView:
    """One board as one picture shows it: every square has a view.

    `alike` says of each tile whose letter is doubtful how far the others look like it, at most 1,
    and under its own square how far tiles of one letter look alike on this board.
    """

    rows: int
    cols: int
    squares: Mapping[Square, SquareView]
    markers: tuple[tuple[Square, ...], ...] = ()
    alike: Mapping[Square, Mapping[Square, float]] = field(default_factory=dict)

    def __getitem__(self, square: Square) -> SquareView:
        return self.squares[square]

    @cached_property
    def tile_gains(self) -> Mapping[Square, float]:
        """`tile_gain` of every square, counted when first asked for, as each position asks."""
        return _Gains(self.squares)

    def take_over_gains(self, before: BoardView) -> None:
        """Do not count again where a square's view is the same as in a view before."""
        old, new = before.squares, self.squares
        known = {s: g for s, g in before.tile_gains.items() if new.get(s) is old[s]}
        self.__dict__["tile_gains"] = _Gains(new, known)

    @cached_property
    def possible_tiles(self) -> tuple[tuple[Square, float], ...]:
        """Squares that may hold a tile, with their `tile_gain`; of no other is it above 0."""
        gains = self.tile_gains
        return tuple((s, gains[s]) for s, v in self.squares.items() if v.tile >= FLOOR)

    @cached_property
    def new_letters(self) -> dict[Square, list[tuple[float, str]]]:
        """What a new tile on a square may show, for those squares where somebody asked."""
        return {}

    def hidden_squares(self) -> frozenset[Square]:
        """Squares that cannot be seen now."""
        return frozenset(s for s, v in self.squares.items() if v.hidden)


class _Gains(dict[Square, float]):
    """`tile_gain` of squares."""

    def __init__(
        self, views: Mapping[Square, SquareView], known: Mapping[Square, float] | None = None
    ) -> None:
        super().__init__(known or {})
        self._views = views

    def __missing__(self, square: Square) -> float:
        gain = self[square] = tile_gain(self._views[square])
        return gain


def looks_like(tile: Tile) -> str:
    """The letter that a reader sees on a tile: a blank has a bare face."""
    return UNKNOWN_BLANK if tile.blank else tile.letter


def fit(
    view: SquareView, tile: Tile | None, *, turned: bool = False, fresh: bool = False
) -> float:
    """Log of how well a content agrees with a view; a hidden square agrees with anything.

    Args:
        view: what the square looks like.
        tile: the content, None for no tile.
        turned: whether the tile's quarter turn counts as evidence.
        fresh: whether the tile would be new: those lie on ship cards, not under them.
    """
    # a ship card hides an empty square and, laid over a tile, the tile too
    unseen = view.covered if fresh and tile is not None else view.covered + view.marker
    if tile is None:
        return math.log(min(1.0, view.empty + unseen + _imagined(view)))
    sign = looks_like(tile)
    seen = (view.tile + MISSED) * _doubted(view.letters.get(sign, 0.0))
    if turned and sign != UNKNOWN_BLANK:
        seen *= 0.98 * view.turns[tile.turn % 4] + 0.005
    return math.log(min(1.0, seen + unseen))


def tile_gain(view: SquareView) -> float:
    """How much better a new tile (any letter) agrees with a view than no tile does."""
    if view.hidden:
        return 0.0
    tile = min(1.0, view.tile + view.covered + MISSED)
    none = min(1.0, view.empty + view.covered + view.marker + _imagined(view))
    return math.log(tile) - math.log(none)


def _imagined(view: SquareView) -> float:
    """How often an empty square looks like this: seldom like a tile with just this letter."""
    return MISSED * (1.0 - 0.95 * view.tile)


def agreement(
    view: BoardView, grid: Grid, squares: Iterable[Square], *, turned: bool = False
) -> float:
    """Log of how well a position agrees with a picture on some squares."""
    return sum(fit(view[s], grid.get(s), turned=turned) for s in squares)


def ranked_letters(view: SquareView, within: float = 6.0) -> list[tuple[str, float]]:
    """Letters that a tile may bear, best first, with their log probabilities.

    Letters that are `within` (in natural logs) of the best are listed.
    """
    logs = sorted(((math.log(p + FLOOR), x) for x, p in view.letters.items()), reverse=True)
    if not logs:
        return [(UNKNOWN_BLANK, 0.0)]
    return [(x, value) for value, x in logs if value >= logs[0][0] - within]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a picture speaks against a position; each value is how strongly (natural logs)."""

    appeared: Mapping[Square, float]
    vanished: Mapping[Square, float]
    altered: Mapping[Square, float]
    turned: Mapping[Square, float]

    @property
    def empty(self) -> bool:
        """Whether the picture shows just the position."""
        return not (self.appeared or self.vanished or self.altered or self.turned)


def differences(view: BoardView, grid: Grid, *, turned: bool = False) -> Difference:
    """Compare a picture with a position, square by square.

    Only squares where another content agrees better than the position's are listed.
    """
    vanished, altered, rotated = {}, {}, {}
    appeared = {s: gain for s, gain in view.possible_tiles if gain > 0 and s not in grid}
    for square, tile in grid.tiles.items():
        seen = view[square]
        here = fit(seen, tile)
        if (gone := fit(seen, None) - here) > 0 and seen.empty > seen.tile:
            vanished[square] = gone
            continue
        best = Tile(seen.best_letter(), blank=seen.best_letter() == UNKNOWN_BLANK)
        if (other := fit(seen, best) - here) > 0:
            altered[square] = other
        if turned and (lean := turn_gain(seen, tile)) > 0:
            rotated[square] = lean
    return Difference(appeared, vanished, altered, rotated)


def turn_gain(view: SquareView, tile: Tile) -> float:
    """How much better the opposite way round agrees than the way the tile is known to lie."""
    if view.hidden or looks_like(tile) == UNKNOWN_BLANK or view.tile < 0.5:
        return 0.0
    now, other = view.turns[tile.turn % 4], view.turns[(tile.turn + 2) % 4]
    return math.log(other + 0.01) - math.log(now + 0.01)


def fused(views: Iterable[SquareView]) -> SquareView:
    """Several views of a square that held the same all the time, as one.

    Hidden views say nothing and are left out; without any other the last one is returned.
    """
    seen: list[SquareView] = []
    last = SquareView(empty=1.0)
    for view in views:
        last = view
        if not view.hidden:
            seen.append(view)
    if not seen:
        return last
    if len(seen) == 1:
        return seen[0]
    kinds = _product([(v.empty, v.tile, v.marker) for v in seen])
    names = sorted({x for v in seen for x in v.letters})
    letters = _product([tuple(_doubted(v.letters.get(x, 0.0)) for x in names) for v in seen])
    turns = _product([v.turns for v in seen])
    return SquareView(
        empty=kinds[0],
        tile=kinds[1],
        marker=kinds[2],
        letters=dict(zip(names, letters, strict=True)),
        turns=(turns[0], turns[1], turns[2], turns[3]),
        colour=seen[-1].colour,
    )


def _doubted(probability: float) -> float:
    """A letter's probability with a share for readers that are sure and wrong."""
    return (1 - MISREAD) * probability + MISREAD / LETTERS


def _product(rows: list[tuple[float, ...]]) -> list[float]:
    """Multiply probabilities column by column and make them add up to one again."""
    logs = [sum(math.log(row[i] + FLOOR) for row in rows) for i in range(len(rows[0]))]
    top = max(logs, default=0.0)
    weights = [math.exp(x - top) for x in logs]
    total = sum(weights)
    return [w / total for w in weights]


def turned_square(square: Square, size: int, quarters: int) -> Square:
    """Where a square comes to lie when the whole board is turned clockwise."""
    r, c = square
    for _ in range(quarters % 4):
        r, c = c, size - 1 - r
    return Square(r, c)


def turned(seen: SquareView, quarters: int) -> SquareView:
    """A square when the whole board is turned clockwise by quarter turns."""
    t, k = seen.turns, quarters % 4
    if k == 0:
        return seen
    around = (t[-k % 4], t[(1 - k) % 4], t[(2 - k) % 4], t[(3 - k) % 4])
    return SquareView(
        seen.empty, seen.tile, seen.marker, seen.covered, seen.letters, around, seen.colour
    )


def turned_view(view: BoardView, quarters: int) -> BoardView:
    """The same picture with another edge taken as row A.

    Args:
        view: a square board.
        quarters: clockwise quarter turns of the whole board; the first row becomes the last
            column after one.
    """
    n, k = view.rows, quarters % 4

    def place(square: Square) -> Square:
        return turned_square(square, n, k)

    if k == 0:
        return view
    squares = {place(s): turned(v, k) for s, v in view.squares.items()}
    markers = tuple(tuple(sorted(place(s) for s in m)) for m in view.markers)
    alike = {place(s): {place(o): x for o, x in to.items()} for s, to in view.alike.items()}
    return BoardView(n, n, squares, markers, alike)
