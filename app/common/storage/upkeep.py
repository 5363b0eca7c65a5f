"""Upkeep of kept tables: names, links that expire, public keys, deletion.

What is taken away is gone from the disk too: SQLite overwrites it with zeros.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

metadata = sa.MetaData()

link_facts = sa.Table(
    "kibitz_link_facts",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(40), nullable=False, index=True),
    sa.Column("nonce", sa.String(64), nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("expires", sa.Float),
)
table_facts = sa.Table(
    "kibitz_table_facts",
    metadata,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("archived", sa.Float),
)

public_games = sa.Table(
    "kibitz_public",
    metadata,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("key", sa.String(64), nullable=False, unique=True),
)

judge_calls = sa.Table(
    "kibitz_judge_calls",
    metadata,
    sa.Column("table_id", sa.String(40), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("by", sa.String(200), nullable=False),
    sa.Column("why", sa.Text, nullable=False),
)
documents = sa.Table(
    "kibitz_documents",
    metadata,
    sa.Column("name", sa.String(80), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)

CAMERA = "camera/"
"""Beginning of the names of documents that say which camera a page chose for a table."""

# the tables of the games themselves, as far as they are needed here
_tables = sa.table("kibitz_tables", sa.column("id"))
_tokens = sa.table(
    "kibitz_tokens",
    sa.column("hash"),
    sa.column("table_id"),
    sa.column("role"),
    sa.column("player"),
)
_steps = sa.table("kibitz_steps", sa.column("table_id"), sa.column("seq"), sa.column("at"))
_refusals = sa.table("kibitz_refusals", sa.column("table_id"))
_pictures = sa.table("kibitz_pictures", sa.column("table_id"), sa.column("seq"), sa.column("jpeg"))


@dataclass(frozen=True, slots=True)
class Link:
    """A link that opens one place at a table.

    Attributes:
        hash: of its token.
        role: what its holder is: `host`, `camera`, `watch` or `seat`.
        player: whose seat.
        nonce: what its token is made of, beside the secret of this place; empty for old ones.
        made: when, in seconds since 1970.
        expires: when it opens nothing any more; None: never.
    """

    hash: str
    role: str
    player: str | None
    nonce: str = ""
    made: float = 0.0
    expires: float | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """A table's name, and whether it is archived.

    Attributes:
        name: what people call it; empty for one without a name.
        archived: when it was put away, in seconds since 1970; None: it was not.
    """

    name: str = ""
    archived: float | None = None


@dataclass(frozen=True, slots=True)
class JudgeCall:
    """A call for a judge at a table.

    Attributes:
        table: the table.
        at: since when, in seconds since 1970.
        by: who asks: a player, or `host`.
        why: what it is about, in their words.
    """

    table: str
    at: float
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Sizes:
    """Storage used by a table: steps, pictures, and the pictures' bytes."""

    steps: int
    pictures: int
    picture_bytes: int


class Upkeep:
    """The part of `Storage` that manages whole tables."""

    _engine: sa.Engine
    _there: frozenset[str] = frozenset()

    def _guard(self) -> AbstractContextManager[None]:
        """Turn database errors into `StorageError`s that say what to do."""
        raise NotImplementedError

    def _begin(self) -> AbstractContextManager[sa.Connection]:
        """Begin a transaction, after creating the SQL tables if any is missing."""
        if not all(self._upkept(kept) for kept in metadata.sorted_tables):
            with suppress(DBAPIError):  # two servers that start together both make them
                metadata.create_all(self._engine)
            metadata.create_all(self._engine)
        return self._engine.begin()

    def _upkept(self, kept: sa.Table = table_facts) -> bool:
        """True if a SQL table exists; older databases have none until it is needed."""
        if kept.name not in self._there and sa.inspect(self._engine).has_table(kept.name):
            self._there |= {kept.name}
        return kept.name in self._there

    # --- links --------------------------------------------------------------------------------

    def has_token(self, hashed: str) -> bool:
        """True if a table has a token with this hash."""
        with self._guard(), self._engine.begin() as db:
            wanted = sa.select(_tokens.c.hash).where(_tokens.c.hash == hashed)
            return db.execute(wanted).first() is not None

    def links_of(self, table_id: str) -> tuple[Link, ...]:
        """Links of a table, oldest first."""
        whose = sa.select(_tokens).where(_tokens.c.table_id == table_id)
        noted = sa.select(link_facts).where(link_facts.c.table_id == table_id)
        with self._guard():
            there = self._upkept()
            with self._engine.begin() as db:
                rows = db.execute(whose).all()
                facts = {r.hash: r for r in db.execute(noted)} if there else {}
        found = []
        for r in rows:
            f = facts.get(r.hash)
            more = ("", 0.0, None) if f is None else (f.nonce, f.made, f.expires)
            found.append(Link(r.hash, r.role, r.player, *more))
        return tuple(sorted(found, key=lambda link: (link.made, link.hash)))

    def add_links(self, table_id: str, *links: Link) -> None:
        """Add links to a table."""
        with self._guard(), self._begin() as db:
            _insert_links(db, table_id, links)

    def note_links(self, table_id: str, *links: Link) -> None:
        """Keep facts of links whose tokens are kept already."""
        with self._guard(), self._begin() as db:
            _insert_facts(db, table_id, links)

    def replace_links(
        self, table_id: str, role: str, player: str | None, new: Link | None
    ) -> tuple[str, ...]:
        """Revoke every link of one place at a table and keep a new one instead.

        Returns:
            The hashes of the links that open nothing any more.
        """
        with self._guard(), self._begin() as db:
            whose = sa.and_(
                _tokens.c.table_id == table_id,
                _tokens.c.role == role,
                _tokens.c.player.is_(None) if player is None else _tokens.c.player == player,
            )
            gone = tuple(db.execute(sa.select(_tokens.c.hash).where(whose)).scalars())
            db.execute(sa.delete(_tokens).where(whose))
            db.execute(sa.delete(link_facts).where(link_facts.c.hash.in_(gone)))
            if new is not None:
                _insert_links(db, table_id, (new,))
        return gone

    # --- names --------------------------------------------------------------------------------

    def labels(self, among: Collection[str] | None = None) -> dict[str, Label]:
        """Labels by table, of tables that were named or archived.

        Args:
            among: only these tables; all without it.
        """
        wanted = sa.select(table_facts)
        if among is not None:
            wanted = wanted.where(table_facts.c.table_id.in_(among))
        with self._guard():
            if not self._upkept():
                return {}
            with self._engine.begin() as db:
                rows = db.execute(wanted).all()
            return {r.table_id: Label(r.name, r.archived) for r in rows}

    def label(
        self, table_id: str, *, name: str | None = None, archived: bool | None = None
    ) -> Label:
        """Name, archive or restore a table; None leaves a property as it is."""
        kept = table_facts.c.table_id == table_id
        with self._guard(), self._begin() as db:
            row = db.execute(sa.select(table_facts).where(kept)).first()
            now = Label() if row is None else Label(row.name, row.archived)
            if name is not None:
                now = replace(now, name=name)
            if archived is not None:
                now = replace(now, archived=time.time() if archived else None)
            db.execute(sa.delete(table_facts).where(kept))
            values = {"table_id": table_id, "name": now.name, "archived": now.archived}
            db.execute(sa.insert(table_facts).values(values))
        return now

    # --- what everybody may see ---------------------------------------------------------------

    def publish(self, table_id: str, key: str | None) -> str | None:
        """Make a game public under a key, or private again; returns the key in force.

        A game that is published already keeps its key.
        """
        here = public_games.c.table_id == table_id
        with self._guard(), self._begin() as db:
            kept = db.execute(sa.select(public_games.c.key).where(here)).scalar()
            if key is None:
                db.execute(sa.delete(public_games).where(here))
                return None
            if kept is None:
                db.execute(sa.insert(public_games).values(table_id=table_id, key=key))
            return key if kept is None else str(kept)

    def public_table(self, key: str) -> str | None:
        """The table that is public under a key; None if there is none."""
        with self._guard():
            if not self._upkept(public_games):
                return None
            with self._engine.begin() as db:
                wanted = sa.select(public_games.c.table_id).where(public_games.c.key == key)
                return db.execute(wanted).scalar()

    def public_key(self, table_id: str) -> str | None:
        """The key under which a table is public; None if it is private."""
        with self._guard():
            if not self._upkept(public_games):
                return None
            with self._engine.begin() as db:
                here = public_games.c.table_id == table_id
                return db.execute(sa.select(public_games.c.key).where(here)).scalar()

    # --- what a director looks after --------------------------------------------------------

    def call_judge(self, call: JudgeCall) -> None:
        """Keep a table's call for a judge; a later call replaces an earlier one."""
        with self._guard(), self._begin() as db:
            db.execute(sa.delete(judge_calls).where(judge_calls.c.table_id == call.table))
            values = {"table_id": call.table, "at": call.at, "by": call.by, "why": call.why}
            db.execute(sa.insert(judge_calls).values(values))

    def dismiss_judge(self, table_id: str) -> bool:
        """Delete a table's call for a judge; False if there was none."""
        with self._guard(), self._begin() as db:
            gone = db.execute(sa.delete(judge_calls).where(judge_calls.c.table_id == table_id))
            return bool(gone.rowcount)

    def judge_calls(self) -> dict[str, JudgeCall]:
        """Open calls for a judge."""
        with self._guard():
            if not self._upkept(judge_calls):
                return {}
            with self._engine.begin() as db:
                rows = db.execute(sa.select(judge_calls)).all()
        return {r.table_id: JudgeCall(r.table_id, r.at, r.by, r.why) for r in rows}

    def document(self, name: str) -> tuple[int, str]:
        """A document kept beside the tables, with its version; 0 and empty if there is none."""
        with self._guard():
            if not self._upkept(documents):
                return 0, ""
            with self._engine.begin() as db:
                row = db.execute(sa.select(documents).where(documents.c.name == name)).first()
        return (0, "") if row is None else (row.version, row.text)

    def documents(self, prefix: str) -> dict[str, str]:
        """Documents whose names have a prefix, by name."""
        with self._guard():
            if not self._upkept(documents):
                return {}
            with self._engine.begin() as db:
                begins = documents.c.name.startswith(prefix, autoescape=True)
                rows = db.execute(sa.select(documents).where(begins)).all()
        return {r.name: r.text for r in rows}

    def drop_document(self, name: str) -> bool:
        """Delete a document; False if there was none."""
        with self._guard(), self._begin() as db:
            return bool(db.execute(sa.delete(documents).where(documents.c.name == name)).rowcount)

    def keep_document(self, name: str, before: int, text: str) -> bool:
        """Keep a document; False if another one was kept since version `before`."""
        here = sa.and_(documents.c.name == name, documents.c.version == before)
        with self._guard(), self._begin() as db:
            if not before:
                if db.execute(sa.select(documents).where(documents.c.name == name)).first():
                    return False
                db.execute(sa.insert(documents).values(name=name, version=1, text=text))
                return True
            after = sa.update(documents).where(here).values(version=before + 1, text=text)
            return bool(db.execute(after).rowcount)

    def put_document(self, name: str, text: str) -> None:
        """Keep a document, whatever was kept before."""
        while not self.keep_document(name, self.document(name)[0], text):
            pass  # another server kept something meanwhile

    # --- what goes ----------------------------------------------------------------------------

    def delete_table(self, table_id: str) -> bool:
        """Delete a table with steps, pictures, links and name; False if there was none."""
        with self._guard(), self._begin() as db:
            _overwrite(db)
            for kept in (
                link_facts,
                table_facts,
                public_games,
                judge_calls,
                _refusals,
                _pictures,
                _steps,
                _tokens,
            ):
                db.execute(sa.delete(kept).where(kept.c.table_id == table_id))
            beside = (
                taught_name(table_id),
                air_name(table_id),
                layout_name(table_id),
                CAMERA + table_id,
            )
            db.execute(sa.delete(documents).where(documents.c.name.in_(beside)))
            gone = db.execute(sa.delete(_tables).where(_tables.c.id == table_id))
            return bool(gone.rowcount)

    def drop_pictures(self, before: float) -> int:
        """Delete the pictures of all steps before a time; returns how many.

        Args:
            before: seconds since 1970.
        """
        old = sa.exists().where(
            _steps.c.table_id == _pictures.c.table_id,
            _steps.c.seq == _pictures.c.seq,
            _steps.c.at < before,
        )
        with self._guard(), self._begin() as db:
            _overwrite(db)
            return int(db.execute(sa.delete(_pictures).where(old)).rowcount)

    def vacuum(self) -> None:
        """Return the space of deleted rows to the disk."""
        with self._guard():
            if self._engine.dialect.name == "sqlite":
                with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
                    db.exec_driver_sql("VACUUM")
                    db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
                return
            with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
                for name in ("kibitz_pictures", "kibitz_steps"):
                    db.exec_driver_sql(f"VACUUM {name}")

    def sizes(self) -> Mapping[str, Sizes]:
        """Storage used by each table."""
        steps = sa.select(_steps.c.table_id, sa.func.count()).group_by(_steps.c.table_id)
        length = sa.func.coalesce(sa.func.sum(sa.func.length(_pictures.c.jpeg)), 0)
        pictures = sa.select(_pictures.c.table_id, sa.func.count(), length).group_by(
            _pictures.c.table_id
        )
        with self._guard(), self._engine.begin() as db:
            n = {row[0]: int(row[1]) for row in db.execute(steps)}
            p = {row[0]: (int(row[1]), int(row[2])) for row in db.execute(pictures)}
        return {t: Sizes(n.get(t, 0), *p.get(t, (0, 0))) for t in n | p}


def taught_name(table_id: str) -> str:
    """Name of the document that keeps a table's taught tiles."""
    return f"taught/{table_id}"


def air_name(table_id: str) -> str:
    """Name of the document that says how a table is put on air."""
    return f"air/{table_id}"


def layout_name(table_id: str) -> str:
    """Name of the document with the layout of an overlay; of all games' without a table."""
    return f"layout/{table_id}"


def _insert_links(db: sa.Connection, table_id: str, links: tuple[Link, ...]) -> None:
    for link in links:
        row = {"hash": link.hash, "table_id": table_id, "role": link.role, "player": link.player}
        db.execute(sa.insert(_tokens).values(row))
    _insert_facts(db, table_id, links)


def _insert_facts(db: sa.Connection, table_id: str, links: tuple[Link, ...]) -> None:
    for link in links:
        facts = {"nonce": link.nonce, "made": link.made, "expires": link.expires}
        row = {"hash": link.hash, "table_id": table_id, **facts}
        db.execute(sa.insert(link_facts).values(row))


def _overwrite(db: sa.Connection) -> None:
    """Let SQLite overwrite deleted rows with zeros."""
    if db.dialect.name == "sqlite":
        db.exec_driver_sql("PRAGMA secure_delete=ON")
