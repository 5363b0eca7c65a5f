"""The clock of every game as a value; time comes as an argument (CL (a), SH-26)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from types import MappingProxyType
from typing import Any, ClassVar, Final, Protocol, TypeVar

from kibitz.engine.phrases import Translatable, counted, phrase
from kibitz.engine.rules import (
    Accepted,
    Action,
    Event,
    JsonValue,
    Options,
    Refused,
    StartField,
    Verdict,
)

PRESSED, PASSED_ON, STOPPED = "_pressed", "_time_passed_on", "_clock_stopped"
OVERTIME, FORFEITED = "overtime", "forfeited"
EVENTS: Final = frozenset({PRESSED, PASSED_ON, STOPPED, OVERTIME, FORFEITED})
"""The events of this module; a game's `evolve` gives them to `on_clock`."""
MINUTE_S: Final = 60
START: Final = (
    StartField(
        "clocks",
        "numbers",
        phrase("Seconds left"),
        phrase("On each player's clock; all of it without."),
    ),
    StartField("running", "other", "Clocks that run", "One name for each board."),
    StartField("running_since", "other", "Since when", "In seconds of the table's clock."),
)
"""The fields of a position that tell the clocks."""
ON_TIME: Final = "time"
"""The reason of an end that came because somebody's time was up."""


@dataclass(frozen=True, slots=True)
class ChessClock:
    """Seconds left for each player at the last press, and whose clock runs since when.

    Attributes:
        increment: seconds that a press adds for whoever pressed.
        counts_up: there is no limit: what was used is below zero.
        charged: the minutes of overtime that each player has paid for.
        passed: whose time a turn that was told has stopped, until the next press.
        ahead: who pressed before the own turn was told, until it is.
    """

    left: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    running: str | None = None
    since: float = 0.0
    increment: float = 0.0
    counts_up: bool = False
    charged: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    passed: str | None = None
    ahead: str | None = None

    def remaining(self, player: str, at: float) -> float:
        """Seconds that a player has left at a time; negative after the flag has fallen."""
        used = max(0.0, at - self.since) if player == self.running else 0.0
        return self.left[player] - used

    def flag_of(self, at: float) -> str | None:
        """The player whose flag has fallen by then; None if nobody's has."""
        player = self.running
        return player if player is not None and self.remaining(player, at) <= 0 else None

    def minutes_over(self, at: float) -> int:
        """Minutes of overtime that the running player has begun."""
        player = self.running
        if player is None or self.counts_up:
            return 0
        return ceil(max(0.0, -self.remaining(player, at)) / MINUTE_S)

    def started(self, player: str, at: float) -> ChessClock:
        """The clock running for a player from now, with the other's time used up to now."""
        stopped = self.stopped(at)
        left = stopped.left
        if self.increment and self.running is not None:
            left = MappingProxyType({**left, self.running: left[self.running] + self.increment})
        return replace(stopped, left=left, running=player, since=at, passed=None, ahead=None)

    def stopped(self, at: float) -> ChessClock:
        """The clock stopped now."""
        if self.running is None:
            return self
        left = {**self.left, self.running: self.remaining(self.running, at)}
        return replace(self, left=MappingProxyType(left), running=None, since=at)

    def halted(self) -> ChessClock:
        """The clock stopped at an unknown time."""
        return replace(self, running=None)

    def paid(self, player: str, minutes: int) -> ChessClock:
        """The clock once minutes of overtime were paid for."""
        charged = {**self.charged, player: self.charged.get(player, 0) + minutes}
        return replace(self, charged=MappingProxyType(charged))


def clock_for(players: Iterable[str], seconds: float) -> ChessClock:
    """A clock that does not run yet."""
    return ChessClock(MappingProxyType(dict.fromkeys(players, float(seconds))))


def clock_of_game(players: Iterable[str], options: Options) -> ChessClock | None:
    """The clock that the settings of a game ask for (`options.clock_settings`)."""
    if options["clock"] == "off":
        return None
    if options["clock"] == "up":
        return replace(clock_for(players, 0), counts_up=True)
    clock = clock_for(players, options["clock_seconds"])
    return replace(clock, increment=float(options["clock_increment"]))


def moves_by_presses(options: Options) -> bool:
    """True if only presses pass the time on from one clock to the next."""
    return options.get("clock", "off") != "off" and not options.get("clock_plays")


class Clocked(Protocol):
    """State that a clock needs from a game."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def players(self) -> tuple[str, ...]:
        """Names in seating order."""
        ...

    @property
    def options(self) -> Options:
        """Settings."""
        ...

    @property
    def to_move(self) -> str | None:
        """Whose turn it is; None where anybody may act."""
        ...

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        ...

    @property
    def clock(self) -> ChessClock | None:
        """The clock; None where none is played with."""
        ...


def decide_clock(state: Clocked, action: Action) -> Verdict | None:
    """The verdict on a press of the clock or on time alone; None for other actions.

    The first press starts the clock of whoever is to move. Later ones pass the time on: to
    whoever is to move by then, or clockwise where the play is not known yet. Where turns that are
    told pass it on as well, the next tick does so, and a press for the same turn changes nothing;
    a tick that says who has played (`after`) so starts a clock that nobody has pressed.
    """
    clock = state.clock
    if clock is None or action.kind not in ("press_clock", "tick"):
        return None
    if action.kind == "tick":
        begins = clock.running is None and action.data.get("after") in state.players
        if action.at is None or not (clock.running or begins):
            return None
        if state.over:
            return Accepted((Event(STOPPED, {"at": action.at}),))
        events = _overtime(state, clock, action.at)
        if not _is_lost(events):
            events += _passed_on(state, clock, action)
        return Accepted(tuple(events)) if events else None
    if state.over:
        return None
    running, passed = clock.running, clock.passed
    again = action.player == passed if action.player else state.to_move == running
    if passed is not None and again:  # a turn that was told has done it already
        return Accepted((Event(PRESSED, {"player": passed, "at": action.at}),))
    if running is not None and action.player not in (None, running):
        message = phrase("{player}'s clock is running already.", player=running)
        return Refused("not_your_clock", message)
    following = state.to_move or state.players[0]
    if following == running:
        following = state.players[(state.players.index(running) + 1) % len(state.players)]
    data: dict[str, JsonValue] = {"starts": following, "at": action.at}
    player = running or action.player
    pressed = Event(PRESSED, {"player": player, **data} if player else data)
    due = [] if action.at is None else _overtime(state, clock, action.at)
    return Accepted(tuple(due) if _is_lost(due) else (*due, pressed))


def _overtime(state: Clocked, clock: ChessClock, at: float) -> list[Event]:
    """Events for minutes begun after the time was up, and of a loss by them; none cost nothing."""
    points, player = int(state.options.get("clock_overtime", 0)), clock.running
    most = int(state.options.get("clock_forfeit", 0))
    begun = clock.minutes_over(at)
    if not points or player is None or not begun:
        return []
    due = (min(begun, most) if most else begun) - clock.charged.get(player, 0)
    events = [Event(OVERTIME, {"player": player, "points": -points * due})] if due > 0 else []
    if not most or begun <= most:
        return events
    scores: Mapping[str, int] = getattr(state, "scores", {})
    others = {p: scores.get(p, 0) for p in state.players if p != player}
    winner = [p for p, score in others.items() if score == max(others.values())]
    return [
        *events,
        Event(FORFEITED, {"player": player, "minutes": most}),
        Event(STOPPED, {"at": at}),
        Event("game_over", {"reason": ON_TIME, "winner": winner}),
    ]


def _is_lost(events: Iterable[Event]) -> bool:
    return any(event.kind == FORFEITED for event in events)


def _passed_on(state: Clocked, clock: ChessClock, action: Action) -> list[Event]:
    """Event of a turn that was told since the clock moved, where that passes the time on."""
    following = state.to_move
    as_it_was = clock.running if clock.ahead is None else clock.ahead
    if not state.options.get("clock_plays") or following in (None, as_it_was):
        return []
    data: dict[str, JsonValue] = {"starts": following, "at": action.at}
    if clock.running is None:
        data["after"] = action.data["after"]
    return [Event(PASSED_ON, data)]


def is_waiting(state: Clocked) -> bool:
    """True if the clock has not begun and the first turn that is told will start it."""
    clock = getattr(state, "clock", None)
    may_start = clock is not None and clock.running is None and not state.over
    return may_start and bool(state.options.get("clock_plays"))


_C = TypeVar("_C", bound=Clocked)


def on_clock(state: _C, event: Event) -> _C:
    """The state after an event of the clock; overtime comes off the player's score at once."""
    clock, d = state.clock, event.data
    if clock is None:
        return state
    if event.kind == OVERTIME:
        player, points = str(d["player"]), int(d["points"])
        scores = getattr(state, "scores", {})
        return replace(
            state,
            clock=clock.paid(player, -points // int(state.options["clock_overtime"])),
            scores=MappingProxyType({**scores, player: scores[player] + points}),
        )
    if d.get("at") is None:  # when that was is not known
        return state
    at, starts, running = float(d["at"]), d.get("starts"), clock.running
    if event.kind == STOPPED:
        after = clock.stopped(at)
    elif starts in (None, running):
        after = replace(clock, passed=None, ahead=None)
    else:
        after = clock.started(str(starts), at)
        if event.kind == PASSED_ON:
            after = replace(after, passed=running or d.get("after"))
        elif state.to_move == running:
            after = replace(after, ahead=running)
    return replace(state, clock=after)


def clock_view(state: Clocked) -> dict[str, JsonValue]:
    """The clock as everybody sees it, in seconds; nothing where none is played with."""
    clock = state.clock
    if clock is None:
        return {}
    runs = clock.running is not None and not state.over
    return {
        "clocks": dict(clock.left),
        "running": [clock.running] if runs else [],
        "running_since": [clock.since] if runs else [],
        "clocks_count_up": clock.counts_up,
    }


def clock_lines(event: Event) -> tuple[str, ...]:
    """The announcement of an event of the clock."""
    d = event.data
    if event.kind == OVERTIME:
        over = counted(
            "{player} is over time: {count} point.",
            "{player} is over time: {count} points.",
            int(d["points"]),
            player=d["player"],
        )
        return (over,)
    return (forfeit_line(d),) if event.kind == FORFEITED else ()


def forfeit_line(d: Mapping[str, JsonValue]) -> Translatable:
    """The announcement of a game that is lost by overtime."""
    return counted(
        "More than one minute over time: {player} loses the game.",
        "More than {count} minutes over time: {player} loses the game.",
        int(d["minutes"]),
        player=d["player"],
    )
