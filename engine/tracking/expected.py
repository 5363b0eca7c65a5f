"""What the rules say lies on a board, in the terms in which a camera sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from kibitz.engine.rules import GameRules
from kibitz.engine.table import EMPTY, UNKNOWN_BLANK, Grid, Square, Tile, grid_from_rows

NORTH_TURN = 2


def most_tiles_of(game: str) -> int:
    """How many tiles one play may have in a game."""
    return {"frankenscrabbards": 15, "scrabble-house": 15}.get(game, 7)


def rules_grid(game: GameRules[Any], state: Any) -> Grid:
    """The board that the rules expect now; empty for a game that has none yet."""
    return _grid_of(_Told(game, state))


class _Told:
    """A state that is known by which it is, not by what it says: states never alter."""

    __slots__ = ("game", "state")

    def __init__(self, game: GameRules[Any], state: Any) -> None:
        self.game, self.state = game, state

    def __hash__(self) -> int:
        return id(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Told) and self.state is other.state


@lru_cache(maxsize=64)
def _grid_of(told: _Told) -> Grid:
    game = told.game
    view = game.view(told.state, None)
    rows = view.get("board45") or view.get("board")
    if not rows:
        size = 45 if game.info.slug == "frankenscrabbards" else 15
        return Grid(size, size)
    if game.info.slug == "scrabble-house":
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
    return square.panel_name if size > 15 else square.name


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
