"""How far what is told of squares without a letter is believed."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.training.weighing.blank_fit import believed, fit


def drawn(count, usual, doubted):
    """Odds told of squares that are right as often as two numbers make it, and their doubts."""
    rng = np.random.default_rng(3)
    odds, doubts = rng.uniform(0.5, 9.0, count), rng.uniform(0, 1, (count, 3)) ** 2
    right = rng.random(count) < 1 / (1 + np.exp(-believed(odds, doubts, usual, doubted)))
    return np.where(right, odds, -odds), doubts


def test_what_is_right_as_often_as_told_is_believed_fully():
    """No doubt makes it less."""
    assert (1.0, 1.0) == fit(*drawn(40_000, 1.0, 1.0), 1.0)


@pytest.mark.parametrize("numbers", [(0.7, 0.25), (0.9, 0.5)])
def test_numbers_are_found_again(numbers):
    """From squares drawn by them."""
    assert numbers == pytest.approx(fit(*drawn(40_000, *numbers), 1.0), abs=0.06)


def test_what_is_wrong_may_count_more():
    """Then less is believed."""
    told = drawn(4_000, 1.0, 1.0)

    assert fit(*told, 4.0)[0] < 0.8 < fit(*told, 1.0)[0]
