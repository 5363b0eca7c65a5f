"""Tells blank tiles from bare squares by the colours of the board's other tiles and squares.

A wooden blank on a wooden board, or a bare square on a board of the tiles' colour, looks like
either close up; the grain of a bare square may look like a letter. What it looks like beside the
other tiles and the other bare squares of the same photograph decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.comb import as_compared
from kibitz.engine.parameters import checked, number
from kibitz.engine.table import SIDE
from kibitz.vision.boards.colours.believed import BlankEvidence, odds_of_tile
from kibitz.vision.boards.colours.tile_colours import split_colours
from kibitz.vision.boards.square_logs import log_softmax
from kibitz.vision.boards.squares import mirror_images
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, MARKER_KIND, SURE, TILE_KIND

FAR: Final = 1e3
"""A CIELAB distance that nothing has."""
SAMPLE: Final = 40
"""So many bare squares tell how far such squares are apart; more would only take time."""
BLANKS_OF_A_SET: Final = 2
"""Once so many surely lie there for each colour of tiles, another has to be plain (rule 0.5), and
so has one that lies by itself: plays connect (CL-6)."""

AS_HIDDEN: Final = (EMPTY_KIND, COVERED_KIND, MARKER_KIND, TILE_KIND)
"""Kinds with tile and hand exchanged."""

Colours = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BlankRules:
    """When colours decide about a blank, and how much they count."""

    hardly: float = number(
        1e-4, "probability", 1e-6, 0.5, "colours say nothing of what looks find less likely a tile"
    )
    reach: int = number(
        5, "squares", 1, 14, "light changes: bare squares further away than this say nothing"
    )
    most: float = number(4.0, "nats", 0.0, 20.0, "the most that colours say")
    most_tile: float = number(
        7.0, "nats", 0.0, 20.0, "the most that they say for a tile as like others as these are"
    )
    far_off: float = number(
        6.0, "times", 1.0, 20.0, "a colour further off than this is as far as it matters"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = BlankRules()


def in_doubt(
    kind: NDArray[np.float32], blank: NDArray[np.float32], least: float | None = None
) -> NDArray[np.bool_]:
    """(n, n) bool: squares that may be a blank or bare.

    Args:
        kind: (n, n, 4) log probabilities.
        blank: (n, n) probability that a tile there is a blank.
        least: how probable a tile must be there, if not as usual.
    """
    tile = np.exp(kind[..., TILE_KIND])
    enough = SURE.maybe if least is None else least
    return np.asarray((tile > enough) & ((blank > 0.5) | (tile < SURE.known)))


def settle_blanks(
    colours: NDArray[np.float32],
    edges: NDArray[np.float32],
    kind: NDArray[np.float32],
    blank: NDArray[np.float32],
    burnt: NDArray[np.float32],
) -> BlankEvidence:
    """Kinds of squares with colours taken into account where they are in doubt.

    The middle and the edge of a square are asked apart, and the more cautious of the two is
    believed: they disagree about a blank with a patch printed on it, and about premium squares.
    What light has burnt out has lost its colour.

    Args:
        colours: (n, n, 3) CIELAB of every square's middle.
        edges: (n, n, 3) of its edge.
        kind: (n, n, 4) log probabilities.
        blank: (n, n) probability that a tile there is a blank.
        burnt: (n, n) which part of each square is burnt out.

    Returns:
        As `kind`, and what was said of the squares in doubt.
    """
    n = kind.shape[0]
    p = np.exp(kind).reshape(n * n, -1)
    (doubtful,) = in_doubt(kind, blank, RULES.hardly).ravel().nonzero()
    lettered = blank.ravel() < 0.5
    (tiles,) = ((p[:, TILE_KIND] > SURE.known) & lettered).nonzero()
    bare = p[:, EMPTY_KIND] > SURE.known
    if len(doubtful) == 0 or bare.sum() < SURE.few:
        return BlankEvidence.nothing(kind)
    maybe_bare = bare.copy()
    maybe_bare[doubtful] = True
    lab = as_compared(np.concatenate([colours, edges]).reshape(2, n * n, 3))
    says, unlike = _evidence(lab, tiles, bare, maybe_bare, doubtful)
    says[:, burnt.ravel()[doubtful] > 0] = 0
    a, b = says
    say = np.where(np.sign(a) == np.sign(b), np.where(np.abs(a) < np.abs(b), a, b), 0.0)
    out, there = kind.copy(), (doubtful // n, doubtful % n)
    changed = out[there]
    changed[:, TILE_KIND] += say
    out[there] = log_softmax(changed)
    said = np.zeros((n, n), np.float32)
    said[there] = say
    out = _as_games_have_them(out, blank, colours, said)
    looks, further = odds_of_tile(kind[there]), (unlike.max(0) - 1) / RULES.far_off
    return BlankEvidence(out, there, looks, says.mean(0), 1 - blank[there], further, RULES.most)


def _as_games_have_them(
    kind: NDArray[np.float32],
    blank: NDArray[np.float32],
    colours: NDArray[np.float32],
    said: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Kinds with isolated blanks, and those beyond the sets' number, less likely.

    Those whose colours speak most for a tile are the sets' own. What the looks take for another
    all the same shows neither a letter nor the board: light hides it.

    Args:
        kind: (n, n, 4) log probabilities.
        blank: (n, n) probability that a tile there is a blank.
        colours: (n, n, 3) CIELAB of every square's middle.
        said: (n, n) by how many nats colours speak for a tile.
    """
    p = np.exp(kind)
    tiles, there = p[..., TILE_KIND], p[..., TILE_KIND] * blank
    maybe = (tiles > SURE.maybe) & (blank > 0.5)
    unlikely = maybe & ~beside(p[..., EMPTY_KIND] < SURE.known)
    too_many = np.zeros_like(maybe)
    if maybe.sum() > BLANKS_OF_A_SET and len(kind) == SIDE:
        second = (split_colours(colours, tiles > SURE.known) == "b").any()
        known = BLANKS_OF_A_SET * (2 if second else 1)
        likeliest = np.lexsort((-there[maybe], -said[maybe]))
        if len(likeliest) > known and there[maybe][likeliest[:known]].min() > SURE.known:
            too_many.flat[np.flatnonzero(maybe)[likeliest[known:]]] = True
    unlikely |= too_many
    if not unlikely.any():
        return kind
    out = kind.copy()
    out[unlikely, TILE_KIND] -= RULES.most
    out[unlikely] = log_softmax(out[unlikely])
    hidden = too_many & (out.argmax(-1) == TILE_KIND)
    out[hidden] = out[hidden][:, AS_HIDDEN]
    return out


def beside(taken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n, n) bool: squares next to a taken one, above, below, left or right."""
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
    maybe_bare: NDArray[np.bool_],
    where: NDArray[np.intp],
) -> tuple[Colours, Colours]:
    """(2, K) log odds of a tile by the colours of some squares.

    And how many times as far as usual they are from both tiles and bare squares, (2, K).

    Args:
        lab: (2, squares, 3) colours of middles and of edges.
        tiles: which squares surely hold tiles.
        bare: (squares,) which are surely bare.
        maybe_bare: (squares,) which are not surely lettered tiles.
        where: the squares that are asked about.
    """
    (some_bare,) = bare.nonzero()
    some_bare = some_bare[:: max(1, len(some_bare) // SAMPLE)]
    both = np.concatenate([some_bare, where])
    mirrored = _mirrored(lab, maybe_bare, both)
    sides = _sides(lab)
    from_bare = np.minimum(_bare_distance(sides, bare, both, RULES.reach), mirrored.min(-1))
    # Distances are measured in the usual one.
    usual = _usual(from_bare[:, : len(some_bare)])
    as_bare = from_bare[:, len(some_bare) :] / usual
    if len(tiles) < SURE.few:
        # A game has few blanks: several that lie as in a mirror are squares of one print.
        alike = mirrored[:, len(some_bare) :] < usual[..., None]
        says = np.where(alike.sum(-1) > BLANKS_OF_A_SET, -RULES.most_tile, np.float32(0))
        return says, np.ones_like(says)
    from_tile = _tile_distance(sides, tiles, np.concatenate([tiles, where]))
    as_tile = from_tile[:, len(tiles) :] / _usual(from_tile[:, : len(tiles)])
    far = RULES.far_off
    says = (np.minimum(as_bare, far) ** 2 - np.minimum(as_tile, far) ** 2) / 2
    most = np.where(as_tile < 1, RULES.most_tile, RULES.most)
    return np.clip(says, -RULES.most, most), np.minimum(as_bare, as_tile)


def _usual(far: Colours) -> Colours:
    """(2, 1) median of distances (2, K), as their unit."""
    return np.maximum(np.sort(far)[:, [far.shape[1] // 2]], np.float32(1.0))


Sides = tuple[Colours, Colours]


def _sides(lab: Colours) -> Sides:
    """Two factors whose product gives squared colour distances, (2, squares, 5) each."""
    square = (lab * lab).sum(-1, keepdims=True)
    one = np.ones_like(square)
    # a a - 2 a b + b b
    return np.concatenate([-2 * lab, square, one], -1), np.concatenate([lab, one, square], -1)


def _squared(sides: Sides, here: NDArray[np.intp], there: NDArray[np.intp]) -> Colours:
    """(2, K, N) squared colour distances between squares."""
    a, b = sides
    return np.asarray(np.matmul(a.take(here, 1), b.take(there, 1).swapaxes(1, 2)))


def _nearest(squared: Colours, k: int) -> Colours:
    """Distances of the nearest along the last axis, skipping `k`."""
    return np.asarray(np.sqrt(np.maximum(np.partition(squared, k)[..., k], 0.0)))


def _tile_distance(sides: Sides, tiles: NDArray[np.intp], where: NDArray[np.intp]) -> Colours:
    """Colour distance from the nearest quarter of the tiles: one set is enough."""
    return _nearest(_squared(sides, where, tiles), len(tiles) // 4)


def _bare_distance(
    sides: Sides, bare: NDArray[np.bool_], where: NDArray[np.intp], reach: int
) -> Colours:
    """Colour distance from nearby bare squares, the third nearest."""
    (others,) = bare.nonzero()
    around = _around(round(len(bare) ** 0.5), reach)[where][:, others]
    return _nearest(np.where(around, _squared(sides, where, others), FAR**2), 2)


@lru_cache(maxsize=2)
def _around(n: int, reach: int) -> NDArray[np.bool_]:
    """(n * n, n * n) bool: squares near each other."""
    row, col = np.divmod(np.arange(n * n, dtype=np.int16), np.int16(n))
    apart = np.maximum(*(np.abs(np.subtract.outer(x, x)) for x in (row, col)))
    return np.asarray((apart > 0) & (apart <= reach))


def _mirrored(lab: Colours, maybe_bare: NDArray[np.bool_], where: NDArray[np.intp]) -> Colours:
    """(2, K, 8) colour distances of squares from their mirror images.

    Premium squares lie the same way in a mirror on every board we know. Images that surely are
    tiles, and those that were met before, are far.
    """
    if len(maybe_bare) != SIDE * SIDE:
        return np.full((2, len(where), 1), FAR)
    images, new = mirror_images(SIDE)
    there = images[where]
    apart = lab.take(there, axis=1) - lab[:, where, None]
    far = np.sqrt((apart * apart).sum(-1))
    return np.asarray(np.where(maybe_bare[there] & new[where], far, FAR))
