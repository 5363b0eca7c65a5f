"""Opens a game: players, settings, words and tiles as users and programs give them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from kibitz.app.common.errors import Option, UsageError
from kibitz.app.common.files import is_there, text_of
from kibitz.app.common.limits import LIMITS
from kibitz.app.common.materials.named import make_materials, with_list_named
from kibitz.app.common.materials.own_games import GameLike, rules_of
from kibitz.app.common.materials.starts import StartFile, checked_start, load_start, start_of
from kibitz.engine.board.layouts import on_board_of
from kibitz.engine.options import BadOption, check_options
from kibitz.engine.record.ledger import Opening
from kibitz.engine.rules import GameInfo, JsonValue
from kibitz.vision.plain_file import read_plain

Players: TypeAlias = str | Sequence[str] | None
Start: TypeAlias = str | os.PathLike[str] | Mapping[str, Any] | None


def opening_of(
    game: GameLike,
    players: Players = None,
    *,
    settings: Mapping[str, Any] | None = None,
    tiles: str = "en",
    lexicon: str = "default",
    start: Start = None,
    named: Mapping[str, Any] | None = None,
) -> Opening:
    """An opening from players, settings, words, tiles and starting position.

    Args:
        game: its slug, another name of it, MODULE:NAME of its rules, or the rules.
        players: names in seating order, as a list or as `Ann,Bob`; without them numbered ones
            for the fewest that the game takes.
        settings: by their names, as `cl.endgame`.
        tiles: a tile set: `en de fr ro pl fi`, or a file.
        lexicon: the words that are good: `default`, `none` (any string is a word) or a file.
        start: a position to begin from, in the form of a scenario's `initial`, or its file.
        named: further settings by their names in a program, as `cl_endgame`.

    Raises:
        UsageError: one of them is not what is taken; the message says what was expected.
    """
    rules = rules_of(game)
    given = settings_of(rules.info, settings or {}, named or {})
    try:
        options = with_list_named(check_options(rules.info, given), lexicon)
        rules = on_board_of(rules, options)
    except BadOption as error:
        raise UsageError(Option("settings", "--set"), f": {error}") from error
    start_of_game = _position(start)
    if players is None and start_of_game is not None:
        players = start_of_game.players
    names = player_names(players, rules.info.players)
    materials = make_materials(lexicon, tiles, options)
    try:
        position = start_of_game.position if start_of_game is not None else {}
        initial = checked_start(rules.info, names, options, materials, position, strict=False)
        opening = Opening(rules, names, options, materials, initial or None)
        opening.begin()
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"this game cannot begin: {error}") from error
    return opening


def settings_of(
    info: GameInfo, settings: Mapping[str, Any], named: Mapping[str, Any]
) -> dict[str, JsonValue]:
    """Settings from both ways of giving them, by the game's names.

    A name with a dot cannot be a keyword: `cl_endgame` is `cl.endgame`.

    Raises:
        UsageError: a setting is given both ways.
    """
    dotted = {setting.name.replace(".", "_"): setting.name for setting in info.settings}
    out = dict(settings)
    for keyword, value in named.items():
        name = dotted.get(keyword, keyword)
        if name in out:
            raise UsageError(
                Option("settings", "--set"), f": {name} is given twice, as {keyword} too"
            )
        out[name] = value
    return out


def player_names(players: Players, allowed: tuple[int, ...]) -> tuple[str, ...]:
    """Names from a list or `Ann,Bob`; by default numbered, as few as the game takes.

    Raises:
        UsageError: a name stands twice, or the game is not for so many.
    """
    if players is None:
        return tuple(f"Player {i + 1}" for i in range(max(2, min(allowed))))
    given = players.split(",") if isinstance(players, str) else players
    if not all(isinstance(name, str) for name in given):
        raise UsageError(Option("players"), f": expected names, got {players!r}")
    names = tuple(name.strip() for name in given if name.strip())
    if len(names) != len(set(names)):
        raise UsageError(Option("players"), f": every name may stand only once, got {players!r}")
    if len(names) not in allowed:
        wanted = " or ".join(str(n) for n in allowed)
        raise UsageError(
            Option("players"), f": expected {wanted} names, got {len(names)} in {players!r}"
        )
    return names


def _position(start: Start) -> StartFile | None:
    if start is None:
        return None
    return start_of(start) if isinstance(start, Mapping) else load_start(start)


def parse_setting(text: str, *, files: bool = True) -> tuple[str, Any]:
    """Parse `KEY=VALUE`; the value is JSON where it can be, else text.

    Args:
        text: what was written.
        files: `KEY=@FILE` takes the text of a file; never for what somebody else wrote.

    Raises:
        UsageError: it has no name or no value, or its file cannot be read.
    """
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise UsageError(Option("settings", "--set"), f": expected KEY=VALUE, got {text!r}")
    if files and value.startswith("@"):
        return name.strip(), _text_in(Path(value[1:]), name)
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value.strip()


def _text_in(path: Path, name: str) -> str:
    if not is_there(path):
        raise UsageError(
            Option("settings", "--set"), f": {name}: there is no file {str(path)!r:.90}"
        )
    try:
        return text_of(read_plain(path, LIMITS.read_bytes))
    except (OSError, ValueError) as error:
        raise UsageError(Option("settings", "--set"), f": {name}: {error}") from error
