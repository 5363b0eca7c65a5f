"""A table's camera: reads its frames, waits until hands are still, hands on what settled."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.frame_reader import Frame, FrameReader, encode_jpeg, to_keep
from app.read_options import Look
from app.reading_json import confidence_of, rows_of
from app.table import Table
from vision.readings import PhotoReading

SURE = 0.8
STEADY_FRAMES = 3
"""A reading with doubtful squares counts as still after this many equal frames."""
MOST_WAITING = 3


class CameraBusyError(Exception):
    """Frames come faster than they can be read."""


@dataclass(frozen=True, slots=True)
class Report:
    """What came of one frame."""

    number: int
    frame: Frame
    settled: bool
    line: dict[str, Any] | None

    def health(self) -> dict[str, Any]:
        """What the camera's own page is told."""
        out: dict[str, Any] = {
            "type": "health",
            "frame": self.number,
            "settled": self.settled,
            "advice": list(self.frame.advice),
            "health": dict(self.frame.health),
        }
        if self.frame.reading is None:
            out["error"] = {"code": self.frame.code, "message": self.frame.message}
        if self.line is not None:
            out["line"] = {k: self.line[k] for k in ("status", "say") if k in self.line}
        return out

    def to_json(self) -> dict[str, Any]:
        """What a camera that posts single frames is told."""
        read = self.frame.read_json(f"frame-{self.number}")
        return {**self.health(), "type": "frame", "read": read, "line": self.line}


@dataclass(frozen=True, slots=True)
class _Seen:
    """The text of a reading, to tell whether something moved."""

    text: tuple[str, ...]
    sure: tuple[tuple[bool, ...], ...]

    def differs(self, other: _Seen) -> bool:
        """Whether a square that both are sure of is not the same."""
        if [len(t) for t in self.text] != [len(t) for t in other.text]:
            return True
        return any(
            a != b and p and q
            for mine, his, ps, qs in zip(self.text, other.text, self.sure, other.sure, strict=True)
            for a, b, p, q in zip(mine, his, ps, qs, strict=True)
        )


class TableCamera:
    """Takes the frames of one table; one frame is read at a time.

    Args:
        table: what settled positions are told to.
        reader: reads pictures.
        look: what to look for.
        on_frame: called after every frame, from the thread that brought it.
    """

    def __init__(
        self, table: Table, reader: FrameReader, look: Look, on_frame: Callable[[], None]
    ) -> None:
        self.table = table
        self.newest: Report | None = None
        self._reader = reader
        self._look = look
        self._on_frame = on_frame
        self._lock = threading.Lock()
        self._waiting = 0
        self._last: _Seen | None = None
        self._equal = 0
        self._told: tuple[_Seen, int] | None = None
        self._number = 0

    def take(self, jpeg: bytes, *, stream: bool) -> Report:
        """Read one frame, and tell the table what it shows once it is still.

        Args:
            jpeg: the frame.
            stream: whether more frames follow by themselves; then the table is told only when two
                frames agree, and only if something changed.

        Raises:
            PictureError: the bytes are no picture.
            CameraBusyError: too many frames are waiting.
        """
        if self._waiting >= MOST_WAITING:
            raise CameraBusyError
        self._waiting += 1
        try:
            with self._lock:
                report = self._take(jpeg, stream=stream)
        finally:
            self._waiting -= 1
        self._on_frame()
        return report

    def _take(self, jpeg: bytes, *, stream: bool) -> Report:
        before = self.newest.frame if self.newest else None
        if before is not None and before.jpeg == jpeg:
            frame = before  # the very same picture reads the same
        else:
            frame = self._reader.read(jpeg, self._look, before if stream else None)
        self._number += 1
        seen = None if frame.reading is None else _seen(frame.reading)
        settled = not stream or self._is_still(seen)
        line = None
        if settled and (not stream or self._is_news(seen)):
            line = self.table.observe(frame.reading, to_keep(jpeg, frame.picture))
            self._told = None if seen is None else (seen, self.table.look_again)
        report = Report(self._number, frame, settled, line)
        self.newest = report
        return report

    def _is_still(self, seen: _Seen | None) -> bool:
        last, self._last = self._last, seen
        if seen is None or last is None:
            self._equal = 0
            return False
        self._equal = self._equal + 1 if seen.text == last.text else 0
        return not seen.differs(last)

    def _is_news(self, seen: _Seen | None) -> bool:
        if seen is None:
            return False
        if self._told is None or self._told[1] != self.table.look_again:
            return True
        told = self._told[0]
        return seen.differs(told) or (seen.text != told.text and self._equal >= STEADY_FRAMES)

    def picture(self, *, overlay: bool) -> bytes | None:
        """The newest frame as JPEG, with the reading drawn on it if asked for."""
        from vision.overlay import draw_overlay

        report = self.newest
        if report is None:
            return None
        frame = report.frame
        if overlay and frame.reading is not None:
            return encode_jpeg(draw_overlay(frame.picture, frame.reading), 1600)
        return frame.jpeg if frame.jpeg[:2] == b"\xff\xd8" else encode_jpeg(frame.picture)


def _seen(reading: PhotoReading) -> _Seen:
    text = ["".join(rows_of(b)) for b in reading.boards]
    sure = [tuple(p >= SURE for row in confidence_of(b) for p in row) for b in reading.boards]
    if reading.loose:
        words = sorted(w.text for w in reading.words)
        tiles = sorted(t.letter if t.face_up else "_" for t in reading.loose)
        text += ["".join(tiles), " ".join(words)]
        sure += [(True,) * len(text[-2]), (True,) * len(text[-1])]
    return _Seen(tuple(text), tuple(sure))
