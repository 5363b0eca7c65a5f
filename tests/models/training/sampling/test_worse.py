"""Pictures made worse than any that their maker would keep."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.models.training.sampling.worse import CHANGES, made_worse, small

PX = 30.0
STRIPES = np.zeros((120, 150, 3), np.uint8)
STRIPES[:, ::10] = (60, 120, 200)


@pytest.mark.parametrize("change", CHANGES, ids=lambda x: x.__name__)
def test_each_change_is_seen(change):
    """A picture of the same size (but for `small`), another one for another chance."""
    first, second = (change(np.random.default_rng(k), STRIPES, PX) for k in (1, 2))

    assert np.uint8 == first.dtype
    assert (first.shape == STRIPES.shape) is (change is not small)
    assert first.shape != second.shape or (first != second).any()
    assert first.shape != STRIPES.shape or (first != STRIPES).any()


def test_some_are_made_worse_twice():
    """Three in ten, less those whose second change would be the same or `small`."""
    change = CHANGES[2]
    twice = 0
    for k in range(200):
        once = np.random.default_rng(k)
        once.random()
        alone = change(once, STRIPES, PX)
        twice += bool((made_worse(np.random.default_rng(k), STRIPES, PX, change) != alone).any())

    assert 30 < twice < 70
