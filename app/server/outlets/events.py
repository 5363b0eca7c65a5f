"""Events of the server's tables, as a typed stream for other programs.

The events say what a watcher's page says, and nothing more: no rack, no fleet, no hand, no link.
They are told by comparing a table as it was with the table as it is, in a thread of their own, so
that no table waits for who listens.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from kibitz.app.cameras.state import camera_state
from kibitz.app.cameras.table_camera import TableCamera
from kibitz.app.common.storage.tables import StorageError
from kibitz.app.server.outlets.delivery import RULE
from kibitz.app.server.session import Session
from kibitz.app.tables.people.access import WATCHER
from kibitz.app.tables.state import notices
from kibitz.app.tables.table import Table
from kibitz.app.wire.events import STANDING, Known, differences, question_key


class Outlet(Protocol):
    """Receiver of events; no method may wait for the other end."""

    def put(self, event: Mapping[str, Any], known: Known | None, /) -> None:
        """Add an event with the table's state after it; None where the table is gone."""
        ...

    def close(self) -> None:
        """Stop, after a short while for waiting events."""
        ...


def known_of(table: Table, cameras: Sequence[TableCamera], before: Known | None = None) -> Known:
    """State of a table as a spectator may know it.

    Args:
        table: the table.
        cameras: those that watch it.
        before: how it was told; without another step only its cameras are looked at anew.
    """
    seq = table.seq
    if before is None or before.source is not table or before.seq != seq:
        view = table.view(WATCHER)
        opening, history = table.setup.opening, table.history()
        lines = history[-1]["say"] if history else ()
        before = Known(
            opening.game.info.slug,
            seq,
            tuple(history),
            {question_key(q): q for q in table.questions()},
            over=table.over,
            standing={k: view[k] for k in STANDING if view.get(k) is not None},
            title=opening.game.info.title,
            players=opening.players,
            said=tuple(lines) if before is None else before.said,
            source=table,
        )
    return replace(
        before,
        tasks={repr(sorted(task.items())): task for task in table.tasks()},
        troubles={n.code: n.message for n in notices(table, WATCHER)},
        cameras=_troubled(cameras),
    )


def _troubled(cameras: Sequence[TableCamera]) -> dict[int, tuple[str, str]]:
    """Cameras with trouble, numbered from 1, each with code and message."""
    out = {}
    for camera in cameras:
        shown = camera_state(camera, WATCHER)
        if shown is not None and shown.error is not None:
            out[camera.number + 1] = (shown.error.code, shown.error.message)
    return out


class TableEvents:
    """Follows every table of a session and passes its events to outlets.

    Args:
        session: the server.
        outlets: where the events go.
    """

    def __init__(self, session: Session, outlets: Sequence[Outlet]) -> None:
        self._session = session
        self._outlets = outlets
        self._run_name = secrets.token_hex(4)
        self._told = 0
        self._known: dict[str, Known] = {}
        self._new: list[tuple[Table, Known]] = []
        self._changed: dict[str, None] = {}
        self._more = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._follow, name="events", daemon=True)

    def start(self) -> None:
        """Start; tables opened from now on are followed."""
        self._session.on_open.append(self._meet)
        self._session.hub.listeners.append(self._note)
        self._thread.start()

    def close(self) -> None:
        """Send the last events, and close the outlets."""
        with self._more:
            self._stopping = True
            self._more.notify()
        if self._thread.is_alive():
            self._thread.join(RULE.closing_s)
        for outlet in self._outlets:
            outlet.close()

    def _meet(self, table: Table) -> None:
        """Send a table's state before anything else is done there."""
        known = known_of(table, self._session.cameras_of(table))
        with self._more:
            self._new.append((table, known))
            self._changed[table.id] = None
            self._more.notify()

    def _note(self, table_id: str) -> None:
        with self._more:
            self._changed[table_id] = None
            self._more.notify()

    def _follow(self) -> None:
        while True:
            with self._more:
                while not (self._changed or self._stopping):
                    self._more.wait()
                if not self._changed:
                    return
                met, self._new = self._new, []
                changed, self._changed = self._changed, {}
            for table, known in met:
                self._tell_new(table, known)
            for table_id in changed:
                try:
                    self._look(table_id)
                except StorageError:
                    continue  # the table says so itself, and is looked at again

    def _tell_new(self, table: Table, known: Known) -> None:
        if table.id in self._known:
            return  # opened anew; what is different is told as a difference
        self._known[table.id] = known
        self._tell(
            table.id,
            known,
            {
                "event": "table",
                "title": known.title,
                "players": list(known.players),
                "entries": [dict(entry) for entry in known.entries],
                "over": known.over,
            },
        )
        nothing = Known(known.game, known.seq, known.entries, over=known.over)
        for event in differences(nothing, known, ()):
            self._tell(table.id, known, event)

    def _look(self, table_id: str) -> None:
        before = self._known.get(table_id)
        if before is None:
            return
        hall = self._session.hall
        if hall is not None and not hall.runs(table_id):
            # who runs it tells of it; a table that went there is met anew when it comes back
            if self._session.tables.is_open(table_id) is None:
                del self._known[table_id]
            return
        table = self._session.tables.openable(table_id)
        if table is None:
            del self._known[table_id]
            self._tell(table_id, before, {"event": "table_gone"}, gone=True)
            return
        now = known_of(table, self._session.cameras_of(table), before)
        said = [
            line
            for step in table.steps[-(now.seq - before.seq) :]
            if before.seq < step.seq <= now.seq
            for line in step.data.get("say") or ()
        ]
        now = self._known[table_id] = replace(now, said=tuple(said) or now.said)
        for event in differences(before, now, said):
            self._tell(table_id, now, event)

    def _tell(
        self, table_id: str, known: Known, what: Mapping[str, Any], *, gone: bool = False
    ) -> None:
        self._told += 1
        event = {
            "event": what["event"],
            "id": f"{self._run_name}-{self._told}",
            "at": round(time.time(), 3),
            "table": table_id,
            "game": known.game,
            "seq": known.seq,
            **what,
        }
        for outlet in self._outlets:
            outlet.put(event, None if gone else known)
