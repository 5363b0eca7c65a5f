"""Games that a user brings: rules named as MODULE:NAME."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, TypeAlias

from kibitz.app.common.errors import Option, UsageError
from kibitz.engine.games import GAMES, Games
from kibitz.engine.rules import GameInfo, GameRules

GameLike: TypeAlias = str | GameRules[Any]
"""A game by its name, or its rules."""

HOW = "expected MODULE:NAME, as my_game.rules:GAME, the name of an object with a game's rules"
OWN = "a game of your own is MODULE:NAME of its rules"
NEEDED = ("begin", "interpret", "decide", "evolve", "view", "announce")


def load_rules(text: str) -> GameRules[Any]:
    """Load the rules named by `MODULE:NAME`; modules in the current folder are found too.

    Raises:
        UsageError: there is no such module or name, or it is no game.
    """
    module_name, _, name = text.partition(":")
    if not module_name or not name:
        raise UsageError(Option("game"), f": {HOW}, got {text!r}")
    here = str(Path.cwd())
    sys.path.append(here)  # last: what lies here hides nothing that is installed
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise UsageError(Option("game"), f": {text!r} cannot be loaded: {error}; {HOW}") from error
    finally:
        sys.path.remove(here)
    game: Any = getattr(module, name, None)
    if not isinstance(getattr(game, "info", None), GameInfo):
        raise UsageError(Option("game"), f": {text!r} has no `info: GameInfo`; {HOW}")
    if missing := [part for part in NEEDED if not callable(getattr(game, part, None))]:
        raise UsageError(Option("game"), f": the game {text!r} lacks {', '.join(missing)}")
    found: GameRules[Any] = game
    return found


def rules_of(game: GameLike) -> GameRules[Any]:
    """Rules of a game, by slug, alias or MODULE:NAME; rules are returned as they are.

    Raises:
        UsageError: there is no such game.
    """
    if not isinstance(game, str):
        return game
    if ":" in game:
        return load_rules(game)
    try:
        return GAMES.find_game(game)
    except ValueError as error:
        raise UsageError(Option("game"), f": {error}; {OWN}") from error


def info_of(name: str) -> GameInfo:
    """Facts of a game, by slug, alias or MODULE:NAME, without loading the rules of others.

    Raises:
        UsageError: there is no such game.
    """
    if ":" in name:
        return load_rules(name).info
    try:
        return GAMES.find_info(name)
    except ValueError as error:
        raise UsageError(f"{error}; {OWN}") from error


def games_with(*games: GameLike) -> Games:
    """Kibitz's own games followed by the given games that are not among them.

    Raises:
        UsageError: one of them is no game, or has a name that another has.
    """
    own = [load_rules(x) if isinstance(x, str) else x for x in games if _is_brought(x)]
    try:
        return GAMES.with_games(*own)
    except ValueError as error:
        raise UsageError(Option("game"), f": {error}") from error


def _is_brought(game: GameLike) -> bool:
    if isinstance(game, str):
        return ":" in game
    return all(game.info is not info for info in GAMES.infos)
