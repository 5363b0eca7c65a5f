"""The games, in one explicit tuple."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.rules import GameRules


@cache
def games() -> tuple[GameRules[Any], ...]:
    """Every game, loaded when first asked for."""
    from engine.games.frankenscrabbards import GAME as FRANKENSCRABBARDS
    from engine.games.grabscrab import GAME as GRABSCRAB
    from engine.games.scrabbage import GAME as SCRABBAGE
    from engine.games.scrabble import GAME as SCRABBLE
    from engine.games.scrabble_house import GAME as SCRABBLE_HOUSE
    from engine.games.scrabbleship import GAME as SCRABBLESHIP

    return (SCRABBLE, SCRABBLESHIP, FRANKENSCRABBARDS, GRABSCRAB, SCRABBLE_HOUSE, SCRABBAGE)


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
