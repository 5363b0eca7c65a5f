"""What a person asks of a picture: squares, corners, the edge of row A."""

from __future__ import annotations

import pytest

from kibitz.app.reading.request import goes_round, parse_corners

ROUND = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))


@pytest.mark.parametrize(
    ("points", "least", "expected"),
    [
        (ROUND, 0.0, True),
        (ROUND[::-1], 0.0, True),
        (ROUND, 99.0, True),
        (ROUND, 100.0, False),
        (ROUND[::-1], 99.0, True),
        (ROUND[::-1], 100.0, False),
        (((0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)), 0.0, False),
        (((0.0, 0.0), (10.0, 0.0), (2.0, 2.0), (0.0, 10.0)), 0.0, False),
        (((0.0, 0.0), (5.0, 0.0), (10.0, 0.0), (0.0, 10.0)), 0.0, False),
        (((0.0, 10.0), (10.0, 0.0), (5.0, 0.0), (0.0, 0.0)), 0.0, False),
    ],
    ids=[
        "clockwise",
        "counter-clockwise",
        "turns enough",
        "turns no more than that",
        "counter-clockwise, turns enough",
        "counter-clockwise, turns no more than that",
        "crossed",
        "dented",
        "a corner on a side",
        "counter-clockwise, a corner on a side",
    ],
)
def test_when_four_corners_go_round(points, least, expected):
    """Either way round, without a dent, and each corner turns by more than the least."""
    assert expected == goes_round(points, least)


def test_corners_are_read_in_order():
    """Eight numbers are four corners."""
    assert ROUND == parse_corners("0,0,10,0,10,10,0,10")
