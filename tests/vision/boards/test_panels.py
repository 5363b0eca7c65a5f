"""Which squares of joined boards a picture shows."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.vision.boards.reader import squares_in_sight


@pytest.mark.parametrize(("outside", "seen"), [(0.2, True), (0.3, False)])
def test_how_much_of_a_square_the_picture_may_leave_out(outside, seen):
    """A quarter of its side, on each: the letter is still whole."""
    off = -20.0 * outside
    corners = np.array([(off, off), (off + 300, off), (off + 300, off + 300), (off, off + 300)])

    shown = squares_in_sight(geometry_from_corners(corners, 15, 400, 400))

    assert [seen, seen, True] == [shown[0].all(), shown[:, 0].all(), shown[1:, 1:].all()]
