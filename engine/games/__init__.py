"""The games, in one explicit tuple; their facts are available without loading their rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
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
"""The game that is played if none is named."""


@cache
def games() -> tuple[GameRules[Any], ...]:
    """Rules of every game, loaded when first asked for."""
    from kibitz.engine.games.frankenscrabbards.rules import GAME as FRANKENSCRABBARDS
    from kibitz.engine.games.grabscrab.rules import GAME as GRABSCRAB
    from kibitz.engine.games.scrabbage.rules import GAME as SCRABBAGE
    from kibitz.engine.games.scrabble.rules import GAME as SCRABBLE
    from kibitz.engine.games.scrabble_house.rules import GAME as SCRABBLE_HOUSE
    from kibitz.engine.games.scrabbleship.rules import GAME as SCRABBLESHIP

    return (SCRABBLE, SCRABBLESHIP, FRANKENSCRABBARDS, GRABSCRAB, SCRABBLE_HOUSE, SCRABBAGE)


@dataclass(frozen=True, slots=True)
class Games:
    """A set of games, found by name.

    Attributes:
        more: rules that the caller brings beside Kibitz's own (`with_games`).
    """

    more: tuple[GameRules[Any], ...] = ()

    @property
    def infos(self) -> tuple[GameInfo, ...]:
        """Facts of every game, in the order in which users are offered them."""
        return (*INFOS, *(game.info for game in self.more))

    def find_info(self, name: str) -> GameInfo:
        """Facts of a game, by slug or alias.

        Raises:
            ValueError: there is no such game; the message lists those there are.
        """
        wanted = name.strip().lower()
        for info in self.infos:
            if wanted in (info.slug, *info.other_names):
                return info
        known = ", ".join(i.slug for i in self.infos)
        raise ValueError(f"there is no game {name!r}; known are {known}")

    def find_game(self, name: str) -> GameRules[Any]:
        """Rules of a game, by slug or alias.

        Raises:
            ValueError: there is no such game; the message lists those there are.
        """
        slug = self.find_info(name).slug
        brought = (game for game in self.more if game.info.slug == slug)
        return next(brought, None) or next(game for game in games() if game.info.slug == slug)

    def with_games(self, *more: GameRules[Any]) -> Games:
        """A set with more games, each under a unique name; the same game counts once.

        Raises:
            ValueError: a name is taken, or is none that files and addresses can hold.
        """
        known = self
        for game in more:
            if game in known.more:
                continue
            info = game.info
            if not _SLUG.fullmatch(info.slug):
                raise ValueError(f"a game's slug: expected letters a-z and '-', got {info.slug!r}")
            taken = {name for i in known.infos for name in (i.slug, *i.other_names)}
            if double := sorted(taken & {info.slug, *info.other_names}):
                raise ValueError(f"there is a game {double[0]!r} already")
            known = Games((*known.more, game))
        return known


_SLUG = re.compile(r"[a-z][a-z0-9-]*")

GAMES = Games()
"""Kibitz's own games."""


def find_info(name: str) -> GameInfo:
    """Facts of one of Kibitz's own games.

    Raises:
        ValueError: there is no such game; the message lists those there are.
    """
    return GAMES.find_info(name)


def find_game(name: str) -> GameRules[Any]:
    """Rules of one of Kibitz's own games.

    Raises:
        ValueError: there is no such game; the message lists those there are.
    """
    return GAMES.find_game(name)
