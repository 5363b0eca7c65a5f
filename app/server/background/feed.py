"""Brings the pictures of a source to a table's camera."""

from __future__ import annotations

import threading
import time

from kibitz.app.cameras.reopening import PATIENCE, Patience, Shot
from kibitz.app.cameras.sources import Source
from kibitz.app.cameras.table_camera import CameraBusyError, TableCamera
from kibitz.app.common.storage.kept import LeaseLostError, StorageError
from kibitz.app.common.terminal import Sparing, show_progress
from kibitz.app.server.session import Session
from kibitz.app.tables.table import Table
from kibitz.models.session import ModelFileInvalid
from kibitz.vision.frame import PictureError


class CameraFeed:
    """A thread that reads a source until it ends or is stopped.

    Args:
        session: the server.
        table: whose camera it is.
        source: where the pictures come from.
        number: which of the table's cameras it is.
        panel: which of nine joined boards it watches, where it watches only one.
        patience: how fast pictures of a source without a clock are taken.
    """

    def __init__(
        self,
        session: Session,
        table: Table,
        source: Source,
        *,
        number: int = 0,
        panel: int | None = None,
        patience: Patience = PATIENCE,
    ) -> None:
        self._session = session
        self._table = table
        self._source = source
        self._name = str(getattr(source, "name", ""))
        self._number, self._panel = number, panel
        self._every = 1 / patience.a_second
        self._again = patience.again
        self._sparing = Sparing()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for the picture that is being read."""
        self._stop.set()
        self._thread.join(10)

    def join(self, seconds: float | None = None) -> bool:
        """Wait until the source has ended; whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        for shot in self._source.frames(self._stop):
            if self._stop.is_set():
                return
            try:
                # a table that had to be opened anew has a camera of its own
                table = self._session.tables.get(self._table.id) or self._table
            except StorageError:  # where the hall has it elsewhere, it comes back to its camera
                self._stop.wait(self._again)
                continue
            camera = self._session.camera(table, self._number, self._panel)
            camera.source, camera.pushed = self._name or camera.source, False
            if isinstance(shot, str):
                self._sparing.tell(shot)
                camera.fail(shot)
                continue
            began = time.monotonic()
            if not self._take(camera, shot):
                return
            if shot.at is None and not shot.still:
                self._stop.wait(max(0.0, self._every - (time.monotonic() - began)))

    def _take(self, camera: TableCamera, shot: Shot) -> bool:
        try:
            camera.take(shot.data, stream=not shot.still, at=shot.at)
        except PictureError as error:
            self._sparing.tell(f"a picture could not be read: {error.message}")
            camera.fail(error.message)
            self._stop.wait(self._again)
        except CameraBusyError:
            pass
        except LeaseLostError as error:
            self._session.lost(error.table)
        except ModelFileInvalid as error:
            show_progress(f"pictures cannot be read: {error}")
            camera.fail(f"Pictures cannot be read: {error}")
            return False
        return True
