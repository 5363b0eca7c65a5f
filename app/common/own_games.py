"""Games that a person brings: rules of their own, named as MODULE:NAME."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kibitz.app.common.errors import UsageError
from kibitz.engine.games import GAMES, Games
from kibitz.engine.rules import GameInfo, GameRules

HOW = "expected MODULE:NAME, as my_game.rules:GAME, the name of an object with a game's rules"
NEEDED = ("begin", "interpret", "decide", "evolve", "view", "announce")


def load_rules(text: str) -> GameRules[Any]:
    """The rules that `MODULE:NAME` names; the module is also looked for in the current folder.

    Raises:
        UsageError: there is no such module or name, or it is no game.
    """
    module_name, _, name = text.partition(":")
    if not module_name or not name:
        raise UsageError(f"--game: {HOW}, got {text!r}")
    here = str(Path.cwd())
    sys.path.append(here)  # last: what lies here hides nothing that is installed
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise UsageError(f"--game: {text!r} cannot be loaded: {error}; {HOW}") from error
    finally:
        sys.path.remove(here)
    game: Any = getattr(module, name, None)
    if not isinstance(getattr(game, "info", None), GameInfo):
        raise UsageError(f"--game: {text!r} has no `info: GameInfo`; {HOW}")
    if missing := [part for part in NEEDED if not callable(getattr(game, part, None))]:
        raise UsageError(f"--game: the game {text!r} lacks {', '.join(missing)}")
    found: GameRules[Any] = game
    return found


def games_named(names: Iterable[str]) -> Games:
    """Kibitz's own games and those that are named as MODULE:NAME.

    Raises:
        UsageError: one of them is no game, or has a name that another has.
    """
    try:
        return GAMES.with_games(*(load_rules(name) for name in names if ":" in name))
    except ValueError as error:
        raise UsageError(f"--game: {error}") from error
