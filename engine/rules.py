"""The interface between a game and everything else: seven functions and their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from kibitz.engine.table import Square, SurfaceSpec

JsonValue: TypeAlias = Any
"""A value that JSON can hold: the wire form of actions, events and views."""

Options: TypeAlias = Mapping[str, JsonValue]
"""Settings by name, complete and checked (see `GameInfo.options`)."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person did or told, or that was seen: the scenario actions of rule 9.

    `data` holds the action's own fields in their wire form, as `{"tiles": {"H8": "A"}}`.
    `at` is the time in seconds on the table's clock, where time matters.
    """

    kind: str
    player: str | None = None
    at: float | None = None
    data: Mapping[str, JsonValue] = field(default_factory=dict)

    def to_json(self) -> dict[str, JsonValue]:
        """The action as a scenario writes it."""
        out: dict[str, JsonValue] = {"action": self.kind}
        if self.player is not None:
            out["player"] = self.player
        if self.at is not None:
            out["at"] = self.at
        return {**out, **self.data}


def action_from_json(fields: Mapping[str, JsonValue]) -> Action:
    """Read a scenario action.

    Raises:
        ValueError: there is no `action` name, or `player` or `at` is not what it should be.
    """
    rest = dict(fields)
    kind, player, at = rest.pop("action", None), rest.pop("player", None), rest.pop("at", None)
    if not isinstance(kind, str):
        raise ValueError(f"expected an 'action' name, got {fields!r:.80}")
    if player is not None and not isinstance(player, str):
        raise ValueError(f"player: expected a name, got {player!r:.60}")
    if at is not None and (isinstance(at, bool) or not isinstance(at, (int, float))):
        raise ValueError(f"at: expected a time in seconds, got {at!r:.60}")
    return Action(kind, player, at, rest)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in the event vocabulary of rule 9.

    `visible_to` names the players who may know it; None is everybody. `data` may carry what
    `evolve` needs beside the vocabulary.
    """

    kind: str
    data: Mapping[str, JsonValue] = field(default_factory=dict)
    visible_to: frozenset[str] | None = None

    def to_json(self) -> dict[str, JsonValue]:
        """The event as a scenario writes it."""
        return {"event": self.kind, **self.data}


@dataclass(frozen=True, slots=True)
class Accepted:
    """The action holds: what happened, and what the scenario vocabulary says of it.

    `events` fold into the state (`evolve`); those that `told` names are announced to people.
    `result` has the fields of a scenario's `expect` (legal, words, turn_score ...).
    """

    events: tuple[Event, ...]
    result: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refused:
    """The action breaks a rule; nothing changed. `code` is stable (rule 0.7)."""

    code: str
    message: str
    squares: tuple[Square, ...] = ()
    result: Mapping[str, JsonValue] = field(default_factory=dict)


Verdict: TypeAlias = Accepted | Refused


@dataclass(frozen=True, slots=True)
class Question:
    """Something only a person can tell, with the likely answers first."""

    field: str
    prompt: str
    choices: tuple[str, ...] = ()
    square: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What is seen to differ from the position the rules know, on one surface.

    Squares map to one character of board text; `turned` maps to the new quarter turn.
    For loose tables `pool`, `face_down` and `words` hold what now lies there.
    """

    surface: str = "board"
    added: Mapping[Square, str] = field(default_factory=dict)
    removed: tuple[Square, ...] = ()
    turned: Mapping[Square, int] = field(default_factory=dict)
    markers: tuple[tuple[Square, ...], ...] = ()
    colours: Mapping[Square, str] = field(default_factory=dict)
    pool: str | None = None
    face_down: int | None = None
    words: Mapping[str, tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing a change may have meant: actions in order, and what it would complete."""

    actions: tuple[Action, ...]
    note: str = ""
    task_done: bool = False
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of rule 8: its default, its choices (None: any of the default's type).

    `each` are the words that a list may hold. A text with a `minimum` takes its default or a
    number; `also` are further types that a text may have.
    """

    name: str
    default: JsonValue
    sentence: str
    choices: tuple[JsonValue, ...] | None = None
    rule: str = ""
    minimum: float | None = None
    maximum: float | None = None
    each: tuple[str, ...] = ()
    also: tuple[type, ...] = ()


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The unchanging facts of a game."""

    slug: str
    title: str
    players: tuple[int, ...]
    settings: tuple[Setting, ...]
    other_names: tuple[str, ...] = ()


S = TypeVar("S")


class GameRules(Protocol[S]):
    """What every game implements; `S` is the game's own frozen state.

    `begin` takes `initial`, a position in the form of a scenario's `initial` (None: a new game).
    A state has `options`, `players` (names in seating order), `may_act` (a frozenset of names)
    and `over` (bool). `lexicon` and `tile_set` are passed in through `Materials`.
    """

    info: ClassVar[GameInfo]

    def surfaces(self, players: tuple[str, ...], options: Options) -> tuple[SurfaceSpec, ...]:
        """The surfaces that the game is played on."""
        ...

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> S:
        """The state before the first action."""
        ...

    def interpret(self, state: S, change: Change) -> tuple[Candidate, ...]:
        """What this change may have meant, most likely first; each is dry-run by `decide`."""
        ...

    def decide(self, state: S, action: Action) -> Verdict:
        """The only judge: checks everything, changes nothing."""
        ...

    def evolve(self, state: S, event: Event) -> S:
        """The state after an event; total, computes no rules."""
        ...

    def view(self, state: S, viewer: str | None) -> Mapping[str, JsonValue]:
        """What this player (None: a watcher) may know, in the terms of a scenario's `final`."""
        ...

    def announce(self, state: S, event: Event) -> tuple[str, ...]:
        """What is said of an event; `state` is the state after it."""
        ...


class Lexicon(Protocol):
    """A set of upper-case words (rule 0.6)."""

    def __contains__(self, word: object) -> bool:
        """Whether the word is good."""
        ...


class TileSetLike(Protocol):
    """The letters of a language with their counts and values (rule 0.5)."""

    @property
    def language(self) -> str:
        """The language's code, as `en`."""
        ...

    def value(self, letter: str) -> int:
        """Face value of a letter; a blank or unknown letter is 0."""
        ...

    def count(self, letter: str) -> int:
        """How many of a letter one set holds; `?` are the blanks."""
        ...


@dataclass(frozen=True, slots=True)
class Materials:
    """What a game is played with: the words, one tile set, and what words are made of.

    `roots` holds for a word the words that it is made of (see `kibitz.engine.roots`).
    """

    lexicon: Lexicon
    tile_set: TileSetLike
    roots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def apply(game: GameRules[S], state: S, action: Action) -> tuple[S, Verdict]:
    """Judge an action and, if it holds, the state after it."""
    verdict = game.decide(state, action)
    if isinstance(verdict, Accepted):
        for event in verdict.events:
            state = game.evolve(state, event)
    return state, verdict


def replay(game: GameRules[S], state: S, events: Iterable[Event]) -> S:
    """The state after a list of events."""
    for event in events:
        state = game.evolve(state, event)
    return state
