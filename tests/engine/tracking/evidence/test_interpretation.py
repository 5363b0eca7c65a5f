"""Whole plays are weighed against a picture."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kibitz.engine.table import Grid, Square, Tile
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView, gains
from kibitz.engine.tracking.evidence.interpretation import best_stretches, layings
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


def test_a_gap_is_bridged_by_a_weak_square() -> None:
    """A square that was hardly seen is taken for a tile where the line needs one."""
    grid = Grid(1, 5)
    view = view_of(["AxB.."])
    found = [names(s) for _, s in best_stretches(gains(view, grid), grid)]

    assert found[0] == ["A1", "A2", "A3"]


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


def test_layings_count_the_tiles() -> None:
    """A letter of which no tile is left gives way to the next."""
    view = view_of(["Ca"])
    squares = [Square(0, 0), Square(0, 1)]
    left = {"A": 0, "B": 2, "C": 1, "Z": 1}
    found = layings(view, squares, left=lambda x: left.get(x, 0))

    assert "".join(found[0].tiles[s] for s in squares) == "CB"
