"""Session of a running server: tables, cameras, reader, host key, and open pages."""

from __future__ import annotations

import asyncio
import hmac
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from kibitz.app.cameras.settling import RestRule, rule_for
from kibitz.app.cameras.state import camera_state
from kibitz.app.cameras.table_camera import TableCamera
from kibitz.app.common.materials.named import can_be_read
from kibitz.app.common.storage.kept import StorageError
from kibitz.app.common.storage.upkeep import taught_name
from kibitz.app.hall.member import Hall
from kibitz.app.reading.frames import FrameReader
from kibitz.app.reading.profile import Profile
from kibitz.app.reading.request import request_of_table
from kibitz.app.reading.teaching import format_taught, parse_taught, reads_taught
from kibitz.app.server.access.certificate import Papers
from kibitz.app.server.access.gate import Gate
from kibitz.app.server.access.security import RateLimit
from kibitz.app.server.background.booth import Booth
from kibitz.app.server.background.retention import Retention
from kibitz.app.tables.air import AirTable, live_of
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.state import table_view
from kibitz.app.tables.table import Table
from kibitz.app.wire.tables import CameraState, TableView
from kibitz.vision.boards.letters.taught import Taught
from kibitz.vision.request import ReadRequest


@dataclass(eq=False)
class Subscriber:
    """An open page; it is woken once for several changes and sends the newest state."""

    loop: asyncio.AbstractEventLoop
    awake: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Wake the page from any thread."""
        try:
            self.loop.call_soon_threadsafe(self.awake.set)
        except RuntimeError:
            return  # its loop has closed: the page is gone


class LiveHub:
    """Open pages by table.

    Attributes:
        listeners: called with a table's name at every change, from any thread; they may not wait.
    """

    def __init__(self) -> None:
        self.listeners: list[Callable[[str], None]] = []
        self._lock = threading.Lock()
        self._subscribers: dict[str, set[Subscriber]] = {}

    def join(self, table_id: str) -> Subscriber:
        """Add a page to a table; called from the page's own event loop."""
        subscriber = Subscriber(asyncio.get_running_loop())
        with self._lock:
            self._subscribers.setdefault(table_id, set()).add(subscriber)
        return subscriber

    def leave(self, table_id: str, subscriber: Subscriber) -> None:
        """Remove a page."""
        with self._lock:
            here = self._subscribers.get(table_id, set())
            here.discard(subscriber)
            if not here:
                self._subscribers.pop(table_id, None)

    def wake(self, table_id: str) -> None:
        """Wake the pages of a table that changed."""
        with self._lock:
            here = tuple(self._subscribers.get(table_id, ()))
        for subscriber in here:
            subscriber.wake()
        for listener in tuple(self.listeners):
            listener(table_id)

    def watching(self, table_id: str) -> int:
        """Number of open pages of a table."""
        with self._lock:
            return len(self._subscribers.get(table_id, ()))


class Agreements:
    """Players who have agreed, by table; any other action there voids it."""

    def __init__(self) -> None:
        self._said: dict[str, tuple[int, str, frozenset[str]]] = {}
        self._lock = threading.Lock()

    def missing(self, table: Table, kind: str, player: str) -> tuple[str, ...]:
        """Note that a player agrees; returns the players who have not yet."""
        with self._lock:
            seq, what, before = self._said.get(table.id, (table.seq, kind, frozenset()))
            if (seq, what) != (table.seq, kind):
                before = frozenset()
            said = before | {player}
            self._said[table.id] = (table.seq, kind, said)
            return tuple(p for p in table.setup.opening.players if p not in said)


@dataclass(eq=False)
class Session:
    """Everything that one running server holds.

    Attributes:
        tables: the tables.
        reader: reads pictures.
        host_key: lets its holder set up tables from another machine; None: nobody but this one.
        open_to_all: whether anybody who reaches the server may set up tables.
        allowed_hosts: names under which the server is reached, besides addresses and localhost.
        rest: when a position before a camera counts as at rest.
        profiles: what is known of tables that were calibrated, by table.
        papers: the certificate of a server that speaks HTTPS.
        address: where other devices reach this server, if its own pages have another address.
        delay_s: so long spectators of new tables are behind, where nothing else is asked for.
        directed: somebody looks after the tables of this server, so that a judge can be called.
        most_watching: how many pages may look at one table at once.
        retention: how long pictures are kept.
        gate: who is let in.
        demo: whether a bundled game is being played, as `kibitz demo` does.
        hall: the hall that it belongs to, where several servers share a database.
        listeners: called with a table's name when it changed, at this server or another.
        language: the code of the language that callers are answered in where neither they nor
            their table say one; None for the one that each browser asks for.
        on_open: called with each table when it is first opened, before anything is done there.
    """

    tables: Tables
    reader: FrameReader
    host_key: str | None = None
    open_to_all: bool = False
    allowed_hosts: frozenset[str] = frozenset()
    rest: RestRule = field(default_factory=RestRule)
    papers: Papers | None = None
    address: str | None = None
    delay_s: int = 0
    directed: bool = False
    most_watching: int = 500
    language: str | None = None
    retention: Retention = field(default_factory=Retention)
    gate: Gate = field(default_factory=Gate)
    hub: LiveHub = field(default_factory=LiveHub)
    calls: RateLimit = field(default_factory=lambda: RateLimit(per_second=60.0, burst=300))
    tries: RateLimit = field(default_factory=lambda: RateLimit(per_second=0.5, burst=30))
    new_tables: RateLimit = field(default_factory=lambda: RateLimit(per_second=0.5, burst=30))
    demo: bool = False
    profiles: dict[str, Profile] = field(default_factory=dict)
    agreements: Agreements = field(default_factory=Agreements)
    hall: Hall | None = None
    listeners: list[Callable[[str], None]] = field(default_factory=list)
    on_open: list[Callable[[Table], None]] = field(default_factory=list)
    _cameras: dict[str, tuple[Table, TableCamera]] = field(default_factory=dict)
    _listening: dict[str, Table] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Open the booth from which its tables go on air."""
        self.booth = Booth(self.tables.storage)

    def enter(self, table_id: str, token: str | None) -> tuple[Table, Actor] | None:
        """The table, and the role that this token gives there; None if it gives none.

        Who only watches gets the table as it is on air, and never the table itself.
        """
        found = self.tables.actor(table_id, token)
        if found is None:
            return None
        table, actor = found
        self.listen(table)
        return (self.booth.shown(table), actor) if actor.role == "watch" else found

    def camera_shown(self, table: Table, actor: Actor) -> CameraState | None:
        """State of a table's camera as a person may know it; on air it is as late as the table."""
        if isinstance(table, AirTable):
            return self.booth.camera(table.live)
        return camera_state(self.camera_of(table), actor)

    def listen(self, table: Table) -> None:
        """Wake the pages of a table whenever it changes."""
        with self._lock:
            if self._listening.get(table.id) is not table:
                self._listening[table.id] = table
                table.listeners.append(partial(self.hub.wake, table.id))
                for meet in tuple(self.on_open):
                    meet(table)

    def view(self, table: Table, actor: Actor, language: str) -> TableView:
        """Everything that a page needs to show a table to a person."""
        return table_view(
            table,
            actor,
            self.camera_shown(table, actor),
            language,
            directed=self.directed,
            delay_s=self.booth.air_of(live_of(table)).delay_s,
        )

    def camera(self, table: Table, number: int = 0, panel: int | None = None) -> TableCamera:
        """A camera of a table, created when its first frame comes.

        Args:
            table: what it watches.
            number: which of the table's cameras, the first being the one that pages show.
            panel: which of nine joined boards it watches, where it watches only one.
        """
        key = f"{table.id}/{number}" if number else table.id
        with self._lock:
            kept = self._cameras.get(key)
            if kept is not None and kept[0] is table:
                return kept[1]
            request = self.look_for(table)
            profile = self.profiles.get(table.id)
            if profile is not None:
                request = profile.relative(profile.placed(request, table.setup.opening.players))
            if panel is not None:
                request = request.on_panel(panel)
            wake = partial(self.hub.wake, table.id)
            camera = TableCamera(
                table,
                self.reader,
                request,
                wake,
                rule_for(table.setup.pace, self.rest),
                number=number,
                keeps=self.retention.keeps,
                readable=can_be_read(table.setup.tiles),
            )
            self._let_go()
            self._cameras[key] = (table, camera)
            return camera

    def look_for(self, table: Table) -> ReadRequest:
        """Request for reading pictures of a table, wherever its board lies."""
        setup = table.setup
        info, players = setup.opening.game.info, len(setup.opening.players)
        return request_of_table(info, players, setup.tiles, self.taught(table))

    def taught(self, table: Table) -> Taught | None:
        """Taught tiles of a table; None if there are none."""
        opening = table.setup.opening
        if not reads_taught(opening.game.info, len(opening.players)):
            return None
        _, text = self.tables.storage.document(taught_name(table.id))
        return parse_taught(text) if text else None

    def teach(self, table: Table, taught: Taught | None) -> None:
        """Read taught tiles from now on, also after a restart; None forgets them."""
        storage = self.tables.storage
        if taught is None:
            storage.drop_document(taught_name(table.id))
        else:
            storage.put_document(taught_name(table.id), format_taught(taught, table.setup.tiles))
        for camera in self.cameras_of(table):
            camera.read_taught(taught)

    def _let_go(self) -> None:
        """Forget cameras and listeners of tables that are no longer open."""
        there = {id(table) for table in self.tables.open_tables()}
        for kept in [k for k, (table, _) in self._cameras.items() if id(table) not in there]:
            del self._cameras[kept]
        for kept in [k for k, table in self._listening.items() if id(table) not in there]:
            del self._listening[kept]

    def camera_of(self, table: Table) -> TableCamera | None:
        """First camera of a table; None if no frame ever came."""
        kept = self._cameras.get(table.id)
        return kept[1] if kept is not None and kept[0] is table else None

    def cameras(self) -> list[TableCamera]:
        """Cameras of all open tables that have sent a frame."""
        return [camera for _, camera in tuple(self._cameras.values())]

    def cameras_of(self, table: Table) -> list[TableCamera]:
        """Cameras of a table that have sent a frame, first one first."""
        kept = tuple(self._cameras.values())
        here = [camera for held, camera in kept if held is table]
        return sorted(here, key=lambda camera: camera.number)

    def delete(self, table_id: str) -> bool:
        """Delete a table with all that is kept; its pages and cameras are disconnected."""
        gone = self.tables.delete(table_id)
        with self._lock:
            self._let_go()
        self.profiles.pop(table_id, None)
        self.hub.wake(table_id)
        return gone

    def publish(self, table_id: str, key: str | None) -> str | None:
        """Publish a game under a key, or end that; returns the key in force."""
        kept = self.tables.storage.publish(table_id, key)
        if self.hall is not None:
            self.hall.tell(table_id)
        self.tell_listeners(table_id)
        return kept

    def tell_listeners(self, table_id: str) -> None:
        """Tell listeners that a table changed anywhere in the hall; empty: any may have."""
        for listener in tuple(self.listeners):
            listener(table_id)

    def drop_table(self, table_id: str) -> None:
        """Drop a table that another server of the hall runs, and notify its pages."""
        if self.hall is not None:
            self.hall.recheck_lease(table_id)
        self.tables.forget(table_id)
        with self._lock:
            self._let_go()
        self.hub.wake(table_id)

    def is_host_key(self, key: str | None) -> bool:
        """True if this is the key of the server's host."""
        if self.host_key is None or key is None:
            return False
        return hmac.compare_digest(key.encode(), self.host_key.encode())

    def close(self) -> None:
        """Write everything out and close."""
        hall, self.hall = self.hall, None
        if hall is not None:
            for table in self.tables.open_tables():
                with suppress(StorageError):  # told when the tables are closed
                    table.saving.save()
            hall.stop()
        self.tables.close()
