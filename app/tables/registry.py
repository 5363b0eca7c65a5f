"""All the tables of one server: set up, found again, kept saved."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials import TILE_SETS, make_materials
from kibitz.app.common.storage import Storage, StorageError, TableRow, TokenRow
from kibitz.app.server.errors import ApiError
from kibitz.app.tables.access import Actor, find_actor, new_table_id, new_token, token_hash
from kibitz.app.tables.rulings import RootRulings
from kibitz.app.tables.setup import Setup
from kibitz.app.tables.table import Table
from kibitz.engine.games import GAMES, Games
from kibitz.engine.options import BadOption, check_options
from kibitz.engine.record.ledger import Opening

RETRY_SECONDS = 2.0
LONGEST_NAME = 40


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
        games: what can be played here.
    """

    def __init__(
        self,
        storage: Storage,
        lexicons: Mapping[str, str] | None = None,
        tile_sets: Mapping[str, str] | None = None,
        games: Games = GAMES,
    ) -> None:
        self.storage = storage
        self.tile_sets = {**{name: name for name in TILE_SETS}, **(tile_sets or {})}
        self.lexicons = {"default": "default", "none": "none", **(lexicons or {})}
        self.games = games
        self._rulings = RootRulings(storage.where, games)
        self._open: dict[str, Table] = {}
        self._tokens: dict[str, tuple[TokenRow, ...]] = {}
        self._lock = threading.RLock()
        self._stopped = threading.Event()
        self._saver = threading.Thread(target=self._keep_saving, name="saver", daemon=True)
        self._saver.start()

    def close(self) -> None:
        """Write what is still in memory, and let go of the storage."""
        self._stopped.set()
        self._saver.join()
        for table in tuple(self._open.values()):
            try:
                table.save()
            except StorageError:
                continue  # it cannot be written now and there is no later
        self.storage.close()

    def create(self, order: Order) -> Opened:
        """Set up a table.

        Raises:
            ApiError: what was asked for is no table; the message says what was expected.
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
        """A table by its name, opened from the storage if need be."""
        with self._lock:
            if table_id in self._open:
                return self._open[table_id]
            row = self.storage.table_row(table_id)
            if row is None:
                return None
            table = Table(self._setup(row), self.storage, self.storage.steps_of(table_id))
            self._rulings.listen_to(table)
            self._open[table_id] = table
            self._tokens[table_id] = self.storage.token_rows(table_id)
            return table

    def actor(self, table_id: str, token: str | None) -> tuple[Table, Actor] | None:
        """The table and who somebody with this token is there; None without both."""
        table = self.get(table_id) if table_id.isalnum() and len(table_id) <= 40 else None
        if table is None:
            return None
        actor = find_actor(token, self._tokens[table_id])
        return None if actor is None else (table, actor)

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
            ApiError: there is no such game, setting, tile set, list or number of players.
        """
        try:
            game = self.games.find_game(str(header["game"]))
        except ValueError as error:
            raise ApiError(422, "unknown_game", str(error)) from error
        try:
            options = check_options(game.info, header.get("settings") or {})
        except BadOption as error:
            raise ApiError(422, error.code, str(error)) from error
        players = check_names(header["players"])
        tiles, lexicon = str(header["tiles"]), str(header["lexicon"])
        named = str(options.get("lexicon", "default"))
        for wanted in (lexicon, named):
            if wanted not in self.lexicons:
                known = ", ".join(sorted(self.lexicons))
                message = f"There is no word list {wanted!r} here; known are {known}."
                raise ApiError(422, "unknown_lexicon", message)
        if tiles not in self.tile_sets:
            message = f"There is no tile set {tiles!r}; known are {', '.join(self.tile_sets)}."
            raise ApiError(422, "unknown_tiles", message)
        lexicon = self.lexicons[lexicon if named == "default" else named]
        # the list is resolved here by name, so that a setting never reaches a file
        plain = {k: v for k, v in options.items() if k != "lexicon"}
        try:
            materials = make_materials(lexicon, self.tile_sets[tiles], plain)
            opening = Opening(game, players, options, materials, header.get("initial"))
            opening.begin()
        except (ValueError, KeyError, TypeError, AttributeError, UsageError) as error:
            message = f"This game cannot begin: {error}."
            raise ApiError(422, "cannot_begin", message) from error
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
        ApiError: a name is missing, too long or there twice.
    """
    if not isinstance(given, (list, tuple)) or not all(isinstance(n, str) for n in given):
        raise ApiError(422, "bad_players", "Expected the players' names as a list.")
    names = tuple(" ".join(n.split()) for n in given)
    for name in names:
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            message = f"Expected names of 1 to {LONGEST_NAME} letters, got {name!r}."
            raise ApiError(422, "bad_players", message)
    if len({n.casefold() for n in names}) != len(names):
        raise ApiError(422, "bad_players", "Every player needs a name of their own.")
    return names
