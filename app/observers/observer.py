"""Interface of all observers: readings to views for a tracker, findings to lines.

An observer knows one kind of surface: a board, joined boards, two boards, loose tiles. Whoever
feeds it with pictures, live (`live`) or photographed before (`replay`), sees this interface only.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from kibitz.app.observers.lines import FinalLine, ReplayLine
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.tracker import Preview, Tracker
from kibitz.vision.readings import PhotoReading

V = TypeVar("V")
Own = TypeVar("Own", bound="Observer[Any]")


@dataclass(frozen=True, slots=True)
class Look(Generic[V]):
    """View of a reading, and what else the observer noticed.

    Attributes:
        view: what its tracker is shown; None if the picture shows nothing of the table.
        board: the number of the board in the picture that was looked at.
        problem: a code and a message for a picture that cannot be used although it was read.
    """

    view: V | None = None
    board: int | None = None
    problem: tuple[str, str] | None = None


class Observer(Protocol[V]):
    """Observes one kind of surface."""

    tracker: Any

    def copy(self: Own) -> Own:
        """Another that knows the same; what it is shown changes only itself."""
        other = copy(self)
        other.tracker = self.tracker.copy()
        return other

    def begin_from(self, reading: PhotoReading | None) -> None:  # noqa: ARG002 - boards begin as the rules say
        """Let the first picture show what the game begins with, where nothing else says it."""
        return

    def look(self, reading: PhotoReading | None) -> Look[V]:
        """View of a picture; a fixed camera's views are reused."""
        ...

    def noted(self, photo: int, *, moved: bool) -> None:  # noqa: ARG002 - most remember nothing
        """A picture was taken in, and the game went on with it or did not."""
        return

    def line(self, file: str, photo: int, *, doubts: bool = False) -> ReplayLine:
        """Line of `kibitz replay --json` for a picture as it is known by now.

        Args:
            file: its name.
            photo: its number.
            doubts: whether letters are asked about that later pictures left in doubt.
        """
        ...

    def final(self, files: Sequence[str], lines: Sequence[ReplayLine]) -> FinalLine:
        """The last line: every play as known at the end, and the final state."""
        ...


def take_in(observer: Observer[V], reading: PhotoReading | None, how: Capture = PHOTO) -> Look[V]:
    """Show a picture (None if unreadable) to an observer; returns its view."""
    tracker: Tracker[V] = observer.tracker
    photo, before = tracker.photos, len(tracker.ledger.done)
    look = observer.look(reading)
    tracker.update(look.view, how)
    observer.noted(photo, moved=len(tracker.ledger.done) != before)
    return look


def look_ahead(observer: Own, reading: PhotoReading, how: Capture = PHOTO) -> Preview[Own]:
    """Preview of a picture, with the observer after it."""
    after, done = observer.copy(), observer.tracker.ledger.done
    after.begin_from(reading)
    photo, begun = after.tracker.photos, len(after.tracker.ledger.done)
    look = after.look(reading)
    if look.view is None:
        return Preview("unreadable", news=True, patience=True, before=observer)
    found = after.tracker.preview(look.view, how)
    after.tracker = found.after
    ledger = after.tracker.ledger
    after.noted(photo, moved=len(ledger.done) != begun)
    news = found.news or ledger.done != done
    return replace(found, news=news, before=observer, after=after)
