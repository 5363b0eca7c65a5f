"""Tiles that lie on no board: where they are and what they show."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import Pyramid
from models.session import Model
from vision.loose_doubt import DOUBTFUL, looks_again
from vision.loose_faces import contrasts, plainly_backs, towards_face
from vision.loose_finder import Spots, find_tiles
from vision.loose_glare import CLEAR, hides, in_glare, is_faint, stretched
from vision.loose_hidden import show_hidden
from vision.loose_mosaic import ROW, middles, mosaic
from vision.readings import BLANK, LooseTile
from vision.square_logs import log_softmax, log_sum, split_logits, usable_letters
from vision.squares import SQUARE_PX, cut_squares

BATCH = 225
EDGE_PX, EVERY_PX = 8, 2
"""Where a tile's middle begins on its square, and which of its pixels tell faces from backs."""
NO_LETTER = -12.0
IN_LINE_DEG = 25.0
UNLIKE_FACING = 0.1
"""How likely a tile faces another way than one beside it, against one that faces its way."""


def read_loose(
    picture: NDArray[np.uint8], detector: Model, glyph: Model, letters: Sequence[str]
) -> tuple[tuple[LooseTile, ...], float]:
    """Every tile in a picture, and the clock (`time.perf_counter`) when all were located.

    Args:
        picture: (h, w, 3) BGR.
        detector: the loose-tile model.
        glyph: the model for single squares, given the tiles cut out and turned.
        letters: the tile set's letters.
    """
    pyramid = Pyramid(picture)
    spots = find_tiles(pyramid, detector)
    located = time.perf_counter()
    if len(spots) == 0:
        return (), located
    labels = usable_letters(glyph, letters)
    both, up, hidden = _letters(pyramid, spots, glyph, letters)
    both = settle_facing(spots.where, both, up)
    tiles = _tiles(spots, both, up, labels)
    return show_hidden(tiles, hidden, len(labels)) if hidden.any() else tiles, located


def _letters(
    picture: Pyramid,
    spots: Spots,
    glyph: Model,
    letters: Sequence[str],
) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
    """What tiles show, whether they lie face up, and whether glare may hide that they do.

    What lies face down shows no letter, and nobody looks for one there, but in glare.

    Returns:
        (N, letters + 1, 4) log probabilities of letter and turn, the blank last; (N,) face up;
        (N,) so burnt out that it is not known.
    """
    labels = usable_letters(glyph, letters)
    where, up = spots.where, spots.up > 0.5
    both = np.full((len(where), len(labels), 4), NO_LETTER, np.float32)
    both[:, -1] = np.log(0.25)
    glare = in_glare(picture.level(0), where)
    hidden = np.zeros(len(where), bool)
    looked = np.flatnonzero(up | glare)
    if len(looked) == 0:
        return both, up, hidden
    contrast = np.zeros(len(where))
    contrast[looked], light = contrasts(
        middles(picture, where[looked], SQUARE_PX, EDGE_PX, EVERY_PX)
    )
    up[looked] &= ~plainly_backs(contrast[looked], light, spots.up[looked]) | glare[looked]
    looked = np.flatnonzero(up | glare)
    seen_cuts = []
    for some in np.array_split(looked, max(1, -(-len(looked) // BATCH))):
        at = np.stack(np.divmod(np.arange(len(some)), ROW), -1)
        cuts = cut_squares(mosaic(picture, where[some], SQUARE_PX, -(-len(some) // ROW)), at)
        seen_cuts.append((some, cuts))
        shown = up[some]
        if shown.any():
            both[some[shown]] = split_logits(glyph.run(cuts[shown]), glyph, letters).both
        lit = np.flatnonzero(glare[some])
        hidden[some[lit]] = hides(cuts[lit])
        faint = lit[is_faint(contrast[some[lit]])]
        if len(faint):
            again = split_logits(glyph.run(stretched(cuts[faint])), glyph, letters).both
            clear = np.exp(log_sum(again, -1)[:, :-1].max(-1)) > CLEAR
            both[some[faint[clear]]] = again[clear]
            up[some[faint[clear]]] = True
    if not up.any():
        return both, up, hidden
    no_letter = np.exp(log_sum(both[up, -1], -1)).astype(np.float64)
    said = towards_face(no_letter, contrast[up], int((~up).sum()))
    seen = both[up]
    seen[:, -1] -= said[:, None].astype(np.float32)
    both[up] = log_softmax(seen, (-2, -1))
    _ask_again(both, up, seen_cuts, glyph, letters)
    return both, up, hidden


def _ask_again(
    both: NDArray[np.float32],
    up: NDArray[np.bool_],
    cuts: Sequence[tuple[NDArray[np.intp], NDArray[np.uint8]]],
    glyph: Model,
    letters: Sequence[str],
) -> None:
    """Look again at tiles whose letter is in doubt; what is known of them, `both`, is changed.

    Args:
        both: (N, letters + 1, 4) log probabilities of letter and turn, the blank last.
        up: (N,) which tiles lie face up.
        cuts: some of the tiles, with what was cut out for them.
        glyph: the model for single squares.
        letters: the tile set's letters.
    """
    letter = np.exp(log_sum(both, -1))
    doubtful = up & (letter.max(-1) < DOUBTFUL) & (letter[:, -1] < 0.5)
    for tiles, squares in cuts:
        which = doubtful[tiles]
        if which.any():
            looks = looks_again(squares[which])
            said = split_logits(glyph.run(np.concatenate(looks)), glyph, letters).both
            first = both[tiles[which]]
            total = first + said.reshape(len(looks), *first.shape).sum(0)
            mean = (total / (1 + len(looks))).astype(np.float32)
            both[tiles[which]] = log_softmax(mean, (-2, -1))


def _tiles(
    spots: Spots, both: NDArray[np.float32], up: NDArray[np.bool_], labels: Sequence[str]
) -> tuple[LooseTile, ...]:
    """What is known of each tile, put together."""
    letter = log_sum(both, -1)
    # A plain tile off any word is one that lies face down: a blank's face looks the same.
    up = up & (np.exp(letter[:, -1]) < 0.5)
    best = np.where(up, letter[:, :-1].argmax(-1), len(labels) - 1)
    each = np.arange(len(spots))
    angle = (spots.where[:, 3] + 90.0 * both[each, best].argmax(-1)) % 360
    sure = spots.sure * np.exp(letter[each, best])
    plain = zip(*(v.tolist() for v in (up, best, angle, sure, spots.where)), strict=True)
    return tuple(
        LooseTile(labels[k] if face else BLANK, face, (x, y), turn, side, p, logs)
        for (face, k, turn, p, (x, y, side, _)), logs in zip(plain, letter, strict=True)
    )


def settle_facing(
    spots: NDArray[np.float64], both: NDArray[np.float32], up: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Letters and turns with the facing of the tiles beside them in a row taken into account.

    That settles letters that look alike upside down, and those that are others upside down.

    Args:
        spots: (N, 4) x, y, side in pixels and clockwise angle in degrees.
        both: (N, letters, 4) log probabilities of letter and turn from that angle.
        up: (N,) which tiles lie face up.

    Returns:
        As `both`.
    """
    pairs, beside, turned = _neighbours(spots, up)
    if len(pairs) == 0:
        return both
    mine, its = pairs.T
    rows, at = np.unique(mine, return_inverse=True)
    settled = both.copy()
    for _ in range(3):
        turns = np.exp(log_sum(settled, -2))
        said = turns[its[:, None], turned] * beside
        votes = np.full((len(rows), 4), UNLIKE_FACING, np.float32)
        np.add.at(votes, at, said)
        prior = np.log(votes / votes.sum(-1, keepdims=True))
        settled[rows] = log_softmax(both[rows] + prior[:, None, :], (-2, -1))
    return settled


def _neighbours(
    spots: NDArray[np.float64], up: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.bool_], NDArray[np.intp]]:
    """Face-up tiles that may stand in one row.

    Returns:
        (P, 2) a tile and one beside it; (P, 4) for each turn of the first whether the other is
        on its base line; (P, 4) which turn of the other is the same way up.
    """
    away = spots[None, :, :2] - spots[:, None, :2]
    size = (spots[:, None, 2] + spots[None, :, 2]) / 2
    near = (np.hypot(away[..., 0], away[..., 1]) < 1.5 * size) & up[:, None] & up[None, :]
    np.fill_diagonal(near, False)
    i, j = np.nonzero(near)
    quarters = np.round((spots[i, 3] - spots[j, 3]) / 90)
    apart = spots[j, 3] + 90 * quarters - spots[i, 3]
    direction = np.rad2deg(np.arctan2(away[i, j, 1], away[i, j, 0]))
    turns = np.arange(4)
    facing = spots[i, 3][:, None] + 90.0 * turns
    off = (direction[:, None] - facing + 90) % 180 - 90
    beside = (np.abs(off) < IN_LINE_DEG) & (np.abs(apart) < IN_LINE_DEG)[:, None]
    its_turn = (turns + quarters[:, None].astype(np.intp)) % 4
    return np.stack([i, j], -1), beside, its_turn
