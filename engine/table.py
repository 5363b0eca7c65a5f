"""Basic types of a table: squares, tiles, grids and loose words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

Axis = Literal["across", "down"]

EMPTY = "."
SIDE: Final = 15
"""Squares along each side of one board (rule 0.1)."""
FEWEST_SQUARES: Final = 8
MOST_SQUARES: Final = 24
"""Squares along each side of a board that can be read and named, beside joined ones."""
BOARDS_A_SIDE: Final = 3
"""Boards along each side where boards are joined (rule FS-1)."""
BOARDS: Final = BOARDS_A_SIDE**2
JOINED_SIDE: Final = BOARDS_A_SIDE * SIDE
"""Squares along each side of joined boards (rule FS-1)."""
UNKNOWN_BLANK = "?"
LOOK_ALIKE = frozenset("HINOSXZMW?")
"""Letters that look like letters upside down: the way they face is no evidence."""


class Square(NamedTuple):
    """A square: row and column from 0, row A (or 1 of 45) first."""

    row: int
    col: int

    @property
    def name(self) -> str:
        """Name on a 15x15 board: `H8` (rule 0.1)."""
        return f"{chr(65 + self.row)}{self.col + 1}"

    @property
    def panel_name(self) -> str:
        """Name on nine joined boards: `4:B8` (rule FS-3)."""
        return f"{self.panel}:{Square(self.row % SIDE, self.col % SIDE).name}"

    @property
    def panel(self) -> int:
        """Number of its board among nine joined ones, 1 to 9 (rule FS-3)."""
        return BOARDS_A_SIDE * (self.row // SIDE) + self.col // SIDE + 1

    def name_on(self, rows: int) -> str:
        """Name on a board with so many rows: `H8`, or `4:B8` on joined boards (45 rows)."""
        return self.panel_name if rows == JOINED_SIDE else self.name

    def step(self, axis: Axis, by: int = 1) -> Square:
        """The square `by` steps along the axis; it may lie off the board."""
        if axis == "across":
            return Square(self.row, self.col + by)
        return Square(self.row + by, self.col)

    def neighbours(self) -> tuple[Square, Square, Square, Square]:
        """The four orthogonal neighbours; they may lie off the board."""
        r, c = self
        return Square(r - 1, c), Square(r + 1, c), Square(r, c - 1), Square(r, c + 1)


@lru_cache(maxsize=8192)
def parse_square(text: str, side: int = SIDE) -> Square:
    """Parse `H8` or `4:B8`.

    Args:
        text: the square's name.
        side: squares along each side of its board; of each board where several are joined.

    Raises:
        ValueError: the text is no square; the message says what was expected.
    """
    panel, _, rest = text.rpartition(":")
    rest = rest.strip().upper()
    last = chr(64 + side)
    ok = len(rest) in (2, 3) and "A" <= rest[0] <= last and rest[1:].isdecimal()
    if not ok or not 1 <= int(rest[1:]) <= side:
        raise ValueError(f"expected a square as 'H8' (A-{last}, 1-{side}), got {text!r}")
    row, col = ord(rest[0]) - 65, int(rest[1:]) - 1
    if panel:
        if not panel.isdecimal() or not 1 <= int(panel) <= BOARDS:
            raise ValueError(f"expected a board 1-9 before ':', got {text!r}")
        top, left = corner_of(int(panel))
        row, col = row + top, col + left
    return Square(row, col)


def square_named(text: str) -> Square:
    """Parse the name of a square that the rules have accepted, on a board of any size.

    Raises:
        ValueError: the text is no square.
    """
    return parse_square(text, MOST_SQUARES)


def side_of(rows: int) -> int:
    """Squares along each side of one board; `rows` may be those of joined boards."""
    return SIDE if rows == JOINED_SIDE else rows


def corner_of(panel: int) -> Square:
    """First square of board 1 to 9 among nine joined ones (rule FS-3)."""
    return Square(*(SIDE * x for x in divmod(panel - 1, BOARDS_A_SIDE)))


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile on the board: its letter, whether it is a blank, quarter turns and set.

    `letter` is upper case; a blank not yet named has the letter `?`. `turn` counts quarter
    turns clockwise from upright as seen with row A at the top. `colour` names the tile set.
    """

    letter: str
    blank: bool = False
    turn: int = 0
    colour: str = "a"

    @property
    def text(self) -> str:
        """One character of board text (rule 0.2): capital, small for a blank, or `?`."""
        return self.letter.lower() if self.blank and self.letter != UNKNOWN_BLANK else self.letter


@lru_cache(maxsize=256)
def tile_from_text(char: str) -> Tile:
    """Parse one character of board text: `A`, `a` (a blank standing for A) or `?`."""
    if char == UNKNOWN_BLANK:
        return Tile(UNKNOWN_BLANK, blank=True)
    return Tile(char.upper(), blank=char.islower())


class TileRun(NamedTuple):
    """A maximal unbroken run of tiles in one line (rule 0.3, a "string")."""

    axis: Axis
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Tiles on a board of `rows` x `cols` squares; immutable."""

    rows: int
    cols: int
    tiles: Mapping[Square, Tile] = field(default_factory=lambda: MappingProxyType({}))

    def __contains__(self, square: object) -> bool:
        """True if a tile lies on the square."""
        return square in self.tiles

    def get(self, square: Square) -> Tile | None:
        """The tile on a square; None if it is empty."""
        return self.tiles.get(square)

    def on_board(self, square: Square) -> bool:
        """True if the square exists."""
        return 0 <= square.row < self.rows and 0 <= square.col < self.cols

    def with_tiles(self, tiles: Mapping[Square, Tile]) -> Grid:
        """A copy with tiles added or replaced."""
        return Grid(self.rows, self.cols, MappingProxyType({**self.tiles, **tiles}))

    def without(self, squares: Iterable[Square]) -> Grid:
        """A copy with squares cleared."""
        gone = set(squares)
        kept = {s: t for s, t in self.tiles.items() if s not in gone}
        return Grid(self.rows, self.cols, MappingProxyType(kept))

    @property
    def side(self) -> int:
        """Squares along each side of one board, also where several are joined."""
        return side_of(self.rows)

    def name_of(self, square: Square) -> str:
        """Name of a square: `H8`, or `4:B8` on nine joined boards."""
        return square.name_on(self.rows)

    def run_through(self, square: Square, axis: Axis) -> TileRun:
        """The run along the axis that holds the square (which must hold a tile)."""
        down, right = (0, 1) if axis == "across" else (1, 0)
        (row, col), tiles = square, self.tiles
        while (row - down, col - right) in tiles:
            row, col = row - down, col - right
        squares = [Square(row, col)]
        while (row := row + down, col := col + right) in tiles:
            squares.append(Square(row, col))
        return TileRun(axis, tuple(squares))

    def runs(self) -> Iterator[TileRun]:
        """Yield every run of two or more tiles, across first, in reading order."""
        axes: tuple[Axis, Axis] = ("across", "down")
        for axis in axes:
            for square in sorted(self.tiles):
                if square.step(axis, -1) not in self.tiles and square.step(axis) in self.tiles:
                    yield self.run_through(square, axis)

    def text_rows(self) -> tuple[str, ...]:
        """The board as text, one string a row (rule 0.2)."""
        rows = [[EMPTY] * self.cols for _ in range(self.rows)]
        for (row, col), tile in self.tiles.items():
            rows[row][col] = tile.text
        return tuple("".join(row) for row in rows)


def grid_from_rows(rows: Iterable[str]) -> Grid:
    """Parse a board drawn as text (rule 0.2).

    Raises:
        ValueError: the rows are not all of one length, or hold a character that is no tile.
    """
    lines = list(rows)
    width = len(lines[0]) if lines else 0
    tiles = {}
    for r, line in enumerate(lines):
        if len(line) != width:
            raise ValueError(
                f"expected {width} characters in row {r + 1}, got {len(line)}: {line!r}"
            )
        for c, char in enumerate(line):
            if char == EMPTY:
                continue
            if char != UNKNOWN_BLANK and not char.isalpha():
                raise ValueError(f"expected a letter, '?' or '.', got {char!r} in row {r + 1}")
            tiles[Square(r, c)] = tile_from_text(char)
    return Grid(len(lines), width, MappingProxyType(tiles))


def board_rows(shown: Mapping[str, Any]) -> list[str]:
    """Rows of the board, or of nine joined ones, in a game's view; empty where it has none."""
    return list(shown.get("board45") or shown.get("board") or ())


@dataclass(frozen=True, slots=True)
class SurfaceSpec:
    """A surface of a game that a camera looks at.

    Attributes:
        name: what actions and questions call it, where there are several.
        kind: `board` is a grid of squares, `loose` a table with tiles that lie anywhere.
        rows: rows of squares; 45 are nine boards joined (rule FS-1).
        cols: columns of squares.
        markers: the cards that may lie over squares, each with its length in squares (SS-4).
        facing: two players sit opposite each other; each one's tiles are upright for them,
            and board text writes the far player's small (rule 0.2).
        tile_colours: how many tile sets, told apart by their colour, lie mixed (SH-4).
    """

    name: str = "board"
    kind: Literal["board", "loose"] = "board"
    rows: int = SIDE
    cols: int = SIDE
    markers: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    facing: bool = False
    tile_colours: int = 1

    @property
    def side(self) -> int:
        """Squares along each side of one board, also where several are joined."""
        return side_of(self.rows)

    @property
    def joined(self) -> bool:
        """True if it is several joined boards, whose squares name their board (`4:B8`)."""
        return self.kind == "board" and self.rows == JOINED_SIDE
