"""`kibitz.Game`: plays a game by its rules, without a camera."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any

from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.materials.own_games import GameLike
from kibitz.app.face.opening import Start, opening_of
from kibitz.app.observers.told import with_whole_ships
from kibitz.engine.first_turn import lots_drawn
from kibitz.engine.games import INFOS
from kibitz.engine.record.history import events_json, lines_said
from kibitz.engine.record.ledger import Done, Entry, Ledger, open_ledger
from kibitz.engine.record.retold import lines_of_change
from kibitz.engine.rules import (
    MALFORMED,
    Action,
    GameInfo,
    JsonValue,
    Refused,
    Verdict,
    action_from_json,
    malformed,
)
from kibitz.engine.scenarios import verdict_json
from kibitz.engine.table import board_rows


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the rules refuse an action; nothing changed.

    Attributes:
        code: a stable name, `not_a_word` for instance.
        message: the same in words.
        squares: the squares it is about.
    """

    code: str
    message: str
    squares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of an action; true if the rules allow it.

    Attributes:
        say: what is said of it.
        events: what happened, in the events that scenarios name; what only others may know is
            left out.
        words: the words laid, with what each scores where words score.
        score: what the turn scores; None where nothing was scored.
        refusal: why it is not allowed; None if it is.
        result: everything the rules tell, in the fields of a scenario's `expect`.
    """

    say: tuple[str, ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()
    words: tuple[tuple[str, int | None], ...] = ()
    score: int | None = None
    refusal: Refusal | None = None
    result: Mapping[str, Any] = field(default_factory=dict)

    @property
    def legal(self) -> bool:
        """True if the rules allow it."""
        return self.refusal is None

    def __bool__(self) -> bool:
        return self.legal

    def to_json(self) -> dict[str, JsonValue]:
        """The result in the form of a scenario's `expect`."""
        return dict(self.result)


class SeenGame(ABC):
    """A game as its players and spectators see it."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The players in seating order."""

    @abstractmethod
    def _seen_by(self, seat: str | None) -> Mapping[str, JsonValue]:
        """View of a player, or of a spectator for None."""

    def view(self, seat: str | None = None) -> dict[str, JsonValue]:
        """The part of the game that a player may see, as a scenario's `final`; None: a spectator.

        Raises:
            UsageError: there is no such player.
        """
        if seat is not None and seat not in self.players:
            known = ", ".join(self.players)
            raise UsageError(f"seat: there is no player {seat!r} here; there are {known}")
        return dict(self._seen_by(seat))

    @property
    def board(self) -> tuple[str, ...]:
        """The board's rows, row A first; empty where the game has no board."""
        return tuple(board_rows(self.view()))

    @property
    def scores(self) -> dict[str, int]:
        """Points by player, or by team; empty in games that do not count points."""
        return scores_in(self.view())


class Game(SeenGame):
    """A game played by its rules alone; every method does at once what players do.

    Args:
        game: `scrabble scrabbleship frankenscrabbards grabscrab scrabble-house scrabbage`, or
            rules of your own.
        players: names in seating order, as a list or as `Ann,Bob`.
        tiles: the tile set: `en de fr ro pl fi`, or a file.
        lexicon: the words that are good: `default`, `none` (any string is a word) or a file.
        start: a position to begin from, in the form of a scenario's `initial`, or its file.
        settings: the game's settings by their names, as `{"cl.endgame": "unplayed"}`.
        named: the same as keywords, with `_` for the dot: `cl_endgame="unplayed"`.

    Raises:
        UsageError: there is no such game, setting, tile set or word list, or the game is not
            for so many.
    """

    def __init__(
        self,
        game: GameLike,
        players: str | Sequence[str] | None = None,
        *,
        tiles: str = "en",
        lexicon: str = "default",
        start: Start = None,
        settings: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> None:
        opening = opening_of(
            game,
            players,
            settings=settings,
            tiles=tiles,
            lexicon=lexicon,
            start=start,
            named=named,
        )
        self._ledger = open_ledger(opening)
        self._say: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """The game's slug."""
        return self._ledger.game.info.slug

    @property
    def players(self) -> tuple[str, ...]:
        """The players in seating order."""
        return self._ledger.opening.players

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting with its value."""
        return self._ledger.opening.options

    def act(
        self, action: str | Mapping[str, Any], seat: str | None = None, **fields: Any
    ) -> Outcome:
        """Do what a player does.

        Args:
            action: a scenario action as `{"action": "place", "tiles": {"H8": "A", "H9": "T"}}`,
                or only its name, with its fields as keywords.
            seat: who does it; needed where the action does not name its `player` and more than
                one could do it.
            fields: the action's own fields.

        Returns:
            What came of it. What the rules do not allow is no exception: the outcome is false
            and has a `refusal`, and nothing changed.

        Raises:
            UsageError: it is no action, or there is no such player.
        """
        named = action if isinstance(action, Mapping) else {"action": action}
        given = {**named, **fields}
        if given.get("action") == "undo":
            return self.undo()
        if given.get("action") == "draw_lots":
            return self._draw_lots()
        done = self._action(given, seat)
        try:
            after, verdict = self._ledger.add(Entry(done, 0, told=True))
        except MALFORMED as error:
            after, verdict = self._ledger, Refused("bad_action", malformed(done, error))
        fresh = after.done[len(self._ledger.done) :]
        self._ledger = after
        outcome = outcome_of(after, verdict, fresh, done.player)
        if outcome.legal:
            self._say = outcome.say
        return outcome

    def _action(self, given: Mapping[str, Any], seat: str | None) -> Action:
        who = given.get("player")
        if seat is not None and who not in (None, seat):
            raise UsageError(f"seat: {seat!r} cannot act for {who!r}")
        player = seat if who is None else who
        if player is not None and player not in self.players:
            known = ", ".join(self.players)
            raise UsageError(f"player: there is no player {player!r} here; there are {known}")
        fields = {key: value for key, value in given.items() if key != "player"}
        if player is not None:
            fields["player"] = player
        try:
            return action_from_json(with_whole_ships(fields))
        except (ValueError, TypeError) as error:
            raise UsageError(f"action: {error}") from error

    def _draw_lots(self) -> Outcome:
        """Draw for the first turn, for everybody."""
        state, tile_set = self._ledger.state, self._ledger.opening.materials.tile_set
        if "first_turn" not in self.view():
            message = "Nobody draws for the first turn of this game."
            return refused(Refused("unknown_action", message))
        return self.act(lots_drawn(state, tile_set.letters, SystemRandom()).to_json())

    def undo(self) -> Outcome:
        """Undo the last action; the outcome is false if there was none."""
        before = self._ledger
        if not before.done:
            return refused(Refused("nothing_to_undo", "Nothing has been done yet."))
        entries = [done.entry for done in before.done[:-1]]
        self._ledger, _ = before.with_entries(entries)
        self._say = tuple(lines_of_change(before, self._ledger, "undo"))
        return Outcome(self._say, result={"legal": True})

    def _seen_by(self, seat: str | None) -> Mapping[str, JsonValue]:
        return self._ledger.game.view(self._ledger.state, seat)

    @property
    def say(self) -> tuple[str, ...]:
        """Announcements of the last action."""
        return self._say

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return bool(getattr(self._ledger.state, "over", False))

    @property
    def history(self) -> tuple[dict[str, JsonValue], ...]:
        """All actions so far, in a scenario's form, which can be played again."""
        return tuple(done.entry.action.to_json() for done in self._ledger.done)

    def gcg(self) -> str:
        """The game as GCG.

        Raises:
            UsageError: the format holds only Scrabble.
        """
        return gcg_of(self._ledger)


def words_in(play: Mapping[str, Any]) -> tuple[tuple[str, int | None], ...]:
    """Words of a play in a line, with the score of each where words score."""
    return tuple((str(word["word"]), word.get("score")) for word in play.get("words") or ())


def scores_in(view: Mapping[str, Any]) -> dict[str, int]:
    """Points in a view, by player or team."""
    return {str(name): int(n) for name, n in (view.get("scores") or {}).items()}


def outcome_of(
    ledger: Ledger, verdict: Verdict, fresh: Sequence[Done], viewer: str | None
) -> Outcome:
    """Result of an action, as far as one of the players may know it.

    Args:
        ledger: the game after it.
        verdict: what the rules said.
        fresh: what was done because of it.
        viewer: who asks.
    """
    panels = "board45" in ledger.game.view(ledger.state, None)
    if isinstance(verdict, Refused):
        return refused(verdict, panels=panels)
    result = dict(verdict.result)
    words = result.get("words") or ()
    listed = [] if isinstance(words, Mapping) else list(map(_word, words))
    score = result.get("turn_score")
    events = events_json(fresh, viewer)
    known = {"legal": True, **({"events": events} if events else {}), **result}
    return Outcome(
        say=tuple(lines_said(ledger, fresh)),
        events=tuple(events),
        words=tuple(listed),
        score=None if score is None else int(score),
        result=known,
    )


def refused(verdict: Refused, *, panels: bool = False) -> Outcome:
    """Result of an action that the rules refuse."""
    squares = tuple(s.panel_name if panels else s.name for s in verdict.squares)
    return Outcome(
        refusal=Refusal(verdict.code, verdict.message, squares),
        result=verdict_json(verdict, panels=panels),
    )


def _word(word: object) -> tuple[str, int | None]:
    if isinstance(word, Mapping):
        score = word.get("score")
        return str(word.get("word", "")), None if score is None else int(score)
    return str(word), None


def gcg_of(ledger: Ledger) -> str:
    """A game of Scrabble as GCG.

    Raises:
        UsageError: it is another game.
        CommandError: the format cannot hold this game, as one with a blank without a letter.
    """
    from kibitz.engine.record.gcg_writer import GcgImpossible, gcg_text

    check_gcg(ledger.game.info)
    try:
        return gcg_text(ledger)
    except GcgImpossible as error:
        raise CommandError(Option("gcg"), f": {error}") from error


def check_gcg(info: GameInfo) -> None:
    """Check that a game can be written as GCG.

    Raises:
        UsageError: the format holds only Scrabble.
    """
    if not info.gcg:
        held = ", ".join(i.title for i in INFOS if i.gcg)
        raise UsageError(
            Option("gcg"),
            f": the format holds only {held}, not {info.title}; see ",
            Option("html"),
        )
