"""Squares as they are said and as other programs write them."""

from __future__ import annotations

import pytest

from kibitz.engine.board.notation import gcg_position, parse_gcg_position, spoken
from kibitz.engine.table import SIDE, Square, parse_square

AXES = ("across", "down")


@pytest.mark.parametrize(
    ("square", "axis", "text"),
    [
        ("H8", "across", "8H"),
        ("H8", "down", "H8"),
        ("A15", "across", "1O"),
        ("A15", "down", "O1"),
        ("O1", "across", "15A"),
    ],
)
def test_columns_are_lettered_and_rows_numbered(square, axis, text):
    """The other way round than the squares of the rules (0.1); across begins with the row."""
    assert text == gcg_position(parse_square(square), axis)


def test_every_position_that_is_written_is_read_back():
    """All squares of a board in both directions."""
    places = [(Square(r, c), axis) for r in range(SIDE) for c in range(SIDE) for axis in AXES]

    assert places == [parse_gcg_position(gcg_position(*place)) for place in places]


def test_small_letters_and_blanks_around_are_read():
    """As people type it."""
    assert (Square(7, 0), "across") == parse_gcg_position(" 8a ")


@pytest.mark.parametrize(
    "text", ["", "8", "H", "0H", "16H", "H0", "H16", "8P", "P8", "8H8", "HH", "-1H", "8-H"]
)
def test_what_is_no_position_is_refused(text):
    """The message says what came."""
    with pytest.raises(ValueError, match=f"got '{text}'"):
        parse_gcg_position(text)


@pytest.mark.parametrize(
    ("square", "said"), [("C5", "C five"), ("A1", "A one"), ("O15", "O fifteen")]
)
def test_squares_are_spelled_letter_then_number(square, said):
    """As the announcer says them (rule 7)."""
    assert said == str(spoken(parse_square(square)))
