"""The tables of this server as its hall sees them: opened, let go, given to another server."""

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
    """What the hall asks for, done to a session; opening a table keeps no sign of life waiting.

    Args:
        session: the server.
        feeds: the cameras that it opens.
    """

    def __init__(self, session: Session, feeds: Feeds) -> None:
        self._session = session
        self._feeds = feeds
        self._opener = ThreadPoolExecutor(1, "hall-opens")

    def opens(self, lease: Lease) -> None:
        """This server runs a table from now on: its clocks go on, and its own camera."""
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
        """Another server runs a table."""
        table = self._session.tables.is_open(table_id)
        if table is not None and table.unsaved:
            show_progress(
                f"table {table_id} went on at another server without {len(table.unsaved)} steps "
                "that this one could not write"
            )
        self._session.tables.forget(table_id)
        self._session.hub.wake(table_id)

    def gives(self, table_id: str) -> bool:
        """Write what is left of a table; whether it is written."""
        table = self._session.tables.is_open(table_id)
        try:
            return table is None or table.save()
        except StorageError:
            return False

    def changed(self, table_id: str) -> None:
        """Something happened at a table."""
        self._session.heard(table_id)

    def clocks(self) -> Mapping[str, float]:
        """What the clocks of timed games show that are being played here."""
        return {
            table.id: table.clock()
            for table in self._session.tables.open_tables()
            if table.setup.opening.game.info.timed and not table.over
        }
