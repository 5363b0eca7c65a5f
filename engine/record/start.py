"""Turns a starting position as people write it into the form of a scenario's `initial`.

Reading is tolerant of form (a board as one text, rows with spaces or coordinates, scores as a
list) and strict of content: what is unknown or cannot be is a `ValueError` that names the field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from kibitz.engine.rules import GameInfo, JsonValue, Materials, Options, StartKind
from kibitz.engine.table import EMPTY, JOINED_SIDE, SIDE, UNKNOWN_BLANK, parse_square, side_of
from kibitz.engine.tiles.surplus import lying_tiles, sets_of
from kibitz.engine.tiles.unseen import size_of

Start: TypeAlias = Mapping[str, JsonValue]

_SPACES = str.maketrans(dict.fromkeys("-_·*+", EMPTY))
_NOT_READ = frozenset(
    {
        "placed", "clusters", "face_down_letters", "legend", "total_tiles", "total_words",
        "may_act", "over", "reason", "winner", "unseen", "unseen_sets", "tasks", "open_tasks",
        "pending_challenge", "fleets_ready", "results", "max_draw",
    }
)  # fmt: skip
"""What scenarios and views have beside a position, for people or as a check."""


class UnknownFieldError(ValueError):
    """A field that this game's positions do not have; `known` lists those that they have.

    `given` is its name as it was written, `name` the same in the form of the others.
    """

    def __init__(self, given: str, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{given}: expected one of {', '.join(known)}")
        self.given = given
        self.name = name
        self.known = known


def read_start(info: GameInfo, players: Sequence[str], raw: JsonValue) -> dict[str, JsonValue]:
    """Parse a starting position into the form that the rules take.

    Args:
        info: the game's facts; a game that lists no fields takes what is given as it is.
        players: names in seating order, for values that come as a list.
        raw: the position as it was written.

    Raises:
        ValueError: a field is unknown, or its value has no form that is read here.
    """
    if not isinstance(raw, Mapping):
        raise ValueError(f"expected a position as an object, got {raw!r:.60}")
    known = {f.name: f for f in info.start}
    if not known:
        return dict(raw)
    out: dict[str, JsonValue] = {}
    for given, value in raw.items():
        name = re.sub(r"[\s-]+", "_", str(given).strip().lower())
        name = {"boards": "board45"}.get(name, name) if info.surface.joined else name
        if name in _NOT_READ or (name == "players" and isinstance(value, int)):
            continue
        if name not in known:
            raise UnknownFieldError(given, name, tuple(known))
        if value is not None:
            out[name] = _READERS[known[name].kind](name, value, _Facts(info, tuple(players)))
    return out


def is_midway(info: GameInfo, start: Start | None) -> bool:
    """True if the position is in the middle of a game, not only its setup."""
    if not start or not info.start:
        return bool(start)
    return any(f.name in start and f.kind != "other" for f in info.start)


class _Facts:
    """Facts of a game that its values are parsed with."""

    def __init__(self, info: GameInfo, players: tuple[str, ...]) -> None:
        self.players = players
        self.joined = info.surface.joined
        self.boards = len(info.surfaces(len(players)))
        self.size = info.surface.rows


# --- boards ---------------------------------------------------------------------------------


def _boards(name: str, value: JsonValue, facts: _Facts) -> JsonValue:
    """Parse the rows of one board, of several boards, or of nine joined ones."""
    if facts.joined:
        return _joined(name, value)
    if name == "board":
        return rows_of(name, value, facts.size)
    if not isinstance(value, (list, tuple)) or len(value) != facts.boards:
        got = f"{len(value)} of them" if isinstance(value, (list, tuple)) else f"{value!r:.40}"
        raise ValueError(f"{name}: expected a list of {facts.boards} boards, got {got}")
    return [rows_of(f"{name} {i + 1}", board) for i, board in enumerate(value)]


def _joined(name: str, value: JsonValue) -> list[str]:
    """Parse nine joined boards: by their numbers, as a list, or as all 45 rows."""
    if isinstance(value, Mapping) and not any(":" in str(k) for k in value):
        numbers = {str(k).strip(): v for k, v in value.items()}
        if stray := [k for k in numbers if k not in map(str, range(1, 10))]:
            raise ValueError(
                f"{name}: expected boards 1 to 9 or squares as '4:B8', got {stray[0]}"
            )
        value = [numbers.get(str(n), [EMPTY * SIDE] * SIDE) for n in range(1, 10)]
    elif isinstance(value, (list, tuple)) and len(value) == 9:
        pass
    else:
        return rows_of(name, value, JOINED_SIDE)
    panels = [rows_of(f"{name} {n}", board or EMPTY) for n, board in enumerate(value, 1)]
    return [
        "".join(panels[3 * band + i][row] for i in range(3))
        for band in range(3)
        for row in range(SIDE)
    ]


def rows_of(name: str, value: JsonValue, size: int = SIDE) -> list[str]:
    """Parse a board into rows of text (rule 0.2).

    Args:
        name: of the field, for the message.
        value: rows as a list or as one text, with or without spaces and coordinates, or an
            object of squares with their letters. A single `.` is an empty board.
        size: squares along a side.

    Raises:
        ValueError: it has another size, or a character that is no tile.
    """
    if value == EMPTY:
        return [EMPTY * size] * size
    if isinstance(value, Mapping):
        return _rows_of_squares(name, value, size)
    lines = re.split(r"[\n/]", value.strip("\r\n/")) if isinstance(value, str) else value
    if not isinstance(lines, (list, tuple)) or not all(isinstance(x, str) for x in lines):
        raise ValueError(f"{name}: expected {size} rows of text, got {value!r:.60}")
    lines = [x for x in lines if not _is_header(x)]
    if len(lines) != size:
        raise ValueError(f"{name}: expected {size} rows, got {len(lines)}")
    return [_row(f"{name}, row {_row_name(r, size)}", line, size) for r, line in enumerate(lines)]


def _row_name(row: int, size: int) -> str:
    return chr(65 + row % side_of(size))


def _is_header(line: str) -> bool:
    """True if a line only numbers the columns."""
    words = line.replace("|", " ").split()
    return len(words) > 1 and all(w.isdecimal() for w in words)


def _row(name: str, line: str, size: int) -> str:
    bare = line.rstrip("\r\n").replace("|", "")
    if len(bare) <= size and (" " in bare or not bare):
        text = bare.replace(" ", EMPTY).ljust(size, EMPTY)  # an empty square is a space
    else:
        words = bare.split()
        if len(words) in (2, size + 1) and len(words[0]) <= 2 and len(words[1]) in (1, size):
            words = words[1:]  # the row's own letter or number
        text = "".join(words)
    text = text.translate(_SPACES)
    if len(text) != size:
        raise ValueError(f"{name}: expected {size} squares, got {len(text)} in {line.strip()!r}")
    for col, x in enumerate(text, 1):
        if not x.isalpha() and x not in (EMPTY, UNKNOWN_BLANK):
            raise ValueError(f"{name}, column {col}: expected a letter or '.', got {x!r}")
    return text


def _rows_of_squares(name: str, squares: Mapping[str, JsonValue], size: int) -> list[str]:
    rows = [[EMPTY] * size for _ in range(size)]
    for key, letter in squares.items():
        try:
            row, col = parse_square(str(key), side_of(size))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
        if row >= size or col >= size or (size == JOINED_SIDE and ":" not in str(key)):
            raise ValueError(f"{name}: expected squares as '4:B8', got {key!r}")
        if not isinstance(letter, str) or len(letter) != 1:
            raise ValueError(f"{name}: expected one letter on {key}, got {letter!r}")
        rows[row][col] = letter
    return [
        _row(f"{name}, row {_row_name(r, size)}", "".join(x), size) for r, x in enumerate(rows)
    ]


# --- everything else ------------------------------------------------------------------------


def _number(name: str, value: JsonValue, facts: _Facts) -> JsonValue:  # noqa: ARG001 - a table of them
    text = str(value).strip()
    is_text = isinstance(value, str) and text.removeprefix("-").isdecimal()
    return int(text) if is_text else value


def _by_name(name: str, value: JsonValue, facts: _Facts) -> dict[str, JsonValue]:
    """Parse values by player, or a list in seating order; names as the table writes them."""
    if isinstance(value, (list, tuple)):
        if len(value) != len(facts.players):
            raise ValueError(
                f"{name}: expected a value for each of {', '.join(facts.players)}, "
                f"got {len(value)}"
            )
        return dict(zip(facts.players, value, strict=True))
    if not isinstance(value, Mapping):
        players = ", ".join(facts.players)
        raise ValueError(f"{name}: expected an object by {players}, got {value!r:.60}")
    return {_name(str(k), facts): v for k, v in value.items()}


def _name(given: str, facts: _Facts) -> str:
    same = [p for p in facts.players if p.casefold() == given.strip().casefold()]
    return same[0] if same else given.strip()


def _numbers(name: str, value: JsonValue, facts: _Facts) -> JsonValue:
    return {k: _number(name, v, facts) for k, v in _by_name(name, value, facts).items()}


def _player(name: str, value: JsonValue, facts: _Facts) -> JsonValue:  # noqa: ARG001 - a table of them
    return _name(value, facts) if isinstance(value, str) else value


def _players(name: str, value: JsonValue, facts: _Facts) -> JsonValue:
    return [_player(name, p, facts) for p in _items(name, value)]


def _items(name: str, value: JsonValue) -> list[JsonValue]:
    """Parse a list, which may be text with spaces or commas between."""
    if isinstance(value, str):
        return [x for x in re.split(r"[\s,;]+", value.strip()) if x]
    if isinstance(value, (list, tuple)):
        return list(value)
    raise ValueError(f"{name}: expected a list, got {value!r:.60}")


def _letters(name: str, value: JsonValue, facts: _Facts) -> JsonValue:  # noqa: ARG001 - a table of them
    if isinstance(value, (list, tuple)):
        value = "".join(map(str, value))
    if not isinstance(value, str):
        raise ValueError(f"{name}: expected letters ('?' a blank), got {value!r:.60}")
    return re.sub(r"[\s,;]+", "", value)


def _rack(name: str, value: JsonValue, facts: _Facts) -> JsonValue:
    return list(_letters(name, value, facts))


def _racks(name: str, value: JsonValue, facts: _Facts) -> JsonValue:
    given = _by_name(name, value, facts)
    return {k: _rack(f"{name}.{k}", v, facts) for k, v in given.items() if v}


def _words(name: str, value: JsonValue, facts: _Facts) -> JsonValue:
    given = _by_name(name, value, facts)
    return {k: [str(w).upper() for w in _items(f"{name}.{k}", v)] for k, v in given.items()}


def _squares(name: str, value: JsonValue, facts: _Facts) -> JsonValue:  # noqa: ARG001 - a table of them
    return [str(s).upper() for s in _items(name, value)]


def _ships(name: str, value: JsonValue, facts: _Facts) -> JsonValue:
    if isinstance(value, (list, tuple)):
        pairs = [p if isinstance(p, (list, tuple)) else str(p).split() for p in value]
        return [[_name(str(x), facts) if i == 0 else x for i, x in enumerate(p)] for p in pairs]
    given = _by_name(name, value, facts)
    return [[k, str(s).lower()] for k, v in given.items() for s in _items(f"{name}.{k}", v)]


def _numbers_of_boards(name: str, value: JsonValue, facts: _Facts) -> JsonValue:
    return [_number(name, x, facts) for x in _items(name, value)]


def _hands(name: str, value: JsonValue, facts: _Facts) -> JsonValue:
    if isinstance(value, Mapping) and not set(value) - {"own_colour", "other_colour", "max_draw"}:
        return value  # the hand of everybody
    given = _numbers(name, value, facts)
    return {k: v if isinstance(v, Mapping) else {"own_colour": v} for k, v in given.items()}


def _flags(name: str, value: JsonValue, facts: _Facts) -> JsonValue:
    if isinstance(value, Mapping):
        return _by_name(name, value, facts)
    named = _players(name, value, facts)
    if stray := [p for p in named if p not in facts.players]:
        raise ValueError(f"{name}: expected some of {', '.join(facts.players)}, got {stray[0]!r}")
    return {p: p in named for p in facts.players}


def _as_given(name: str, value: JsonValue, facts: _Facts) -> JsonValue:  # noqa: ARG001 - a table of them
    return value


_READERS: Mapping[StartKind, Callable[[str, JsonValue, _Facts], JsonValue]] = {
    "board": _boards,
    "number": _number,
    "numbers": _numbers,
    "player": _player,
    "players": _players,
    "letters": _letters,
    "rack": _rack,
    "racks": _racks,
    "words": _words,
    "squares": _squares,
    "ships": _ships,
    "boards": _numbers_of_boards,
    "hands": _hands,
    "flags": _flags,
    "other": _as_given,
}


# --- whether there are so many tiles --------------------------------------------------------


def check_tiles(
    info: GameInfo, players: Sequence[str], options: Options, materials: Materials, start: Start
) -> None:
    """Check that the sets have as many tiles as a position uses.

    Raises:
        ValueError: there are too many tiles.
    """
    sets = sets_of(info, players, options)
    lying = lying_tiles(info, start)
    whole = sets * size_of(materials.tile_set)
    held = _held(start)
    bag = start.get("bag_count")
    bag = bag if isinstance(bag, int) else 0
    if lying.total() + held + bag > whole:
        raise ValueError(
            f"bag_count: expected {whole} tiles in all, got {lying.total()} laid, {held} held "
            f"and {bag} in the bag"
        )


def _held(start: Start) -> int:
    """Number of tiles known to be on racks."""
    counts = start.get("rack_counts") or start.get("tiles_left") or {}
    racks = start.get("racks") or start.get("hands") or {}
    sizes = {k: len(v) for k, v in racks.items() if isinstance(v, (list, tuple))}
    sizes.update({k: v for k, v in counts.items() if isinstance(v, int)})
    return sum(sizes.values())
