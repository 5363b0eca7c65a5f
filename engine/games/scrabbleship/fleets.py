"""Fleets of ScrabbleShip: ships, zones, and the checks of an entered fleet (SS-4 to SS-6)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kibitz.engine.phrases import SquareName, phrase
from kibitz.engine.rules import JsonValue, Options, Refused
from kibitz.engine.table import SIDE, Square, parse_square

SHIP_LENGTHS = MappingProxyType(
    {"carrier": 5, "scrabbleship": 4, "submarine": 3, "destroyer": 3, "patrol": 2}
)
_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "carrier": phrase("carrier"),
        "scrabbleship": phrase("ScrabbleShip"),
        "submarine": phrase("submarine"),
        "destroyer": phrase("destroyer"),
        "patrol": phrase("patrol"),
    }
)
WORD_FACTORS = MappingProxyType({"scrabbleship": 2, "submarine": 3, "destroyer": 3, "patrol": 4})
"""Word factors for the play that sinks a ship (SS-24); the carrier doubles tiles instead."""

Fleet = Mapping[str, tuple[Square, ...]]


SEATING = "seating"


def ship_name(ship: JsonValue) -> str:
    """Name of a ship for people."""
    return _NAMES.get(str(ship), str(ship))


def check_zones(players: tuple[str, ...], options: Options) -> None:
    """Check that the setting `ss.zones` gives every player their own zone.

    Raises:
        ValueError: it does not; the message says what was expected.
    """
    zones = [_zone_number(p, players, options) for p in players]
    most = 2 if len(players) == 2 else 4
    if len(set(zones)) < len(zones) or not all(1 <= z <= most for z in zones):
        raise ValueError(
            f"ss.zones: expected {SEATING}, the names in the order of the zones, or a different "
            f"zone from 1 to {most} for each player, got {options.get('ss.zones')!r}"
        )


def _zone_number(player: str, players: tuple[str, ...], options: Options) -> int:
    """Number of a player's zone, from 1; 0 where the setting is impossible."""
    given = options.get("ss.zones", SEATING)
    if isinstance(given, str) and given != SEATING:
        given = [name.strip() for name in given.split(",")]
    if isinstance(given, Mapping):
        number = given.get(player, 0)
        return int(number) if str(number).isdecimal() else 0
    order = list(given) if isinstance(given, (list, tuple)) else list(players)
    return order.index(player) + 1 if player in order else 0


def zone_of(player: str, players: tuple[str, ...], options: Options) -> frozenset[Square]:
    """Squares on which a player's ships may lie (SS-5)."""
    index = _zone_number(player, players, options) - 1
    rows = range(7) if index % 2 == 0 else range(8, SIDE)
    cols = range(SIDE)
    if len(players) > 2:
        rows = range(7) if index < 2 else range(8, SIDE)
        cols = range(7) if index % 2 == 0 else range(8, SIDE)
    return frozenset(Square(r, c) for r in rows for c in cols)


def zones_of(players: int) -> tuple[frozenset[Square], ...]:
    """Zones of so many players in seating order (SS-5)."""
    names = tuple(map(str, range(players)))
    return tuple(zone_of(name, names, {}) for name in names)


def parse_fleet(raw: JsonValue) -> Fleet | Refused:
    """Parse a fleet: each ship's squares, or its two end squares.

    Returns:
        Ship to squares as far as they can be told, or a refusal: `wrong_fleet` when a ship is
        missing, twice or unknown, `off_board`, or `bad_action` for another shape.
    """
    if not isinstance(raw, Mapping):
        return Refused(
            "bad_action",
            f"Expected a fleet as {{'carrier': ['A1', 'A5'], ...}}, got {raw!r:.60}.",
        )
    if set(raw) != set(SHIP_LENGTHS):
        missing = ", ".join(sorted(set(SHIP_LENGTHS) - set(raw))) or "none"
        extra = ", ".join(sorted(map(str, set(raw) - set(SHIP_LENGTHS)))) or "none"
        return Refused(
            "wrong_fleet",
            phrase(
                "A fleet is one of each ship; missing: {missing}; unknown: {extra}.",
                missing=missing,
                extra=extra,
            ),
        )
    fleet: dict[str, tuple[Square, ...]] = {}
    for ship, names in raw.items():
        if not isinstance(names, (list, tuple)):
            return Refused("bad_action", f"Expected squares for the {ship}, got {names!r}.")
        try:
            squares = [parse_square(str(n)) for n in names]
        except ValueError as e:
            return Refused("off_board", phrase("{ship}: {why}.", ship=ship_name(ship), why=e))
        if not squares:
            return Refused(
                "wrong_length", phrase("The {ship} covers no square.", ship=ship_name(ship))
            )
        fleet[ship] = tuple(sorted(_filled(squares)))
    return MappingProxyType(fleet)


def _filled(squares: list[Square]) -> list[Square]:
    """All squares of a ship; two end squares in one line stand for those between."""
    if len(squares) != 2:
        return squares
    (a, b) = sorted(squares)
    if a.row == b.row:
        return [Square(a.row, c) for c in range(a.col, b.col + 1)]
    if a.col == b.col:
        return [Square(r, a.col) for r in range(a.row, b.row + 1)]
    return squares


def _straight(squares: tuple[Square, ...]) -> bool:
    rows, cols = {s.row for s in squares}, {s.col for s in squares}
    if len(rows) == 1:
        return max(cols) - min(cols) + 1 == len(cols) == len(squares)
    return len(cols) == 1 and max(rows) - min(rows) + 1 == len(rows) == len(squares)


def check_fleet(fleet: Fleet, zone: frozenset[Square], *, may_touch: bool) -> Refused | None:
    """Refuse `wrong_length`, `not_straight`, `outside_zone`, `overlap`, in this order (SS-6)."""
    for ship, squares in fleet.items():
        diagonal = len(squares) == 2 and SHIP_LENGTHS[ship] > 2 and not _straight(squares)
        if len(squares) != SHIP_LENGTHS[ship] and not diagonal:
            return Refused(
                "wrong_length",
                phrase(
                    "The {ship} covers {length} squares, not {squares}.",
                    ship=ship_name(ship),
                    length=SHIP_LENGTHS[ship],
                    squares=len(squares),
                ),
                squares,
            )
    for ship, squares in fleet.items():
        if not _straight(squares):
            return Refused(
                "not_straight",
                phrase("The {ship} does not lie in one unbroken line.", ship=ship_name(ship)),
                squares,
            )
    for ship, squares in fleet.items():
        out = tuple(s for s in squares if s not in zone)
        if out:
            return Refused(
                "outside_zone",
                phrase(
                    "The {ship} leaves its owner's zone at {square}.",
                    ship=ship_name(ship),
                    square=SquareName(out[0].name),
                ),
                out,
            )
    seen: dict[Square, str] = {}
    for ship, squares in fleet.items():
        for s in squares:
            if s in seen:
                return Refused(
                    "overlap",
                    phrase(
                        "The {ship} and the {other} share {square}.",
                        ship=ship_name(ship),
                        other=ship_name(seen[s]),
                        square=SquareName(s.name),
                    ),
                    (s,),
                )
            seen[s] = ship
    if not may_touch:
        for s, ship in seen.items():
            near = next((n for n in s.neighbours() if seen.get(n, ship) != ship), None)
            if near is not None:
                return Refused(
                    "touching",
                    phrase(
                        "The {ship} and the {other} touch at {square}.",
                        ship=ship_name(ship),
                        other=ship_name(seen[near]),
                        square=SquareName(s.name),
                    ),
                    (s, near),
                )
    return None
