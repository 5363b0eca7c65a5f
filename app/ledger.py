"""A game as the list of what was done: its state is always the fold of that list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.rules import Accepted, Action, Event, GameRules, Materials, Refused, Verdict


@dataclass(frozen=True, slots=True)
class Opening:
    """What a game begins from; `begin` of the rules takes just this."""

    game: GameRules[Any]
    players: tuple[str, ...]
    options: Mapping[str, Any]
    materials: Materials
    initial: Mapping[str, Any] | None = None

    def begin(self) -> Any:
        """The state before the first action."""
        return self.game.begin(self.players, self.options, self.materials, self.initial)

    def with_word(self, word: str) -> Opening:
        """The same game with one more good word (a person's ruling)."""
        words = [*self.options.get("lexicon_add", ()), word]
        return replace(self, options={**self.options, "lexicon_add": words})


@dataclass(frozen=True, slots=True)
class Entry:
    """An action with the photograph it was seen in; None: a person told it."""

    action: Action
    photo: int | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """An entry that the rules accepted, what followed, and the state after it."""

    entry: Entry
    verdict: Accepted
    state: Any

    @property
    def events(self) -> tuple[Event, ...]:
        """What followed."""
        return self.verdict.events


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything done so far. Immutable: each change gives a new ledger."""

    opening: Opening
    start: Any
    done: tuple[Done, ...] = ()

    @property
    def state(self) -> Any:
        """The state after everything."""
        return self.done[-1].state if self.done else self.start

    @property
    def game(self) -> GameRules[Any]:
        """The rules."""
        return self.opening.game

    def add(self, entry: Entry) -> tuple[Ledger, Verdict]:
        """Judge an action; the ledger grows only if it holds."""
        state = self.state
        verdict = self.game.decide(state, entry.action)
        if isinstance(verdict, Refused):
            return self, verdict
        for event in verdict.events:
            state = self.game.evolve(state, event)
        return replace(self, done=(*self.done, Done(entry, verdict, state))), verdict

    def rewritten(self, change: Callable[[Entry], Entry | None]) -> tuple[Ledger, list[Refused]]:
        """Play everything again with some entries changed (None: left out).

        Returns:
            The new ledger and the refusals of entries that no longer hold, which are left out.
        """
        entries = [new for done in self.done if (new := change(done.entry)) is not None]
        return fold(self.opening, entries)


def open_ledger(opening: Opening) -> Ledger:
    """A game before its first action."""
    return Ledger(opening, opening.begin())


def fold(opening: Opening, entries: list[Entry]) -> tuple[Ledger, list[Refused]]:
    """Play a list of entries from the beginning; what is refused is left out and listed."""
    ledger = open_ledger(opening)
    refusals = []
    for entry in entries:
        ledger, verdict = ledger.add(entry)
        if isinstance(verdict, Refused):
            refusals.append(verdict)
    return ledger, refusals
