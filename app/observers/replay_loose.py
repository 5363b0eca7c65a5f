"""Replays a photographed game without a board (GrabScrab)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.app.observers.lines import entries_of, public_events, question_json
from kibitz.app.observers.told import Told, due_before, tell_all
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.record.ledger import Done, Ledger, Opening, open_ledger
from kibitz.engine.tracking.hypotheses import Finding
from kibitz.engine.tracking.loose_tracker import LooseTracker


class LooseReplay:
    """A game on a bare table, photograph by photograph."""

    def __init__(
        self, opening: Opening, letters: tuple[str, ...], told: Sequence[Told] = ()
    ) -> None:
        self.files: list[str] = []
        self.lines: list[dict[str, Any]] = []
        self.boards: list[int | None] = []
        self.problems: list[str] = []
        self._opening = opening
        self._labels = (*letters, "?")
        self._shortest = int(opening.options.get("gs.min_length", 4))
        self._told = list(told)
        self._tracker: LooseTracker | None = None

    def see(self, found: FileReading) -> dict[str, Any]:
        """Take in one photograph; the line to print for it."""
        table = None
        if found.reading is not None:
            seats = len(self._opening.players)
            table = table_view(found.reading, self._labels, seats, self._shortest)
        if self._tracker is None:
            self._tracker = LooseTracker(self._from_first(table))
        tracker = self._tracker
        due, self._told = due_before(self._told, Path(found.file).name)
        self._tell(due)
        photo = len(self.files)
        self.files.append(found.file)
        self.boards.append(None)
        finding = tracker.see_nothing() if table is None else tracker.see(table)
        line = self._line(found, finding, photo)
        self.lines.append(line)
        return line

    def finish(self) -> dict[str, Any]:
        """What was told after the last photograph, and the last line."""
        tracker = self._tracker or LooseTracker(self._opening)
        self._tracker = tracker
        self._tell(self._told)
        self._told = []
        self.problems += tracker.finish()
        plays = [
            {"file": file, **play}
            for photo, file in enumerate(self.files)
            if (play := play_of(tracker.ledger, photo)) is not None
        ]
        view = tracker.ledger.game.view(tracker.ledger.state, None)
        return {"final": {"plays": plays, "table": table_json(view), **dict(view)}}

    @property
    def ledger(self) -> Ledger:
        """The game so far."""
        return self._tracker.ledger if self._tracker else open_ledger(self._opening)

    def known_lines(self) -> list[dict[str, Any]]:
        """The line of every photograph as it is known by now."""
        return [self._known(line, photo) for photo, line in enumerate(self.lines)]

    def _known(self, line: dict[str, Any], photo: int) -> dict[str, Any]:
        """A line with what later photographs have put right."""
        ledger = self.ledger
        before = [d for d in ledger.done if d.entry.photo <= photo]
        done = entries_of(ledger, photo)
        state = before[-1].state if before else ledger.start
        return {
            **line,
            "play": play_of(ledger, photo),
            "events": [event.to_json() for event in public_events(done)],
            "say": spoken(ledger, done),
            "table": table_json(ledger.game.view(state, None)),
        }

    def _from_first(self, table: Any) -> Opening:
        """Without a position to begin from, the first photograph shows one."""
        opening = self._opening
        if opening.initial is not None or table is None:
            return opening
        players = opening.players
        words: dict[str, list[str]] = {p: [] for p in players}
        for word in table.words:
            words[players[word.seat]].append(word.text)
        initial = {
            "pool": "".join(sorted(tile.best for tile in table.loose)),
            "face_down": table.face_down,
            "words": words,
        }
        return Opening(opening.game, players, opening.options, opening.materials, initial)

    def _tell(self, told: Sequence[Told]) -> None:
        assert self._tracker is not None
        self.problems += tell_all(self._tracker.tell, told)

    def _line(self, found: FileReading, finding: Finding, photo: int) -> dict[str, Any]:
        assert self._tracker is not None
        ledger = self._tracker.ledger
        done = entries_of(ledger, photo)
        view = ledger.game.view(ledger.state, None)
        line = {
            "file": found.file,
            "status": finding.status,
            "play": play_of(ledger, photo),
            "question": question_json(finding.question),
            "events": [event.to_json() for event in public_events(done)],
            "say": spoken(ledger, done),
            "table": table_json(view),
        }
        if found.reading is None:
            line["error"] = {"code": found.code, "message": found.message}
        return line


def spoken(ledger: Ledger, done: Sequence[Done]) -> list[str]:
    """What is said of entries."""
    return [
        text
        for entry in done
        for event in entry.events
        for text in ledger.game.announce(entry.state, event)
    ]


def table_json(view: Mapping[str, Any]) -> dict[str, Any]:
    """What lies on the table."""
    return {
        "pool": "".join(sorted(view["pool"])),
        "face_down": view["face_down"],
        "words": {player: list(words) for player, words in view["words"].items()},
    }


def play_of(ledger: Ledger, photo: int) -> dict[str, Any] | None:
    """The claim of a photograph, or the flips where there was none."""
    done = entries_of(ledger, photo)
    claims = [d for d in done if d.entry.action.kind in ("claim", "tie")]
    flips = [d for d in done if d.entry.action.kind == "flip"]
    if claims:
        return _claim_json(claims[-1])
    if flips:
        by = flips[-1].verdict.result.get("by")
        letters = "".join(str(d.entry.action.data["letter"]) for d in flips)
        return {"player": by, "flipped": letters, "tiles": {}, "words": []}
    return None


def _claim_json(done: Done) -> dict[str, Any]:
    result = done.verdict.result
    word = result.get("word")
    return {
        "player": done.entry.action.player,
        "word": word,
        "steal": result.get("old_word"),
        "from_player": result.get("stolen_from"),
        "tiles": {},
        "words": [{"word": word}] if word else [],
    }
