"""What the squares of one board tell about each other, by a network that sees all of them.

How this set prints its letters, how its tiles and bare squares are coloured, which way words
face, how blurred the picture is: all that is known from the board's other squares. The looks at
single squares say what each of them shows by itself, and leave the layer before their answers.
From these of all squares the board network says how much each look is to be believed, and how
much likelier a blank is. What lies on a square it leaves to the looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kibitz.models.session import BoardModel
from kibitz.vision.boards.square_logs import SquareLogs

SMALL_FEATURES: Final = 1280
LARGE_FEATURES: Final = 1536
"""Numbers in the layer before the answers of the two close looks."""


@dataclass(frozen=True, slots=True, eq=False)
class LookAnswers:
    """What one network's look at some squares said, and the layer before its answers.

    Attributes:
        logs: log probabilities, (K, ...).
        features: (K, channels).
    """

    logs: SquareLogs
    features: NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What one network's looks at some of a board's squares left.

    Attributes:
        at: (n, n) which squares were looked at.
        kind: (n, n, 4) log probabilities, 0 where it did not look; so are the others.
        both: (n, n, letters + 1, 4) of letter and turn.
        features: (n, n, channels) the layer before its answers.
    """

    at: NDArray[np.bool_]
    kind: NDArray[np.float32]
    both: NDArray[np.float32]
    features: NDArray[Any]

    @staticmethod
    def none(n: int, letters: int, channels: int) -> Looks:
        """No look at any square of a board with `n` a side."""
        return Looks(
            np.zeros((n, n), np.bool_),
            np.zeros((n, n, 4), np.float32),
            np.zeros((n, n, letters, 4), np.float32),
            np.zeros((n, n, channels), np.uint8),
        )

    @staticmethod
    def of(n: int, where: NDArray[np.intp], seen: LookAnswers) -> Looks:
        """Looks at some squares, (K, 2) rows and columns, of a board with `n` a side."""
        at, here = np.zeros((n, n), np.bool_), tuple(where.T)
        at[here] = True

        def placed(values: NDArray[Any]) -> NDArray[Any]:
            out = np.zeros((n, n, *values.shape[1:]), values.dtype)
            out[here] = values
            return out

        return Looks(at, placed(seen.logs.kind), placed(seen.logs.both), placed(seen.features))

    def after(self, before: Looks, anew: NDArray[np.bool_]) -> Looks:
        """These, and those before of squares that were not read anew, (n, n)."""

        def latest(now: NDArray[Any], then: NDArray[Any]) -> NDArray[Any]:
            out = then.copy()
            out[anew] = now[anew]
            return out

        return Looks(
            latest(self.at, before.at),
            latest(self.kind, before.kind),
            latest(self.both, before.both),
            latest(self.features, before.features),
        )

    def rows(self, name: str) -> dict[str, NDArray[Any]]:
        """The squares looked at one after another, and for each of the board which of them it is.

        The last row is none: of squares that were not looked at.
        """
        k = int(self.at.sum())
        index = np.full(self.at.size, k, np.int64)
        index[self.at.ravel()] = np.arange(k)

        def with_none(values: NDArray[Any]) -> NDArray[Any]:
            return np.concatenate(
                [values[self.at], np.zeros((1, *values.shape[2:]), values.dtype)]
            )

        return {
            f"{name}_at": index,
            f"{name}_kind": with_none(self.kind),
            f"{name}_both": with_none(self.both),
            f"{name}_features": with_none(self.features),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """All that looks at a board's squares left: the glance, the small and the large close look.

    Attributes:
        glance, small, large: what each of them left.
        signs: (n, n, SEEN) what the sign network says of the tiles that it was shown.
    """

    glance: Looks
    small: Looks
    large: Looks
    signs: NDArray[np.float32]

    def after(self, before: Evidence, anew: NDArray[np.bool_]) -> Evidence:
        """This of squares that were read anew, (n, n), and what was there before of the others."""
        return Evidence(
            self.glance.after(before.glance, anew),
            self.small.after(before.small, anew),
            self.large.after(before.large, anew),
            np.where(anew[..., None], self.signs, before.signs),
        )


def seen_together(
    evidence: Evidence,
    wanted: NDArray[np.bool_],
    colours: NDArray[np.float32],
    square_px: float,
    model: BoardModel,
) -> SquareLogs:
    """Log probabilities of some of a board's squares, (K, ...), all of them taken into account.

    Args:
        evidence: what the looks left.
        wanted: (n, n) which squares are asked for.
        colours: (n, n, 6) CIELAB of each square's middle and edge.
        square_px: side of a square in the picture, in pixels.
        model: the board network.
    """
    glance, small = evidence.glance, evidence.small
    n = len(glance.at)
    feed = {
        "glance_kind": glance.kind.reshape(n * n, -1),
        "glance_both": glance.both.reshape(n * n, -1, 4),
        "glance_features": glance.features.reshape(n * n, -1),
        "colours": colours.reshape(n * n, -1),
        "square_px": np.array([square_px], np.float32),
        **small.rows("small"),
        **evidence.large.rows("large"),
        "wanted": np.flatnonzero(wanted),
    }
    kind, some = model.run(feed)
    both = glance.both[wanted]
    both[small.at[wanted]] = some
    return SquareLogs(kind, both)
