"""Diacritical marks: tells A from Ą in finer detail.

Where a letter is plain its mark may be a few pixels. So tiles of letters that a mark makes others
are set upright and looked at half again as large. Sets without such letters are not looked at.
"""

from __future__ import annotations

from copy import copy
from functools import lru_cache
from typing import Final
from unicodedata import name

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, Picture, Pyramid
from kibitz.models.session import Model
from kibitz.vision.boards import squares
from kibitz.vision.boards.square_logs import (
    SquareLogs,
    lead,
    log_softmax,
    log_sum,
    places,
    settle_turns,
)
from kibitz.vision.readings import SURE

SQUARE_PX: Final = 64
"""Pixels a square of the look at marks."""
UP_AND_DOWN: Final = ((-3, 0), (3, 0))
"""By so many pixels up and down a doubtful mark is looked at again; the network was trained so."""
NEVER: Final = np.float32(-1e4)


@lru_cache
def twins(labels: tuple[str, ...]) -> dict[int, tuple[int, ...]]:
    """Letters that differ by a mark only, by index; each group includes the letter itself."""
    # The stroke of an L is no part that could be taken off it; its name tells.
    bases = [name(x, x).partition(" WITH ")[0] for x in labels]
    families = {base: tuple(i for i, b in enumerate(bases) if b == base) for base in bases}
    return {i: families[base] for i, base in enumerate(bases) if len(families[base]) > 1}


@lru_cache
def alike(labels: tuple[str, ...]) -> NDArray[np.bool_]:
    """(letters, letters) bool: pairs that differ by a mark only, each with itself too."""
    out = np.eye(len(labels), dtype=bool)
    for i, family in twins(labels).items():
        out[i, list(family)] = True
    return out


@lru_cache
def without_marks(labels: tuple[str, ...]) -> NDArray[np.bool_]:
    """Letters without a twin that differs by a mark."""
    return np.asarray(alike(labels).sum(0) == 1)


def look_for_marks(
    logs: SquareLogs,
    read: NDArray[np.bool_],
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    mark: Model,
    labels: tuple[str, ...],
) -> None:
    """Update the letters of a board in place by a finer look at their marks.

    Which letter it is without its mark, and how likely that is, stays as it was read.

    Args:
        logs: of a board, (n, n, ...), which are changed.
        read: (n, n) the squares to look at.
        picture: the photograph.
        geometry: where the board lies.
        mark: the model for upright tiles.
        labels: the letters.
    """
    letters, turns = settle_turns(copy(logs), labels)
    # Of what is more likely no tile the mark does not matter.
    asked = read & (logs.tile > 0.5) & may_have_mark(letters, labels)
    if not asked.any():
        return
    cuts = squares.squares_of(picture, geometry, np.argwhere(asked), mark.input_px, SQUARE_PX)
    turn = turns[asked].argmax(-1)
    upright = np.stack([np.rot90(x, k) for x, k in zip(cuts, turn, strict=True)])
    now = logs.of(asked)
    both = with_marks(now.both, letters[asked], upright, mark, labels)
    logs.put(asked, SquareLogs(now.kind, both))


def may_have_mark(letters: NDArray[np.float32], labels: tuple[str, ...]) -> NDArray[np.bool_]:
    """(...) bool: where the likeliest letter has marked twins."""
    return np.asarray(~without_marks(labels)[_but_for_marks(letters, labels)])


def with_marks(
    both: NDArray[np.float32],
    letters: NDArray[np.float32],
    upright: NDArray[np.uint8],
    mark: Model,
    labels: tuple[str, ...],
) -> NDArray[np.float32]:
    """Letters and turns of some tiles with their marks taken into account.

    Args:
        both: (N, letters, 4) log probabilities of letter and turn.
        letters: (N, letters) those of the letters that decide whose marks are looked for.
        upright: (N, px, px, 3) the tiles in fine detail, at `SQUARE_PX`.
        mark: the model for them.
        labels: the letters.
    """
    twin = alike(labels)[_but_for_marks(letters, labels)]
    was, said = log_sum(both, -1), mark.run(upright)
    now = _among(twin, was, said, mark, labels)
    doubtful = lead(now) < SURE.lead
    if doubtful.any():
        again = [mark.run(squares.moved(upright[doubtful], by)) for by in UP_AND_DOWN]
        said[doubtful] = np.mean([said[doubtful], *again], 0)
        now = _among(twin, was, said, mark, labels)
    together = np.log(np.where(twin, np.exp(was), 0).sum(-1, keepdims=True))
    return np.asarray(both + np.where(twin, now + together - was, 0)[..., None], np.float32)


def _among(
    twin: NDArray[np.bool_],
    was: NDArray[np.float32],
    said: NDArray[np.float32],
    mark: Model,
    labels: tuple[str, ...],
) -> NDArray[np.float32]:
    """(N, letters) log probabilities within a group of twins: as read, and by the marks."""
    old, new = mark.facts.letter_blend
    mixed = old * was + new * said[:, places(mark.facts.labels, labels)]
    return log_softmax(np.where(twin, mixed, NEVER))


def _but_for_marks(letters: NDArray[np.float32], labels: tuple[str, ...]) -> NDArray[np.intp]:
    """Index of the likeliest letter, with its twins counted together."""
    return np.asarray((np.exp(letters) @ alike(labels).astype(np.float32)).argmax(-1))
