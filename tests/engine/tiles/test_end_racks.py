"""Tiles left on racks at the end: what they cost, and whose they are (CL-17)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.tiles.end_racks import known_racks, rack_change
from tests.helpers.property_examples import tries

TILES = load_tile_set("en")
TWO, THREE = ("Ann", "Bob"), ("Ann", "Bob", "Cyd")
RACKS = {"Ann": ("Q", "?"), "Bob": ("A", "D")}
RACK = st.lists(st.sampled_from("AEQZ?"), max_size=7).map(tuple)


@pytest.mark.parametrize(
    ("players", "racks", "out", "double", "change"),
    [
        (TWO, {}, None, False, {"Ann": 0, "Bob": 0}),
        (TWO, RACKS, None, False, {"Ann": -10, "Bob": -3}),
        (TWO, RACKS, "Bob", False, {"Ann": -10, "Bob": 10}),
        (TWO, RACKS, "Bob", True, {"Ann": 0, "Bob": 20}),
        (TWO, RACKS, None, True, {"Ann": -10, "Bob": -3}),
        (THREE, RACKS, "Cyd", False, {"Ann": -10, "Bob": -3, "Cyd": 13}),
        (THREE, RACKS, "Cyd", True, {"Ann": -10, "Bob": -3, "Cyd": 13}),
        (THREE, {"Bob": ("A", "D")}, "Cyd", False, {"Ann": 0, "Bob": -3, "Cyd": 3}),
    ],
)
def test_what_racks_cost(players, racks, out, double, change):
    """Each loses the own rack; who went out gains the others', with two players twice or once."""
    assert change == rack_change(players, racks, TILES, out, double=double)


@tries(50)
@given(st.fixed_dictionaries(dict.fromkeys(THREE, RACK)), st.sampled_from(THREE))
def test_what_the_others_lose_goes_to_the_one_who_went_out(racks, out):
    """Points go from one to another; none are made or lost."""
    change = rack_change(THREE, racks, TILES, out)

    assert 0 == sum(change.values())
    assert max(change.values()) == change[out]


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
