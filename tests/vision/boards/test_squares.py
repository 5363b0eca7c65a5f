"""Single squares are cut from the photograph as they lie there."""

import numpy as np
import pytest

from kibitz.calibration.board_geometry import BoardGeometry, geometry_from_corners, rectify
from kibitz.vision.boards.squares import CUT_PX, SQUARE_PX, cut_squares, pixels_within, squares_of

CORNERS = np.array([(70.0, 80.0), (650.0, 70.0), (660.0, 650.0), (60.0, 640.0)])


@pytest.mark.parametrize("many", [2, 225])
def test_squares_are_those_of_the_straightened_board(many):
    """Few and many of them, which are cut in different ways, through a lens."""
    plain = geometry_from_corners(CORNERS, 15, 720, 720)
    g = BoardGeometry(plain.homography, 15, 720, 720, -0.03)
    y, x = np.mgrid[:720, :720]
    picture = np.stack([x // 3, y // 3, (x + y) // 6], -1).astype(np.uint8)
    where = np.argwhere(np.ones((15, 15)))[:many]

    straight = rectify(picture, g, SQUARE_PX, (-1.0, -1.0), (17.0, 17.0))
    cuts = squares_of(picture, g, where)

    assert cuts.shape == (many, CUT_PX, CUT_PX, 3)
    assert np.abs(cuts.astype(int) - cut_squares(straight, where)).max() <= 2


def test_pixels_within_squares_are_picked_out():
    """Every other one from the third on, down and across."""
    straight = np.random.default_rng(2).integers(0, 255, (17 * 8, 17 * 8, 3), np.uint8)

    some = pixels_within(straight, 8, np.s_[2:7:2])

    assert some.shape == (15, 15, 3, 3)
    assert np.array_equal(some[4, 9, 1, 2].tobytes(), straight[5 * 8 + 4, 10 * 8 + 6].tobytes())
