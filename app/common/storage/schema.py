"""Database schema of tables: columns, checksums, and migration of older formats."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

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
    for number in range(found, FORMAT):
        MIGRATIONS[number](db)
    db.execute(meta.update().where(meta.c.name == "format").values(value=str(FORMAT)))
