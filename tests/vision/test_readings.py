"""A letter that is more likely wrong than right is not named."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.app.reading.lines import confidence_of, rows_of
from kibitz.vision.readings import GridReading, turned_board


def one_row(kinds, letters):
    """Two squares (n = 2 with the second row empty) with the given probabilities."""
    kind = np.full((2, 2, 4), 1e-6, np.float32)
    kind[1, :, 0] = 1.0
    letter = np.full((2, 2, 3), 1 / 3, np.float32)
    kind[0] = kinds
    letter[0] = letters
    return GridReading(
        corners_px=np.array([(0, 0), (2, 0), (2, 2), (0, 2)], float),
        kind_log_prob=np.log(kind),
        labels=("A", "B", "?"),
        letter_log_prob=np.log(letter),
        turn_log_prob=np.log(np.full((2, 2, 4), 0.25, np.float32)),
        tile_sets=np.full((2, 2), "."),
    )


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


def test_beside_a_hand_less_doubt_is_enough():
    """A finger that hides a square may lie across the next one too."""
    hand = (0.01, 0.01, 0.01, 0.97)
    tile = (0.01, 0.98, 0.005, 0.005)
    fair, plain = (0.8, 0.1, 0.1), (0.98, 0.01, 0.01)

    assert rows_of(one_row([hand, tile], [fair, fair]))[0] == "##"
    assert rows_of(one_row([hand, tile], [fair, plain]))[0] == "#A"
    assert rows_of(one_row([(0.97, 0.01, 0.01, 0.01), tile], [fair, fair]))[0] == ".A"


@pytest.mark.parametrize(("counts", "told"), [(1.0, "##"), (0.5, "#A"), (0.7, "##")])
def test_beside_what_is_hidden_a_letter_in_glare_is_told_as_without(counts, told):
    """Log odds of 1.4 that count half were 2.8: more than nine in ten; so on a turned board."""
    hidden, tile = (0.01, 0.01, 0.01, 0.97), (1e-6, 1.0, 1e-6, 1e-6)
    beside = one_row([hidden, tile], [(0.8, 0.1, 0.1)] * 2)
    glare = np.array([(1.0, counts), (1.0, 1.0)], np.float32)
    burnt = replace(beside, letters_count=glare)

    assert told == rows_of(burnt)[0]
    assert [told[1] + ".", "#."] == rows_of(turned_board(burnt, 1))


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
