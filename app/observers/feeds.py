"""Feeds observers: with a photographed game and what was told, or with a live table.

Both differ only in that. A replay knows what people said before which photograph and tells every
line again as it is known at the end; a live table asks what a picture would come to first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.app.common.materials.named import counts_of, letters_for
from kibitz.app.observers.board import BoardObserver
from kibitz.app.observers.board_views import SureLetter, tiles_seen
from kibitz.app.observers.lines import FinalLine, ReplayLine, TaskLine, task_json
from kibitz.app.observers.loose import LooseObserver
from kibitz.app.observers.observer import Observer, look_ahead, take_in
from kibitz.app.observers.panels import PanelOrder
from kibitz.app.observers.told import ToldAction, due_before, tell_all
from kibitz.app.observers.two_boards import TwoBoardObserver
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.record.ledger import Ledger, Opening
from kibitz.engine.rules import Action, Question, Verdict
from kibitz.engine.tracking.board_tracker import BoardTracker
from kibitz.engine.tracking.doubts import Doubts
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture, Seats
from kibitz.engine.tracking.evidence.loose_table import UpTile
from kibitz.engine.tracking.evidence.priors import PRIORS, TrackingPriors
from kibitz.engine.tracking.explanations.steadiness import Letters
from kibitz.engine.tracking.loose_tracker import LooseTracker
from kibitz.engine.tracking.preview import Preview
from kibitz.engine.tracking.tracker import open_tracker
from kibitz.engine.tracking.why import Explanation
from kibitz.vision.readings import PhotoReading


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
    tracker = open_tracker(opening, counts_of(tiles), priors)
    if isinstance(tracker, LooseTracker):
        return LooseObserver(tracker, letters_for(tiles))
    if isinstance(tracker, BoardTracker):
        return BoardObserver(tracker, fixed_top=fixed_top, panels=panels)
    return TwoBoardObserver(tracker, fixed_top=fixed_top)


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
    def tracker(self) -> Any:
        """What keeps the game."""
        return self.observer.tracker

    @property
    def ledger(self) -> Ledger:
        """The game so far."""
        ledger: Ledger = self.tracker.ledger
        return ledger

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
        """What was told after the last photograph, and the last line."""
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


class Watcher:
    """The eyes of one live table.

    A picture is interpreted once: its preview holds the observer that has seen it, and accepting
    the picture puts that observer in the place of the one before. Whatever else happens at the
    table makes a new observer too, so that older previews no longer fit.
    """

    def __init__(self, observer: Observer[Any]) -> None:
        self._observer = observer

    @property
    def ledger(self) -> Ledger:
        """The game as it most likely went."""
        ledger: Ledger = self._observer.tracker.ledger
        return ledger

    @property
    def photos(self) -> int:
        """How many pictures were taken in."""
        return int(self._observer.tracker.photos)

    def preview(self, reading: PhotoReading, *, how: Capture = PHOTO) -> Preview[Observer[Any]]:
        """What a picture would come to; nothing is taken in."""
        return look_ahead(self._observer, reading, how)

    def see(
        self,
        name: str,
        reading: PhotoReading | None,
        *,
        how: Capture = PHOTO,
        preview: Preview[Observer[Any]] | None = None,
    ) -> ReplayLine:
        """Take in a settled picture; the line of `kibitz replay --json` for it.

        Args:
            name: the picture's name.
            reading: what was read from it; None: nothing could be read.
            how: how it was taken.
            preview: what this very picture was found to come to, if that was asked before.
        """
        photo = self.photos
        if preview is not None and preview.after and preview.before is self._observer:
            self._observer = preview.after
        else:
            observer = self._changing()
            observer.begin_from(reading)
            take_in(observer, reading, how)
        return self._observer.line(name, photo)

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did."""
        verdict: Verdict = self._changing().tracker.tell(action)
        return verdict

    def restart(self, ledger: Ledger, lying: list[str] | None, photos: int) -> None:
        """Go on from a game and a position that are known: after undo, a restart."""
        self._changing().tracker.restart(ledger, lying, photos)

    def put_right(self, ledger: Ledger) -> None:
        """Go on from the game as people corrected it; nothing was moved on the table."""
        self._changing().tracker.put_right(ledger)

    @property
    def known(self) -> Observer[Any]:
        """All that is known, to be given back to `go_back`."""
        return self._observer

    def go_back(self, known: Observer[Any]) -> None:
        """Know again what was known then: what was told since counts for nothing."""
        self._observer = known

    def lying(self) -> list[str]:
        """What is thought to lie on the table, to be kept and given back to `restart`."""
        rows: list[str] = self._observer.tracker.lying_rows()
        return rows

    def tasks(self) -> list[TaskLine]:
        """What the rules want done on the table and was not seen done yet."""
        return [task_json(task) for task in self._observer.tracker.tasks()]

    @property
    def seats(self) -> Seats | None:
        """Who sits where, as far as is known; None where seats say nothing about turns."""
        seats: Seats | None = self._observer.tracker.known_seats
        return seats

    def side_of(self, player: str) -> str | None:
        """At which side of the picture a player sits, as far as is known."""
        side: str | None = self._observer.tracker.side_of(player)
        return side

    def sit(self, seats: Seats, hands: Mapping[int, str]) -> None:
        """Take people to sit as a record says; `hands`: from which side each picture's came."""
        self._changing().tracker.sit(seats, hands)

    def told_seat(self, player: str, side: str) -> None:
        """Take in where people say that a player sits."""
        self._changing().tracker.told_seat(player, side)

    def letters(self) -> Letters:
        """What is known of letters beside `lying`, to be kept and given back to `recall`."""
        letters: Letters = self._observer.tracker.letters()
        return letters

    def recall(self, letters: Letters) -> None:
        """Know of letters what a record says: after undo, redo, a restart."""
        self._changing().tracker.recall(letters)

    def doubts(self) -> Doubts:
        """What else the pictures of a board may have shown, to be given back to `remember`."""
        doubts: Doubts = self._observer.tracker.doubts()
        return doubts

    def remember(self, doubts: Doubts) -> None:
        """Know again what else they may have shown, as a record says: after undo, a restart."""
        self._changing().tracker.remember(doubts)

    def letter_questions(self) -> list[Question]:
        """What is asked about letters and neither answered nor shown surely."""
        asked: list[Question] = self._observer.tracker.letter_questions()
        return asked

    def play_questions(self) -> list[tuple[int, Question]]:
        """What is asked about plays until a person answers, with the picture that showed each."""
        asked: list[tuple[int, Question]] = self._observer.tracker.play_questions()
        return asked

    def waits_for(self, field: str) -> bool:
        """Whether an answer to such a question is taken now."""
        return bool(self._observer.tracker.waits_for(field))

    @property
    def is_disturbed(self) -> bool:
        """Whether something on the boards is not as it was told, and waits for hands."""
        return bool(self._observer.tracker.is_disturbed)

    @property
    def asked_tile(self) -> UpTile | None:
        """The loose tile that is asked about, as it was seen last."""
        tile: UpTile | None = self._observer.tracker.asked_tile
        return tile

    def why(self) -> Explanation:
        """Why the newest picture was taken to mean what it was."""
        found: Explanation = self._observer.tracker.why()
        return found

    def _changing(self) -> Observer[Any]:
        """The observer, as another one than previews were made with."""
        self._observer = self._observer.copy()
        return self._observer
