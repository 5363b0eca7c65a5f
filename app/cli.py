"""The `kibitz` command: what each word of it takes, and nothing of how it is done.

Nothing heavy is imported up here, so that `kibitz --help` answers at once; each command brings
in what it needs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

HELP = """Point a camera at a real word-game board and it keeps the game.

Example: kibitz demo
"""

app = typer.Typer(
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["--help", "-h"]},
)

Json = Annotated[bool, typer.Option("--json", help="Print results as JSON, one object a line.")]
Game = Annotated[str | None, typer.Option("--game", metavar="SLUG", help="The game's slug.")]
Tiles = Annotated[
    str, typer.Option("--tiles", metavar="NAME|FILE", help="en de fr ro pl fi, or a file.")
]
Top = Annotated[
    str | None,
    typer.Option(
        "--top", metavar="EDGE", help="Picture edge nearest to row A: top right bottom left."
    ),
]
Corners = Annotated[
    str | None,
    typer.Option("--corners", metavar="x,y,...", help="Eight numbers: corners given by hand."),
]
Panel = Annotated[
    str | None,
    typer.Option(
        "--panel",
        metavar="1-9|auto",
        help="Each photo shows one of nine joined boards: which, in turn.",
    ),
]
Models = Annotated[
    Path | None, typer.Option("--models", metavar="DIR", help="Other model weights.", hidden=True)
]
Data = Annotated[
    str | None, typer.Option("--data", metavar="DIR|URL", help="Where tables are kept.")
]
Lexicon = Annotated[
    str, typer.Option("--lexicon", metavar="FILE|default|none", help="The words that are good.")
]


@app.callback(invoke_without_command=True)
def _kibitz(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    debug: Annotated[  # noqa: ARG001 - `main` takes it out of the call; here it is only described
        bool, typer.Option("--debug", help="Show tracebacks (may stand anywhere in the call).")
    ] = False,
) -> None:
    """Point a camera at a real word-game board and it keeps the game."""
    if version:
        from importlib.metadata import PackageNotFoundError
        from importlib.metadata import version as installed

        try:
            typer.echo(f"kibitz {installed('kibitz')}")
        except PackageNotFoundError:
            typer.echo("kibitz (not installed as a package)")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


@app.command("read")
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
    from app.materials import letters_for
    from app.read_command import ReadJob, run_read
    from app.read_options import Look, parse_corners, parse_squares, parse_top

    look = Look(
        parse_squares(squares, game), letters_for(tiles), parse_corners(corners), parse_top(top)
    )
    job = ReadJob(tuple(paths), look, as_json, overlay, models, workers, cluster, panel)
    raise typer.Exit(run_read(job))


@app.command("replay")
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
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of a game.")
    ] = None,
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
    from app.replay_command import ReplayJob, run_replay

    raise typer.Exit(
        run_replay(
            ReplayJob(
                paths=tuple(paths),
                as_json=as_json,
                game=game or "scrabble",
                players=players,
                settings=tuple(settings or ()),
                told=told,
                start=start,
                lexicon=lexicon,
                tiles=tiles,
                top=top,
                corners=corners,
                panel=panel,
                gcg=gcg,
                html=html,
                data=data,
                models=models,
            )
        )
    )


@app.command("rules")
def _rules(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Scenario files (.json) or GCG files.")
    ],
    *,
    as_json: Json = False,
    lexicon: Lexicon = "default",
) -> None:
    """Play rule scenarios or GCG files through the rules, without a camera.

    Example: kibitz rules scenarios.json
    """
    from app.rules_command import run_rules

    raise typer.Exit(run_rules(files, as_json=as_json, lexicon=lexicon))


@app.command("word")
def _word(
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to look up.")],
    *,
    as_json: Json = False,
    lexicon: Lexicon = "default",
    tiles: Tiles = "en",
) -> None:
    """Say whether words are good, and what letters they take in front and behind.

    Example: kibitz word qi cwm
    """
    from app.word_command import run_word

    raise typer.Exit(run_word(words, as_json=as_json, lexicon=lexicon, tiles=tiles))


@app.command("calibrate")
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
    game: Game = None,
    corners: Corners = None,
    top: Top = None,
    data: Data = None,
    models: Models = None,
) -> None:
    """Find and keep where a table's board lies, and say how good the view is.

    Example: kibitz calibrate 0 --table kitchen
    """
    from app.calibrate_command import CalibrateJob, run_calibrate
    from app.read_options import parse_corners, parse_squares, parse_top

    job = CalibrateJob(
        source=source,
        table=table,
        squares=parse_squares(squares, game),
        corners=parse_corners(corners),
        top=parse_top(top),
        print_markers=print_markers,
        data=data,
        models=models,
        as_json=as_json,
    )
    raise typer.Exit(run_calibrate(job))


@app.command("print")
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
    from app.print_command import PrintJob, run_print

    job = PrintJob(tuple(what or ()), square_mm, players, paper, output, as_json)
    raise typer.Exit(run_print(job))


@app.command("serve")
def _serve(
    *,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: a free one.")] = 8000,
    data: Data = None,
    camera: Annotated[
        list[str] | None,
        typer.Option(
            "--camera", metavar="SOURCE", help="Device, address, file; one for each joined board."
        ),
    ] = None,
    panel: Annotated[
        str | None,
        typer.Option("--panel", metavar="1-9", help="Which of nine boards each camera watches."),
    ] = None,
    game: Game = None,
    players: Annotated[
        str | None, typer.Option("--players", metavar="Ann,Bob", help="Names, in seating order.")
    ] = None,
    tiles: Tiles = "en",
    lexicon: Lexicon = "default",
    https: Annotated[
        bool, typer.Option("--https", help="Serve with a local certificate (phone cameras).")
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Tables with their cameras, as TOML."),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin anew where a game was left unfinished.")
    ] = False,
) -> None:
    """Start the server: tables, cameras and pages for everybody at the board.

    Example: kibitz serve --host 0.0.0.0 --camera 0 --game scrabble
    """
    from app.serve_command import run_serve

    raise typer.Exit(
        run_serve(
            host=host,
            port=port,
            data=data,
            cameras=tuple(camera or ()),
            panel=panel,
            game=game,
            players=players,
            tiles=tiles,
            lexicon=lexicon,
            https=https,
            config=config,
            anew=new,
        )
    )


@app.command("demo")
def _demo(
    *,
    game: Game = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: a free one.")] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the page in a browser.")
    ] = False,
) -> None:
    """Play a bundled photographed game as if a camera saw it, on a page of your own machine.

    Example: kibitz demo --no-browser --port 8123
    """
    from app.demo import run_demo
    from app.read_options import game_slug

    slug = game_slug(game or "scrabble")
    raise typer.Exit(run_demo(game=slug, port=port, open_browser=not no_browser))


@app.command("check")
def _check(*, as_json: Json = False, data: Data = None, models: Models = None) -> None:
    """Test this installation: models, cameras, word list, browser, data folder.

    Example: kibitz check --json
    """
    from app.check_command import run_check

    raise typer.Exit(run_check(as_json=as_json, data=data, models=models))


@app.command("bench")
def _bench(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH...]", help="Photos to time on.")
    ] = None,
    *,
    as_json: Json = False,
    only: Annotated[
        str | None, typer.Option("--only", metavar="vision|live|rules", help="One part only.")
    ] = None,
    models: Models = None,
) -> None:
    """Measure speed on this machine; ratios come from one run.

    Example: kibitz bench photos/ --only vision
    """
    from app.bench_command import run_bench

    raise typer.Exit(run_bench(tuple(paths or ()), as_json=as_json, only=only, models=models))


@app.command("export")
def _export(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="A recorded table's name.")],
    *,
    format_: Annotated[
        str, typer.Option("--format", metavar="gcg|json|csv|html", help="What to write.")
    ] = "json",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Instead of printing.")
    ] = None,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Write a recorded game as GCG, CSV, JSON or a page that replays it.

    Example: kibitz export 4f2a --format gcg -o game.gcg
    """
    from app.export_command import run_export

    raise typer.Exit(run_export(table, "json" if as_json else format_, output, data))


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code: 0, 1 or 2."""
    from app.cli_run import run

    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    sys.exit(run(app, [a for a in given if a != "--debug"], debug=debug))


if __name__ == "__main__":
    main()
