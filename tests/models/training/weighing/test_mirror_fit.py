"""How far the mirror network is believed about several tiles, fitted."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.training.weighing.mirror_fit import fit, loss


@pytest.mark.parametrize("temperature", [1.0, 2.5, 4.0])
def test_how_much_too_sure_sums_are_is_found(temperature):
    """Of sets that are mirrored as often as their log odds, divided by it, say."""
    rng = np.random.default_rng(3)
    odds = rng.normal(0, 6, 40_000)
    mirrored = rng.random(len(odds)) < 1 / (1 + np.exp(-odds / temperature))

    assert temperature == pytest.approx(fit(odds, mirrored), rel=0.06)


def test_a_loss_counts_both_sides_alike():
    """A mirror that is taken for none costs as much as none that is taken for one."""
    odds, mirrored = np.array([2.0, -2.0, 0.0]), np.array([True, False, True])

    expected = (2 * np.log1p(np.exp(-2.0)) + np.log(2)) / 3
    assert expected == pytest.approx(loss(odds, mirrored, 1.0))
    assert expected == pytest.approx(loss(-odds, ~mirrored, 1.0))
