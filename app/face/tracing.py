"""`kibitz.trace`: works out which games can have led to a finished board."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.files import PathLike, read_json
from kibitz.app.common.materials.named import load_lexicon, load_tile_set
from kibitz.app.face.game import Game
from kibitz.app.face.reading import CornersLike, read
from kibitz.app.reading.lines import COVERED
from kibitz.engine.games import DEFAULT_GAME
from kibitz.engine.record.positions import board_in
from kibitz.engine.record.trace import (
    TracedOrder,
    TracedPlay,
    TraceRule,
    named_blanks,
    trace_orders,
)
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import EMPTY, Grid, grid_from_rows, parse_square, tile_from_text
from kibitz.vision.frame import Picture

USUAL = TraceRule()
PLAYERS = ("Player 1", "Player 2")
TOLD = (
    'expected a list of {"turn": 3, "word": "QUIZ"}, {"points": [22, 18]}, {"began": "Ann"} '
    'and {"square": "K4", "value": "e"}'
)


class NotPlayable(CommandError):
    """A board that no game can have led to; the message says why."""

    code = "not_playable"


@dataclass(frozen=True, slots=True)
class PossibleGame:
    """One order in which a board can have been laid, as a game.

    Attributes:
        order: its plays, and how likely it is.
        players: who had the turns, the first player first.
        tiles: the tile set.
    """

    order: TracedOrder
    players: tuple[str, ...]
    tiles: str

    @property
    def scores(self) -> Mapping[str, int]:
        """Every player's points for plays, without the racks at the end."""
        total = Counter(dict.fromkeys(self.players, 0))
        for player, play in self._turns():
            total[player] += play.score
        return dict(total)

    def _turns(self) -> Iterator[tuple[str, TracedPlay]]:
        """Yield every play with its player."""
        for turn, play in enumerate(self.order.plays):
            yield self.players[turn % len(self.players)], play

    def to_json(self) -> dict[str, Any]:
        """The game in the form of `kibitz trace --json`."""
        plays = [
            {
                "player": player,
                "tiles": {square.name: tile.text for square, tile in sorted(play.tiles.items())},
                "words": [{"word": word, "score": score} for word, score in play.words],
                "turn_score": play.score,
                "turn": turn,
                "place": play.place,
            }
            for turn, (player, play) in enumerate(self._turns(), 1)
        ]
        return {
            "plays": plays,
            "scores": dict(self.scores),
            "weight": round(self.order.share, 4),
        }

    def gcg(self) -> str:
        """The game as GCG for other programs.

        Raises:
            CommandError: the format cannot hold it.
        """
        game = Game(DEFAULT_GAME, self.players, tiles=self.tiles, lexicon="none")
        for player, play in self._turns():
            laid = {square.name: tile.text for square, tile in play.tiles.items()}
            done = game.act("place", player, tiles=laid)
            if done.refusal is not None:
                raise CommandError(f"trace: {done.refusal.message}")
        return game.gcg()


@dataclass(frozen=True, slots=True)
class PossibleGames:
    """Games that can have led to a board, likeliest first.

    Attributes:
        games: the likeliest; no two differ only in plays that do not touch each other.
        count: how many games there are, where all were found; else None.
        rows: the board that they lead to.
        hidden: squares that could not be read, and were taken for bare.
    """

    games: tuple[PossibleGame, ...]
    count: int | None
    rows: tuple[str, ...]
    hidden: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """True if all games were found."""
        return self.count is not None


@dataclass(frozen=True, slots=True)
class _Known:
    """Facts that people know of the game: words by turn, points, letters by square, who began."""

    turns: Mapping[int, str]
    points: Sequence[int | None]
    letters: Mapping[str, str]
    began: str | None


def trace(
    board: PathLike | bytes | Picture | Sequence[str],
    players: str | Sequence[str] = PLAYERS,
    *,
    told: PathLike | Sequence[Mapping[str, Any]] | None = None,
    turns: Mapping[int, str] | None = None,
    points: Sequence[int | None] = (),
    letters: Mapping[str, str] | None = None,
    lexicon: str = "default",
    tiles: str = "en",
    most: int = USUAL.orders,
    positions: int = USUAL.positions,
    corners: CornersLike | None = None,
    top: str | None = None,
) -> PossibleGames:
    """Find the games of Scrabble that can have led to a finished board, likeliest first.

    Args:
        board: a photograph, as `kibitz.read` takes it, a position (a JSON file with `board`, as
            replays begin from), or the board's rows as text.
        players: who had turns, in seating order; the first one began unless `told` says another.
        told: what people know, or a JSON file of it: a list of `{"turn": 3, "word": "QUIZ"}`,
            `{"points": [22, 18]}`, `{"began": "Ann"}` and `{"square": "K4", "value": "e"}`.
        turns: words by the number of their play, the first being 1.
        points: those of all plays in their order, as on a score sheet, without turns in which
            nothing was laid; None where they are not known, as those of one player.
        letters: what lies on some squares, instead of what was read: `{"K4": "e"}` is a blank
            that stands for E, `"."` nothing.
        lexicon: the words that are good; those on the board always are.
        tiles: the tile set.
        most: how many games are given at most.
        positions: how many positions are looked at; more find more, and take longer.
        corners: the board's corners in a photograph.
        top: the photograph's edge that row A is nearest to.

    Raises:
        PictureUnreadable: the photograph shows no board.
        NotPlayable: nobody can have laid this board; it says why.
        CommandError: a blank has no letter, or no game was found in the time allowed.
        UsageError: an argument is not one of those that are taken.
    """
    seated = tuple(players.split(",") if isinstance(players, str) else players)
    if not 2 <= len(set(seated)) == len(seated) <= 4 or not all(seated):
        raise UsageError(
            Option("players"), f": expected two to four different names, got {', '.join(seated)!r}"
        )
    try:
        rule = replace(USUAL, orders=most, positions=positions)
    except ValueError as error:
        raise UsageError(Option("most"), ", ", Option("positions"), f": {error}") from error
    known = _known_of(told)
    if known.began is not None:
        if known.began not in seated:
            raise UsageError(Option("told"), f": {known.began!r:.40} is not at the table")
        first = seated.index(known.began)
        seated = seated[first:] + seated[:first]
    grid, hidden = _grid_of(
        _rows_of(board, tiles, corners, top), {**known.letters, **(letters or {})}
    )
    tile_set, words = load_tile_set(tiles), load_lexicon(lexicon, tiles)
    grid = _with_named_blanks(grid, words.__contains__, tile_set)
    found = trace_orders(
        grid,
        words.__contains__,
        tile_set,
        turns={**known.turns, **(turns or {})},
        points=points or known.points,
        rule=rule,
    )
    if found.why:
        kind = CommandError if found.count is None else NotPlayable
        raise kind(f"trace: {found.why}")
    games = tuple(PossibleGame(order, seated, tiles) for order in found.orders)
    return PossibleGames(games, found.count, grid.text_rows(), hidden)


def _known_of(told: PathLike | Sequence[Mapping[str, Any]] | None) -> _Known:
    """Parse known facts from a list or its file.

    Raises:
        UsageError: it is no such list.
    """
    if told is None:
        return _Known({}, (), {}, None)
    try:
        items = read_json(Path(told)) if isinstance(told, (str, os.PathLike)) else told
    except (OSError, ValueError) as error:
        raise UsageError(Option("told"), f": {error}; {TOLD}") from error
    turns: dict[int, str] = {}
    points: Sequence[int | None] = ()
    letters: dict[str, str] = {}
    began = None
    for item in items if isinstance(items, (list, tuple)) else [None]:
        match item:
            case {"turn": int(turn), "word": str(word)} if turn > 0:
                turns[turn] = word.strip()
            case {"points": [*written]} if all(x is None or isinstance(x, int) for x in written):
                points = tuple(written)
            case {"began": str(player)}:
                began = player
            case {"square": str(square), "value": str(letter)}:
                letters[square] = letter
            case _:
                raise UsageError(Option("told"), f": {TOLD}, got {json.dumps(item)!s:.60}")
    return _Known(turns, points, letters, began)


def _rows_of(
    board: PathLike | bytes | Picture | Sequence[str],
    tiles: str,
    corners: CornersLike | None,
    top: str | None,
) -> tuple[str, ...]:
    """Rows of a board: as given, from a position, or read from its photograph."""
    if isinstance(board, (list, tuple)):
        return tuple(board)
    if isinstance(board, (str, os.PathLike)) and Path(board).suffix.lower() == ".json":
        try:
            position = read_json(Path(board))
            return board_in(position if isinstance(position, dict) else {}).text_rows()
        except (OSError, ValueError) as error:
            raise UsageError(f"{os.fspath(board)}: {error}") from error
    reading = read(board, tiles, corners=corners, top=top)  # type: ignore[arg-type]
    return reading.boards[0].rows


def _grid_of(rows: Sequence[str], letters: Mapping[str, str]) -> tuple[Grid, tuple[str, ...]]:
    """The board, and names of squares on it that were neither read nor told.

    Raises:
        UsageError: they are no rows of a board, or a letter is none.
    """
    for name, text in letters.items():
        if len(text) != 1 or not (text.isalpha() or text == EMPTY):
            raise UsageError(
                Option("letters", "--tile"),
                f": expected a square and a letter as K4=e, got {name}={text:.40}",
            )
    try:
        grid = grid_from_rows([row.replace(COVERED, EMPTY) for row in rows])
        told = {parse_square(name, grid.rows): text for name, text in letters.items()}
    except ValueError as error:
        raise UsageError(f"trace: {error}") from error
    hidden = tuple(
        name
        for r, row in enumerate(rows)
        for c, char in enumerate(row)
        if char == COVERED and parse_square(name := f"{chr(65 + r)}{c + 1}", grid.rows) not in told
    )
    laid = {s: tile_from_text(text) for s, text in told.items() if text != EMPTY}
    return grid.without(told).with_tiles(laid), hidden


def _with_named_blanks(grid: Grid, is_word: Callable[[str], bool], tile_set: TileSetLike) -> Grid:
    """The board with a letter for every blank.

    Raises:
        CommandError: the words leave one open; it names the letters and what to say.
    """
    named, unnamed = named_blanks(grid, is_word, tile_set)
    for square, could in unnamed.items():
        raise CommandError(
            f"trace: which letter is the blank on {square.name} ({', '.join(could) or 'any'})? "
            "Say it with ",
            Option("letters", "--tile"),
            f" {square.name}=e, in small letters.",
        )
    return named
