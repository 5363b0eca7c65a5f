"""State of a game of Frankenscrabbards: the joined grid, clusters, the Frank (FS-1 to FS-6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kibitz.engine.clock import ChessClock
from kibitz.engine.first_turn import FirstTurn
from kibitz.engine.games.frankenscrabbards.clusters import groups_of, main_of, star_of
from kibitz.engine.games.frankenscrabbards.info import PLAYERS, SIZE
from kibitz.engine.record.positions import (
    board_in,
    checked_players,
    clock_of_start,
    counts_in,
    list_in,
    number_in,
    player_in,
)
from kibitz.engine.rules import JsonValue, Materials, Options
from kibitz.engine.table import BOARDS, Grid, Square
from kibitz.engine.tiles.unseen import face_of, size_of, unseen


@dataclass(frozen=True, slots=True)
class Tally:
    """Values that a play changes beside the grid, as they were before it."""

    total: int
    main: tuple[int, ...]
    frank: str | None
    bag: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The last play, which is void if an invalid word is noticed before the next (FS-A11)."""

    squares: tuple[Square, ...]
    player: str
    before: Tally
    word: str


@dataclass(frozen=True, slots=True)
class FrankState:
    """State of the game: joined grid, counted words, clusters and the Frank.

    Attributes:
        total: plays counted.
        words: player and main word of each play.
        main: boards of the main cluster.
        counts: how many tiles each player holds.
        records: finished games to compare with.
    """

    players: tuple[str, ...]
    options: Options
    materials: Materials
    grid: Grid
    total: int
    words: tuple[tuple[str, str], ...]
    main: tuple[int, ...]
    frank: str | None
    to_move: str
    bag: int
    counts: Mapping[str, int]
    records: tuple[Mapping[str, JsonValue], ...] = ()
    last: LastPlay | None = None
    date: str = ""
    first: FirstTurn = field(default_factory=FirstTurn)
    clock: ChessClock | None = None
    over: bool = False
    abandoned: bool = False
    final_frank: str | None = None

    @property
    def untouched(self) -> bool:
        """True if nothing has been played yet, so that the first turn may still be settled."""
        return not (self.grid.tiles or self.total or self.over)

    @property
    def may_act(self) -> frozenset[str]:
        """Players who may act; players may talk and lay for one another (FS-5)."""
        return frozenset() if self.over else frozenset({self.to_move})

    @property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """Groups of boards whose stars are covered and connected."""
        return groups_of(self.grid, str(self.options["fs.connect"]))

    @property
    def tally(self) -> Tally:
        """Values that a play would change beside the grid."""
        return Tally(self.total, self.main, self.frank, self.bag, self.counts)

    def after(self, player: str) -> str:
        """The next player clockwise."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]


def name_of(square: Square) -> str:
    """`4:B8` (FS-3)."""
    return square.panel_name


def free_stars(grid: Grid) -> set[int]:
    """Boards whose star is not covered yet (FS-6)."""
    return {b for b in range(1, BOARDS + 1) if star_of(b) not in grid}


def begin_table(
    players: tuple[str, ...],
    options: Options,
    materials: Materials,
    initial: Mapping[str, JsonValue] | None = None,
) -> FrankState:
    """An empty grid, or a position to continue from.

    Raises:
        ValueError: no players, or the position is no position.
    """
    start = initial or {}
    checked_players(players, PLAYERS)
    grid = board_in(start, SIZE, "board45")
    words = tuple(_play_of(p) for p in list_in(start, "plays"))
    total = number_in(start, "plays_so_far", len(words))
    groups = groups_of(grid, str(options["fs.connect"]))
    clusters = _boards(list_in(start, "main_cluster"))
    rack, sets = int(options["fs.rack"]), int(options["fs.sets"])
    tiles = max(0, sets * size_of(materials.tile_set) - len(grid.tiles))
    counts = counts_in(start, players, {}, min(rack, tiles // len(players)), rack)
    return FrankState(
        players=players,
        options=options,
        clock=clock_of_start(start, players, options),
        materials=materials,
        grid=grid,
        total=total,
        words=words,
        main=clusters or main_of(groups, ()),
        frank=player_in(start, "frank", players),
        to_move=player_in(start, "to_move", players) or players[total % len(players)],
        bag=number_in(start, "bag_count", max(0, tiles - sum(counts.values()))),
        counts=counts,
        records=_records(list_in(start, "records")),
        date=str(start.get("date", "")),
    )


def _play_of(raw: JsonValue) -> tuple[str, str]:
    if not isinstance(raw, Mapping):
        raise ValueError(f"plays: expected {{'player': 'Ann', 'word': 'TRAIN'}}, got {raw!r}")
    return str(raw.get("player")), str(raw.get("word"))


def _boards(raw: list[JsonValue]) -> tuple[int, ...]:
    if not all(isinstance(b, int) and 1 <= b <= BOARDS for b in raw):
        raise ValueError(f"main_cluster: expected numbers of boards from 1 to 9, got {raw!r}")
    return tuple(sorted(raw))


def _records(raw: list[JsonValue]) -> tuple[Mapping[str, JsonValue], ...]:
    form = "{'players': 3, 'total_words': 25, 'final_frank': 'Ann', 'date': '2024-05-01'}"
    for record in raw:
        known = isinstance(record, Mapping) and "final_frank" in record
        if not known or not all(
            isinstance(record.get(k), int) for k in ("players", "total_words")
        ):
            raise ValueError(f"records: expected {form}, got {record!r}")
    return tuple(raw)


def unseen_by(state: FrankState) -> dict[str, int]:
    """Number of tiles of each letter of all sets that do not lie on the grid yet."""
    board = (face_of(t) for t in state.grid.tiles.values())
    return unseen(state.materials.tile_set, board, sets=int(state.options["fs.sets"]))
