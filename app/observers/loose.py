"""What looks at a live table without a board (GrabScrab)."""

from __future__ import annotations

from typing import Any

from kibitz.app.observers.lines import entries_of, question_json
from kibitz.app.observers.preview import Ahead, Preview
from kibitz.app.observers.replay_loose import play_of, table_json
from kibitz.engine.record.history import events_json, lines_said
from kibitz.engine.record.ledger import Entry, Ledger, Opening
from kibitz.engine.rules import Action, Verdict
from kibitz.engine.tracking.hypotheses import PHOTO, Capture, Finding
from kibitz.engine.tracking.loose_table import PoolTile, TableView
from kibitz.engine.tracking.loose_tracker import LooseTracker
from kibitz.vision.readings import PhotoReading


class LooseWatcher:
    """Looks at tiles that lie on a bare table."""

    def __init__(self, opening: Opening, letters: tuple[str, ...]) -> None:
        self._opening = opening
        self._labels = (*letters, "?")
        self._shortest = int(opening.options.get("gs.min_length", 4))
        self._tracker = LooseTracker(opening)
        self._ahead: Ahead[LooseTracker] = Ahead()

    @property
    def ledger(self) -> Ledger:
        """The game as it is known."""
        return self._tracker.ledger

    @property
    def photos(self) -> int:
        """How many pictures were taken in."""
        return len(self._tracker.findings)

    def see(
        self,
        name: str,
        reading: PhotoReading | None,
        *,
        how: Capture = PHOTO,
    ) -> dict[str, Any]:
        """Take in a settled picture; here nobody goes on with a play that was told."""
        photo = self.photos
        known = None if reading is None else self._ahead.take(reading, how)
        if known is not None:
            self._tracker, finding = known, known.findings[-1]
        else:
            finding = self._look(reading)
        ledger = self.ledger
        done = entries_of(ledger, photo)
        return {
            "file": name,
            "status": finding.status,
            "play": play_of(ledger, photo),
            "question": question_json(finding.question),
            "events": events_json(done, None),
            "say": lines_said(ledger, done),
            "table": table_json(ledger.game.view(ledger.state, None)),
        }

    def _look(self, reading: PhotoReading | None) -> Finding:
        self._ahead.forget()
        if reading is None:
            return self._tracker.see_nothing()
        table = self._view_of(reading)
        if not self.ledger.done and self._opening.initial is None:
            self._begin_with(table)
        return self._tracker.see(table)

    def _view_of(self, reading: PhotoReading) -> TableView:
        return table_view(reading, self._labels, len(self._opening.players), self._shortest)

    def preview(self, reading: PhotoReading, *, how: Capture = PHOTO) -> Preview:
        """What a picture would come to; nothing is taken in."""
        if not self.ledger.done and self._opening.initial is None:
            return Preview("play", news=True)
        table = self._view_of(reading)
        tracker = self._tracker.copy()
        status = tracker.see(table).status
        self._ahead.keep(reading, how, tracker)
        news = tracker.ledger.done != self.ledger.done
        return Preview(status, news=news, patience=status in ("covered", "unreadable"))

    def _begin_with(self, table: TableView) -> None:
        """The first picture shows how many tiles lie face down and what is turned up already."""
        players = self._opening.players
        words: dict[str, list[str]] = {p: [] for p in players}
        for word in table.words:
            words[players[word.seat]].append(word.text)
        pool = "".join(sorted(tile.best for tile in table.loose))
        initial = {"pool": pool, "face_down": table.face_down, "words": words}
        action = Action("set_position", data={"initial": initial})
        ledger, _ = self.ledger.add(Entry(action, 0))
        self.restart(ledger, None, self.photos)

    def tell(self, action: Action) -> Verdict:
        """Take in what a person said or did."""
        self._ahead.forget()
        return self._tracker.tell(action)

    def lying(self) -> list[str]:
        """Nothing that the game itself does not say."""
        return []

    def restart(self, ledger: Ledger, lying: list[str] | None, photos: int) -> None:  # noqa: ARG002
        """Go on from a game that is known; what lies on the table follows from it."""
        tracker = LooseTracker(self._opening)
        tracker.ledger = ledger
        pool = ledger.game.view(ledger.state, None).get("pool", "")
        tracker.pool = [PoolTile(x) for x in pool]
        tracker.findings = [Finding(i, "no_change") for i in range(photos)]
        self._tracker = tracker
        self._ahead.forget()

    def tasks(self) -> list[dict[str, Any]]:
        """Nothing has to be done on a bare table."""
        return []
