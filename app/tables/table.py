"""One live table: its game, people and record. Everything that happens comes through here."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from random import SystemRandom
from typing import Any, Final

from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.common.storage.tables import RefusalRow, Step, Storage
from kibitz.app.common.terminal import show_progress
from kibitz.app.observers.feeds import make_observer
from kibitz.app.observers.lines import question_json, task_json
from kibitz.app.observers.observer import Observer, look_ahead, take_in
from kibitz.app.tables.announcements import HELD, Announcer, new_entries
from kibitz.app.tables.looking import ENDS_A_TURN, look_with, looked
from kibitz.app.tables.midway import (
    BEGIN_FROM,
    SECRET,
    begun_from,
    many_letters,
    midway_of,
    strange_words,
)
from kibitz.app.tables.people.access import FORBIDDEN, Actor
from kibitz.app.tables.questions import open_questions, scores_wait
from kibitz.app.tables.saving import Repeats, Saving, answer_to, fingerprint, key_hash
from kibitz.app.tables.setup import Outcome, Setup
from kibitz.app.tables.steps import (
    PAUSE,
    RESUME,
    SEAT,
    SHOWS_END,
    Mark,
    changes_json,
    clock_after,
    hands_seen,
    is_move,
    is_same_game,
    ledger_at,
    mark_of,
    marks_of,
    seats_told,
    told_seat,
)
from kibitz.app.wire.lines import LiveLine, OpenQuestion, ReplayLine, TaskLine
from kibitz.engine.first_turn import Chance, lots_drawn
from kibitz.engine.phrases import phrase
from kibitz.engine.record.corrections import as_correction, changes_nothing, corrected
from kibitz.engine.record.history import HistoryCache, HistoryLine, is_private
from kibitz.engine.record.ledger import Done, Ledger, fold, public_view, tiles_of
from kibitz.engine.rules import (
    MALFORMED,
    Accepted,
    Action,
    JsonValue,
    Refused,
    RevealsSecrets,
    Verdict,
    malformed,
)
from kibitz.engine.tracking.evidence.hypotheses import NOBODY, PHOTO, Capture
from kibitz.engine.tracking.questions import Kind, Trait
from kibitz.engine.tracking.tracker import Preview, Tracker
from kibitz.engine.tracking.two_board_tracker import two_boards
from kibitz.engine.words.lexicon import is_word_text
from kibitz.vision.readings import PhotoReading

PUTS_RIGHT: Final = frozenset({"correct", "answer"})
"""Actions that change what others did; a refusal is logged, as it may be a probe."""

END_STANDS: Final = Refused(
    FORBIDDEN, phrase("The end has shown what was secret; only the host takes it back.")
)
"""A player does not go on with what the end has shown."""

SHOTS_STAND: Final = Refused(
    FORBIDDEN,
    phrase("That would take back what was told of a fleet; only its owner or the host does that."),
)
"""Nobody shoots, hears what was hit, and shoots elsewhere instead."""


class Table:
    """A game being played. Methods may be called from any thread; one runs at a time.

    A picture is interpreted once: its preview holds the observer that has seen it, and accepting
    the picture puts that observer in the place of the one before. Whatever else happens at the
    table makes a new observer too, so that older previews no longer fit.

    Attributes:
        known: all that is known; put back, what was told since counts for nothing.
        saving: what keeps its steps and pictures.
    """

    def __init__(
        self,
        setup: Setup,
        storage: Storage,
        kept: tuple[Step, ...] = (),
        refused: tuple[RefusalRow, ...] = (),
        shown: float = 0.0,
    ) -> None:
        self.id = setup.row.id
        self.setup = setup
        self.listeners: list[Callable[[], None]] = []
        self.camera_looks: dict[int, Callable[[], str]] = {}
        self.known: Observer[Any] = make_observer(setup.opening, setup.tiles)
        self._lock = threading.RLock()
        self.saving = Saving(storage, self.id)
        self._marks = marks_of(kept) if kept else [self._first_mark()]
        self._undone: list[Mark] = []
        self._seq = kept[-1].seq if kept else 0
        self._steps: list[Step] = list(kept)
        self._repeats = Repeats(kept, refused)
        self._history = HistoryCache()
        self._clock = clock_after(kept, shown)
        self.lost: list[Refused] = []
        self.look_again = 0
        held = kept[-1].data.get(HELD) if kept else None
        self._announcer = Announcer(held, apart=two_boards(setup.opening))
        self.chance: Chance = SystemRandom()
        if kept:
            self._restore()
        self._scores = _scores_of(self.ledger)

    def _first_mark(self) -> Mark:
        return Mark(0, 0, lying=tuple(self.tracker.lying_rows()))

    def _restore(self) -> None:
        """Replay the kept steps; those that this version's rules refuse are reported."""
        self.lost = self._go_to(self._marks[-1], self._marks[-1].photos)
        if self.tracker.known_seats is not None:
            tracker = self.changing()
            tracker.sit(NOBODY, hands_seen(self._steps))
            for player, side in seats_told(self._steps):
                tracker.told_seat(player, side)

    def _go_to(self, mark: Mark, photos: int) -> list[Refused]:
        """Return the table to a mark; the result lists what this version's rules refuse."""
        ledger, refused = ledger_at(self.setup.opening, mark)
        tracker = self.changing()
        tracker.restart(ledger, list(mark.lying) if mark.lying else None, photos)
        tracker.recall(mark.letters)
        tracker.remember(mark.doubts)
        return refused

    @property
    def tracker(self) -> Tracker[Any]:
        """Tracker of the game, to be asked; `changing` is told."""
        tracker: Tracker[Any] = self.known.tracker
        return tracker

    def changing(self) -> Tracker[Any]:
        """Tracker of the game, as another one than previews were made with."""
        self.known = self.known.copy()
        return self.tracker

    # --- what others may know ---------------------------------------------------------------

    @property
    def ledger(self) -> Ledger:
        """The game as it is known now."""
        return self.tracker.ledger

    @property
    def seq(self) -> int:
        """Number of the last step."""
        return self._seq

    @property
    def can_redo(self) -> bool:
        """True if what was undone last can count again."""
        return bool(self._undone)

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return _is_over(self.ledger)

    @property
    def has_shown_secrets(self) -> bool:
        """True if the game has ended, and its end has revealed secrets."""
        return _shows_secrets(self.ledger)

    @property
    def held_photo(self) -> int | None:
        """Picture whose play is announced only after a question is answered; None without one."""
        return self._announcer.photo

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in order."""
        with self._lock:
            return tuple(self._steps)

    def clock(self) -> float:
        """Seconds of play, without pauses and the server's downtime."""
        return self._clock.seconds()

    @property
    def paused(self) -> bool:
        """True if its clocks are paused."""
        return self._clock.paused

    @property
    def timed(self) -> bool:
        """True if time alone may bring something about."""
        game, state = self.ledger.game, self.ledger.state
        return game.info.timed or getattr(state, "clock", None) is not None

    def history(self) -> list[HistoryLine]:
        """The public history."""
        with self._lock:
            return self._history.of(self.ledger)

    def view(self, actor: Actor) -> dict[str, JsonValue]:
        """The game as this person may see it."""
        with self._lock:
            ledger = self.ledger
            return dict(ledger.game.view(ledger.state, actor.viewer))

    def picture(self, seq: int) -> bytes | None:
        """Picture of a step, saved or not; None if it has none."""
        return self.saving.picture(seq)

    def tasks(self) -> list[TaskLine]:
        """Tasks to be done on the table; none once the game is over."""
        with self._lock:
            return [] if self.over else [task_json(task) for task in self.tracker.tasks()]

    def questions(self) -> list[OpenQuestion]:
        """Open questions that only people can answer."""
        with self._lock:
            return open_questions(self._steps, self.tracker, self._history.of(self.ledger))

    # --- what people do ---------------------------------------------------------------------

    def act(self, action: Action, actor: Actor, key: str | None = None) -> Outcome | Refused:
        """Do what somebody asks for; a repeated key does it once.

        What rests before the camera and was not told yet came before what ends a turn: a clock
        is pressed as soon as the tiles lie there.

        Returns:
            What came of it, or the refusal; a refused action changes nothing.
        """
        seen = "no_camera"
        if action.kind == "look":
            self.look_again += 1
        if action.kind in ENDS_A_TURN:
            seen = look_with([look for _, look in sorted(self.camera_looks.items())])
        if action.kind == "look":
            return looked(seen, self._seq, saved=self.saving.trouble is None)
        with self._lock:
            idem = key_hash(key, actor) if key else None
            asked = fingerprint(action) if key else ""
            if idem is not None:
                again = self._repeats.answered(idem, asked, self.saving.is_saved)
                if again is not None:
                    return again
            outcome = self._do(action, actor, idem, asked)
            if isinstance(outcome, Refused) and idem is not None:
                self._repeats.refused(idem, asked, outcome)
        if isinstance(outcome, Refused):
            if actor.role == "seat" and action.kind in PUTS_RIGHT:
                told = f"{action.kind} of {actor.player} was refused: {outcome.code}"
                show_progress(f"table {self.id}: {told}", logging.WARNING)
            if idem is not None:
                self.saving.keep_refusal(RefusalRow(idem, asked, outcome.code, outcome.message))
            return outcome
        saved = self.saving.save(hurried=True) or self.saving.is_saved(outcome.seq)
        self._tell_listeners()
        return replace(outcome, saved=saved)

    def _do(self, action: Action, actor: Actor, idem: str | None, asked: str) -> Outcome | Refused:
        doers: dict[str, Callable[[Action], Verdict]] = {
            "undo": self._undo,
            "redo": self._redo,
            BEGIN_FROM: self._begin_from,
            "correct": self._correct,
            "allow_word": self._allow_word,
            "task_done": self._task_done,
            SEAT: self._seat,
            PAUSE: self._pause,
            RESUME: self._pause,
        }
        if action.kind == "press_clock" and self.paused:
            return Refused("clock_paused", phrase("The clocks are paused; let them go on first."))
        if action.kind == "draw_lots":
            lots = self._lots()
            if isinstance(lots, Refused):
                return lots
            action = lots
        now = self.clock()
        timed = replace(action, at=now)
        before = self.ledger
        answered = Kind(str(action.data.get("field"))) if action.kind == "answer" else None
        of_tile = {Kind.LETTER: self._letter, Kind.BLANK: self._blank}
        do = of_tile.get(answered, self._tell) if answered else self._tell
        verdict = self._judged(timed, actor, doers.get(action.kind, do), before)
        if isinstance(verdict, Refused):
            return verdict
        done = () if action.kind == BEGIN_FROM else new_entries(before, self.ledger)
        say = self._announcer.of_action(action, done, before, self.tracker)
        shown = {} if any(is_private(d) for d in done) else dict(verdict.result)
        data: dict[str, JsonValue] = {
            "do": _open_part(action, done, shown=bool(shown)),
            "by": {"role": actor.role, **({"player": actor.player} if actor.player else {})},
            "say": list(say),
        }
        if idem is not None:
            data |= answer_to(asked, shown, say)
        kind = action.kind if action.kind in doers else "told"
        step = self._keep(kind, data, idem=idem, at=now)
        return Outcome(verdict, step.seq, False, done, say)

    def _tell(self, action: Action) -> Verdict:
        return self.changing().tell(action)

    def _judged(
        self, action: Action, actor: Actor, do: Callable[[Action], Verdict], before: Ledger
    ) -> Verdict:
        """Verdict on an action; a player may not undo an end that revealed secrets."""
        known = self.known
        try:
            blind = self._blind_claim(action) if action.kind == "claim" else None
            verdict = blind or do(action)
        except MALFORMED as error:
            return Refused("bad_action", malformed(action, error))
        if actor.role == "seat":
            stands = END_STANDS if _shows_secrets(before) and not self.over else None
            told = _told_of_secrets(before)
            gone = told.keys() - _told_of_secrets(self.ledger)
            # what a challenge takes off is judged by the rules
            taken = action.kind != "challenge"
            if taken and any(told[name] - {actor.player} for name in gone):
                stands = SHOTS_STAND
            if stands is not None:
                self.known = known
                return stands
        return verdict

    def _lots(self) -> Action | Refused:
        """A draw for the first turn, made for everybody and recorded as if told."""
        state = self.ledger.state
        if "first_turn" not in self.ledger.game.view(state, None):
            return Refused("unknown_action", "Nobody draws for the first turn of this game.")
        return lots_drawn(state, load_tile_set(self.setup.tiles).letters, self.chance)

    def _undo(self, _action: Action) -> Verdict:
        if len(self._marks) < 2:
            begins = "The record begins here; nothing before it can be taken back."
            message = begins if midway_of(self.ledger) else phrase("Nothing has been done yet.")
            return Refused("nothing_to_undo", message)
        before = self.ledger
        self._go_to(self._marks[-2], self.tracker.photos)
        # pictures go on from what lies there: only people know whether it is to lie there
        gone = self._is_watched() and len(before.done) > len(self.ledger.done)
        lie = gone and before.newest is not None and bool(tiles_of(before.newest.entry))
        return Accepted((), {"undone": self._marks[-1].seq, "tiles_lie": lie})

    def _redo(self, _action: Action) -> Verdict:
        """Redo what was undone last, unless something else has happened since."""
        if not self._undone:
            return Refused("nothing_to_redo", "Nothing was taken back just now.")
        mark = self._undone[-1]
        self._go_to(mark, self.tracker.photos)
        return Accepted((), {"redone": mark.seq})

    def _begin_from(self, action: Action) -> Verdict:
        """Begin the record from a position that the host gives."""
        after = begun_from(self.ledger, action.data)
        if isinstance(after, Refused):
            return after
        self.look_again += 1
        return self._replace_ledger(
            after,
            {"begins": True, "not_words": strange_words(after), "too_many": many_letters(after)},
        )

    def _correct(self, action: Action) -> Verdict:
        after = corrected(self.ledger, action.data)
        if isinstance(after, Refused):
            return after
        self.changing().put_right(after)
        letter = str(action.data.get("letter") or "")
        if letter.isalpha():  # no picture puts right what a person said of a tile
            field = "letter" if letter.isupper() else "blank"
            data = {**action.data, "field": field, "value": letter.upper()}
            self.changing().tell(replace(action, kind="answer", data=data))
            # what waits on the table, as a refused play, is found again in the same picture
            self.look_again += 1
        return Accepted((), {"corrected": True})

    def _letter(self, action: Action) -> Verdict:
        """Take an answer about a tile's letter as evidence, as in a replay.

        Where no explanation of the pictures has such a tile, the record is put right.
        """
        opening = self.setup.opening
        tile_set = opening.materials.tile_set
        told = as_correction(action, tile_set, apart=two_boards(opening))
        if isinstance(told, Refused):
            return told
        known = self.known
        self.changing().tell(action)
        if not changes_nothing(self.ledger, told.data):
            self.known = known
            return self._correct(told)
        self.look_again += 1
        return Accepted((), {"corrected": True})

    def _blank(self, action: Action) -> Verdict:
        """Take the letter of a blank; one that no picture shows is put right in the record."""
        before = self.ledger
        verdict = self.changing().tell(action)
        opening = self.setup.opening
        tile_set = opening.materials.tile_set
        told = as_correction(action, tile_set, apart=two_boards(opening))
        if isinstance(verdict, Refused) or isinstance(told, Refused) or self.ledger is not before:
            return verdict
        named = replace(told, data={**told.data, "letter": str(told.data["letter"]).lower()})
        if changes_nothing(before, named.data):
            return verdict
        return self._correct(named)

    def _allow_word(self, action: Action) -> Verdict:
        told = str(action.data.get("word") or "").strip()
        tile_set = self.setup.opening.materials.tile_set
        if not 2 <= len(told) <= 45 or not is_word_text(told, tile_set):
            return Refused("bad_action", f"Expected a word to allow, got {told!r:.40}.")
        word = tile_set.word_of(tile_set.tiles_in(told))
        before = self.ledger
        after, _ = fold(before.opening.with_word(word), [done.entry for done in before.done])
        # what lies on the table was refused for this word; the same picture now means a play
        self.look_again += 1
        self.changing().put_right(after)
        return Accepted((), {"allowed": word})

    def _task_done(self, _action: Action) -> Verdict:
        """Take people's word that the tasks are done, where no camera sees it."""
        if not self.tasks():
            return Refused("no_task", phrase("Nothing is to be done on the table."))
        return self._replace_ledger(self.ledger, {"done": True})

    def _seat(self, action: Action) -> Verdict:
        """Set a player's side, which then decides whose turn it was."""
        return told_seat(self.changing(), action, self.setup.opening.players)

    def _pause(self, action: Action) -> Verdict:
        """Pause or resume the clocks."""
        if "clocks" not in self.ledger.game.view(self.ledger.state, None):
            return Refused("no_clock", phrase("This game has no clocks."))
        if (action.kind == PAUSE) is self.paused:
            return Refused("nothing_to_do", phrase("The clocks do so already."))
        (self._clock.pause if action.kind == PAUSE else self._clock.resume)()
        return Accepted((), {"paused": self.paused})

    def _is_watched(self) -> bool:
        """True if a picture has shown the table or a camera may show it."""
        return bool(self.camera_looks or self.tracker.photos)

    def _blind_claim(self, action: Action) -> Refused | None:
        """Refuse an impossible claim, unless a camera may still see its tiles."""
        if self._is_watched():
            return None
        verdict = self.ledger.game.decide(self.ledger.state, action)
        return verdict if isinstance(verdict, Refused) else None

    def _replace_ledger(self, after: Ledger, result: dict[str, JsonValue]) -> Verdict:
        self.changing().restart(after, None, self.tracker.photos)
        return Accepted((), result)

    # --- what is seen -----------------------------------------------------------------------

    def observe(
        self,
        reading: PhotoReading | None,
        picture: bytes | None = None,
        at: float | None = None,
        *,
        how: Capture = PHOTO,
        preview: Preview[Any] | None = None,
    ) -> LiveLine:
        """Take in a settled picture of the table.

        Args:
            reading: what was read from it; None: nothing could be read.
            picture: the same as JPEG, to be kept beside the step.
            at: seconds on this table's clock; now without it.
            how: how the picture was taken.
            preview: what this very picture was found to come to, if that was asked before.

        Returns:
            The line of `kibitz replay --json` for it, with `seq` and `saved`.
        """
        with self._lock:
            before, asked = self.ledger, self.tracker.letter_questions()
            photo = self.tracker.photos
            line = self._see(f"frame-{photo + 1}", reading, how, preview)
            after, letters = self.ledger, self.tracker.letter_questions()
            waits = scores_wait(self._steps, after)
            say = self._announcer.of_picture(
                line, before, after, photo, letters, attended=how.attended, waits=waits
            )
            line = {**line, "say": say}
            question = line["question"]
            nothing_new = line["status"] == "no_change" and letters == asked
            nothing_new = nothing_new and before.done == after.done
            # a picture that asks nothing answers what the one before it asked, once all is as told
            asks = question is not None or self.tracker.is_disturbed
            nothing_new = nothing_new and (asks or not self._picture_asks())
            shows_end = nothing_new and picture is not None and self._lacks_final_picture()
            if nothing_new and not shows_end:
                return {**line, "seq": self._seq, "saved": self.saving.trouble is None}
            shown = {k: x for k, x in line.items() if k not in ("board", "file")}
            data = {
                "line": shown,
                "say": say,
                "photo": photo,
                "why": self.tracker.why(),
                **({"side": how.side} if how.side is not None else {}),
                "letters": [question_json(q) for q in letters],
            }
            if shows_end:
                data[SHOWS_END] = True
            now = self.clock() if at is None else at
            step = self._keep("seen", data, at=now, picture=picture)
        saved = self.saving.save(hurried=True) or self.saving.is_saved(step.seq)
        self._tell_listeners()
        return {**line, "seq": step.seq, "saved": saved}

    def _see(
        self, name: str, reading: PhotoReading | None, how: Capture, preview: Preview[Any] | None
    ) -> ReplayLine:
        """The line of a picture that is taken in, by its preview if that still fits."""
        photo = self.tracker.photos
        if preview is not None and preview.after and preview.before is self.known:
            self.known = preview.after
        else:
            self.changing()
            self.known.begin_from(reading)
            take_in(self.known, reading, how)
        return self.known.line(name, photo)

    def _picture_asks(self) -> bool:
        """True if the newest kept picture raised a question about itself."""
        seen = next((s for s in reversed(self._steps) if "line" in s.data), None)
        question = seen.data["line"].get("question") if seen is not None else None
        return question is not None and not Kind(question["field"]).has(Trait.LASTS)

    def _lacks_final_picture(self) -> bool:
        """True if a finished game lacks the picture of its end (FS-21)."""
        kept = self.ledger.game.info.hall_of_fame is not None and self.over
        return kept and not (self._steps and self._steps[-1].kind == "seen")

    def preview(self, reading: PhotoReading, *, how: Capture = PHOTO) -> Preview[Any]:
        """Preview of a picture; nothing is changed."""
        with self._lock:
            return look_ahead(self.known, reading, how)

    # --- keeping ----------------------------------------------------------------------------

    def _keep(
        self,
        kind: str,
        data: dict[str, JsonValue],
        *,
        at: float,
        idem: str | None = None,
        picture: bytes | None = None,
    ) -> Step:
        seq = self._seq + 1
        mark = mark_of(seq, self.tracker, self.setup.opening.initial)
        change = changes_json(self._marks[-1], mark)
        full = {**data, "t": at, "change": change}
        scores = _scores_of(self.ledger)
        if self.held_photo is not None:
            full[HELD] = self.held_photo
        if scores != self._scores:
            full["scores"] = {"before": self._scores, "after": scores}
            self._scores = scores
        step = Step(seq, time.time(), kind, full, idem, picture)
        self._seq = seq
        if kind == "undo":
            self._undone.append(self._marks.pop())
            self._marks[-1] = replace(mark, seq=self._marks[-1].seq)
        elif not is_move(step):
            self._marks[-1] = replace(mark, seq=self._marks[-1].seq)
        else:
            if kind == "redo":
                self._undone.pop()
            elif not is_same_game(self._marks[-1], mark):
                self._undone = []
            if kind == BEGIN_FROM:
                self._marks = []  # nothing goes back before the start
            self._marks.append(mark)
        self._steps.append(replace(step, picture=None))
        if idem is not None:
            self._repeats.done(idem, step)
        self.saving.add(step)
        return step

    def retry_saving(self) -> None:
        """Try again to save, and notify listeners if it worked."""
        if self.saving.trouble is not None and self.saving.save():
            self._tell_listeners()

    def _tell_listeners(self) -> None:
        for listener in tuple(self.listeners):
            listener()


def _is_over(ledger: Ledger) -> bool:
    """True if the game has ended."""
    return bool(getattr(ledger.state, "over", False))


def _shows_secrets(ledger: Ledger) -> bool:
    """True if the game has ended, and its end has revealed secrets."""
    if not _is_over(ledger):
        return False
    begun = ledger.opening.initial or {}
    return any(map(is_private, ledger.done)) or any(begun.get(name) for name in SECRET)


def _scores_of(ledger: Ledger) -> dict[str, int]:
    """Public scores; empty where the game has none."""
    return dict(public_view(ledger.game, ledger.state).get("scores") or {})


def _told_of_secrets(ledger: Ledger) -> dict[str, frozenset[str]]:
    """Secrets revealed so far, by name, with the players who own them."""
    game, state = ledger.game, ledger.state
    if not isinstance(game, RevealsSecrets):
        return {}
    events = (event for done in ledger.done for event in done.verdict.events)
    return dict(game.revealed(state, events))


def _open_part(action: Action, done: tuple[Done, ...], *, shown: bool) -> dict[str, JsonValue]:
    """Public part of an action for the list of steps; a private one is in the entries."""
    if action.kind == BEGIN_FROM:
        return {"action": action.kind}  # racks and fleets may be in it
    if shown or not any(is_private(d) for d in done):
        return action.to_json()
    return {"action": action.kind, **({"player": action.player} if action.player else {})}
