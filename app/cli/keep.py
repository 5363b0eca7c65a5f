"""The commands of `kibitz` that keep games, and those about the installation.

Each brings in what it needs, so that `kibitz --help` answers at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli.options import Calibration, Data, Game, Json, Lexicon, Models, Settings, Tiles
from kibitz.app.cli.tables import add_tables


def _rules(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Scenario files (.json) or GCG files.", readable=False
        ),
    ],
    *,
    as_json: Json = False,
    lexicon: Lexicon = "default",
) -> None:
    """Play rule scenarios or GCG files through the rules, without a camera.

    Example: kibitz rules scenarios.json
    """
    from kibitz.app.cli.rules import run_rules

    raise typer.Exit(run_rules(files, as_json=as_json, lexicon=lexicon))


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
    from kibitz.app.cli.word import run_word

    raise typer.Exit(run_word(words, as_json=as_json, lexicon=lexicon, tiles=tiles))


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
    calibration: Calibration = None,
    game: Game = None,
    players: Annotated[
        str | None, typer.Option("--players", metavar="Ann,Bob", help="Names, in seating order.")
    ] = None,
    settings: Settings = None,
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
    keep_pictures: Annotated[
        str,
        typer.Option("--keep-pictures", metavar="30d|none|all", help="How long pictures stay."),
    ] = "30d",
) -> None:
    """Start the server: tables, cameras and pages for everybody at the board.

    Example: kibitz serve --host 0.0.0.0 --camera 0 --game scrabble
    """
    from kibitz.app.cli.serve import run_serve

    raise typer.Exit(
        run_serve(
            host=host,
            port=port,
            data=data,
            cameras=tuple(camera or ()),
            panel=panel,
            calibration=calibration,
            game=game,
            players=players,
            settings=tuple(settings or ()),
            tiles=tiles,
            lexicon=lexicon,
            https=https,
            config=config,
            anew=new,
            keep_pictures=keep_pictures,
        )
    )


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
    from kibitz.app.cli.demo import run_demo
    from kibitz.app.reading.request import game_slug

    slug = game_slug(game or "scrabble")
    raise typer.Exit(run_demo(game=slug, port=port, open_browser=not no_browser))


def _check(*, as_json: Json = False, data: Data = None, models: Models = None) -> None:
    """Test this installation: models, cameras, word list, browser, data folder.

    Example: kibitz check --json
    """
    from kibitz.app.cli.check import run_check

    raise typer.Exit(run_check(as_json=as_json, data=data, models=models))


def _bench(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH...]", help="Photos to time on.")
    ] = None,
    *,
    as_json: Json = False,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="vision|loose|live|rules", help="One part only."),
    ] = None,
    models: Models = None,
) -> None:
    """Measure speed on this machine; ratios come from one run.

    Example: kibitz bench photos/ --only vision
    """
    from kibitz.app.cli.bench import run_bench

    raise typer.Exit(run_bench(tuple(paths or ()), as_json=as_json, only=only, models=models))


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
    from kibitz.app.cli.export import run_export

    raise typer.Exit(run_export(table, "json" if as_json else format_, output, data))


def add_keep(app: typer.Typer) -> None:
    """Add the commands that keep games and measure."""
    app.command("rules")(_rules)
    app.command("word")(_word)
    app.command("serve")(_serve)
    app.command("demo")(_demo)
    app.command("check")(_check)
    app.command("bench")(_bench)
    app.command("export")(_export)
    add_tables(app)
