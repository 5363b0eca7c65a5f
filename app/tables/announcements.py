"""Announcements of actions and pictures at a table, and those held for a question's answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from kibitz.app.tables.midway import BEGIN_FROM, lines_of_start
from kibitz.app.tables.steps import SAID
from kibitz.app.wire.lines import ReplayLine
from kibitz.engine.phrases import phrase
from kibitz.engine.record.history import lines_said
from kibitz.engine.record.ledger import Done, Ledger, tiles_of
from kibitz.engine.record.retold import (
    line_of_move,
    lines_of_answer,
    lines_of_change,
    lines_of_letter,
    lines_put_right,
    plays_gone_on,
)
from kibitz.engine.rules import Action, Question
from kibitz.engine.tracking.questions import Kind, Trait
from kibitz.engine.tracking.tracker import Tracker

HELD: Final = "unsaid"
"""The field of a step that holds the picture whose play is not announced yet."""
NOT_SETTLED: Final = phrase("The scores are not settled yet.")


def new_entries(before: Ledger, after: Ledger) -> tuple[Done, ...]:
    """Entries that a game gained; none where more than its end is another."""
    old, new = before.done, after.done
    same = 0
    while same < min(len(old), len(new)) and old[same].entry == new[same].entry:
        same += 1
    return new[same:] if len(new) - same <= max(1, len(new) - len(old)) else ()


class Announcer:
    """Decides what is announced; a play is held while a question may change its word or score.

    Attributes:
        photo: the picture of the play that is held; None where everything is announced.

    Args:
        photo: the same, as a table's steps hold it.
        apart: whether the game is on two boards that are watched together.
    """

    def __init__(self, photo: int | None, *, apart: bool) -> None:
        self.photo = photo
        self._apart = apart
        self._heard: frozenset[str] = frozenset()
        self._before: Ledger | None = None

    def of_action(
        self, action: Action, done: Sequence[Done], before: Ledger, tracker: Tracker[Any]
    ) -> tuple[str, ...]:
        """Announcements of what somebody did or said, and of a play that it releases.

        Args:
            action: what they did.
            done: the entries that it added.
            before: the game without it.
            tracker: what keeps the game with it.
        """
        say = self._by_itself(action, done, before, tracker.ledger)
        if self.photo is None:
            return say
        return self.with_held(action, say, tracker.ledger, tracker.letter_questions())

    def _by_itself(
        self, action: Action, done: Sequence[Done], before: Ledger, after: Ledger
    ) -> tuple[str, ...]:
        """Announcements of an action, whatever is held."""
        if action.kind == BEGIN_FROM:
            return lines_of_start(after)
        answered = Kind(str(action.data.get("field"))) if action.kind == "answer" else None
        if action.kind in ("undo", "redo", "correct") or answered == Kind.GONE:
            return lines_of_change(before, after, action.kind, self.photo)
        if answered in (Kind.LETTER, Kind.EXCHANGED):
            return lines_of_letter(before, after, self.photo)
        if action.kind in SAID:
            return (SAID[action.kind],)
        if (answered is None and not done) or (answered and answered.has(Trait.RETOLD)):
            return lines_of_answer(before, after)
        return tuple(lines_said(after, done))

    def of_picture(
        self,
        line: ReplayLine,
        before: Ledger,
        after: Ledger,
        photo: int,
        letters: Sequence[Question],
        *,
        attended: bool,
        waits: bool,
    ) -> list[str]:
        """Announcements of a picture: what it puts right, then what it shows.

        Args:
            line: its line, as in a replay.
            before: the game without it.
            after: the game with it.
            photo: its number.
            letters: what is asked about letters after it.
            attended: whether people are there, who can answer before the play is announced.
            waits: whether an open question decides scores.
        """
        right = lines_put_right(before, after, photo, self.photo)
        moved = before.done != after.done
        heard = self.parts_announced(before, after, photo)
        if self.photo is not None and (moved or not self.is_doubted(after, letters)):
            right = (*self.release(after), *right)
        new = [*right, *_not_told_before(line, before, after, photo)]
        say = [x for x in new if x not in heard]
        question = line["question"]
        prompt = [question["prompt"]] if question else []
        if attended and line["play"] and question and Kind(question["field"]).has(Trait.FIRST):
            say = [*right, *prompt]
            self.hold(photo, before, heard.union(right))
        anew = [d.verdict for d in before.done] != [d.verdict for d in after.done]
        if anew and new in ([], prompt):  # no score changes in silence
            say = [*lines_of_change(before, after, "correct", self.photo), *new]
        return [*say, NOT_SETTLED] if moved and line["play"] and waits else say

    def hold(self, photo: int, before: Ledger, heard: Iterable[str]) -> None:
        """Hold back a play until a question about it is answered.

        Args:
            photo: the picture that shows it.
            before: the game without it.
            heard: what is said of it already.
        """
        self.photo, self._before, self._heard = photo, before, frozenset(heard)

    def parts_announced(self, before: Ledger, after: Ledger, photo: int) -> frozenset[str]:
        """Announcements of an earlier part of a play that goes on in a picture."""
        parts = plays_gone_on(before, after, photo)
        said = [d for d in parts if d.entry.photo != self.photo]
        lines = lines_said(before, said)
        return frozenset(lines) if len(said) == len(parts) else self._heard.union(lines)

    def is_doubted(self, ledger: Ledger, letters: Sequence[Question]) -> bool:
        """True if there is a question about one of its letters."""
        return any(self._is_of_it(ledger, asked.square) for asked in letters)

    def _is_of_it(self, ledger: Ledger, square: object) -> bool:
        """True if the square is part of that play; None stands for the newest play."""
        if square is None:
            return True
        name = str(square)
        if self._apart:  # a play names no board: it is its player's
            name = name.rpartition(":")[2]
        made = (d.entry for d in ledger.done if d.entry.photo == self.photo)
        return any(name in tiles_of(entry) for entry in made if not entry.told)

    def release(self, ledger: Ledger) -> list[str]:
        """Announcements held until the question was answered; they are released."""
        photo, self.photo = self.photo, None
        before, self._before = self._before, None
        made = [d for d in ledger.done if d.entry.photo == photo and not d.entry.told]
        heard, self._heard = self._heard, frozenset()
        lines = lines_said(ledger, made)
        if before is not None and photo is not None:
            lines = [line_of_move(before, ledger, photo), *lines]
        return [line for line in lines if line and line not in heard]

    def with_held(
        self, action: Action, say: tuple[str, ...], ledger: Ledger, letters: Sequence[Question]
    ) -> tuple[str, ...]:
        """Announcements of an action, after those that it releases.

        Args:
            action: what somebody did.
            say: what is said of it by itself.
            ledger: the game with it.
            letters: what is asked about letters after it.
        """
        if self.photo is None or self.is_doubted(ledger, letters):
            return say
        about_it = action.kind in ("answer", "correct") and self._is_of_it(
            ledger, action.data.get("square")
        )
        held = tuple(self.release(ledger))
        # what nobody heard yet is not said to be put right
        return held or say if about_it else (*held, *(x for x in say if x not in held))


def _not_told_before(line: ReplayLine, before: Ledger, after: Ledger, photo: int) -> list[str]:
    """Announcements for a picture, without those made when people told it just before."""
    told = [d for d in before.done if d.entry.photo == photo and d.entry.told]
    heard, shown = lines_said(after, told), list(line["say"])
    return shown[len(heard) :] if shown[: len(heard)] == heard else shown
