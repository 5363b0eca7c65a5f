"""Checks whether tiles may be laid where they are: rule 0.7, in its order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from kibitz.engine.board.layouts import CENTRE
from kibitz.engine.phrases import SquareName, phrase
from kibitz.engine.rules import JsonValue, Refused
from kibitz.engine.table import SIDE, Axis, Grid, Square, Tile, parse_square, tile_from_text


def parse_tiles(raw: JsonValue, side: int = SIDE) -> dict[Square, Tile] | Refused:
    """Parse the `tiles` of an action: square to letter, small for a blank.

    A square off a board of `side` x `side` squares is the refusal `off_board`; a field of another
    shape `bad_action`.
    """
    if not isinstance(raw, Mapping) or not raw:
        return Refused("bad_action", f"Expected tiles as {{'H8': 'A'}}, got {raw!r:.60}.")
    tiles: dict[Square, Tile] = {}
    for name, char in raw.items():
        if not isinstance(char, str) or not _is_tile(char):
            return Refused("bad_action", f"Expected one letter on {name}, got {char!r:.60}.")
        try:
            tiles[parse_square(str(name), side)] = tile_from_text(char)
        except ValueError:
            return Refused(
                "off_board", phrase("There is no square {square} on this board.", square=name)
            )
    return tiles


def _is_tile(char: str) -> bool:
    """True for `?` and a letter; `ß` is none, as its capital is two."""
    return len(char) == len(char.upper()) == 1 and (char.isalpha() or char == "?")


def check_free(grid: Grid, squares: Iterable[Square]) -> Refused | None:
    """Refuse squares that are `off_board`, then those that are `occupied`."""
    wanted = sorted(squares)
    off = tuple(s for s in wanted if not grid.on_board(s))
    if off:
        return Refused("off_board", phrase("A tile lies off the board."), off)
    taken = tuple(s for s in wanted if s in grid)
    if taken:
        return Refused(
            "occupied",
            phrase(
                "There is a tile on {square} already.", square=SquareName(grid.name_of(taken[0]))
            ),
            taken,
        )
    return None


def line_of(squares: Iterable[Square]) -> Axis | None:
    """Axis on which all squares lie (across for a single square); None if there is none."""
    wanted = list(squares)
    if len({s.row for s in wanted}) == 1:
        return "across"
    return "down" if len({s.col for s in wanted}) == 1 else None


def check_line(grid: Grid, squares: Iterable[Square]) -> Refused | None:
    """Refuse as `not_in_line`, then as `gap`: with older tiles a play is unbroken (CL-6)."""
    wanted = sorted(squares)
    axis = line_of(wanted)
    if axis is None:
        return Refused("not_in_line", phrase("The tiles do not lie in one line."), tuple(wanted))
    square = wanted[0]
    new = set(wanted)
    while square != wanted[-1]:
        square = square.step(axis)
        if square not in new and square not in grid:
            return Refused("gap", phrase("There is a gap in the line."), (square,))
    return None


def touches(grid: Grid, squares: Iterable[Square]) -> bool:
    """True if a new tile is next to an older tile."""
    tiles = grid.tiles
    return any(
        (r - 1, c) in tiles or (r + 1, c) in tiles or (r, c - 1) in tiles or (r, c + 1) in tiles
        for r, c in squares
    )


def reached(start: Iterable[Square], among: Collection[Square]) -> set[Square]:
    """Squares connected to the start squares, directly or through others."""
    found = set(start)
    todo = list(found)
    while todo:
        near = {s for s in todo.pop().neighbours() if s in among and s not in found}
        found |= near
        todo += near
    return found


def adrift(grid: Grid, squares: Collection[Square]) -> frozenset[Square]:
    """New tiles connected to no older tile, not even through each other."""
    return frozenset(squares) - reached([s for s in squares if touches(grid, (s,))], squares)


def check_connected(grid: Grid, squares: Iterable[Square]) -> Refused | None:
    """Refuse as `not_connected` unless a new tile touches an older one."""
    wanted = tuple(sorted(squares))
    if touches(grid, wanted):
        return None
    return Refused("not_connected", phrase("That does not touch anything."), wanted)


def check_play(grid: Grid, tiles: Mapping[Square, Tile], star: Square = CENTRE) -> Refused | None:
    """Check the geometry of a play on one board (CL-4, CL-6), in the order of rule 0.7.

    The first word crosses the `star`.
    """
    refused = check_free(grid, tiles) or check_line(grid, tiles)
    if refused:
        return refused
    if grid.tiles:
        return check_connected(grid, tiles)
    squares = tuple(sorted(tiles))
    if star not in tiles:
        return Refused("not_centre", phrase("The first word must cross the star."), squares)
    if len(tiles) < 2:
        return Refused("one_tile_first", phrase("The first play needs two tiles."), squares)
    return None
