"""Boards on which it is measured how marks on blanks are read."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.training.drawing import icons, mark_shapes
from tests.measures.marked_blanks import BLANKS, FEWEST_TILES, ICONS, KINDS, marked_board


@pytest.mark.parametrize(("kind", "shapes"), [*KINDS.items(), (ICONS, ())])
def test_two_blanks_have_marks_of_the_kinds_asked_for(monkeypatch, kind, shapes):
    """Of the other kinds there is none on the board."""
    drawn, shape, icon = [], mark_shapes.shape, icons.icon

    def remember(rng, name):
        drawn.append(name)
        return shape(rng, name)

    def remember_icon(rng, part="trained"):
        drawn.append(f"icon, {part}")
        return icon(rng, part)

    monkeypatch.setattr(mark_shapes, "shape", remember)
    monkeypatch.setattr(icons, "icon", remember_icon)
    tiles = "".join(marked_board(3, 1, kind).rows()).replace(".", "")

    assert BLANKS == tiles.count("?")
    assert len(tiles) >= FEWEST_TILES
    assert [] == sorted(set(drawn) - {*(shapes or ["icon, held out"]), "disc"})
    assert len(drawn) >= BLANKS


def test_a_seed_draws_the_same_board_again():
    """Figures can be compared."""
    first, again = (marked_board(3, 2, ICONS) for _ in range(2))

    assert first.rows() == again.rows()
    assert np.array_equal(first.picture, again.picture)
