"""Reading the squares of a straightened board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import BoardGeometry, Picture, Pyramid, rectify
from models.session import Model
from vision import squares
from vision.readings import BLANK, COVERED_KIND, EMPTY_KIND, TILE_KIND, GridReading
from vision.ship_cards import group_cards
from vision.tile_colours import split_colours

SQUARE_PX = 24
SYMMETRIC = frozenset("HINOSXZ")
"""Letters that look the same upside down: only the numeral or the neighbours tell their turn."""


def log_softmax(x: NDArray[np.float32], axis: int = -1) -> NDArray[np.float32]:
    """Natural log of the softmax along an axis."""
    shifted = x - x.max(axis=axis, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)), np.float32)


CLOSER_FROM = 0.03
"""Squares that hold a tile with at least this probability get a closer look."""
KIND_WEIGHTS = (0.8, 0.6)
LETTER_WEIGHTS = (0.4, 0.8)
"""How much the first look at a square and the closer one count (log probabilities)."""


def straighten(picture: Picture | Pyramid, geometry: BoardGeometry) -> Picture:
    """The board and one square around it, as the reader wants it: (408, 408, 3)."""
    return rectify(picture, geometry, SQUARE_PX, (-1.0, -1.0), (17.0, 17.0))


@dataclass(frozen=True, slots=True, eq=False)
class SquareLogs:
    """Log probabilities of one board's squares.

    Attributes:
        kind: (15, 15, 4) in the order of `readings.KINDS`.
        letter: (15, 15, letters + 1), the blank last, given a tile.
        turn: (15, 15, 4), given a tile.
    """

    kind: NDArray[np.float32]
    letter: NDArray[np.float32]
    turn: NDArray[np.float32]


def read_board(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    glance: Model,
    glyph: Model,
    letters: Sequence[str],
) -> tuple[Picture, SquareLogs]:
    """Two looks at a board: all squares at once, then those that may hold a tile close up.

    Args:
        picture: the photograph.
        geometry: where the board lies.
        glance: the model for whole boards.
        glyph: the model for single squares.
        letters: the tile set's letters; only these and the blank are considered.

    Returns:
        The straightened board (408, 408, 3) and the squares' log probabilities.
    """
    straight = straighten(picture, geometry)
    logs = split_logits(np.moveaxis(glance.run(straight[None])[0], 0, -1), glance, letters)
    # Covered squares are looked at again too: a hand's shadow is often taken for the hand.
    maybe = np.exp(logs.kind[..., TILE_KIND]) > CLOSER_FROM
    where = np.argwhere(maybe)
    if len(where) == 0:
        return straight, logs
    close = rectify(picture, geometry, squares.SQUARE_PX, (-1.0, -1.0), (17.0, 17.0))
    near = split_logits(glyph.run(squares.cut_squares(close, where)), glyph, letters)
    at = tuple(where.T)
    for first, second, (a, b) in (
        (logs.kind, near.kind, KIND_WEIGHTS), (logs.letter, near.letter, LETTER_WEIGHTS), (logs.turn, near.turn, LETTER_WEIGHTS),  # noqa: E501
    ):  # fmt: skip
        first[at] = log_softmax(a * first[at] + b * second)
    return straight, logs


def split_logits(logits: NDArray[np.float32], model: Model, letters: Sequence[str]) -> SquareLogs:
    """Logits (..., 4 + labels + 4) as log probabilities over a tile set's letters."""
    logits = logits / model.facts.temperature
    known = model.facts.labels
    n = len(known)
    index = [known.index(x) for x in letters if x in known] + [known.index(BLANK)]
    return SquareLogs(
        log_softmax(logits[..., :4]),
        log_softmax(logits[..., 4 : 4 + n][..., index]),
        log_softmax(logits[..., 4 + n :]),
    )


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
    weight = np.exp(kind[..., TILE_KIND]) * (1 - p_letter[..., blank]) * (p_letter * alike).sum(-1)
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
    kind, letter, turn = (np.rot90(a, quarters) for a in (logs.kind, logs.letter, logs.turn))
    turn = np.roll(turn, -quarters, axis=-1)
    geometry = geometry.turned(quarters)
    kind = _mark_unseen(geometry, kind)
    turn = settle_turns(kind, letter, turn, labels)
    n = kind.shape[0]
    straight = np.rot90(straight, quarters)
    tiles = (kind.argmax(-1) == TILE_KIND) if n else np.zeros((0, 0), bool)
    return GridReading(
        corners_px=geometry.corners_px,
        kind_log_prob=np.ascontiguousarray(kind),
        labels=labels,
        letter_log_prob=np.ascontiguousarray(letter),
        turn_log_prob=np.ascontiguousarray(turn),
        tile_sets=split_colours(straight, tiles, SQUARE_PX),
        markers=group_cards(np.exp(kind)),
        quality=geometry.quality,
        square_px=geometry.square_px,
        top_certain=top_certain,
    )


def _mark_unseen(geometry: BoardGeometry, kind: NDArray[np.float32]) -> NDArray[np.float32]:
    """Squares whose middle lies outside the picture cannot be seen."""
    n = kind.shape[0]
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
    kind: NDArray[np.float32],
    letter: NDArray[np.float32],
    turn: NDArray[np.float32],
    labels: tuple[str, ...],
) -> NDArray[np.float32]:
    """Turns with the neighbours' facing taken into account where the picture does not tell.

    Tiles of one word face one way: each tile gets a prior from the tiles beside it, strong only
    for letters that look alike upside down.
    """
    tile = np.exp(kind[..., TILE_KIND])
    alike = np.array([1.0 if x in SYMMETRIC else 0.15 for x in labels])
    need = (np.exp(letter) * alike).sum(-1)
    sure = (
        np.exp(
            np.where(np.array([x in SYMMETRIC or x == BLANK for x in labels]), -9.0, letter)
        ).sum(-1)
        * tile
    )
    votes = np.exp(turn) * sure[..., None]
    around = np.zeros_like(votes)
    around[1:] += votes[:-1]
    around[:-1] += votes[1:]
    around[:, 1:] += votes[:, :-1]
    around[:, :-1] += votes[:, 1:]
    wider = votes.reshape(-1, 4).sum(0)
    prior = around + 0.2 * wider / max(1.0, float(wider.sum())) + 0.05
    prior = prior / prior.sum(-1, keepdims=True)
    return log_softmax((turn + need[..., None] * np.log(prior)).astype(np.float32))


def is_empty(kind: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which squares are read as empty."""
    return np.asarray(kind.argmax(-1) == EMPTY_KIND)
