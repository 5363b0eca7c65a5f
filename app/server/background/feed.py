"""Feeds the pictures of a source to a table's camera in a thread."""

from __future__ import annotations

import threading

from kibitz.app.cameras.drive import drive
from kibitz.app.cameras.reopening import PATIENCE, Patience
from kibitz.app.cameras.sources import Source
from kibitz.app.cameras.table_camera import TableCamera
from kibitz.app.common.storage.kept import LeaseLostError, StorageError
from kibitz.app.common.terminal import RepeatLimiter, show_progress
from kibitz.app.server.session import Session
from kibitz.app.tables.table import Table
from kibitz.models.session import ModelFileInvalid


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
        self._patience = patience
        self._sparing = RepeatLimiter()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.run, name="feed", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait for the picture that is being read."""
        self._stop.set()
        self._thread.join(10)

    def join(self, seconds: float | None = None) -> bool:
        """Wait until the source has ended; False if it has not in time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def run(self) -> None:
        """Read the source in the calling thread until it ends or is stopped."""
        try:
            for came in drive(self._source, self._camera, self._stop, self._patience):
                if isinstance(came, LeaseLostError):
                    self._session.drop_table(came.table)
                elif isinstance(came, str):
                    self._sparing.tell(came)
        except ModelFileInvalid as error:
            show_progress(f"pictures cannot be read: {error}")
            if (camera := self._camera()) is not None:
                camera.fail(f"Pictures cannot be read: {error}")

    def _camera(self) -> TableCamera | None:
        """The table's camera; None while another server of the hall has the table."""
        try:
            # a table that had to be opened anew has a camera of its own
            table = self._session.tables.get(self._table.id) or self._table
        except StorageError:
            return None
        camera = self._session.camera(table, self._number, self._panel)
        camera.source, camera.pushed = self._name or camera.source, False
        return camera
