"""Boards drawn as text: where the premium squares are (rule 0.4)."""

from __future__ import annotations

from types import MappingProxyType

from kibitz.engine.table import Square

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
"""`W` triple word, `w` double word, `L` triple letter, `l` double letter, `*` the star (2W)."""

LETTER_FACTORS = {"l": 2, "L": 3}
WORD_FACTORS = {"w": 2, "*": 2, "W": 3}
CENTRE = Square(7, 7)

PREMIUMS = MappingProxyType(
    {Square(r, c): x for r, row in enumerate(STANDARD) for c, x in enumerate(row) if x != "."}
)


def letter_factor(square: Square) -> int:
    """1, 2 or 3: the premium for a letter laid there."""
    return LETTER_FACTORS.get(PREMIUMS.get(square, "."), 1)


def word_factor(square: Square) -> int:
    """1, 2 or 3: the premium for a word through a tile laid there."""
    return WORD_FACTORS.get(PREMIUMS.get(square, "."), 1)
