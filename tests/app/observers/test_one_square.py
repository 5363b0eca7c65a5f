"""What a camera sees is shown as people want to see it: the board straight, a tile alone."""

from __future__ import annotations

import cv2
import numpy as np

from kibitz.app.observers.one_square import straight_board
from kibitz.engine.table import Grid
from tests.helpers.fake_readings import reading_of_rows

CORNERS = [[320.0, 180.0], [960.0, 200.0], [980.0, 820.0], [300.0, 800.0]]


def test_a_straight_board_has_nothing_beside_it():
    """All of it and no more, 900 pixels a side."""
    picture = np.zeros((960, 1280, 3), np.uint8)
    cv2.fillConvexPoly(picture, np.round(CORNERS).astype(np.int32), (255, 255, 255))
    reading = reading_of_rows(["." * 15] * 15, "ABC", corners_px=CORNERS)

    shown = straight_board(picture, reading, Grid(15, 15))

    assert shown is not None
    assert (900, 900, 3) == shown.shape
    assert (shown > 127).mean() > 0.99
