"""One of two boards as if it were the only one, to watch each board by itself (SH-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from kibitz.engine.games.scrabble_house.info import INFO
from kibitz.engine.games.scrabble_house.state import HouseState
from kibitz.engine.rules import (
    Action,
    Candidate,
    Change,
    Event,
    GameInfo,
    GameRules,
    JsonValue,
    Materials,
    Options,
    Verdict,
)


class OneBoard:
    """The rules seen from one of the two boards, as if it were the only one."""

    info: ClassVar[GameInfo] = INFO

    def __init__(self, game: GameRules[HouseState], index: int) -> None:
        self._game = game
        self._index = index

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> HouseState:
        """Both boards.

        Raises:
            ValueError: a position of one board only.
        """
        if initial and "board" in initial and "boards" not in initial:
            raise ValueError("expected the position of both boards, got one")
        return self._game.begin(players, options, materials, initial)

    def interpret(self, state: HouseState, change: Change) -> tuple[Candidate, ...]:
        """Possible meanings of a change on this board."""
        return self._game.interpret(state, replace(change, surface=f"board {self._index + 1}"))

    def decide(self, state: HouseState, action: Action) -> Verdict:
        """Judge an action."""
        return self._game.decide(state, action)

    def evolve(self, state: HouseState, event: Event) -> HouseState:
        """The state after an event."""
        return self._game.evolve(state, event)

    def view(self, state: HouseState, viewer: str | None) -> Mapping[str, JsonValue]:
        """Public view with this board as the board."""
        whole = self._game.view(state, viewer)
        k = self._index
        blanks = whole["blanks_2"] if k else whole["blanks"]
        turn = whole["to_move"][k]
        own = {"board": whole["boards"][k], "blanks": blanks, "to_move": turn}
        return {**whole, **own, "open_tasks": [whole["open_tasks"][k]]}

    def announce(self, state: HouseState, event: Event) -> tuple[str, ...]:
        """Announcements of an event."""
        return self._game.announce(state, event)
