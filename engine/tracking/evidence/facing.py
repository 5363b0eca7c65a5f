"""Letters that are others upside down, where tiles face their players (rules SH-3, SH-8).

A W that faces North looks like an M that faces South. Which of them lies there, the tile alone
hardly tells; all new tiles of a play face its player, so the others of its line do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from kibitz.engine.table import LOOK_ALIKE, Axis, Grid, Square
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView, log_turn

UPSIDE_DOWN: Final[Mapping[str, str]] = {"M": "W", "W": "M"}
AXES: Final[tuple[Axis, Axis]] = ("across", "down")


def facing_one_way(view: BoardView, lying: Grid) -> BoardView:
    """The view with letters that are others upside down as the rest of their play faces.

    Args:
        view: what a picture shows.
        lying: the tiles that the game knows to lie there; one that looks as it did keeps its
            letter.
    """
    return view.with_letters(
        {
            square: _upside_down(seen)
            for square, seen in view.squares.items()
            if seen.shows_tile
            and (letter := seen.best_letter()) in UPSIDE_DOWN
            and _is_other(view, lying, square, letter)
        }
    )


def _is_other(view: BoardView, lying: Grid, square: Square, letter: str) -> bool:
    """Whether a tile is the letter that this one is upside down."""
    seen, tile = view[square], lying.get(square)
    way = seen.turns.index(max(seen.turns))
    if tile is not None:
        return (tile.letter, tile.turn) == (UPSIDE_DOWN[letter], (way + 2) % 4)
    others = sum(
        log_turn(other.turns[(way + 2) % 4], view.priors) - log_turn(other.turns[way], view.priors)
        for other in _of_one_play(view, lying, square)
        if other.best_letter() not in LOOK_ALIKE
    )
    its = seen.letters.get(UPSIDE_DOWN[letter], 0.0) + view.priors.missed
    return others > 0 and seen.letters[letter] < its * math.exp(others)


def _of_one_play(view: BoardView, lying: Grid, square: Square) -> Iterator[SquareView]:
    """The other new tiles of a tile's row and column, without a gap between."""
    for axis in AXES:
        for by in (-1, 1):
            at = square.step(axis, by)
            while at in view.squares and view[at].shows_tile:
                if at not in lying.tiles:
                    yield view[at]
                at = at.step(axis, by)


def _upside_down(seen: SquareView) -> SquareView:
    letters = dict(seen.letters)
    for one, other in UPSIDE_DOWN.items():
        letters[one] = seen.letters.get(other, 0.0)
    first, second, third, fourth = seen.turns
    return replace(seen, letters=letters, turns=(third, fourth, first, second))
