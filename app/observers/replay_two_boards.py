"""Replays a photographed game of Scrabble House on two boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.app.observers.house_sights import BoardPlaces, house_final, house_line
from kibitz.app.observers.told import Told, due_before, tell_all
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.record.ledger import Ledger, Opening
from kibitz.engine.tracking.two_board_tracker import TwoBoardTracker


class HouseReplay:
    """A game on two boards, photograph by photograph; both may be in one, or each in its own."""

    def __init__(
        self,
        opening: Opening,
        told: Sequence[Told] = (),
        counts: Mapping[str, int] | None = None,
        *,
        fixed_top: bool = False,
    ) -> None:
        self.tracker = TwoBoardTracker(opening, counts)
        self.files: list[str] = []
        self.lines: list[dict[str, Any]] = []
        self.boards: list[int | None] = []
        self.problems: list[str] = []
        self._errors: dict[int, dict[str, str]] = {}
        self._places = BoardPlaces()
        self._told = list(told)
        self._fixed_top = fixed_top

    def see(self, found: FileReading) -> dict[str, Any]:
        """Take in one photograph; the line to print for it."""
        due, self._told = due_before(self._told, Path(found.file).name)
        self._tell(due)
        photo = len(self.files)
        self.files.append(found.file)
        if found.reading is None:
            self.tracker.see([None, None])
            self._errors[photo] = {"code": found.code, "message": found.message}
            self.boards.append(None)
        else:
            boards = found.reading.boards
            seen = self._places.assign(boards, self.tracker, fixed_top=self._fixed_top)
            self.tracker.see([None if x is None else x[0] for x in seen])
            self.boards.append(next((x[1] for x in seen if x is not None), None))
        line = self._line(photo)
        self.lines.append(line)
        return line

    def _line(self, photo: int) -> dict[str, Any]:
        line = house_line(self.files[photo], self.tracker, photo)
        return {**line, "error": self._errors[photo]} if photo in self._errors else line

    def finish(self) -> dict[str, Any]:
        """What was told after the last photograph, and the last line."""
        self._tell(self._told)
        self._told = []
        return house_final(self.files, self.tracker)

    @property
    def ledger(self) -> Ledger:
        """The game so far."""
        return self.tracker.ledger

    def known_lines(self) -> list[dict[str, Any]]:
        """The line of every photograph as it is known by now."""
        return [self._line(photo) for photo in range(len(self.files))]

    def _tell(self, told: Sequence[Told]) -> None:
        self.problems += tell_all(self.tracker.tell, told)
