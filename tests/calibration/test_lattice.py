"""Numbers of `LatticeRule` decide how often a lattice is looked at and how well it fits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from kibitz.calibration import lattice
from kibitz.calibration.board_finder import FINDER
from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.calibration.lattice import CELLS, cell_points, fit_steps

PICTURE = np.zeros((400, 1200, 3), np.uint8)
PLACE = geometry_from_corners(
    np.array([(50.0, 50.0), (350.0, 50.0), (350.0, 350.0), (50.0, 350.0)]), 15, 1200, 400
)


class Says:
    """A model that finds the lattice so many squares further right, look after look.

    Args:
        shifts: one for each look; the last one goes on.
        apart: cells say that much more and less in turn.
        astray: such a part of the cells says half a square more.
    """

    def __init__(self, shifts: Sequence[float], apart: float = 0.0, astray: float = 0.0) -> None:
        self.shifts, self.apart, self.astray, self.looks = shifts, apart, astray, 0

    def __call__(self, pictures):
        """(1, 4, 16, 16)."""
        out = np.zeros((4, CELLS, CELLS), np.float32)
        out[0] = self.shifts[min(self.looks, len(self.shifts) - 1)]
        signs = np.indices((CELLS, CELLS)).sum(0) % 2 * 2 - 1
        out[0] += self.apart * signs
        out[1, np.random.default_rng(2).random((CELLS, CELLS)) < self.astray] += 0.5
        at = cell_points()
        inside = ((at > 0) & (at < 15)).all(1)
        out[3] = np.where(inside, 9.0, -9.0).reshape(CELLS, CELLS)
        self.looks += 1
        return out[None]


@pytest.mark.parametrize(
    ("shifts", "expected"),
    [
        ((0.1,), 1),
        ((0.25, 0.0), 2),
        ((0.4, 0.1, 0.0), 2),
        ((0.4, 0.25, 0.0), 3),
        ((0.4,), 4),
    ],
    ids=["at once", "second look", "second look too", "third look", "never"],
)
def test_how_often_a_lattice_is_looked_at(shifts, expected):
    """Until it moves no more, at most four times."""
    model = Says(shifts)
    list(fit_steps(PICTURE, PLACE, model))

    assert expected == model.looks


@pytest.mark.parametrize(("apart", "expected"), [(0.04, 1.0), (0.15, 0.67)])
def test_how_quality_falls_as_cells_disagree(apart, expected):
    """A twentieth of a square costs nothing; a tenth more a third."""
    *_, last = fit_steps(PICTURE, PLACE, Says((0.0,), apart))

    assert abs(last.geometry.quality - expected) < 0.02


@pytest.mark.parametrize(("astray", "expected"), [(0.05, False), (0.25, True)])
def test_most_cells_say_how_far_off_a_lattice_is(astray, expected):
    """One in twenty may say what it likes, one in four may not."""
    first = next(fit_steps(PICTURE, PLACE, Says((0.0,), astray=astray)))

    assert expected == (first.off > 0.2)


@pytest.mark.parametrize(("astray", "expected"), [(0.05, True), (0.25, False)])
def test_a_lattice_lies_plainly_only_where_nearly_all_cells_say_so(astray, expected):
    """One that slipped by a row fits most of them, as its lens bends to it."""
    first = next(fit_steps(PICTURE, PLACE, Says((0.0,), astray=astray)))

    assert expected == (first.geometry.quality > FINDER.plain_quality)


@pytest.mark.parametrize(("shift", "expected"), [(0.25, [False, True]), (0.4, [False])])
def test_a_lens_is_fitted_once_the_frame_is_about_right(shift, expected, monkeypatch):
    """At once after a move of less than 0.3 squares: a lens bends to a frame that is wrong."""
    lenses: list[bool] = []
    fit = lattice.fit

    def seen(*given, lens, **named):
        lenses.append(lens)
        return fit(*given, lens=lens, **named)

    monkeypatch.setattr(lattice, "fit", seen)
    next(fit_steps(PICTURE, PLACE, Says((shift,))))

    assert expected == lenses
