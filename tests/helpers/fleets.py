"""A fleet of ScrabbleShip for tests."""

from __future__ import annotations

from kibitz.engine.table import parse_square

Fleet = dict[str, list[str]]

FLEET: Fleet = {
    "carrier": ["A1", "A5"],
    "scrabbleship": ["B1", "B4"],
    "submarine": ["C1", "C3"],
    "destroyer": ["D1", "D3"],
    "patrol": ["E1", "E2"],
}


def moved(fleet: Fleet, down: int = 0, right: int = 0) -> Fleet:
    """The same fleet so many squares further down and to the right."""
    return {
        ship: [parse_square(end).step("down", down).step("across", right).name for end in ends]
        for ship, ends in fleet.items()
    }
