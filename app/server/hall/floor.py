"""This server's tables as its hall calls them: open, drop, hand over."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from kibitz.app.common.storage.kept import StorageError
from kibitz.app.common.terminal import show_progress
from kibitz.app.hall.leases import Lease
from kibitz.app.server.background.feeds import Feeds
from kibitz.app.server.errors import ApiError
from kibitz.app.server.session import Session


class HallFloor:
    """Does to a session what the hall asks for; slow work never delays heartbeats.

    Args:
        session: the server.
        feeds: the cameras that it opens.
    """

    def __init__(self, session: Session, feeds: Feeds) -> None:
        self._session = session
        self._feeds = feeds
        self._opener = ThreadPoolExecutor(1, "hall-opens")

    def opens(self, lease: Lease) -> None:
        """Open a table that this server runs from now on: its clocks and its own camera."""
        if self._session.tables.is_open(lease.table) is None or lease.camera is not None:
            self._opener.submit(self._open, lease)

    def _open(self, lease: Lease) -> None:
        session = self._session
        try:
            table = session.tables.openable(lease.table)
            hall = session.hall
            if table is None or hall is None or not hall.runs(lease.table):
                return
            session.listen(table)
            session.hub.wake(lease.table)
            if lease.camera is not None and lease.home == hall.me.name:
                self._feeds.resume(table, lease.camera)
        except StorageError as error:
            show_progress(f"table {lease.table} cannot be opened yet: {error.message}")
        except ApiError as error:
            show_progress(f"table {lease.table}: its camera is not there: {error.message}")

    def drops(self, table_id: str) -> None:
        """Drop a table that another server runs now."""
        table = self._session.tables.is_open(table_id)
        waiting = () if table is None else table.saving.waiting
        if waiting:
            show_progress(
                f"table {table_id} went on at another server without {len(waiting)} steps "
                "that this one could not write"
            )
        self._session.tables.forget(table_id)
        self._session.hub.wake(table_id)

    def gives(self, table_id: str) -> bool:
        """Write a table out before another server runs it; False if that failed."""
        table = self._session.tables.is_open(table_id)
        try:
            return table is None or table.saving.save()
        except StorageError:
            return False

    def changed(self, table_id: str) -> None:
        """Reload a table that changed."""
        self._session.tell_listeners(table_id)

    def clocks(self) -> Mapping[str, float]:
        """Clocks of the timed games that are being played here."""
        return {
            table.id: table.clock()
            for table in self._session.tables.open_tables()
            if table.timed and not table.over
        }
