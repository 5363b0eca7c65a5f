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
) -> int:
    """Write a recorded game as GCG, CSV, JSON or a page, or a position as CGP.

    Example: kibitz export 4f2a --format gcg -o game.gcg
    """
    format_ = "json" if as_json else format_
    record = export_kept(table, format_, after=after, game=game, data=data)
    code = 1 if record.damage else 0
    if output is None:
        print_result(record.text.rstrip("\n"))
        return code
    record.write(output)
    show_progress(f"written to {output}")
    return code
