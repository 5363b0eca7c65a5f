"""Words: tiles lined up, and pieces put together that one tile a little off its line parts."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set

import numpy as np

from kibitz.vision.readings import LooseTile, LooseWord

LINED_UP = 1.45
"""From one tile's centre to the next one's in a row, in tile sides."""
MOST_TURNED_DEG = 22.0
"""How far a tile may be turned from the one before it, or stand off its line."""
SAME_TURN_DEG = 30.0
FARTHEST = 1.8
"""From one piece's last centre to the next one's first, in tile sides."""
MOST_ASIDE = 0.45
REACH = math.hypot(FARTHEST, MOST_ASIDE)
"""What lies farther off than this is neither near enough nor in line."""
BLANK_TURN_DEG = 14.0
BLANK_FARTHEST = 1.4
BLANK_ASIDE = 0.3
"""A plain tile must lie in line more neatly: it may be one of those face down."""


def line_up(tiles: Sequence[LooseTile]) -> tuple[LooseWord, ...]:
    """Words: face-up tiles of like angle, side by side in the direction in which they read."""
    up = [i for i, t in enumerate(tiles) if t.face_up]
    following: dict[int, int] = {}
    before: dict[int, int] = {}
    for i, j in _pairs_in_line(tiles, up):
        if i not in following and j not in before:
            following[i], before[j] = j, i
    words = []
    for i in up:
        if i in before or i not in following:
            continue
        run = [i]
        while run[-1] in following and following[run[-1]] not in run:
            run.append(following[run[-1]])
        a = np.deg2rad([tiles[k].angle_deg for k in run])
        facing = float(np.rad2deg(np.arctan2(np.sin(a).sum(), np.cos(a).sum()))) % 360
        words.append(LooseWord("".join(tiles[k].letter for k in run), tuple(run), facing))
    return tuple(words)


def _pairs_in_line(tiles: Sequence[LooseTile], some: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of some tiles of which the second stands right of the first; neatest first."""
    if not some:
        return []
    x, y, size, facing = np.array(
        [(*tiles[t].centre_px, tiles[t].size_px, tiles[t].angle_deg) for t in some]
    ).T
    dx, dy = x - x[:, None], y - y[:, None]
    gap = np.hypot(dx, dy) * 2 / (size[:, None] + size)
    np.fill_diagonal(gap, np.inf)
    i, j = np.nonzero(gap <= LINED_UP)
    direction = np.rad2deg(np.arctan2(dy[i, j], dx[i, j]))
    turned = np.abs((facing[j] - facing[i] + 180) % 360 - 180)
    off = np.abs((direction - facing[i] + 180) % 360 - 180)
    cost = gap[i, j] + turned / 30 + off / 30
    fits = (turned <= MOST_TURNED_DEG) & (off <= MOST_TURNED_DEG)
    order = np.argsort(np.where(fits, cost, np.inf), kind="stable")[: int(fits.sum())]
    return [(some[a], some[b]) for a, b in zip(i[order].tolist(), j[order].tolist(), strict=True)]


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
    near = _near(tiles)
    while (found := _next_join(tiles, pieces, facing, singles, near)) is not None:
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


def _near(tiles: Sequence[LooseTile]) -> Set[tuple[int, int]]:
    """Pairs of tiles that lie near enough to each other to go on in one line."""
    if not tiles:
        return set()
    x, y, size = np.array([(*tile.centre_px, tile.size_px) for tile in tiles]).T
    gap = np.hypot(x - x[:, None], y - y[:, None])
    i, j = np.nonzero(gap <= REACH * (size + size[:, None]) / 2)
    return set(zip(i.tolist(), j.tolist(), strict=True))


def _next_join(
    tiles: Sequence[LooseTile],
    pieces: list[list[int]],
    facing: list[float],
    singles: list[int],
    near: Set[tuple[int, int]],
) -> tuple[list[int], list[int]] | None:
    """Two pieces, or a piece and a single tile, that go on in one line: the front one first."""
    for one, turn in zip(pieces, facing, strict=True):
        rest = [*(p for p in pieces if p is not one), *([t] for t in singles)]
        for other in rest:
            behind, before = (one[-1], other[0]), (other[0], one[0])
            if behind in near and _goes_on(tiles[one[-1]], tiles[other[0]], turn):
                return one, other
            if (
                len(other) == 1
                and before in near
                and _goes_on(tiles[other[0]], tiles[one[0]], turn)
            ):
                return other, one
    return None


def _goes_on(last: LooseTile, first: LooseTile, facing_deg: float) -> bool:
    """Whether a tile stands right behind another, as a word of this facing is read."""
    dx = first.centre_px[0] - last.centre_px[0]
    dy = first.centre_px[1] - last.centre_px[1]
    side = (first.size_px + last.size_px) / 2
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
