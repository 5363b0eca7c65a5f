"""How tiles are laid out to be taught: in which order, and where they can be read afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.app.common.errors import UsageError
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.reading.request import squares_of
from kibitz.engine.rules import GameInfo
from kibitz.engine.table import JOINED_SIDE, UNKNOWN_BLANK

IN_A_ROW = 10
"""Tiles in a row of the order that is shown."""


def order_of(tiles: str, order: str | None) -> tuple[str, ...]:
    """The tiles in the order in which they are laid.

    Args:
        tiles: the tile set.
        order: what lies there row by row; None: the set's letters, then a blank.

    Raises:
        ValueError: one of them is none of the set's, or there are not two different ones.
    """
    known = (*load_tile_set(tiles).letters, UNKNOWN_BLANK)
    if order is None:
        return known
    given = tuple(x.upper() for x in order if not x.isspace() and x != ",")
    if odd := [x for x in given if x not in known]:
        raise ValueError(f"expected letters of {tiles}: {''.join(known)}, got {odd[0]!r}")
    if len(set(given)) < 2:
        raise ValueError(f"expected two different tiles or more, got {order!r}")
    return given


def rows_of(order: Sequence[str], prints: Mapping[str, str]) -> list[str]:
    """The order in rows, each tile as it is printed."""
    words = [prints.get(x, x) for x in order]
    return [" ".join(words[k : k + IN_A_ROW]) for k in range(0, len(words), IN_A_ROW)]


def reads_taught(info: GameInfo, players: int) -> bool:
    """Whether taught tiles are read where so many play this game: on single boards."""
    try:
        alone = len(info.surfaces(players)) == 1
        return alone and squares_of(info) not in (JOINED_SIDE, "loose")
    except UsageError:
        return False
