"""State of a game of Scrabbage: board, pegs and the hand being played (SB-1 to SB-6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from kibitz.engine.clock import ChessClock
from kibitz.engine.first_turn import FirstTurn
from kibitz.engine.games.scrabbage.info import PLAYERS
from kibitz.engine.record.positions import (
    board_in,
    checked_players,
    clock_of_start,
    number_in,
    numbers_in,
    player_in,
    racks_in,
)
from kibitz.engine.rules import JsonValue, Materials, Options
from kibitz.engine.table import Grid, Square
from kibitz.engine.tiles.unseen import face_of, rack_of, size_of, unseen

TARGET = 121
HAND = 4
MOST_DRAWN = 6


class Deal(NamedTuple):
    """Sizes of a deal: tiles drawn, discarded, in the scrab, and the least in the bag."""

    draw: int
    discard: int
    scrab: int
    dealer_extra: int
    need_in_bag: int


DEALS = MappingProxyType(
    {2: Deal(6, 2, 4, 0, 12), 3: Deal(5, 1, 3, 1, 16), 4: Deal(5, 1, 4, 0, 20)}
)
"""The table of section 6a, by the number of players (SB-5, SB-31, SB-32)."""


@dataclass(frozen=True, slots=True)
class ScrabbageState:
    """State of the game: board, pegs and the current hand.

    Attributes:
        stuck: who has said go (SB-25: until a tile is laid).
        go_open: whether a tile was laid since a go point was scored.
        last_by: who laid the last tile of the play.
        order, by: when and by whom each tile of this hand was laid.
        dealt: whether tiles were drawn for this hand.
        discards: what each player put into the scrab, as far as it was told.
        undecided: equal at the end, where a play-off was agreed on.
    """

    players: tuple[str, ...]
    options: Options
    materials: Materials
    grid: Grid
    scores: Mapping[str, int]
    dealer: str
    to_move: str | None
    tiles_left: Mapping[str, int]
    bag: int
    hands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scrab: tuple[str, ...] | None = None
    stuck: frozenset[str] = frozenset()
    go_open: bool = True
    last_by: str | None = None
    order: Mapping[Square, int] = field(default_factory=dict)
    by: Mapping[Square, str] = field(default_factory=dict)
    phase: str = "play"
    dealt: bool = False
    first: FirstTurn = field(default_factory=FirstTurn)
    clock: ChessClock | None = None
    over: bool = False
    undecided: bool = False
    discards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reason: str = ""
    winner: tuple[str, ...] = ()

    @property
    def untouched(self) -> bool:
        """True if nothing has been played yet, so that the first turn may still be settled."""
        return not (self.grid.tiles or self.dealt or self.stuck or self.over)

    @property
    def dealers_extra(self) -> int:
        """Number of tiles that the dealer draws just before the scrab (SB-5)."""
        return DEALS[len(self.players)].dealer_extra

    @property
    def scrab_shown(self) -> bool:
        """True if the dealer may see the scrab; until then discards are face down."""
        return self.phase != "play" or not self.discards

    @property
    def may_act(self) -> frozenset[str]:
        """Players who may act: to move, the dealer's scrab, or back in after a go."""
        if self.over:
            return frozenset()
        if self.phase != "play":
            return frozenset({self.dealer})
        if self.to_move is None:
            return frozenset(self.players)
        if len(self.players) > 2:
            return frozenset({self.to_move})
        if self.options["sb.go2_resume"]:  # SB-21
            return frozenset({self.to_move}) | self.stuck
        return frozenset({self.to_move}) - self.stuck


def team_of(players: tuple[str, ...], player: str) -> str:
    """The player; of four players the team of those who sit opposite (SB-33)."""
    if len(players) != 4:
        return player
    i = players.index(player) % 2
    return f"{players[i]}+{players[i + 2]}"


def sides_of(players: tuple[str, ...]) -> tuple[str, ...]:
    """Everybody who has a peg: players or teams."""
    return tuple(dict.fromkeys(team_of(players, p) for p in players))


def bag_after(state: ScrabbageState, grid: Grid) -> int:
    """Number of tiles in the bag when all unused ones have returned (SB-29)."""
    return max(0, size_of(state.materials.tile_set) - len(grid.tiles))


def begin_table(
    players: tuple[str, ...],
    options: Options,
    materials: Materials,
    initial: Mapping[str, JsonValue] | None = None,
) -> ScrabbageState:
    """An empty board with the first-named player dealing, or a position to continue from.

    Raises:
        ValueError: not two to four players, or the position is no position.
    """
    checked_players(players, PLAYERS)
    start = initial or {}
    grid = board_in(start)
    dealer = player_in(start, "dealer", players) or players[0]
    name = "team_scores" if start.get("team_scores") else "scores"
    hands = racks_in(start, "hands", players, MOST_DRAWN)
    counts = numbers_in(start, "tiles_left", players, HAND)
    named = start.get("tiles_left") or {}
    left = {p: len(hands[p]) if p in hands and p not in named else counts[p] for p in players}
    scrab = start.get("scrab")
    full = size_of(materials.tile_set) - len(grid.tiles)
    return ScrabbageState(
        players=players,
        options=options,
        clock=clock_of_start(start, players, options),
        materials=materials,
        grid=grid,
        scores=MappingProxyType(numbers_in(start, name, sides_of(players))),
        dealer=dealer,
        to_move=player_in(start, "to_move", players) or (None if initial else dealer),
        tiles_left=MappingProxyType(left),
        hands=hands,
        scrab=None if scrab is None else rack_of(scrab, "scrab", HAND),
        bag=number_in(start, "bag_count", max(0, full)),
        last_by=player_in(start, "last_tile_by", players),
        dealt=start.get("tiles_left") is not None,
    )


def unseen_by(state: ScrabbageState, viewer: str | None) -> dict[str, int]:
    """Number of tiles of each letter that lie neither on the board nor in the viewer's own hand."""
    board = (face_of(t) for t in state.grid.tiles.values())
    own = state.hands.get(viewer or "", ())
    scrab = (state.scrab or ()) if viewer == state.dealer and state.scrab_shown else ()
    return unseen(state.materials.tile_set, board, own, scrab)
