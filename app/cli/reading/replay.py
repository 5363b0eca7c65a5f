"""`kibitz replay`: turns a photographed game into plays, scores and announcements."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
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
    NotationTold,
    Panel,
    Players,
    Profile,
    Settings,
    Start,
    Tiles,
    Top,
    read_notation,
)
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.materials.own_games import info_of
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.face.opening import parse_setting
from kibitz.app.languages.catalogues import in_own_language, name_squares, said
from kibitz.engine.games import DEFAULT_GAME
from kibitz.engine.phrases import SquareName, phrase
from kibitz.engine.rules import JsonValue


def command(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="A folder, photos, a video, a recorded table."),
    ],
    *,
    as_json: Json = False,
    game: Game = None,
    players: Players = None,
    settings: Settings = None,
    told: Annotated[
        Path | None,
        typer.Option("--told", metavar="FILE", help="What people say: a JSON list of actions."),
    ] = None,
    blanks: Annotated[
        list[str] | None,
        typer.Option("--blank", metavar="K4=E", help="The letter of a blank; again for more."),
    ] = None,
    start: Start = None,
    lexicon: Lexicon = "default",
    tiles: Tiles = "en",
    top: Top = None,
    corners: Corners = None,
    panel: Panel = None,
    profile: Profile = None,
    notation: NotationTold = None,
    calibration: Calibration = None,
    gcg: Annotated[
        Path | None, typer.Option("--gcg", metavar="FILE", help="Write the game as GCG.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page that replays it.")
    ] = None,
    data: Data = None,
    models: Models = None,
) -> int:
    """Replay a photographed game: every play, its score, and what was said.

    Example: kibitz replay photos/ --players Ann,Bob --html game.html
    """
    from kibitz.app.face.replaying import replay

    played = game or DEFAULT_GAME
    squares = read_notation(notation)
    if not as_json:
        name_squares(squares or info_of(played).notation)
    check_outputs(played, gcg, html)
    known = replay(
        paths,
        played,
        players,
        tiles=tiles,
        told=told,
        blanks=dict(map(_blank, blanks or ())),
        ask=_ask_for_blank if gcg is not None and sys.stdin.isatty() else None,
        lexicon=lexicon,
        start=start,
        settings=dict(map(parse_setting, settings or ())),
        top=top,
        corners=corners,
        panel=panel,
        profile=profile,
        calibration=calibration,
        data=data,
        models=models,
        progress=show_progress,
    )
    for problem in known.problems:
        show_progress(phrase("told, but not possible: {problem}", problem=problem))
    for line in known.lines:
        _show(in_own_language(line), as_json=as_json)
    if html is not None:
        write_file(html, known.html(notation=squares), "--html")
    if gcg is not None:
        write_file(gcg, known.gcg(), "--gcg")
    return 0 if known.complete else 1


def _blank(given: str) -> tuple[str, str]:
    """A blank's square and letter."""
    square, equals, letter = given.partition("=")
    if not (square and equals and letter.isalpha()):
        raise UsageError(f"--blank: expected a square and a letter, as K4=E, got {given!r:.60}")
    return square.upper(), letter.upper()


def _ask_for_blank(square: str, letters: Sequence[str]) -> str:
    """Letter that somebody types for a blank; empty if it is not known."""
    asked = phrase("Which letter is the blank on {square}?", square=SquareName(square))
    likely = phrase("Enter: not known")
    sys.stderr.write(f"{said(asked)} ({', '.join(letters)}; {said(likely)}) ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().upper()


def check_outputs(game: str, gcg: Path | None, html: Path | None) -> None:
    """Check that the result files can be written, before anything is read.

    Raises:
        UsageError: a format that cannot hold this game, or a folder in the file's place.
    """
    if gcg is not None:
        from kibitz.app.face.game import check_gcg

        check_gcg(info_of(game))
    for option, path in (("--gcg", gcg), ("--html", html)):
        if path is not None and path.is_dir():
            raise UsageError(f"{option}: expected a file to write, got the folder {path}")


def write_file(path: Path, text: str, option: str) -> None:
    """Write a result file.

    Raises:
        CommandError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{option}: cannot write {path}: {error.strerror}") from error


def _show(line: Mapping[str, JsonValue], *, as_json: bool) -> None:
    if as_json:
        print_result(json.dumps(line, ensure_ascii=False))
        return
    from kibitz.app.reading.drawing import draw_replay_line

    print_result(draw_replay_line(line))
