"""`kibitz trace`: finds the games that can have led to a photographed board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli.options import Corners, Json, Lexicon, Tiles, Top
from kibitz.app.common.errors import Option, PictureUnreadable, UsageError
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.face.tracing import PLAYERS, USUAL, NotPlayable, PossibleGame, trace

MOST_DIGITS = 4
"""No turn has a longer number."""


def command(
    board: Annotated[
        str,
        typer.Argument(metavar="PHOTO|POSITION", help="A photograph of the board, or its JSON."),
    ],
    *,
    players: Annotated[
        str, typer.Option("--players", metavar="Ann,Bob", help="Who had turns, the first first.")
    ] = ",".join(PLAYERS),
    told: Annotated[
        Path | None,
        typer.Option("--told", metavar="FILE", help="What people know: a JSON list."),
    ] = None,
    turn: Annotated[
        list[str] | None,
        typer.Option("--turn", metavar="3=QUIZ", help="What is remembered of a turn; again."),
    ] = None,
    points: Annotated[
        str,
        typer.Option(
            "--points", metavar="22,18,…", help="Those of all plays, in order, - where unknown."
        ),
    ] = "",
    tile: Annotated[
        list[str] | None,
        typer.Option(
            "--tile", metavar="K4=e", help="What lies on a square, small for a blank; again."
        ),
    ] = None,
    most: Annotated[
        int, typer.Option("--most", metavar="N", help="How many games are given at most.")
    ] = USUAL.orders,
    positions: Annotated[
        int,
        typer.Option("--positions", metavar="N", help="How many positions are looked at."),
    ] = USUAL.positions,
    gcg: Annotated[
        Path | None, typer.Option("--gcg", metavar="FILE", help="Write the likeliest as GCG.")
    ] = None,
    as_json: Json = False,
    lexicon: Lexicon = "default",
    tiles: Tiles = "en",
    corners: Corners = None,
    top: Top = None,
) -> None:
    """Find the games that can have led to a photographed board of Scrabble.

    Example: kibitz trace board.jpg --players Ann,Bob --turn 3=QUIZ --gcg game.gcg
    """
    from kibitz.app.cli.reading.replay import write_file

    try:
        found = trace(
            board,
            players,
            told=told,
            turns={_turn_in(x): x.partition("=")[2] for x in turn or ()},
            points=_points_in(points),
            letters={x.partition("=")[0]: x.partition("=")[2] for x in tile or ()},
            lexicon=lexicon,
            tiles=tiles,
            most=most,
            positions=positions,
            corners=corners,
            top=top,
        )
    except (NotPlayable, PictureUnreadable) as error:
        if not as_json:
            raise
        problem = {"code": error.code, "message": str(error)}
        print_result(json.dumps({"error": problem}, ensure_ascii=False))
        raise typer.Exit(1) from error
    if found.hidden:
        show_progress(f"not read, taken for bare: {' '.join(found.hidden)}")
    for number, game in enumerate(found.games, 1):
        if as_json:
            print_result(json.dumps(game.to_json(), ensure_ascii=False))
        else:
            _show(number, game)
    if as_json:
        print_result(json.dumps({"orders": found.count, "complete": found.complete}))
    elif not found.complete:
        print_result("There may be others: --positions looks at more, --points tell them apart.")
    if gcg is not None:
        write_file(gcg, found.games[0].gcg(), "--gcg")


def _turn_in(text: str) -> int:
    """The turn number in `3=QUIZ`.

    Raises:
        UsageError: there is none.
    """
    number, _, word = text.partition("=")
    plain = number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS
    if not plain or int(number) < 1 or not word.strip():
        raise UsageError(
            Option("turn"), f": expected a number and a word as 3=QUIZ, got {text!r:.60}"
        )
    return int(number)


def _points_in(text: str) -> list[int | None]:
    """The numbers in `22,-,18`, None for `-`.

    Raises:
        UsageError: they are none.
    """
    parts = [part.strip() for part in text.split(",")] if text else []
    known = [part for part in parts if part != "-"]
    if not all(p.isascii() and p.isdecimal() and len(p) <= MOST_DIGITS for p in known):
        raise UsageError(Option("points"), f": expected numbers as 22,-,18, got {text!r:.60}")
    return [None if part == "-" else int(part) for part in parts]


def _show(number: int, game: PossibleGame) -> None:
    """Print one game for people: its scores, then a line a play."""
    line = game.to_json()
    scores = ", ".join(f"{player} {score}" for player, score in line["scores"].items())
    print_result(f"{number}. {scores}  ({round(100 * line['weight'])} % of those found)")
    for play in line["plays"]:
        words = " ".join(word["word"] for word in play["words"])
        laid = f"{play['turn']:2} {play['player']:10} {play['place']:>3} {words}"
        print_result(f"   {laid} {play['turn_score']}")
