"""Telling plain tiles from bare squares by the colours of the board's other tiles and squares.

A wooden blank on a wooden board, or a bare square on a board of the tiles' colour, looks like
either close up; the grain of a bare square may look like a letter. What it looks like beside the
other tiles and the other bare squares of the same photograph decides.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.vision.boards.square_logs import log_softmax
from kibitz.vision.boards.squares import mirror_images
from kibitz.vision.boards.tile_colours import split_colours
from kibitz.vision.readings import EMPTY_KIND, TILE_KIND

REACH = 5
"""Light changes across a board: bare squares further away than this say nothing."""
MOST, MOST_PRINTED = 4.0, 8.0
"""The most that colours may say, in nats; and of squares that look as their mirror images do."""
MOST_TILE, UNLIKE_BARE, LIKE_TILES = 7.0, 3.5, 1.1
"""The most that they may say for a tile which differs from bare squares so many times as much as
these do among themselves, and from tiles hardly more than those do."""
MAYBE_TILE, LIKELY_TILE, SURELY_TILE, MAYBE_BLANK = 0.005, 0.9, 0.9995, 0.3
ASKED = 0.01
"""So probable a tile must be on some square for colours to be asked at all."""
HARDLY_TILE = 0.001
"""Where colours are asked about some square, they are asked about those of so little doubt too."""
FAR, FAR_OFF = 1e3, 4.0
OF_BARE, OF_TILES = 0.4, 0.5
"""Squares that differ less than by this part of how much they differ from bare squares around
them, and from tiles, are alike."""
BLANKS_OF_A_SET, SURE_BLANK = 2, 0.95
"""Once so many surely lie there for each colour of tiles, another has to be plain (rule 0.5), and
so has one that lies by itself: plays connect (CL-6)."""
FEW_TILES = 4
"""Fewer tiles do not tell what colour the set has."""

Colours = NDArray[np.float32]


def in_doubt(
    kind: NDArray[np.float32], blank: NDArray[np.float32], least: float = ASKED
) -> NDArray[np.bool_]:
    """(n, n) squares that may be a blank or bare, or a tile of any letter that is not likely.

    Args:
        kind: (n, n, 4) log probabilities.
        blank: (n, n) probability that a tile there is a blank.
        least: how probable a tile must be there.
    """
    tile = np.exp(kind[..., TILE_KIND])
    plain = (tile < SURELY_TILE) & (blank > MAYBE_BLANK)
    return np.asarray((tile > least) & (plain | (tile < LIKELY_TILE)))


def settle_blanks(
    colours: NDArray[np.float32],
    edges: NDArray[np.float32],
    kind: NDArray[np.float32],
    blank: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Kinds with the colours taken into account where they are in doubt, see `in_doubt`.

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
    n = kind.shape[0]
    p = np.exp(kind).reshape(n * n, -1)
    (doubtful,) = in_doubt(kind, blank, HARDLY_TILE).ravel().nonzero()
    (tiles,) = ((p[:, TILE_KIND] > 0.95) & (blank.ravel() < 0.2)).nonzero()
    bare = p[:, EMPTY_KIND] > 0.97
    if len(doubtful) == 0 or bare.sum() < 12:
        return kind
    # A game has few blanks: several that lie as in a mirror are squares of one print.
    plain = bare | ((p[:, TILE_KIND] > MAYBE_TILE) & (blank.ravel() > MAYBE_BLANK))
    lab = np.concatenate([colours, edges]).reshape(2, n * n, 3)
    lab[..., 0] *= 0.7  # brightness changes more than hue
    a, b = _evidence(lab, tiles, bare, plain, doubtful)
    say = np.where(np.sign(a) == np.sign(b), np.where(np.abs(a) < np.abs(b), a, b), 0.0)
    out = kind.copy()
    changed = out.reshape(n * n, -1)[doubtful]
    changed[:, TILE_KIND] += say
    out[doubtful // n, doubtful % n] = log_softmax(changed)
    return _as_games_have_them(out, blank, colours)


def _as_games_have_them(
    kind: NDArray[np.float32], blank: NDArray[np.float32], colours: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Kinds with blanks less likely that lie by themselves or are more than the sets have."""
    p = np.exp(kind)
    tiles, there = p[..., TILE_KIND], p[..., TILE_KIND] * blank
    maybe = (tiles > MAYBE_TILE) & (blank > MAYBE_BLANK)
    unlikely = maybe & ~_beside(p[..., EMPTY_KIND] < SURE_BLANK)
    if maybe.sum() > BLANKS_OF_A_SET and len(kind) == 15:
        second = (split_colours(colours, tiles > SURE_BLANK) == "b").any()
        known = BLANKS_OF_A_SET * (2 if second else 1)
        likeliest = np.sort(there[maybe])[::-1]
        if len(likeliest) > known and likeliest[known - 1] > SURE_BLANK:
            unlikely |= maybe & (there < likeliest[known - 1])
    if not unlikely.any():
        return kind
    out = kind.copy()
    out[unlikely, TILE_KIND] -= MOST
    out[unlikely] = log_softmax(out[unlikely])
    return out


def _beside(taken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n, n) squares beside which another is taken, above, below, left or right."""
    out = np.zeros_like(taken)
    out[1:] |= taken[:-1]
    out[:-1] |= taken[1:]
    out[:, 1:] |= taken[:, :-1]
    out[:, :-1] |= taken[:, 1:]
    return out


def _evidence(
    lab: Colours,
    tiles: NDArray[np.intp],
    bare: NDArray[np.bool_],
    plain: NDArray[np.bool_],
    where: NDArray[np.intp],
) -> Colours:
    """By how much (nats) the colours of some squares (K,) speak for a tile there, (2, K).

    Args:
        lab: (2, squares, 3) colours of middles and of edges.
        tiles: which squares surely hold tiles.
        bare: (squares,) which are surely bare.
        plain: (squares,) which show no letter.
        where: the squares that are asked about.
    """
    (some_bare,) = bare.nonzero()
    some_bare = some_bare[:: max(1, len(some_bare) // 40)]
    mirrored = _mirrored(lab, plain, where)
    both = np.concatenate([some_bare, where])
    images = np.concatenate([_mirrored(lab, bare, some_bare), mirrored], axis=1)
    from_around = _bare_distance(lab, bare, both)
    from_bare = np.minimum(from_around, images.min(-1))
    unlike_tiles = _tile_distance(lab, tiles, where) if len(tiles) else np.full((2, 1), FAR)
    # Distances are measured in the usual one.
    usual_bare = _usual(from_bare[:, : len(some_bare)])
    as_bare = from_bare[:, len(some_bare) :] / usual_bare
    printed = (mirrored < 1.5 * usual_bare[..., None]).sum(-1) >= 2
    # Light falls off across a board: images are alike that differ far less than bare squares of
    # another print and tiles do.
    contrast = np.minimum(OF_BARE * from_around[:, len(some_bare) :], OF_TILES * unlike_tiles)
    alike = (mirrored < contrast[..., None]).sum(-1) >= 3
    printed |= alike
    as_bare = np.where(alike, np.minimum(as_bare, 1.0), as_bare)
    if len(tiles) < FEW_TILES:
        return np.where(printed, -MOST_PRINTED, 0.0)
    as_tile = unlike_tiles / _usual(_tile_distance(lab, tiles, tiles))
    least = np.where(printed, -MOST_PRINTED, -MOST)
    says = (np.minimum(as_bare, FAR_OFF) ** 2 - np.minimum(as_tile, FAR_OFF) ** 2) / 2
    clear = (as_bare > UNLIKE_BARE) & (as_tile < LIKE_TILES)
    return np.asarray(np.minimum(np.maximum(says, least), np.where(clear, MOST_TILE, MOST)))


def _usual(far: Colours) -> Colours:
    """The middle one of some distances (2, K) in which others are measured, (2, 1)."""
    return np.maximum(np.sort(far)[:, [far.shape[1] // 2]], np.float32(1.0))


def _squared(lab: Colours, here: NDArray[np.intp], there: NDArray[Any]) -> Colours:
    """Squares of how far the colours of some squares (K,) are from those of others, (2, K, N)."""
    square = (lab * lab).sum(-1, keepdims=True)
    one = np.ones_like(square)
    # a a - 2 a b + b b, all in one product.
    a = np.concatenate([-2 * lab, square, one], -1)[:, here]
    b = np.concatenate([lab, one, square], -1)[:, there]
    return np.asarray(np.matmul(a, b.swapaxes(1, 2)))


def _nearest(squared: Colours, k: int) -> Colours:
    """Distances of the nearest but `k`, along the last axis."""
    return np.asarray(np.sqrt(np.maximum(np.partition(squared, k)[..., k], 0.0)))


def _tile_distance(lab: Colours, tiles: NDArray[np.intp], where: NDArray[np.intp]) -> Colours:
    """How far squares' colours are from the nearest quarter of the tiles': one set is enough."""
    return _nearest(_squared(lab, where, tiles), len(tiles) // 4)


def _bare_distance(lab: Colours, bare: NDArray[np.bool_], where: NDArray[np.intp]) -> Colours:
    """How far squares' colours are from those of bare ones around, the third nearest."""
    (others,) = bare.nonzero()
    around = _around(round(len(bare) ** 0.5))[where][:, others]
    return _nearest(np.where(around, _squared(lab, where, others), FAR**2), 2)


@lru_cache(maxsize=2)
def _around(n: int) -> NDArray[np.bool_]:
    """(n * n, n * n) which squares lie around which."""
    row, col = np.divmod(np.arange(n * n, dtype=np.int16), np.int16(n))
    apart = np.maximum(*(np.abs(np.subtract.outer(x, x)) for x in (row, col)))
    return np.asarray((apart > 0) & (apart <= REACH))


def _mirrored(lab: Colours, plain: NDArray[np.bool_], where: NDArray[np.intp]) -> Colours:
    """Distances of the colours of some squares (K,) from their mirror images', (2, K, 8).

    Premium squares lie the same way in a mirror on every board we know. Images that are no plain
    squares, and those that were met before, are far.
    """
    if len(plain) != 15 * 15:
        return np.full((2, len(where), 1), FAR)
    images, new = mirror_images(15)
    there = images[where]
    apart = lab.take(there, axis=1) - lab[:, where, None]
    far = np.sqrt((apart * apart).sum(-1))
    return np.asarray(np.where(plain[there] & new[where], far, FAR))
