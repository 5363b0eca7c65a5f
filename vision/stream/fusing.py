"""Combines several readings of a resting position into one with less noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.comb import COMB
from kibitz.engine.parameters import as_in, checked
from kibitz.vision.readings import GridReading, PhotoReading


@dataclass(frozen=True, slots=True)
class FusingRule:
    """Which readings are of one position."""

    same_place_squares: float = as_in(COMB, "near")
    """A board whose corners are further off was moved."""

    def __post_init__(self) -> None:
        checked(self)


FUSING: Final = FusingRule()


def fused(readings: Sequence[PhotoReading]) -> PhotoReading:
    """The newest reading with the mean probabilities of all that show the same boards.

    The log probabilities are averaged, not summed: pictures taken moments apart share most of
    what is wrong with them, and more of them must not make a wrong letter more certain.

    Args:
        readings: pictures of one camera while nothing moved, oldest first; at least one.
    """
    newest = readings[-1]
    alike = [r for r in readings if same_boards(r, newest)]
    if len(alike) < 2 or not newest.boards:
        return newest
    boards = tuple(_mean([r.boards[i] for r in alike]) for i in range(len(newest.boards)))
    return replace(newest, boards=boards)


def same_boards(one: PhotoReading, other: PhotoReading) -> bool:
    """True if two pictures show the same boards at the same places and orientation."""
    return (
        (one.width, one.height) == (other.width, other.height)
        and len(one.boards) == len(other.boards)
        and all(_lies_there(a, b) for a, b in zip(one.boards, other.boards, strict=True))
    )


def _lies_there(one: GridReading, other: GridReading) -> bool:
    side = max(one.square_px, other.square_px, 1.0)
    off = np.linalg.norm(one.corners_px - other.corners_px, axis=1).max() / side
    alike = (one.size, one.labels) == (other.size, other.labels)
    return alike and bool(off < FUSING.same_place_squares)


def _mean(boards: Sequence[GridReading]) -> GridReading:
    newest = boards[-1]
    if all(b is newest for b in boards):
        return newest  # nothing changed: nothing was read again
    return replace(
        newest,
        kind_log_prob=_mean_log([b.kind_log_prob for b in boards]),
        letter_log_prob=_mean_log([b.letter_log_prob for b in boards]),
        turn_log_prob=_mean_log([b.turn_log_prob for b in boards]),
    )


def _mean_log(logs: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Mean of log probabilities where they differ, normalised."""
    newest = logs[-1]
    differ = np.any([(x != newest).any(-1) for x in logs[:-1]], axis=0)
    out = newest.copy()
    mean = np.mean([x[differ] for x in logs], axis=0)
    out[differ] = mean - np.log(np.exp(mean).sum(axis=-1, keepdims=True))
    return out
