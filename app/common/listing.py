"""Limits on long lists and large files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kibitz.engine.parameters import checked, number


@dataclass(frozen=True, slots=True)
class ListRule:
    """Lengths of lists that are shown or held."""

    page: int = number(200, "entries", 1, 10**5, "of a long list, read or shown together")
    first: int = number(
        40, "entries", 1, 10**5, "shown of a list of which the rest is seldom read"
    )
    best: int = number(12, "entries", 1, 10**5, "named in a summary: the best, or some of all")
    held: int = number(
        256, "things", 1, 10**6, "held ready that were worked out and are soon asked for again"
    )

    def __post_init__(self) -> None:
        checked(self)


LISTS: Final = ListRule()


@dataclass(frozen=True, slots=True)
class FileLimits:
    """Size limits of files and documents."""

    read_bytes: int = number(
        20_000_000,
        "bytes",
        1,
        10**10,
        "of a picture, scenarios, tile sets, what people say, GCG, and of one message",
    )
    words_bytes: int = number(
        100_000_000,
        "bytes",
        1,
        10**10,
        "of a word list, also unpacked; the largest have 45 million",
    )

    game_bytes: int = number(
        8_000_000_000, "bytes", 1, 10**12, "of a game's film, or of all that its zip holds"
    )
    depth: int = number(8, "levels", 1, 100, "of JSON that a caller sends, one in another")
    lists: int = number(8, "word lists", 1, 1000, "in memory; an archive may bring many")

    def __post_init__(self) -> None:
        """Refuse numbers out of bounds."""
        checked(self)


LIMITS = FileLimits()
