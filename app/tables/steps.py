"""Steps of a table in their kept form, and the game that they add up to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NotRequired, Required, TypedDict

from kibitz.app.common.storage.tables import Step
from kibitz.app.observers.lines import question_json
from kibitz.app.tables.midway import BEGIN_FROM
from kibitz.app.wire.lines import QuestionLine
from kibitz.app.wire.shape import Fields
from kibitz.engine.phrases import phrase
from kibitz.engine.record.ledger import Entry, Ledger, Opening, fold
from kibitz.engine.rules import (
    Accepted,
    Action,
    JsonValue,
    Question,
    Refused,
    Verdict,
    action_from_json,
)
from kibitz.engine.tracking.doubts import NO_DOUBTS, Doubts, OtherGame
from kibitz.engine.tracking.evidence.hypotheses import SIDES
from kibitz.engine.tracking.explanations.steadiness import Letters
from kibitz.engine.tracking.tracker import Tracker

PAUSE, RESUME = "pause_clock", "resume_clock"
SAID: Final = {PAUSE: phrase("The clocks stand still."), RESUME: phrase("The clocks go on.")}


SHOWS_END: Final = "shows_end"
"""A picture of a finished game that shows nothing new: kept for the record, and no move."""


class TableClock:
    """Counts a table's seconds of play, without pauses and the server's downtime.

    Args:
        base: what it showed before.
        paused: whether it stands.
        now: where time comes from.
    """

    def __init__(
        self, base: float = 0.0, *, paused: bool = False, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._base = base
        self._since = None if paused else now()

    @property
    def paused(self) -> bool:
        """True if the clock is paused."""
        return self._since is None

    def seconds(self) -> float:
        """Seconds of play, to the millisecond."""
        gone = 0.0 if self._since is None else self._now() - self._since
        return round(self._base + gone, 3)

    def pause(self) -> None:
        """Pause the clock."""
        self._base, self._since = self.seconds(), None

    def resume(self) -> None:
        """Resume the clock."""
        if self._since is None:
            self._since = self._now()


def clock_after(kept: Iterable[Step], shown: float = 0.0) -> TableClock:
    """The clock as it was after a table's last step.

    Args:
        kept: the steps.
        shown: what it was seen to show later, in seconds; 0 where nobody knows.
    """
    base, paused = 0.0, False
    for step in kept:
        base = float(step.data.get("t", base))
        do = step.data.get("do")
        if isinstance(do, dict) and do.get("action") in SAID:
            paused = do["action"] == PAUSE
    return TableClock(max(base, shown), paused=paused)


NO_LETTERS: Final = Letters()


@dataclass(frozen=True, slots=True)
class Mark:
    """State of a table after a step, with all that undo and a restart need.

    Attributes:
        seq: the step.
        photos: how many pictures were taken in.
        entries: what was done up to then, as the ledger has it.
        allowed: words that people allowed during the game.
        lying: what was thought to lie on the table; None: what the rules expect.
        start: the position that the record begins from, where it was told at the table itself.
        letters: what is known of letters beside what lies there.
        doubts: what else the pictures may have shown.
    """

    seq: int
    photos: int
    entries: tuple[Entry, ...] = ()
    allowed: tuple[str, ...] = ()
    lying: tuple[str, ...] | None = None
    start: Mapping[str, Any] | None = None
    letters: Letters = NO_LETTERS
    doubts: Doubts = NO_DOUBTS


def mark_of(seq: int, tracker: Tracker[Any], header: Mapping[str, Any] | None) -> Mark:
    """Mark of the present state.

    Args:
        seq: its newest step.
        tracker: what keeps the game.
        header: the position that it was set up with.
    """
    ledger = tracker.ledger
    initial = ledger.opening.initial
    return Mark(
        seq,
        tracker.photos,
        tuple(done.entry for done in ledger.done),
        tuple(ledger.opening.words_allowed),
        tuple(tracker.lying_rows()),
        None if initial == header else initial,
        tracker.letters(),
        tracker.doubts(),
    )


class EntryLine(TypedDict, total=False):
    """An entry of a game as kept: its action, and the photograph before it."""

    do: Required[dict[str, JsonValue]]
    photo: Required[int]
    told: bool


class ChangeLine(TypedDict, total=False):
    """Change by a step: `keep` of the old entries stay, `entries` follow."""

    keep: Required[int]
    entries: Required[list[EntryLine]]
    photos: Required[int]
    lying: list[str]
    allowed: list[str]
    start: Mapping[str, JsonValue] | None
    letters: LettersLine
    others: list[OtherLine]
    hidden: Mapping[str, int]


class OtherLine(TypedDict):
    """A less likely game, as it is kept (`doubts.OtherGame`)."""

    weight: float
    keep: int
    entries: list[EntryLine]


class LettersLine(TypedDict):
    """Knowledge about letters, as it is kept (`steadiness.Letters`)."""

    told: dict[str, str]
    held: dict[str, str]
    changed: list[str]
    asked: list[QuestionLine]
    settled: NotRequired[list[list[str]]]


def changes_json(before: Mark, after: Mark) -> ChangeLine:
    """Change by a step, as it is kept."""
    same = 0
    for old, new in zip(before.entries, after.entries, strict=False):
        if old != new:
            break
        same += 1
    out: ChangeLine = {
        "keep": same,
        "entries": [_entry_json(e) for e in after.entries[same:]],
        "photos": after.photos,
    }
    if after.lying is not None and after.lying != before.lying:
        out["lying"] = list(after.lying)
    if after.allowed != before.allowed:
        out["allowed"] = list(after.allowed)
    if after.start != before.start:
        out["start"] = after.start
    if after.letters != before.letters:
        known = after.letters
        out["letters"] = {
            "told": dict(known.told),
            "held": dict(known.held),
            "changed": list(known.changed),
            "asked": [line for q in known.asked if (line := question_json(q)) is not None],
        }
        if known.settled:
            out["letters"]["settled"] = [list(x) for x in known.settled]
    if after.doubts.games:
        out["others"] = [_other_json(game) for game in after.doubts.games]
    if after.doubts.hidden:
        out["hidden"] = dict(after.doubts.hidden)
    return out


class BadStepError(ValueError):
    """A kept step without a valid change; `readable` steps before it are valid."""

    def __init__(self, step: Step, why: str) -> None:
        super().__init__(f"step {step.seq} {why}")
        self.readable = step.seq - 1


def with_changes(before: Mark, step: Step) -> Mark:
    """State of a table after a kept step.

    Raises:
        BadStepError: the step does not say what it changed.
    """
    change = step.data.get("change")
    if not isinstance(change, Mapping):
        raise BadStepError(step, "does not say what it changed")
    try:
        keep = int(change["keep"])
        entries = (*before.entries[:keep], *(_entry(e) for e in change["entries"]))
        letters = _letters(change["letters"]) if "letters" in change else before.letters
        games = tuple(_other(x) for x in change.get("others", ()))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadStepError(step, "holds a change that cannot be read") from error
    if not 0 <= keep <= len(before.entries):
        raise BadStepError(step, f"keeps {keep} of {len(before.entries)} entries")
    lying = change.get("lying")
    return Mark(
        step.seq,
        int(change.get("photos", before.photos)),
        entries,
        tuple(change.get("allowed", before.allowed)),
        before.lying if lying is None else tuple(lying),
        change.get("start", before.start),
        letters,
        Doubts(games, change.get("hidden", {})),
    )


def is_move(step: Step) -> bool:
    """True if undo takes a step back by itself: not what time alone brought, nor a pause."""
    do = step.data.get("do")
    by_time = isinstance(do, dict) and do.get("action") == "tick"
    return not (by_time or step.kind in SAID or SHOWS_END in step.data)


def is_same_game(one: Mark, other: Mark) -> bool:
    """True if the same was played and told at both; pictures may have come between."""
    return (one.entries, one.allowed, one.start, one.letters.told) == (
        other.entries,
        other.allowed,
        other.start,
        other.letters.told,
    )


def marks_of(kept: Iterable[Step]) -> list[Mark]:
    """Marks that undo can return to; the last is the present state."""
    marks = [Mark(0, 0)]
    for step in kept:
        after = with_changes(marks[-1], step)
        if step.kind == "undo":
            # what was undone can no longer be undone; the mark before it stands
            marks.pop()
            marks[-1] = replace(after, seq=marks[-1].seq) if len(marks) > 1 else after
            continue
        if not is_move(step):
            marks[-1] = replace(after, seq=marks[-1].seq)
            continue
        if step.kind == BEGIN_FROM:
            marks = []  # nothing goes back before the start
        marks.append(after)
    return marks


def ledger_at(opening: Opening, mark: Mark) -> tuple[Ledger, list[Refused]]:
    """The game at a mark, replayed from the beginning."""
    opening = opening.with_words(mark.allowed) if mark.allowed else opening
    if mark.start is not None:
        opening = replace(opening, initial=mark.start)
    return fold(opening, list(mark.entries))


def _letters(kept: Mapping[str, Any]) -> Letters:
    asked = (
        Question(q["field"], q["prompt"], tuple(q["choices"]), q["square"], q.get("board"))
        for q in kept["asked"]
    )
    settled = tuple((str(square), str(kind)) for square, kind in kept.get("settled", ()))
    return Letters(kept["told"], kept["held"], tuple(kept["changed"]), tuple(asked), settled)


def _other(kept: Mapping[str, Any]) -> OtherGame:
    entries = tuple(_entry(e) for e in kept["entries"])
    return OtherGame(float(kept["weight"]), int(kept["keep"]), entries)


def _other_json(game: OtherGame) -> OtherLine:
    entries = [_entry_json(e) for e in game.entries]
    return {"weight": game.weight, "keep": game.keep, "entries": entries}


def _entry_json(entry: Entry) -> EntryLine:
    out: EntryLine = {"do": entry.action.to_json(), "photo": entry.photo}
    return {**out, "told": True} if entry.told else out


def _entry(data: Mapping[str, Any]) -> Entry:
    return Entry(action_from_json(data["do"]), int(data["photo"]), bool(data.get("told")))


SEAT = "seat"
"""The action with which people say where a player sits."""


def seats_json(tracker: Tracker[Any], players: Iterable[str]) -> Fields:
    """Known sides of the players, and whether people set them."""
    seats = tracker.known_seats
    if seats is None:
        return {}
    return {p: {"side": tracker.side_of(p), "told": p in seats.told} for p in players}


def told_seat(tracker: Tracker[Any], action: Action, players: Iterable[str]) -> Verdict:
    """Judge and apply a player's side as people tell it.

    Args:
        tracker: what keeps the game.
        action: `player` and `side`, a side of the camera's picture.
        players: who plays.
    """
    side = action.data.get("side")
    if tracker.known_seats is None:
        return Refused("no_seats", phrase("At this table seats say nothing about turns."))
    names = tuple(players)
    if action.player not in names:
        known = ", ".join(names)
        return Refused("unknown_player", f"Expected one of {known}, got {action.player!r}.")
    if side not in SIDES:
        known = ", ".join(SIDES)
        return Refused(
            "bad_action", f"Expected a side of the picture ({known}), got {side!r:.40}."
        )
    tracker.told_seat(str(action.player), str(side))
    return Accepted((), {"seat": side})


def seats_told(steps: Iterable[Step]) -> list[tuple[str, str]]:
    """Seats that people told in a table's kept steps, in order."""
    every = [do for step in steps if isinstance(do := step.data.get("do"), dict)]
    seats = [do for do in every if do.get("action") == SEAT and do.get("side") in SIDES]
    return [(str(do.get("player")), str(do["side"])) for do in seats]


def hands_seen(steps: Iterable[Step]) -> dict[int, str]:
    """Side from which the hand of each kept picture came."""
    seen = ((step.data.get("photo"), step.data.get("side")) for step in steps)
    return {int(photo): str(side) for photo, side in seen if photo is not None and side in SIDES}
