"""Whole plays are weighed against a picture."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.engine.table import Grid, Square, Tile, grid_from_rows
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView, gains
from kibitz.engine.tracking.evidence.interpretation import (
    best_stretches,
    certain_squares,
    layings,
    open_ends,
)
from kibitz.engine.tracking.evidence.priors import SearchLimits
from tests.helpers.property_examples import tries

KINDS = {
    ".": SquareView(empty=0.995, tile=0.005, letters={"A": 0.5, "B": 0.5}),
    "a": SquareView(empty=0.4, tile=0.6, letters={"A": 0.6, "B": 0.4}),
    "x": SquareView(empty=0.6, tile=0.4, letters={"A": 0.5, "B": 0.5}),
    "#": SquareView(empty=0.005, tile=0.005, covered=0.99),
}


def sure(letter: str) -> SquareView:
    return SquareView(empty=0.002, tile=0.998, letters={letter: 0.97, "Z": 0.03})


def view_of(rows: list[str]) -> BoardView:
    squares = {
        Square(r, c): KINDS.get(char) or sure(char)
        for r, row in enumerate(rows)
        for c, char in enumerate(row)
    }
    return BoardView(len(rows), len(rows[0]), squares)


def names(squares: frozenset[Square]) -> list[str]:
    return [s.name for s in sorted(squares)]


def test_the_best_stretch_is_the_play() -> None:
    """New tiles in one line, with an old tile between, are the likeliest play."""
    grid = grid_from_rows([".....", "..T..", "....."])
    view = view_of([".....", ".CTX.", "....."])
    weight, squares = best_stretches(gains(view, grid), grid)[0]

    assert names(squares) == ["B2", "B4"]
    assert weight > 10


def test_a_gap_is_bridged_by_a_weak_square() -> None:
    """A square that was hardly seen is taken for a tile where the line needs one."""
    grid = Grid(1, 5)
    view = view_of(["AxB.."])
    found = [names(s) for _, s in best_stretches(gains(view, grid), grid)]

    assert found[0] == ["A1", "A2", "A3"]


def test_no_tile_no_stretch() -> None:
    """An empty board has no likely stretch."""
    grid = Grid(3, 3)
    view = view_of(["...", "...", "..."])

    assert best_stretches(gains(view, grid), grid) == []
    assert certain_squares(gains(view, grid)) == frozenset()


def every_stretch(gain: dict[Square, float], grid: Grid) -> dict[frozenset[Square], float]:
    """New tiles in one line with old ones between, and their weight, without a short cut."""
    out = {}
    for start in gain:
        for dr, dc in ((0, 1), (1, 0)):
            squares: list[Square] = []
            at = start
            while at in gain or at in grid.tiles:
                if at in gain:
                    squares.append(at)
                    out[frozenset(squares)] = sum(gain[s] for s in squares)
                at = Square(at.row + dr, at.col + dc)
    return out


@tries(100)
@given(
    st.dictionaries(
        st.builds(Square, st.integers(0, 4), st.integers(0, 4)),
        st.integers(-20, 20).map(lambda quarters: quarters / 4),
        max_size=16,
    ),
    st.sets(st.builds(Square, st.integers(0, 4), st.integers(0, 4)), max_size=5),
    st.integers(-8, 40).map(float),
)
def test_the_best_stretches_are_the_best_of_all(
    gain: dict[Square, float], old: set[Square], least: float
) -> None:
    """What is left out on the way weighs too little, whatever it goes on with."""
    grid = Grid(5, 5, {s: Tile("A") for s in old - gain.keys()})
    limits = SearchLimits(worst_kept=5.0, tried=6)
    good = {s: w for s, w in every_stretch(gain, grid).items() if w > 0 and w >= least}
    within = [(w, s) for s, w in good.items() if w >= max(good.values()) - limits.worst_kept]
    expected = sorted(within, key=lambda x: (-x[0], sorted(x[1])))[: limits.tried]

    assert expected == best_stretches(gain, grid, limits=limits, least=least)


def test_layings_keep_doubtful_letters() -> None:
    """The letters of a play come in order of their probability together."""
    view = view_of(["Ca"])
    squares = [Square(0, 0), Square(0, 1)]
    found = ["".join(x.tiles[s] for s in squares) for x in layings(view, squares)]

    assert found[:2] == ["CA", "CB"]


def test_layings_count_the_tiles() -> None:
    """A letter of which no tile is left gives way to the next."""
    view = view_of(["Ca"])
    squares = [Square(0, 0), Square(0, 1)]
    left = {"A": 0, "B": 2, "C": 1, "Z": 1}
    found = layings(view, squares, left=lambda x: left.get(x, 0))

    assert "".join(found[0].tiles[s] for s in squares) == "CB"


@pytest.mark.parametrize(
    ("rows", "new", "ends"),
    [
        (["....#", ".....", "....."], ["A3", "A4"], ["A5"]),
        (["....#", ".....", "....."], ["B4"], []),
        (["...#.", ".....", "....."], ["B4"], ["A4"]),
        (["...#.", ".....", "....."], ["B4", "B5"], []),
        (["#....", ".....", "....."], ["A3"], ["A1"]),
    ],
)
def test_open_ends(rows: list[str], new: list[str], ends: list[str]) -> None:
    """A play goes on under a hand only along its own line; old tiles are looked past."""
    grid = grid_from_rows([".T...", ".....", "....."])
    squares = frozenset(Square(ord(x[0]) - 65, int(x[1:]) - 1) for x in new)

    assert names(open_ends(squares, grid, view_of(rows))) == ends


@pytest.mark.parametrize(("covered", "ends"), [(0.4, []), (0.6, ["A2"])])
def test_an_open_end_is_rather_hidden_than_not(covered: float, ends: list[str]) -> None:
    """A square beside a tile where a hand may be."""
    view = view_of(["A.."])
    view.squares[Square(0, 1)] = SquareView(empty=1 - covered, covered=covered)

    assert ends == names(open_ends(frozenset({Square(0, 0)}), Grid(1, 3), view))
