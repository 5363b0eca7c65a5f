"""Tiles left on racks at the end: what they cost, and whose they are (CL-17)."""

from __future__ import annotations

import pytest

from kibitz.engine.tiles.end_racks import known_racks

TWO, THREE = ("Ann", "Bob"), ("Ann", "Bob", "Cyd")


@pytest.mark.parametrize(
    ("players", "racks", "counts", "out", "known"),
    [
        (TWO, {}, {"Ann": 0, "Bob": 3}, "Ann", {"Bob": ("A", "A", "?")}),
        (TWO, {"Ann": ("A",)}, {"Ann": 1, "Bob": 2}, None, {"Ann": ("A",), "Bob": ("A", "?")}),
        (TWO, {}, {"Ann": 1, "Bob": 2}, None, {}),
        (TWO, {}, {"Ann": 0, "Bob": 2}, "Ann", {}),
        (TWO, {"Ann": ("Z",)}, {"Ann": 0, "Bob": 3}, "Ann", {"Bob": ("A", "A", "?")}),
        (THREE, {}, {"Ann": 0, "Bob": 1, "Cyd": 2}, "Ann", {}),
    ],
)
def test_the_only_rack_nobody_told_is_what_nobody_has_seen(players, racks, counts, out, known):
    """Not where two racks are unknown, nor where the count does not agree: then nothing is told."""
    assert known == known_racks(players, racks, counts, {"A": 2, "?": 1}, out)
