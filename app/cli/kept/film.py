"""`kibitz film`: a film of a recorded game, from the pictures that were kept of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli.options import Data, Game
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.common.waiting import WAITS
from kibitz.app.face.kept import film_table


def command(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="A recorded table's name.")],
    *,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "--output", "-o", metavar="FILE", help="An .mp4, .webm or .avi file."
        ),
    ],
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", help="How long each picture is shown.")
    ] = WAITS.shown_s,
    game: Game = None,
    data: Data = None,
) -> None:
    """Make a film of a recorded game: the board straightened, the scores, what was said.

    Example: kibitz film 4f2a --out game.mp4
    """
    count = film_table(table, out, seconds, game, data, show_progress)
    print_result(f"{out}: {count} pictures, {count * seconds:g} s")
