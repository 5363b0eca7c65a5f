"""All tables of one server: set up, opened again, saved."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from kibitz.app.common.files import FolderLock
from kibitz.app.common.limits import LISTS, RETRY, WAITS
from kibitz.app.common.storage.kept import LeaseLostError
from kibitz.app.common.storage.tables import (
    Damage,
    DamagedTableError,
    Step,
    Storage,
    StorageError,
    TableRow,
    TokenRow,
)
from kibitz.app.common.storage.upkeep import Label, Link
from kibitz.app.common.terminal import show_progress
from kibitz.app.tables.air import LastingLink
from kibitz.app.tables.orders import Order, OrderError, check_languages, check_title, offer_of
from kibitz.app.tables.people.access import (
    WATCHER,
    Actor,
    LinkMaker,
    find_actor,
    is_open,
    new_table_id,
    token_hash,
)
from kibitz.app.tables.rescue import rescue, take_back
from kibitz.app.tables.rulings import RootRulings
from kibitz.app.tables.setup import Setup
from kibitz.app.tables.steps import BadStepError
from kibitz.app.tables.table import Table
from kibitz.engine.games import GAMES, Games

_UNPLAYABLE = (ValueError, KeyError, TypeError, AttributeError, IndexError)
_GATES: Final = 16
"""Tables share so many locks while they are opened; more of them decide nothing."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A new table with its tokens, which are shown only now and kept as hashes."""

    table: Table
    host: str
    camera: str
    watch: str
    seats: Mapping[str, str]


class Runs(Protocol):
    """Interface of the hall that a server's tables belong to."""

    @property
    def secret(self) -> bytes:
        """Secret from which the links of the whole hall are derived."""

    def is_elsewhere(self, table_id: str) -> bool:
        """True if another server runs a table whose camera is not plugged in here."""

    def hold(self, table_id: str) -> None:
        """Take a table's lease, or raise `LeaseLostError`."""

    def keeps(self, table_id: str) -> bool:
        """True if this server may go on running a table that it has open."""

    def clock_of(self, table_id: str) -> float | None:
        """A table's clock as its last server wrote it."""

    def forget(self, table_id: str) -> None:
        """Delete the lease of a table that was deleted."""


class Tables:
    """The tables of one server.

    Args:
        storage: where they are kept.
        lexicons: names of word lists that callers may ask for, with their files; a caller never
            names a file of the server.
        tile_sets: the same for tile sets, beside those that are known.
        games: what can be played here.
        lock: holds the folder for this server until it is closed.
        hall: knows which tables this server runs, where several share a database.
    """

    def __init__(
        self,
        storage: Storage,
        lexicons: Mapping[str, str] | None = None,
        tile_sets: Mapping[str, str] | None = None,
        games: Games = GAMES,
        lock: FolderLock | None = None,
        hall: Runs | None = None,
    ) -> None:
        self.storage = storage
        self._hall = hall
        self.offer = offer_of(lexicons, tile_sets, games)
        self._rulings = RootRulings(storage.where, games)
        self._maker = LinkMaker(storage.where, None if hall is None else hall.secret)
        self.lasting = LastingLink(storage, self._maker)
        self._open: dict[str, Table] = {}
        self._links: dict[str, tuple[Link, ...]] = {}
        self._aside: dict[str, Damage] = {}
        self._folder = lock
        self._known: set[str] = set()
        self._lock = threading.RLock()
        self._gates = tuple(threading.RLock() for _ in range(_GATES))
        self._stopped = threading.Event()
        self._saver = threading.Thread(target=self._keep_saving, name="saver", daemon=True)
        self._saver.start()

    def close(self) -> None:
        """Write everything out, and close the storage.

        What cannot be written goes to a file of its own, from which the next server takes it.
        """
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._saver.join()
        for table in self.open_tables():
            try:
                trouble = None if table.saving.save() else table.saving.trouble
            except StorageError as error:
                trouble = error
            if trouble is not None:
                rescue(table, self._rows_of(table.id), self.storage.where, trouble)
        self.storage.close()
        if self._folder is not None:
            self._folder.release()

    def _rows_of(self, table_id: str) -> tuple[TokenRow, ...]:
        """Kept tokens of a table."""
        links = self._links.get(table_id, ())
        return tuple(TokenRow(link.hash, link.role, link.player) for link in links)

    def take_back(self) -> None:
        """Store steps that an earlier server here could not write."""
        take_back(self.storage)

    def create(self, order: Order) -> Opened:
        """Set up a table.

        Raises:
            OrderError: what was asked for is no table; the message says what was expected.
        """
        check_languages(order)
        header = self._rulings.header_of(
            self.offer.as_of_now(self.offer.with_start(order).to_json())
        )
        row = TableRow(new_table_id(), time.time(), header)
        setup = self._setup(row)
        places: list[tuple[str, str | None]] = [("host", None), ("camera", None), ("watch", None)]
        made = [
            self._maker.make(r, p) for r, p in [*places, *(("seat", p) for p in order.players)]
        ]
        links = tuple(link for _, link in made)
        rows = tuple(TokenRow(link.hash, link.role, link.player) for link in links)
        host, camera, watch, *others = (token for token, _ in made)
        seats = dict(zip(order.players, others, strict=True))
        table = Table(setup, self.storage)
        self._rulings.listen_to(table)
        self.storage.create_table(row, rows)
        if self._hall is not None:
            self._hall.hold(row.id)
        with suppress(StorageError):  # the links open the table; they cannot be shown again
            self.storage.note_links(row.id, *links)
        with self._lock:
            self._open[row.id] = table
            self._hold(row.id, links)
        return Opened(table, host, camera, watch, seats)

    def get(self, table_id: str) -> Table | None:
        """A table by its id, opened from the storage if necessary; None if there is none.

        Raises:
            DamagedTableError: what is kept of it is not as it was written.
            OrderError: it was set up with files that this server does not know.
            LeaseLostError: another server of the hall runs it.
        """
        table = self._open.get(table_id)
        if table is not None:
            if self._hall is not None and not self._hall.keeps(table_id):
                raise LeaseLostError(table_id)
            return table
        # a slow database keeps only those waiting who want what lies in it
        with self._gates[hash(table_id) % _GATES]:
            if table_id in self._open:
                return self._open[table_id]
            try:
                if self._hall is not None:
                    self._hall.hold(table_id)
                row = self.storage.table_row(table_id)
                if row is None:
                    return None
                shown = None if self._hall is None else self._hall.clock_of(table_id)
                table = self._table(row, self.storage.steps_of(table_id), shown)
                links = self.storage.links_of(table_id)
            except DamagedTableError as error:
                self._set_aside(error.damage)
                raise
            self._rulings.listen_to(table)
            with self._lock:
                self._open[table_id] = table
                self._hold(table_id, links)
                self._aside.pop(table_id, None)
            return table

    def _table(self, row: TableRow, kept: tuple[Step, ...], shown: float | None = None) -> Table:
        """A table built from its kept steps.

        Raises:
            DamagedTableError: they cannot be played again.
        """
        setup = self._setup(row)
        try:
            refused = self.storage.refusal_rows(row.id)
            return Table(setup, self.storage, kept, refused, shown or 0.0)
        except BadStepError as error:
            wrong, readable = str(error), error.readable
        except _UNPLAYABLE as error:
            wrong, readable = f"its steps cannot be played again ({error})", 0
        raise DamagedTableError(Damage(row.id, setup.opening.players, wrong, readable))

    def is_elsewhere(self, table_id: str) -> bool:
        """True if another server of the hall runs a table that does not belong here."""
        return self._hall is not None and self._hall.is_elsewhere(table_id)

    def openable(self, table_id: str) -> Table | None:
        """A table; None where it is missing or cannot be opened, which is reported once.

        One that another server of the hall runs is a copy of what is kept, to be looked at only.
        """
        try:
            return self.get(table_id)
        except LeaseLostError:
            return self._copy(table_id)
        except (DamagedTableError, OrderError):
            return None

    def _copy(self, table_id: str) -> Table | None:
        row = self.storage.table_row(table_id)
        try:
            return None if row is None else self._table(row, self.storage.steps_of(table_id))
        except (DamagedTableError, OrderError):
            return None

    def readable(self, table_id: str, damage: Damage) -> Table:
        """The readable part of a damaged table, only to be looked at.

        Raises:
            StorageError: nothing of it can be shown.
        """
        row = self.storage.table_row(table_id)
        if row is None:
            raise DamagedTableError(damage)
        kept, _ = self.storage.readable_steps(table_id)
        return self._table(row, kept[: damage.readable])

    def _set_aside(self, damage: Damage) -> None:
        with self._lock:
            known = self._aside.get(damage.table)
            self._aside[damage.table] = damage
        if known != damage:
            show_progress(damage.sentence)

    def look_through(self) -> None:
        """Report damaged tables: the newest at once, the others as time allows."""
        rest = self._pages()
        self._look_at(next(rest, []))

        def others() -> None:
            with suppress(StorageError):  # told to who asks for such a table
                while not self._stopped.wait(WAITS.moment_s):
                    rows = next(rest, None)
                    if rows is None:
                        return
                    self._look_at(rows)

        threading.Thread(target=others, name="looks", daemon=True).start()

    def _look_at(self, rows: list[TableRow | Damage]) -> list[TableRow]:
        """The undamaged tables; the others are set aside."""
        for row in rows:
            if isinstance(row, Damage):
                self._set_aside(row)
        return [row for row in rows if isinstance(row, TableRow)]

    def _pages(self) -> Iterator[list[TableRow | Damage]]:
        """Yield all kept tables, newest first, in pages."""
        after: tuple[float, str] | None = None
        many = LISTS.first
        while True:
            rows = self.storage.page_of_rows(many, after)
            yield rows
            whole = [row for row in rows if isinstance(row, TableRow)]
            if len(rows) < many or not whole:
                return
            after = min((row.created, row.id) for row in whole)
            many = LISTS.page

    # --- links: who may enter ---------------------------------------------------------------

    def actor(self, table_id: str, token: str | None) -> tuple[Table, Actor] | None:
        """The table and the role that a token gives there; None without both."""
        if not table_id.isalnum() or len(table_id) > 40:
            return None
        # a wrong token opens no table, not even in memory
        if (actor := self.holder(table_id, token)) is None:
            return None
        table = self.get(table_id)
        return None if table is None else (table, actor)

    def holder(self, table_id: str, token: str | None) -> Actor | None:
        """Role that a token gives at a table now; None if none, or no longer."""
        links = self._links.get(table_id)
        if links is None:
            links = self.storage.links_of(table_id)
        actor = find_actor(token, links)
        if actor is None and self.lasting.is_opened_by(token):
            return WATCHER if table_id == self.lasting.table() else None
        return actor

    def known_token(self, token: str | None) -> str | None:
        """Hash of a token in memory that gives access; None for any other.

        What is kept is not asked: `look_up` does.
        """
        hashed = token_hash(token) if token else ""
        return hashed if hashed in self._known else None

    def look_up(self, token: str) -> str | None:
        """Hash of a token that is kept for some table; None for any other."""
        hashed = token_hash(token)
        if self.lasting.is_opened_by(token):
            return hashed
        with suppress(StorageError):  # else it is known once its table is open
            if self.storage.has_token(hashed):
                self._known.add(hashed)
        return hashed if hashed in self._known else None

    def links(self, table_id: str) -> tuple[Link, ...]:
        """Valid links of a table, oldest first."""
        return tuple(link for link in self.storage.links_of(table_id) if is_open(link))

    def add_token(self, table_id: str, role: str, player: str | None) -> str:
        """Add a token for a place at a table, for a lost one or another device.

        It is the one that was given before, where that can be made again.
        """
        with self._lock:
            links = self.storage.links_of(table_id)
            token = self._maker.standing(links, role, player)
            if token is None:
                token, link = self._maker.make(role, player)
                self.storage.add_links(table_id, link)
                links = (*links, link)
            self._hold(table_id, links)
        return token

    def renew(
        self, table_id: str, role: str, player: str | None, expires: float | None = None
    ) -> str:
        """Revoke every link to a place, and make a new one.

        Args:
            table_id: the table.
            role: the place: `host`, `camera`, `watch` or `seat`.
            player: whose seat.
            expires: when the new one ends, in seconds since 1970; None: never.
        """
        token, link = self._maker.make(role, player, expires)
        self._replace(table_id, role, player, link)
        return token

    def revoke(self, table_id: str, role: str, player: str | None) -> None:
        """Revoke every link to a place."""
        self._replace(table_id, role, player, None)

    def _replace(self, table_id: str, role: str, player: str | None, new: Link | None) -> None:
        with self._lock:
            self._known.difference_update(self.storage.replace_links(table_id, role, player, new))
            self._hold(table_id, self.storage.links_of(table_id))

    def _hold(self, table_id: str, links: tuple[Link, ...]) -> None:
        self._links[table_id] = links
        self._known.update(link.hash for link in links)

    # --- names, and the end of a table ------------------------------------------------------

    def label(
        self, table_id: str, *, name: str | None = None, archived: bool | None = None
    ) -> Label:
        """Name, archive or restore a table.

        Raises:
            OrderError: it is no name.
        """
        return self.storage.label(table_id, name=check_title(name), archived=archived)

    def delete(self, table_id: str) -> bool:
        """Delete a table with all that is kept of it; False if there was none."""
        with self._lock:
            gone = self.storage.delete_table(table_id)
            self._open.pop(table_id, None)
            ended = self._links.pop(table_id, ())
            self._known.difference_update(link.hash for link in ended)
        if gone and self._hall is not None:
            self._hall.forget(table_id)
        return gone

    def forget(self, table_id: str) -> None:
        """Drop a table from memory; it is opened from the storage when next needed."""
        with self._lock:
            self._open.pop(table_id, None)
            if self._hall is not None:  # another server may change them from now on
                self._links.pop(table_id, None)

    def rows(self, since: float | None = None) -> Iterator[TableRow]:
        """Yield every table, newest first; damaged ones are set aside.

        Args:
            since: only tables set up after that, in seconds since 1970.
        """
        for rows in self._pages():
            for row in self._look_at(rows):
                if since is not None and row.created < since:
                    return
                yield row

    def set_aside(self) -> tuple[Damage, ...]:
        """Tables known to be damaged."""
        with self._lock:
            return tuple(self._aside.values())

    def open_tables(self) -> tuple[Table, ...]:
        """Tables in memory."""
        return tuple(self._open.values())

    def is_open(self, table_id: str) -> Table | None:
        """A table if it is in memory; else None."""
        return self._open.get(table_id)

    def _setup(self, row: TableRow) -> Setup:
        header = row.header
        opening = self.offer.opening(header)
        tiles = self.offer.tile_sets[str(header["tiles"])]
        return Setup(row, opening, tiles)

    def _keep_saving(self) -> None:
        while not self._stopped.wait(RETRY.first_s):
            for table in tuple(self._open.values()):
                try:
                    table.retry_saving()
                except StorageError:
                    self.forget(table.id)
