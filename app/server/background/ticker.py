"""Checks clocks: a player's time, the window for last calls, silent phones, what is on air."""

from __future__ import annotations

from kibitz.app.common.limits import WAITS
from kibitz.app.common.storage.tables import StorageError
from kibitz.app.server.background.retention import Rounds
from kibitz.app.server.session import Session
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.table import Table
from kibitz.engine.clock import is_waiting
from kibitz.engine.record.ledger import last_to_move
from kibitz.engine.rules import Accepted, Action


class Ticker(Rounds):
    """A thread that lets time pass at the tables, as their rules define it.

    Args:
        session: the server; only tables in memory can have a clock that runs.
    """

    name = "ticker"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def run(self) -> None:
        """Look at the tables until it is stopped."""
        while not self.stopping.wait(WAITS.look_s):
            for camera in self._session.cameras():
                camera.note_silence()
            for table in self._session.tables.open_tables():
                try:
                    tick(table)
                    self._put_on_air(table)
                except StorageError:
                    continue  # the table says so itself, and tries again

    def _put_on_air(self, table: Table) -> None:
        """Wake who watches a table once more of it is on air."""
        session = self._session
        if session.booth.is_news(table, session.cameras_of(table)):
            session.hub.wake(table.id)
            if session.hall is not None:
                session.hall.tell(table.id)


def tick(table: Table) -> bool:
    """Let time pass at one table; False if nothing came of it.

    The rules are asked first, so that a tick that changes nothing leaves no step.
    """
    if not table.timed:
        return False
    ledger = table.ledger
    played = last_to_move(ledger) if is_waiting(ledger.state) else None
    action = Action("tick", None, table.clock(), {"after": played} if played else {})
    verdict = ledger.game.decide(ledger.state, action)
    if not isinstance(verdict, Accepted) or not verdict.events:
        return False
    return bool(table.act(action, Actor("host")))
