"""Interface of all observers: readings to views for a tracker, findings to lines.

An observer knows one kind of surface: a board, joined boards, two boards, loose tiles. Whoever
feeds it with pictures, live (`live`) or photographed before (`replay`), sees this interface only.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from kibitz.app.observers.board_views import BoardViews, RowA, align, lies_as_read
from kibitz.app.observers.lines import final_line, photo_line
from kibitz.app.observers.panels import PanelOrder, PanelTable
from kibitz.app.wire.lines import FinalLine, ReplayLine
from kibitz.engine.table import JOINED_SIDE, SIDE
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.changes import BoardView
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


PANEL_UNKNOWN = (
    "neither the tiles nor the edges tell which of the nine boards this shows; say it with "
    "--panel, as 1-9"
)


class BoardObserver(Observer[BoardView]):
    """Looks at one board; of joined ones it remembers what other pictures showed."""

    def __init__(
        self,
        tracker: BoardTracker,
        *,
        fixed_top: bool = False,
        panels: PanelOrder | None = None,
    ) -> None:
        self.tracker = tracker
        self._fixed_top = fixed_top
        self._row_a = RowA()
        self._views = BoardViews()
        self._panels = PanelTable(panels or PanelOrder())
        self._in_parts = False
        self._elsewhere: frozenset[int] = frozenset()

    def copy(self) -> BoardObserver:
        """Another that knows the same; what it is shown changes only itself."""
        other = super().copy()
        vars(other).update(_row_a=copy(self._row_a), _panels=self._panels.copy())
        return other

    def look(self, reading: PhotoReading | None) -> Look[BoardView]:
        """View of the board in a picture, row A first."""
        self._in_parts = False
        if reading is None:
            self._panels.skip()
            return Look()
        known = self.tracker.lying
        if (
            reading.boards
            and known.rows == JOINED_SIDE
            and all(b.size == SIDE for b in reading.boards)
        ):
            self._in_parts = True
            view = self._panels.look(reading, known, fixed_top=self._fixed_top)
            if view is None:
                return Look(problem=("panel_unknown", PANEL_UNKNOWN))
            return Look(view, 0)
        self._put_row_a_right(reading)
        known = self.tracker.lying
        found = align(
            reading.boards,
            known,
            fixed_top=self._fixed_top,
            viewed=self._views.of,
            row_a=self._row_a,
        )
        return Look() if found is None else Look(*found)

    def _put_row_a_right(self, reading: PhotoReading) -> None:
        """Turn the game so far, once tiles first show for certain which edge is row A."""
        if self._fixed_top or len(reading.boards) != 1 or not self.tracker.lying.tiles:
            return
        (board,) = reading.boards
        known = self.tracker.lying
        quarters = self._row_a.was_wrong(board)
        if not quarters or board.size != known.rows:
            return
        # where the game lies as it is read, only the place of row A was wrong: nothing told it
        if lies_as_read(self._views.of(board), known) or self.tracker.turn(-quarters):
            self._row_a.remember(board, 0)

    def noted(self, photo: int, *, moved: bool) -> None:
        """Mark earlier views of joined boards as outdated after a play."""
        if moved:
            self._panels.played()
        best = self.tracker.best
        idle = self._in_parts and best.findings[photo].status == "covered"
        if idle and best.waiting is None and not self._panels.hand_in_sight():
            self._elsewhere |= {photo}

    def line(self, file: str, photo: int, *, doubts: bool = False) -> ReplayLine:
        """Line of a picture as it is known by now."""
        line = photo_line(file, self.tracker, photo, doubts=doubts)
        if photo in self._elsewhere:
            line["status"] = "no_change"  # what other photographs show was not in sight here
        return line

    def final(self, files: Sequence[str], lines: Sequence[ReplayLine]) -> FinalLine:
        """The last line: every play as known at the end, and the final state."""
        return final_line(files, self.tracker.best, lines)
