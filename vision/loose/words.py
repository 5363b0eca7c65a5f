"""Words of loose tiles: rows, and pieces joined where one tile is a little out of line."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from kibitz.engine.parameters import checked, number
from kibitz.vision.readings import LooseTile, LooseWord, PhotoReading, swapped


@dataclass(frozen=True, slots=True)
class WordRules:
    """When tiles are in one row."""

    lined_up: float = number(
        1.6, "tile sides", 0.5, 5.0, "from one tile's centre to the next one's in a row"
    )
    turned_deg: float = number(
        22.0, "degrees", 1.0, 90.0, "how far a tile is turned from the one before, or off its line"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = WordRules()


def with_words(reading: PhotoReading) -> PhotoReading:
    """The reading with its loose tiles lined up into words."""
    if reading.mirrored:
        return swapped(with_words(swapped(reading)))
    return replace(reading, words=join_pieces(reading.loose, line_up(reading.loose)))


def line_up(tiles: Sequence[LooseTile]) -> tuple[LooseWord, ...]:
    """Words: face-up tiles of similar angle, side by side in reading direction."""
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
    """Pairs of tiles with the second right of the first; neatest first."""
    if not some:
        return []
    x, y, size, facing = np.array(
        [(*tiles[t].centre_px, tiles[t].size_px, tiles[t].angle_deg) for t in some]
    ).T
    dx, dy = x - x[:, None], y - y[:, None]
    gap = np.hypot(dx, dy) * 2 / (size[:, None] + size)
    np.fill_diagonal(gap, np.inf)
    i, j = np.nonzero(gap <= RULES.lined_up)
    direction = np.rad2deg(np.arctan2(dy[i, j], dx[i, j]))
    turned = np.abs((facing[j] - facing[i] + 180) % 360 - 180)
    off = np.abs((direction - facing[i] + 180) % 360 - 180)
    cost = gap[i, j] + (turned + off) / RULES.turned_deg
    fits = (turned <= RULES.turned_deg) & (off <= RULES.turned_deg)
    order = np.argsort(np.where(fits, cost, np.inf), kind="stable")[: int(fits.sum())]
    return [(some[a], some[b]) for a, b in zip(i[order].tolist(), j[order].tolist(), strict=True)]


def join_pieces(
    tiles: Sequence[LooseTile],
    words: Sequence[LooseWord],
    *,
    blanks: bool = False,
) -> tuple[LooseWord, ...]:
    """Words with pieces and single tiles joined that continue one line.

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
    """Pairs of tiles near enough to continue one line."""
    if not tiles:
        return set()
    x, y, size = np.array([(*tile.centre_px, tile.size_px) for tile in tiles]).T
    gap = np.hypot(x - x[:, None], y - y[:, None])
    reach = math.hypot(RULES.lined_up, 0.5)
    i, j = np.nonzero(gap <= reach * (size + size[:, None]) / 2)
    return set(zip(i.tolist(), j.tolist(), strict=True))


def _next_join(
    tiles: Sequence[LooseTile],
    pieces: list[list[int]],
    facing: list[float],
    singles: list[int],
    near: Set[tuple[int, int]],
) -> tuple[list[int], list[int]] | None:
    """Two pieces, or a piece and a tile, that continue one line: front one first; else None."""
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
    """True if a tile is right behind another in the word's reading direction."""
    dx = first.centre_px[0] - last.centre_px[0]
    dy = first.centre_px[1] - last.centre_px[1]
    side = (first.size_px + last.size_px) / 2
    along = math.radians(facing_deg)
    forward = (dx * math.cos(along) + dy * math.sin(along)) / side
    aside = abs(dy * math.cos(along) - dx * math.sin(along)) / side
    turned = max(_turned(last, facing_deg), _turned(first, facing_deg))
    near = 0.5 < forward < RULES.lined_up and aside < 0.5
    return near and turned < RULES.turned_deg


def _turned(tile: LooseTile, facing_deg: float) -> float:
    """Angle of a tile against its word; a plain tile has four equal angles."""
    whole = 360 if tile.face_up else 90
    return abs((tile.angle_deg - facing_deg + whole / 2) % whole - whole / 2)
