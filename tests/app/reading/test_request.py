"""What a person asks of a picture: squares, corners, the edge of row A."""

from __future__ import annotations

import pytest

from kibitz.app.reading.request import is_convex, parse_corners

ROUND = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (ROUND, True),
        (ROUND[::-1], True),
        (((0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)), False),
        (((0.0, 0.0), (10.0, 0.0), (2.0, 2.0), (0.0, 10.0)), False),
        (((0.0, 0.0), (5.0, 0.0), (10.0, 0.0), (0.0, 10.0)), False),
        (((0.0, 10.0), (10.0, 0.0), (5.0, 0.0), (0.0, 0.0)), False),
    ],
    ids=[
        "clockwise",
        "counter-clockwise",
        "crossed",
        "dented",
        "a corner on a side",
        "counter-clockwise, a corner on a side",
    ],
)
def test_when_four_corners_go_round(points, expected):
    """Either way round, without a dent, and each corner turns."""
    assert expected == is_convex(points)


def test_corners_are_read_in_order():
    """Eight numbers are four corners."""
    assert ROUND == parse_corners("0,0,10,0,10,10,0,10")
