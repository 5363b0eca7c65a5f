"""Tiles that lie on no board: places and readings."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Pyramid
from kibitz.engine.parameters import checked, number
from kibitz.models.session import Model
from kibitz.vision.boards.letters.marks import SQUARE_PX as MARK_SQUARE_PX
from kibitz.vision.boards.letters.marks import may_have_mark, with_marks
from kibitz.vision.boards.square_logs import log_softmax, log_sum
from kibitz.vision.boards.squares import SQUARE_PX, cut_squares
from kibitz.vision.loose.askew import from_above
from kibitz.vision.loose.finder import RULES as FOUND
from kibitz.vision.loose.finder import Spots, find_tiles
from kibitz.vision.loose.glare import show_hidden
from kibitz.vision.loose.letters import LetterReads, letters_shown
from kibitz.vision.loose.mosaic import ROW, mosaic
from kibitz.vision.loose.words import RULES as WORDS
from kibitz.vision.readings import BLANK, SURE, LooseTile


@dataclass(frozen=True, slots=True)
class LooseTileParameters:
    """Facing of tiles in a row."""

    unlike_facing: float = number(
        0.03, "share", 0.0, 1.0, "how likely a tile faces another way, beside that it faces its"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = LooseTileParameters()


class LooseFound(NamedTuple):
    """Loose tiles as read.

    Attributes:
        tiles: each of them.
        located: the clock (`time.perf_counter`) when all were located.
        in_mirror: by how much (nats) they are likelier seen in a mirror, by their looks.
        small: whether their letters were read as small ones.
    """

    tiles: tuple[LooseTile, ...]
    located: float
    in_mirror: float = 0.0
    small: bool = False

    @property
    def reads(self) -> float:
        """Mean log likelihood of the letters in nats a tile: 0 if certain, or without letters."""
        said = [float(t.letter_log_prob.max()) for t in self.tiles if t.face_up]
        return float(np.maximum(said, SURE.least_said).mean()) if said else 0.0


def read_loose(picture: NDArray[np.uint8], detector: Model, reads: LetterReads) -> LooseFound:
    """Every loose tile in a picture.

    Args:
        picture: (h, w, 3) BGR.
        detector: the loose-tile model.
        reads: what tells their letters.
    """
    pyramid = Pyramid(picture)
    spots = find_tiles(pyramid, detector)
    located = time.perf_counter()
    if len(spots) == 0:
        return LooseFound((), located)
    labels = reads.labels
    seen, there = from_above(pyramid, spots)
    shown = letters_shown(seen, there, reads)
    both = settle_facing(there.where, shown.both, shown.up)
    if reads.mark is not None and not shown.small:
        both = _with_marks(seen, there.where, both, shown.up, reads.mark, labels)
    tiles = _tiles(spots, both, shown.up, labels)
    likely = [
        hides or is_sure(tile) for tile, hides in zip(tiles, shown.hidden.tolist(), strict=True)
    ]
    tiles, hidden = tuple(compress(tiles, likely)), shown.hidden[likely]
    if hidden.any():
        tiles = show_hidden(tiles, hidden, len(labels))
    return LooseFound(tiles, located, shown.in_mirror, shown.small)


def is_sure(tile: LooseTile) -> bool:
    """True if it is reported as a tile."""
    return tile.confidence > FOUND.sure


def worst_read(tiles: Sequence[LooseTile]) -> list[LooseTile]:
    """Face-up tiles, least sure first; empty if no letter is in doubt."""
    up = sorted((t for t in tiles if t.face_up), key=lambda t: float(t.letter_log_prob.max()))
    return up if up and up[0].letter_log_prob.max() < np.log(SURE.known) else []


def faces_of(picture: NDArray[np.uint8], tiles: Sequence[LooseTile]) -> NDArray[np.uint8]:
    """(N, side, side, 3) pictures of face-up tiles, upright."""
    up = [t for t in tiles if t.face_up]
    where = np.array([(*t.centre_px, t.size_px, t.angle_deg) for t in up]).reshape(-1, 4)
    at = np.stack(np.divmod(np.arange(len(up)), ROW), -1)
    return cut_squares(mosaic(picture, where, SQUARE_PX, -(-len(up) // ROW)), at)


def _with_marks(
    picture: Pyramid,
    spots: NDArray[np.float64],
    both: NDArray[np.float32],
    up: NDArray[np.bool_],
    mark: Model,
    labels: tuple[str, ...],
) -> NDArray[np.float32]:
    """Letters and turns of face-up tiles with marks taken into account, see `letters.marks`."""
    letters = log_sum(both, -1)
    (asked,) = (up & may_have_mark(letters, labels)).nonzero()
    if len(asked) == 0:
        return both
    px = mark.input_px
    upright = spots[asked]
    upright[:, 2] *= px / MARK_SQUARE_PX
    upright[:, 3] += 90 * log_sum(both[asked], -2).argmax(-1)
    at = np.stack(np.divmod(np.arange(len(asked)), ROW), -1)
    laid = mosaic(picture, upright, px, -(-len(asked) // ROW))
    cuts = cut_squares(laid, at, square_px=px, cut_px=px)
    new = both.copy()
    new[asked] = with_marks(both[asked], letters[asked], cuts, mark, labels)
    return new


def _tiles(
    spots: Spots, both: NDArray[np.float32], up: NDArray[np.bool_], labels: Sequence[str]
) -> tuple[LooseTile, ...]:
    """Readings of each tile, combined."""
    letter = log_sum(both, -1)
    # A plain tile off any word is one that lies face down: a blank's face looks the same.
    up = up & (np.exp(letter[:, -1]) < 0.5)
    best = np.where(up, letter[:, :-1].argmax(-1), len(labels) - 1)
    each = np.arange(len(spots))
    angle = (spots.where[:, 3] + 90 * both[each, best].argmax(-1)) % 360
    sure = spots.sure * np.exp(letter[each, best])
    plain = zip(*(v.tolist() for v in (up, best, angle, sure, spots.where)), strict=True)
    return tuple(
        LooseTile(labels[k] if face else BLANK, face, (x, y), turn, side, p, logs)
        for (face, k, turn, p, (x, y, side, _)), logs in zip(plain, letter, strict=True)
    )


def settle_facing(
    spots: NDArray[np.float64],
    both: NDArray[np.float32],
    up: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """Letters and turns with the facing of neighbours in a row taken into account.

    That settles letters that look alike upside down, and those that are others upside down. What
    tiles tell each other is passed along the row (belief propagation; Pearl, 1988): two such
    letters beside each other do not make each other sure.

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
    number = np.zeros((len(spots), len(spots)), np.intp)
    number[mine, its] = np.arange(len(pairs))
    answer = number[its, mine]
    own = log_sum(both, -2)
    heard = np.zeros((len(pairs), 4), np.float32)
    for _ in range(len(spots)):  # from one end of the longest row to the other
        before = heard
        believed = own.copy()
        np.add.at(believed, mine, heard)
        # What a tile is told must not come back to it as what its neighbour knows.
        without_me = np.exp(log_softmax(believed[its] - heard[answer]))
        said = without_me[np.arange(len(pairs))[:, None], turned] * beside
        heard = log_softmax(np.log(said + RULES.unlike_facing).astype(np.float32))
        if np.array_equal(heard, before):
            break
    prior = np.zeros_like(own)
    np.add.at(prior, mine, heard)
    rows = np.unique(mine)
    settled = both.copy()
    settled[rows] = log_softmax(both[rows] + prior[rows, None, :], (-2, -1))
    return settled


def _neighbours(
    spots: NDArray[np.float64], up: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.bool_], NDArray[np.intp]]:
    """Face-up tiles that may be in one row.

    Returns:
        (P, 2) a tile and one beside it; (P, 4) for each turn of the first whether the other is
        on its base line; (P, 4) which turn of the other is the same way up.
    """
    away = spots[None, :, :2] - spots[:, None, :2]
    size = (spots[:, None, 2] + spots[None, :, 2]) / 2
    near = np.hypot(away[..., 0], away[..., 1]) < WORDS.lined_up * size
    near &= up[:, None] & up[None, :]
    np.fill_diagonal(near, False)
    i, j = np.nonzero(near)
    quarters = np.round((spots[i, 3] - spots[j, 3]) / 90)
    apart = spots[j, 3] + 90 * quarters - spots[i, 3]
    direction = np.rad2deg(np.arctan2(away[i, j, 1], away[i, j, 0]))
    turns = np.arange(4)
    facing = spots[i, 3][:, None] + 90 * turns
    off = (direction[:, None] - facing + 90) % 180 - 90
    beside = (np.abs(off) < WORDS.turned_deg) & (np.abs(apart) < WORDS.turned_deg)[:, None]
    its_turn = (turns + quarters[:, None].astype(np.intp)) % 4
    return np.stack([i, j], -1), beside, its_turn
