"""`kibitz export`: a recorded game as GCG, CSV, JSON, or a page that replays it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli.options import Data, Game, Json
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.face.kept import export_kept


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
        Path | None,
        typer.Option("--out", "--output", "-o", metavar="FILE", help="Instead of printing."),
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
    record = export_kept(table_id, format_, after=after, game=game, data=data)
    code = 1 if record.damage else 0
    if output is None:
        print_result(record.text.rstrip("\n"))
        return code
    record.write(output)
    show_progress(f"written to {output}")
    return code
