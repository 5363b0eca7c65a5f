"""Turns a board reading into the values that the engine weighs, and keeps row A where it was."""

from __future__ import annotations

import numpy as np

from engine.changes import BoardView, SquareView, fit, turned_square, turned_view
from engine.table import Grid, Square
from vision.readings import COVERED_KIND, EMPTY_KIND, MARKER_KIND, TILE_KIND, GridReading

_FAINT = 1e-5


def board_view(reading: GridReading) -> BoardView:
    """Every square's probabilities as plain numbers."""
    kinds = np.exp(reading.kind_log_prob.astype(np.float64)).tolist()
    letters = np.exp(reading.letter_log_prob.astype(np.float64))
    turns = np.exp(reading.turn_log_prob.astype(np.float64)).tolist()
    colours = reading.tile_sets.tolist()
    squares = {}
    for r in range(reading.size):
        for c in range(reading.size):
            kind = kinds[r][c]
            named = {}
            if kind[TILE_KIND] > _FAINT:
                named = {
                    label: p
                    for label, p in zip(reading.labels, letters[r, c].tolist(), strict=True)
                    if p > _FAINT
                }
            t = turns[r][c]
            squares[Square(r, c)] = SquareView(
                empty=kind[EMPTY_KIND],
                tile=kind[TILE_KIND],
                marker=kind[MARKER_KIND],
                covered=kind[COVERED_KIND],
                letters=named,
                turns=(t[0], t[1], t[2], t[3]),
                colour=colours[r][c].replace(".", "a") or "a",
            )
    markers = tuple(tuple(Square(r, c) for r, c in m.squares) for m in reading.markers)
    alike = {Square(*s): {Square(*o): x for o, x in to.items()} for s, to in reading.alike.items()}
    return BoardView(reading.size, reading.size, squares, markers, alike)


def align(
    readings: tuple[GridReading, ...], known: Grid, *, fixed_top: bool
) -> tuple[BoardView, int] | None:
    """The board among those in a picture that best agrees with the known position.

    Args:
        readings: the boards in the picture.
        known: what lies on the board as far as is known.
        fixed_top: row A is where the reading says (given by hand); else the known tiles tell.

    Returns:
        The view with row A as the known position has it and the index of its reading, or None
        without any board.
    """
    options = []
    for index, reading in enumerate(readings):
        view = board_view(reading)
        if view.rows != known.rows:
            continue
        turns = (0,) if fixed_top or not known.tiles else (0, 1, 2, 3)
        for quarters in turns:
            # a turn that the tiles themselves speak against must explain the position better
            doubt = 0.0 if quarters == 0 else (3.0 if reading.top_certain else 0.1)
            agrees = sum(
                fit(view[turned_square(s, view.rows, -quarters)], tile)
                for s, tile in known.tiles.items()
            )
            options.append((agrees - doubt, -index, quarters, view))
    if not options:
        return None
    best = max(options, key=lambda x: x[:3])
    return turned_view(best[3], best[2]), -best[1]
