"""Observes loose tiles on a bare table: words before seats, the rest the pool (GrabScrab)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kibitz.app.observers.lines import entries_of, question_json, state_at
from kibitz.app.observers.observer import Look, Observer
from kibitz.app.wire.lines import FinalLine, PlayLine, ReplayLine, TableLine
from kibitz.engine.record.history import events_json, lines_said
from kibitz.engine.record.ledger import Done, Ledger, public_view
from kibitz.engine.tracking.evidence.changes import TINY
from kibitz.engine.tracking.evidence.loose_table import (
    SeenWord,
    TableView,
    UpTile,
    WideWord,
    shortest_word,
)
from kibitz.engine.tracking.loose_tracker import LooseTracker
from kibitz.vision.loose.words import join_pieces
from kibitz.vision.readings import BLANK, LooseTile, LooseWord, PhotoReading, as_meant


class LooseObserver(Observer[TableView]):
    """Looks at tiles that lie on a bare table."""

    def __init__(self, tracker: LooseTracker, letters: Sequence[str]) -> None:
        self.tracker = tracker
        opening = tracker.ledger.opening
        self._labels = (*letters, BLANK)
        self._seats = len(opening.players)
        self._shortest = shortest_word(opening)

    def begin_from(self, reading: PhotoReading | None) -> None:
        """Take face-down and turned-up tiles from the first picture."""
        view = self.look(reading).view
        if view is not None:
            self.tracker.begin_from(view)

    def look(self, reading: PhotoReading | None) -> Look[TableView]:
        """View of the table in a picture."""
        if reading is None:
            return Look()
        return Look(table_view(reading, self._labels, self._seats, self._shortest))

    def line(self, file: str, photo: int, *, doubts: bool = False) -> ReplayLine:  # noqa: ARG002 - as of every observer
        """Line of a picture as it is known by now."""
        ledger, finding = self.tracker.ledger, self.tracker.findings[photo]
        done = entries_of(ledger, photo)
        return {
            "file": file,
            "status": finding.status,
            "play": play_of(ledger, photo),
            "question": question_json(finding.question),
            "events": events_json(done, None),
            "say": lines_said(ledger, done),
            "table": table_json(public_view(ledger.game, state_at(ledger, photo))),
        }

    def final(self, files: Sequence[str], lines: Sequence[ReplayLine]) -> FinalLine:  # noqa: ARG002 - as of every observer
        """The last line: every claim as known at the end, and the final state."""
        ledger = self.tracker.ledger
        plays = [
            {"file": file, **play}
            for photo, file in enumerate(files)
            if (play := play_of(ledger, photo)) is not None
        ]
        view = public_view(ledger.game, ledger.state)
        return {"final": {"plays": plays, "table": table_json(view), **dict(view)}}


def table_view(
    reading: PhotoReading, labels: tuple[str, ...], seats: int, shortest: int
) -> TableView:
    """View of the table in a photograph.

    Args:
        reading: loose tiles and tiles lined up.
        labels: the letters in the order of the tiles' probabilities, `?` among them.
        seats: players round the table; the first sits at the bottom of the picture, the
            others clockwise from there.
        shortest: fewer tiles in a row are no word.
    """
    meant = as_meant(reading)
    tiles = [_up_tile(tile, labels) for tile in reading.loose]
    in_row = [
        tile if read.face_up else replace(tile, letters={BLANK: 1.0})
        for tile, read in zip(tiles, reading.loose, strict=True)
    ]

    def seen(word: LooseWord) -> SeenWord | None:
        if len(word.tiles) < shortest:
            return None
        return SeenWord(tuple(in_row[i] for i in word.tiles), seat_of(word.facing_deg, seats))

    rows = join_pieces(meant.loose, meant.words)
    words = [(set(row.tiles), word) for row in rows if (word := seen(row)) is not None]
    wide = []
    for row in join_pieces(meant.loose, rows, blanks=True):
        word = None if all(reading.loose[i].face_up for i in row.tiles) else seen(row)
        if word is not None:
            parts = tuple(n for n, (inside, _) in enumerate(words) if inside <= set(row.tiles))
            wide.append(WideWord(word, parts))
    in_words = {i for inside, _ in words for i in inside}
    loose = tuple(tiles[i] for i, t in enumerate(reading.loose) if t.face_up and i not in in_words)
    down = tuple(tiles[i] for i, t in enumerate(reading.loose) if not t.face_up)
    return TableView(loose, tuple(word for _, word in words), down, tuple(wide))


def seat_of(facing_deg: float, seats: int) -> int:
    """The seat that a word faces most nearly."""
    return round(facing_deg * max(1, seats) / 360) % max(1, seats)


def _up_tile(tile: LooseTile, labels: tuple[str, ...]) -> UpTile:
    letters, sure = {tile.letter: max(tile.confidence, 0.5)}, tile.confidence
    if tile.letter_log_prob.shape == (len(labels),):
        values = np.exp(tile.letter_log_prob.astype(np.float64))
        letters = {x: float(p) for x, p in zip(labels, values, strict=True) if p > TINY}
        blank = float(values[-1])
        # which letter it is may be in doubt while it surely is a tile
        sure = tile.is_one * (1.0 - blank if tile.face_up else blank)
    return UpTile(letters, tile.centre_px, tile.size_px, sure)


def table_json(view: Mapping[str, Any]) -> TableLine:
    """The table in JSON."""
    return {
        "pool": "".join(sorted(view["pool"])),
        "face_down": view["face_down"],
        "words": {player: list(words) for player, words in view["words"].items()},
    }


def play_of(ledger: Ledger, photo: int) -> PlayLine | None:
    """The claim of a photograph, or its flips if there was none."""
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


def _claim_json(done: Done) -> PlayLine:
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
