"""Lines of any spacing are found in a rough outline, the likeliest first."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.calibration.spacings import rough_lattices
from tests.calibration.ruled_help import CORNERS, SIDE, ruled


def side_of(geometry):
    """The mean side of a square, in pixels, where the board's middle lies."""
    middle = np.round(geometry.to_lattice(CORNERS.mean(0)))
    cell = geometry.to_px(middle + np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]))
    return float(np.linalg.norm(cell - np.roll(cell, 1, axis=0), axis=1).mean())


def on_lines(geometry, squares):
    """How far the lattice's points near the middle lie from crossings of the lines, in squares."""
    middle = np.round(geometry.to_lattice(CORNERS.mean(0)))
    near = middle + np.stack(np.meshgrid(*[np.arange(-2.0, 3)] * 2), -1).reshape(-1, 2)
    at = (geometry.to_px(near) - CORNERS[0]) / (SIDE / squares)
    return float(np.abs(at - np.round(at)).max())


@pytest.mark.parametrize("squares", [9, 13, 17, 21])
def test_the_likeliest_spacing_is_that_of_the_lines(squares):
    """Though the outline lies half a square beside the board."""
    off = np.array([(-0.5, 0.4), (0.3, -0.5), (0.5, 0.5), (-0.4, -0.3)]) * SIDE / squares
    first = next(rough_lattices(ruled(squares), CORNERS + off))

    assert pytest.approx(SIDE / squares, rel=0.03) == side_of(first)
    assert on_lines(first, squares) < 0.15


def test_a_turned_picture_has_the_same_lines():
    """Upright and level lines are told in the same way."""
    picture = ruled(13, 760, 760)
    turned = np.ascontiguousarray(cv2.transpose(picture))
    straight, other = (
        next(rough_lattices(p, c))
        for p, c in ((picture, CORNERS), (turned, CORNERS[:, ::-1][[0, 3, 2, 1]]))
    )
    swapped = straight.to_px(np.array([[0.0, 0.0]]))[:, ::-1]
    there = other.to_lattice(swapped)

    assert np.abs(there - np.round(there)).max() < 0.1
