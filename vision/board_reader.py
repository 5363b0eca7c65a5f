"""Reading the squares of a straightened board."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import BoardGeometry, Picture, Pyramid, rectify
from models.session import Model
from vision import own_letters, squares
from vision.blanks import in_doubt, settle_blanks
from vision.card_ends import card_ends
from vision.close_look import TORN, doubtful, lead, looks_again
from vision.readings import BLANK, COVERED_KIND, EMPTY_KIND, TILE_KIND, GridReading
from vision.ship_cards import settle_cards
from vision.tile_colours import split_colours, square_colours

SQUARE_PX = 24
SYMMETRIC = frozenset("HINOSXZ")
"""Letters that look the same upside down: only the numeral or the neighbours tell their turn."""
FLIPPED = frozenset("MW")
"""Letters that are others upside down."""


def log_sum(x: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    """Natural log of the sum of exponentials along an axis."""
    if axis == -1 and x.shape[-1] <= 4:  # whole arrays at a time: short rows are slow
        top = _largest(x)
        total = sum(np.exp(x[..., k] - top) for k in range(x.shape[-1]))
    else:
        rows = np.ascontiguousarray(np.moveaxis(x, axis, -1))
        top = rows.max(-1)
        total = np.exp(rows - top[..., None]).sum(-1)
    return np.asarray(np.log(total) + top, np.float32)


def _largest(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """The largest of each short row."""
    return reduce(np.maximum, (x[..., k] for k in range(x.shape[-1])))


def log_softmax(x: NDArray[np.float32], axis: int | tuple[int, ...] = -1) -> NDArray[np.float32]:
    """Natural log of the softmax along axes."""
    shifted = x - x.max(axis=axis, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)), np.float32)


CLOSER_FROM = 0.008
"""Squares that hold a tile with at least this probability get a closer look."""
SURE_OF_TILE, SURE_OF_LETTER = 0.97, 0.99
"""Squares of which the first look is so sure, the way up included, get none."""
LOOKALIKES = frozenset("BDGHOQ")
"""Letters that the first look is at times sure of where M, C, S or one of these lies."""
UNLIKE_OTHERS = frozenset("AEFIJKNPSTUVXYZ")
"""Letters that it hardly ever takes others for."""
SURE_OF_TURN = 0.9
"""With these it may be so sure of the way they face, if it is sure of the letter."""


def straighten(picture: Picture | Pyramid, geometry: BoardGeometry) -> Picture:
    """The board and one square around it, as the reader wants it: (408, 408, 3)."""
    return rectify(picture, geometry, SQUARE_PX, (-1.0, -1.0), (17.0, 17.0))


@dataclass(frozen=True, slots=True, eq=False)
class SquareLogs:
    """Log probabilities of one board's squares.

    Attributes:
        kind: (..., 4) in the order of `readings.KINDS`.
        both: (..., letters + 1, 4) letter (the blank last) and turn together, given a tile: an M
            is a W upside down, so that what is known of one tells about the other.
        alike: see `vision.own_letters`.
    """

    kind: NDArray[np.float32]
    both: NDArray[np.float32]
    alike: own_letters.Alike = field(default_factory=dict)

    @property
    def letter(self) -> NDArray[np.float32]:
        """(..., letters + 1), whatever the turn."""
        return log_sum(self.both, -1)

    @property
    def turn(self) -> NDArray[np.float32]:
        """(..., 4), whatever the letter."""
        return log_sum(self.both, -2)


Known = tuple[Picture, SquareLogs, NDArray[np.bool_]]
"""A straightened board, what was read of it before, and which squares are to be read again."""


def read_board(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    glance: Model,
    glyph: Model,
    letters: Sequence[str],
    *,
    closely: bool = False,
    known: Known | None = None,
) -> tuple[Picture, SquareLogs]:
    """Two looks at a board: all squares at once, then close up those that it did not settle.

    Args:
        picture: the photograph.
        geometry: where the board lies.
        glance: the model for whole boards.
        glyph: the model for single squares.
        letters: the tile set's letters; only these and the blank are considered.
        closely: whether every tile is looked at close up, however sure the first look is.
        known: what is straightened and read already, for a board that has changed a little.

    Returns:
        The straightened board (408, 408, 3) and the squares' log probabilities.
    """
    straight = straighten(picture, geometry) if known is None else known[0]
    logs = split_logits(np.moveaxis(glance.run(straight[None])[0], 0, -1), glance, letters)
    # Covered squares are looked at again too: a hand's shadow is often taken for the hand.
    maybe = np.exp(logs.kind[..., TILE_KIND]) > CLOSER_FROM
    if known is not None:
        _, before, changed = known
        logs.kind[~changed], logs.both[~changed] = before.kind[~changed], before.both[~changed]
        maybe &= changed
    sure = np.zeros_like(maybe) if closely else _settled(logs, usable_letters(glance, letters))
    settled = maybe & sure
    where = np.argwhere(maybe & ~settled)
    (kind_a, kind_b), (letter_a, letter_b) = glyph.facts.kind_blend, glyph.facts.letter_blend
    logs.kind[settled] = log_softmax((kind_a + kind_b) * logs.kind[settled])
    logs.both[settled] = log_softmax((letter_a + letter_b) * logs.both[settled], (-2, -1))
    if len(where) == 0:
        return straight, logs if known is None else replace(logs, alike=known[1].alike)
    cuts = squares.squares_of(picture, geometry, where)
    near = close_up(cuts, glyph, letters, everywhere=closely)
    at = tuple(where.T)
    logs.kind[at] = log_softmax(kind_a * logs.kind[at] + kind_b * near.kind)
    logs.both[at] = log_softmax(letter_a * logs.both[at] + letter_b * near.both, (-2, -1))
    return straight, replace(
        logs, alike=_alike(picture, geometry, logs, usable_letters(glyph, letters))
    )


def _alike(
    picture: Picture | Pyramid, geometry: BoardGeometry, logs: SquareLogs, labels: tuple[str, ...]
) -> own_letters.Alike:
    """How far tiles whose letter is doubtful look like the others; mostly there are none."""
    tile = np.exp(logs.kind[..., TILE_KIND])
    if not own_letters.doubtful(tile, logs.letter).any():
        return {}
    both = settle_turns(logs.kind, logs.both, labels)
    letter, turn = log_sum(both, -1), log_sum(both, -2)
    pairs = own_letters.comparable(tile, letter, turn)
    same = own_letters.twins(tile, letter, turn)
    cells = {*pairs, *chain.from_iterable([*pairs.values(), *same])}
    where = np.array(sorted(cells)).reshape(-1, 2)
    cuts = squares.squares_of(picture, geometry, where, own_letters.LOOKED_AT_PX)
    return own_letters.likenesses(pairs, where, cuts, same)


def _settled(logs: SquareLogs, labels: Sequence[str]) -> NDArray[np.bool_]:
    """Where the first look is sure of a tile and its letter, and is to be believed."""
    bases = [unicodedata.normalize("NFD", x)[0] for x in labels]
    # Marks over and under letters are lost at 24 pixels a square.
    known = zip(labels, bases, strict=True)
    plain = np.array([bases.count(base) == 1 and x not in LOOKALIKES for x, base in known])
    unlike = plain & np.array([x in UNLIKE_OTHERS for x in labels])
    best, letter = _largest(logs.both), logs.letter
    sure = (best.max(-1) > np.log(SURE_OF_LETTER)) & plain[best.argmax(-1)]
    enough = (letter.max(-1) > np.log(SURE_OF_LETTER)) & (best.max(-1) > np.log(SURE_OF_TURN))
    sure |= enough & unlike[letter.argmax(-1)]
    return np.asarray(sure & (logs.kind[..., TILE_KIND] > np.log(SURE_OF_TILE)))


def close_up(
    cuts: NDArray[np.uint8], glyph: Model, letters: Sequence[str], *, everywhere: bool = False
) -> SquareLogs:
    """Single squares close up, several times where the letter is in doubt.

    Args:
        cuts: (N, h, w, 3) squares with some of their surroundings.
        glyph: the model for single squares.
        letters: the tile set's letters.
        everywhere: whether doubtful ones are looked at from all sides, see `looks_again`.
    """
    near = split_logits(glyph.run(cuts), glyph, letters)
    again = doubtful(np.exp(near.kind[:, TILE_KIND]), near.letter)
    if len(again):
        first = near.both[again]
        near.both[again] = _mean_look(cuts[again], first, glyph, letters, everywhere=everywhere)
        torn = np.flatnonzero(lead(near.letter[again]) < TORN)
        if len(torn) and not everywhere:
            near.both[again[torn]] = _mean_look(
                cuts[again[torn]], first[torn], glyph, letters, everywhere=True
            )
    return near


def _mean_look(
    cuts: NDArray[np.uint8],
    first: NDArray[np.float32],
    glyph: Model,
    letters: Sequence[str],
    *,
    everywhere: bool,
) -> NDArray[np.float32]:
    """What several looks at squares say of letter and turn, with the first one of them."""
    looks = looks_again(cuts, everywhere=everywhere)
    further = split_logits(glyph.run(np.concatenate(looks)), glyph, letters).both
    total = first + further.reshape(len(looks), *first.shape).sum(0)
    return log_softmax((total / (1 + len(looks))).astype(np.float32), (-2, -1))


def split_logits(logits: NDArray[np.float32], model: Model, letters: Sequence[str]) -> SquareLogs:
    """Logits as log probabilities over a tile set's letters.

    Args:
        logits: (..., 4 + labels + 4) with letter and turn apart, or (..., 4 + labels * 4).
        model: where they come from.
        letters: the tile set's letters.
    """
    logits = logits / model.facts.temperature
    known = model.facts.labels
    n = len(known)
    index = [known.index(x) for x in letters if x in known] + [known.index(BLANK)]
    kind = log_softmax(logits[..., :4])
    if logits.shape[-1] == 4 + 4 * n:
        both = logits[..., 4:].reshape(*logits.shape[:-1], n, 4)[..., index, :]
        return SquareLogs(kind, log_softmax(both, (-2, -1)))
    letter = log_softmax(logits[..., 4 : 4 + n][..., index])
    turn = log_softmax(logits[..., 4 + n :])
    return SquareLogs(kind, letter[..., :, None] + turn[..., None, :])


def usable_letters(model: Model, letters: Sequence[str]) -> tuple[str, ...]:
    """The tile set's letters that the reader knows, then the blank."""
    return (*(x for x in letters if x in model.facts.labels), BLANK)


def best_quarter(logs: SquareLogs, labels: Sequence[str]) -> tuple[int, float]:
    """How many quarter turns clockwise most tiles have, and by how much that leads (nats).

    Letters that look alike upside down weigh little.
    """
    kind, letter, turn = logs.kind, logs.letter, logs.turn
    blank = labels.index(BLANK)
    alike = np.array([0.3 if x in SYMMETRIC else 1.0 for x in labels])
    p_letter = np.exp(letter)
    weight = np.exp(kind[..., TILE_KIND]) * (1 - p_letter[..., blank]) * (p_letter @ alike)
    # One square may be sure and wrong: its say is bounded.
    score = (np.maximum(turn, -4.0) * weight[..., None]).reshape(-1, 4).sum(0)
    order = np.argsort(-score)
    return int(order[0]), float(score[order[0]] - score[order[1]])


def assemble(
    geometry: BoardGeometry,
    straight: Picture,
    logs: SquareLogs,
    labels: tuple[str, ...],
    quarters: int,
    *,
    top_certain: bool,
) -> GridReading:
    """A reading with row A first, from squares read with any corner first."""
    kind, both = np.rot90(logs.kind, quarters), np.rot90(logs.both, quarters)
    both = np.roll(both, -quarters, axis=-1)
    geometry = geometry.turned(quarters)
    kind = _mark_unseen(geometry, kind)
    both = settle_turns(kind, both, labels)
    letter, turn = log_sum(both, -1), log_sum(both, -2)
    n = kind.shape[0]
    straight = np.rot90(straight, quarters)
    blank = np.exp(letter[..., labels.index(BLANK)])
    asked = in_doubt(kind, blank).any()
    tiles = kind.argmax(-1) == TILE_KIND
    colours, edges = square_colours(straight, SQUARE_PX, None if asked else tiles)
    if asked:
        kind = settle_blanks(colours, edges, kind, blank)
        tiles = kind.argmax(-1) == TILE_KIND
    ends = card_ends(kind, blank, edges, straight, SQUARE_PX)
    kind, cards = settle_cards(kind, ends, straight, SQUARE_PX)
    return GridReading(
        corners_px=geometry.corners_px,
        kind_log_prob=np.ascontiguousarray(kind),
        labels=labels,
        letter_log_prob=np.ascontiguousarray(letter),
        turn_log_prob=np.ascontiguousarray(turn),
        tile_sets=split_colours(colours, tiles & (kind.argmax(-1) == TILE_KIND)),
        markers=cards,
        quality=geometry.quality,
        square_px=geometry.square_px,
        top_certain=top_certain,
        alike=own_letters.turned(logs.alike, n, quarters),
    )


def _mark_unseen(geometry: BoardGeometry, kind: NDArray[np.float32]) -> NDArray[np.float32]:
    """Squares whose middle lies outside the picture cannot be seen."""
    n = kind.shape[0]
    corners = geometry.corners_px
    if corners.min() > 0 and (corners.max(0) < (geometry.width, geometry.height)).all():
        return kind  # half a square is more than a lens bends the sides by
    at = np.stack(np.meshgrid(np.arange(n) + 0.5, np.arange(n) + 0.5), -1)
    px = geometry.to_px(at)
    outside = ((px < 0) | (px > (geometry.width, geometry.height))).any(-1)
    if not outside.any():
        return kind
    kind = kind.copy()
    kind[outside] = -12.0
    kind[outside, COVERED_KIND] = -1e-4
    return kind


def settle_turns(
    kind: NDArray[np.float32], both: NDArray[np.float32], labels: tuple[str, ...]
) -> NDArray[np.float32]:
    """Letters and turns with the neighbours' and the whole board's facing taken into account.

    Tiles of one word face one way and, but for games played from several sides, all tiles do.
    That settles letters that look alike upside down, and letters that are others upside down.

    Args:
        kind: (n, n, 4) log probabilities.
        both: (n, n, letters, 4) log probabilities of letter and turn, given a tile.
        labels: the letters.

    Returns:
        As `both`.
    """
    # Letters with two readings upside down say little about the facing by themselves.
    plain = np.array([x not in SYMMETRIC and x not in FLIPPED and x != BLANK for x in labels])
    votes = np.exp(both[..., plain, :]).sum(-2) * np.exp(kind[..., TILE_KIND])[..., None]
    around = np.zeros_like(votes)
    around[1:] += votes[:-1]
    around[:-1] += votes[1:]
    around[:, 1:] += votes[:, :-1]
    around[:, :-1] += votes[:, 1:]
    wider = votes.reshape(-1, 4).sum(0) + 0.25
    prior = around + 2.0 * wider / wider.sum() + 0.01
    prior = prior / prior.sum(-1, keepdims=True)
    return log_softmax((both + np.log(prior)[..., None, :]).astype(np.float32), (-2, -1))


def is_empty(kind: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which squares are read as empty."""
    return np.asarray(kind.argmax(-1) == EMPTY_KIND)
