"""Feeds an observer with a photographed game and what was told before which photograph.

Every line is told again as it is known at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kibitz.app.common.materials.named import counts_of, letters_for
from kibitz.app.observers.board_views import SureLetter, tiles_seen
from kibitz.app.observers.loose import LooseObserver
from kibitz.app.observers.observer import BoardObserver, Observer, take_in
from kibitz.app.observers.panels import PanelOrder
from kibitz.app.observers.told import ToldAction, due_before, tell_all
from kibitz.app.observers.two_boards import TwoBoardObserver
from kibitz.app.reading.pictures import FileReading
from kibitz.app.wire.lines import FinalLine, ReplayLine
from kibitz.engine.record.ledger import Ledger, Opening
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.loose_tracker import LooseTracker
from kibitz.engine.tracking.tracker import Tracker
from kibitz.engine.tracking.two_board_tracker import TwoBoardTracker, two_boards


def make_observer(
    opening: Opening,
    tiles: str = "en",
    *,
    fixed_top: bool = False,
    panels: PanelOrder | None = None,
    priors: TrackingPriors = PRIORS,
) -> Observer[Any]:
    """An observer for a game.

    Args:
        opening: the game, its players and settings.
        tiles: the tile set: its name, or the file it is in.
        fixed_top: whether row A is where the readings say.
        panels: which of several joined boards each picture shows; None: the pictures tell.
        priors: what is believed before any picture.
    """
    counts = counts_of(tiles)
    if opening.game.info.surface.kind == "loose":
        return LooseObserver(LooseTracker(opening, counts, priors), letters_for(tiles))
    if two_boards(opening):
        return TwoBoardObserver(TwoBoardTracker(opening, counts, priors), fixed_top=fixed_top)
    board = BoardTracker(opening, counts, priors)
    return BoardObserver(board, fixed_top=fixed_top, panels=panels)


class GameReplay:
    """A replay of a photographed game, photograph by photograph.

    Attributes:
        files: the photographs so far.
        lines: the line of each as it was known then.
        boards: which board in each was looked at; None if none.
        tiles: the tiles that each showed, by square, and how surely.
        problems: what was told that was not possible, in words.
    """

    def __init__(self, observer: Observer[Any], told: Sequence[ToldAction] = ()) -> None:
        self.observer = observer
        self.files: list[str] = []
        self.lines: list[ReplayLine] = []
        self.boards: list[int | None] = []
        self.tiles: list[dict[str, SureLetter]] = []
        self.problems: list[str] = []
        self._errors: dict[int, dict[str, str]] = {}
        self._told = list(told)

    @property
    def tracker(self) -> Tracker[Any]:
        """Tracker that keeps the game."""
        tracker: Tracker[Any] = self.observer.tracker
        return tracker

    @property
    def ledger(self) -> Ledger:
        """The game so far."""
        return self.tracker.ledger

    def see(self, found: FileReading) -> ReplayLine:
        """Take in one photograph; returns the line to print."""
        due, self._told = due_before(self._told, Path(found.file).name)
        self.observer.begin_from(found.reading)
        self.tell(due)
        photo = len(self.files)
        self.files.append(found.file)
        look = take_in(self.observer, found.reading)
        self.boards.append(look.board)
        self.tiles.append(tiles_seen(look.view))
        problem = look.problem if found.reading is not None else (found.code, found.message)
        if problem is not None:
            self._errors[photo] = {"code": problem[0], "message": problem[1]}
        line = self._line(photo)
        self.lines.append(line)
        return line

    def finish(self) -> FinalLine:
        """Take in what was told after the last photograph; returns the last line."""
        self.tell(self._told)
        self._told = []
        self.problems += self.tracker.finish()
        return self.observer.final(self.files, self.lines)

    def known_lines(self) -> list[ReplayLine]:
        """Line of every photograph as it is known by now."""
        return [self._line(photo) for photo in range(len(self.files))]

    def _line(self, photo: int) -> ReplayLine:
        line = self.observer.line(self.files[photo], photo, doubts=True)
        return {**line, "error": self._errors[photo]} if photo in self._errors else line

    def tell(self, told: Sequence[ToldAction]) -> None:
        """Take in what people say now."""
        self.problems += tell_all(self.tracker.tell, told)
