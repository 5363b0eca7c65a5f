"""`kibitz calibrate`: finds a board in the camera's view, and judges that view."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli import options
from kibitz.app.common.errors import UsageError
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.face import calibrating


def command(
    source: Annotated[
        str | None,
        typer.Argument(metavar="SOURCE", help="Device number, address, file, folder."),
    ] = None,
    *,
    as_json: options.Json = False,
    print_markers: Annotated[
        Path | None,
        typer.Option("--print-markers", metavar="FILE", help="Write corner markers to print."),
    ] = None,
    table: Annotated[
        str, typer.Option("--table", help="The name to keep it under.")
    ] = calibrating.USUAL_TABLE,
    squares: options.Squares = None,
    seats: Annotated[
        str | None,
        typer.Option(
            "--seats",
            metavar="Ann=bottom,...",
            help="Who sits at which edge of the picture; the first plays as South.",
        ),
    ] = None,
    teach: Annotated[
        list[str] | None,
        typer.Option("--teach", metavar="FILE", help="A picture of tiles whose look is learnt."),
    ] = None,
    tiles: options.Tiles = "en",
    order: Annotated[
        str | None,
        typer.Option("--order", metavar="LETTERS", help="What lies there; ? is a blank."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "--output", "-o", metavar="FILE", help="Keep what was taught here."),
    ] = None,
    game: options.Game = None,
    corners: options.Corners = None,
    top: options.Top = None,
    data: options.Data = None,
    models: options.Models = None,
) -> None:
    """Find and keep where a table's board lies, and say how good the view is.

    Example: kibitz calibrate 0 --table kitchen
    Example: kibitz calibrate --teach tiles.jpg --tiles ru --out ru.json
    """
    if teach and source is not None:
        raise UsageError("calibrate: expected a SOURCE or --teach FILE, got both")
    if teach:
        taught = calibrating.teach(
            teach,
            out or Path("tiles.json"),
            tiles=tiles,
            order=order,
            squares=squares,
            game=game,
            corners=corners,
            top=top,
            models=models,
            progress=show_progress,
        )
        if as_json:
            print_result(json.dumps(taught.to_json(), ensure_ascii=False))
        else:
            print_result(f"{len(taught.labels)} tiles were learnt and kept in {taught.file}")
            print_result(f"Read with them: kibitz read PATH --profile {taught.file}")
        return
    if print_markers is not None:
        _write_markers(print_markers, as_json=as_json)
    if source is None:
        if print_markers is None:
            raise UsageError("calibrate: expected a SOURCE, or --print-markers FILE")
        return
    found = calibrating.calibrate(
        source,
        table,
        squares=squares,
        game=game,
        seats=seats,
        corners=corners,
        top=top,
        data=data,
        models=models,
        progress=show_progress,
    )
    if as_json:
        print_result(json.dumps(found.to_json(), ensure_ascii=False))
        return
    for player, edge in found.line["seats"].items():
        print_result(f"{player} sits at the picture's {edge} edge")
    for number, board in enumerate(found.boards, 1):
        print_result(f"Board {number}: {board.summary}")
        for line in board.advice:
            print_result(f"  {line}")
    if not found.boards:
        print_result("No board is looked for among loose tiles; only who sits where is kept.")
    print_result(f"Kept in {found.file}")


def _write_markers(path: Path, *, as_json: bool) -> None:
    from kibitz.app.cli.printing.marker_page import marker_page
    from kibitz.app.cli.printing.print import write_sheets

    if path.suffix.lower() not in (".pdf", ".png"):
        raise UsageError(f"--print-markers: expected a .pdf or .png file, got {path}")
    write_sheets([marker_page("a4")], "a4", path, "--print-markers")
    if as_json:
        print_result(json.dumps({"markers": str(path)}))
    else:
        print_result(f"Corner markers are in {path}; print them at 100 % on A4.")
