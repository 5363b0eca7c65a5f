"""State of a game of ScrabbleShip, and how events change it (rules SS-1 to SS-9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from kibitz.engine.board.scoring import RACK_SIZE
from kibitz.engine.clock import ChessClock
from kibitz.engine.first_turn import FirstTurn
from kibitz.engine.games.scrabbleship.fleets import Fleet, check_zones, parse_fleet
from kibitz.engine.record.positions import (
    board_in,
    checked_players,
    clock_of_start,
    counts_in,
    list_in,
    number_in,
    numbers_in,
    player_in,
    racks_in,
    squares_in,
)
from kibitz.engine.rules import JsonValue, Materials, Options, Refused
from kibitz.engine.table import Grid, Square
from kibitz.engine.tiles.unseen import face_of, size_of, unseen

Card = tuple[str, str, tuple[Square, ...]]
"""A strip to be laid: owner, ship, squares."""

Sunk = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """Values that a revealed play changes, as they were before it."""

    scores: Mapping[str, int]
    ship_count: Mapping[str, int]
    hits: frozenset[Square]
    sunk: Sunk
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PendingPlay:
    """A play that may still be challenged (SS-14); `revealed` where hits were told at once."""

    player: str
    squares: tuple[Square, ...]
    words: tuple[str, ...]
    calls: Mapping[str, JsonValue] | None
    bag_before: int
    before: Standing
    revealed: bool = False


@dataclass(frozen=True, slots=True)
class ShipState:
    """State of the game; fleets are secret and leave only through `view` to their owner.

    Attributes:
        cards: strips that are still to be laid.
        laid_cards: strips that lie on the board.
        ruled: words that the judge has ruled on, good or not (SS-11).
        skip: who loses the next turn by a wrong challenge, where that was agreed on.
        given: squares with tiles that lay there when the record begins.
    """

    players: tuple[str, ...]
    options: Options
    materials: Materials
    grid: Grid
    scores: Mapping[str, int]
    ship_count: Mapping[str, int]
    fleets: Mapping[str, Fleet]
    hits: frozenset[Square]
    sunk: Sunk
    to_move: str
    bag: int
    counts: Mapping[str, int]
    pass_run: int
    pending: PendingPlay | None = None
    cards: tuple[Card, ...] = ()
    laid_cards: frozenset[tuple[Square, ...]] = frozenset()
    ruled: Mapping[str, bool] = field(default_factory=dict)
    racks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    skip: frozenset[str] = frozenset()
    rack_change: Mapping[str, int] | None = None
    went_out: str | None = None
    first: FirstTurn = field(default_factory=FirstTurn)
    clock: ChessClock | None = None
    over: bool = False
    needs_judge: bool = False
    reason: str = ""
    winner: tuple[str, ...] = ()
    given: frozenset[Square] = frozenset()

    @property
    def untouched(self) -> bool:
        """True if nothing has been played yet, so that the first turn may still be settled."""
        return not (self.grid.tiles or self.pass_run or self.pending or self.over)

    @property
    def may_act(self) -> frozenset[str]:
        """Players who may act."""
        return frozenset() if self.over else frozenset({self.to_move})

    @property
    def standing(self) -> Standing:
        """Values that a revealed play would change."""
        return Standing(self.scores, self.ship_count, self.hits, self.sunk, self.cards)

    def after(self, player: str) -> str:
        """The next player clockwise."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]


def begin_table(
    players: tuple[str, ...],
    options: Options,
    materials: Materials,
    initial: Mapping[str, JsonValue] | None = None,
) -> ShipState:
    """An empty board, or a position to continue from (SS-3).

    Raises:
        ValueError: `bad_player_count`, or the position is no position.
    """
    start = initial or {}
    checked_players(players, (2, 3, 4) if options["ss.players3"] else (2, 4))
    check_zones(players, options)
    grid = board_in(start)
    tiles = max(0, size_of(materials.tile_set) - len(grid.tiles))
    bag = number_in(start, "bag_count", max(0, tiles - RACK_SIZE * len(players)))
    racks = racks_in(start, "racks", players, RACK_SIZE)
    fleets = _fleets_in(start, players)
    hits, sunk = squares_in(start, "hits"), _sunk_in(start, players)
    if start.get("hits") is None and start.get("sunk") is None:
        for owner, fleet in fleets.items():
            struck, lost = shot_at(owner, fleet, grid, int(options["ss.sink_mode"]))
            hits, sunk = hits | struck, (*sunk, *lost)
    # Racks are full as long as the bag holds tiles (SS-32).
    held = RACK_SIZE if bag else min(RACK_SIZE, tiles // len(players))
    return ShipState(
        players=players,
        options=options,
        clock=clock_of_start(start, players, options),
        materials=materials,
        grid=grid,
        scores=MappingProxyType(numbers_in(start, "scores", players)),
        ship_count=MappingProxyType(numbers_in(start, "ship_count", players)),
        fleets=MappingProxyType(fleets),
        hits=hits,
        sunk=sunk,
        to_move=player_in(start, "to_move", players) or players[0],
        bag=bag,
        counts=counts_in(start, players, racks, held, RACK_SIZE),
        pass_run=number_in(start, "pass_run", 0),
        racks=racks,
        given=frozenset(grid.tiles),
    )


def shot_at(
    owner: str, fleet: Fleet, grid: Grid, sink_mode: int
) -> tuple[frozenset[Square], Sunk]:
    """Hits and sunk ships of a fleet, if every lying tile is a shot at it (SS-16 to SS-18).

    Returns:
        The squares hit, and the ships sunk.
    """
    hits = frozenset(s for squares in fleet.values() for s in squares if s in grid)
    enough = any if sink_mode == 1 else all
    sunk = ((owner, ship) for ship, squares in fleet.items() if enough(s in hits for s in squares))
    return hits, tuple(sunk)


def _fleets_in(start: Mapping[str, JsonValue], players: Iterable[str]) -> dict[str, Fleet]:
    given = start.get("fleets") or {}
    if not isinstance(given, Mapping):
        raise ValueError(f"fleets: expected an object by player, got {given!r:.60}")
    fleets: dict[str, Fleet] = {}
    for player, raw in given.items():
        if player not in players:
            raise ValueError(f"fleets: there is no player {player!r}")
        fleet = parse_fleet(raw)
        if isinstance(fleet, Refused):
            raise ValueError(f"fleets.{player}: {fleet.message}")
        fleets[player] = fleet
    return fleets


def _sunk_in(start: Mapping[str, JsonValue], players: Iterable[str]) -> Sunk:
    sunk = []
    for pair in list_in(start, "sunk"):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or pair[0] not in players:
            raise ValueError(f"sunk: expected pairs as ['Ann', 'patrol'], got {pair!r}")
        sunk.append((str(pair[0]), str(pair[1])))
    return tuple(sunk)


def fleets_missing(state: ShipState) -> list[str]:
    """Players without a fleet; none where owners call hits themselves."""
    if state.options["ss.fleets"] == "told":
        return []
    return [player for player in state.players if player not in state.fleets]


def waits_for_calls(state: ShipState) -> bool:
    """True if owners have yet to call what the newest play hit (SS-A15)."""
    pending, told = state.pending, state.options["ss.fleets"] == "told"
    return told and pending is not None and pending.calls is None


def covered_squares(state: ShipState) -> frozenset[Square]:
    """Squares under the strips of sunk ships, laid already or still to be laid (SS-20)."""
    known = [state.fleets.get(owner, {}).get(ship, ()) for owner, ship in state.sunk]
    cards = [squares for _, _, squares in state.cards]
    return frozenset(s for squares in (*known, *cards, *state.laid_cards) for s in squares)


def unseen_by(state: ShipState, viewer: str | None) -> dict[str, int]:
    """Number of tiles of each letter that lie neither on the board nor on the viewer's own rack."""
    board = (face_of(t) for t in state.grid.tiles.values())
    return unseen(state.materials.tile_set, board, state.racks.get(viewer or "", ()))


def moved_on(state: ShipState, player: str) -> ShipState:
    """The state when the turn has passed to the next player who has not lost it."""
    following, skip = state.after(player), set(state.skip)
    while following in skip and following != player:
        skip.discard(following)
        following = state.after(following)
    return replace(state, to_move=following, skip=frozenset(skip))
