"""Storage of tables: an append-only list of steps for each, and a picture of each position."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from kibitz.app.common.addresses import parse_address, without_password
from kibitz.app.common.errors import Option
from kibitz.app.common.files import keep_private, named_path, user_folder
from kibitz.app.common.limits import LISTS
from kibitz.app.common.storage.databases import (
    FORMAT,
    Connections,
    HungError,
    StorageLimits,
    add_indexes,
    close_after_use,
    explain_error,
    file_identity,
    header_checksum,
    hung_error,
    is_damage,
    meta,
    metadata,
    migrate,
    open_postgres,
    open_sqlite,
    pictures,
    refusals,
    step_checksum,
    steps,
    tables,
    tokens,
)
from kibitz.app.common.storage.kept import (
    Damage,
    DamagedTableError,
    RefusalRow,
    Step,
    StorageError,
    TableRow,
    TokenRow,
)
from kibitz.app.common.storage.upkeep import Upkeep
from kibitz.app.languages.catalogues import phrases_back, with_phrases

__all__ = [
    "Damage",
    "DamagedTableError",
    "RefusalRow",
    "Step",
    "Storage",
    "StorageError",
    "StorageLimits",
    "TableRow",
    "TokenRow",
    "metadata",
]

FILE_NAME = "tables.sqlite3"

_NEW_STEP, _NEW_PICTURE = steps.insert(), pictures.insert()


def default_data() -> str:
    """The default data folder: `KIBITZ_DATA`, else the user's own."""
    return os.environ.get("KIBITZ_DATA") or str(user_folder())


def database_url(data: str) -> str:
    """Database address for a folder or an address, as `--data` takes it."""
    if "://" not in data:
        return f"sqlite:///{named_path(data) / FILE_NAME}"
    scheme, _, rest = data.partition("://")
    if scheme in ("postgres", "postgresql"):
        address = parse_address(data)
        written = address.full.partition("://")[2] if address.host and address.sure else rest
        return f"postgresql+psycopg://{written}"
    return data


def database_file(data: str) -> Path | None:
    """Database file for a folder or an address, as `--data` takes it; None for a server."""
    url = database_url(data)
    if not url.startswith("sqlite"):
        return None
    named = sa.make_url(url).database
    return Path(named) if named and named != ":memory:" else None


class Storage(Upkeep):
    """Tables in a database: SQLite in a folder, or PostgreSQL by address.

    What a method has returned from is on the disk: it survives the process being killed.

    Args:
        data: a folder or an address; the user's data folder without it.
        limits: how long it may take.
    """

    def __init__(self, data: str | None = None, limits: StorageLimits | None = None) -> None:
        given = data or default_data()
        self.where = without_password(given)
        self._limits = limits or StorageLimits()
        self.fence: Callable[[sa.Connection, str], None] | None = None
        """Called in each transaction that writes to a table's record; it may refuse."""
        self._lines: Connections | None = None
        self._file: Path | None = None
        self._mark: tuple[int, int] | None = None
        url = database_url(given)
        try:
            if "://" not in given:
                # fleets and hands are in it: on a shared machine they are nobody else's business
                named_path(given).mkdir(mode=0o700, parents=True, exist_ok=True)
            self._open(url)
        except OSError as error:
            reason = error.strerror or str(error)
            raise StorageError(
                "storage_unavailable",
                f"cannot use the data folder {self.where}: {reason}; give another with ",
                Option("data"),
            ) from error
        except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ModuleNotFoundError) as error:
            why = "" if isinstance(error, sa.exc.ArgumentError) else f" ({error})"
            raise StorageError(
                "bad_data_address",
                Option("data"),
                f": expected a folder, sqlite:///FILE or postgresql://USER@HOST/NAME{why}",
            ) from None
        try:
            with self._guard():
                self._prepare()
            self._note_mark()
        except StorageError:
            self.close()
            raise

    def _note_mark(self) -> None:
        """Remember which file is open, so that another one in its place is noticed."""
        if self._file is not None:
            self._mark = file_identity(self._file)

    def close(self) -> None:
        """Close the database; another thread's connection is closed when that is done with it."""
        close_after_use(self._engine)
        self._engine.dispose()

    def _open(self, url: str) -> None:
        if not url.startswith("sqlite"):
            self._engine = open_postgres(url, self._limits)
            self._lines = Connections(self._engine, self._limits)
            return
        self._file = database_file(url)
        if self._file is not None:
            keep_private(self._file, make=True)
            # SQLite gives the files beside it the same rights, unless they are there already
            for beside in ("-wal", "-shm", "-journal"):
                keep_private(Path(f"{self._file}{beside}"))
        self._engine = open_sqlite(url, self._limits)

    def _prepare(self) -> None:
        if self._format() == FORMAT:
            add_indexes(self._engine)
            return
        with self._engine.begin() as db:
            if db.dialect.name == "sqlite":
                db.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                db.exec_driver_sql("SET LOCAL statement_timeout = 0")
                _one_at_a_time(db, "kibitz format")
            if self._lines is not None:
                self._lines.lift_limit()
            found = self._format(db)
            if found != FORMAT:
                migrate(db, found)
        add_indexes(self._engine)

    def _format(self, db: sa.Connection | None = None) -> int:
        """The format version of the database; 0 where there is none yet.

        Raises:
            StorageError: it is a newer one, or none that can be.
        """
        if db is None:
            with self._engine.connect() as line:
                return self._format(line)
        if not sa.inspect(db).has_table(meta.name):
            return 0
        kept = db.execute(sa.select(meta.c.value).where(meta.c.name == "format")).scalar()
        if kept is None:
            return 0
        if not str(kept).isdecimal():
            raise StorageError(
                "storage_damaged",
                f"{self.where} holds no readable tables (its format is {kept!r}); restore a copy "
                "or give another ",
                Option("data"),
            )
        found = int(kept)
        if found > FORMAT:
            raise StorageError(
                "newer_version",
                f"the tables in {self.where} were written by a newer Kibitz (format {found}, "
                f"this one knows {FORMAT}); update Kibitz, or give another place with ",
                Option("data"),
            )
        return found

    # --- writing ----------------------------------------------------------------------------

    def create_table(self, row: TableRow, given: tuple[TokenRow, ...]) -> None:
        """Keep a new table with its tokens, all or nothing."""
        text = _text(row.header)
        value = header_checksum(row.id, row.created, text)
        with self._writing() as db:
            db.execute(
                tables.insert().values(id=row.id, created=row.created, header=text, checksum=value)
            )
            _insert_tokens(db, row.id, given)

    def append(self, table_id: str, batch: tuple[Step, ...]) -> None:
        """Append steps with their pictures, all or nothing.

        Raises:
            StorageError: `written_elsewhere` if a step with such a number is there already.
        """
        with self._writing() as db:
            _one_at_a_time(db, table_id)
            if self.fence is not None:
                self.fence(db, table_id)
            for step in batch:
                data = _text(with_phrases(step.data))
                row = {"table_id": table_id, "seq": step.seq, "at": step.at, "kind": step.kind}
                value = step_checksum(**row, data=data, idem=step.idem)
                db.execute(_NEW_STEP, {**row, "data": data, "idem": step.idem, "checksum": value})
                if step.picture is not None:
                    kept = {"table_id": table_id, "seq": step.seq, "jpeg": step.picture}
                    db.execute(_NEW_PICTURE, kept)

    def keep_refusal(self, table_id: str, refused: RefusalRow) -> None:
        """Keep the answer to a refused call with an idempotency key."""
        with self._writing() as db:
            if self.fence is not None:
                self.fence(db, table_id)
            db.execute(
                refusals.insert().values(
                    table_id=table_id,
                    idem=refused.idem,
                    asked=refused.asked,
                    code=refused.code,
                    message=refused.message,
                )
            )

    # --- reading ----------------------------------------------------------------------------

    def table_rows(self) -> tuple[TableRow, ...]:
        """Every undamaged table, newest first."""
        return tuple(r for r in self._every_row() if isinstance(r, TableRow))

    def damaged_rows(self) -> tuple[Damage, ...]:
        """Tables with damaged headers."""
        return tuple(r for r in self._every_row() if isinstance(r, Damage))

    def page_of_rows(
        self, limit: int, after: tuple[float, str] | None = None
    ) -> list[TableRow | Damage]:
        """One page of tables, whole or damaged, newest first.

        Args:
            limit: how many.
            after: the time and the name of the last one that is known already.
        """
        place = sa.tuple_(tables.c.created, tables.c.id)
        wanted = sa.select(tables).order_by(tables.c.created.desc(), tables.c.id.desc())
        if after is not None:
            wanted = wanted.where(place < sa.tuple_(*after))
        with self._guard():
            try:
                with self._engine.connect() as db:
                    return [self._row(db, r) for r in db.execute(wanted.limit(limit)).all()]
            except DBAPIError as error:
                if not is_damage(error):
                    raise
        found = self._every_row()  # what lies in damaged pages has no time
        gone: list[TableRow | Damage] = []
        if after is None:
            gone += [r for r in found if isinstance(r, Damage)]
        rest = [
            r
            for r in found
            if isinstance(r, TableRow) and (after is None or (r.created, r.id) < after)
        ]
        rest.sort(key=lambda r: (r.created, r.id), reverse=True)
        return [*gone, *rest][: limit + len(gone)]

    def _every_row(self) -> list[TableRow | Damage]:
        with self._guard():
            try:
                with self._engine.connect() as db:
                    rows = db.execute(sa.select(tables).order_by(tables.c.created.desc())).all()
                    return [self._row(db, r) for r in rows]
            except DBAPIError as error:
                if not is_damage(error):
                    raise
            # one of the rows cannot be read: which ones can?
            with self._engine.connect() as db:
                named = db.exec_driver_sql(f"SELECT id FROM {tables.name} ORDER BY id").scalars()
                found = [self._one_row(db, table_id) for table_id in named.all()]
            return [r for r in found if r is not None]

    def _one_row(self, db: sa.Connection, table_id: str) -> TableRow | Damage | None:
        try:
            r = db.execute(sa.select(tables).where(tables.c.id == table_id)).first()
        except DBAPIError as error:
            if not is_damage(error):
                raise
            return Damage(table_id, _seats(db, table_id), "its header cannot be read at all")
        return None if r is None else self._row(db, r)

    def _row(self, db: sa.Connection, r: Any) -> TableRow | Damage:
        wrong = ""
        if r.checksum != header_checksum(r.id, r.created, r.header):
            wrong = "its header was changed (its checksum differs)"
        header = _mapping(r.header)
        if header is None:
            wrong = "its header is no JSON"
        if wrong or header is None:
            return Damage(str(r.id), _seats(db, r.id), wrong)
        return TableRow(r.id, r.created, header)

    def table_row(self, table_id: str) -> TableRow | None:
        """One table; None if there is none of that id.

        Raises:
            DamagedTableError: it is not as it was written.
        """
        with self._guard(), self._engine.connect() as db:
            found = self._one_row(db, table_id)
        if isinstance(found, Damage):
            raise DamagedTableError(found)
        return found

    def refusal_rows(self, table_id: str) -> tuple[RefusalRow, ...]:
        """The refused calls with idempotency keys at a table."""
        with self._guard(), self._engine.connect() as db:
            rows = db.execute(sa.select(refusals).where(refusals.c.table_id == table_id))
            return tuple(RefusalRow(r.idem, r.asked, r.code, r.message) for r in rows)

    def steps_of(self, table_id: str) -> tuple[Step, ...]:
        """All steps of a table in order, without pictures.

        Raises:
            DamagedTableError: one of them is not as it was written.
        """
        found, damage = self.readable_steps(table_id)
        if damage is not None:
            raise DamagedTableError(damage)
        return found

    def readable_steps(self, table_id: str) -> tuple[tuple[Step, ...], Damage | None]:
        """Steps of a table up to the first damaged one, and its damage."""
        wanted = sa.select(steps).where(steps.c.table_id == table_id).order_by(steps.c.seq)
        found: list[Step] = []
        wrong = ""
        with self._guard(), self._engine.begin() as db:
            _one_at_a_time(db, table_id)
            try:
                for r in db.execute(wanted):
                    step = _step(table_id, r, len(found) + 1)
                    if isinstance(step, str):
                        wrong = step
                        break
                    found.append(step)
            except DBAPIError as error:
                if not is_damage(error):
                    raise
                wrong = f"step {len(found) + 1} cannot be read at all"
            if not wrong:
                return tuple(found), None
        with self._guard(), self._engine.connect() as db:
            names = _seats(db, table_id)
        return tuple(found), Damage(table_id, names, wrong, len(found))

    def picture(self, table_id: str, seq: int) -> bytes | None:
        """The picture kept with a step; None if there is none."""
        wanted = sa.select(pictures.c.jpeg).where(
            pictures.c.table_id == table_id, pictures.c.seq == seq
        )
        with self._guard(), self._engine.connect() as db:
            found = db.execute(wanted).scalar()
            return None if found is None else bytes(found)

    def pictured(self, table_id: str) -> tuple[int, ...]:
        """Numbers of the steps with a kept picture."""
        wanted = sa.select(pictures.c.seq).where(pictures.c.table_id == table_id)
        with self._guard(), self._engine.connect() as db:
            return tuple(db.execute(wanted.order_by(pictures.c.seq)).scalars())

    def problems(self) -> tuple[str, ...]:
        """Results of the database's own check of its files, which reads all of them."""
        try:
            with self._guard(), self._engine.begin() as db:
                if self._lines is None:
                    asked = db.exec_driver_sql(f"PRAGMA integrity_check({LISTS.best})")
                    lines = [str(x) for text in asked.scalars() for x in str(text).splitlines()]
                    return tuple(x for x in lines[: LISTS.best] if x != "ok")
                self._lines.lift_limit()
                db.exec_driver_sql("SET LOCAL statement_timeout = 0")
                for table in metadata.sorted_tables:
                    # a page that fails its checksum, or a value that cannot be unpacked, raises
                    db.exec_driver_sql(f"SELECT count(md5(t::text)) FROM {table.name} t").all()
        except StorageError as error:
            if error.code not in ("storage_damaged", "storage_failed"):
                raise
            return (error.message,)
        return ()

    @property
    def shared_address(self) -> str | None:
        """Address, with password, of a database that several servers may share."""
        if self._lines is None:
            return None
        plain = self._engine.url.set(drivername="postgresql")
        return plain.render_as_string(hide_password=False)

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """Begin a transaction for those who keep rows beside the tables.

        Raises:
            StorageError: the database cannot be used.
        """
        with self._guard(), self._engine.begin() as db:
            yield db

    # --- troubles ---------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """Begin a transaction, if the database is still the one that was opened.

        Raises:
            StorageError: `storage_gone` where its file was deleted or replaced: what is written
                into a deleted file is lost with the process.
        """
        file, opened = self._file, self._mark
        if file is not None and opened is not None and file_identity(file) != opened:
            raise StorageError(
                "storage_gone",
                f"{file} was deleted or replaced while the server runs; put it back, or stop the "
                "server: it writes the game to another file then",
            )
        with self._guard(), self._engine.begin() as db:
            yield db

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn database errors into `StorageError`s that say what to do."""
        lines = self._lines
        try:
            with nullcontext() if lines is None else lines.limited():
                yield
        except IntegrityError as error:
            raise StorageError(
                "written_elsewhere",
                "this table was written by another server at the same time; open it again",
            ) from error
        except HungError:
            raise hung_error(self.where) from None
        except sa.exc.TimeoutError:
            raise hung_error(self.where) from None
        except DBAPIError as error:
            if lines is not None and lines.is_timeout(error):
                raise hung_error(self.where) from error
            raise explain_error(error, self.where) from error


def _one_at_a_time(db: sa.Connection, table_id: str) -> None:
    """Lock a table for writing until the transaction ends.

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


def _seats(db: sa.Connection, table_id: str) -> tuple[str, ...]:
    """Names of the players with seat tokens, for a table whose header does not give them."""
    wanted = sa.select(tokens.c.player).where(
        tokens.c.table_id == table_id, tokens.c.role == "seat"
    )
    with suppress(DBAPIError):
        return tuple(dict.fromkeys(str(name) for name in db.execute(wanted).scalars()))
    return ()


def _step(table_id: str, r: Any, expected: int) -> Step | str:
    """A kept step, or its damage."""
    if r.seq != expected:
        return f"step {expected} is missing"
    if r.checksum != step_checksum(table_id, r.seq, r.at, r.kind, r.data, r.idem):
        return f"step {expected} was changed (its checksum differs)"
    data = _mapping(r.data)
    if data is None:
        return f"step {expected} is no JSON"
    return Step(r.seq, r.at, r.kind, phrases_back(data), r.idem)


def _mapping(text: object) -> dict[str, Any] | None:
    try:
        found = json.loads(str(text))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
