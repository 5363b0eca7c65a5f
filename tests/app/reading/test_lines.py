"""What is told of a picture: rows, confidences and names of squares."""

from __future__ import annotations

import pytest

from kibitz.app.reading.lines import confidence_of, rows_of, square_name
from tests.vision.readings_help import one_row


@pytest.mark.parametrize(
    ("place", "name"),
    [((0, 0, 21), "A1"), ((20, 20, 21), "U21"), ((7, 7, 15), "H8"), ((16, 7, 45), "4:B8")],
)
def test_names_of_squares(place, name):
    """A larger board goes on with its rows; only nine joined ones have numbers before."""
    assert name == square_name(*place)


def test_a_letter_below_even_odds_is_a_hash():
    """Kind and letter count together; the confidence is that of not naming it."""
    reading = one_row(
        [(0.05, 0.9, 0.02, 0.03), (0.05, 0.9, 0.02, 0.03)], [(0.5, 0.3, 0.2), (0.8, 0.1, 0.1)]
    )

    assert (["#A", ".."], [0.55, 0.72]) == (
        rows_of(reading),
        confidence_of(reading)[0],
    )


def test_a_square_that_is_likely_empty_stays_empty():
    """Doubt about a letter is no doubt about a square that most likely holds no tile."""
    reading = one_row(
        [(0.6, 0.4, 1e-6, 1e-6), (0.01, 0.98, 0.005, 0.005)], [(0.4, 0.3, 0.3), (0.05, 0.94, 0.01)]
    )

    assert [".B", ".."] == rows_of(reading)


def test_a_tile_that_shows_beside_a_hand_is_a_letter():
    """Its probability says how sure that is."""
    hand, tile = (0.01, 0.01, 0.01, 0.97), (0.01, 0.98, 0.005, 0.005)
    reading = one_row([hand, tile], [(0.8, 0.1, 0.1)] * 2)

    assert ("#A", 0.784) == (rows_of(reading)[0], confidence_of(reading)[0][1])


@pytest.mark.parametrize(
    ("kind", "letters", "expected"),
    [
        ((0.47, 0.53, 0.0, 0.0), (0.4, 0.3, 0.3), "."),
        ((0.4, 0.6, 0.0, 0.0), (0.9, 0.05, 0.05), "A"),
        ((0.2, 0.7, 0.1, 0.0), (0.4, 0.3, 0.3), "#"),
        ((0.3, 0.0, 0.3, 0.4), (0.5, 0.3, 0.2), "."),
    ],
    ids=["likelier bare than any letter", "a letter", "likelier another", "bare or a card"],
)
def test_the_likeliest_answer_is_told(kind, letters, expected):
    """Bare, a letter that is likelier than not, or neither: hidden, or another letter."""
    reading = one_row([[x + 1e-6 for x in kind]] * 2, [letters] * 2)

    assert expected == rows_of(reading)[0][0]
