"""Leases: which server runs which table, as rows in the database that a hall's servers share.

A row of a server says when it was last heard of, by the database's own clock. A row of a table
says which server runs it, with a number that grows whenever that changes: every write of the
table's steps checks the number in its own transaction, so that a server that lost the table,
and does not know it yet, can write nothing more.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from kibitz.app.common.limits import WAITS
from kibitz.app.common.storage.databases import meta
from kibitz.app.common.storage.kept import LeaseLostError, StorageError
from kibitz.app.common.storage.tables import Storage

metadata = sa.MetaData()

servers = sa.Table(
    "kibitz_servers",
    metadata,
    sa.Column("name", sa.String(120), primary_key=True),
    sa.Column("run", sa.String(40), nullable=False),
    sa.Column("reach", sa.Text, nullable=False),
    sa.Column("machine", sa.String(80), nullable=False),
    sa.Column("beat", sa.Float, nullable=False),
    sa.Column("since", sa.Float, nullable=False),
)
leases = sa.Table(
    "kibitz_leases",
    metadata,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("server", sa.String(120), nullable=False, index=True),
    sa.Column("token", sa.BigInteger, nullable=False),
    sa.Column("home", sa.String(120)),
    sa.Column("camera", sa.Text),
    sa.Column("clock", sa.Float),
)
CHANNEL: Final = "kibitz_hall"
"""Where servers tell each other what changed: `steps TABLE` or `lease TABLE`."""
_NOW = sa.func.extract("epoch", sa.func.clock_timestamp())
_SECRET = "hall_secret"


@dataclass(frozen=True, slots=True)
class HallRule:
    """When a server of a hall counts as gone, and how long callers wait for another.

    Attributes:
        lease_s: until a server that says nothing counts as gone and its tables are taken over; one
            that can say nothing for so long takes no more actions.
        alone_s: until one that hears of no other acts alone, and acknowledges what the database
            did not take: nobody else can know otherwise then.
        patience_s: that a caller waits for a table that nobody runs now.
        answer_s: for the answer of another server.
        again_s: between two tries to reach who runs a table.
        clock_s: that a machine's clock may differ from the database's before it is told.
    """

    lease_s: float = 4.0
    alone_s: float = 60.0
    patience_s: float = 9.0
    answer_s: float = WAITS.answer_s
    again_s: float = WAITS.look_s
    clock_s: float = 5.0

    @property
    def beat_s(self) -> float:
        """Seconds between a server's heartbeats; three may be missed."""
        return self.lease_s / 4

    @property
    def connect_s(self) -> float:
        """Seconds to wait for a connection to another server before it counts as gone."""
        return self.lease_s / 2


@dataclass(frozen=True, slots=True)
class Server:
    """One server of a hall, as its row describes it.

    Attributes:
        name: what it is called; a restart keeps the name.
        reach: the address under which the others call it.
        run: which of its runs, so that a run knows when it was replaced.
        machine: which machine it runs on.
        age_s: seconds since its last sign of life.
        steady_s: seconds for which its signs of life have come without a gap.
    """

    name: str
    reach: str
    run: str
    machine: str
    age_s: float = 0.0
    steady_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of one server to run a table.

    Attributes:
        table: its name.
        server: the name of the server that runs it.
        token: grows whenever that changes.
        home: the server whose machine its camera is plugged into; None: any server will do.
        camera: the number of that camera, where a person chose it on a page.
        clock: what the table's clock showed at the last sign of life, in seconds.
    """

    table: str
    server: str
    token: int
    home: str | None = None
    camera: str | None = None
    clock: float | None = None


class ReplacedError(StorageError):
    """Another process has joined the hall under this server's name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            "server_replaced",
            f"another Kibitz joined the hall as {name!r}; this one runs no table any more: stop "
            "it, or give it a name of its own with --name",
        )


class LeaseBook:
    """The leases and servers of one hall, in its database.

    Args:
        storage: its PostgreSQL.
        me: this server.
        rule: when a server counts as gone.

    Attributes:
        secret: what only this hall knows.
        clock_ahead_s: how far this machine's clock is ahead of the database's.

    Raises:
        StorageError: the database cannot be used, or `name_taken`: a server of another machine
            that is alive is called so.
    """

    def __init__(self, storage: Storage, me: Server, rule: HallRule) -> None:
        self._storage = storage
        self._me = me
        self._rule = rule
        self.clock_ahead_s = 0.0
        with storage.transaction() as db:
            db.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(CHANNEL))))
            metadata.create_all(db)
            self.secret = _secret(db)
            self._join(db)

    def _join(self, db: sa.Connection) -> None:
        me = self._me
        there = db.execute(_servers().where(servers.c.name == me.name).with_for_update()).first()
        lives = there is not None and there.age < self._rule.lease_s
        if there is not None and lives and there.machine != me.machine:
            raise StorageError(
                "name_taken",
                f"a server of this hall at {there.reach} is called {me.name!r} already; give this "
                "one another name with --name",
            )
        db.execute(sa.delete(servers).where(servers.c.name == me.name))
        db.execute(
            sa.insert(servers).values(
                name=me.name, run=me.run, reach=me.reach, machine=me.machine, beat=_NOW, since=_NOW
            )
        )
        # what an earlier run still tries to write is refused from now on
        mine = leases.c.server == me.name
        db.execute(sa.update(leases).where(mine).values(token=leases.c.token + 1))

    def beat(self) -> tuple[Server, ...]:
        """Write a heartbeat; returns every known server, this one included.

        Raises:
            ReplacedError: another process has this server's name now.
        """
        gap = servers.c.beat < _NOW - self._rule.lease_s
        mine = sa.and_(servers.c.name == self._me.name, servers.c.run == self._me.run)
        since = sa.case((gap, _NOW), else_=servers.c.since)
        with self._storage.transaction() as db:
            done = db.execute(sa.update(servers).where(mine).values(since=since, beat=_NOW))
            if not done.rowcount:
                raise ReplacedError(self._me.name)
            there = db.execute(_servers()).all()
        here = time.time()
        self.clock_ahead_s = here - next(r.beat + r.age for r in there)
        return tuple(_server(r) for r in there)

    def leave(self) -> None:
        """Announce that this server ends, so that others may take its tables at once."""
        mine = sa.and_(servers.c.name == self._me.name, servers.c.run == self._me.run)
        with self._storage.transaction() as db:
            if db.execute(sa.delete(servers).where(mine)).rowcount:
                _tell(db, "lease", "")

    def mine(self) -> tuple[Lease, ...]:
        """The leases that this server holds according to the database."""
        wanted = sa.select(leases).where(leases.c.server == self._me.name)
        with self._storage.transaction() as db:
            return tuple(_lease(r) for r in db.execute(wanted))

    def take_from(self, gone: Iterable[str], there: Iterable[str]) -> tuple[Lease, ...]:
        """Take the leases of servers that are gone; only the first taker gets them.

        Args:
            gone: servers that gave no sign of life for too long.
            there: every server whose row is still kept: whoever else has tables has left.
        """
        left = sa.or_(leases.c.server.in_(tuple(gone)), leases.c.server.not_in(tuple(there)))
        free = sa.select(leases.c.table_id).where(left).with_for_update(skip_locked=True)
        with self._storage.transaction() as db:
            wanted = tuple(db.execute(free).scalars())
            if not wanted:
                return ()
            taken = db.execute(
                sa.update(leases)
                .where(leases.c.table_id.in_(wanted))
                .values(server=self._me.name, token=leases.c.token + 1)
                .returning(*leases.c)
            ).all()
            for r in taken:
                _tell(db, "lease", r.table_id)
        return tuple(_lease(r) for r in taken)

    def seek(self, table_id: str, *, steady: bool) -> tuple[Lease, Server | None] | None:
        """The table's lease, taken by this server if nobody holds it; None: no such table.

        Args:
            table_id: the table.
            steady: this server has been alive long enough to call others gone.
        """
        whole = sa.select(leases).where(leases.c.table_id == table_id)
        with self._storage.transaction() as db:
            self._check_run(db)
            row = db.execute(whole).first()
            if row is None:
                row = self._new(db, table_id) or db.execute(whole).first()
            if row is None:
                return None
            if row.server == self._me.name:
                return _lease(row), None
            other = db.execute(_servers().where(servers.c.name == row.server)).first()
            if other is not None and (other.age < self._rule.lease_s or not steady):
                return _lease(row), _server(other)
            # a writer that is at work is waited for, and its commit is seen
            taken = db.execute(
                sa.update(leases)
                .where(leases.c.table_id == table_id, leases.c.token == row.token)
                .values(server=self._me.name, token=leases.c.token + 1)
                .returning(*leases.c)
            ).first()
            if taken is None:  # another server was quicker
                row = db.execute(whole).one()
                other = db.execute(_servers().where(servers.c.name == row.server)).first()
                return _lease(row), None if other is None else _server(other)
            _tell(db, "lease", table_id)
            return _lease(taken), None

    def _new(self, db: sa.Connection, table_id: str) -> sa.Row[tuple[object, ...]] | None:
        from sqlalchemy.dialects.postgresql import insert

        there = sa.table("kibitz_tables", sa.column("id"))
        values = sa.select(
            there.c.id, sa.literal(self._me.name, sa.String), sa.literal(1, sa.BigInteger)
        ).where(there.c.id == table_id)
        return db.execute(
            insert(leases)
            .from_select(["table_id", "server", "token"], values)
            .on_conflict_do_nothing()
            .returning(*leases.c)
        ).first()

    def _check_run(self, db: sa.Connection) -> None:
        run = db.execute(sa.select(servers.c.run).where(servers.c.name == self._me.name)).scalar()
        if run != self._me.run:
            raise ReplacedError(self._me.name)

    def give(self, lease: Lease, to: str) -> bool:
        """Hand a lease to another server; False if it was not this server's any more."""
        own = sa.and_(
            leases.c.table_id == lease.table,
            leases.c.server == self._me.name,
            leases.c.token == lease.token,
        )
        with self._storage.transaction() as db:
            after = {"server": to, "token": leases.c.token + 1}
            done = db.execute(sa.update(leases).where(own).values(**after))
            _tell(db, "lease", lease.table)
            return bool(done.rowcount)

    def settle(self, table_id: str, home: str | None, camera: str | None) -> None:
        """Keep which server's machine a table's camera is plugged into, and which camera."""
        with self._storage.transaction() as db:
            here = leases.c.table_id == table_id
            db.execute(sa.update(leases).where(here).values(home=home, camera=camera))
            _tell(db, "lease", table_id)

    def note_clocks(self, clocks: Iterable[tuple[str, float]]) -> None:
        """Keep what the clocks of running games show now."""
        shown = [{"t": table_id, "c": seconds} for table_id, seconds in clocks]
        if not shown:
            return
        mine = sa.and_(leases.c.table_id == sa.bindparam("t"), leases.c.server == self._me.name)
        with self._storage.transaction() as db:
            db.execute(sa.update(leases).where(mine).values(clock=sa.bindparam("c")), shown)

    def clock_of(self, table_id: str) -> float | None:
        """A table's clock when its server last wrote it."""
        wanted = sa.select(leases.c.clock).where(leases.c.table_id == table_id)
        with self._storage.transaction() as db:
            return db.execute(wanted).scalar()

    def every(self) -> dict[str, Lease]:
        """Every lease of this hall, ordered by table."""
        with self._storage.transaction() as db:
            return {r.table_id: _lease(r) for r in db.execute(sa.select(leases))}

    def tell(self, table_id: str) -> None:
        """Notify the other servers of a change at a table."""
        with self._storage.transaction() as db:
            _tell(db, "steps", table_id)

    def forget(self, table_id: str) -> None:
        """Delete the lease of a table that was deleted."""
        with self._storage.transaction() as db:
            db.execute(sa.delete(leases).where(leases.c.table_id == table_id))
            _tell(db, "steps", table_id)


def check_write(db: sa.Connection, table_id: str, server: str, token: int | None) -> None:
    """Refuse to write to a table that another server runs now, and tell the hall of the change.

    The row stays locked until the writer commits, so that nobody takes the table in between.

    Raises:
        LeaseLostError: another server runs it.
    """
    held = sa.select(leases.c.token).where(
        leases.c.table_id == table_id, leases.c.server == server, leases.c.token == token
    )
    if token is None or db.execute(held.with_for_update(read=True)).first() is None:
        raise LeaseLostError(table_id)
    _tell(db, "steps", table_id)


def _tell(db: sa.Connection, what: str, table_id: str) -> None:
    """Notify the other servers; it reaches them when the transaction is committed."""
    db.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{what} {table_id}")))


def _servers() -> sa.Select[tuple[object, ...]]:
    age, steady = _NOW - servers.c.beat, servers.c.beat - servers.c.since
    return sa.select(*servers.c, age.label("age"), steady.label("steady"))


def _server(r: sa.Row[tuple[object, ...]]) -> Server:
    return Server(r.name, r.reach, r.run, r.machine, float(r.age), float(r.steady))


def _lease(r: sa.Row[tuple[object, ...]]) -> Lease:
    return Lease(r.table_id, r.server, int(r.token), r.home, r.camera, r.clock)


def _secret(db: sa.Connection) -> bytes:
    """The secret by which the hall's servers know each other; it lies in the shared database."""
    kept = db.execute(sa.select(meta.c.value).where(meta.c.name == _SECRET)).scalar()
    if kept is None:
        kept = secrets.token_hex()
        db.execute(sa.insert(meta).values(name=_SECRET, value=kept))
    return bytes.fromhex(str(kept))
