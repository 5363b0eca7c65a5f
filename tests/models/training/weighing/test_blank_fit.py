"""How far looks and colours are believed, fitted."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.training.weighing.blank_fit import fit


def drawn(count, weights):
    """Log odds told, below 0 where wrong, that are right as often as these weights say."""
    rng = np.random.default_rng(3)
    odds, doubts = rng.uniform(0, 6, count), rng.uniform(0, 1, (count, 3))
    true = odds * (weights[0] - doubts @ np.array(weights[1:]))
    right = rng.random(count) < 1 / (1 + np.exp(-true))
    return np.where(right, odds, -odds), doubts


def test_what_is_right_as_often_as_it_says_is_believed():
    """And no doubt counts that has no part in what is wrong."""
    found = fit(*drawn(40_000, (1.0, 0.0, 0.0, 0.0)), 1.0)

    assert [1.0, 0.0, 0.0, 0.0] == pytest.approx(found, abs=0.06)


def test_each_doubt_is_found():
    """Three that count differently."""
    weights = (0.9, 0.5, 0.2, 0.0)

    assert weights == pytest.approx(fit(*drawn(40_000, weights), 1.0), abs=0.06)


def test_what_is_wrong_may_count_more():
    """Less is believed then."""
    told = drawn(5_000, (1.0, 0.0, 0.0, 0.0))

    assert fit(*told, 4.0)[0] < 0.8 < fit(*told, 1.0)[0]
