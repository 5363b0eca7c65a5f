"""The lattice fit finds back what it was given."""

import cv2
import numpy as np
import pytest

from kibitz.calibration import lattice as lattice_fit
from kibitz.calibration.board_geometry import BoardGeometry, geometry_from_corners
from kibitz.calibration.lattice import cell_points, fit
from kibitz.calibration.outline import quadrilateral

CORNERS = np.array([(210.0, 160.0), (820.0, 130.0), (900.0, 700.0), (150.0, 660.0)])


@pytest.mark.parametrize("k1", [0.0, -0.08])
def test_fit_recovers_the_geometry(k1):
    """From exact points, started half a square off, the corners are right to a tenth of a pixel."""
    plain = geometry_from_corners(CORNERS, 15, 1000, 800)
    true = BoardGeometry(plain.homography, 15, 1000, 800, k1)
    start = geometry_from_corners(true.corners_px + 15, 15, 1000, 800)
    lattice = cell_points()
    inside = ((lattice > 0) & (lattice < 15)).all(1)
    px = true.to_px(lattice)

    fitted = fit(px, lattice, inside.astype(float), start, lens=k1 != 0.0)

    assert np.abs(fitted.corners_px - true.corners_px).max() < (0.1 if k1 == 0 else 1.5)


@pytest.mark.parametrize(("px", "exact"), [(40, False), (52, True)])
def test_when_a_fit_is_done(px, exact):
    """A step of less than a hundredth is the last: the next would change rounding only."""
    true = geometry_from_corners(CORNERS, 15, 1000, 800)
    start = geometry_from_corners(true.corners_px + px, 15, 1000, 800)
    lattice = cell_points()

    fitted = fit(true.to_px(lattice), lattice, np.ones(len(lattice)), start, lens=False)

    assert exact == (np.abs(fitted.corners_px - true.corners_px).max() < 1e-6)


def test_a_fit_takes_six_steps_at_most(monkeypatch):
    """Though none of them be small enough to be the last."""
    steps = []
    solve = cv2.solve
    monkeypatch.setattr(lattice_fit, "SETTLED", 0.0)
    monkeypatch.setattr(cv2, "solve", lambda a, b: steps.append(1) or solve(a, b))
    true = geometry_from_corners(CORNERS, 15, 1000, 800)
    rng = np.random.default_rng(2)
    said = cell_points() + rng.normal(0, 0.3, cell_points().shape)
    fit(true.to_px(cell_points()), said, np.ones(len(said)), true, lens=False)

    assert 6 == len(steps)


@pytest.mark.parametrize(("shown", "low", "high"), [(15.0, 0.075, 0.08), (6.0, 0.034, 0.047)])
def test_a_lens_is_believed_as_far_as_points_tell(shown, low, high):
    """Points all over a board tell its lens; those of a corner leave half of it in doubt."""
    plain = geometry_from_corners(CORNERS, 15, 1000, 800)
    true = BoardGeometry(plain.homography, 15, 1000, 800, 0.08)
    lattice = cell_points()
    seen = ((lattice > 0) & (lattice < shown)).all(1)
    fitted = fit(true.to_px(lattice), lattice, seen.astype(float), plain, lens=True)

    assert low < fitted.k1 < high


@pytest.mark.parametrize("off", [0.2, 3.0])
def test_fit_resists_points_that_are_wrong(off):
    """A tenth of the points moves the corners by less than a pixel, however far off they are."""
    true = geometry_from_corners(CORNERS, 15, 1000, 800)
    lattice = cell_points()
    px = true.to_px(lattice)
    rng = np.random.default_rng(5)
    wrong = rng.random(len(lattice)) < 0.1
    said = lattice + wrong[:, None] * off

    fitted = fit(px, said, np.ones(len(px)), true, lens=False)

    assert 0.6 < np.abs(fitted.corners_px - true.corners_px).max() < 1.2


def test_quadrilateral_of_a_cut_corner():
    """A square with one corner cut off gives back the whole square."""
    t = np.linspace(0, 100, 60)
    edge = (
        [(x, 0) for x in t[t < 80]]
        + [(100, y) for y in t[t > 20]]
        + [(x, 100) for x in t]
        + [(0, y) for y in t]
    )

    quad = quadrilateral(np.array(edge, float))

    assert quad is not None
    assert np.allclose(
        sorted(map(tuple, np.round(quad))), [(0, 0), (0, 100), (100, 0), (100, 100)], atol=2
    )
