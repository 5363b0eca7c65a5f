"""`kibitz.tables`, `kibitz.export` and `kibitz.film`: kept tables and their games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.files import PathLike
from kibitz.app.common.limits import WAITS
from kibitz.app.common.materials.own_games import GameLike, games_with
from kibitz.app.common.terminal import silent

if TYPE_CHECKING:
    from kibitz.app.common.storage.tables import Damage, Storage, TableRow
    from kibitz.app.common.storage.upkeep import Label, Sizes
    from kibitz.app.tables.registry import Tables
    from kibitz.app.tables.table import Table


@contextmanager
def open_storage(data: str | None) -> Iterator[Storage]:
    """Open the storage of tables, and close it when the block ends.

    Raises:
        CommandError: it cannot be used.
    """
    from kibitz.app.common.storage.tables import Storage, StorageError

    try:
        storage = Storage(data)
        try:
            yield storage
        finally:
            storage.close()
    except StorageError as error:
        raise CommandError(error.message) from error


@contextmanager
def kept_tables(data: str | None, game: GameLike | None = None) -> Iterator[Tables]:
    """Open all tables of a storage, and close them when the block ends.

    Args:
        data: the place; without it the usual one.
        game: rules of one's own that a table may be played by.

    Raises:
        UsageError: these rules are no game.
        CommandError: the place cannot be opened, or what is done there fails for its storage.
    """
    from kibitz.app.common.storage.tables import Storage, StorageError
    from kibitz.app.tables.registry import Tables

    games = games_with(*([game] if game else []))
    try:
        tables = Tables(Storage(data), games=games)
    except StorageError as error:
        raise CommandError(error.message) from error
    try:
        yield tables
    except StorageError as error:
        raise CommandError(error.message) from error
    finally:
        tables.close()


def table_named(tables: Tables, table_id: str, missing: str = "no table") -> Table:
    """One of the tables, by its id.

    Args:
        tables: all of them.
        table_id: its name.
        missing: what there is not, where there is none of that name.

    Raises:
        UsageError: there is none of that name.
        DamagedTableError: it cannot be read whole.
        OrderError: it cannot be set up again.
    """
    table = tables.get(table_id)
    if table is None:
        known = " ".join(row.id for row in tables.storage.table_rows()) or "none"
        raise UsageError(f"there is {missing} {table_id!r:.90}; kept are: {known}")
    return table


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A kept table.

    Attributes:
        table: its short name, which `export`, `film`, `analyse` and `replay` take.
        name: what people named it; empty where they did not.
        archived: whether it was put away.
        game: the game's slug.
        players: names in seating order.
        created: when it was opened, in seconds since 1970.
        steps: how many steps it has.
        pictures: how many pictures of positions are kept.
        picture_bytes: how much room these take.
    """

    table: str
    name: str
    archived: bool
    game: str
    players: tuple[str, ...]
    created: float
    steps: int
    pictures: int
    picture_bytes: int

    def to_json(self) -> dict[str, Any]:
        """The line of `kibitz tables list --json`."""
        return {**asdict(self), "players": list(self.players)}


def kept_table(row: TableRow, label: Label, sizes: Sizes) -> KeptTable:
    """A kept table with its name and size."""
    return KeptTable(
        table=row.id,
        name=label.name,
        archived=label.archived is not None,
        game=str(row.header.get("game", "")),
        players=tuple(str(p) for p in row.header.get("players") or ()),
        created=row.created,
        steps=sizes.steps,
        pictures=sizes.pictures,
        picture_bytes=sizes.picture_bytes,
    )


def tables(
    words: str = "", *, archived: bool = False, data: str | None = None
) -> tuple[KeptTable, ...]:
    """Tables that are kept, newest first.

    Args:
        words: only those that have all of these words in a name, the game or the players.
        archived: also those that were put away.
        data: where tables are kept, a folder or the address of a database; without it the usual
            place.

    Raises:
        CommandError: the place cannot be used.
    """
    from kibitz.app.common.storage.upkeep import Label, Sizes

    with open_storage(data) as storage:
        labels, sizes = storage.labels(), storage.sizes()
        none = Label(), Sizes(0, 0, 0)
        found = [
            kept_table(r, labels.get(r.id, none[0]), sizes.get(r.id, none[1]))
            for r in storage.table_rows()
        ]
    wanted = [w.casefold() for w in words.split()]
    return tuple(
        one
        for one in found
        if all(w in _text_of(one) for w in wanted) and (archived or not one.archived)
    )


def _text_of(table: KeptTable) -> str:
    return " ".join((table.table, table.name, table.game, *table.players)).casefold()


@dataclass(frozen=True, slots=True)
class Exported:
    """A recorded game, or one position of it, in a file format.

    Attributes:
        table: the table's name.
        format: `gcg`, `cgp`, `json`, `csv` or `html`.
        text: the record.
        damage: what is wrong with a table of which only a part could be read; empty where all
            was.
    """

    table: str
    format: str
    text: str = field(repr=False)
    damage: str = ""

    def write(self, path: PathLike) -> None:
        """Write it to a file as UTF-8; missing folders are made.

        Raises:
            CommandError: it cannot be written.
        """
        output = Path(path)
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            output.write_text(self.text, encoding="utf-8", newline="")
        except OSError as error:
            raise CommandError(f"cannot write {output}: {error.strerror}") from error


def export(
    table: str,
    format: str = "json",
    *,
    after: int | None = None,
    game: GameLike | None = None,
    data: str | None = None,
) -> Exported:
    """Export a recorded game as GCG, CSV, JSON or HTML, or one position of it as CGP.

    Args:
        table: its name, as `tables` lists it.
        format: `gcg`, `cgp`, `json`, `csv` or `html`.
        after: with `cgp`: the position after so many entries of the game; without it the newest.
        game: rules of your own that the table is played by.
        data: where tables are kept.

    Raises:
        UsageError: there is no such format or table.
        CommandError: the record cannot be made or read. Of a damaged table what can be read is
            no error: it is there, with its `damage`.
    """
    from kibitz.app.common.storage.tables import DamagedTableError
    from kibitz.app.tables.orders import OrderError
    from kibitz.app.tables.results.exports import EXPORTS, ExportError, export_table

    if format not in EXPORTS:
        raise UsageError(Option("format"), f": expected {', '.join(EXPORTS)}, got {format!r}")
    with kept_tables(data, game) as tables:
        try:
            text = export_table(table_named(tables, table), format, after)
        except DamagedTableError as error:
            text = _readable_part(tables, table, format, error.damage)
            return Exported(table, format, text, error.damage.wrong)
        except (ExportError, OrderError) as error:
            raise CommandError(error.message) from error
    return Exported(table, format, text)


def _readable_part(tables: Tables, table_id: str, format_: str, damage: Damage) -> str:
    """The readable part of a damaged table, in the requested format or as JSON.

    Raises:
        CommandError: nothing of it can be written in this format.
    """
    from kibitz.app.common.storage.tables import DamagedTableError
    from kibitz.app.tables.results.exports import ExportError, damaged_json, export_table

    try:
        return export_table(tables.readable(table_id, damage), format_)
    except (DamagedTableError, ExportError) as error:
        if format_ != "json":
            raise CommandError(
                f"table {table_id} is damaged ({damage.wrong}) and cannot be written as "
                f"{format_}; ",
                Option("format"),
                " json writes what can be read",
            ) from error
    kept, _ = tables.storage.readable_steps(table_id)
    return damaged_json(table_id, damage, kept)


def film(
    table: str,
    out: PathLike,
    *,
    seconds: float = WAITS.shown_s,
    game: GameLike | None = None,
    data: str | None = None,
    progress: Callable[[str], None] = silent,
) -> int:
    """Make a film of a recorded game: the straightened board, scores and announcements.

    Args:
        table: its name, as `tables` lists it.
        out: the file to write, `.mp4`, `.webm` or `.avi`.
        seconds: how long each picture is shown.
        game: rules of your own that the table is played by.
        data: where tables are kept.
        progress: is told, in words, how far the work has come.

    Returns:
        How many pictures it shows.

    Raises:
        UsageError: there is no such table, kind of file or time.
        CommandError: the table cannot be read, the film not written, or no picture was kept.
    """
    from kibitz.app.common.storage.tables import DamagedTableError
    from kibitz.app.reading.frames import FrameReader
    from kibitz.app.tables.orders import OrderError
    from kibitz.app.tables.results.game_film import FilmRule, write_film

    try:
        rule = replace(FilmRule(), seconds=seconds)
    except ValueError as error:
        raise UsageError(Option("seconds"), f" {seconds}: {error}") from error
    with kept_tables(data, game) as tables:
        try:
            return write_film(
                table_named(tables, table),
                Path(out),
                FrameReader(),
                rule,
                lambda n: progress(f"picture {n}"),
            )
        except (OrderError, DamagedTableError) as error:
            raise CommandError(f"film: {error}") from error
