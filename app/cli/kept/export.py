"""`kibitz export`: a recorded game as GCG, CSV, JSON, or a page that replays it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.app.cli.kept.kept_table import kept_tables, table_named
from kibitz.app.cli.options import Data, Game, Json
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.terminal import print_result, show_progress

if TYPE_CHECKING:
    from kibitz.app.common.storage.tables import Damage
    from kibitz.app.tables.registry import Tables


def command(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="A recorded table's name.")],
    *,
    format_: Annotated[
        str, typer.Option("--format", metavar="gcg|cgp|json|csv|html", help="What to write.")
    ] = "json",
    after: Annotated[
        int | None,
        typer.Option("--after", metavar="N", help="With cgp: after so many entries of the game."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Instead of printing.")
    ] = None,
    as_json: Json = False,
    game: Game = None,
    data: Data = None,
) -> None:
    """Write a recorded game as GCG, CSV, JSON or a page, or a position as CGP.

    Example: kibitz export 4f2a --format gcg -o game.gcg
    """
    raise typer.Exit(run_export(table, "json" if as_json else format_, output, data, game, after))


def run_export(
    table_id: str,
    format_: str,
    output: Path | None,
    data: str | None,
    game: str | None = None,
    after: int | None = None,
) -> int:
    """Write a table's record to a file or to standard output.

    Of a damaged table what can be read is written, and 1 returned.

    Args:
        table_id: the table's name.
        format_: one of `EXPORTS`.
        output: where to, None for standard output.
        data: where tables are kept.
        game: MODULE:NAME of the table's rules, where they are none of Kibitz's own.
        after: of which position, for CGP: after so many entries of the history.

    Raises:
        UsageError: no such format or table.
        CommandError: the record cannot be made, read or written.
    """
    from kibitz.app.common.storage.tables import DamagedTableError
    from kibitz.app.tables.orders import OrderError
    from kibitz.app.tables.results.exports import EXPORTS, ExportError, export_table

    if format_ not in EXPORTS:
        raise UsageError(f"--format: expected {', '.join(EXPORTS)}, got {format_!r}")
    with kept_tables(data, game) as tables:
        try:
            text, code = export_table(table_named(tables, table_id), format_, after), 0
        except DamagedTableError as error:
            text, code = _what_is_whole(tables, table_id, format_, error.damage), 1
        except (ExportError, OrderError) as error:
            raise CommandError(error.message) from error
    if output is None:
        print_result(text.rstrip("\n"))
        return code
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise CommandError(f"cannot write {output}: {error.strerror}") from error
    show_progress(f"written to {output}")
    return code


def _what_is_whole(tables: Tables, table_id: str, format_: str, damage: Damage) -> str:
    """As much of a damaged table as can be read, in the format that was asked for or as JSON.

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
                f"{format_}; --format json writes what can be read"
            ) from error
    kept, _ = tables.storage.readable_steps(table_id)
    return damaged_json(table_id, damage, kept)
