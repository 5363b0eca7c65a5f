"""Which of the nine boards are joined, by tiles from star to star or across a seam."""

from __future__ import annotations

import pytest

from kibitz.engine.games.frankenscrabbards.clusters import groups_of, star_of
from kibitz.engine.table import JOINED_SIDE, Grid, Square, Tile

FIRST, SECOND, FOURTH = star_of(1), star_of(2), star_of(4)


def laid(*runs: tuple[Square, Square]) -> Grid:
    """Joined boards with a line of tiles from each first square to its second one."""
    squares = {
        Square(row, col)
        for (top, left), (bottom, right) in runs
        for row in range(top, bottom + 1)
        for col in range(left, right + 1)
    }
    return Grid(JOINED_SIDE, JOINED_SIDE, {s: Tile("A") for s in squares})


def test_each_board_has_a_star_in_its_middle():
    """H8 of every board (FS-3)."""
    assert [f"{board}:H8" for board in range(1, 10)] == [
        star_of(board).panel_name for board in range(1, 10)
    ]


@pytest.mark.parametrize(
    ("runs", "by_star", "by_seam"),
    [
        ([], (), ()),
        ([(FIRST, FIRST)], ((1,),), ((1,),)),
        ([(FIRST, FIRST), (SECOND, SECOND)], ((1,), (2,)), ((1,), (2,))),
        ([(FIRST, SECOND)], ((1, 2),), ((1, 2),)),
        ([(FIRST, SECOND), (FIRST, FOURTH)], ((1, 2, 4),), ((1, 2, 4),)),
        # tiles side by side at the seam, which hang together with neither star
        (
            [(FIRST, FIRST), (SECOND, SECOND), (Square(0, 14), Square(0, 15))],
            ((1,), (2,)),
            ((1, 2),),
        ),
        # over the seam to a board whose star is bare
        ([(FIRST, Square(7, 16))], ((1,),), ((1,),)),
    ],
    ids=["bare", "one", "apart", "a word", "a corner", "at the seam", "bare star"],
)
def test_boards_are_joined_from_star_to_star(runs, by_star, by_seam):
    """Or wherever tiles lie side by side across a seam, where that was agreed on (FS-15)."""
    grid = laid(*runs)

    assert by_star == groups_of(grid, "star_group")
    assert by_seam == groups_of(grid, "any_crossing")
