"""`kibitz trace`: the games that can have led to a photographed board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli.options import Corners, Json, Lexicon, Tiles, Top
from kibitz.app.common.errors import UsageError
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.face.tracing import PLAYERS, USUAL, PossibleGame, trace


def command(
    board: Annotated[str, typer.Argument(metavar="PHOTO", help="A photograph of the board.")],
    *,
    players: Annotated[
        str, typer.Option("--players", metavar="Ann,Bob", help="Who had turns, the first first.")
    ] = ",".join(PLAYERS),
    turn: Annotated[
        list[str] | None,
        typer.Option("--turn", metavar="3=QUIZ", help="What is remembered of a turn; again."),
    ] = None,
    tile: Annotated[
        list[str] | None,
        typer.Option(
            "--tile", metavar="K4=e", help="What lies on a square, small for a blank; again."
        ),
    ] = None,
    orders: Annotated[
        int, typer.Option("--orders", metavar="N", help="How many games are told at most.")
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

    found = trace(
        board,
        players,
        turns={_turn_in(x): x.partition("=")[2] for x in turn or ()},
        letters={x.partition("=")[0]: x.partition("=")[2] for x in tile or ()},
        lexicon=lexicon,
        tiles=tiles,
        orders=orders,
        positions=positions,
        corners=corners,
        top=top,
    )
    if found.hidden:
        show_progress(f"not read, taken for bare: {' '.join(found.hidden)}")
    for number, game in enumerate(found.games, 1):
        if as_json:
            print_result(
                json.dumps({"order": number, "complete": found.complete, **game.to_json()})
            )
        else:
            _show(number, game)
    if not as_json and not found.complete:
        print_result("There may be others: --positions looks at more, --turn says what you know.")
    if gcg is not None:
        write_file(gcg, found.games[0].gcg(tiles), "--gcg")


def _turn_in(text: str) -> int:
    """The number in `3=QUIZ`.

    Raises:
        UsageError: there is none.
    """
    number, _, word = text.partition("=")
    if not number.isdecimal() or int(number) < 1 or not word.strip().isalpha():
        raise UsageError(f"--turn: expected a number and a word as 3=QUIZ, got {text!r:.60}")
    return int(number)


def _show(number: int, game: PossibleGame) -> None:
    """One game on the terminal: its scores, then a line a play."""
    told = game.to_json()
    scores = ", ".join(f"{player} {score}" for player, score in told["scores"].items())
    print_result(f"{number}. {scores}  ({round(100 * told['share'])} % of those found)")
    for play in told["plays"]:
        words = " ".join(word["word"] for word in play["words"])
        print_result(
            f"   {play['turn']:2} {play['player']:10} {play['place']:>3} {words} {play['score']}"
        )
