"""How a picture of a square agrees with what may lie there."""

from __future__ import annotations

import pytest

from kibitz.engine.table import Grid, Square, Tile
from kibitz.engine.tracking.evidence.changes import (
    BoardView,
    SquareView,
    differences,
    fit,
    fused,
    tile_gain,
)
from kibitz.engine.tracking.evidence.facing import turned_view

EMPTY = SquareView(empty=0.99, tile=0.01, letters={"A": 0.5, "B": 0.5})
SURE_A = SquareView(empty=0.001, tile=0.999, letters={"A": 0.98, "B": 0.02})
HIDDEN = SquareView(empty=0.005, tile=0.005, covered=0.99, letters={"A": 0.5, "B": 0.5})


def test_a_hidden_square_agrees_with_anything() -> None:
    """Under a hand every content agrees equally, and a new tile has no lead."""
    assert fit(HIDDEN, None) == pytest.approx(fit(HIDDEN, Tile("A")), abs=0.02)
    assert tile_gain(HIDDEN) == 0


def test_fusing_views() -> None:
    """Views of one tile are taken together; hidden ones say nothing."""
    doubtful = SquareView(empty=0.01, tile=0.99, letters={"A": 0.4, "B": 0.6})
    together = fused([doubtful, HIDDEN, SURE_A])

    assert together.best_letter() == "A"
    assert together.letters["A"] == pytest.approx(0.4 * 0.98 / (0.4 * 0.98 + 0.6 * 0.02), abs=0.02)
    assert fused([HIDDEN]) == HIDDEN


def view_of(rows: list[str]) -> BoardView:
    squares = {}
    for r, row in enumerate(rows):
        for c, char in enumerate(row):
            kind = {".": EMPTY, "A": SURE_A, "#": HIDDEN}[char]
            squares[Square(r, c)] = kind
    return BoardView(len(rows), len(rows[0]), squares)


def test_differences() -> None:
    """What appeared, what vanished and what changed its letter are told apart."""
    view = view_of(["A.A", "..#", "..A"])
    grid = Grid(3, 3, {Square(0, 0): Tile("A"), Square(1, 0): Tile("B"), Square(2, 2): Tile("B")})
    found = differences(view, grid)

    assert set(found.appeared) == {Square(0, 2)}
    assert set(found.vanished) == {Square(1, 0)}
    assert set(found.altered) == {Square(2, 2)}
    assert not differences(view_of(["A."]), Grid(1, 2, {Square(0, 0): Tile("A")})).appeared


def test_turning_the_board() -> None:
    """A quarter clockwise takes the first row to the last column and turns every tile with it."""
    view = view_of(["AA", ".."])
    once = turned_view(view, 1)

    assert [s for s, v in sorted(once.squares.items()) if v is not EMPTY and v.tile > 0.5] == [
        Square(0, 1),
        Square(1, 1),
    ]
    assert once[Square(0, 1)].turns == (0.0, 1.0, 0.0, 0.0)
    assert turned_view(once, 3).squares == view.squares
