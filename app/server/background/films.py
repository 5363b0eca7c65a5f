"""Films of a game that users upload to a table, read as fast as possible."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import cv2

from kibitz.app.cameras.reopening import Shot
from kibitz.app.cameras.sources import VideoSource
from kibitz.app.common.files import LOCK_NAME, FolderLock, is_own
from kibitz.app.server.background.feeds import CameraFeed
from kibitz.app.server.session import Session
from kibitz.app.tables.table import Table
from kibitz.vision.frame import PictureError
from kibitz.vision.stream.video import USUAL_RATE, open_film

KINDS = {
    "mp4": (4, b"ftyp"),
    "webm": (0, b"\x1a\x45\xdf\xa3"),
    "avi": (8, b"AVI "),
    "mpeg": (0, b"\x00\x00\x01\xba"),
}
"""First bytes of films, and where they stand. Lists of other addresses are no film, on purpose."""
HEAD_BYTES: Final = 12


def is_film(head: bytes) -> bool:
    """True if a file with these first bytes is a film: MP4, MOV, WebM, Matroska, AVI or MPEG."""
    return any(head[at : at + len(sign)] == sign for at, sign in KINDS.values())


@dataclass(eq=False)
class Film:
    """A film that is or was being read.

    Attributes:
        name: what its file was called.
        of_s: how long it is, in seconds; 0 where it does not tell.
        at_s: up to where it has been read.
        state: how far it is.
        message: why it could not be read, in words.
    """

    name: str
    of_s: float = 0.0
    at_s: float = 0.0
    state: Literal["reading", "done", "failed", "stopped"] = "reading"
    message: str = ""


PREFIX: Final = "kibitz-films-"


class Films:
    """Films of the tables, one at a time each.

    Their files lie in a folder of this server's own, which the next one takes away if this one is
    killed.

    Args:
        session: the server.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._films: dict[str, tuple[Film, CameraFeed]] = {}
        self._lock = threading.Lock()
        self._own: tuple[Path, FolderLock] | None = None

    def folder(self) -> Path:
        """Folder of the uploaded films, readable by its owner alone.

        Raises:
            OSError: there is no room.
        """
        with self._lock:
            if self._own is None:
                made = Path(tempfile.mkdtemp(prefix=PREFIX))
                self._own = made, FolderLock(made)
            return self._own[0]

    def tidy(self) -> None:
        """Delete files that killed servers have left."""
        for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
            with suppress(OSError):  # one that lives holds its own
                # an empty lock, or none: another server is just making the folder
                if is_own(left) and (left / LOCK_NAME).stat().st_size:
                    FolderLock(left).release()
                    shutil.rmtree(left)

    def start(self, table: Table, path: Path, name: str) -> Film:
        """Read a film, replacing the table's former one; its file is deleted at the end."""
        self.stop(table.id)
        film = Film(name, of_s=length_s(path))
        source = _FilmSource(film, path, self._session, table)
        feed = CameraFeed(self._session, table, source)
        with self._lock:
            self._films[table.id] = film, feed
        feed.start()
        return film

    def of(self, table_id: str) -> Film | None:
        """Newest film of a table; None if it has none."""
        kept = self._films.get(table_id)
        return kept[0] if kept else None

    def stop(self, table_id: str) -> bool:
        """Stop reading a film; False if none was being read."""
        with self._lock:
            kept = self._films.get(table_id)
        if kept is None or kept[0].state != "reading":
            return False
        kept[1].stop()
        return True

    def close(self) -> None:
        """Stop all of them."""
        for table_id in tuple(self._films):
            self.stop(table_id)
        with self._lock:
            own, self._own = self._own, None
        if own is not None:
            own[1].release()
            shutil.rmtree(own[0], ignore_errors=True)


class _FilmSource:
    """A source of a film's pictures that notes the progress."""

    def __init__(self, film: Film, path: Path, session: Session, table: Table) -> None:
        self._film, self._path, self._session, self._table = film, path, session, table
        self.name = film.name

    def frames(self, stop: threading.Event) -> Iterator[Shot | str]:
        """Yield every picture that counts, as fast as they are taken."""
        film = self._film
        try:
            for shot in VideoSource(self._path, paced=False, name=self.name).frames(stop):
                if isinstance(shot, str):
                    film.state, film.message = "failed", shot
                    yield shot
                    return
                film.at_s = shot.at or 0.0
                yield shot
            film.state = "stopped" if stop.is_set() else "done"
        finally:
            self._path.unlink(missing_ok=True)
            if film.state == "reading":
                film.state = "stopped"
            self._session.hub.wake(self._table.id)


def length_s(path: Path) -> float:
    """Length of a film in seconds; 0 where the file does not give it."""
    try:
        capture = open_film(path, path.name)
    except PictureError:
        return 0.0  # said when it is read
    try:
        count = capture.get(cv2.CAP_PROP_FRAME_COUNT)
        rate = capture.get(cv2.CAP_PROP_FPS) or USUAL_RATE
        return round(count / rate, 1) if count > 0 else 0.0
    finally:
        capture.release()
