"""A table that is kept, for a command that works on one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kibitz.app.common.errors import CommandError, UsageError

if TYPE_CHECKING:
    from kibitz.app.tables.registry import Tables
    from kibitz.app.tables.table import Table


@contextmanager
def kept_tables(data: str | None, game: str | None = None) -> Iterator[Tables]:
    """All tables of a place, closed in the end.

    Args:
        data: the place; without it the usual one.
        game: rules of one's own that a table may be played by.

    Raises:
        UsageError: these rules are no game.
        CommandError: the place cannot be opened, or what is done there fails for its storage.
    """
    from kibitz.app.common.materials.own_games import games_with
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
    """One of them.

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
