"""Cameras that the server opens for its tables, as chosen on the page."""

from __future__ import annotations

import threading

from kibitz.app.cameras.sources import Source, is_address, open_source
from kibitz.app.common.addresses import shown_source
from kibitz.app.common.errors import UsageError
from kibitz.app.server.background.feed import CameraFeed
from kibitz.app.server.errors import ApiError
from kibitz.app.server.session import Session
from kibitz.app.tables.table import Table
from kibitz.engine.phrases import phrase


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
        self.watch(table, opened, plugged=text if text.isdecimal() else None)

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
        plugged: str | None = None,
    ) -> None:
        """Take a table's pictures from these sources, replacing those it had.

        Args:
            table: whose pictures they are.
            sources: where they come from.
            panels: which of nine joined boards each source shows, where it shows only one.
            plugged: the number of a camera that is opened again when this server comes back.
        """
        if self._session.hall is not None:  # the table comes back to where its camera is
            self._session.hall.settle(table.id, plugged, here=True)
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
        if self._session.hall is not None:
            self._session.hall.settle(table_id, None, here=False)
        return stopped

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
