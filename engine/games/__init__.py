"""The games, in one explicit tuple."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from engine.rules import GameRules

MODULES = ("scrabble", "scrabbleship", "frankenscrabbards", "grabscrab", "scrabble_house", "scrabbage")


@cache
def games() -> tuple[GameRules[Any], ...]:
    """Every game; each module has its rules object as `GAME`."""
    found = []
    for name in MODULES:
        try:
            module = import_module(f"engine.games.{name}")
        except ModuleNotFoundError as missing:
            if missing.name != f"engine.games.{name}":
                raise
            continue
        found.append(module.GAME)
    return tuple(found)


def find_game(slug: str) -> GameRules[Any]:
    """A game by its slug or another name of it.

    Raises:
        ValueError: there is no such game; the message lists those there are.
    """
    wanted = slug.strip().lower()
    for game in games():
        if wanted in (game.info.slug, *game.info.other_names):
            return game
    known = ", ".join(g.info.slug for g in games())
    raise ValueError(f"there is no game {slug!r}; known are {known}")
