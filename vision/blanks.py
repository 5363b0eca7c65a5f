"""Telling plain tiles from bare squares by the colours of the board's other tiles and squares.

A wooden blank on a wooden board, or a bare square on a board of the tiles' colour, looks like
either close up. What it looks like beside the other tiles and the other bare squares of the same
photograph decides.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.readings import EMPTY_KIND, TILE_KIND

REACH = 5
"""Light changes across a board: bare squares further away than this say nothing."""
MOST, MOST_PRINTED = 4.0, 8.0
"""The most that colours may say, in nats; and of squares that look as their mirror images do."""
MAYBE_TILE, SURELY_TILE, MAYBE_BLANK = 0.005, 0.9995, 0.3
FAR = np.float32(1e3)
FEW_TILES = 4
"""Fewer tiles do not tell what colour the set has."""


def in_doubt(kind: NDArray[np.float32], blank: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(n, n) squares that may be a blank or bare: their colours are asked for.

    Args:
        kind: (n, n, 4) log probabilities.
        blank: (n, n) probability that a tile there is a blank.
    """
    tile = np.exp(kind[..., TILE_KIND])
    return np.asarray((tile > MAYBE_TILE) & (tile < SURELY_TILE) & (blank > MAYBE_BLANK))


def settle_blanks(
    colours: NDArray[np.float32],
    edges: NDArray[np.float32],
    kind: NDArray[np.float32],
    blank: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Kinds with the colours taken into account where a tile would be a blank.

    The middle and the edge of a square are asked apart, and the more cautious of the two is
    believed: they disagree about a blank with a patch printed on it, and about premium squares.

    Args:
        colours: (n, n, 3) CIELAB of every square's middle.
        edges: (n, n, 3) of its edge.
        kind: (n, n, 4) log probabilities.
        blank: (n, n) probability that a tile there is a blank.

    Returns:
        As `kind`.
    """
    p = np.exp(kind)
    doubtful = np.argwhere(in_doubt(kind, blank))
    tiles = (p[..., TILE_KIND] > 0.95) & (blank < 0.2)
    bare = p[..., EMPTY_KIND] > 0.97
    if len(doubtful) == 0 or bare.sum() < 12:
        return kind
    # A game has few blanks: several that lie as in a mirror are squares of one print.
    plain = bare | ((p[..., TILE_KIND] > MAYBE_TILE) & (blank > MAYBE_BLANK))
    a, b = (_evidence(c, tiles, bare, plain, doubtful) for c in (colours, edges))
    say = np.where(np.sign(a) == np.sign(b), np.where(np.abs(a) < np.abs(b), a, b), 0.0)
    out = kind.copy()
    out[(*doubtful.T, TILE_KIND)] += say
    top = out.max(-1, keepdims=True)
    total = np.log(np.exp(out - top).sum(-1, keepdims=True)) + top
    return np.asarray(out - total, np.float32)


def _evidence(
    colours: NDArray[np.float32],
    tiles: NDArray[np.bool_],
    bare: NDArray[np.bool_],
    plain: NDArray[np.bool_],
    where: NDArray[np.intp],
) -> NDArray[np.float32]:
    """By how much (nats) the colours of some squares (K, 2) speak for a tile there, (K,)."""
    lab = colours * np.array([0.7, 1.0, 1.0], np.float32)  # brightness changes more than hue
    some_bare = np.argwhere(bare)[:: max(1, int(bare.sum()) // 40)]
    usual = _bare_distance(lab, bare, some_bare, _mirrored(lab, bare, some_bare))
    usual_bare = max(float(np.median(usual)), 1.0)
    mirrored = _mirrored(lab, plain, where)
    printed = (mirrored < 1.5 * usual_bare).sum(1) >= 2
    as_bare = np.minimum(_bare_distance(lab, bare, where, mirrored) / usual_bare, 4.0)
    if tiles.sum() < FEW_TILES:
        return np.where(printed, np.float32(-MOST_PRINTED), np.float32(0.0))
    usual_tile = max(float(np.median(_tile_distance(lab, tiles, np.argwhere(tiles)))), 1.0)
    as_tile = np.minimum(_tile_distance(lab, tiles, where) / usual_tile, 4.0)
    least = np.where(printed, -MOST_PRINTED, -MOST)
    return np.asarray(np.clip((as_bare**2 - as_tile**2) / 2, least, MOST), np.float32)


def _apart(
    lab: NDArray[np.float32], here: NDArray[np.intp], there: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Distances of the colours of some squares (K, 2) from those of others (N, 2), (K, N)."""
    a, b = lab[tuple(here.T)], lab[tuple(there.T)]
    apart = a[:, None] - b[None]
    return np.asarray(np.sqrt(np.einsum("ijk,ijk->ij", apart, apart)), np.float32)


def _tile_distance(
    lab: NDArray[np.float32], tiles: NDArray[np.bool_], where: NDArray[np.intp]
) -> NDArray[np.float32]:
    """How far squares' colours are from the nearest quarter of the tiles': one set is enough."""
    far = _apart(lab, where, np.argwhere(tiles))
    return np.asarray(np.partition(far, far.shape[1] // 4, axis=1)[:, far.shape[1] // 4])


def _bare_distance(
    lab: NDArray[np.float32],
    bare: NDArray[np.bool_],
    where: NDArray[np.intp],
    mirrored: NDArray[np.float32],
) -> NDArray[np.float32]:
    """How far squares' colours are from bare ones: the third nearest, or a mirror image's."""
    others = np.argwhere(bare)
    far = _apart(lab, where, others)
    down, along = (np.abs(where[:, None, k] - others[:, k]) for k in (0, 1))
    near = np.where((down <= REACH) & (along <= REACH) & (down + along > 0), far, FAR)
    best = np.partition(near, 2, axis=1)[:, 2]
    return np.asarray(np.minimum(best, mirrored.min(1)))


def _mirrored(
    lab: NDArray[np.float32], plain: NDArray[np.bool_], where: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Distances of the colours of some squares (K, 2) from their mirror images', (K, 8).

    Premium squares lie the same way in a mirror on every board we know. Images that are no plain
    squares, and those that were met before, are far.
    """
    n = plain.shape[0]
    if n != 15:
        return np.full((len(where), 1), FAR)
    images, new = _images(n)
    own = where @ np.array((n, 1))
    flat = lab.reshape(n * n, -1)
    apart = flat[images[own]] - flat[own][:, None]
    far = np.sqrt(np.einsum("ijk,ijk->ij", apart, apart))
    return np.asarray(np.where(plain.ravel()[images[own]] & new[own], far, FAR), np.float32)


@cache
def _images(n: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """(n * n, 8) every square's mirror images, and which of them are met for the first time."""
    square = np.arange(n * n).reshape(n, n)
    both = [y for x in (square, square.T) for y in (x, x[::-1], x[:, ::-1], x[::-1, ::-1])]
    images = np.stack([x.ravel() for x in both], 1)
    new = np.array([[x not in row[:k] for k, x in enumerate(row)] for row in images.tolist()])
    new[:, 0] = False  # the square itself
    return images, new
