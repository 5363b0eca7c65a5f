"""`kibitz read`: reads photographs and prints JSON lines or drawn boards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import kibitz
from kibitz.app.cli.options import (
    Calibration,
    Corners,
    Data,
    Game,
    Json,
    Models,
    Panel,
    Profile,
    Squares,
    TilesIfTold,
    Top,
)
from kibitz.app.common.errors import PictureUnreadable
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.languages.catalogues import in_own_language
from kibitz.app.reading.reports import write_report
from kibitz.engine.phrases import phrase

if TYPE_CHECKING:
    from kibitz.app.reading.results import Reading
    from kibitz.app.wire.lines import ReadLine
    from kibitz.vision.frame import Picture


def command(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders, globs.")],
    *,
    as_json: Json = False,
    game: Game = None,
    squares: Squares = None,
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
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE.zip",
            help="Write pictures and readings, without names, for whoever mends misreadings.",
        ),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes to use.")] = 1,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler.")
    ] = None,
    models: Models = None,
) -> int:
    """Read photographs of boards or loose tiles.

    Example: kibitz read photos/ --tiles de --overlay drawn/
    """
    from kibitz.app.face.reading import read_all

    readings = read_all(
        paths,
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
        progress=show_progress,
    )
    failed, seen = False, []
    for reading in readings:
        failed = failed or reading.error is not None
        if report is not None:
            seen.append(reading)
        if as_json:
            print_result(json.dumps(in_own_language(reading.to_json()), ensure_ascii=False))
        else:
            from kibitz.app.reading.drawing import draw_reading

            print_result(draw_reading(reading, colours=True))
    if report is not None:
        write_report(report, map(_reported, seen), kibitz.__version__)
        show_progress(phrase("The report is {file}.", file=str(report)))
    return 1 if failed else 0


def _reported(reading: Reading) -> tuple[Picture | None, ReadLine]:
    try:
        return reading.picture(), reading.to_json()
    except PictureUnreadable:
        return None, reading.to_json()
