"""Puts words together that were parted because one tile is a little off its line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.readings import LooseTile, LooseWord

SAME_TURN_DEG = 30.0
FARTHEST = 1.8
"""From one tile's centre to the next one's, in tile sides."""
MOST_ASIDE = 0.45


def join_pieces(tiles: Sequence[LooseTile], words: Sequence[LooseWord]) -> tuple[LooseWord, ...]:
    """Join lined-up tiles, and single ones, that go on in one line close to each other.

    Args:
        tiles: every loose tile.
        words: tiles lined up, as indexes into them.

    Returns:
        The words, longer where pieces could be joined.
    """
    used = {t for word in words for t in word.tiles}
    singles = [t for t, tile in enumerate(tiles) if tile.face_up and t not in used]
    pieces = [list(word.tiles) for word in words]
    facing = [word.facing_deg for word in words]
    while (found := _next_join(tiles, pieces, facing, singles)) is not None:
        at, other = found
        pieces[at].extend(other)
        if other in pieces:
            gone = pieces.index(other)
            del pieces[gone], facing[gone]
        else:
            singles.remove(other[0])
    return tuple(
        LooseWord("".join(tiles[t].letter for t in piece), tuple(piece), turn)
        for piece, turn in zip(pieces, facing, strict=True)
    )


def _next_join(
    tiles: Sequence[LooseTile],
    pieces: list[list[int]],
    facing: list[float],
    singles: list[int],
) -> tuple[int, list[int]] | None:
    for at, one in enumerate(pieces):
        for other in (*(p for p in pieces if p is not one), *([t] for t in singles)):
            if _goes_on(tiles[one[-1]], tiles[other[0]], facing[at]):
                return at, other
    return None


def _goes_on(last: LooseTile, first: LooseTile, facing_deg: float) -> bool:
    """Whether a tile stands right behind another, as a word of this facing is read."""
    turned = abs((first.angle_deg - facing_deg + 180) % 360 - 180)
    dx = first.centre_px[0] - last.centre_px[0]
    dy = first.centre_px[1] - last.centre_px[1]
    side = (first.size_px + last.size_px) / 2
    along = math.radians(facing_deg)
    forward = (dx * math.cos(along) + dy * math.sin(along)) / side
    aside = abs(dy * math.cos(along) - dx * math.sin(along)) / side
    return turned < SAME_TURN_DEG and 0.5 < forward < FARTHEST and aside < MOST_ASIDE
