"""Log probabilities of squares, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.models.session import Model
from kibitz.vision.boards.letters.own_letters import Alike, Faces
from kibitz.vision.readings import BLANK, EMPTY_KIND, SURE, TILE_KIND

if TYPE_CHECKING:
    from kibitz.vision.boards.letters.together import Evidence

SYMMETRIC = frozenset("HINOSXZ")
"""Letters that look the same upside down: only the numeral or the neighbours tell their turn."""
FLIPPED = frozenset("MW")
"""Letters that are others upside down."""
SHORT: Final = 8
"""Rows of no more numbers are gone through number by number, all rows at once."""
HIDDEN: Final = np.log(np.array((*3 * (np.finfo(np.float32).eps,), 1.0), np.float32))
"""Log probabilities of a square outside of the picture."""


@dataclass(frozen=True, slots=True)
class FacingParameters:
    """Weights of tiles as evidence for the facing of their board and neighbours."""

    whole_board: float = number(
        2.0, "tiles", 0.0, 50.0, "what the board's tiles say together, beside each neighbour"
    )
    nothing_known: float = number(
        0.25, "tiles", 0.001, 10.0, "what is said for every facing before any tile is seen"
    )

    def __post_init__(self) -> None:
        checked(self)


FACING = FacingParameters()


def log_sum(logs: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    """Log of the sum of exponentials along the last axis or the one before."""
    return _log(sums(np.exp(logs), axis))


def sums(x: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    """Sums along the last axis or the one before, as a product, which is far quicker if short."""
    ones = np.ones(x.shape[axis], np.float32)
    return np.asarray(np.matmul(x, ones) if axis == -1 else np.matmul(ones, x))


def largest(x: NDArray[Any]) -> NDArray[Any]:
    """Maximum of each short row."""
    return reduce(np.maximum, (x[..., k] for k in range(x.shape[-1])))


def log_softmax(x: NDArray[np.float32], axis: int | tuple[int, ...] = -1) -> NDArray[np.float32]:
    """Log softmax along axes."""
    if axis == -1 and x.shape[-1] <= SHORT:
        shifted = x - largest(x)[..., None]
        return np.asarray(shifted - np.log(sums(np.exp(shifted), -1))[..., None], np.float32)
    shifted = x - x.max(axis=axis, keepdims=True)
    shifted -= np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
    return np.asarray(shifted, np.float32)


def lead(letter: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log probability gap between the two likeliest letters, (N, letters) to (N,)."""
    best = np.partition(letter, -2, axis=-1)
    return np.asarray(best[:, -1] - best[:, -2])


@dataclass(eq=False)
class SquareLogs:
    """Log probabilities of some squares, or of a board's.

    Attributes:
        kind: (..., 4) in the order of `readings.KINDS`.
        both: (..., letters + 1, 4) letter (the blank last) and turn together, given a tile: an M
            is a W upside down, so that what is known of one tells about the other.
        alike, faces: see `vision.boards.letters.own_letters`.
        evidence: what the looks at a board's squares left, see `letters.together`.
        small: whether the letters were read as small ones, see `vision.boards.letters.scripts`.
    """

    kind: NDArray[np.float32]
    both: NDArray[np.float32]
    alike: Alike = field(default_factory=dict)
    faces: Faces = field(default_factory=Faces)
    evidence: Evidence | None = None
    small: bool = False

    @cached_property
    def tile(self) -> NDArray[np.float32]:
        """(...) probability of a tile."""
        return np.asarray(np.exp(self.kind[..., TILE_KIND]), np.float32)

    @cached_property
    def letter(self) -> NDArray[np.float32]:
        """(..., letters + 1) log probabilities over all turns."""
        return log_sum(self.both, -1)

    @cached_property
    def turn(self) -> NDArray[np.float32]:
        """(..., 4) log probabilities over all letters."""
        return log_sum(self.both, -2)

    def of(self, which: NDArray[np.bool_]) -> SquareLogs:
        """A subset of the squares."""
        return SquareLogs(self.kind[which], self.both[which])

    def with_squares(self, which: NDArray[np.bool_], these: SquareLogs) -> SquareLogs:
        """A copy with some squares replaced."""
        kept = self.alike, self.faces, self.evidence, self.small
        new = SquareLogs(self.kind.copy(), self.both.copy(), *kept)
        new.letter, new.turn = self.letter.copy(), self.turn.copy()
        new.put(which, these)
        return new

    def take_in_lattice(self, which: NDArray[np.bool_], kind: NDArray[np.float32]) -> None:
        """Take letterless squares as bare if they are so in the board's own plane.

        Where the tops of tiles would lie over bare squares, parts of two squares are seen, and
        the side of a tile: neither a blank nor a hand. A tile hides the board behind it, so that
        what does not look bare there tells nothing.

        Args:
            which: (n, n) the squares that are asked about.
            kind: (n, n, 4) log probabilities of what they hold as they look in that plane.
        """
        seen = kind[which]
        against = np.minimum(seen - seen[:, [EMPTY_KIND]], 0)
        kinds, both = self.kind[which] + against, self.both[which]
        both[:, -1] += against[:, [TILE_KIND]]
        tile = log_sum(both.reshape(len(both), -1), -1)
        kinds[:, TILE_KIND] = self.kind[which][:, TILE_KIND] + tile
        self.put(which, SquareLogs(log_softmax(kinds), log_softmax(both, (-2, -1))))

    def put(self, which: NDArray[np.bool_], these: SquareLogs) -> None:
        """Replace some squares in place."""
        self.kind[which], self.both[which] = these.kind, these.both
        self.letter[which], self.turn[which] = these.letter, these.turn
        self.tile[which] = these.tile


def hide(kind: NDArray[np.float32], squares: NDArray[np.bool_]) -> None:
    """Set the log probabilities of some squares, (n, n), to hidden."""
    kind[squares] = HIDDEN


def split_logits(logits: NDArray[np.float32], model: Model, letters: Sequence[str]) -> SquareLogs:
    """Log probabilities over a tile set's letters, from logits.

    Args:
        logits: (..., 4 + labels + 4) with letter and turn apart, or (..., 4 + labels * 4).
        model: where they come from.
        letters: the tile set's letters.
    """
    if model.facts.temperature != 1.0:
        logits = logits / model.facts.temperature
    known = model.facts.labels
    n = len(known)
    index = places(known, usable_letters(model, letters))
    kind = log_softmax(logits[..., :4])
    if logits.shape[-1] == 4 + 4 * n:
        both = logits[..., 4:].reshape(*logits.shape[:-1], n, 4)[..., index, :]
        return SquareLogs(kind, log_softmax(both, (-2, -1)))
    letter = log_softmax(logits[..., 4 : 4 + n][..., index])
    turn = log_softmax(logits[..., 4 + n :])
    out = SquareLogs(kind, letter[..., :, None] + turn[..., None, :])
    out.letter, out.turn = letter, turn
    return out


@lru_cache
def places(known: tuple[str, ...], labels: tuple[str, ...]) -> NDArray[np.intp]:
    """Indices of letters (and the blank) among those that a model knows."""
    return np.array([known.index(x) for x in labels])


def usable_letters(model: Model, letters: Sequence[str]) -> tuple[str, ...]:
    """The tile set's letters that the reader knows, then the blank."""
    return _usable(model.facts.labels, tuple(letters))


@lru_cache
def _usable(known: tuple[str, ...], letters: tuple[str, ...]) -> tuple[str, ...]:
    return (*(x for x in letters if x in known), BLANK)


def best_quarter(logs: SquareLogs, labels: Sequence[str]) -> tuple[int, float]:
    """Quarter turns (clockwise) of most tiles, and their log odds against the next.

    Letters that look alike upside down say nothing.
    """
    maybe = logs.tile > SURE.maybe
    telling = _telling(tuple(labels))
    p_letter = np.exp(logs.letter[maybe])
    weight = logs.tile[maybe] * (p_letter @ telling)
    score = weight @ np.maximum(logs.turn[maybe], SURE.least_said)
    (first, best), (_, second), *_ = sorted(enumerate(score.tolist()), key=lambda x: -x[1])
    return first, best - second


@lru_cache
def _telling(labels: tuple[str, ...]) -> NDArray[np.float32]:
    """(letters,) 1 for letters that show which way a tile faces: upside down they are none."""
    plain = [float(x not in SYMMETRIC and x not in FLIPPED and x != BLANK) for x in labels]
    return np.array(plain, np.float32)


@lru_cache(maxsize=2)
def settle_turns(
    logs: SquareLogs, labels: tuple[str, ...]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Letters and turns with the facing of neighbours and board taken into account.

    Tiles of one word face one way and, except in games played from several sides, all tiles do.
    That settles letters that look alike upside down, and letters that are others upside down.

    Args:
        logs: of a board, (n, n, ...).
        labels: the letters.

    Returns:
        (n, n, letters + 1) and (n, n, 4) log probabilities, given a tile; for reading only.
    """
    letter, turn = logs.letter.copy(), logs.turn.copy()
    maybe, chances = chances_told(logs, labels)
    chances = chances / chances.sum((-2, -1), keepdims=True)
    letter[maybe] = _log(sums(chances, -1))
    turn[maybe] = _log(sums(chances, -2))
    return letter, turn


def chances_and_facing(
    logs: SquareLogs, labels: tuple[str, ...]
) -> tuple[NDArray[np.bool_], NDArray[np.float32], NDArray[np.float32]]:
    """Probabilities of letter and turn of possible tiles, and of each facing.

    A blank looks the same whichever way it faces: its neighbours say nothing for or against it.

    Args:
        logs: of a board, (n, n, ...).
        labels: the letters.

    Returns:
        (n, n) which squares these are, (N, letters + 1, 4) chances, (N, 4) of each turn.
    """
    maybe = logs.tile > SURE.maybe
    chances = np.exp(logs.both[maybe])
    chances[:, -1] = chances[:, -1].mean(-1, keepdims=True)
    n = maybe.shape[0]
    votes = np.zeros((n + 2, n + 2, 4), np.float32)
    votes[1:-1, 1:-1][maybe] = np.matmul(_telling(labels), chances) * (logs.tile[maybe][:, None])
    around = votes[2:, 1:-1] + votes[:-2, 1:-1] + votes[1:-1, 2:] + votes[1:-1, :-2]
    wider = votes.sum((0, 1)) + FACING.nothing_known
    prior = around[maybe] + FACING.whole_board * wider / wider.sum()
    return maybe, chances, prior / prior.sum(-1, keepdims=True)


@lru_cache(maxsize=2)
def chances_told(
    logs: SquareLogs, labels: tuple[str, ...]
) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """Relative probabilities of letter and turn of possible tiles.

    How probable that turn is says nothing of how well a tile reads: of few tiles, and where people
    face each other, none is much likelier than others. They are worked out once, of a board that
    is read and changes no more; for reading only.

    Returns:
        (n, n) which squares these are, and (N, letters + 1, 4).
    """
    maybe, chances, facing = chances_and_facing(logs, labels)
    chances *= (facing / facing.max(-1, keepdims=True))[:, None]
    return maybe, chances


def _log(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """Natural logs, also of zeros."""
    return np.log(np.maximum(chances, np.finfo(np.float32).tiny))
