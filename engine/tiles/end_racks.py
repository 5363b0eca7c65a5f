"""Tiles left on racks when a game ends (rules CL-17, SS-35)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from kibitz.engine.rules import TileSetLike
from kibitz.engine.table import UNKNOWN_BLANK

Racks = Mapping[str, tuple[str, ...]]


def rack_change(
    players: tuple[str, ...], racks: Racks, tile_set: TileSetLike, out: str | None, *,
    double: bool = False,
) -> dict[str, int]:  # fmt: skip
    """Points each player wins or loses for tiles left; an unknown rack counts nothing.

    Args:
        players: everybody.
        racks: the racks that are known.
        tile_set: face values.
        out: who laid the last tile of the rack; gains what the others hold.
        double: with two players the one who went out gains twice the other's rack instead, and
            the other loses nothing.
    """
    left = {
        p: sum(tile_set.value(x) for x in racks.get(p, ()) if x != UNKNOWN_BLANK)
        for p in players
        if p != out
    }
    if out is None:
        return {p: -left[p] for p in players}
    total = sum(left.values())
    if double and len(players) == 2:
        return {p: 2 * total if p == out else 0 for p in players}
    return {p: total if p == out else -left[p] for p in players}


def known_racks(
    players: tuple[str, ...], racks: Racks, counts: Mapping[str, int], unseen: Mapping[str, int],
    out: str | None,
) -> Racks:  # fmt: skip
    """Racks when the bag is empty; a single unknown one must hold the tiles not seen.

    Args:
        players: everybody.
        racks: the racks that are known.
        counts: how many tiles each player holds.
        unseen: how many of each letter do not lie on the board.
        out: who has no tiles left.
    """
    known = {p: r for p, r in racks.items() if p != out}
    unknown = [p for p in players if p != out and p not in known]
    if len(unknown) == 1:
        rest = Counter(unseen)
        for rack in known.values():
            rest.subtract(rack)
        tiles = tuple((+rest).elements())
        if len(tiles) == counts[unknown[0]]:
            known[unknown[0]] = tiles
    return MappingProxyType(known)
