"""Fleets of ScrabbleShip: zones, how ships are told, and which lie wrong (SS-5, SS-6)."""

from __future__ import annotations

import pytest

from kibitz.engine.games.scrabbleship.fleets import (
    SHIP_LENGTHS,
    check_fleet,
    check_zones,
    parse_fleet,
    ship_name,
    zone_of,
    zones_of,
)
from kibitz.engine.rules import Refused
from kibitz.engine.table import parse_square
from tests.helpers.fleets import FLEET

APART = {
    ship: [f"{row}1", f"{row}{SHIP_LENGTHS[ship]}"]
    for ship, row in zip(FLEET, "ACEGG", strict=True)
}
TOP = zones_of(2)[0]


def fleet(**changed):
    """The fleet with some of its ships elsewhere."""
    return parse_fleet({**FLEET, **changed})


def names(squares):
    return [s.name for s in squares]


def test_two_ends_are_all_squares_between_them():
    """Across and down, whichever end is told first; or square by square."""
    told = fleet(submarine=["C3", "C1"], destroyer=["D1", "F1"], patrol=["E2", "E3"])
    by_square = fleet(submarine=["C2", "C3", "C1"])

    assert ["C1", "C2", "C3"] == names(told["submarine"]) == names(by_square["submarine"])
    assert (["D1", "E1", "F1"], ["E2", "E3"]) == (names(told["destroyer"]), names(told["patrol"]))
    assert dict(SHIP_LENGTHS) == {ship: len(squares) for ship, squares in fleet().items()}


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


@pytest.mark.parametrize(
    ("changed", "code", "squares"),
    [
        ({}, None, ()),
        ({"patrol": ["E1", "E3"]}, "wrong_length", ["E1", "E2", "E3"]),
        ({"carrier": ["A1", "B5"]}, "not_straight", ["A1", "B5"]),
        ({"submarine": ["C1", "C2", "C4"]}, "not_straight", ["C1", "C2", "C4"]),
        ({"patrol": ["G15", "H15"]}, "outside_zone", ["H15"]),
        ({"patrol": ["D3", "E3"]}, "overlap", ["D3"]),
        # the first fault in the order of the rules, not of the ships
        ({"carrier": ["O1", "O5"], "patrol": ["E1", "E3"]}, "wrong_length", ["E1", "E2", "E3"]),
    ],
)
def test_the_first_thing_wrong_with_a_fleet_is_named(changed, code, squares):
    """Length, line, zone, overlap (SS-6), with its squares."""
    refused = check_fleet(fleet(**changed), TOP, may_touch=True)

    assert code == (refused and refused.code)
    assert squares == ((refused and names(refused.squares)) or ())


@pytest.mark.parametrize(("may_touch", "code"), [(True, None), (False, "touching")])
def test_ships_may_touch_unless_it_was_agreed_on(may_touch, code):
    """Side by side and end to end; at a corner they never do."""
    refused = check_fleet(fleet(), TOP, may_touch=may_touch)
    corner = parse_fleet(
        {**APART, "destroyer": ["G1", "G3"], "patrol": ["F4", "F5"], "submarine": ["E6", "E8"]}
    )

    assert code == (refused and refused.code)
    assert check_fleet(corner, TOP, may_touch=may_touch) is None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_zones_share_no_square_and_leave_the_middle_free(players):
    """Two halves, or a quarter for each of more (SS-5)."""
    zones = zones_of(players)
    size = 7 * 15 if players == 2 else 7 * 7

    assert [size] * players == [len(zone) for zone in zones]
    assert players * size == len(frozenset().union(*zones))
    assert parse_square("H8") not in frozenset().union(*zones)


@pytest.mark.parametrize(
    ("told", "first"),
    [
        ({}, "Ann"),
        ({"ss.zones": "Bob, Ann"}, "Bob"),
        ({"ss.zones": ["Bob", "Ann"]}, "Bob"),
        ({"ss.zones": {"Ann": 2, "Bob": 1}}, "Bob"),
    ],
)
def test_who_has_which_zone_may_be_told(told, first):
    """In seating order unless it is."""
    check_zones(("Ann", "Bob"), told)

    assert [first] == [p for p in ("Ann", "Bob") if zone_of(p, ("Ann", "Bob"), told) == TOP]


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
