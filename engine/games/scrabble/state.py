"""State of a game of Scrabble: board, scores, bag and racks (rules CL-1 to CL-5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from kibitz.engine.board.layouts import STANDARD_LAYOUT, Layout
from kibitz.engine.board.scoring import RACK_SIZE
from kibitz.engine.clock import ChessClock
from kibitz.engine.first_turn import FirstTurn
from kibitz.engine.games.scrabble.info import PLAYERS
from kibitz.engine.record.positions import (
    board_in,
    checked_players,
    clock_of_start,
    counts_in,
    number_in,
    numbers_in,
    player_in,
    racks_in,
)
from kibitz.engine.rules import JsonValue, Materials, Options
from kibitz.engine.table import UNKNOWN_BLANK, Grid, Square
from kibitz.engine.tiles.unseen import face_of, size_of, unseen


@dataclass(frozen=True, slots=True)
class Pending:
    """A play that may still be challenged (CL-14), with what it takes to undo it."""

    player: str
    squares: tuple[Square, ...]
    words: tuple[str, ...]
    score: int
    rack_before: tuple[str, ...] | None
    bag_before: int
    scoreless_before: int


@dataclass(frozen=True, slots=True)
class ScrabbleState:
    """State of the game. Racks and the bag are kept as far as they are known.

    Attributes:
        counts: how many tiles each player holds.
        skip: who loses the next turn by a wrong challenge.
        rack_change: what the tiles left have changed at the end; None before it.
        went_out: who laid the last tile.
        layout: the board's premium squares.
    """

    players: tuple[str, ...]
    options: Options
    materials: Materials
    grid: Grid
    scores: Mapping[str, int]
    to_move: str
    bag: int
    counts: Mapping[str, int]
    scoreless: int
    plays: int
    racks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pending: Pending | None = None
    skip: frozenset[str] = frozenset()
    rack_change: Mapping[str, int] | None = None
    went_out: str | None = None
    first: FirstTurn = field(default_factory=FirstTurn)
    clock: ChessClock | None = None
    over: bool = False
    reason: str = ""
    winner: tuple[str, ...] = ()
    layout: Layout = STANDARD_LAYOUT

    @property
    def untouched(self) -> bool:
        """True if nothing has been played yet, so that the first turn may still be settled."""
        return not (self.grid.tiles or self.plays or self.scoreless or self.pending or self.over)

    @property
    def may_act(self) -> frozenset[str]:
        """Players who may act."""
        return frozenset() if self.over else frozenset({self.to_move})


def begin_table(
    players: tuple[str, ...],
    options: Options,
    materials: Materials,
    start: Mapping[str, JsonValue],
    layout: Layout,
) -> ScrabbleState:
    """An empty board, or a position to continue from.

    Raises:
        ValueError: the number of players is not two to four, or the position is no position.
    """
    checked_players(players, PLAYERS)
    grid = board_in(start, layout.size)
    racks = racks_in(start, "racks", players, RACK_SIZE)
    tiles = max(0, size_of(materials.tile_set) - len(grid.tiles))
    bag = number_in(start, "bag_count", max(0, tiles - RACK_SIZE * len(players)))
    # Racks are full as long as the bag holds tiles (CL-11).
    held = RACK_SIZE if bag else min(RACK_SIZE, tiles // len(players))
    counts = counts_in(start, players, racks, held, RACK_SIZE)
    return ScrabbleState(
        players=players,
        options=options,
        clock=clock_of_start(start, players, options),
        materials=materials,
        grid=grid,
        scores=MappingProxyType(numbers_in(start, "scores", players)),
        to_move=player_in(start, "to_move", players) or players[0],
        bag=bag,
        counts=counts,
        racks=racks,
        scoreless=number_in(start, "scoreless_run", 0),
        plays=1 if grid.tiles else 0,
        layout=layout,
    )


def next_player(state: ScrabbleState, after: str) -> str:
    """The next player clockwise (CL-5)."""
    order = state.players
    return order[(order.index(after) + 1) % len(order)]


def good_word(state: ScrabbleState, word: str) -> bool:
    """True if a string is a word; an unnamed blank may be any letter."""
    return UNKNOWN_BLANK in word or state.materials.is_word(word)


def unseen_by(state: ScrabbleState, viewer: str | None) -> dict[str, int]:
    """Number of tiles of each letter that lie neither on the board nor on the viewer's own rack."""
    board = (face_of(t) for t in state.grid.tiles.values())
    return unseen(state.materials.tile_set, board, state.racks.get(viewer or "", ()))
