"""Blanks that nobody named: the letters that their words leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kibitz.engine.record.ledger import Ledger, Opening
from kibitz.engine.table import UNKNOWN_BLANK, Grid, Square, Tile
from kibitz.engine.words.formed import AXES


def letters_of_blank(opening: Opening, grids: Iterable[Grid], square: Square) -> tuple[str, ...]:
    """Letters with which a blank makes only good words, the common ones first; all if none does.

    Args:
        opening: whose tiles and word list are played with.
        grids: the board at every time that counts, with the blank on it.
        square: where the blank lies.
    """
    tile_set, lexicon = opening.materials.tile_set, opening.materials.lexicon
    letters = sorted(tile_set.letters, key=lambda x: -tile_set.count(x))
    runs = {
        tuple(grid.tiles[s] if s != square else None for s in run)
        for grid in grids
        for run in (grid.run_through(square, axis).squares for axis in AXES)
        if len(run) > 1
    }
    good = []
    for letter in letters:
        words = [_as_read(run, Tile(letter, blank=True)) for run in runs]
        # a word with another unknown blank cannot be judged yet
        if all(UNKNOWN_BLANK in w or w in lexicon for w in words):
            good.append(letter)
    return tuple(good or letters)


def nameless_blanks(ledger: Ledger) -> dict[Square, tuple[str, ...]]:
    """The letters that each blank without one may stand for, by all words that it was part of."""
    lying = ledger.state.grid
    boards = [ledger.start.grid, *(done.state.grid for done in ledger.done)]
    # plays that were taken off say nothing of what lies there
    kept = [g for g in boards if all(lying.get(s) == t for s, t in g.tiles.items())]
    return {
        s: letters_of_blank(ledger.opening, (g for g in kept if s in g), s)
        for s, tile in sorted(lying.tiles.items())
        if tile.text == UNKNOWN_BLANK
    }


def _as_read(run: Sequence[Tile | None], blank: Tile) -> str:
    """A string as its player reads it: the tiles beside a blank say which way it faces."""
    turned = all(tile.turn == 2 for tile in run if tile is not None)
    tiles = [blank if tile is None else tile for tile in run]
    return "".join(tile.letter for tile in (reversed(tiles) if turned else tiles))
