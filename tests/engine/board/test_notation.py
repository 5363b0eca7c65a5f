"""Squares as they are said and as other programs write them."""

from __future__ import annotations

import pytest

from kibitz.engine.board.notation import gcg_position, parse_gcg_position
from kibitz.engine.table import SIDE, Square

AXES = ("across", "down")


def test_every_position_that_is_written_is_read_back():
    """All squares of a board in both directions."""
    places = [(Square(r, c), axis) for r in range(SIDE) for c in range(SIDE) for axis in AXES]

    assert places == [parse_gcg_position(gcg_position(*place)) for place in places]


@pytest.mark.parametrize(
    "text", ["", "8", "H", "0H", "16H", "H0", "H16", "8P", "P8", "8H8", "HH", "-1H", "8-H"]
)
def test_what_is_no_position_is_refused(text):
    """The message says what came."""
    with pytest.raises(ValueError, match=f"got '{text}'"):
        parse_gcg_position(text)
