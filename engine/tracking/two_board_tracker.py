"""Scrabble House on two boards (SH-1): each board is watched by itself, the game is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar

from kibitz.engine.games.scrabble_house.rules import INFO
from kibitz.engine.record.ledger import Entry, Ledger, Opening, fold, open_ledger
from kibitz.engine.rules import (
    Accepted,
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
from kibitz.engine.table import Grid, SurfaceSpec
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.changes import BoardView
from kibitz.engine.tracking.hypotheses import PHOTO, Capture, Finding, Hypothesis, LastPlay

SURFACES = ("board 1", "board 2")


class OneBoard:
    """The rules as seen from one of the two boards: the same game, this board in the middle."""

    info: ClassVar[GameInfo] = INFO

    def __init__(self, game: GameRules[Any], index: int) -> None:
        self._game = game
        self._index = index

    def surfaces(self, players: tuple[str, ...], options: Options) -> tuple[SurfaceSpec, ...]:
        """This board alone."""
        return (self._game.surfaces(players, options)[self._index],)

    def begin(
        self,
        players: tuple[str, ...],
        options: Options,
        materials: Materials,
        initial: Mapping[str, JsonValue] | None = None,
    ) -> Any:
        """Both boards.

        Raises:
            ValueError: a position of one board only.
        """
        if initial and "board" in initial and "boards" not in initial:
            raise ValueError("expected the position of both boards, got one")
        return self._game.begin(players, options, materials, initial)

    def interpret(self, state: Any, change: Change) -> tuple[Candidate, ...]:
        """What a change on this board may have meant."""
        return self._game.interpret(state, replace(change, surface=SURFACES[self._index]))

    def decide(self, state: Any, action: Action) -> Verdict:
        """Judge an action."""
        return self._game.decide(state, action)

    def evolve(self, state: Any, event: Event) -> Any:
        """The state after an event."""
        return self._game.evolve(state, event)

    def view(self, state: Any, viewer: str | None) -> Mapping[str, JsonValue]:
        """The game with this board as the board."""
        whole = self._game.view(state, viewer)
        k = self._index
        blanks = whole["blanks_2"] if k else whole["blanks"]
        turn = whole["to_move"][k]
        own = {"board": whole["boards"][k], "blanks": blanks, "to_move": turn}
        return {**whole, **own, "open_tasks": [whole["open_tasks"][k]]}

    def announce(self, state: Any, event: Event) -> tuple[str, ...]:
        """What is said of an event."""
        return self._game.announce(state, event)


def two_boards(opening: Opening) -> bool:
    """Whether a game is played on two boards that are watched together."""
    return opening.game.info.slug == "scrabble-house" and len(opening.players) > 2


class TwoBoardTracker:
    """Two referees, one a board, whose entries make one game.

    What one board's tracker takes in is told to the other's as something that happened; when it
    changes its mind, the other's game is played again.
    """

    def __init__(self, opening: Opening, counts: Mapping[str, int] | None = None) -> None:
        self.opening = opening
        self._counts = counts
        self.boards = [
            BoardTracker(replace(opening, game=OneBoard(opening.game, k)), counts)
            for k in range(2)
        ]
        self.ledger: Ledger = open_ledger(opening)
        self.told: list[Entry] = []
        self.known: list[list[Entry]] = [[], []]

    @property
    def photos(self) -> int:
        """How many pictures were taken in."""
        return self.boards[0].photos

    @property
    def lying(self) -> list[Grid]:
        """What lies on each board."""
        return [tracker.lying for tracker in self.boards]

    def copy(self) -> TwoBoardTracker:
        """Another that knows the same; what it is shown changes only itself."""
        other = copy(self)
        other.boards = [tracker.copy() for tracker in self.boards]
        other.told, other.known = list(self.told), list(self.known)
        return other

    def see(self, views: Sequence[BoardView | None], how: Capture = PHOTO) -> None:
        """Take in one picture of both boards; None for a board that it does not show."""
        for tracker, view in zip(self.boards, views, strict=True):
            if view is None:
                tracker.see_nothing("unreadable" if not any(views) else "no_change")
            else:
                tracker.see(view, how)
        self._agree()

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did."""
        if action.kind == "answer":
            return self._answer(action)
        entry = Entry(action, self.photos, told=True)
        _, verdict = self.ledger.add(entry)
        if isinstance(verdict, Accepted):
            self.told.append(entry)
            for tracker in self.boards:
                tracker.tell(action)
            self._agree()
        return verdict

    def _answer(self, action: Action) -> Verdict:
        """An answer names its square as `2:H8`, or its board by who answers."""
        panel, _, square = str(action.data.get("square") or "").rpartition(":")
        index = self._board_of(action) if not panel else int(panel == "2")
        data = {**action.data, "square": square} if square else action.data
        verdict = self.boards[index].tell(replace(action, data=data))
        self._agree()
        return verdict

    def _board_of(self, action: Action) -> int:
        if action.player in self.opening.players:
            return self.opening.players.index(action.player) // 2
        number = action.data.get("board", 1)
        return int(number == 2)

    def restart(self, ledger: Ledger, lying: Sequence[Grid] | None, photos: int) -> None:
        """Go on from a game and positions that are known."""
        entries = [done.entry for done in ledger.done]
        self.opening = ledger.opening
        self.ledger = ledger
        self.told = [e for e in entries if e.told]
        self.known = [[], []]
        blind = tuple(Finding(i, "no_change") for i in range(photos))
        for k in range(2):
            opening = replace(ledger.opening, game=OneBoard(ledger.game, k))
            tracker = BoardTracker(opening, self._counts)
            own = [e for e in entries if not e.told and self._board_of(e.action) == k]
            start, _ = fold(opening, self._merged(k, own, self._others(entries, k)))
            grid = lying[k] if lying is not None else tracker.lying
            tracker.photos = photos
            tracker.hypotheses = [Hypothesis(start, grid, findings=blind)]
            self.boards[k] = tracker

    def _others(self, entries: Sequence[Entry], k: int) -> list[Entry]:
        return [e for e in entries if not e.told and self._board_of(e.action) != k]

    def _merged(self, k: int, own: Sequence[Entry], others: Sequence[Entry]) -> list[Entry]:
        """Every entry in one order: by picture, what was told first, board 1 before board 2."""
        ranked = [(e.photo, 0, e) for e in self.told]
        ranked += [(e.photo, 1 + k, e) for e in own]
        ranked += [(e.photo, 2 - k, replace(e, told=True)) for e in others]
        ranked.sort(key=lambda item: item[:2])
        return [entry for _, _, entry in ranked]

    def _agree(self) -> None:
        """Tell each tracker what the other one's board showed."""
        own = [_standing(tracker.ledger) for tracker in self.boards]
        for k, tracker in enumerate(self.boards):
            others = own[1 - k]
            if others == self.known[k]:
                continue
            self.known[k] = others
            first, *rest = tracker.hypotheses
            kept = [b for b in (self._replayed(k, x, others) for x in rest) if b is not None]
            best = self._replayed(k, first, others, best=True)
            tracker.hypotheses = [best or first, *kept]
        whole = self._merged(0, own[0], own[1])
        self.ledger, _ = fold(self.opening, [_as_seen(e, self.told) for e in whole])

    def _replayed(
        self, k: int, hypothesis: Hypothesis, others: Sequence[Entry], *, best: bool = False
    ) -> Hypothesis | None:
        opening = hypothesis.ledger.opening
        own = [d.entry for d in hypothesis.ledger.done if not d.entry.told]
        ledger, refusals = fold(opening, self._merged(k, own, others))
        if refusals and not best:
            return None
        return replace(
            hypothesis, ledger=ledger, last=_moved(hypothesis.last, hypothesis.ledger, ledger)
        )


def _moved(last: LastPlay | None, before: Ledger, after: Ledger) -> LastPlay | None:
    """The last play, at the number that its entry has now."""
    if last is None:
        return None
    entry = before.done[last.entry].entry
    found = [i for i, done in enumerate(after.done) if done.entry == entry]
    return replace(last, entry=found[-1]) if found else None


def _standing(ledger: Ledger) -> list[Entry]:
    """What was seen on a board and still holds: plays taken back are as if not made."""
    seen = [d.entry for d in ledger.done if not d.entry.told]
    gone = {e.action.data["photo"] for e in seen if e.action.kind == "take_back"}
    return [e for e in seen if e.action.kind != "take_back" and e.photo not in gone]


def _as_seen(entry: Entry, told: Sequence[Entry]) -> Entry:
    return entry if any(entry is t for t in told) else replace(entry, told=False)
