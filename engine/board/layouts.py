"""Board layouts drawn as text: the premium squares (rule 0.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Protocol, runtime_checkable

from kibitz.engine.rules import GameRules, JsonValue, Options
from kibitz.engine.table import EMPTY, FEWEST_SQUARES, MOST_SQUARES, Square

STANDARD = (
    "W..l...W...l..W",
    ".w...L...L...w.",
    "..w...l.l...w..",
    "l..w...l...w..l",
    "....w.....w....",
    ".L...L...L...L.",
    "..l...l.l...l..",
    "W..l...*...l..W",
    "..l...l.l...l..",
    ".L...L...L...L.",
    "....w.....w....",
    "l..w...l...w..l",
    "..w...l.l...w..",
    ".w...L...L...w.",
    "W..l...W...l..W",
)
"""`W` triple word, `w` double word, `L` triple letter, `l` double letter, `*` the star (2W).

Layouts of other boards may also have `Q`, four times the word, and `q`, four times the letter.
"""

LETTER_FACTORS: Mapping[str, int] = MappingProxyType({"l": 2, "L": 3, "q": 4})
WORD_FACTORS: Mapping[str, int] = MappingProxyType({"w": 2, "*": 2, "W": 3, "Q": 4})
STAR = "*"
STANDARD_NAME = "standard"
"""What a setting calls the layout of 15x15 squares that Scrabble is sold with."""
WANTED = (
    f"'{STANDARD_NAME}', or {FEWEST_SQUARES} to {MOST_SQUARES} rows of as many signs: "
    "'.' plain, l L q two, three, four times the letter, w W Q the word, one '*' for the star"
)


@dataclass(frozen=True)
class Layout:
    """Premium squares of one board.

    Attributes:
        rows: one sign a square, as many rows as columns.
    """

    rows: tuple[str, ...]

    @cached_property
    def premiums(self) -> Mapping[Square, str]:
        """Sign of each premium square."""
        signs = ((Square(r, c), x) for r, row in enumerate(self.rows) for c, x in enumerate(row))
        return MappingProxyType({square: x for square, x in signs if x != EMPTY})

    @cached_property
    def star(self) -> Square:
        """Square that the first word must cover (CL-4)."""
        return next(square for square, sign in self.premiums.items() if sign == STAR)

    @property
    def size(self) -> int:
        """Number of squares along each side."""
        return len(self.rows)

    def letter_factor(self, square: Square) -> int:
        """Letter multiplier of a square, 1 to 4."""
        return LETTER_FACTORS.get(self.premiums.get(square, EMPTY), 1)

    def word_factor(self, square: Square) -> int:
        """Word multiplier of a square, 1 to 4."""
        return WORD_FACTORS.get(self.premiums.get(square, EMPTY), 1)


STANDARD_LAYOUT: Final = Layout(STANDARD)
CENTRE = STANDARD_LAYOUT.star
letter_factor = STANDARD_LAYOUT.letter_factor
word_factor = STANDARD_LAYOUT.word_factor


def read_layout(value: JsonValue) -> JsonValue:
    """A setting's layout as the rules keep it: `standard`, or its rows.

    Args:
        value: the name, rows as a list, or as one text whose rows end with a line or with `/`;
            spaces between signs count nothing.

    Raises:
        ValueError: it is no layout; the message says what was expected.
    """
    if value == STANDARD_NAME:
        return STANDARD_NAME
    lines = value.replace("/", "\n").splitlines() if isinstance(value, str) else value
    if not isinstance(lines, (list, tuple)) or not all(isinstance(x, str) for x in lines):
        raise ValueError(f"expected {WANTED}, got {value!r:.60}")
    rows = tuple(bare for line in lines if (bare := "".join(line.split())))
    if not FEWEST_SQUARES <= len(rows) <= MOST_SQUARES:
        raise ValueError(f"expected {WANTED}, got {len(rows)} rows in {value!r:.60}")
    signs = {EMPTY, *LETTER_FACTORS, *WORD_FACTORS}
    for number, row in enumerate(rows, 1):
        if strange := [x for x in row if x not in signs]:
            raise ValueError(f"expected {WANTED}, got {strange[0]!r} in row {number}")
        if len(row) != len(rows):
            raise ValueError(
                f"expected {WANTED}, got {len(row)} signs in row {number} of {len(rows)}"
            )
    if (stars := "".join(rows).count(STAR)) != 1:
        raise ValueError(f"expected {WANTED}, got {stars} stars")
    return rows


@runtime_checkable
class HasLayouts(Protocol):
    """A game that can be played on boards with other layouts."""

    def on_layout(self, layout: Layout) -> GameRules[Any]:
        """The same rules on another board; its facts have that board's size."""
        ...


def on_board_of(game: GameRules[Any], options: Options) -> GameRules[Any]:
    """The game on the board that its settings give; unchanged if they give none."""
    setting = game.info.layout_setting
    rows = STANDARD_NAME if setting is None else options[setting]
    return game if rows == STANDARD_NAME else on_rows(game, rows)


def on_rows(game: GameRules[Any], rows: Sequence[str]) -> GameRules[Any]:
    """The game on a board with these premium squares, if it allows other boards."""
    return game.on_layout(Layout(tuple(rows))) if isinstance(game, HasLayouts) else game
