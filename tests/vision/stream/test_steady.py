"""Whether a camera stood still is told by how many pictures agree, and how closely."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.vision.stream.steady import steady_corners
from tests.helpers.fake_readings import reading_of_rows

CORNERS = np.array([[320.0, 180.0], [920.0, 180.0], [920.0, 780.0], [320.0, 780.0]])
SQUARE_PX = 40.0


def readings(*offs: float):
    """A picture for each number: its board lies so many squares further right."""
    out = []
    for off in offs:
        corners = np.add(CORNERS, (off * SQUARE_PX, 0.0)).tolist()
        one = reading_of_rows(["." * 15] * 15, "ABC", corners_px=corners)
        out.append(one)
    return out


def unit() -> float:
    """Pixels a square in these readings, as parts of `SQUARE_PX`."""
    return readings(0.0)[0].boards[0].square_px / SQUARE_PX


@pytest.mark.parametrize(
    ("offs", "expected"),
    [
        ((0.0, 0.0), False),
        ((0.0, 0.0, 0.0), True),
        ((0.0, 0.0, 0.2), True),
        ((0.0, 0.0, 0.35), False),
        ((0.0, 0.0, 0.0, *(range(5, 25))), True),
        ((0.0, 0.0, 0.0, *(range(5, 36))), False),
    ],
    ids=[
        "two pictures",
        "three",
        "one jitters",
        "one was moved",
        "three of 23",
        "three of 34",
    ],
)
def test_when_a_camera_stood_still(offs, expected):
    """Three pictures and an eighth of them all must agree, to a quarter of a square."""
    scaled = readings(*(off * unit() for off in offs))

    assert expected == (steady_corners(scaled) is not None)
