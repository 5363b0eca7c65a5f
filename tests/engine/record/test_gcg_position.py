"""A position told by a game record is taken apart into plays."""

import pytest

from kibitz.engine.record.gcg_position import split_once
from kibitz.engine.table import Square, Tile


@pytest.mark.parametrize(
    ("columns", "cut"), [((5, 6, 7), 5), ((6, 7, 8), 8), ((7, 8, 9), 9), ((7, 8), None)]
)
def test_a_laying_is_cut_at_an_outer_end(columns, cut):
    """Not off the centre: both parts are plays, of which the first covers it."""
    play = {Square(7, column): Tile("A") for column in columns}
    first, *more = split_once([play])

    assert [cut] * len(more) == [s.col for part in more for s in part]
    assert play == {**first, **{s: t for part in more for s, t in part.items()}}
    assert (cut is None) == (not more)
