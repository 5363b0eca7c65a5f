"""A fleet of ScrabbleShip that tests send to sea."""

from __future__ import annotations

FLEET = {
    "carrier": ["A1", "A5"],
    "scrabbleship": ["B1", "B4"],
    "submarine": ["C1", "C3"],
    "destroyer": ["D1", "D3"],
    "patrol": ["E1", "E2"],
}
