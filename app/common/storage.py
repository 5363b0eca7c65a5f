"""Keeps tables for good: an append-only list of steps each, and a picture of each position."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from kibitz.app.common.addresses import parse_address, without_password
from kibitz.app.common.errors import CommandError
from kibitz.app.common.upkeep import Upkeep

FORMAT = 1
FILE_NAME = "tables.sqlite3"
BUSY_SECONDS = 5

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
    sa.UniqueConstraint("table_id", "idem"),
)
pictures = sa.Table(
    "kibitz_pictures",
    metadata,
    sa.Column("table_id", sa.String(40), sa.ForeignKey("kibitz_tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("jpeg", sa.LargeBinary, nullable=False),
)


_NEW_STEP, _NEW_PICTURE = steps.insert(), pictures.insert()


class StorageError(CommandError):
    """Something is wrong with the place where tables are kept; `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def passing(self) -> bool:
        """Whether it may work again later (a full disk, a lock), so that trying on makes sense."""
        return self.code in ("storage_full", "storage_locked", "storage_unavailable")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened at a table, as it is kept.

    Attributes:
        seq: 1, 2, 3 ... without gaps in one table.
        at: seconds since 1970.
        kind: `told`, `seen`, `undo`, `correct` ...
        data: what happened, as JSON.
        idem: hash of the idempotency key it was asked for with.
        picture: the settled position as a JPEG; not loaded with the list of steps.
    """

    seq: int
    at: float
    kind: str
    data: Mapping[str, Any]
    idem: str | None = None
    picture: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A kept token: its hash, and what it lets its holder be."""

    hash: str
    role: str
    player: str | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A kept table: how it was set up."""

    id: str
    created: float
    header: Mapping[str, Any]


def default_data() -> str:
    """Where tables are kept when nobody says where: `KIBITZ_DATA`, else the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return os.environ.get("KIBITZ_DATA") or str(Path(base) / "kibitz")


def database_url(data: str) -> str:
    """The database address of a folder or an address as `--data` takes it."""
    if "://" not in data:
        return f"sqlite:///{Path(data).expanduser() / FILE_NAME}"
    scheme, _, rest = data.partition("://")
    if scheme in ("postgres", "postgresql"):
        address = parse_address(data)
        written = address.full.partition("://")[2] if address.host and address.sure else rest
        return f"postgresql+psycopg://{written}"
    return data


class Storage(Upkeep):
    """Tables in a database: SQLite in a folder, or PostgreSQL by address.

    What a method has returned from is on the disk: it survives the process being killed.
    """

    def __init__(self, data: str | None = None) -> None:
        given = data or default_data()
        self.where = without_password(given)
        url = database_url(given)
        try:
            if "://" not in given:
                # fleets and hands are in it: on a shared machine they are nobody else's business
                Path(given).expanduser().mkdir(mode=0o700, parents=True, exist_ok=True)
            self._engine = _make_engine(url)
        except OSError as error:
            reason = error.strerror or str(error)
            raise StorageError(
                "storage_unavailable",
                f"cannot use the data folder {self.where}: {reason}; give another with --data",
            ) from error
        except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ModuleNotFoundError) as error:
            raise StorageError(
                "bad_data_address",
                "--data: expected a folder, sqlite:///FILE or postgresql://USER@HOST/NAME "
                f"({error})",
            ) from error
        try:
            with self._guard():
                self._prepare()
        except StorageError:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def _prepare(self) -> None:
        if sa.inspect(self._engine).has_table(meta.name):
            with self._engine.connect() as db:
                kept = db.execute(sa.select(meta.c.value).where(meta.c.name == "format")).scalar()
            found = int(kept or 0)
            if found > FORMAT:
                raise StorageError(
                    "newer_version",
                    f"the tables in {self.where} were written by a newer Kibitz (format {found}, "
                    f"this one knows {FORMAT}); update Kibitz, or give another place with --data",
                )
            if found == FORMAT:
                return
        with self._engine.begin() as db:
            metadata.create_all(db)
            if not db.execute(sa.select(meta.c.value).where(meta.c.name == "format")).scalar():
                db.execute(meta.insert().values(name="format", value=str(FORMAT)))

    def create_table(self, row: TableRow, given: tuple[TokenRow, ...]) -> None:
        """Keep a new table with its tokens, all or nothing."""
        with self._guard(), self._engine.begin() as db:
            db.execute(
                tables.insert().values(id=row.id, created=row.created, header=_text(row.header))
            )
            _insert_tokens(db, row.id, given)

    def add_tokens(self, table_id: str, given: tuple[TokenRow, ...]) -> None:
        """Keep further tokens of a table."""
        with self._guard(), self._engine.begin() as db:
            _insert_tokens(db, table_id, given)

    def append(self, table_id: str, batch: tuple[Step, ...]) -> None:
        """Keep steps and their pictures, all or nothing.

        Raises:
            StorageError: `written_elsewhere` if a step with such a number is there already.
        """
        with self._guard(), self._engine.begin() as db:
            _one_at_a_time(db, table_id)
            for step in batch:
                row = {"table_id": table_id, "seq": step.seq, "at": step.at, "kind": step.kind}
                db.execute(_NEW_STEP, {**row, "data": _text(step.data), "idem": step.idem})
                if step.picture is not None:
                    kept = {"table_id": table_id, "seq": step.seq, "jpeg": step.picture}
                    db.execute(_NEW_PICTURE, kept)

    def table_rows(self) -> tuple[TableRow, ...]:
        """Every table, the newest first."""
        with self._guard(), self._engine.connect() as db:
            rows = db.execute(sa.select(tables).order_by(tables.c.created.desc()))
            return tuple(TableRow(r.id, r.created, json.loads(r.header)) for r in rows)

    def table_row(self, table_id: str) -> TableRow | None:
        """One table, or None."""
        with self._guard(), self._engine.connect() as db:
            r = db.execute(sa.select(tables).where(tables.c.id == table_id)).first()
            return None if r is None else TableRow(r.id, r.created, json.loads(r.header))

    def token_rows(self, table_id: str) -> tuple[TokenRow, ...]:
        """The tokens of a table."""
        with self._guard(), self._engine.connect() as db:
            rows = db.execute(sa.select(tokens).where(tokens.c.table_id == table_id))
            return tuple(TokenRow(r.hash, r.role, r.player) for r in rows)

    def steps_of(self, table_id: str) -> tuple[Step, ...]:
        """All steps of a table in order, without pictures."""
        wanted = sa.select(steps).where(steps.c.table_id == table_id).order_by(steps.c.seq)
        with self._guard(), self._engine.begin() as db:
            _one_at_a_time(db, table_id)
            return tuple(
                Step(r.seq, r.at, r.kind, json.loads(r.data), r.idem) for r in db.execute(wanted)
            )

    def picture(self, table_id: str, seq: int) -> bytes | None:
        """The picture kept with a step."""
        wanted = sa.select(pictures.c.jpeg).where(
            pictures.c.table_id == table_id, pictures.c.seq == seq
        )
        with self._guard(), self._engine.connect() as db:
            found = db.execute(wanted).scalar()
            return None if found is None else bytes(found)

    def pictured(self, table_id: str) -> tuple[int, ...]:
        """The numbers of the steps that a picture is kept with."""
        wanted = sa.select(pictures.c.seq).where(pictures.c.table_id == table_id)
        with self._guard(), self._engine.connect() as db:
            return tuple(db.execute(wanted.order_by(pictures.c.seq)).scalars())

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn what the database says into what people can do about it."""
        try:
            yield
        except IntegrityError as error:
            raise StorageError(
                "written_elsewhere",
                "this table was written by another server at the same time; open it again",
            ) from error
        except DBAPIError as error:
            raise _explained(error, self.where) from error


def _explained(error: DBAPIError, where: str) -> StorageError:
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
    if "not a database" in text or "malformed" in text:
        return StorageError(
            "storage_damaged",
            f"{where} holds no readable tables ({said}); restore a copy or give another --data",
        )
    if "unable to open" in text:
        return StorageError(
            "storage_unavailable",
            f"{where} cannot be used now: {said.strip()}; may it be written to? "
            "give another with --data",
        )
    if isinstance(error, OperationalError) or "readonly" in text:
        return StorageError("storage_unavailable", f"{where} cannot be used now: {said.strip()}")
    return StorageError("storage_failed", f"{where} did not take the change: {said.strip()}")


def _one_at_a_time(db: sa.Connection, table_id: str) -> None:
    """Wait until nobody else writes to a table, and keep others waiting until the end.

    A server of PostgreSQL still carries out the commit that a killed writer sent last: who opens
    the table then must see that step too. SQLite's writers commit by themselves.
    """
    if db.dialect.name == "postgresql":
        db.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(table_id, 0))))


def _insert_tokens(db: sa.Connection, table_id: str, given: tuple[TokenRow, ...]) -> None:
    for t in given:
        db.execute(
            tokens.insert().values(hash=t.hash, table_id=table_id, role=t.role, player=t.player)
        )


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _make_engine(url: str) -> sa.Engine:
    if not url.startswith("sqlite"):
        waits = {
            "connect_timeout": BUSY_SECONDS,
            "options": f"-c lock_timeout={round(BUSY_SECONDS * 1000)}",
        }
        return sa.create_engine(url, pool_pre_ping=True, connect_args=waits)
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_SECONDS})

    @sa.event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
        # FULL: a commit is on the disk before anything is acknowledged
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine
