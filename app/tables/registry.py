"""All the tables of one server: set up, found again, kept saved."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.app.common.errors import UsageError
from kibitz.app.common.files import FolderLock
from kibitz.app.common.materials import TILE_SETS, make_materials
from kibitz.app.common.storage import (
    Damage,
    DamagedTableError,
    Step,
    Storage,
    StorageError,
    TableRow,
    TokenRow,
)
from kibitz.app.common.terminal import show_progress
from kibitz.app.tables.access import Actor, find_actor, new_table_id, new_token, token_hash
from kibitz.app.tables.rescue import rescue, take_back
from kibitz.app.tables.rulings import RootRulings
from kibitz.app.tables.setup import Setup
from kibitz.app.tables.steps import BadStepError
from kibitz.app.tables.table import Table
from kibitz.engine.games import find_game
from kibitz.engine.options import BadOption, check_options
from kibitz.engine.record.ledger import Opening

RETRY_SECONDS = 2.0
LONGEST_NAME = 40
_UNPLAYABLE = (ValueError, KeyError, TypeError, AttributeError, IndexError)
_GATES = 16


class OrderError(UsageError):
    """What was asked for is no table; `code` is stable, the message says what was expected."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Order:
    """What somebody wants a table to be."""

    game: str
    players: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    tiles: str = "en"
    lexicon: str = "default"
    initial: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """The header that is kept."""
        out: dict[str, Any] = {
            "game": self.game,
            "players": list(self.players),
            "settings": dict(self.settings),
            "tiles": self.tiles,
            "lexicon": self.lexicon,
        }
        return {**out, "initial": dict(self.initial)} if self.initial else out


@dataclass(frozen=True, slots=True)
class Opened:
    """A new table with its tokens, which are shown this once and kept only as hashes."""

    table: Table
    host: str
    camera: str
    watch: str
    seats: Mapping[str, str]


class Tables:
    """The tables of one server.

    Args:
        storage: where they are kept.
        lexicons: names of word lists that callers may ask for, with their files; a caller never
            names a file of the server.
        tile_sets: the same for tile sets, beside those that are known.
        lock: holds the folder for this server until it is closed.
    """

    def __init__(
        self,
        storage: Storage,
        lexicons: Mapping[str, str] | None = None,
        tile_sets: Mapping[str, str] | None = None,
        lock: FolderLock | None = None,
    ) -> None:
        self.storage = storage
        self.tile_sets = {**{name: name for name in TILE_SETS}, **(tile_sets or {})}
        self.lexicons = {"default": "default", "none": "none", **(lexicons or {})}
        self._rulings = RootRulings(storage.where)
        self._open: dict[str, Table] = {}
        self._tokens: dict[str, tuple[TokenRow, ...]] = {}
        self._aside: dict[str, Damage] = {}
        self._folder = lock
        self._lock = threading.RLock()
        self._gates = tuple(threading.RLock() for _ in range(_GATES))
        self._stopped = threading.Event()
        self._saver = threading.Thread(target=self._keep_saving, name="saver", daemon=True)
        self._saver.start()

    def close(self) -> None:
        """Write what is still in memory, and let go of the storage.

        What cannot be written goes to a file of its own, from which the next server takes it.
        """
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._saver.join()
        for table in self.open_tables():
            try:
                trouble = None if table.save() else table.trouble
            except StorageError as error:
                trouble = error
            if trouble is not None:
                rescue(table, self._tokens.get(table.id, ()), self.storage.where, trouble)
        self.storage.close()
        if self._folder is not None:
            self._folder.release()

    def take_back(self) -> None:
        """Keep what an earlier server on this place could not write any more."""
        take_back(self.storage)

    def create(self, order: Order) -> Opened:
        """Set up a table.

        Raises:
            OrderError: what was asked for is no table; the message says what was expected.
        """
        row = TableRow(new_table_id(), time.time(), self._rulings.header_of(order.to_json()))
        setup = self._setup(row)
        host, camera, watch = new_token(), new_token(), new_token()
        seats = {p: new_token() for p in order.players}
        rows = (
            TokenRow(token_hash(host), "host"),
            TokenRow(token_hash(camera), "camera"),
            TokenRow(token_hash(watch), "watch"),
            *(TokenRow(token_hash(t), "seat", p) for p, t in seats.items()),
        )
        table = Table(setup, self.storage)
        self._rulings.listen_to(table)
        self.storage.create_table(row, rows)
        with self._lock:
            self._open[row.id] = table
            self._tokens[row.id] = rows
        return Opened(table, host, camera, watch, seats)

    def get(self, table_id: str) -> Table | None:
        """A table by its name, opened from the storage if need be.

        Raises:
            DamagedTableError: what is kept of it is not as it was written.
            OrderError: it was set up with files that this server does not know.
        """
        table = self._open.get(table_id)
        if table is not None:
            return table
        # a slow database keeps only those waiting who want what lies in it
        with self._gates[hash(table_id) % _GATES]:
            if table_id in self._open:
                return self._open[table_id]
            try:
                row = self.storage.table_row(table_id)
                if row is None:
                    return None
                table = self._table(row, self.storage.steps_of(table_id))
                tokens = self.storage.token_rows(table_id)
            except DamagedTableError as error:
                self._set_aside(error.damage)
                raise
            self._rulings.listen_to(table)
            with self._lock:
                self._open[table_id] = table
                self._tokens[table_id] = tokens
                self._aside.pop(table_id, None)
            return table

    def _table(self, row: TableRow, kept: tuple[Step, ...]) -> Table:
        """A table as its steps say.

        Raises:
            DamagedTableError: they cannot be played again.
        """
        setup = self._setup(row)
        try:
            return Table(setup, self.storage, kept, self.storage.refusal_rows(row.id))
        except BadStepError as error:
            wrong, readable = str(error), error.readable
        except _UNPLAYABLE as error:
            wrong, readable = f"its steps cannot be played again ({error})", 0
        raise DamagedTableError(Damage(row.id, setup.opening.players, wrong, readable))

    def openable(self, table_id: str) -> Table | None:
        """A table, or None where it is not there or cannot be opened; that is told once."""
        try:
            return self.get(table_id)
        except (DamagedTableError, OrderError):
            return None

    def readable(self, table_id: str, damage: Damage) -> Table:
        """As much of a damaged table as is whole, to be looked at only.

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

    def damages(self) -> tuple[Damage, ...]:
        """The tables that were set aside, as far as that is known."""
        for damage in self.storage.damaged_rows():
            self._set_aside(damage)
        with self._lock:
            return tuple(self._aside.values())

    def actor(self, table_id: str, token: str | None) -> tuple[Table, Actor] | None:
        """The table and who somebody with this token is there; None without both."""
        if not (table_id.isalnum() and len(table_id) <= 40):
            return None
        # who has no token for it does not make a table be opened, nor learns that it is there
        rows = self._tokens.get(table_id)
        actor = find_actor(token, self.storage.token_rows(table_id) if rows is None else rows)
        table = None if actor is None else self.get(table_id)
        return None if table is None or actor is None else (table, actor)

    def add_token(self, table_id: str, role: str, player: str | None) -> str:
        """A further token, for a lost one or another device."""
        token = new_token()
        row = TokenRow(token_hash(token), role, player)
        self.storage.add_tokens(table_id, (row,))
        with self._lock:
            self._tokens[table_id] = (*self._tokens.get(table_id, ()), row)
        return token

    def forget(self, table_id: str) -> None:
        """Let a table go; the next who asks gets it as it is kept."""
        with self._lock:
            self._open.pop(table_id, None)

    def rows(self) -> tuple[TableRow, ...]:
        """Every table, the newest first."""
        return self.storage.table_rows()

    def open_tables(self) -> tuple[Table, ...]:
        """The tables in memory."""
        return tuple(self._open.values())

    def is_open(self, table_id: str) -> Table | None:
        """A table, if it is in memory."""
        return self._open.get(table_id)

    def _setup(self, row: TableRow) -> Setup:
        header = row.header
        opening = self.opening(header)
        tiles = self.tile_sets[str(header["tiles"])]
        return Setup(row, opening, tiles, str(header["lexicon"]))

    def opening(self, header: Mapping[str, Any]) -> Opening:
        """The game that a header describes.

        Raises:
            OrderError: there is no such game, setting, tile set, list or number of players.
        """
        try:
            game = find_game(str(header["game"]))
        except ValueError as error:
            raise OrderError("unknown_game", str(error)) from error
        try:
            options = check_options(game.info, header.get("settings") or {})
        except BadOption as error:
            raise OrderError(error.code, str(error)) from error
        players = check_names(header["players"])
        tiles, lexicon = str(header["tiles"]), str(header["lexicon"])
        named = str(options.get("lexicon", "default"))
        for wanted in (lexicon, named):
            if wanted not in self.lexicons:
                known = ", ".join(sorted(self.lexicons))
                message = f"There is no word list {wanted!r} here; known are {known}."
                raise OrderError("unknown_lexicon", message)
        if tiles not in self.tile_sets:
            message = f"There is no tile set {tiles!r}; known are {', '.join(self.tile_sets)}."
            raise OrderError("unknown_tiles", message)
        lexicon = self.lexicons[lexicon if named == "default" else named]
        # the list is resolved here by name, so that a setting never reaches a file
        plain = {k: v for k, v in options.items() if k != "lexicon"}
        try:
            materials = make_materials(lexicon, self.tile_sets[tiles], plain)
            opening = Opening(game, players, options, materials, header.get("initial"))
            opening.begin()
        except (ValueError, KeyError, TypeError, AttributeError, UsageError) as error:
            message = f"This game cannot begin: {error}."
            raise OrderError("cannot_begin", message) from error
        return opening

    def _keep_saving(self) -> None:
        while not self._stopped.wait(RETRY_SECONDS):
            for table in tuple(self._open.values()):
                try:
                    table.retry_saving()
                except StorageError:
                    self.forget(table.id)


def check_names(given: object) -> tuple[str, ...]:
    """Players' names, trimmed.

    Raises:
        OrderError: a name is missing, too long or there twice.
    """
    if not isinstance(given, (list, tuple)) or not all(isinstance(n, str) for n in given):
        raise OrderError("bad_players", "Expected the players' names as a list.")
    names = tuple(" ".join(n.split()) for n in given)
    for name in names:
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            message = f"Expected names of 1 to {LONGEST_NAME} letters, got {name!r}."
            raise OrderError("bad_players", message)
    if len({n.casefold() for n in names}) != len(names):
        raise OrderError("bad_players", "Every player needs a name of their own.")
    return names
