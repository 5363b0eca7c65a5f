"""Interface between a game and the rest of Kibitz: its facts and its six functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

from kibitz.engine.phrases import Notation
from kibitz.engine.table import Square, SurfaceSpec

JsonValue: TypeAlias = Any
"""A value that JSON can hold: the wire form of actions, events and views."""

Options: TypeAlias = Mapping[str, JsonValue]
"""Settings by name, complete and checked (see `GameInfo.options`)."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a person did or told, or that was seen: the actions of rule 9.

    `data` holds the action's own fields in their wire form, as `{"tiles": {"H8": "A"}}`.
    `at` is the time in seconds on the table's clock, where time matters.
    """

    kind: str
    player: str | None = None
    at: float | None = None
    data: Mapping[str, JsonValue] = field(default_factory=dict)

    def to_json(self) -> dict[str, JsonValue]:
        """The action in a scenario's form."""
        out: dict[str, JsonValue] = {"action": self.kind}
        if self.player is not None:
            out["player"] = self.player
        if self.at is not None:
            out["at"] = self.at
        return {**out, **self.data}


def action_from_json(fields: Mapping[str, JsonValue]) -> Action:
    """Parse an action in a scenario's form.

    Raises:
        ValueError: there is no `action` name, or `player` or `at` is not what it should be.
    """
    rest = dict(fields)
    kind, player, at = rest.pop("action", None), rest.pop("player", None), rest.pop("at", None)
    if not isinstance(kind, str):
        raise ValueError(f"expected an 'action' name, got {fields!r:.80}")
    if player is not None and not isinstance(player, str):
        raise ValueError(f"player: expected a name, got {player!r:.60}")
    if at is not None:
        seconds_of(at, "at")
    return Action(kind, player, at, rest)


def seconds_of(value: JsonValue, name: str) -> float:
    """Parse a time in seconds; below zero is over time.

    Raises:
        ValueError: it is no finite number.
    """
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    try:
        seconds = float(value) if known else math.nan
    except OverflowError:
        seconds = math.inf
    if not math.isfinite(seconds):
        raise ValueError(f"{name}: expected seconds, got {value!r:.60}")
    return seconds


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in the vocabulary of rule 9.

    `visible_to` names the players who may know it; None is everybody. `data` may carry what
    `evolve` needs beside the vocabulary.
    """

    kind: str
    data: Mapping[str, JsonValue] = field(default_factory=dict)
    visible_to: frozenset[str] | None = None

    def to_json(self) -> dict[str, JsonValue]:
        """The event in a scenario's form."""
        return {"event": self.kind, **self.data}


@dataclass(frozen=True, slots=True)
class Accepted:
    """The action is allowed: its events, and what scenarios say of it.

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
    """A question that only a person can answer, with the likely answers first.

    `board` is there where a table has two.
    """

    field: str
    prompt: str
    choices: tuple[str, ...] = ()
    square: str | None = None
    board: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A seen difference from the position that the rules know, on one surface.

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
    """A possible meaning of a change: actions in order, and questions about them."""

    actions: tuple[Action, ...]
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of rule 8: its default, its choices (None: any of the default's type).

    `each` are the words that a list may hold. A text with a `minimum` takes its default or a
    number; `also` are further types that a text may have. `before` is what holds in tables that
    were kept before there was such a setting (None: the default). `parse` brings a value to its
    form, or raises a `ValueError` that says what was expected. `usual` is what pages and
    `kibitz serve` choose for a new table where people say nothing (None: the default).
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
    before: JsonValue = None
    parse: Callable[[JsonValue], JsonValue] | None = None
    usual: JsonValue = None


@dataclass(frozen=True, slots=True)
class Telling:
    """Something that a player can tell with one tap, for games without buttons of their own.

    Attributes:
        action: the kind of action.
        label: what the button says.
        sentence: what comes of it.
    """

    action: str
    label: str
    sentence: str


StartKind: TypeAlias = Literal[
    "board", "number", "numbers", "player", "players", "letters", "rack", "racks", "words",
    "squares", "ships", "boards", "hands", "flags", "other",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class StartField:
    """A field of a position from which a game continues in its middle.

    Attributes:
        name: its name in a scenario's `initial` and in a file for `--start`.
        kind: what its value is; `other` is taken as it comes, and no page asks for it.
        label: what a page calls it.
        sentence: what it says, and what holds without it.
    """

    name: str
    kind: StartKind
    label: str
    sentence: str


@dataclass(frozen=True, slots=True)
class HallOfFame:
    """Ranking of finished games of one kind (FS-21 to FS-24).

    Attributes:
        game_set: the setting whose value must be the same in two games that are compared.
        result: the field of a finished game's view that tells how well it went; less is better.
        holder: the field that names who holds the title after it.
    """

    game_set: str
    result: str
    holder: str


@dataclass(frozen=True, slots=True)
class GameInfo:
    """Constant facts of a game; code that is no rule asks these, never the game's name.

    Attributes:
        slug: the name in files and addresses.
        title: the name for people.
        players: how many may play.
        settings: what can be set (rule 8).
        other_names: further names that are understood in place of the slug.
        sentence: what the game is, for people who choose one.
        tellings: what players may tell beside laying tiles; pages make a button of each.
        surface: what a camera looks at; each of several boards is like it.
        seats_per_board: how many sit at one board; more players have several boards (SH-2).
        most_tiles: how many tiles one play may have.
        tile_by_tile: a turn lays a single tile, which need not complete a word (SB-13).
        premiums: the premium squares as text (`engine/board/layouts.py`), where pages show them.
        layout_setting: the setting that brings a board with other premium squares, for games
            that can be played on one (`HasLayouts`).
        letter_values: the value of a tile counts, so pages show it.
        score_columns: each turn has a score of one player, so a score sheet has columns.
        takes_turns: one player after the other lays tiles, so a play can be put down to another.
        counts_points: players have points, so pages draw how they grew.
        timed: time alone may bring something about, so the rules are told of each `tick`.
        taken_off_costs_turn: a play that is taken off the board again costs the turn (CL-14).
        press_setting: the setting that says whether players press a clock, which ends a turn.
        end_action: what people tell to end a game with the scores that it has.
        challenge_window: what a play brings waits until nobody challenges it (SS-14).
        notation: how the game's records name squares to people.
        gcg: a game can be written in the GCG format.
        hall_of_fame: how finished games are compared, where records are kept.
        sets_setting: the setting that says how many tile sets are mixed (FS-1).
        shortest_word_setting: the setting that says how many letters a word needs (GS-7).
        rulings_setting: the setting that takes rulings on roots kept from earlier games (GS-12).
        start: what is told of a position from which a game goes on in its middle.
        marker_zones: the squares where each player's cards may come to lie, in seating order, by
            the number of players (SS-5).
    """

    slug: str
    title: str
    players: tuple[int, ...]
    settings: tuple[Setting, ...]
    other_names: tuple[str, ...] = ()
    sentence: str = ""
    tellings: tuple[Telling, ...] = ()
    surface: SurfaceSpec = field(default_factory=SurfaceSpec)
    seats_per_board: int | None = None
    most_tiles: int = 7
    tile_by_tile: bool = False
    premiums: tuple[str, ...] | None = None
    layout_setting: str | None = None
    letter_values: bool = False
    score_columns: bool = False
    takes_turns: bool = True
    counts_points: bool = True
    timed: bool = False
    taken_off_costs_turn: bool = False
    press_setting: str | None = None
    end_action: str | None = None
    challenge_window: bool = False
    notation: Notation = "A1"
    gcg: bool = False
    hall_of_fame: HallOfFame | None = None
    sets_setting: str | None = None
    shortest_word_setting: str | None = None
    rulings_setting: str | None = None
    start: tuple[StartField, ...] = ()
    marker_zones: Callable[[int], tuple[frozenset[Square], ...]] | None = None

    def surfaces(self, players: int) -> tuple[SurfaceSpec, ...]:
        """Surfaces for a number of players; several boards are numbered from 1."""
        boards = 1 if self.seats_per_board is None else -(-players // self.seats_per_board)
        if boards == 1:
            return (self.surface,)
        one = self.surface
        return tuple(replace(one, name=f"{one.name} {n}") for n in range(1, boards + 1))


S = TypeVar("S")


class GameRules(Protocol[S]):
    """The rules of one game; `S` is the game's frozen state.

    `begin` takes `initial`, a position in the form of a scenario's `initial` (None: a new game).
    A state has `options`, `players` (names in seating order), `may_act` (a frozenset of names)
    and `over` (bool). `lexicon` and `tile_set` are passed in through `Materials`.
    """

    @property
    def info(self) -> GameInfo:
        """Facts of the game."""
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
        """Possible meanings of a change, likeliest first; `decide` tries each of them."""
        ...

    def decide(self, state: S, action: Action) -> Verdict:
        """Judge an action; the only judge, and it changes nothing."""
        ...

    def evolve(self, state: S, event: Event) -> S:
        """The state after an event; defined for every event, it judges nothing."""
        ...

    def view(self, state: S, viewer: str | None) -> Mapping[str, JsonValue]:
        """State as a player (None: a spectator) may know it, as a scenario's `final`."""
        ...

    def announce(self, state: S, event: Event) -> tuple[str, ...]:
        """Announcements of an event; `state` is the state after it."""
        ...


@runtime_checkable
class BoardsApart(Protocol):
    """A game on several boards that can each be watched as if they were the only one."""

    def one_board(self, index: int) -> GameRules[Any]:
        """The rules seen from board `index` (from 0): its tiles, turn and tasks."""
        ...


@runtime_checkable
class ShowsPlan(Protocol):
    """A game that can show how a claimed possibility would go on."""

    def plan(self, state: Any, action: Action) -> JsonValue:
        """An example continuation, in the form of a scenario's `example_plan`."""
        ...


@runtime_checkable
class KeepsSecrets(Protocol):
    """A game in which players hold things that others may not know."""

    def known_to(self, state: Any, viewer: str | None) -> Any:
        """The state as a player (None: a spectator) may know it.

        What others hold in secret is in it as if it had not been told. It is judged by and never
        goes on: what an action reveals by the rules, as a shot does, stays in it.
        """
        ...


@runtime_checkable
class RevealsSecrets(Protocol):
    """A game whose secrets are revealed bit by bit, as a fleet by shots."""

    def revealed(self, state: Any, events: Iterable[Event]) -> Mapping[str, frozenset[str]]:
        """Secrets that events revealed, by name, with the players who own them."""
        ...


class Lexicon(Protocol):
    """A set of upper-case words (rule 0.6)."""

    def __contains__(self, word: object) -> bool:
        """True if the word is valid."""
        ...


class TileSetLike(Protocol):
    """Letters of a language with their counts and values (rule 0.5)."""

    @property
    def language(self) -> str:
        """Code of the language, as `en`."""
        ...

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the set, without the blank."""
        ...

    def value(self, letter: str) -> int:
        """Face value of a letter; 0 for a blank or unknown letter."""
        ...

    def count(self, letter: str) -> int:
        """Number of tiles of a letter in one set; `?` are the blanks."""
        ...

    def tiles_in(self, word: str) -> str:
        """The tiles of a word as people write it, one sign each."""
        ...

    def word_of(self, tiles: str) -> str:
        """The word as people write it, from the signs of its tiles."""
        ...

    def bracketed(self, tiles: str) -> str:
        """The word as records write it, tiles of several letters in brackets."""
        ...

    def unbracketed(self, text: str, *, single: bool) -> str:
        """Signs of the tiles in a record's text."""
        ...


@dataclass(frozen=True, slots=True)
class Materials:
    """Materials of a game: lexicon, one tile set, and the table of roots.

    `roots` holds for a word the words that it is made of (see `kibitz.engine.words.roots`).
    """

    lexicon: Lexicon
    tile_set: TileSetLike
    roots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def is_word(self, word: str) -> bool:
        """True if a word, as people write it, is valid."""
        return self.tile_set.tiles_in(word) in self.lexicon


MALFORMED = (TypeError, ValueError, KeyError, AttributeError, IndexError)
"""What rules raise for a field of a kind that they do not expect; nothing was changed then."""


def malformed(action: Action, error: Exception) -> str:
    """Message about an action on which the rules raised one of `MALFORMED`."""
    return f"A field of {action.kind!r} has a value that it cannot have: {error}."


def apply(game: GameRules[S], state: S, action: Action) -> tuple[S, Verdict]:
    """Judge an action; returns the state after it and the verdict."""
    verdict = game.decide(state, action)
    if isinstance(verdict, Accepted):
        for event in verdict.events:
            state = game.evolve(state, event)
    return state, verdict


def judge(game: GameRules[Any], state: Any, action: Action, viewer: str | None) -> Verdict:
    """Judge an action; a refusal reveals no secret to this player (None: a spectator).

    What the viewer may not know refuses nothing: the action is judged as if it had not been told.
    """
    verdict = game.decide(state, action)
    if isinstance(verdict, Accepted) or not isinstance(game, KeepsSecrets):
        return verdict
    known = game.known_to(state, viewer)
    return verdict if known is state else game.decide(known, action)


def replay(game: GameRules[S], state: S, events: Iterable[Event]) -> S:
    """The state after a list of events."""
    for event in events:
        state = game.evolve(state, event)
    return state
