"""Ledger: a game as a list of entries; its state is the result of playing them in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile
from typing import Any

from kibitz.engine.rules import (
    Accepted,
    Action,
    Event,
    GameRules,
    Materials,
    Refused,
    Verdict,
    apply,
    judge,
)
from kibitz.engine.table import JOINED_SIDE
from kibitz.engine.telling import with_signs


@dataclass(frozen=True, slots=True)
class Opening:
    """The arguments of a game's `begin`."""

    game: GameRules[Any]
    players: tuple[str, ...]
    options: Mapping[str, Any]
    materials: Materials
    initial: Mapping[str, Any] | None = None

    def begin(self) -> Any:
        """Begin the game; returns the state before the first action."""
        return self.game.begin(self.players, self.options, self.materials, self.initial)

    def with_word(self, word: str) -> Opening:
        """The opening with one more valid word (a person's ruling)."""
        return self.with_words((word,))

    @property
    def words_allowed(self) -> tuple[str, ...]:
        """Words that are valid beside those of the list."""
        return tuple(self.options.get("lexicon_add", ()))

    def with_words(self, words: Iterable[str]) -> Opening:
        """The opening with more valid words, in its settings and in its list."""
        known = self.words_allowed
        more = tuple(dict.fromkeys(w for w in words if w not in known))
        if not more:
            return self
        changed = getattr(self.materials.lexicon, "with_changes", None)
        tiles = map(self.materials.tile_set.tiles_in, more)
        lexicon = changed(add=tiles) if changed else self.materials.lexicon
        return replace(
            self,
            options={**self.options, "lexicon_add": [*known, *more]},
            materials=replace(self.materials, lexicon=lexicon),
        )


_KEPT_AT_POSITION = (
    "scores", "fleets", "hits", "sunk", "ship_count", "to_move", "total_words",
    "clocks", "running", "running_since",
)  # fmt: skip
"""What a position is given beside its board, where the game has it."""

TOLD_FOR_GOOD = ("enter_fleet", "judge_decision", "overrule_root")
"""What people told that holds for the whole game, whatever lies on the board."""


ASKING = frozenset({"open", "first", "hand"})
"""What an action's data says only of what people are asked about it, not of what was done."""

PLAYS = frozenset({"place", "tile", "scrab", "claim"})
"""What lays tiles, or says what tiles that lie there are."""

TAKES_OFF = ("take_back", "withdraw")
"""What takes the newest play off the board again."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An action, with the picture that showed it or before which a person told it."""

    action: Action
    photo: int
    told: bool = False

    @property
    def by_time(self) -> bool:
        """True if time alone brought it: a tick of the clock."""
        return self.action.kind == "tick"

    def with_data(self, data: Mapping[str, Any]) -> Entry:
        """The same with other data of its action."""
        return replace(self, action=replace(self.action, data=data))


@dataclass(frozen=True, slots=True)
class Done:
    """An accepted entry with its result and the state after it."""

    entry: Entry
    verdict: Accepted
    state: Any

    @property
    def deed(self) -> tuple[Action, Accepted]:
        """Action and result, without the questions that came with it."""
        data = {k: v for k, v in self.entry.action.data.items() if k not in ASKING}
        return replace(self.entry.action, data=data), self.verdict


@dataclass(frozen=True, slots=True)
class Ledger:
    """A game's whole record; immutable, every change makes a new ledger."""

    opening: Opening
    start: Any
    done: tuple[Done, ...] = ()
    game: GameRules[Any] = field(init=False, compare=False, repr=False)
    state: Any = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Set the rules and the newest state, which are asked for all the time."""
        object.__setattr__(self, "game", self.opening.game)
        object.__setattr__(self, "state", self.done[-1].state if self.done else self.start)

    @property
    def newest(self) -> Done | None:
        """The newest entry that time alone did not bring."""
        return next((d for d in reversed(self.done) if not d.entry.by_time), None)

    def add(self, entry: Entry, *, again: bool = False) -> tuple[Ledger, Verdict]:
        """Judge an entry; the returned ledger contains it only if it was accepted.

        It is judged by what its player may know.

        Args:
            entry: the action.
            again: nothing secret refuses it: a picture showed it, or it held before and is played
                again because something else was put right. Whoever puts letters right would
                learn what its player holds.
        """
        told = with_signs(entry.action, self.opening.materials.tile_set)
        entry = entry if told is entry.action else replace(entry, action=told)
        if entry.action.kind == "set_position":
            return self._set_position(entry)
        if entry.action.kind == "take_back":
            return self._take_back(entry)
        viewer = None if again else _doer(self.state, entry.action)
        verdict, state = _judged(_ActionInState(self.game, self.state, entry.action, viewer))
        if isinstance(verdict, Refused):
            return self, verdict
        done = (*self.done, Done(entry, verdict, state))
        return Ledger(self.opening, self.start, done), verdict

    def at_position(self, rows: list[str], photo: int) -> Ledger | None:
        """Continue from a scanned board, keeping the scores; None if the rules refuse it."""
        key = "board45" if len(rows) == JOINED_SIDE else "board"
        known = public_view(self.game, self.state)
        kept = {k: known[k] for k in _KEPT_AT_POSITION if k in known}
        if not isinstance(kept.get("to_move"), str):
            kept.pop("to_move", None)  # with two boards there are two, and none is known now
        action = Action("set_position", data={"initial": {**kept, key: rows}})
        ledger, verdict = self.add(Entry(action, photo))
        return None if isinstance(verdict, Refused) else ledger

    def taken_back(self, played_at: int, photo: int, squares: Sequence[str]) -> Ledger:
        """Take back what was laid on squares at a picture; the entry stays in the list."""
        data = {"photo": played_at, "squares": list(squares)}
        ledger, _ = self.add(Entry(Action("take_back", data=data), photo))
        return ledger

    def _take_back(self, entry: Entry) -> tuple[Ledger, Verdict]:
        """Restore the state before a play that is taken back.

        Its turn is spent (CL-14, SS-13) or given back, as `turn` says; without it as the game's
        rules have it for a play that is taken off.
        """
        photo = entry.action.data["photo"]
        gone = [d for d in self.done if is_taken_back(d.entry, entry.action)]
        player = (gone[0].entry.action.player or player_of(gone[0])) if gone else None
        turn = entry.action.data.get("turn")
        spent = turn == "spent" or (turn is None and self.game.info.taken_off_costs_turn)
        left = [d.entry for d in self.done if d not in gone]
        if gone and spent:
            # the turn was over when the play was told: clocks have moved on since
            ticks = takewhile(lambda d: d.entry.by_time, reversed(self.done))
            left.insert(len(left) - len(list(ticks)), Entry(Action("pass", player), entry.photo))
        clean, _ = self.with_entries(left)
        words = [w for d in gone for w in d.verdict.result.get("words") or ()]
        laid = (str(x).upper() for d in gone for x in tiles_of(d.entry).values())
        letters = "".join(x for x in laid if x.isalpha())
        data = {
            "player": player, "words": words, "letters": letters, "spent": spent, "turn": turn,
        }  # fmt: skip
        verdict = Accepted(
            (Event("_taken_back", data),), {"removed_play": photo, "player": player}
        )
        return replace(self, done=(*self.done, Done(entry, verdict, clean.state))), verdict

    def _set_position(self, entry: Entry) -> tuple[Ledger, Verdict]:
        opening = self.opening
        initial = entry.action.data["initial"]
        try:
            state = opening.game.begin(
                opening.players, opening.options, opening.materials, initial
            )
        except (ValueError, KeyError, TypeError) as error:
            return self, Refused("position", f"the rules cannot begin from this board: {error}")
        for done in self.done:
            if done.entry.told and done.entry.action.kind in TOLD_FOR_GOOD:
                state, _ = apply(opening.game, state, done.entry.action)
        verdict = Accepted(())
        return replace(self, done=(*self.done, Done(entry, verdict, state))), verdict

    def rewritten(self, change: Callable[[Entry], Entry | None]) -> tuple[Ledger, list[Refused]]:
        """Replay everything with some entries changed (None: left out).

        Returns:
            The new ledger and the refusals of entries that no longer hold, which are left out.
        """
        entries = [new for done in self.done if (new := change(done.entry)) is not None]
        return self.with_entries(entries)

    def with_entries(self, entries: Sequence[Entry]) -> tuple[Ledger, list[Refused]]:
        """The game with another list of entries; only what differs is replayed.

        Returns:
            The new ledger and the refusals of entries that do not hold, which are left out.
        """
        stands = self.as_far_as(entries)
        return _played(stands, entries[len(stands.done) :])

    def begun_as(self, opening: Opening) -> Ledger:
        """The game from this opening: itself if equal, else anew without actions."""
        return self if opening is self.opening else open_ledger(opening)

    def as_far_as(self, entries: Sequence[Entry]) -> Ledger:
        """The game up to the first entry that differs from another list."""
        same = 0
        for done, entry in zip(self.done, entries, strict=False):
            if done.entry is not entry and done.entry != entry:
                break
            same += 1
        return replace(self, done=self.done[:same])


class StateKey:
    """Cache key: a game and its state, compared by identity.

    States never change, so what was worked out for one holds as long as it exists.
    """

    __slots__ = ("game", "state")

    def __init__(self, game: GameRules[Any], state: Any) -> None:
        self.game, self.state = game, state

    def __hash__(self) -> int:
        return id(self.state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StateKey):
            return False
        # of two boards, rules show one each
        return self.state is other.state and self.game is other.game


@lru_cache(maxsize=64)
def _shown(asked: StateKey) -> Mapping[str, Any]:
    return asked.game.view(asked.state, None)


def public_view(game: GameRules[Any], state: Any) -> Mapping[str, Any]:
    """Public view of a state, cached; not to be changed."""
    return _shown(StateKey(game, state))


class _ActionInState:
    """An action in a state, hashed by the state's identity, as states never change."""

    __slots__ = ("action", "game", "said", "state", "viewer")

    def __init__(
        self, game: GameRules[Any], state: Any, action: Action, viewer: str | None
    ) -> None:
        self.game, self.state, self.action, self.viewer = game, state, action, viewer
        self.said = repr(action)  # 1 and True are equal, and yet not the same thing to be told

    def __hash__(self) -> int:
        return hash((id(self.state), self.said))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _ActionInState):
            return False
        same = self.state is other.state and self.game is other.game
        return same and self.said == other.said and self.viewer == other.viewer


@lru_cache(maxsize=256)
def _judged(asked: _ActionInState) -> tuple[Verdict, Any]:
    """Verdict and next state, cached as games are replayed from the same states."""
    state, verdict = asked.state, judge(asked.game, asked.state, asked.action, asked.viewer)
    if isinstance(verdict, Accepted):
        for event in verdict.events:
            state = asked.game.evolve(state, event)
    return verdict, state


def _doer(state: Any, action: Action) -> str | None:
    """Player of an action; if none is named, the only one who may act."""
    if action.player is not None or len(state.may_act) != 1:
        return action.player
    return str(*state.may_act)


def tiles_of(entry: Entry) -> Mapping[str, str]:
    """Tiles that an entry lays, by names of squares."""
    data = entry.action.data
    tiles = data.get("tiles")
    if isinstance(tiles, Mapping):
        return tiles
    named = isinstance(data.get("square"), str) and entry.action.kind == "tile"
    return {data["square"]: str(data.get("letter"))} if named else {}


def board_of(opening: Opening, action: Action) -> int:
    """Index of the board, from 0, that an action is about: its player's or the named one."""
    if action.player in opening.players:
        seats = opening.game.info.seats_per_board or len(opening.players)
        return opening.players.index(action.player) // seats
    return int(action.data.get("board", 1) == 2)


def is_taken_back(entry: Entry, back: Action) -> bool:
    """True if `take_back` takes off the play of this entry.

    One picture may have shown several plays: `squares` names those whose tiles are gone. Without
    them all that the picture showed goes.
    """
    if entry.told or entry.photo != back.data["photo"]:
        return False
    gone = back.data.get("squares")
    return gone is None or not tiles_of(entry).keys().isdisjoint(gone)


def player_of(done: Done) -> str | None:
    """Player of an entry, as its events say; None if they name none.

    A turn first settles the play of somebody else that waited for it.
    """
    events = done.verdict.events
    settled = next((i for i, event in enumerate(events) if event.kind == "_settled"), len(events))
    own = (event for event in events[settled:] if event.kind.startswith("_"))
    for event in (*own, *events):
        if "player" in event.data:
            return str(event.data["player"])
    return None


def last_to_move(ledger: Ledger) -> str | None:
    """Who played the newest turn since the game, or the position it goes on from, was set out."""
    before, found = ledger.start, None
    for done in ledger.done:
        if done.entry.action.kind == "set_position" or done.state.untouched:
            found = None
        elif done.state.to_move != before.to_move:
            found = before.to_move
        before = done.state
    return found


def open_ledger(opening: Opening) -> Ledger:
    """An empty ledger for an opening."""
    return Ledger(opening, opening.begin())


def fold(opening: Opening, entries: list[Entry]) -> tuple[Ledger, list[Refused]]:
    """Play a list of entries from the beginning; refused ones are left out and listed."""
    return _played(open_ledger(opening), entries)


def _played(ledger: Ledger, entries: Iterable[Entry]) -> tuple[Ledger, list[Refused]]:
    refusals = []
    for entry in entries:
        ledger, verdict = ledger.add(entry, again=True)
        # a task ticked off is no longer one when the play before it turns out to be another
        if isinstance(verdict, Refused) and entry.action.kind != "tidy":
            refusals.append(verdict)
    return ledger, refusals
