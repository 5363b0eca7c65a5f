"""Files with a starting position, for `serve --start`, `replay --start` and programs."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.app.common.errors import Option, UsageError
from kibitz.app.common.files import load_json
from kibitz.engine.record.start import UnknownFieldError, check_tiles, read_start
from kibitz.engine.rules import GameInfo, JsonValue, Materials, Options

_ABOUT = ("game", "players", "settings", "tiles", "lexicon")
_REMARKS = ("id", "title", "rules", "note", "notes", "steps", "final", "arithmetic")
"""Fields of a scenario beside its position."""


@dataclass(frozen=True, slots=True)
class StartFile:
    """A starting position and the facts that its file gives about the game.

    Attributes:
        position: its fields as they were written.
        game, players, settings, tiles, lexicon: as the file names them; None where it does not.
    """

    position: Mapping[str, Any]
    game: str | None = None
    players: tuple[str, ...] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    tiles: str | None = None
    lexicon: str | None = None


def load_start(path: str | os.PathLike[str]) -> StartFile:
    """Read a position file.

    It holds one JSON object: the fields of the position, and beside them `game`, `players`,
    `settings`, `tiles` and `lexicon` as far as they are said. The position may also stand by
    itself under `start` or `initial`, as in a scenario.

    Raises:
        UsageError: it cannot be read; the message says what was expected.
    """
    file = Path(path)
    given = load_json(file, Option("start"))
    if not isinstance(given, Mapping):
        raise UsageError(Option("start"), f": expected an object with a position in {file}")
    return start_of(given)


def start_of(given: Mapping[str, Any]) -> StartFile:
    """Starting position from a position file's JSON.

    Raises:
        UsageError: what it says of the game is none.
    """
    inner = next((k for k in ("start", "initial") if isinstance(given.get(k), Mapping)), None)
    position = given[inner] if inner else given
    players = given.get("players")
    names = isinstance(players, (list, tuple)) and all(isinstance(n, str) for n in players)
    outer = _ABOUT if names else tuple(k for k in _ABOUT if k != "players")
    if names is False and players is not None and not isinstance(players, int):
        raise UsageError(
            Option("start"), f": players: expected a list of names, got {players!r:.60}"
        )
    for key in ("game", "tiles", "lexicon"):
        # `tiles` by player are those of words that lie on the table, and belong to the position
        value = given.get(key)
        if key == "tiles" and isinstance(value, (Mapping, list)) and inner is None:
            outer = tuple(k for k in outer if k != "tiles")
        elif value is not None and not isinstance(value, str):
            raise UsageError(Option("start"), f": {key}: expected a name, got {value!r:.60}")
    settings = given.get("settings") or {}
    if not isinstance(settings, Mapping):
        raise UsageError(Option("start"), f": settings: expected an object, got {settings!r:.60}")
    if inner is None:
        left_out = {*outer, *_REMARKS}
        position = {k: v for k, v in given.items() if k not in left_out}

    def said(key: str) -> str | None:
        return str(given[key]) if key in outer and isinstance(given.get(key), str) else None

    return StartFile(
        dict(position),
        said("game"),
        tuple(str(n).strip() for n in players or ()) if names else None,
        dict(settings),
        said("tiles"),
        said("lexicon"),
    )


def checked_start(
    info: GameInfo,
    players: Sequence[str],
    options: Options,
    materials: Materials,
    position: Mapping[str, Any],
    *,
    strict: bool = True,
) -> dict[str, JsonValue]:
    """The position in the form that the rules take.

    Args:
        info: the game's facts.
        players: names in seating order.
        options: its settings, complete.
        materials: its tiles and words.
        position: the fields as they were written.
        strict: every unknown field is refused, not only one that looks like a typing error:
            files of photographed games may say more than a position.

    Raises:
        ValueError: a field is unknown or cannot be, or there are not so many tiles.
    """
    try:
        start = read_start(info, players, position)
    except UnknownFieldError as error:
        near = difflib.get_close_matches(error.name, error.known, 1)
        if strict or near:
            guess = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"{error}{guess}") from error
        rest = {k: v for k, v in position.items() if k != error.given}
        return checked_start(info, players, options, materials, rest, strict=False)
    if info.start:
        check_tiles(info, players, options, materials, start)
    return start
