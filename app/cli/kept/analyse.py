"""`kibitz analyse`: the best scoring plays of every turn, beside what was played."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from kibitz.app.cli.kept.kept_table import kept_tables, table_named
from kibitz.app.cli.options import Data, Json
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.files import is_there
from kibitz.app.common.listing import LIMITS
from kibitz.app.common.materials.named import load_lexicon, load_tile_set
from kibitz.app.common.materials.own_words import kept_file
from kibitz.app.common.terminal import print_result, show_progress, shown
from kibitz.app.tables.results.analyses import totals, turn_json
from kibitz.engine.board.moves import WordIndex
from kibitz.engine.board.notation import gcg_position
from kibitz.engine.record.analysis import AnalysisRule, Turn, analysed
from kibitz.engine.record.gcg import GcgGame, GcgInvalid, read_gcg
from kibitz.engine.rules import TileSetLike
from kibitz.engine.words.lexicon import AcceptAll
from kibitz.vision.plain_file import read_plain

USUAL = AnalysisRule()
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
    raise typer.Exit(
        run_analyse(game, lexicon=lexicon, tiles=tiles, moves=moves, as_json=as_json, data=data)
    )


def run_analyse(
    game: str,
    *,
    lexicon: str | None = None,
    tiles: str | None = None,
    moves: int = USUAL.moves,
    as_json: bool = False,
    data: str | None = None,
) -> int:
    """Analyse a game.

    Raises:
        UsageError: there is no such game, list or tile set, or any word is good.
        CommandError: the game cannot be read.
    """
    try:
        rule = replace(USUAL, moves=moves)
    except ValueError as error:
        raise UsageError(f"--moves {moves}: {error}") from error
    tile_set: TileSetLike
    if is_there(Path(game)):
        played, of = _of_file(Path(game)), tiles or "en"
        tile_set, named = load_tile_set(of), lexicon or _named_in(played)
    else:
        played, tile_set, of, own = _of_table(game, data)
        named = lexicon or own
    words = load_lexicon(named, of)
    if isinstance(words, AcceptAll):
        raise UsageError(
            "analyse: expected a word list, as any word is good in this game; name one: "
            "--lexicon NAME ('kibitz words list' shows them)"
        )
    show_progress(f"words: {named}")
    turns: list[Turn] = []
    for turn in analysed(played, tile_set, WordIndex(words), rule):
        turns.append(turn)
        print_result(json.dumps(turn_json(turn), ensure_ascii=False) if as_json else said(turn))
    if not turns:
        raise CommandError("analyse: the game has no turns yet")
    last = totals(turns)
    if as_json:
        print_result(json.dumps({"players": last}, ensure_ascii=False))
    else:
        for player, facts in last.items():
            line = f"{shown(player)}: at least {facts['missed']} points missed"
            if facts["racks"]:
                line += f"; the best score in {facts['best']} of {facts['racks']} known racks"
            print_result(line)
    return 0


def _of_file(path: Path) -> GcgGame:
    try:
        return read_gcg(read_plain(path, LIMITS.read_bytes))
    except (OSError, ValueError, GcgInvalid) as error:
        raise CommandError(f"{path} is no GCG: {error}") from error


def _named_in(game: GcgGame) -> str:
    """The list that a GCG names, where it is kept here; else the bundled one."""
    for name, value in game.header:
        if name == "lexicon" and value and kept_file(value.split()[0]) is not None:
            return value.split()[0]
    return "default"


def _of_table(table_id: str, data: str | None) -> tuple[GcgGame, TileSetLike, str, str]:
    from kibitz.app.common.storage.tables import DamagedTableError
    from kibitz.app.tables.orders import OrderError
    from kibitz.engine.record.gcg_writer import GcgImpossible, gcg_game

    with kept_tables(data) as tables:
        try:
            table = table_named(tables, table_id, "no file and no table")
            info = table.setup.opening.game.info
            if not info.gcg:
                raise UsageError(f"analyse: expected a game of Scrabble, got {info.title}")
            named = table.setup.opening.options.get("lexicon") or "default"
            own = table.setup.lexicon if named == "default" else str(named)
            materials = table.setup.opening.materials
            return gcg_game(table.ledger), materials.tile_set, table.setup.tiles, own
        except (GcgImpossible, OrderError, DamagedTableError) as error:
            raise CommandError(f"analyse: {error}") from error


def said(turn: Turn) -> str:
    """A turn for people."""
    did = {"exchange": "exchanged", "pass": "passed"}.get(
        turn.kind, f"{turn.place} {turn.word} {turn.score}"
    )
    if turn.bad:
        did += f" ({', '.join(turn.bad)} not in the list)"
    if turn.came_off:
        did += " (came off again)"
    tiles = f"; {KNOWN[turn.known]} {turn.tiles}" if turn.tiles else "; rack not known"
    listed = ", ".join(f"{gcg_position(m.square, m.axis)} {m.word} {m.score}" for m in turn.best)
    missed = f" (+{turn.missed})" if turn.missed else ""
    best = f"; best{missed}: {listed}" if listed else ""
    return f"{turn.number}. {shown(turn.player)}: {did}{tiles}{best}"
