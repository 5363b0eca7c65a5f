"""`kibitz.trace`: from the picture of a finished board back to its game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.files import PathLike
from kibitz.app.common.materials.named import load_lexicon, load_tile_set
from kibitz.app.face.game import Game
from kibitz.app.face.reading import CornersLike, read
from kibitz.engine.games import DEFAULT_GAME
from kibitz.engine.record.trace import TracedOrder, TraceRule, named_blanks, trace_orders
from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import (
    EMPTY,
    Grid,
    grid_from_rows,
    parse_square,
    tile_from_text,
)
from kibitz.vision.frame import Picture

USUAL = TraceRule()
PLAYERS = ("Player 1", "Player 2")
HIDDEN = "#"


@dataclass(frozen=True, slots=True)
class PossibleGame:
    """One order in which a board can have been laid, as a game.

    Attributes:
        order: its plays, and how likely it is among those that were found.
        players: who had the turns, the first player first.
    """

    order: TracedOrder
    players: tuple[str, ...]

    @property
    def scores(self) -> Mapping[str, int]:
        """Every player's points for what was laid, without what racks were worth at the end."""
        total = Counter(dict.fromkeys(self.players, 0))
        for player, play in self._turns():
            total[player] += play.score
        return dict(total)

    def _turns(self) -> Any:
        return (
            (self.players[n % len(self.players)], play) for n, play in enumerate(self.order.plays)
        )

    def to_json(self) -> dict[str, Any]:
        """The game as `kibitz trace --json` prints it."""
        plays = [
            {
                "turn": turn,
                "player": player,
                "place": play.place,
                "tiles": {square.name: tile.text for square, tile in sorted(play.tiles.items())},
                "words": [{"word": word, "score": score} for word, score in play.words],
                "score": play.score,
            }
            for turn, (player, play) in enumerate(self._turns(), 1)
        ]
        return {"share": round(self.order.share, 4), "scores": dict(self.scores), "plays": plays}

    def gcg(self, tiles: str = "en") -> str:
        """The game in the GCG format, for other programs.

        Args:
            tiles: the tile set.

        Raises:
            CommandError: the format cannot hold it.
        """
        game = Game(DEFAULT_GAME, self.players, tiles=tiles, lexicon="none")
        for player, play in self._turns():
            laid = {square.name: tile.text for square, tile in play.tiles.items()}
            game.act("place", player, tiles=laid)
        return game.gcg()


@dataclass(frozen=True, slots=True)
class PossibleGames:
    """The games that can have led to a board, the likeliest first.

    Attributes:
        games: they themselves; no two differ only in plays that do not touch each other.
        complete: whether there are no others.
        rows: the board that they lead to.
        hidden: squares that could not be read, and were taken for bare.
    """

    games: tuple[PossibleGame, ...]
    complete: bool
    rows: tuple[str, ...]
    hidden: tuple[str, ...] = ()


def trace(
    board: PathLike | bytes | Picture | Sequence[str],
    players: str | Sequence[str] = PLAYERS,
    *,
    turns: Mapping[int, str] | None = None,
    letters: Mapping[str, str] | None = None,
    lexicon: str = "default",
    tiles: str = "en",
    orders: int = USUAL.orders,
    positions: int = USUAL.positions,
    corners: CornersLike | None = None,
    top: str | None = None,
) -> PossibleGames:
    """The games of Scrabble that can have led to a finished board, the likeliest first.

    Args:
        board: a photograph, as `kibitz.read` takes it, or the board's rows as text.
        players: who had turns, the first player first.
        turns: what people remember: words by the number of their play, the first being 1.
        letters: what lies on some squares, instead of what was read: `{"K4": "e"}` is a blank
            that stands for E, `"."` nothing.
        lexicon: the words that are good; those on the board always are.
        tiles: the tile set.
        orders: how many games are told at most.
        positions: how many positions are looked at; more find more, and take longer.
        corners: the board's corners in a photograph.
        top: the photograph's edge that row A is nearest to.

    Raises:
        PictureUnreadable: the photograph shows no board.
        CommandError: nobody can have laid this board, or a blank has no letter; it says why.
        UsageError: an argument is not one of those that are taken.
    """
    seated = tuple(players.split(",") if isinstance(players, str) else players)
    if not 2 <= len(set(seated)) == len(seated) <= 4 or not all(seated):
        raise UsageError(
            Option("players"), f": expected two to four different names, got {', '.join(seated)!r}"
        )
    try:
        rule = replace(USUAL, orders=orders, positions=positions)
    except ValueError as error:
        raise UsageError(
            Option("orders"), f" {orders}, ", Option("positions"), f" {positions}: {error}"
        ) from error
    rows = _rows_of(board, tiles, corners, top)
    grid, hidden = _grid_of(rows, letters or {})
    tile_set = load_tile_set(tiles)
    words = load_lexicon(lexicon, tiles)
    grid = _with_named_blanks(grid, words.__contains__, tile_set)
    known = {turn: word.strip().upper() for turn, word in (turns or {}).items()}
    found = trace_orders(grid, words.__contains__, tile_set, turns=known, rule=rule)
    if found.why:
        raise CommandError(f"trace: {found.why}")
    games = tuple(PossibleGame(order, seated) for order in found.orders)
    return PossibleGames(games, found.complete, grid.text_rows(), hidden)


def _rows_of(
    board: PathLike | bytes | Picture | Sequence[str],
    tiles: str,
    corners: CornersLike | None,
    top: str | None,
) -> tuple[str, ...]:
    """A board's rows, given or read from its photograph."""
    if isinstance(board, (list, tuple)):
        return tuple(board)
    reading = read(board, tiles, corners=corners, top=top)  # type: ignore[arg-type]
    return reading.boards[0].rows


def _grid_of(rows: Sequence[str], letters: Mapping[str, str]) -> tuple[Grid, tuple[str, ...]]:
    """A board and the names of the squares on it that were not read and that nobody told.

    Raises:
        UsageError: they are no rows of a board, or a letter is none.
    """
    try:
        grid = grid_from_rows([row.replace(HIDDEN, EMPTY) for row in rows])
        told = {parse_square(name, grid.rows): text for name, text in letters.items()}
        laid = {s: tile_from_text(t) for s, t in told.items() if t != EMPTY and len(t) == 1}
    except ValueError as error:
        raise UsageError(f"trace: {error}") from error
    if wrong := [
        f"{s.name}={t}" for s, t in told.items() if len(t) != 1 or not (t.isalpha() or t == EMPTY)
    ]:
        raise UsageError(
            Option("letters", "--tile"),
            f": expected a square and a letter as K4=e, got {wrong[0]!r:.60}",
        )
    hidden = tuple(
        name
        for r, row in enumerate(rows)
        for c, char in enumerate(row)
        if char == HIDDEN and parse_square(name := f"{chr(65 + r)}{c + 1}", grid.rows) not in told
    )
    return grid.without(told).with_tiles(laid), hidden


def _with_named_blanks(grid: Grid, is_word: Any, tile_set: TileSetLike) -> Grid:
    """A board with a letter on every blank.

    Raises:
        CommandError: the words leave one open; it names the letters and what to say.
    """
    named, open_ = named_blanks(grid, is_word, tile_set)
    if open_:
        square, could = next(iter(open_.items()))
        raise CommandError(
            f"trace: which letter is the blank on {square.name} ({', '.join(could) or 'any'})? "
            f"Say it with --tile {square.name}=e, in small letters."
        )
    return named
