"""Replays a photographed game: readings in order, what people told between them, lines out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.board_views import align
from app.ledger import Opening
from app.picture_reader import FileReading
from app.referee import Referee
from app.replay_lines import final_line, photo_line
from app.told import Told, due_before
from engine.rules import Refused
from vision.readings import GridReading


class BoardReplay:
    """A game on a board, photograph by photograph."""

    def __init__(
        self,
        opening: Opening,
        told: Sequence[Told] = (),
        counts: Mapping[str, int] | None = None,
        *,
        fixed_top: bool = False,
    ) -> None:
        self.referee = Referee(opening, counts)
        self.files: list[str] = []
        self.lines: list[dict[str, Any]] = []
        self.readings: list[GridReading | None] = []
        self.problems: list[str] = []
        self._told = list(told)
        self._fixed_top = fixed_top

    def see(self, found: FileReading) -> dict[str, Any]:
        """Take in one photograph; the line to print for it."""
        due, self._told = due_before(self._told, Path(found.file).name)
        self._tell(due)
        photo = len(self.files)
        self.files.append(found.file)
        reading: GridReading | None = None
        if found.reading is None:
            self.referee.see_nothing("unreadable")
        else:
            aligned = align(found.reading.boards, self.referee.lying, fixed_top=self._fixed_top)
            if aligned is None:
                self.referee.see_nothing("unreadable")
            else:
                reading = found.reading.boards[aligned[1]]
                self.referee.see(aligned[0])
        self.readings.append(reading)
        line = photo_line(found.file, self.referee.best, photo)
        if found.reading is None:
            line["error"] = {"code": found.code, "message": found.message}
        self.lines.append(line)
        return line

    def finish(self) -> dict[str, Any]:
        """What was told after the last photograph, and the last line."""
        self._tell(self._told)
        self._told = []
        return final_line(self.files, self.referee.best, self.lines)

    def _tell(self, told: Sequence[Told]) -> None:
        for item in told:
            verdict = self.referee.tell(item.action)
            if isinstance(verdict, Refused):
                who = f" of {item.action.player}" if item.action.player else ""
                self.problems.append(f"{item.action.kind}{who}: {verdict.message}")
