"""Boards on which it is measured how marks on blanks are read."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.training.drawing import mark_shapes
from tests.measures.marked_blanks import BLANKS, FEWEST_TILES, marked_board


@pytest.mark.parametrize(
    ("held_out", "shapes"),
    [(False, mark_shapes.TRAINED), (True, mark_shapes.HELD_OUT)],
    ids=["trained", "held-out"],
)
def test_two_blanks_have_marks_of_the_kinds_asked_for(monkeypatch, held_out, shapes):
    """Of the other kinds there is none on the board."""
    drawn, shape = [], mark_shapes.shape

    def remember(rng, name):
        drawn.append(name)
        return shape(rng, name)

    monkeypatch.setattr(mark_shapes, "shape", remember)
    tiles = "".join(marked_board(3, 1, held_out).rows()).replace(".", "")

    assert BLANKS == tiles.count("?")
    assert len(tiles) >= FEWEST_TILES
    assert [] == sorted(set(drawn) - {*shapes, "disc"})
    assert len(drawn) >= BLANKS


def test_a_seed_draws_the_same_board_again():
    """Figures can be compared."""
    first, again = (marked_board(3, 2, False) for _ in range(2))

    assert first.rows() == again.rows()
    assert np.array_equal(first.picture, again.picture)
