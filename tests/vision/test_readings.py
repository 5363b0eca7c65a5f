"""Boards that lie the other way round."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.reading.lines import rows_of
from kibitz.vision.readings import turned_board
from tests.vision.readings_help import one_row


def test_what_is_told_turns_with_the_board():
    """A letter and what is hidden keep their squares."""
    hidden, tile = (0.01, 0.01, 0.01, 0.97), (1e-6, 1.0, 1e-6, 1e-6)
    board = one_row([hidden, tile], [(0.8, 0.1, 0.1)] * 2)

    assert ["#A", ".."] == rows_of(board)
    assert ["A.", "#."] == rows_of(turned_board(board, 1))


@pytest.mark.parametrize(
    ("corners", "mirrored"),
    [
        ([(0, 0), (2, 0), (2, 2), (0, 2)], False),
        ([(2, 2), (0, 2), (0, 0), (2, 0)], False),
        ([(2, 0), (0, 0), (0, 2), (2, 2)], True),
    ],
)
def test_corners_that_go_the_other_way_are_of_a_mirrored_board(corners, mirrored):
    """Upright or on its head, a board's columns go clockwise round from its rows."""
    sure = (0.97, 0.01, 0.01, 0.01)
    plain = one_row([sure] * 2, [sure[:3]] * 2)

    assert mirrored is replace(plain, corners_px=np.array(corners, float)).mirrored
