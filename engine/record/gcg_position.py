"""Starting positions in GCG: laid as plays, as GCG has no other way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from kibitz.engine.board.scoring import RACK_SIZE
from kibitz.engine.record.gcg import GcgMove
from kibitz.engine.table import Grid, Square, Tile, TileRun

SET_UP = "Set-up: these tiles lay there when the record begins."
"""The remark at a line that only puts down a position; such a line has no score of its own."""


def is_set_up(move: GcgMove) -> bool:
    """True if a line only lays a starting position."""
    return move.note.startswith(SET_UP)


def laying_of(before: Grid, after: Grid) -> list[Mapping[Square, Tile]] | None:
    """Plays that lead from one board to another; None if there are none.

    Each play lies in one line and without a gap, is of seven tiles at most, and touches what
    lies there; the first one on an empty board covers the middle.

    Returns:
        The tiles of each play in order; None if the board cannot come about so.
    """
    if any(after.get(s) != t for s, t in before.tiles.items()):
        return None
    out: list[Mapping[Square, Tile]] = []
    grid, runs = before, tuple(after.runs())
    while len(grid.tiles) < len(after.tiles):
        squares = next(_next_plays(grid, after, runs), None)
        if squares is None:
            return None
        out.append({s: after.tiles[s] for s in squares})
        grid = grid.with_tiles(out[-1])
    return out


def _next_plays(
    grid: Grid, after: Grid, runs: tuple[TileRun, ...]
) -> Iterator[tuple[Square, ...]]:
    middle = Square(after.rows // 2, after.cols // 2)
    for run in runs:
        for start in range(len(run.squares)):
            for part in _parts(run, start, grid):
                new = tuple(s for s in part if s not in grid)
                if not grid.tiles and middle not in new:
                    continue
                touches = any(n in grid for s in new for n in s.neighbours())
                if new and (touches or not grid.tiles):
                    yield new


def _parts(run: TileRun, start: int, grid: Grid) -> Iterator[tuple[Square, ...]]:
    """Yield stretches of a run from a square on, longest first, with at most seven new tiles."""
    for end in range(len(run.squares), start + 1, -1):
        part = run.squares[start:end]
        if sum(s not in grid for s in part) <= RACK_SIZE:
            yield part


def split_once(plays: list[Mapping[Square, Tile]]) -> list[Mapping[Square, Tile]]:
    """The same laying in one more play, if a play of three or more tiles can be cut.

    Only the last tile of an outer end is cut off, so that both parts are plays themselves.
    """
    for i, play in enumerate(plays):
        squares = sorted(play)
        gapless = all(b in a.neighbours() for a, b in pairwise(squares))
        if i == 0 and len(squares) > 2 and gapless:
            middle = Square(7, 7)
            cut = squares[-1] if squares[-1] != middle else squares[0]
            head = {s: t for s, t in play.items() if s != cut}
            return [head, {cut: play[cut]}, *plays[1:]]
    return plays
