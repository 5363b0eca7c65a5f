"""What a picture showed on each square, and how surely: kept of every picture of a replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView

SureLetter = tuple[str, float]
"""A letter as it was read (`?` a blank), and the probability that a tile with it lies there."""


def tiles_seen(view: Any) -> dict[str, SureLetter]:
    """The tiles that a view shows, by the names that plays give their squares.

    Args:
        view: what a tracker was shown: a board, two boards (None where one was not in sight), or
            something without squares, which has none.
    """
    if isinstance(view, BoardView):
        size = view.rows
        return _of_board(view.squares, lambda s: s.name_on(size))
    out: dict[str, SureLetter] = {}
    if isinstance(view, Sequence):
        for number, board in enumerate(view, 1):
            if isinstance(board, BoardView):
                named = _of_board(board.squares, lambda s: s.name)
                out |= {f"{number}:{square}": seen for square, seen in named.items()}
    return out


def _of_board(squares: Mapping[Square, SquareView], name: Any) -> dict[str, SureLetter]:
    out = {}
    for square, seen in squares.items():
        if seen.shows_tile and seen.letters:
            letter = seen.best_letter()
            out[name(square)] = letter, round(seen.tile * seen.letters[letter], 4)
    return out
