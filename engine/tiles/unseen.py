"""Racks, and the tiles of a set that have not been seen yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from kibitz.engine.rules import JsonValue, TileSetLike
from kibitz.engine.table import UNKNOWN_BLANK, Square, Tile


def face_of(tile: Tile) -> str:
    """The tile as its set counts it: a blank is `?` whatever letter it stands for."""
    return UNKNOWN_BLANK if tile.blank else tile.letter


def rack_of(value: JsonValue, name: str, most: int) -> tuple[str, ...]:
    """Parse a rack: letters, with `?` for a blank.

    Raises:
        ValueError: it is no list of up to `most` tiles.
    """
    tiles = tuple(value) if isinstance(value, (list, tuple, str)) else None
    if tiles is None or len(tiles) > most or not all(_is_tile(x) for x in tiles):
        raise ValueError(f"{name}: expected up to {most} letters ('?' a blank), got {value!r:.60}")
    return tuple(str(x).upper() for x in tiles)


def _is_tile(value: JsonValue) -> bool:
    return (
        isinstance(value, str) and len(value) == 1 and (value.isalpha() or value == UNKNOWN_BLANK)
    )


def faces_of(tile_set: TileSetLike, sets: int = 1) -> Counter[str]:
    """Every tile of one or more sets."""
    return Counter({x: sets * tile_set.count(x) for x in (*tile_set.letters, UNKNOWN_BLANK)})


def size_of(tile_set: TileSetLike) -> int:
    """Number of tiles in one set."""
    return faces_of(tile_set).total()


def unseen(tile_set: TileSetLike, *seen: Iterable[str], sets: int = 1) -> dict[str, int]:
    """Number of tiles of each letter that lie in none of the given places.

    Args:
        tile_set: the tiles of one set.
        seen: faces that lie open or are one's own, place by place.
        sets: how many sets are mixed.
    """
    left = {x: sets * tile_set.count(x) for x in (*tile_set.letters, UNKNOWN_BLANK)}
    for faces in seen:
        for face in faces:
            if face in left:
                left[face] -= 1
    return {x: n for x, n in left.items() if n > 0}


def racks_known_to(
    racks: Mapping[str, tuple[str, ...]], viewer: str | None
) -> Mapping[str, tuple[str, ...]]:
    """Racks or hands that a player may see: their own (None, a spectator: none)."""
    return racks if racks.keys() <= {viewer} else {p: r for p, r in racks.items() if p == viewer}


def rack_after(rack: tuple[str, ...] | None, laid: Iterable[Tile]) -> tuple[str, ...] | None:
    """The known part of a rack after tiles were laid from it.

    One that did not hold what was laid had been told wrongly, and is not known any more.
    """
    faces = Counter(face_of(t) for t in laid)
    if rack is None or faces - Counter(rack):
        return None
    return tuple((Counter(rack) - faces).elements())


def on_rack(tiles: Mapping[Square, Tile], held: int, rack: tuple[str, ...] | None) -> bool:
    """True if a play can be laid from a rack of so many tiles, of which some may be known."""
    if rack is None:
        return len(tiles) <= held
    return not Counter(face_of(t) for t in tiles.values()) - Counter(rack)
