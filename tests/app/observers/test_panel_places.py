"""Where one of nine joined boards lies is told by the tiles known, and by nothing that is unsure."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.app.observers.panel_places import Piece, Spot, spots_of
from kibitz.engine.table import Grid, Square, Tile

LABELS = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "?"]


def piece(tiles: dict[tuple[int, int], float], *, certain: bool = True) -> Piece:
    """A picture of one board with an A on some squares, each so probably."""
    squares = np.zeros((15, 15, 1 + len(LABELS)))
    squares[..., 0] = 1.0
    for at, sure in tiles.items():
        squares[at][:2] = 1 - sure, sure
    return Piece({(0, 0): squares}, certain=certain)


def shown(tiles: dict[tuple[int, int], str]) -> np.ndarray:
    """What a picture says of a board with tiles that are read nearly surely."""
    squares = np.zeros((15, 15, 1 + len(LABELS)))
    squares[..., 0] = 1.0
    for at, letter in tiles.items():
        squares[at][0], squares[at][1 + LABELS.index(letter)] = 0.02, 0.98
    return squares


def known(*squares: tuple[int, int]) -> Grid:
    """An A on some squares of the nine boards."""
    return Grid(45, 45, {Square(*at): Tile("A") for at in squares})


@pytest.mark.parametrize(("sure", "expected"), [(0.26, None), (0.33, Spot(0, 1, 0))])
def test_how_clear_a_place_must_be(sure, expected):
    """A known tile that is seen by a third tells where the board lies, by a fourth it does not.

    Four nats: what such a letter says where one of five squares has a tile, and that it would be
    a new tile anywhere else.
    """
    found = spots_of([piece({(3, 4): sure})], known((3, 19)), LABELS, fixed_top=True)

    assert [expected] == found


@pytest.mark.parametrize(("misread", "expected"), [(2, Spot(0, 1, 0)), (3, None)])
def test_how_many_tiles_may_be_misread_where_a_board_lies(misread, expected):
    """Beside one that is read right, two known tiles may be read wrongly, not three."""
    lying = [(3, 4), (6, 9), (11, 2), (13, 7)][: misread + 1]
    read = dict(zip(lying, "ABBB", strict=False))
    there = known(*((row, 15 + col) for row, col in lying))

    found = spots_of([Piece({(0, 0): shown(read)})], there, LABELS, fixed_top=True)

    assert [expected] == found


@pytest.mark.parametrize(
    ("count", "sure", "certain", "expected"),
    [
        (1, 0.9, False, Spot(0, 1, 1)),
        (1, 0.7, False, None),
        (1, 1.0, True, None),
        (2, 1.0, True, Spot(0, 1, 1)),
    ],
)
def test_how_surely_a_board_lies_another_way_up(count, sure, certain, expected):
    """Where its tiles do not tell, one known tile says so; against tiles that do, two say so."""
    lying = [(3, 4), (6, 9)][:count]
    turned = piece(dict.fromkeys(lying, sure), certain=certain).turned(3)
    there = known(*((row, 15 + col) for row, col in lying))

    assert [expected] == spots_of([turned], there, LABELS)


@pytest.mark.parametrize(("row", "quarters", "towards"), [(2, 0, (2, -2)), (0, 3, (2, 2))])
def test_ways_to_place_pictures_are_kept_in_mind(row, quarters, towards):
    """A third picture shows where two belong that seemed to lie elsewhere.

    The first way is the seventieth before that picture, the second, with a board turned round,
    the hundredth.
    """
    rng = np.random.default_rng(1)
    one, two = (
        {
            divmod(int(at), 15): LABELS[rng.integers(26)]
            for at in rng.choice(225, 30, replace=False)
        }
        for _ in range(2)
    )
    joined = {(0, 0): shown(one), (0, 1): shown(two)}
    pieces = [
        Piece({(0, 0): shown(one)}, {towards: 6.0}),
        Piece({(0, 0): shown(two)}, {(-2, 2): 6.0}).turned(-quarters % 4),
        Piece(joined, {(-row, 0): 5.0, (2 - row, 2): 5.0}),
    ]

    found = spots_of(pieces)

    assert [Spot(row, 0, 0), Spot(row, 1, quarters), Spot(row, 0, 0)] == found
