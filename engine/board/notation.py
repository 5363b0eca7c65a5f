"""Names of squares, as they are spoken and as other programs write them."""

from __future__ import annotations

from kibitz.engine.phrases import SquareName
from kibitz.engine.table import SIDE, Axis, Square


def spoken(square: Square) -> SquareName:
    """Name of a square as it is spoken: `C five` (rule 7)."""
    return SquareName(square.name, spoken=True)


def gcg_position(square: Square, axis: Axis) -> str:
    """Standard notation with lettered columns: `8H` across, `H8` down."""
    column, row = chr(65 + square.col), square.row + 1
    return f"{row}{column}" if axis == "across" else f"{column}{row}"


def parse_gcg_position(text: str) -> tuple[Square, Axis]:
    """Parse `8H` or `H8`.

    Raises:
        ValueError: the text is no position.
    """
    t = text.strip().upper()
    if t[:1].isdecimal() and t[-1:].isalpha():
        row, column, axis = t[:-1], t[-1], "across"
    elif t[:1].isalpha() and t[1:].isdecimal():
        row, column, axis = t[1:], t[0], "down"
    else:
        raise ValueError(f"expected a position as '8H' or 'H8', got {text!r}")
    if not row.isdecimal() or not 1 <= int(row) <= SIDE or not "A" <= column <= "O":
        raise ValueError(f"expected a position on the board, got {text!r}")
    return Square(int(row) - 1, ord(column) - 65), "across" if axis == "across" else "down"
