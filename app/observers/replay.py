"""Replays a photographed game: readings in order, what people told between them, lines out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.app.observers.board_views import RowA, align
from kibitz.app.observers.lines import final_line, photo_line
from kibitz.app.observers.panel_places import is_in_parts
from kibitz.app.observers.panels import PanelOrder, PanelTable
from kibitz.app.observers.told import Told, due_before, tell_all
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.record.ledger import Ledger, Opening
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.letters import tile_question

PANEL_UNKNOWN = (
    "neither the tiles nor the edges tell which of the nine boards this shows; say it with "
    "--panel, as 1-9"
)


class BoardReplay:
    """A game on a board, photograph by photograph."""

    def __init__(
        self,
        opening: Opening,
        told: Sequence[Told] = (),
        counts: Mapping[str, int] | None = None,
        *,
        fixed_top: bool = False,
        panels: PanelTable | None = None,
    ) -> None:
        self.tracker = BoardTracker(opening, counts)
        self.files: list[str] = []
        self.lines: list[dict[str, Any]] = []
        self.boards: list[int | None] = []
        self.problems: list[str] = []
        self._errors: dict[int, dict[str, str]] = {}
        self._told = list(told)
        self._fixed_top = fixed_top
        self._row_a = RowA()
        self._panels = panels
        self._elsewhere: set[int] = set()

    def see(self, found: FileReading) -> dict[str, Any]:
        """Take in one photograph; the line to print for it."""
        due, self._told = due_before(self._told, Path(found.file).name)
        self._tell(due)
        photo = len(self.files)
        self.files.append(found.file)
        board: int | None = None
        if self._panels is None and found.reading is not None and is_in_parts(found.reading):
            self._panels = PanelTable(PanelOrder())
        if self._panels is not None and not _shows_all(found):
            board = self._see_part(found, self._panels)
        elif found.reading is None:
            self.tracker.see_nothing("unreadable")
        else:
            aligned = align(
                found.reading.boards,
                self.tracker.lying,
                fixed_top=self._fixed_top,
                row_a=self._row_a,
            )
            if aligned is None:
                self.tracker.see_nothing("unreadable")
            else:
                board = aligned[1]
                self.tracker.see(aligned[0])
        self.boards.append(board)
        if found.reading is None:
            self._errors[photo] = {"code": found.code, "message": found.message}
        line = self._line(photo)
        self.lines.append(line)
        return line

    def _see_part(self, found: FileReading, panels: PanelTable) -> int | None:
        """Take in a photograph of some of nine joined boards; only those are looked at."""
        photo = len(self.boards)
        if found.reading is None:
            panels.skip()
            self.tracker.see_nothing("unreadable")
            return None
        known = self.tracker.lying
        view = panels.look(found.reading, known, fixed_top=self._fixed_top)
        if view is None:
            self._errors[photo] = {"code": "panel_unknown", "message": PANEL_UNKNOWN}
            self.tracker.see_nothing("unreadable")
            return None
        before = len(self.tracker.ledger.done)
        finding = self.tracker.see(view)
        if len(self.tracker.ledger.done) != before:
            panels.played()
        idle = finding.status == "covered" and self.tracker.best.waiting is None
        if idle and not panels.hand_in_sight():
            self._elsewhere.add(photo)
        return 0

    def _line(self, photo: int) -> dict[str, Any]:
        best, asked = self.tracker.best, self.tracker.asked
        if photo not in asked and (doubt := tile_question(best, photo)) is not None:
            asked = {photo: doubt}
        line = photo_line(self.files[photo], best, photo, asked)
        if photo in self._elsewhere:
            line["status"] = "no_change"  # what other photographs show was not in sight here
        if photo in self._errors:
            line["error"] = self._errors[photo]
        return line

    def finish(self) -> dict[str, Any]:
        """What was told after the last photograph, and the last line."""
        self._tell(self._told)
        self._told = []
        return final_line(self.files, self.tracker.best, self.lines)

    @property
    def ledger(self) -> Ledger:
        """The game so far."""
        return self.tracker.ledger

    def known_lines(self) -> list[dict[str, Any]]:
        """The line of every photograph as it is known by now."""
        return [self._line(photo) for photo in range(len(self.files))]

    def _tell(self, told: Sequence[Told]) -> None:
        self.problems += tell_all(self.tracker.tell, told)


def _shows_all(found: FileReading) -> bool:
    """Whether a photograph shows all nine joined boards at once."""
    return found.reading is not None and any(b.size == 45 for b in found.reading.boards)
