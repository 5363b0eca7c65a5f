"""Options that several commands of `kibitz` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.common.errors import UsageError
from kibitz.engine.phrases import NOTATIONS, Notation

Json = Annotated[bool, typer.Option("--json", help="Print results as JSON, one object a line.")]
Game = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="SLUG",
        help="scrabble scrabbleship frankenscrabbards grabscrab scrabble-house scrabbage, "
        "or MODULE:NAME of rules of your own.",
    ),
]
Tiles = Annotated[
    str,
    typer.Option(
        "--tiles",
        metavar="NAME|FILE",
        help="en de fr ro pl fi and those of 'kibitz tiles', or a file.",
    ),
]
TilesIfTold = Annotated[
    str | None,
    typer.Option(
        "--tiles",
        metavar="NAME|FILE",
        help="As 'kibitz tiles' lists them, or a file. Without it en, or a set of the script "
        "noticed.",
    ),
]
Top = Annotated[
    str | None,
    typer.Option(
        "--top", metavar="EDGE", help="Picture edge nearest to row A: top right bottom left."
    ),
]
NotationTold = Annotated[
    str | None,
    typer.Option(
        "--notation",
        metavar="A1|1A",
        help="How squares are told, row first; without it as the game's records do.",
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
        help="Which of nine joined boards each photo shows; auto: by what overlaps.",
    ),
]
Models = Annotated[
    Path | None, typer.Option("--models", metavar="DIR", help="Other model weights.", hidden=True)
]
Data = Annotated[
    str | None, typer.Option("--data", metavar="DIR|URL", help="Where tables are kept.")
]
Lexicon = Annotated[
    str,
    typer.Option(
        "--lexicon",
        "--words",
        metavar="NAME|FILE|default|none",
        help="The words that are good; 'kibitz words list' shows names.",
    ),
]
Profile = Annotated[
    str | None,
    typer.Option("--profile", metavar="FILE", help="What 'kibitz calibrate --teach' kept."),
]
Calibration = Annotated[
    str | None,
    typer.Option(
        "--calibration", metavar="NAME|FILE", help="What 'kibitz calibrate' kept of the table."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="A setting of the game; any other KEY lists them."
    ),
]
Players = Annotated[
    str | None, typer.Option("--players", metavar="Ann,Bob", help="Names, in seating order.")
]
Start = Annotated[
    Path | None,
    typer.Option("--start", metavar="FILE", help="A position to begin from, as JSON."),
]
Squares = Annotated[
    str | None,
    typer.Option("--squares", metavar="15|21|...|45|auto|loose", help="What to look for."),
]


def read_notation(told: str | None) -> Notation | None:
    """One of the ways to name squares; None where the game's own is meant.

    Raises:
        UsageError: another one.
    """
    if told is None:
        return None
    if told not in NOTATIONS:
        raise UsageError(f"--notation: expected A1 or 1A, got {told!r}")
    return told
