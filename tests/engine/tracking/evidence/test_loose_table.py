"""Things seen are paired with things known at the least total cost."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from kibitz.engine.tracking.evidence.loose_table import cheapest_pairs


@pytest.mark.parametrize(
    ("cost", "pairs"),
    [
        ([], []),
        ([[3.0]], [0]),
        ([[1.0, 2.0], [1.0, 5.0]], [1, 0]),
        ([[9.0, 1.0, 9.0]], [1]),
    ],
)
def test_small(cost: list[list[float]], pairs: list[int]) -> None:
    """Small tables come out as one finds by hand."""
    assert cheapest_pairs(cost) == pairs


def test_against_trying_all() -> None:
    """The total is the smallest of all pairings."""
    rng = random.Random(5)
    for _ in range(30):
        rows, cols = rng.randint(1, 5), 5
        cost = [[rng.uniform(-3, 9) for _ in range(cols)] for _ in range(rows)]
        found = sum(cost[r][c] for r, c in enumerate(cheapest_pairs(cost)))
        best = min(
            sum(cost[r][c] for r, c in enumerate(p)) for p in permutations(range(cols), rows)
        )

        assert found == pytest.approx(best)


def test_too_few_columns() -> None:
    """More things than places is a wrong call."""
    with pytest.raises(ValueError, match="2 x 1"):
        cheapest_pairs([[1.0], [2.0]])
