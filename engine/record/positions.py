"""Parses fields of a starting position; error messages name the place of a fault.

A position comes from a file or a person, so that every fault in it is a `ValueError` whose
message begins with the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from kibitz.engine.clock import ChessClock, clock_of_game
from kibitz.engine.rules import JsonValue, Options, seconds_of
from kibitz.engine.table import SIDE, Grid, Square, grid_from_rows, parse_square
from kibitz.engine.tiles.unseen import rack_of

Fields = Mapping[str, JsonValue]


def checked_players(players: tuple[str, ...], counts: Iterable[int]) -> None:
    """Check the number of players, and that their names differ.

    Raises:
        ValueError: `bad_player_count`, or two have the same name, or one has none.
    """
    allowed = sorted(counts)
    if len(players) not in allowed:
        several = f"{allowed[0]} to {allowed[-1]}"
        if allowed != list(range(allowed[0], allowed[-1] + 1)):
            several = " or ".join(map(str, allowed))
        raise ValueError(f"bad_player_count: expected {several} players, got {len(players)}")
    if not all(players) or len(set(players)) < len(players):
        raise ValueError(f"players: expected different names, got {', '.join(map(repr, players))}")


def board_in(start: Fields, size: int = SIDE, *keys: str) -> Grid:
    """Parse a board drawn as text; empty if it is missing.

    Raises:
        ValueError: it has another size, or a character that is no tile.
    """
    name = next((k for k in (*keys, "board") if start.get(k)), None)
    if name is None:
        return Grid(size, size)
    rows = start[name]
    if not isinstance(rows, (list, tuple)) or not all(isinstance(r, str) for r in rows):
        raise ValueError(f"{name}: expected {size} rows of text, got {rows!r:.60}")
    try:
        grid = grid_from_rows(rows)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error
    if (grid.rows, grid.cols) != (size, size):
        raise ValueError(
            f"{name}: expected {size} rows of {size}, got {grid.rows} rows of {grid.cols}"
        )
    return grid


def number_in(start: Fields, name: str, default: int, least: int | None = 0) -> int:
    """Parse a whole number of a position.

    Raises:
        ValueError: it is none, or too small.
    """
    value = start.get(name)
    if value is None:
        return default
    return _number(value, name, least)


def _number(value: JsonValue, name: str, least: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name}: expected a whole number, got {value!r}")
    if least is not None and value < least:
        raise ValueError(f"{name}: expected {least} or more, got {value}")
    return value


def clock_in(start: Fields, clock: ChessClock, known: Iterable[str]) -> ChessClock:
    """A clock with the seconds that each player had left, running for whom it ran.

    The scores of a position have what overtime has cost.

    Args:
        start: the position.
        clock: as it is at the beginning, with its players.
        known: all players at the table.

    Raises:
        ValueError: a player is unknown, or a value no time.
    """
    left = object_in(start, "clocks", known)
    if not left:
        return clock
    told = {p: seconds_of(left.get(p, all_), f"clocks.{p}") for p, all_ in clock.left.items()}
    running, since = list_in(start, "running"), list_in(start, "running_since")
    times = [seconds_of(at, "running_since") for at in since]
    ran = [(p, at) for p, at in zip(running, times, strict=False) if p in told]
    now, at = ran[0] if ran else (None, 0.0)
    stopped = replace(clock, left=MappingProxyType(told), since=at)
    paid = {p: replace(stopped, running=p).minutes_over(at) for p in told}
    return replace(stopped, running=now, charged=MappingProxyType(paid))


def clock_of_start(start: Fields, players: tuple[str, ...], options: Options) -> ChessClock | None:
    """The clock that the settings ask for, as a position has it; errors as `clock_in`."""
    clock = clock_of_game(players, options)
    return None if clock is None else clock_in(start, clock, players)


def numbers_in(start: Fields, name: str, keys: Iterable[str], default: int = 0) -> dict[str, int]:
    """Parse one number a key, as scores; keys not given have the default.

    Raises:
        ValueError: a key is unknown, or a value no number.
    """
    known = list(keys)
    given = _mapping(start, name, known)
    return {k: _number(given.get(k, default), f"{name}.{k}") for k in known}


def _mapping(start: Fields, name: str, keys: Iterable[str]) -> Fields:
    """Parse an object whose keys are all known; empty if it is missing."""
    known = list(keys)
    given = start.get(name)
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ValueError(f"{name}: expected an object by {', '.join(known)}, got {given!r:.60}")
    if stray := [k for k in given if k not in known]:
        raise ValueError(f"{name}: expected {', '.join(known)}, got {stray[0]!r}")
    return given


def racks_in(
    start: Fields, name: str, players: Iterable[str], most: int
) -> Mapping[str, tuple[str, ...]]:
    """Parse known racks or hands: a list of letters for each player given.

    Raises:
        ValueError: a name is unknown, or a rack no list of up to `most` tiles.
    """
    given = _mapping(start, name, players)
    return MappingProxyType({p: rack_of(r, f"{name}.{p}", most) for p, r in given.items()})


def counts_in(
    start: Fields, players: Iterable[str], racks: Mapping[str, Sequence[str]], held: int, most: int
) -> Mapping[str, int]:
    """Number of tiles each player holds: as given, of the known rack, else `held`.

    Raises:
        ValueError: somebody holds more than a rack takes, or another number than is known.
    """
    named = list(players)
    known = {p: len(racks[p]) if p in racks else held for p in named}
    given = _mapping(start, "rack_counts", named)
    for player, count in given.items():
        known[player] = _number(count, f"rack_counts.{player}", 0)
        if known[player] > most:
            raise ValueError(f"rack_counts.{player}: expected at most {most}, got {count}")
        if player in racks and count != len(racks[player]):
            rack = "".join(racks[player])
            raise ValueError(
                f"rack_counts.{player}: expected {len(rack)} for the rack {rack}, got {count}"
            )
    return MappingProxyType(known)


def player_in(start: Fields, name: str, players: tuple[str, ...]) -> str | None:
    """Parse the name of a player; None if it is missing.

    Raises:
        ValueError: there is no such player.
    """
    value = start.get(name)
    if value is None:
        return None
    if value not in players:
        raise ValueError(f"{name}: expected one of {', '.join(players)}, got {value!r}")
    return str(value)


def list_in(start: Fields, name: str) -> list[JsonValue]:
    """Parse a list; empty if it is missing.

    Raises:
        ValueError: it is no list.
    """
    value = start.get(name)
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{name}: expected a list, got {value!r:.60}")
    return list(value)


def object_in(start: Fields, name: str, keys: Iterable[str]) -> Fields:
    """Parse an object whose keys are all known; empty if it is missing.

    Raises:
        ValueError: it is no object, or a key is unknown.
    """
    return _mapping(start, name, keys)


def squares_in(start: Fields, name: str) -> frozenset[Square]:
    """Parse a list of squares.

    Raises:
        ValueError: one is no square.
    """
    try:
        return frozenset(parse_square(str(s)) for s in list_in(start, name))
    except ValueError as error:
        raise ValueError(
            str(error) if str(error).startswith(name) else f"{name}: {error}"
        ) from error
