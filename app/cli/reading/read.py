"""`kibitz read`: reads photographs and prints JSON lines or drawn boards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.app.cli.options import (
    Calibration,
    Corners,
    Data,
    Game,
    Json,
    Models,
    Panel,
    Profile,
    TilesIfTold,
    Top,
)
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.languages.spoken import in_own_language


def command(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders, globs.")],
    *,
    as_json: Json = False,
    game: Game = None,
    squares: Annotated[
        str | None,
        typer.Option("--squares", metavar="15|21|...|45|auto|loose", help="What to look for."),
    ] = None,
    tiles: TilesIfTold = None,
    corners: Corners = None,
    top: Top = None,
    panel: Panel = None,
    profile: Profile = None,
    calibration: Calibration = None,
    data: Data = None,
    overlay: Annotated[
        Path | None,
        typer.Option("--overlay", metavar="DIR", help="Write pictures with the reading on them."),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes to use.")] = 1,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler.")
    ] = None,
    models: Models = None,
) -> None:
    """Read photographs of boards or loose tiles.

    Example: kibitz read photos/ --tiles de --overlay drawn/
    """
    raise typer.Exit(
        run_read(
            paths,
            as_json=as_json,
            game=game,
            squares=squares,
            tiles=tiles,
            corners=corners,
            top=top,
            panel=panel,
            profile=profile,
            calibration=calibration,
            data=data,
            overlay=overlay,
            workers=workers,
            cluster=cluster,
            models=models,
        )
    )


def run_read(paths: list[str], *, as_json: bool, **options: Any) -> int:
    """Read every photograph and print a line for each; 0 if all could be read, else 1.

    Args:
        paths: files, folders and patterns.
        as_json: whether lines of JSON are printed, not boards drawn.
        options: as `kibitz.read_all` takes them.
    """
    from kibitz.app.face.reading import read_all

    failed = False
    for reading in read_all(paths, progress=show_progress, **options):
        failed = failed or reading.error is not None
        if as_json:
            print_result(json.dumps(in_own_language(reading.to_json()), ensure_ascii=False))
        else:
            from kibitz.app.reading.drawing import draw_reading

            print_result(draw_reading(reading, colours=True))
    return 1 if failed else 0
