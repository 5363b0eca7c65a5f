"""Replays a photographed game without a board (GrabScrab)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.app.observers.lines import entries_of, public_events, question_json
from kibitz.app.observers.loose_views import table_sight
from kibitz.app.observers.told import Told, due_before, tell_all
from kibitz.app.reading.pictures import FileReading
from kibitz.engine.record.ledger import Done, Ledger, Opening, open_ledger
from kibitz.engine.tracking.beliefs import Sighting
from kibitz.engine.tracking.loose_tracker import LooseReferee, shortest_word


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
        self._shortest = shortest_word(opening)
        self._told = list(told)
        self._referee: LooseReferee | None = None

    def see(self, found: FileReading) -> dict[str, Any]:
        """Take in one photograph; the line to print for it."""
        sight = None
        if found.reading is not None:
            seats = len(self._opening.players)
            sight = table_sight(found.reading, self._labels, seats, self._shortest)
        if self._referee is None:
            self._referee = LooseReferee(self._from_first(sight))
        referee = self._referee
        due, self._told = due_before(self._told, Path(found.file).name)
        self._tell(due)
        photo = len(self.files)
        self.files.append(found.file)
        self.boards.append(None)
        sighting = referee.see_nothing() if sight is None else referee.see(sight)
        line = self._line(found, sighting, photo)
        self.lines.append(line)
        return line

    def finish(self) -> dict[str, Any]:
        """What was told after the last photograph, and the last line."""
        referee = self._referee or LooseReferee(self._opening)
        self._referee = referee
        self._tell(self._told)
        self._told = []
        self.problems += referee.finish()
        plays = [
            {"file": file, **play}
            for photo, file in enumerate(self.files)
            if (play := play_of(referee.ledger, photo)) is not None
        ]
        view = referee.ledger.game.view(referee.ledger.state, None)
        return {"final": {"plays": plays, "table": table_json(view), **dict(view)}}

    @property
    def ledger(self) -> Ledger:
        """The game so far."""
        return self._referee.ledger if self._referee else open_ledger(self._opening)

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

    def _from_first(self, sight: Any) -> Opening:
        """Without a position to begin from, the first photograph shows one."""
        opening = self._opening
        if opening.initial is not None or sight is None:
            return opening
        players = opening.players
        words: dict[str, list[str]] = {p: [] for p in players}
        for word in sight.words:
            words[players[word.seat]].append(word.text)
        initial = {
            "pool": "".join(sorted(tile.best for tile in sight.loose)),
            "face_down": sight.face_down,
            "words": words,
        }
        return Opening(opening.game, players, opening.options, opening.materials, initial)

    def _tell(self, told: Sequence[Told]) -> None:
        assert self._referee is not None
        self.problems += tell_all(self._referee.tell, told)

    def _line(self, found: FileReading, sighting: Sighting, photo: int) -> dict[str, Any]:
        assert self._referee is not None
        ledger = self._referee.ledger
        done = entries_of(ledger, photo)
        view = ledger.game.view(ledger.state, None)
        line = {
            "file": found.file,
            "status": sighting.status,
            "play": play_of(ledger, photo),
            "question": question_json(sighting.question),
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
