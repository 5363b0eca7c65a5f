"""Close looks at squares with doubtful letters: shifted a little, and in grey.

A closer look that hesitates between two letters often changes its mind when the square is cut
a little differently, and a strong colour may hide a letter that is plain in grey. The mean of
three such looks is right more often than the first one alone. Where it is still torn between two
letters the square is looked at from above and below too. Doubtful ones of a watched table are
looked at from all sides at once, in colour and in grey.

All of this takes a large model. Most squares are plain enough for a small one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.models.session import BoardModel, Model
from kibitz.vision.boards.letters.marks import twins, without_marks
from kibitz.vision.boards.letters.together import LookAnswers
from kibitz.vision.boards.square_logs import (
    SYMMETRIC,
    SquareLogs,
    largest,
    lead,
    log_softmax,
    log_sum,
    split_logits,
    usable_letters,
)
from kibitz.vision.boards.squares import moved
from kibitz.vision.readings import SURE

ASIDE_PX: Final = 2
"""How far to the side a square is looked at again; the networks were trained on squares cut so."""


@dataclass(frozen=True, slots=True)
class LookParameters:
    """Which squares the large model looks at, however sure the small one is."""

    small_px: float = number(
        32.0, "px", 0.0, 200.0, "of squares smaller in the picture a small model is too sure"
    )

    def __post_init__(self) -> None:
        checked(self)


LOOKS = LookParameters()
LEFT_AND_RIGHT: Final = ((0, -ASIDE_PX), (0, ASIDE_PX))
_STEPS: Final = (0, -ASIDE_PX, ASIDE_PX)
EVERYWHERE = tuple(product(_STEPS, _STEPS))
UP_AND_DOWN: Final = ((-ASIDE_PX, 0), (ASIDE_PX, 0))
_GREY: Final = np.array([0.114, 0.587, 0.299], np.float32)


def looks_again(
    cuts: NDArray[np.uint8], moves: Sequence[tuple[int, int]], *, colour: bool = False
) -> list[NDArray[np.uint8]]:
    """Squares in grey, shifted a little.

    Args:
        cuts: (N, h, w, 3) squares with some of their surroundings.
        moves: by how many pixels further down and right.
        colour: from aside in colour too.
    """
    shades = (cuts @ _GREY).astype(np.uint8)
    looks = [np.repeat(moved(shades, move)[..., None], 3, -1) for move in moves]
    return looks + [moved(cuts, move) for move in moves if colour and any(move)]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Models for single squares: a small one for most of them, a large one for the rest.

    Where there are such, one looks for marks, one sees all squares of a board together, and one
    tells signs on blanks from letters.
    """

    small: Model
    large: Model
    mark: Model | None = None
    board: BoardModel | None = None
    sign: Model | None = None

    def mark_for(self, labels: tuple[str, ...]) -> Model | None:
        """Mark network, if this alphabet needs it."""
        return self.mark if twins(labels) else None


@dataclass(slots=True, eq=False)
class Notes:
    """Answers of close looks at K squares, for the network that sees the whole board.

    Attributes:
        small: all of them, by the small model.
        large: those that the large model looked at.
        by_large: (K,) which these are.
    """

    small: LookAnswers | None = None
    large: LookAnswers | None = None
    by_large: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))


Told = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Log probabilities of kinds (N, 4), and of letters and turns (N, letters + 1, 4)."""


def look_closer(
    cuts: NDArray[np.uint8],
    first: SquareLogs,
    glyphs: Glyphs,
    letters: Sequence[str],
    notes: Notes,
    *,
    closely: bool = False,
    all_large: bool = False,
) -> Told:
    """Kinds and letters of squares after close looks.

    Args:
        cuts: (N, h, w, 3) squares with some of their surroundings.
        first: what a first look at the board says of them.
        glyphs: the models.
        letters: the tile set's letters.
        notes: what each look says by itself is noted here.
        closely: whether the large model looks at all of them, from all sides where it doubts.
        all_large: whether it looks at all of them as it else does at those in doubt.
    """
    notes.small = seen = _look(cuts, glyphs.small, letters)
    notes.by_large = np.ones(len(cuts), np.bool_)
    if closely:
        near = close_up(cuts, glyphs.large, letters, notes, everywhere=True)
        return blended(glyphs.large, first, near)
    if all_large:
        return _in_doubt(cuts, first, glyphs.large, letters, notes)
    kind, both = blended(glyphs.small, first, seen.logs)
    notes.by_large = doubtful = ~_plain(
        SquareLogs(kind, both), usable_letters(glyphs.small, letters)
    )
    if doubtful.any():
        some = first.of(doubtful)
        kind[doubtful], both[doubtful] = _in_doubt(
            cuts[doubtful], some, glyphs.large, letters, notes
        )
    return kind, both


def _look(cuts: NDArray[np.uint8], model: Model, letters: Sequence[str]) -> LookAnswers:
    """Answers of a model for squares, with its last hidden layer."""
    logits, features, scripts = model.look(cuts)
    logs = split_logits(logits, model, letters)
    return LookAnswers(logs, features.reshape(len(cuts), -1), scripts)


def _in_doubt(
    cuts: NDArray[np.uint8],
    first: SquareLogs,
    large: Model,
    letters: Sequence[str],
    notes: Notes,
) -> Told:
    """Answers of the large model, repeated where it contradicts the first look."""
    before, now = large.facts.letter_blend
    known = first.both * (before / now)
    near = close_up(cuts, large, letters, notes, known)
    return blended(large, first, near)


def blended(glyph: Model, first: SquareLogs, near: SquareLogs) -> Told:
    """Mean of a first and a closer look, with the weights fitted for the model."""
    (kind_a, kind_b), (letter_a, letter_b) = glyph.facts.kind_blend, glyph.facts.letter_blend
    kind = log_softmax(kind_a * first.kind + kind_b * near.kind)
    return kind, log_softmax(letter_a * first.both + letter_b * near.both, (-2, -1))


def _plain(logs: SquareLogs, labels: tuple[str, ...]) -> NDArray[np.bool_]:
    """Squares that surely hold no tile, or a letter without marked twins.

    Of letters that look alike upside down it need not be known which way they face: the
    neighbours will tell.
    """
    letter = logs.letter.argmax(-1)
    ways = np.exp(logs.both[np.arange(len(letter)), letter])
    either = largest(ways[:, :2] + ways[:, 2:]) > SURE.known
    plain = plain_letters(logs.both, labels, SURE.known) | (either & _even(labels)[letter])
    return np.asarray((logs.tile > SURE.known) & plain | (logs.tile < SURE.maybe))


@lru_cache
def _even(labels: tuple[str, ...]) -> NDArray[np.bool_]:
    """Letters that look alike upside down and have no marked twin."""
    return np.asarray(without_marks(labels) & np.array([x in SYMMETRIC for x in labels]))


def plain_letters(
    both: NDArray[np.float32], labels: tuple[str, ...], least: float
) -> NDArray[np.bool_]:
    """Squares with a surely read letter, turn included, without marked twins.

    Args:
        both: (N, letters + 1, 4) log probabilities of letter and turn, given a tile.
        labels: the letters.
        least: how probable it must be.
    """
    best = largest(both)
    return np.asarray((best.max(-1) > np.log(least)) & without_marks(labels)[best.argmax(-1)])


def close_up(
    cuts: NDArray[np.uint8],
    glyph: Model,
    letters: Sequence[str],
    notes: Notes,
    known: NDArray[np.float32] | None = None,
    *,
    everywhere: bool = False,
) -> SquareLogs:
    """Answers for single squares close up, repeated where the letter is in doubt.

    Args:
        cuts: (N, h, w, 3) squares with some of their surroundings.
        glyph: the model for single squares.
        letters: the tile set's letters.
        notes: what it says is noted here.
        known: (N, letters + 1, 4) what is known of letter and turn besides; what a first look
            at the board bears out is in no doubt.
        everywhere: whether doubtful ones are looked at from all sides at once, in colour too.
    """
    seen = _look(cuts, glyph, letters)
    near = seen.logs
    # Of what is more likely no tile the letter does not matter.
    (asked,) = (near.tile > 0.5).nonzero()
    both = near.both.copy()
    total, looks = both[asked], 1
    for moves in (EVERYWHERE,) if everywhere else (LEFT_AND_RIGHT, UP_AND_DOWN):
        said = both[asked] if known is None else both[asked] + known[asked]
        unsure = lead(log_sum(said, -1)) < SURE.lead
        asked, total = asked[unsure], total[unsure]
        if len(asked) == 0:
            break
        again = looks_again(cuts[asked], moves, colour=everywhere)
        further = split_logits(glyph.run(np.concatenate(again)), glyph, letters).both
        total = total + further.reshape(len(again), *total.shape).sum(0)
        looks += len(again)
        both[asked] = log_softmax((total / looks).astype(np.float32), (-2, -1))
    read = SquareLogs(near.kind, both)
    notes.large = replace(seen, logs=read)
    return read
