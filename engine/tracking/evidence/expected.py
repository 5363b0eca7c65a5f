"""What the rules want on a board, and what was last seen there, in a camera's terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from kibitz.engine.record.ledger import Ledger
from kibitz.engine.rules import GameRules, Refused
from kibitz.engine.table import (
    EMPTY,
    UNKNOWN_BLANK,
    Grid,
    Square,
    Tile,
    grid_from_rows,
    square_named,
)
from kibitz.engine.tracking.evidence.hypotheses import Hypothesis

NORTH_TURN: Final = 2


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected on one board before a picture is looked at.

    Attributes:
        rules: the tiles that should lie there by the rules.
        lying: the tiles that were last seen there; exploded ones stay until they are lifted.
    """

    rules: Grid
    lying: Grid


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be done on a table.

    Attributes:
        kind: `lift`, `turn`, `lay_card`, or `refused` for tiles that make no play.
        squares: where, as people name squares.
        refused: why the tiles make no play.
        read: the letters read on them.
    """

    kind: str
    squares: tuple[str, ...]
    refused: Refused | None = None
    read: tuple[str, ...] = ()


def rules_grid(game: GameRules[Any], state: Any) -> Grid:
    """The board that the rules expect now; empty for a game that has none yet."""
    return _grid_of(_Told(game, state))


class _Told:
    """A game and its state as a key of the cache: equal if they are the same objects.

    States never change, so what was worked out for one holds as long as it exists.
    """

    __slots__ = ("game", "state")

    def __init__(self, game: GameRules[Any], state: Any) -> None:
        self.game, self.state = game, state

    def __hash__(self) -> int:
        return id(self.state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Told):
            return False
        # of two boards, rules show one each
        return self.state is other.state and self.game is other.game


@lru_cache(maxsize=64)
def _grid_of(told: _Told) -> Grid:
    game = told.game
    view = game.view(told.state, None)
    rows = view.get("board45") or view.get("board")
    if not rows:
        surface = game.info.surface
        return Grid(surface.rows, surface.cols)
    if game.info.surface.facing:
        return facing_grid(rows, view.get("blanks") or ())
    return grid_from_rows(rows)


def facing_grid(rows: Iterable[str], blanks: Iterable[str] = ()) -> Grid:
    """A Scrabble House board: capitals are upright for South, small letters for North (0.2)."""
    lines = list(rows)
    tiles = {}
    bare = set(blanks)
    for r, line in enumerate(lines):
        for c, char in enumerate(line):
            if char != EMPTY:
                square = Square(r, c)
                turn = NORTH_TURN if char.islower() else 0
                blank = char == UNKNOWN_BLANK or square.name in bare
                tiles[square] = Tile(char.upper(), blank=blank, turn=turn)
    return Grid(len(lines), len(lines[0]) if lines else 0, tiles)


def name_of(square: Square, size: int) -> str:
    """`H8`, or `2:H8` on the nine joined boards."""
    return square.name_on(size)


def tiles_json(tiles: Mapping[Square, str], size: int) -> dict[str, str]:
    """Squares to letters as a play names them, in reading order."""
    return {name_of(s, size): tiles[s] for s in sorted(tiles)}


def text_rows(grid: Grid, *, facing: bool) -> list[str]:
    """A board as text; with `facing` North's tiles are small letters."""
    if not facing:
        return list(grid.text_rows())
    rows = [[EMPTY] * grid.cols for _ in range(grid.rows)]
    for (row, col), tile in grid.tiles.items():
        rows[row][col] = tile.letter.lower() if tile.turn == NORTH_TURN else tile.letter
    return ["".join(row) for row in rows]


def lying_from(rows: Iterable[str], rules: Grid, *, facing: bool) -> Grid:
    """A position kept as text; what the text leaves out of a tile the rules still know."""
    grid = facing_grid(rows) if facing else grid_from_rows(list(rows))
    known = {s: rules.tiles[s] for s in grid.tiles if s in rules.tiles}
    if facing:
        known = {s: replace(t, turn=grid.tiles[s].turn) for s, t in known.items()}
    return grid.with_tiles(known)


def tasks_of(hypothesis: Hypothesis, *, facing: bool) -> list[Task]:
    """Tiles to lift or turn, ship cards to lay, laid tiles that make no play."""
    rules, lying = rules_grid(hypothesis.ledger.game, hypothesis.state), hypothesis.lying

    def named(squares: Iterable[Square]) -> tuple[str, ...]:
        return tuple(name_of(s, lying.rows) for s in sorted(squares))

    lift = named(s for s in lying.tiles if s not in rules)
    there = {s: t for s, t in lying.tiles.items() if s in rules}
    turn = named(s for s, t in there.items() if facing and rules.tiles[s].turn != t.turn)
    tasks = [Task(kind, names) for kind, names in (("lift", lift), ("turn", turn)) if names]
    tasks += [Task("lay_card", named(card)) for card in hypothesis.cards]
    waiting = hypothesis.waiting
    if waiting is not None and waiting.refused is not None:
        read = tuple(waiting.tiles[s] for s in sorted(waiting.tiles))
        tasks.append(Task("refused", named(waiting.tiles), waiting.refused, read))
    return tasks


def cards_asked_for(ledger: Ledger, since: int) -> list[frozenset[Square]]:
    """Ship cards that the rules asked for, by entries of the game from this number on."""
    events = [e for done in ledger.done[since:] for e in done.events if e.kind == "ship_tile"]
    return [frozenset(square_named(str(s)) for s in e.data["squares"]) for e in events]
