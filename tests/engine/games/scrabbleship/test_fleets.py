"""Fleets of ScrabbleShip: zones, how ships are told, and which lie wrong (SS-5, SS-6)."""

from __future__ import annotations

import pytest

from kibitz.engine.games.scrabbleship.fleets import (
    SHIP_LENGTHS,
    check_zones,
    parse_fleet,
    ship_name,
    zones_of,
)
from kibitz.engine.rules import Refused
from kibitz.engine.table import parse_square
from tests.helpers.fleets import FLEET


@pytest.mark.parametrize(
    ("raw", "code", "said"),
    [
        ("A1", "bad_action", "Expected a fleet"),
        ({}, "wrong_fleet", "unknown: none"),
        ({**FLEET, "canoe": ["F1", "F2"]}, "wrong_fleet", "missing: none; unknown: canoe"),
        ({**FLEET, "patrol": "E1"}, "bad_action", "Expected squares for the patrol"),
        ({**FLEET, "patrol": ["E1", "P1"]}, "off_board", "expected a square"),
        ({**FLEET, "patrol": []}, "wrong_length", "covers no square"),
    ],
)
def test_what_is_no_fleet_is_told(raw, code, said):
    """One of each ship, with squares of the board."""
    refused = parse_fleet(raw)

    assert isinstance(refused, Refused)
    assert code == refused.code
    assert said in str(refused.message)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_zones_share_no_square_and_leave_the_middle_free(players):
    """Two halves, or a quarter for each of more (SS-5)."""
    zones = zones_of(players)
    size = 7 * 15 if players == 2 else 7 * 7

    assert [size] * players == [len(zone) for zone in zones]
    assert players * size == len(frozenset().union(*zones))
    assert parse_square("H8") not in frozenset().union(*zones)


@pytest.mark.parametrize(
    "told", ["Ann", ["Ann", "Zed"], {"Ann": 1, "Bob": 1}, {"Ann": 1, "Bob": 3}, {"Ann": 1}]
)
def test_zones_that_do_not_go_round_are_told(told):
    """Each player has one, and another one than the others."""
    with pytest.raises(ValueError, match=r"ss\.zones: expected"):
        check_zones(("Ann", "Bob"), {"ss.zones": told})


def test_a_ship_that_has_no_other_name_is_called_as_it_is_told():
    """Whatever people call it."""
    assert "canoe" == ship_name("canoe")
    assert len(SHIP_LENGTHS) == len({ship_name(ship) for ship in SHIP_LENGTHS})
