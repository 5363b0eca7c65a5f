"""`kibitz.analyse`: compares every turn with the highest-scoring plays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.files import PathLike, is_there
from kibitz.app.common.limits import LIMITS
from kibitz.app.common.materials.named import load_lexicon, load_tile_set
from kibitz.app.common.materials.own_words import kept_file
from kibitz.app.common.terminal import silent
from kibitz.app.face.kept import kept_tables, table_named
from kibitz.app.tables.results.analyses import totals, turn_json
from kibitz.engine.board.moves import WordIndex
from kibitz.engine.record.analysis import AnalysisRule, Turn, analyse_turns
from kibitz.engine.record.gcg import GcgGame, GcgInvalid, read_gcg
from kibitz.engine.rules import TileSetLike
from kibitz.engine.words.lexicon import AcceptAll
from kibitz.vision.plain_file import read_plain

USUAL: Final = AnalysisRule()
NO_TURNS: Final = "analyse: the game has no turns yet"


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game of Scrabble with the best plays of every turn; only points are compared.

    Attributes:
        turns: every turn in order, with the plays of the known tiles that score most.
        players: of each player how many `turns` there were, how many points were `missed` at
            least, of how many turns the whole rack is known (`racks`), and in how many of these
            the `best` score was made.
        lexicon: the words that were good.
    """

    turns: tuple[Turn, ...]
    players: Mapping[str, Mapping[str, int]]
    lexicon: str

    def to_json(self) -> dict[str, Any]:
        """The turns in the form of `kibitz analyse --json`, and the players' sums."""
        return {
            "turns": [turn_json(turn) for turn in self.turns],
            "players": deepcopy(dict(self.players)),
        }


def analyse(
    game: PathLike,
    *,
    lexicon: str | None = None,
    tiles: str | None = None,
    moves: int = USUAL.moves,
    data: str | None = None,
    progress: Callable[[str], None] = silent,
) -> Analysis:
    """Compare every turn of a game of Scrabble with the highest-scoring plays.

    A game takes some seconds.

    Args:
        game: a GCG file, or the name of a recorded table.
        lexicon: the words that are good: `default`, the name of a kept list, or a file; without
            it those of the game.
        tiles: the tile set of a GCG file; without it English.
        moves: how many plays are listed of a turn.
        data: where tables are kept.
        progress: is told, in words, which words are good.

    Raises:
        UsageError: there is no such game, list or tile set, or any word is good.
        CommandError: the game cannot be read, or has no turns yet.
    """
    words, found = turns_of(game, lexicon, tiles, moves, data)
    progress(f"words: {words}")
    turns = tuple(found)
    if not turns:
        raise CommandError(NO_TURNS)
    return Analysis(turns, totals(turns), words)


def turns_of(
    game: PathLike,
    lexicon: str | None = None,
    tiles: str | None = None,
    moves: int = USUAL.moves,
    data: str | None = None,
) -> tuple[str, Iterator[Turn]]:
    """Name of the word list, and every turn as soon as it is analysed.

    Raises:
        UsageError, CommandError: as `analyse`, but a game may have no turns.
    """
    try:
        rule = replace(USUAL, moves=moves)
    except ValueError as error:
        raise UsageError(Option("moves"), f" {moves}: {error}") from error
    tile_set: TileSetLike
    if is_there(Path(game)):
        played, of = _of_file(Path(game)), tiles or "en"
        tile_set, named = load_tile_set(of), lexicon or _named_in(played)
    else:
        played, tile_set, of, own = _of_table(os.fspath(game), data)
        named = lexicon or own
    words = load_lexicon(named, of)
    if isinstance(words, AcceptAll):
        raise UsageError(
            "analyse: expected a word list, as any word is good in this game; name one: ",
            Option("lexicon"),
            " NAME ('kibitz words list' shows them)",
        )
    return named, analyse_turns(played, tile_set, WordIndex(words), rule)


def _of_file(path: Path) -> GcgGame:
    try:
        return read_gcg(read_plain(path, LIMITS.read_bytes))
    except (OSError, ValueError, GcgInvalid) as error:
        raise CommandError(f"{path} is no GCG: {error}") from error


def _named_in(game: GcgGame) -> str:
    """The word list that a GCG names, if it is kept here; else the bundled one."""
    for name, value in (*game.header, *(p for move in game.moves for p in move.pragmas)):
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
            game = gcg_game(table.ledger, racks=table.over)
        except (GcgImpossible, OrderError, DamagedTableError) as error:
            raise CommandError(f"analyse: {error}") from error
        setup = table.setup
        return game, setup.opening.materials.tile_set, setup.tiles, setup.lexicon
