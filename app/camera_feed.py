"""Brings the frames of a source to a table's camera."""

from __future__ import annotations

import threading
import time

from app.camera_sources import Source
from app.session import Session
from app.table import Table
from app.table_camera import CameraBusyError
from app.terminal import show_progress
from models.session import ModelFileInvalid
from vision.frame import PictureError

LEAST_SECONDS = 0.3


class CameraFeed:
    """A thread that reads a source until it ends or is stopped."""

    def __init__(self, session: Session, table: Table, source: Source) -> None:
        self._session = session
        self._table = table
        self._source = source
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for the frame that is being read."""
        self._stop.set()
        self._thread.join(10)

    def _run(self) -> None:
        for frame in self._source.frames(self._stop):
            if self._stop.is_set():
                return
            if isinstance(frame, str):
                show_progress(frame)
                continue
            began = time.monotonic()
            try:
                self._session.camera(self._table).take(frame, stream=True)
            except PictureError as error:
                show_progress(f"a frame could not be read: {error.message}")
            except CameraBusyError:
                continue
            except ModelFileInvalid as error:
                show_progress(f"pictures cannot be read: {error}")
                return
            self._stop.wait(max(0.0, LEAST_SECONDS - (time.monotonic() - began)))
