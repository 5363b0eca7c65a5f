"""`kibitz analyse`: the best scoring plays of every turn, beside what was played."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from kibitz.app.cli.options import Data, Json
from kibitz.app.common.errors import CommandError
from kibitz.app.common.terminal import print_result, show_progress, shown
from kibitz.app.face.analysing import NO_TURNS, USUAL, turns_of
from kibitz.app.tables.results.analyses import totals, turn_json
from kibitz.engine.phrases import counted
from kibitz.engine.record.analysis import Turn

KNOWN = {
    "rack": "held",
    "part": "known to hold",
    "played": "rack not known, tiles played",
}


def command(
    game: Annotated[
        str, typer.Argument(metavar="TABLE|FILE.gcg", help="A recorded table's name, or a GCG.")
    ],
    *,
    lexicon: Annotated[
        str | None,
        typer.Option(
            "--lexicon",
            "--words",
            metavar="NAME|FILE|default",
            help="The words that are good, if not those of the game.",
        ),
    ] = None,
    tiles: Annotated[
        str | None,
        typer.Option("--tiles", metavar="NAME|FILE", help="The tile set of a GCG; English."),
    ] = None,
    moves: Annotated[
        int, typer.Option("--moves", metavar="N", help="How many plays are listed of a turn.")
    ] = USUAL.moves,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """List the best scoring plays of every turn of a game of Scrabble, beside what was played.

    Example: kibitz analyse game.gcg --lexicon NWL2023
    """
    named, found = turns_of(game, lexicon, tiles, moves, data)
    show_progress(f"words: {named}")
    turns: list[Turn] = []
    for turn in found:
        turns.append(turn)
        print_result(json.dumps(turn_json(turn), ensure_ascii=False) if as_json else said(turn))
    if not turns:
        raise CommandError(NO_TURNS)
    last = totals(turns)
    if as_json:
        print_result(json.dumps({"players": last}, ensure_ascii=False))
    else:
        for player, facts in last.items():
            line: str = counted(
                "{player}: at least {count} point missed",
                "{player}: at least {count} points missed",
                facts["missed"],
                player=shown(player),
            )
            if facts["racks"]:
                line = f"{line}; the best score in {facts['best']} of {facts['racks']} known racks"
            print_result(line)


def said(turn: Turn) -> str:
    """A turn as a line for people."""
    did = {"exchange": "exchanged", "pass": "passed"}.get(
        turn.kind, f"{turn.place} {turn.word} {turn.score}"
    )
    if turn.bad:
        did += f" ({', '.join(turn.bad)} not in the list)"
    if turn.came_off:
        did += " (came off again)"
    tiles = f"; {KNOWN[turn.known]} {turn.tiles}" if turn.tiles else "; rack not known"
    listed = ", ".join(f"{m.place} {m.word} {m.score}" for m in turn.best)
    missed = f" (+{turn.missed})" if turn.missed else ""
    some = "" if turn.whole else " (not every play was looked at)"
    best = f"; best{missed}{some}: {listed}" if listed else some
    return f"{turn.number}. {shown(turn.player)}: {did}{tiles}{best}"
