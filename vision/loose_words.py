"""Puts words together that were parted because one tile is a little off its line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.readings import LooseTile, LooseWord

SAME_TURN_DEG = 30.0
FARTHEST = 1.8
"""From one tile's centre to the next one's, in tile sides."""
MOST_ASIDE = 0.45
REACH = math.hypot(FARTHEST, MOST_ASIDE)
"""What lies farther off than this is neither near enough nor in line."""
BLANK_TURN_DEG = 14.0
BLANK_FARTHEST = 1.4
BLANK_ASIDE = 0.3
"""A plain tile must lie in line more neatly: it may be one of those face down."""


def join_pieces(
    tiles: Sequence[LooseTile], words: Sequence[LooseWord], *, blanks: bool = False
) -> tuple[LooseWord, ...]:
    """Join lined-up tiles, and single ones, that go on in one line close to each other.

    Args:
        tiles: every loose tile.
        words: tiles lined up, as indexes into them.
        blanks: whether a plain tile that lies in line belongs to the word, as a blank.

    Returns:
        The words, longer where pieces could be joined.
    """
    used = {t for word in words for t in word.tiles}
    singles = [t for t, tile in enumerate(tiles) if (tile.face_up or blanks) and t not in used]
    pieces = [list(word.tiles) for word in words]
    facing = [word.facing_deg for word in words]
    while (found := _next_join(tiles, pieces, facing, singles)) is not None:
        front, back = found
        keep, gone = (front, back) if front in pieces else (back, front)
        at = pieces.index(keep)
        pieces[at] = [*front, *back]
        if gone in pieces:
            other = pieces.index(gone)
            del pieces[other], facing[other]
        else:
            singles.remove(gone[0])
    return tuple(
        LooseWord("".join(tiles[t].letter for t in piece), tuple(piece), turn)
        for piece, turn in zip(pieces, facing, strict=True)
    )


def _next_join(
    tiles: Sequence[LooseTile],
    pieces: list[list[int]],
    facing: list[float],
    singles: list[int],
) -> tuple[list[int], list[int]] | None:
    """Two pieces, or a piece and a single tile, that go on in one line: the front one first."""
    for one, turn in zip(pieces, facing, strict=True):
        rest = [*(p for p in pieces if p is not one), *([t] for t in singles)]
        for other in rest:
            if _goes_on(tiles[one[-1]], tiles[other[0]], turn):
                return one, other
            if len(other) == 1 and _goes_on(tiles[other[0]], tiles[one[0]], turn):
                return other, one
    return None


def _goes_on(last: LooseTile, first: LooseTile, facing_deg: float) -> bool:
    """Whether a tile stands right behind another, as a word of this facing is read."""
    dx = first.centre_px[0] - last.centre_px[0]
    dy = first.centre_px[1] - last.centre_px[1]
    side = (first.size_px + last.size_px) / 2
    if math.hypot(dx, dy) > REACH * side:
        return False
    along = math.radians(facing_deg)
    forward = (dx * math.cos(along) + dy * math.sin(along)) / side
    aside = abs(dy * math.cos(along) - dx * math.sin(along)) / side
    if last.face_up and first.face_up:
        turn, farthest, most_aside = SAME_TURN_DEG, FARTHEST, MOST_ASIDE
    else:
        turn, farthest, most_aside = BLANK_TURN_DEG, BLANK_FARTHEST, BLANK_ASIDE
    turned = max(_turned(last, facing_deg), _turned(first, facing_deg))
    return turned < turn and 0.5 < forward < farthest and aside < most_aside


def _turned(tile: LooseTile, facing_deg: float) -> float:
    """How far a tile is turned from its word; a plain tile looks the same four ways round."""
    whole = 360.0 if tile.face_up else 90.0
    return abs((tile.angle_deg - facing_deg + whole / 2) % whole - whole / 2)
