"""Points of words (rules CL-9, CL-10 and SS-29)."""

from __future__ import annotations

from collections.abc import Callable, Set
from math import prod

from kibitz.engine.board.layouts import STANDARD_LAYOUT, Layout
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import Grid, Square, Tile, TileRun

RACK_BONUS = 50
RACK_SIZE = 7


def tile_value(tile: Tile, tile_set: TileSetLike) -> int:
    """Face value of a tile; a blank counts nothing (CL-3)."""
    return 0 if tile.blank else tile_set.value(tile.letter)


def word_score(
    grid: Grid,
    run: TileRun,
    new: Set[Square],
    tile_set: TileSetLike,
    extra_letter: Callable[[Square], int] = lambda _: 1,
    extra_word: int = 1,
    layout: Layout = STANDARD_LAYOUT,
) -> int:
    """Sum of letters times their premiums, times the word premiums under new tiles.

    Args:
        grid: the board with the play on it.
        run: the word.
        new: squares laid in this play; only they use premiums (CL-8).
        tile_set: face values.
        extra_letter: a further factor for each new tile (a carrier, SS-23).
        extra_word: a further factor for the word (ships, Kwyjibo).
        layout: the board's premium squares.
    """
    total = 0
    for square in run.squares:
        value = tile_value(grid.tiles[square], tile_set)
        if square in new:
            value *= layout.letter_factor(square) * extra_letter(square)
        total += value
    return total * prod(layout.word_factor(s) for s in run.squares if s in new) * extra_word


def rack_bonus(count: int) -> int:
    """Bonus of 50 for laying seven tiles in one play, else 0 (CL-10)."""
    return RACK_BONUS if count == RACK_SIZE else 0
