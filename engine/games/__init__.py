"""The games, in one explicit tuple; their facts are there without loading their rules."""

from __future__ import annotations

from functools import cache
from typing import Any

from kibitz.engine.games.frankenscrabbards.info import INFO as FRANKENSCRABBARDS
from kibitz.engine.games.grabscrab.info import INFO as GRABSCRAB
from kibitz.engine.games.scrabbage.info import INFO as SCRABBAGE
from kibitz.engine.games.scrabble.info import INFO as SCRABBLE
from kibitz.engine.games.scrabble_house.info import INFO as SCRABBLE_HOUSE
from kibitz.engine.games.scrabbleship.info import INFO as SCRABBLESHIP
from kibitz.engine.rules import GameInfo, GameRules

INFOS = (SCRABBLE, SCRABBLESHIP, FRANKENSCRABBARDS, GRABSCRAB, SCRABBLE_HOUSE, SCRABBAGE)
"""The facts of every game, in the order in which people are offered them."""

DEFAULT_GAME = SCRABBLE.slug
"""What is played where nobody says which game."""


@cache
def games() -> tuple[GameRules[Any], ...]:
    """The rules of every game, loaded when first asked for."""
    from kibitz.engine.games.frankenscrabbards.rules import GAME as FRANKENSCRABBARDS
    from kibitz.engine.games.grabscrab.rules import GAME as GRABSCRAB
    from kibitz.engine.games.scrabbage.rules import GAME as SCRABBAGE
    from kibitz.engine.games.scrabble.rules import GAME as SCRABBLE
    from kibitz.engine.games.scrabble_house.rules import GAME as SCRABBLE_HOUSE
    from kibitz.engine.games.scrabbleship.rules import GAME as SCRABBLESHIP

    return (SCRABBLE, SCRABBLESHIP, FRANKENSCRABBARDS, GRABSCRAB, SCRABBLE_HOUSE, SCRABBAGE)


def find_info(name: str) -> GameInfo:
    """The facts of a game, by its slug or another name of it.

    Raises:
        ValueError: there is no such game; the message lists those there are.
    """
    wanted = name.strip().lower()
    for info in INFOS:
        if wanted in (info.slug, *info.other_names):
            return info
    known = ", ".join(i.slug for i in INFOS)
    raise ValueError(f"there is no game {name!r}; known are {known}")


def find_game(name: str) -> GameRules[Any]:
    """The rules of a game, by its slug or another name of it.

    Raises:
        ValueError: there is no such game; the message lists those there are.
    """
    slug = find_info(name).slug
    return next(game for game in games() if game.info.slug == slug)
