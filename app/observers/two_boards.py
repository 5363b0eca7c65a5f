"""What looks at a live game of Scrabble House on two boards."""

from __future__ import annotations

from typing import Any

from kibitz.app.common.materials import counts_of
from kibitz.app.observers.board import DOUBTFUL, tasks_of
from kibitz.app.observers.house_sights import BoardPlaces, house_line
from kibitz.app.observers.preview import Ahead, Preview
from kibitz.engine.record.ledger import Ledger, Opening
from kibitz.engine.rules import Action, Verdict
from kibitz.engine.table import Grid
from kibitz.engine.tracking.changes import agreement
from kibitz.engine.tracking.expected import facing_grid, text_rows
from kibitz.engine.tracking.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.matching import HALF_LAID
from kibitz.engine.tracking.trial import has_strange_word
from kibitz.engine.tracking.two_board_tracker import TwoBoardTracker
from kibitz.vision.readings import PhotoReading

ROWS = 15


class HouseWatcher:
    """Looks at both boards, in one picture or in turns."""

    def __init__(self, opening: Opening, tiles: str) -> None:
        self._tracker = TwoBoardTracker(opening, counts_of(tiles))
        self._places = BoardPlaces()
        self._ahead: Ahead[TwoBoardTracker] = Ahead()

    @property
    def ledger(self) -> Ledger:
        """The game as the most likely lines have it."""
        return self._tracker.ledger

    @property
    def photos(self) -> int:
        """How many pictures were taken in."""
        return self._tracker.photos

    def see(
        self,
        name: str,
        reading: PhotoReading | None,
        *,
        how: Capture = PHOTO,
    ) -> dict[str, Any]:
        """Take in a settled picture; both boards go on at their own pace."""
        photo = self._tracker.photos
        known = None if reading is None else self._ahead.take(reading, how)
        if known is not None:
            self._tracker = known
            return house_line(name, known, photo)
        self._ahead.forget()
        boards = () if reading is None else reading.boards
        seen = self._places.assign(boards, self._tracker, fixed_top=False)
        self._tracker.see([None if x is None else x[0] for x in seen], how)
        return house_line(name, self._tracker, photo)

    def preview(self, reading: PhotoReading, *, how: Capture = PHOTO) -> Preview:
        """What a picture would come to; nothing is taken in."""
        tracker = self._tracker.copy()
        before = tracker.ledger
        seen = self._places.assign(reading.boards, tracker, fixed_top=False)
        lying = tracker.lying
        views = [None if x is None else x[0] for x in seen]
        if not any(views):
            return Preview("unreadable", news=True, patience=True)
        photo = tracker.photos
        tracker.see(views, how)
        self._ahead.keep(reading, how, tracker)
        status = str(house_line("", tracker, photo)["status"])
        agrees = sum(
            agreement(view, grid, grid.tiles)
            for view, grid in zip(views, lying, strict=True)
            if view is not None
        )
        after = tracker.ledger
        fresh = [d for d in after.done if d not in before.done]
        lexicon = after.opening.materials.lexicon
        phony = any(has_strange_word(d.verdict, lexicon) for d in fresh)
        news = status != "no_change" or after.done != before.done
        refusals = [b.best.findings[-1].refused for b in tracker.boards]
        half = any(r is not None and r.code in HALF_LAID for r in refusals)
        return Preview(status, news, phony or status in DOUBTFUL, half, agrees)

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did."""
        self._ahead.forget()
        return self._tracker.tell(action)

    def lying(self) -> list[str]:
        """Both boards as text, one after the other."""
        return [row for grid in self._tracker.lying for row in text_rows(grid, facing=True)]

    def restart(self, ledger: Ledger, lying: list[str] | None, photos: int) -> None:
        """Go on from a game and positions that are known."""
        grids: list[Grid] | None = None
        if lying is not None and len(lying) == 2 * ROWS:
            grids = [facing_grid(lying[:ROWS]), facing_grid(lying[ROWS:])]
        self._tracker.restart(ledger, grids, photos)
        self._ahead.forget()

    def tasks(self) -> list[dict[str, Any]]:
        """Tiles to turn or lift on each board, squares named `2:H8`."""
        out = []
        for k, tracker in enumerate(self._tracker.boards):
            for task in tasks_of(tracker.best):
                out.append({**task, "squares": [f"{k + 1}:{s}" for s in task["squares"]]})
        return out
