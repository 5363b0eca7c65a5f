"""An M or a W faces as the other new tiles of its play do."""

from __future__ import annotations

import pytest

from kibitz.engine.table import Grid, Square, Tile
from kibitz.engine.tracking.evidence.changes import BoardView, SquareView
from kibitz.engine.tracking.evidence.facing import facing_one_way

EMPTY = SquareView(empty=1.0)
SOUTH, NORTH = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)


def tile(letter: str, turns: tuple[float, float, float, float], other: str = "E") -> SquareView:
    return SquareView(0.0, 1.0, letters={letter: 0.97, other: 0.03}, turns=turns)


def row(*tiles: SquareView) -> BoardView:
    """One row of fifteen squares that begins with these."""
    return BoardView(1, 15, {Square(0, c): x for c, x in enumerate((*tiles, *[EMPTY] * 14)[:15])})


def read(view: BoardView, lying: Grid) -> list[tuple[str, int]]:
    """Letter and quarter turn of every tile."""
    seen = facing_one_way(view, lying)
    tiles = [seen[s] for s in sorted(seen.squares) if seen[s].shows_tile]
    return [(x.best_letter(), x.turns.index(max(x.turns))) for x in tiles]


NOTHING = Grid(1, 15, {})


def test_a_w_that_faces_north_is_no_m() -> None:
    """Letters that look alike both ways up lie between, and are taken to face South."""
    view = row(tile("R", NORTH), tile("N", SOUTH), tile("I", SOUTH), tile("M", SOUTH, "W"))

    assert [("R", 2), ("N", 0), ("I", 0), ("W", 2)] == read(view, NOTHING)


@pytest.mark.parametrize(
    "others",
    [
        (tile("R", SOUTH),),  # faces as it does
        (tile("N", NORTH), tile("O", NORTH)),  # tells nothing
        (tile("R", NORTH), EMPTY),  # of another play
        (tile("R", NORTH), tile("A", SOUTH)),  # as much for as against
    ],
)
def test_an_m_stays_one(others: tuple[SquareView, ...]) -> None:
    """Unless the others of its play face the other way."""
    *_, last = read(row(*others, tile("M", SOUTH, "W")), NOTHING)

    assert ("M", 0) == last


def test_what_lay_there_before_tells_nothing() -> None:
    """Plays cross each other, and old tiles face whoever laid them."""
    view = row(tile("R", NORTH), tile("M", SOUTH, "W"))
    lying = Grid(1, 15, {Square(0, 0): Tile("R", turn=2)})

    assert [("R", 2), ("M", 0)] == read(view, lying)


@pytest.mark.parametrize(("known", "expected"), [(2, ("W", 2)), (0, ("M", 0))])
def test_a_known_tile_that_looks_as_it_did_keeps_its_letter(
    known: int, expected: tuple[str, int]
) -> None:
    """A W facing North looks like an M facing South; one that faces South does not."""
    lying = Grid(1, 15, {Square(0, 0): Tile("W", turn=known)})

    assert [expected] == read(row(tile("M", SOUTH, "W")), lying)


def test_a_letter_that_is_far_surer_than_the_others_facing_stays() -> None:
    """One tile of which little is known how it faces does not turn a sure one."""
    doubtful = tile("R", (0.45, 0.0, 0.55, 0.0))

    assert [("R", 2), ("M", 0)] == read(row(doubtful, tile("M", SOUTH, "W")), NOTHING)
