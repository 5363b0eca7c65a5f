"""Pairs things seen with things known at the least total cost."""

from __future__ import annotations

import math
from collections.abc import Sequence


def cheapest_pairs(cost: Sequence[Sequence[float]]) -> list[int]:
    """For each row the column it is paired with, each column used once at most.

    The Hungarian method with potentials; rows must not outnumber columns.

    Args:
        cost: one row for each thing to pair, all of one length.

    Raises:
        ValueError: there are more rows than columns.
    """
    rows = len(cost)
    cols = len(cost[0]) if rows else 0
    if rows > cols:
        raise ValueError(f"expected at most as many rows as columns, got {rows} x {cols}")
    row_of = [0] * (cols + 1)
    u, v = [0.0] * (rows + 1), [0.0] * (cols + 1)
    for row in range(1, rows + 1):
        row_of[0] = row
        at, way = _free_column(cost, row_of, u, v)
        while at:
            row_of[at], at = row_of[way[at]], way[at]
    out = [0] * rows
    for col in range(1, cols + 1):
        if row_of[col]:
            out[row_of[col] - 1] = col - 1
    return out


def _free_column(
    cost: Sequence[Sequence[float]], row_of: list[int], u: list[float], v: list[float]
) -> tuple[int, list[int]]:
    """The nearest column that is free, and the way to it; potentials move along."""
    cols = len(row_of) - 1
    least, used, way = [math.inf] * (cols + 1), [False] * (cols + 1), [0] * (cols + 1)
    at = 0
    while True:
        used[at] = True
        here = row_of[at]
        for col in range(1, cols + 1):
            value = cost[here - 1][col - 1] - u[here] - v[col]
            if not used[col] and value < least[col]:
                least[col], way[col] = value, at
        following = min((c for c in range(1, cols + 1) if not used[c]), key=lambda c: least[c])
        step = least[following]
        for col in range(cols + 1):
            if used[col]:
                u[row_of[col]] += step
                v[col] -= step
            else:
                least[col] -= step
        at = following
        if row_of[at] == 0:
            return at, way
