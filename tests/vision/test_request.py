"""What can be asked of a reader."""

from __future__ import annotations

import pytest

from kibitz.app.reading.request import parse_squares


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, 15),
        ("15", 15),
        ("45", 45),
        ("8", 8),
        ("24", 24),
        ("auto", "auto"),
        ("loose", "loose"),
    ],
)
def test_what_can_be_asked_for(text, expected):
    """Any number from 8 to 24, nine joined boards, and what is to be found out."""
    assert expected == parse_squares(text, None)
