"""Cameras that the server opens for its tables, as chosen on the page."""

from __future__ import annotations

import threading
import time

from kibitz.app.cameras.drive import drive
from kibitz.app.cameras.reopening import PATIENCE, Patience
from kibitz.app.cameras.sources import Source, is_address, open_source
from kibitz.app.cameras.table_camera import TableCamera
from kibitz.app.common.addresses import shown_source
from kibitz.app.common.errors import UsageError
from kibitz.app.common.storage.kept import LeaseLostError, StorageError
from kibitz.app.common.storage.upkeep import CAMERA
from kibitz.app.common.terminal import RepeatLimiter, show_progress
from kibitz.app.server.background.retention import GOES_ON_S
from kibitz.app.server.errors import ApiError
from kibitz.app.server.session import Session
from kibitz.app.tables.table import Table
from kibitz.engine.phrases import phrase
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
                camera.note_trouble(f"Pictures cannot be read: {error}")

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


class Feeds:
    """Camera feeds of each table: one, or with joined boards one for each board.

    Args:
        session: the server.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._feeds: dict[str, list[CameraFeed]] = {}
        self._lock = threading.Lock()

    def start(self, table: Table, source: str) -> None:
        """Open a camera for a table, replacing the one it had.

        Raises:
            ApiError: it is no camera that a page may open; files are for the command line.
        """
        text = source.strip()
        if not (text.isdecimal() and len(text) <= 3) and not is_address(text):
            message = phrase(
                "Expected a camera's number or its address (rtsp:// or http://), got {given}.",
                given=f"{shown_source(text)!r}",
            )
            raise ApiError(422, "no_such_camera", message)
        try:
            opened = open_source(text, asked="camera")
        except UsageError as error:
            raise ApiError(422, "no_such_camera", phrase("{why}.", why=error)) from None
        if opened is None:
            raise ApiError(
                422,
                "no_such_camera",
                phrase("{given} is no camera of the server.", given=f"{shown_source(text)!r}"),
            )
        # what a query or a password opens is kept nowhere
        self.watch(table, opened, chosen=text if shown_source(text) == text else None)

    def resume_all(self) -> None:
        """Reopen the cameras that pages chose for games which go on, in a thread of its own."""
        if self._session.hall is None:  # else each is opened by the server that it belongs to
            threading.Thread(target=self._resume_all, name="cameras", daemon=True).start()

    def _resume_all(self) -> None:
        tables = self._session.tables
        try:
            kept = tables.storage.documents(CAMERA)
            for table_id, source in ((k.removeprefix(CAMERA), kept[k]) for k in kept):
                table = tables.openable(table_id)
                newest = table.steps[-1].at if table and table.steps else 0.0
                if table is None or table.over or time.time() - newest > GOES_ON_S:
                    continue
                self._session.listen(table)
                try:
                    self.resume(table, source)
                except ApiError as error:
                    show_progress(f"table {table_id}: its camera is not there: {error.message}")
        except StorageError as error:
            show_progress(f"cameras cannot be opened again: {error.message}")

    def resume(self, table: Table, source: str) -> None:
        """Reopen the camera that a table had here before, unless it is open.

        Raises:
            ApiError: it is not there.
        """
        if table.id not in self._feeds:
            self.start(table, source)

    def watch(
        self,
        table: Table,
        *sources: Source,
        panels: tuple[int, ...] = (),
        chosen: str | None = None,
    ) -> None:
        """Take a table's pictures from these sources, replacing those it had.

        Args:
            table: whose pictures they are.
            sources: where they come from.
            panels: which of nine joined boards each source shows, where it shows only one.
            chosen: the camera, where it is opened again when this server comes back.
        """
        self._keep(table.id, chosen, here=True)
        named = (*panels, *([None] * len(sources)))
        feeds = [
            CameraFeed(self._session, table, source, number=number, panel=named[number])
            for number, source in enumerate(sources)
        ]
        self.stop(table.id)
        with self._lock:
            self._feeds[table.id] = feeds
        for feed in feeds:
            feed.start()

    def plug_out(self, table_id: str) -> bool:
        """Close a table's cameras for good; False if it had none."""
        stopped = self.stop(table_id)
        self._keep(table_id, None, here=False)
        return stopped

    def _keep(self, table_id: str, chosen: str | None, *, here: bool) -> None:
        """Keep a table's camera; in a hall the table then comes back to where that is."""
        storage = self._session.tables.storage
        if self._session.hall is not None:
            self._session.hall.settle(table_id, chosen, here=here)
        elif chosen is not None:
            storage.put_document(CAMERA + table_id, chosen)
        else:
            storage.drop_document(CAMERA + table_id)

    def stop(self, table_id: str) -> bool:
        """Close a table's cameras; False if it had none."""
        with self._lock:
            feeds = self._feeds.pop(table_id, [])
        for feed in feeds:
            feed.stop()
        return bool(feeds)

    def close(self) -> None:
        """Close all cameras."""
        for table_id in tuple(self._feeds):
            self.stop(table_id)
