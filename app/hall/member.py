"""A server as a member of a hall: its heartbeats, its leases, and notices from the others."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

import sqlalchemy as sa

from kibitz.app.common.storage.kept import LeaseLostError, StorageError
from kibitz.app.common.storage.tables import Storage
from kibitz.app.common.terminal import RepeatLimiter, show_progress
from kibitz.app.hall.leases import (
    CHANNEL,
    HallRule,
    Lease,
    LeaseBook,
    ReplacedError,
    Server,
    check_write,
)

KEY_BYTES: Final = 24


class Floor(Protocol):
    """Interface by which a hall controls the tables in memory."""

    def opens(self, lease: Lease) -> None:
        """Open a table that this server runs from now on."""

    def drops(self, table_id: str) -> None:
        """Drop a table that another server runs now."""

    def gives(self, table_id: str) -> bool:
        """Write a table out before another server runs it; False if that failed."""

    def changed(self, table_id: str) -> None:
        """Reload a table that changed here or elsewhere; empty: any may have changed."""

    def clocks(self) -> Mapping[str, float]:
        """Clocks of the timed games that are being played here."""


@dataclass(frozen=True, slots=True)
class Place:
    """The server that runs a table: this one, another, or none as there is no such table."""

    here: bool
    server: Server | None = None
    home: str | None = None


@dataclass
class _Known:
    """Servers and leases as this server last saw them."""

    servers: tuple[Server, ...] = ()
    elsewhere: dict[str, tuple[Place, float]] = field(default_factory=dict)


class Hall:
    """A server's membership in a hall: several servers on one PostgreSQL.

    Args:
        storage: what they share.
        name: what this server is called, also after a restart.
        reach: the address under which the others call it, `http://HOST:PORT`.
        machine: which machine it runs on.
        rule: when a server counts as gone.

    Raises:
        StorageError: the database cannot be used, or the name belongs to another machine.
    """

    def __init__(
        self, storage: Storage, name: str, reach: str, machine: str, rule: HallRule | None = None
    ) -> None:
        self.rule = rule or HallRule()
        self.me = Server(name, reach.rstrip("/"), secrets.token_hex(8), machine)
        self._storage = storage
        self._valid_until = time.monotonic() + self.rule.lease_s
        self._book = LeaseBook(storage, self.me, self.rule)
        self._held: dict[str, Lease] = {}
        self._known = _Known((self.me,))
        self._floor: Floor | None = None
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._soon = threading.Event()
        self._threads: list[threading.Thread] = []
        self._sparing = RepeatLimiter()
        self._replaced = False
        storage.fence = self._fence

    @property
    def secret(self) -> bytes:
        """The secret by which the servers of this hall know each other."""
        return self._book.secret

    @property
    def host_key(self) -> str:
        """The key with which the hall's host sets up tables at any server."""
        made = hmac.new(self.secret, b"host key", hashlib.sha256).digest()
        return base64.urlsafe_b64encode(made[:KEY_BYTES]).decode()

    def start(self, floor: Floor) -> None:
        """Start the threads that write heartbeats and listen for notices.

        Args:
            floor: the tables in memory.
        """
        self._floor = floor
        for name, job in (("hall", self._beat_on), ("hall-news", self._listen)):
            thread = threading.Thread(target=job, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Leave the hall: others may take this server's tables at once."""
        self._stop.set()
        self._soon.set()
        for thread in self._threads:
            thread.join(self.rule.lease_s + self.rule.beat_s)
        self._threads.clear()
        self._valid_until = 0.0
        try:
            self._book.leave()
        except StorageError as error:
            show_progress(f"the hall could not be told that this server ends: {error.message}")

    # --- who runs what --------------------------------------------------------------------------

    @property
    def in_touch(self) -> bool:
        """True if this server's last heartbeat is recent enough to run tables."""
        return not self._replaced and time.monotonic() < self._valid_until

    @property
    def alone(self) -> bool:
        """True if every other server had long been gone at the last heartbeat.

        One that only seems gone, on a busy machine, may run this server's tables soon.
        """
        others = (s for s in self._known.servers if s.name != self.me.name)
        return all(s.age_s >= self.rule.alone_s for s in others)

    def runs(self, table_id: str) -> bool:
        """True if this server runs a table now, without asking the database."""
        return table_id in self._held and self.in_touch

    def servers(self) -> tuple[Server, ...]:
        """The servers that are alive, this one included."""
        return tuple(s for s in self._known.servers if self._lives(s))

    def _lives(self, server: Server) -> bool:
        return server.age_s < self.rule.lease_s

    def seek(self, table_id: str, *, fresh: bool = False) -> Place | None:
        """The server that runs a table, this one from now on if none does; None: no such table.

        Args:
            table_id: the table.
            fresh: ask the database, whatever was known a moment ago.

        Raises:
            StorageError: the database cannot be asked.
        """
        if self.runs(table_id):
            return Place(here=True, home=self._held[table_id].home)
        if not fresh:
            place, until = self._known.elsewhere.get(table_id, (None, 0.0))
            if place is not None and time.monotonic() < until:
                return place
        found = self._book.seek(table_id, steady=self._is_steady())
        if found is None:
            return None
        lease, server = found
        if lease.server == self.me.name:
            self._take(lease)
            return Place(here=True, home=lease.home)
        place = Place(here=False, server=server, home=lease.home)
        if server is not None:
            until = time.monotonic() + self.rule.beat_s
            self._known.elsewhere[table_id] = (place, until)
        return place

    def hold(self, table_id: str) -> None:
        """Take a table's lease before the table is opened.

        Raises:
            LeaseLostError: another server runs it.
            StorageError: the database cannot be asked.
        """
        place = self.seek(table_id, fresh=True)
        if place is not None and not place.here:
            raise LeaseLostError(table_id)

    def keeps(self, table_id: str) -> bool:
        """True if this server may go on running a table that it has open.

        Where nobody can be asked it may: what it writes is refused if another server runs it.
        """
        if self.runs(table_id):
            return True
        try:
            place = self.seek(table_id, fresh=True)
        except StorageError:
            return True
        return place is None or place.here

    def recheck_lease(self, table_id: str) -> None:
        """Look up a table's lease anew after a refused write or another server's claim."""
        with self._lock:
            self._held.pop(table_id, None)
            self._known.elsewhere.pop(table_id, None)
        self._soon.set()

    def clock_of(self, table_id: str) -> float | None:
        """A table's clock as its last server wrote it."""
        return self._book.clock_of(table_id)

    def tell(self, table_id: str) -> None:
        """Notify the other servers of a change at a table."""
        self._book.tell(table_id)

    def forget(self, table_id: str) -> None:
        """Delete the lease of a table that was deleted."""
        with self._lock:
            self._held.pop(table_id, None)
        self._book.forget(table_id)

    def settle(self, table_id: str, camera: str | None, *, here: bool) -> None:
        """Keep that a table's camera is plugged in here, or that it has none any more.

        Args:
            table_id: the table.
            camera: its number, where a person chose it on a page and nobody else will again.
            here: whether it is plugged in at this machine.
        """
        self._book.settle(table_id, self.me.name if here else None, camera)

    def send_home(self, table_id: str, name: str) -> None:
        """Let a named server run a table whenever that server is alive.

        Args:
            table_id: the table.
            name: the server.
        """
        self._book.settle(table_id, name, None)
        self._soon.set()

    def is_elsewhere(self, table_id: str) -> bool:
        """True if another server runs a table; one whose camera is plugged in here returns.

        Who runs it meanwhile writes what is left and lets go: that is waited for.

        Raises:
            StorageError: the database cannot be asked.
        """
        place = self.seek(table_id, fresh=True)
        if place is None or place.here:
            return False
        return place.home != self.me.name or not self.bring_here(table_id)

    def bring_here(self, table_id: str) -> bool:
        """Take over a table whose camera is plugged in here; False if that failed.

        Who runs it now writes what is left and lets go.
        """
        ends = time.monotonic() + self.rule.patience_s
        while time.monotonic() < ends:
            place = self.seek(table_id, fresh=True)
            if place is None or place.here:
                return place is not None
            self._stop.wait(self.rule.again_s)
        return False

    def _take(self, lease: Lease) -> None:
        with self._lock:
            self._held[lease.table] = lease
            self._known.elsewhere.pop(lease.table, None)

    def _fence(self, db: sa.Connection, table_id: str) -> None:
        lease = self._held.get(table_id)
        check_write(db, table_id, self.me.name, None if lease is None else lease.token)

    def _is_steady(self) -> bool:
        """True if this server itself was alive long enough to judge others as gone.

        After the database itself was away nobody has given a sign of life; who comes back first
        must not take the tables of those who come back next.
        """
        own = next((s for s in self._known.servers if s.run == self.me.run), self.me)
        return own.steady_s >= self.rule.lease_s or self.alone_in_book()

    def alone_in_book(self) -> bool:
        """True if no other server is registered, so that there is none to wait for."""
        return all(s.run == self.me.run for s in self._known.servers)

    # --- signs of life --------------------------------------------------------------------------

    def _beat_on(self) -> None:
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                self.beat()
            except ReplacedError as error:
                self._replaced = True
                self._sparing.tell(error.message)
                self._drop_all()
            except StorageError as error:
                self._sparing.tell(f"the hall cannot be reached: {error.message}")
            self._soon.wait(max(0.0, self.rule.beat_s - (time.monotonic() - began)))
            self._soon.clear()

    def beat(self) -> None:
        """Write a heartbeat, and open or drop tables as their leases say.

        Raises:
            StorageError: the database cannot be reached.
        """
        began = time.monotonic()
        servers = self._book.beat()
        self._valid_until = began + self.rule.lease_s
        self._known.servers = servers
        ahead = self._book.clock_ahead_s
        if abs(ahead) > self.rule.clock_s:
            side = "ahead of" if ahead > 0 else "behind"
            self._sparing.tell(
                f"this machine's clock is {abs(ahead):.0f} s {side} the database's; links run out "
                "and calls are dated by it: let both be set by the network"
            )
        floor = self._floor
        if floor is None:
            return
        there = {s.name for s in servers}
        alive = {s.name for s in servers if self._lives(s)}
        with self._lock:
            before = dict(self._held)
        mine = {lease.table: lease for lease in self._book.mine()}
        self._follow(before, mine, alive, floor)
        if self._is_steady():
            for lease in self._book.take_from(there - alive, there):
                self._take(lease)
                floor.opens(lease)
        self._book.note_clocks(floor.clocks().items())

    def _follow(
        self,
        before: Mapping[str, Lease],
        mine: Mapping[str, Lease],
        alive: set[str],
        floor: Floor,
    ) -> None:
        """Drop tables that others run, open those given here, hand over those of others."""
        for table_id in before.keys() - mine.keys():
            with self._lock:  # it may have been taken since the book was read
                if self._held.get(table_id) is not before[table_id]:
                    continue
                del self._held[table_id]
            floor.drops(table_id)
        for table_id, lease in mine.items():
            with self._lock:
                held = self._held.get(table_id)
                newer = held is None or held.token < lease.token
                if newer or held is before.get(table_id):
                    self._take(lease)
            if newer:
                if held is not None:
                    floor.drops(table_id)  # another server had it in between
                floor.opens(lease)
            if lease.home not in (None, self.me.name) and lease.home in alive:
                self._give(lease, str(lease.home), floor)

    def _give(self, lease: Lease, to: str, floor: Floor) -> None:
        if floor.gives(lease.table) and self._book.give(lease, to):
            with self._lock:
                self._held.pop(lease.table, None)
            floor.drops(lease.table)

    def _drop_all(self) -> None:
        with self._lock:
            gone, self._held = tuple(self._held), {}
        for table_id in gone:
            if self._floor is not None:
                self._floor.drops(table_id)

    # --- news -----------------------------------------------------------------------------------

    def _listen(self) -> None:
        import psycopg

        address = self._storage.shared_address
        if address is None:
            return
        patience = round(self.rule.lease_s * 1000)
        while not self._stop.is_set():
            try:
                with psycopg.connect(
                    address,
                    autocommit=True,
                    connect_timeout=max(2, round(self.rule.connect_s)),
                    tcp_user_timeout=patience,
                    keepalives_idle=max(1, round(self.rule.lease_s)),
                ) as line:
                    line.execute(f"LISTEN {CHANNEL}")
                    self._hear("steps", "")  # what was told while nobody listened is not known
                    while not self._stop.is_set():
                        self._news_of(line)
            except (psycopg.Error, OSError):
                self._stop.wait(self.rule.beat_s)

    def _news_of(self, line: object) -> None:
        import psycopg

        assert isinstance(line, psycopg.Connection)
        came = False
        for note in line.notifies(timeout=self.rule.beat_s, stop_after=1):
            came = True
            what, _, table_id = note.payload.partition(" ")
            self._hear(what, table_id)
        if not came:
            line.execute("SELECT 1")  # a line that was cut says so now, not when it is too late

    def _hear(self, what: str, table_id: str) -> None:
        if what == "lease":
            self._known.elsewhere.pop(table_id, None)
            if not self.runs(table_id) or not table_id:
                self._soon.set()
        if self._floor is not None:
            self._floor.changed(table_id)
