"""State of a game of Scrabble House: boards, hands, clocks and seats (rules SH-1 to SH-5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from kibitz.engine.clock import ChessClock, clock_for
from kibitz.engine.first_turn import FirstTurn
from kibitz.engine.games.scrabble_house.explosion import Cell, Cells
from kibitz.engine.games.scrabble_house.info import SEATS
from kibitz.engine.record.positions import (
    checked_players,
    clock_in,
    list_in,
    number_in,
    object_in,
    squares_in,
)
from kibitz.engine.rules import JsonValue, Materials, Options
from kibitz.engine.table import EMPTY, SIDE, UNKNOWN_BLANK, Grid, Square, Tile
from kibitz.engine.tiles.unseen import unseen

SIZE = SIDE
RACK = 7
FULL_SET = 100
HOME = MappingProxyType({"S": SIZE - 1, "N": 0})
TURNS = MappingProxyType({"S": 0, "N": 2})


@dataclass(frozen=True, slots=True)
class Hand:
    """Tiles of a hand: of its own board's colour, and bonus tiles of the other board's."""

    own: int
    other: int

    def plus(self, own: int = 0, other: int = 0) -> Hand:
        """The hand with more (or fewer) tiles."""
        return Hand(max(0, self.own + own), max(0, self.other + other))


@dataclass(frozen=True, slots=True)
class Tasks:
    """Tiles that must still be turned or lifted after an explosion."""

    turn: frozenset[Square] = frozenset()
    lift: frozenset[Square] = frozenset()

    def __bool__(self) -> bool:
        """True if anything is left to do."""
        return bool(self.turn or self.lift)


@dataclass(frozen=True, slots=True)
class HousePlay:
    """The last play on a board.

    Attributes:
        player: who laid it.
        new: the tiles laid.
        words: the words announced.
        before: the board without it.
        waiting: whether its words may still be objected to (SH-11).
        declined: whether the player lets nothing explode (`sh.explode`).
        spent: own-colour and bonus tiles that left the hand.
        drawn: tiles taken from the bag that nobody told of.
        given: own-colour and bonus tiles that the partner got.
        opened: whether it was the player's first play.
    """

    player: str
    new: Mapping[Square, str]
    words: tuple[str, ...]
    before: Board
    drawn: int
    waiting: bool = True
    declined: bool = False
    spent: Hand = Hand(0, 0)
    given: Hand = Hand(0, 0)
    opened: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """One board: letters with facings, blanks, tiles of the other board's colour.

    `to_draw` are the players who laid tiles and of whom no drawing was told since. `joint`: the
    clock was started by a press at the other board, and nothing was done here since.
    """

    cells: Mapping[Square, Cell]
    blanks: frozenset[Square]
    bonus: frozenset[Square]
    bag: int
    to_move: str | None
    last: HousePlay | None = None
    tasks: Tasks = Tasks()
    result: str | None = None
    to_draw: frozenset[str] = frozenset()
    joint: bool = False

    @property
    def pending(self) -> HousePlay | None:
        """The play whose words may be challenged now; None if there is none."""
        return self.last if self.last is not None and self.last.waiting else None


@dataclass(frozen=True, slots=True)
class HouseState:
    """State of the game: both boards (or the only one), hands and clocks.

    `away` are tiles given to a partner at a board that is not watched, by colour as a `Hand`.
    `openers` are those who open, each on the own board, once that is known (SH-5).
    """

    players: tuple[str, ...]
    options: Options
    materials: Materials
    boards: tuple[Board, ...]
    opened: frozenset[str]
    hands: Mapping[str, Hand]
    clocks: tuple[ChessClock, ...]
    away: Hand = Hand(0, 0)
    openers: tuple[str, ...] = ()
    first: FirstTurn = field(default_factory=FirstTurn)
    over: bool = False
    reason: str = ""
    winner: str | None = None

    @property
    def untouched(self) -> bool:
        """True if nobody has laid a tile or started a clock yet."""
        begun = self.opened or self.over or any(clock.running for clock in self.clocks)
        return not begun and not any(board.cells for board in self.boards)

    @property
    def may_act(self) -> frozenset[str]:
        """Players who may act: those to move on each board."""
        if self.over:
            return frozenset()
        out: set[str] = set()
        for i, board in enumerate(self.boards):
            if board.result is None:
                out |= {board.to_move} if board.to_move else set(at_board(self, i))
        return frozenset(out)

    def with_board(self, index: int, board: Board) -> HouseState:
        """A copy with one board replaced."""
        return replace(self, boards=(*self.boards[:index], board, *self.boards[index + 1 :]))

    def with_hand(self, player: str, hand: Hand) -> HouseState:
        """A copy with one hand replaced."""
        return replace(self, hands=MappingProxyType({**self.hands, player: hand}))

    def with_clock(self, index: int, clock: ChessClock) -> HouseState:
        """A copy with one clock replaced."""
        return replace(self, clocks=(*self.clocks[:index], clock, *self.clocks[index + 1 :]))


def at_board(state: HouseState, board: int) -> tuple[str, str]:
    """South and North of a board (SH-2); players are listed as X1, Y1, X2, Y2."""
    return state.players[2 * board], state.players[2 * board + 1]


def place_of(state: HouseState, player: str) -> tuple[int, str]:
    """Board and side of a player."""
    i = state.players.index(player)
    return i // 2, "S" if i % 2 == 0 else "N"


def opponent_of(state: HouseState, player: str) -> str:
    """The opposite player."""
    return state.players[state.players.index(player) ^ 1]


def partner_of(state: HouseState, player: str) -> str | None:
    """The partner at the other board; None where only one board is watched."""
    if len(state.players) < 4:
        return None
    return state.players[(state.players.index(player) + 2) % 4]


def openers_with(state: HouseState, first: str) -> tuple[str, ...]:
    """Players who open if one of them does: with two boards also the one diagonally (SH-5)."""
    at = state.players.index(first)
    return (first,) if len(state.players) == 2 else (first, state.players[-1 - at])


def side_of_match(state: HouseState, player: str) -> str:
    """The player, or with two boards the team."""
    partner = partner_of(state, player)
    if partner is None:
        return player
    return "+".join(sorted((player, partner), key=state.players.index))


def draw_limit(state: HouseState, player: str) -> int:
    """Most own-colour tiles that a player may draw (SH-22, SH-23)."""
    board = state.boards[place_of(state, player)[0]]
    return min(board.bag, max(0, RACK - state.hands[player].own))


def unannounced_draws(state: HouseState, index: int) -> dict[str, int]:
    """Tiles that players of a board must have drawn by now unannounced (SH-6, SH-22).

    Drawing is seldom told, and no camera sees it: who laid tiles has filled up as far as may be.
    Not while the words may still be objected to; who laid first drew first.
    """
    board = state.boards[index]
    out, bag = {}, board.bag
    for player in sorted(at_board(state, index), key=lambda p: p != board.to_move):
        waits = board.pending is not None and board.pending.player == player
        due = player in board.to_draw and not waits
        out[player] = min(bag, draw_limit(state, player)) if due else 0
        bag -= out[player]
    return out


def unseen_of_set(state: HouseState, index: int) -> dict[str, int]:
    """Number of tiles of each letter of a board's own colour that lie on neither board."""
    faces = [
        UNKNOWN_BLANK if square in board.blanks else letter
        for i, board in enumerate(state.boards)
        for square, (letter, _) in board.cells.items()
        if (square in board.bonus) == (i != index)
    ]
    return unseen(state.materials.tile_set, faces)


def cells_from_rows(rows: Sequence[str]) -> Cells:
    """Parse rows of letters: capitals face South, small ones North (rule 0.2)."""
    out: Cells = {}
    for r, row in enumerate(rows):
        for c, x in enumerate(row):
            if x != EMPTY:
                out[Square(r, c)] = (x.upper(), "N" if x.islower() else "S")
    return out


def rows_from_cells(cells: Mapping[Square, Cell]) -> list[str]:
    """The board as text, in South's view."""
    rows = [[EMPTY] * SIZE for _ in range(SIZE)]
    for (row, col), (letter, facing) in cells.items():
        rows[row][col] = letter.lower() if facing == "N" else letter
    return ["".join(row) for row in rows]


def grid_of(cells: Mapping[Square, Cell]) -> Grid:
    """The cells as a grid of tiles."""
    return Grid(SIZE, SIZE, {s: Tile(x, turn=TURNS[f]) for s, (x, f) in cells.items()})


def begin_table(
    players: tuple[str, ...],
    options: Options,
    materials: Materials,
    initial: Mapping[str, JsonValue] | None = None,
) -> HouseState:
    """Empty boards, or a position to continue from.

    Raises:
        ValueError: not two or four players, or the position is no position.
    """
    start = initial or {}
    checked_players(players, SEATS)
    boards = tuple(_board(players, start, i) for i in range(len(players) // 2))
    done = start.get("first_play_done")
    opened = {
        p for i, p in enumerate(players)
        if _has_opened(p, done, boards[i // 2], "S" if i % 2 == 0 else "N")
    }  # fmt: skip
    hands = object_in(start, "hands", players)
    held = {p: _hand(hands if p in hands else start, p if p in hands else "hand") for p in players}
    limit = float(options["sh.clock"])
    clocks = tuple(
        clock_in(start, clock_for(players[2 * i : 2 * i + 2], limit), players)
        for i in range(len(boards))
    )
    return HouseState(
        players, options, materials, boards, frozenset(opened), MappingProxyType(held), clocks
    )


def _board(players: tuple[str, ...], initial: Mapping[str, JsonValue], index: int) -> Board:
    drawn = list_in(initial, "boards") or [list_in(initial, "board")]
    rows = drawn[index] if index < len(drawn) else []
    rows = rows or [EMPTY * SIZE] * SIZE
    if not isinstance(rows, (list, tuple)) or len(rows) != SIZE or not all(map(_is_row, rows)):
        raise ValueError(f"board: expected 15 rows of 15 letters or dots, got {rows!r:.60}")
    cells = cells_from_rows(rows)
    blanks = squares_in(initial, "blanks_2" if index else "blanks")
    if stray := sorted(blanks - set(cells)):
        raise ValueError(f"blanks: expected a tile on {stray[0].name}")
    bonus = squares_in(initial, "bonus_2" if index else "bonus")
    if stray := sorted(bonus - set(cells)):
        raise ValueError(f"bonus: expected a tile on {stray[0].name}")
    bags = list_in(initial, "bags")
    own = {"bag": bags[index]} if index < len(bags) else initial
    left = number_in(own, "bag", max(0, FULL_SET - len(cells) + len(bonus) - 2 * RACK))
    turn = initial.get("to_move")
    named = turn if isinstance(turn, (list, tuple)) else [turn]
    to_move = next((p for p in players[2 * index : 2 * index + 2] if p in named), None)
    return Board(MappingProxyType(cells), blanks, bonus, left, to_move)


def _has_opened(player: str, done: JsonValue, board: Board, side: str) -> bool:
    if isinstance(done, Mapping) and player in done:
        return bool(done[player])
    return any(facing == side for _, facing in board.cells.values())


def _is_row(row: JsonValue) -> bool:
    known = isinstance(row, str) and len(row) == SIZE
    return known and all(x in (EMPTY, UNKNOWN_BLANK) or x.isalpha() for x in row)


def _hand(start: Mapping[str, JsonValue], name: str) -> Hand:
    fields = object_in(start, name, ("own_colour", "other_colour", "max_draw"))
    own = number_in(fields, "own_colour", RACK)
    return Hand(own, number_in(fields, "other_colour", 0))
