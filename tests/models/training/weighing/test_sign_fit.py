"""How much it counts for a blank that a tile shows a sign, fitted."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.training.weighing.sign_fit import fit


def drawn(count, weights):
    """What looks and signs say of tiles that are blanks as often as these weights say."""
    rng = np.random.default_rng(3)
    x = np.column_stack([rng.normal(0, 2, (count, 2)), np.ones(count)])
    return x, rng.random(count) < 1 / (1 + np.exp(-(x @ np.array(weights))))


def test_what_looks_and_signs_count_is_found():
    """And how rare blanks are beside."""
    weights = (0.7, 1.3, -2.0)
    x, blank = drawn(40_000, weights)

    assert weights == pytest.approx(fit(x, np.zeros(len(x)), blank), abs=0.08)


def test_what_is_said_beside_counts_once():
    """The others add what it leaves open."""
    x, blank = drawn(40_000, (1.0, 1.3, -2.0))

    assert (1.3, -2.0) == pytest.approx(fit(x[:, 1:], x[:, 0], blank), abs=0.08)


def test_blanks_that_count_more_are_told_sooner():
    """As if there were so many of each."""
    x, blank = drawn(40_000, (0.7, 1.3, -2.0))
    many = np.concatenate([np.arange(len(x)), *[np.flatnonzero(blank)] * 2])

    assert fit(x[many], np.zeros(len(many)), blank[many]) == pytest.approx(
        fit(x, np.zeros(len(x)), blank, 3.0), abs=1e-6
    )
