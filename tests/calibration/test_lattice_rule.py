"""Numbers of `LatticeRule` decide how often a lattice is looked at and how well it fits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.calibration.lattice import CELLS, cell_points, fit_steps, playing_area

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
        wide: whether the playing area goes on to the right without an end.
    """

    def __init__(
        self, shifts: Sequence[float], apart: float = 0.0, astray: float = 0.0, wide: bool = False
    ) -> None:
        self.shifts, self.apart, self.astray, self.wide = shifts, apart, astray, wide
        self.looks = 0

    def __call__(self, pictures):
        """(1, 4, 16, 16)."""
        out = np.zeros((4, CELLS, CELLS), np.float32)
        out[0] = self.shifts[min(self.looks, len(self.shifts) - 1)]
        signs = np.indices((CELLS, CELLS)).sum(0) % 2 * 2 - 1
        out[0] += self.apart * signs
        out[1, np.random.default_rng(2).random((CELLS, CELLS)) < self.astray] += 0.5
        at = cell_points()
        x = np.where(at[:, 0] > 15, 7.5, at[:, 0]) if self.wide else at[:, 0]
        inside = (x > 0) & (x < 15) & (at[:, 1] > 0) & (at[:, 1] < 15)
        out[3] = np.where(inside, 9.0, -9.0).reshape(CELLS, CELLS)
        self.looks += 1
        return out[None]


@pytest.mark.parametrize(
    ("shifts", "expected"),
    [
        ((0.03,), 1),
        ((0.06, 0.0), 2),
        ((0.4, 0.1, 0.0), 2),
        ((0.4, 0.2, 0.0), 3),
        ((0.4,), 4),
    ],
    ids=["at once", "nearly", "second look", "third look", "never"],
)
def test_how_often_a_lattice_is_looked_at(shifts, expected):
    """Until it moves no more, at most four times."""
    model = Says(shifts)
    list(fit_steps(PICTURE, PLACE, model))

    assert expected == model.looks


def test_a_frame_goes_on_twice_at_most():
    """Where the playing area has no end, two looks go on along it and the third stays."""
    model = Says((0.0,), wide=True)
    list(fit_steps(PICTURE, PLACE, model))

    assert 3 == model.looks


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


@pytest.mark.parametrize(("odds", "expected"), [(4.5, 15), (9.0, 16)])
def test_how_much_likelier_another_frame_must_be(odds, expected):
    """By six natural logs in all."""
    points = np.array([(15.5, y + 0.5) for y in range(3)])
    present = np.full(3, 1 / (1 + np.exp(-odds / 3)))

    assert (0, 0, expected, 15) == playing_area(points, present)


def test_how_far_a_side_may_go_on_at_once():
    """Two squares, though there may be more."""
    points = np.array([(x + 0.5, y + 0.5) for x in range(15, 20) for y in range(15)])

    assert (0, 0, 17, 15) == playing_area(points, np.full(len(points), 0.99))
