"""Databases that keep tables: their format, timeouts, and what errors mean."""

from __future__ import annotations

import hashlib
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, OperationalError

from kibitz.app.common.errors import Option
from kibitz.app.common.limits import WAITS
from kibitz.app.common.storage.kept import StorageError
from kibitz.app.common.terminal import show_count

FORMAT: Final = 2
"""The format that this version writes; 2 has a checksum for each table and each step."""

metadata = sa.MetaData()

meta = sa.Table(
    "kibitz_meta",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
tables = sa.Table(
    "kibitz_tables",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("header", sa.Text, nullable=False),
    sa.Column("checksum", sa.String(64)),
)
tokens = sa.Table(
    "kibitz_tokens",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(40), sa.ForeignKey("kibitz_tables.id"), nullable=False),
    sa.Column("role", sa.String(10), nullable=False),
    sa.Column("player", sa.String(200)),
)
steps = sa.Table(
    "kibitz_steps",
    metadata,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("kibitz_tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("idem", sa.String(64)),
    sa.Column("checksum", sa.String(64)),
    sa.UniqueConstraint("table_id", "idem"),
)
pictures = sa.Table(
    "kibitz_pictures",
    metadata,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("kibitz_tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("jpeg", sa.LargeBinary, nullable=False),
)
refusals = sa.Table(
    "kibitz_refusals",
    metadata,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("kibitz_tables.id"), primary_key=True),
    sa.Column("idem", sa.String(64), primary_key=True),
    sa.Column("asked", sa.String(64), nullable=False),
    sa.Column("code", sa.String(60), nullable=False),
    sa.Column("message", sa.Text, nullable=False),
)

INDEXES: Final = (
    sa.Index("kibitz_tables_created", tables.c.created),
    sa.Index("kibitz_tokens_table", tokens.c.table_id),
)
"""Indexes that keep the list of tables and the entry to one as quick with many as with few."""


def header_checksum(table_id: object, created: object, header: object) -> str:
    """Checksum of a table's header, over its text as it is kept."""
    return _checksum("table", table_id, created, header)


def step_checksum(
    table_id: object, seq: object, at: object, kind: object, data: object, idem: object
) -> str:
    """Checksum of a step, over its place in its table as well as its content."""
    return _checksum("step", table_id, seq, at, kind, data, idem)


def _checksum(*values: object) -> str:
    # repr tells 1 from 1.0 and from "1", and gives every digit of a time
    text = "\0".join(repr(value) for value in values)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _add_checksums(db: sa.Connection) -> None:
    """Migrate format 1 to 2; what is there now is taken to be undamaged."""
    for name in (tables.name, steps.name):
        db.exec_driver_sql(f"ALTER TABLE {name} ADD COLUMN checksum VARCHAR(64)")
    refusals.create(db)
    sums = steps.update().where(
        steps.c.table_id == sa.bindparam("t"), steps.c.seq == sa.bindparam("s")
    )
    kept = db.execute(sa.select(tables)).all()
    for t in show_count(kept, "bringing tables up to this version"):
        value = header_checksum(t.id, t.created, t.header)
        db.execute(tables.update().where(tables.c.id == t.id).values(checksum=value))
        found = db.execute(sa.select(steps).where(steps.c.table_id == t.id)).all()
        checks = [(s.seq, step_checksum(t.id, s.seq, s.at, s.kind, s.data, s.idem)) for s in found]
        if checks:
            db.execute(sums, [{"t": t.id, "s": seq, "checksum": value} for seq, value in checks])


MIGRATIONS: Mapping[int, Callable[[sa.Connection], None]] = {1: _add_checksums}
"""Steps that bring each older format to the next one; all in one transaction."""


def add_indexes(engine: sa.Engine) -> None:
    """Create the indexes that an older database lacks; it is slower without them."""
    known = sa.inspect(engine)
    for index in INDEXES:
        table = index.table
        if table is None or index.name in {i["name"] for i in known.get_indexes(table.name)}:
            continue
        with suppress(DBAPIError):
            index.create(engine, checkfirst=True)


def migrate(db: sa.Connection, found: int) -> None:
    """Migrate an older database to this version's format, or create an empty one.

    Args:
        db: a connection in a transaction that nobody else writes beside.
        found: the format that was found; 0 where there is none.
    """
    if not found:
        metadata.create_all(db)
        db.execute(meta.delete().where(meta.c.name == "format"))
        db.execute(meta.insert().values(name="format", value=str(FORMAT)))
        return
    for old in range(found, FORMAT):
        MIGRATIONS[old](db)
    db.execute(meta.update().where(meta.c.name == "format").values(value=str(FORMAT)))


@dataclass(frozen=True, slots=True)
class StorageLimits:
    """Timeouts of the storage.

    Attributes:
        lock_s: seconds that a writer waits for another one, and a caller for a free line.
        answer_s: seconds after which a PostgreSQL that works on one statement, or says nothing at
            all, is given up: every line to it is cut, and whoever waits is told.
        rest_s: seconds that it is left alone then; callers are told at once meanwhile.
    """

    lock_s: float = 3.0
    answer_s: float = WAITS.soon_s
    rest_s: float = WAITS.soon_s


class HungError(Exception):
    """The database did not answer a moment ago and is not asked again yet."""


class Connections:
    """Open connections to a PostgreSQL, which are cut when it does not answer in time.

    The server's own timeouts do not help where the server itself stands still, and the system
    keeps such a line open for ever.
    """

    def __init__(self, engine: sa.Engine, limits: StorageLimits) -> None:
        self._limits = limits
        self._open: dict[int, Any] = {}
        self._rests_until = 0.0
        self._mine = threading.local()

        @sa.event.listens_for(engine, "connect", insert=True)
        def _opened(line: Any, _record: object) -> None:
            self._open[id(line)] = line

        @sa.event.listens_for(engine, "close")
        def _closed(line: Any, _record: object) -> None:
            self._open.pop(id(line), None)

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Cut every connection if the block takes longer than `answer_s`."""
        if time.monotonic() < self._rests_until:
            raise HungError
        timer = threading.Timer(self._limits.answer_s, self._cut)
        timer.daemon = True
        self._mine.timer = timer
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def lift_limit(self) -> None:
        """Lift the time limit for the current block, as it reads a whole database."""
        self._mine.timer.cancel()

    def is_timeout(self, error: DBAPIError) -> bool:
        """True if the error comes from a database that does not answer."""
        said = str(error.orig).lower()
        if "connection timeout" in said or "timeout expired" in said:
            self._rest()
        return time.monotonic() < self._rests_until or "statement timeout" in said

    def _rest(self) -> None:
        self._rests_until = time.monotonic() + self._limits.rest_s

    def _cut(self) -> None:
        self._rest()
        for line in tuple(self._open.values()):
            with (
                suppress(OSError, line.Error),
                socket.fromfd(line.fileno(), socket.AF_INET, socket.SOCK_STREAM) as twin,
            ):
                twin.shutdown(socket.SHUT_RDWR)


def hung_error(where: str) -> StorageError:
    """The error for a database that does not answer."""
    return StorageError(
        "storage_hung", f"the database {where} does not answer; is its machine at work?"
    )


def is_damage(error: DBAPIError) -> bool:
    """True if the database could not read its own files."""
    said = str(error.orig).lower()
    return any(x in said for x in ("malformed", "not a database", "invalid page", "corrupt"))


def explain_error(error: DBAPIError, where: str) -> StorageError:
    """A database's error as a `StorageError` that says what to do."""
    said = str(error.orig)
    text = said.lower()
    if "full" in text or "no space" in text or "disk i/o" in text:
        return StorageError(
            "storage_full", f"the disk that holds {where} is full: free some space ({said})"
        )
    if any(x in text for x in ("locked", "busy", "deadlock", "lock timeout")):
        return StorageError(
            "storage_locked", f"{where} is locked by another program; close that one ({said})"
        )
    if is_damage(error):
        return StorageError(
            "storage_damaged",
            f"{where} holds no readable tables ({said}); restore a copy or give another ",
            Option("data"),
        )
    if "unable to open" in text:
        return StorageError(
            "storage_unavailable",
            f"{where} cannot be used now: {said.strip()}; may it be written to? "
            "give another with ",
            Option("data"),
        )
    if isinstance(error, OperationalError) or "readonly" in text:
        return StorageError("storage_unavailable", f"{where} cannot be used now: {said.strip()}")
    return StorageError("storage_failed", f"{where} did not take the change: {said.strip()}")


def file_identity(file: Path) -> tuple[int, int] | None:
    """Device and inode of the file at a path; None if there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def open_postgres(url: str, limits: StorageLimits) -> sa.Engine:
    """An engine for a PostgreSQL, with timeouts for statements and locks."""
    lock, hung_ms = round(limits.lock_s * 1000), round(limits.answer_s * 1000)
    waits = {
        "connect_timeout": max(2, round(limits.lock_s)),
        "options": f"-c lock_timeout={lock} -c statement_timeout={hung_ms}",
        "keepalives_idle": 10,
        "tcp_user_timeout": hung_ms,
    }
    return sa.create_engine(
        url, pool_pre_ping=True, pool_timeout=limits.lock_s, connect_args=waits
    )


def close_after_use(engine: sa.Engine) -> None:
    """Close each connection when it returns to the pool, instead of keeping it open."""

    @sa.event.listens_for(engine, "checkin")
    def _returned(_line: Any, record: Any) -> None:
        record.invalidate()


def open_sqlite(url: str, limits: StorageLimits) -> sa.Engine:
    """An engine for a SQLite file, written through to the disk at every commit."""
    engine = sa.create_engine(url, connect_args={"timeout": limits.lock_s})

    @sa.event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
        # a damaged letter is found by the checksum; it must not stop the reading
        connection.text_factory = lambda b: b.decode("utf-8", "replace")
        # FULL: a commit is on the disk before anything is acknowledged
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine
