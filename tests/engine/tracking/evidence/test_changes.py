"""How a picture of a square agrees with what may lie there."""

from __future__ import annotations

import math

import pytest

from kibitz.engine.table import Grid, Square, Tile
from kibitz.engine.tracking.evidence.changes import (
    BoardView,
    SquareView,
    differences,
    fit,
    fused,
    ranked_letters,
    tile_gain,
    turn_gain,
)
from kibitz.engine.tracking.evidence.facing import turned_view

EMPTY = SquareView(empty=0.99, tile=0.01, letters={"A": 0.5, "B": 0.5})
SURE_A = SquareView(empty=0.001, tile=0.999, letters={"A": 0.98, "B": 0.02})
HIDDEN = SquareView(empty=0.005, tile=0.005, covered=0.99, letters={"A": 0.5, "B": 0.5})
BLANK = SquareView(empty=0.001, tile=0.999, letters={"?": 0.97, "A": 0.03})
CARD = SquareView(empty=0.01, tile=0.01, marker=0.98)


@pytest.mark.parametrize(
    ("view", "likelier", "less_likely"),
    [
        (EMPTY, None, Tile("A")),
        (SURE_A, Tile("A"), Tile("B")),
        (SURE_A, Tile("A"), None),
        (SURE_A, Tile("B"), None),
        (BLANK, Tile("?", blank=True), Tile("A")),
        (BLANK, Tile("E", blank=True), Tile("A")),
        (CARD, None, Tile("A")),
    ],
)
def test_fit_orders_contents(
    view: SquareView, likelier: Tile | None, less_likely: Tile | None
) -> None:
    """The better content agrees better; a named blank still looks like a blank."""
    assert fit(view, likelier) >= fit(view, less_likely)


def test_a_hidden_square_agrees_with_anything() -> None:
    """Under a hand every content agrees equally, and a new tile has no lead."""
    assert fit(HIDDEN, None) == pytest.approx(fit(HIDDEN, Tile("A")), abs=0.02)
    assert tile_gain(HIDDEN) == 0


def test_no_reading_is_believed_without_end() -> None:
    """One sure picture against a letter weighs less than two pictures for it."""
    against = SquareView(empty=0.0, tile=1.0, letters={"B": 1.0})
    support = SquareView(empty=0.0, tile=1.0, letters={"A": 1.0})
    total = fit(against, Tile("A")) + 2 * fit(support, Tile("A"))
    other = fit(against, Tile("B")) + 2 * fit(support, Tile("B"))

    assert total > other


def test_fusing_views() -> None:
    """Views of one tile are taken together; hidden ones say nothing."""
    doubtful = SquareView(empty=0.01, tile=0.99, letters={"A": 0.4, "B": 0.6})
    together = fused([doubtful, HIDDEN, SURE_A])

    assert together.best_letter() == "A"
    assert together.letters["A"] == pytest.approx(0.4 * 0.98 / (0.4 * 0.98 + 0.6 * 0.02), abs=0.02)
    assert fused([HIDDEN]) == HIDDEN


def test_ranked_letters() -> None:
    """Letters come best first, far-fetched ones are left out."""
    view = SquareView(empty=0, tile=1, letters={"A": 0.2, "B": 0.799, "C": 1e-9})

    assert [letter for letter, _ in ranked_letters(view, within=4)] == ["B", "A"]


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


def test_turned_tiles() -> None:
    """A tile that lies the other way round than known is noticed, a blank never."""
    upside_down = SquareView(0, 1, letters={"A": 1.0}, turns=(0.02, 0.0, 0.98, 0.0))

    assert turn_gain(upside_down, Tile("A")) > 3
    assert turn_gain(upside_down, Tile("A", turn=2)) < 0
    assert turn_gain(upside_down, Tile("?", blank=True)) == 0


def test_a_letter_that_looks_alike_says_little_of_how_it_lies() -> None:
    """Only its numeral tells: at most three to one for either way."""
    upside_down = SquareView(0, 1, letters={"H": 1.0}, turns=(0.0, 0.0, 1.0, 0.0))

    assert 1.08 < turn_gain(upside_down, Tile("H")) < math.log(3)
    assert -math.log(3) < turn_gain(upside_down, Tile("H", turn=2)) < -1.08


def test_tiles_turned_round_count_only_where_turns_matter() -> None:
    """One that lies the other way is told where that is asked; one that lies as before never."""
    turns = {"A": (0.02, 0.0, 0.98, 0.0), "B": (0.98, 0.0, 0.02, 0.0)}
    squares = {
        Square(0, c): SquareView(0, 1, letters={x: 1.0}, turns=turns[x])
        for c, x in enumerate("AB")
    }
    view = BoardView(1, 2, squares)
    grid = Grid(1, 2, {Square(0, c): Tile(x) for c, x in enumerate("AB")})
    told = [set(differences(view, grid, turned=x).turned) for x in (False, True)]

    assert [set(), {Square(0, 0)}] == told


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


def test_a_card_shows_no_new_tile_but_may_hide_an_old_one() -> None:
    """New tiles lie on cards: a card in sight speaks against one, and not against an old tile."""
    edge = SquareView(empty=0.1, tile=0.11, marker=0.79, letters={"?": 0.98, "E": 0.02})
    assert tile_gain(edge) < -1.5
    assert fit(edge, Tile("E"), fresh=True) < fit(edge, None) - 3.0
    assert abs(fit(edge, Tile("E")) - fit(edge, None)) < 0.2
