"""The words that a play forms (rule 0.3)."""

from __future__ import annotations

from collections.abc import Iterable, Set

from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import Axis, Grid, Square, TileRun

AXES: tuple[Axis, Axis] = ("across", "down")


def text_of(grid: Grid, run: TileRun) -> str:
    """Letters of a run in board order, upper case; `?` for a blank without a name.

    A tile of several letters is one sign, as in a word list that was loaded for its set.
    """
    return "".join(grid.tiles[s].letter for s in run.squares)


def word_of(grid: Grid, run: TileRun, tile_set: TileSetLike) -> str:
    """The word of a run as people write it: `CALLE`."""
    return tile_set.word_of(text_of(grid, run))


def play_axis(grid: Grid, squares: Set[Square]) -> Axis:
    """Axis of a play whose tiles lie on `grid` already.

    For a single tile it is the longer of its two strings, the across one if equal.
    """
    if len(squares) == 1:
        (square,) = squares
        across = len(grid.run_through(square, "across").squares)
        down = len(grid.run_through(square, "down").squares)
        return "down" if down > across else "across"
    return "across" if len({s.row for s in squares}) == 1 else "down"


def words_formed(grid: Grid, squares: Iterable[Square]) -> tuple[TileRun, ...]:
    """Strings of two or more tiles that hold a new tile: the main word, then the side words.

    Args:
        grid: the board with the new tiles on it; they must lie in one line.
        squares: the new tiles; side words come in their reading order.
    """
    new = sorted(set(squares))
    axis = play_axis(grid, set(new))
    other: Axis = "down" if axis == "across" else "across"
    runs = [grid.run_through(new[0], axis), *(grid.run_through(s, other) for s in new)]
    return tuple(run for run in runs if len(run.squares) > 1)


def all_words_formed(grid: Grid, squares: Iterable[Square]) -> tuple[TileRun, ...]:
    """Every run with a new tile, in reading order; the tiles need not be in one line."""
    seen: dict[TileRun, None] = {}
    for square in sorted(set(squares)):
        for axis in AXES:
            run = grid.run_through(square, axis)
            if len(run.squares) > 1:
                seen[run] = None
    return tuple(seen)
