"""The commands of `kibitz` that look at pictures and at a table.

Each brings in what it needs, so that `kibitz --help` answers at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli.options import (
    Calibration,
    Corners,
    Data,
    Game,
    Json,
    Lexicon,
    Models,
    Panel,
    Settings,
    Tiles,
    Top,
)


def _read(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders, globs.")],
    *,
    as_json: Json = False,
    game: Game = None,
    squares: Annotated[
        str | None, typer.Option("--squares", metavar="15|45|loose", help="What to look for.")
    ] = None,
    tiles: Tiles = "en",
    corners: Corners = None,
    top: Top = None,
    panel: Panel = None,
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
    from kibitz.app.cli.read import ReadJob, run_read
    from kibitz.app.common.materials import letters_for
    from kibitz.app.reading.request import Look, parse_corners, parse_squares, parse_top

    look = Look(
        parse_squares(squares, game), letters_for(tiles), parse_corners(corners), parse_top(top)
    )
    if calibration is not None:
        from kibitz.app.reading.profile import load_profile

        look = load_profile(calibration, data).look(look)
    job = ReadJob(tuple(paths), look, as_json, overlay, models, workers, cluster, panel)
    raise typer.Exit(run_read(job))


def _replay(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="A folder, photos, a video, a recorded table."),
    ],
    *,
    as_json: Json = False,
    game: Game = None,
    players: Annotated[
        str | None, typer.Option("--players", metavar="Ann,Bob", help="Names, in seating order.")
    ] = None,
    settings: Settings = None,
    told: Annotated[
        Path | None,
        typer.Option("--told", metavar="FILE", help="What people say: a JSON list of actions."),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option("--start", metavar="FILE", help="A position to begin from, as JSON."),
    ] = None,
    lexicon: Lexicon = "default",
    tiles: Tiles = "en",
    top: Top = None,
    corners: Corners = None,
    panel: Panel = None,
    calibration: Calibration = None,
    gcg: Annotated[
        Path | None, typer.Option("--gcg", metavar="FILE", help="Write the game as GCG.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page that replays it.")
    ] = None,
    data: Data = None,
    models: Models = None,
) -> None:
    """Replay a photographed game: every play, its score, and what was said.

    Example: kibitz replay photos/ --players Ann,Bob --html game.html
    """
    from kibitz.app.cli.replay import ReplayJob, run_replay
    from kibitz.engine.games import DEFAULT_GAME

    raise typer.Exit(
        run_replay(
            ReplayJob(
                paths=tuple(paths),
                as_json=as_json,
                game=game or DEFAULT_GAME,
                players=players,
                settings=tuple(settings or ()),
                told=told,
                start=start,
                lexicon=lexicon,
                tiles=tiles,
                top=top,
                corners=corners,
                panel=panel,
                calibration=calibration,
                gcg=gcg,
                html=html,
                data=data,
                models=models,
            )
        )
    )


def _calibrate(
    source: Annotated[
        str | None,
        typer.Argument(metavar="SOURCE", help="Device number, address, file, folder."),
    ] = None,
    *,
    as_json: Json = False,
    print_markers: Annotated[
        Path | None,
        typer.Option("--print-markers", metavar="FILE", help="Write corner markers to print."),
    ] = None,
    table: Annotated[str, typer.Option("--table", help="The name to keep it under.")] = "table",
    squares: Annotated[
        str | None, typer.Option("--squares", metavar="15|45|loose", help="What to look for.")
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option(
            "--seats",
            metavar="Ann=bottom,...",
            help="Who sits at which edge of the picture; the first plays as South.",
        ),
    ] = None,
    game: Game = None,
    corners: Corners = None,
    top: Top = None,
    data: Data = None,
    models: Models = None,
) -> None:
    """Find and keep where a table's board lies, and say how good the view is.

    Example: kibitz calibrate 0 --table kitchen
    """
    from kibitz.app.cli.calibrate import CalibrateJob, run_calibrate
    from kibitz.app.reading.profile import parse_seats
    from kibitz.app.reading.request import parse_corners, parse_squares, parse_top

    job = CalibrateJob(
        source=source,
        table=table,
        squares=parse_squares(squares, game),
        corners=parse_corners(corners),
        top=parse_top(top),
        seats=parse_seats(seats),
        print_markers=print_markers,
        data=data,
        models=models,
        as_json=as_json,
    )
    raise typer.Exit(run_calibrate(job))


def _print(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="[cards|strips|markers...]", help="What to print; else all."),
    ] = None,
    *,
    as_json: Json = False,
    square_mm: Annotated[
        float, typer.Option("--square-mm", metavar="MM", help="Side of one square of your board.")
    ] = 19.0,
    players: Annotated[
        int, typer.Option("--players", metavar="N", help="Fleets of ship cards.")
    ] = 4,
    paper: Annotated[str, typer.Option("--paper", metavar="a4|letter", help="Paper.")] = "a4",
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="A .pdf or .png file.")
    ] = Path("kibitz-print.pdf"),
) -> None:
    """Print ship cards, coordinate strips for the rim, and corner markers, all at true size.

    Example: kibitz print cards strips --square-mm 18.5 -o ships.pdf
    """
    from kibitz.app.cli.print import PrintJob, run_print

    job = PrintJob(tuple(what or ()), square_mm, players, paper, output, as_json)
    raise typer.Exit(run_print(job))


def add_look(app: typer.Typer) -> None:
    """Add the commands that look: read, replay, calibrate, print."""
    app.command("read")(_read)
    app.command("replay")(_replay)
    app.command("calibrate")(_calibrate)
    app.command("print")(_print)
