"""The games, in one explicit tuple."""

from __future__ import annotations

from functools import cache
from typing import Any

from kibitz.engine.rules import GameRules


@cache
def games() -> tuple[GameRules[Any], ...]:
    """Every game, loaded when first asked for."""
    from kibitz.engine.games.frankenscrabbards.rules import GAME as FRANKENSCRABBARDS
    from kibitz.engine.games.grabscrab.rules import GAME as GRABSCRAB
    from kibitz.engine.games.scrabbage.rules import GAME as SCRABBAGE
    from kibitz.engine.games.scrabble.rules import GAME as SCRABBLE
    from kibitz.engine.games.scrabble_house.rules import GAME as SCRABBLE_HOUSE
    from kibitz.engine.games.scrabbleship.rules import GAME as SCRABBLESHIP

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
