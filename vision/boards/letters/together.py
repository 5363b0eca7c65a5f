"""Context of a whole board, by a network that sees all its squares.

How this set prints its letters, how its tiles and bare squares are coloured, which way words
face, how blurred the picture is: all that is known from the board's other squares. The looks at
single squares say what each of them shows by itself, and leave the layer before their answers.
The board network makes a few numbers of these, which stay as long as a square is not looked at
anew. From those of all squares it says how much each look is to be believed, and how much likelier
a blank is. What lies on a square it leaves to the looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kibitz.models.session import BoardModel
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.readings import EMPTY_KIND, SURE

SMALL_FEATURES: Final = 1280
LARGE_FEATURES: Final = 1536
"""Numbers in the layer before the answers of the two close looks."""
OF_SQUARES: Final = ("glance_kind", "glance_both", "small_at", "large_at")
"""What the board network takes of each square that it is asked about."""


@dataclass(frozen=True, slots=True, eq=False)
class LookAnswers:
    """Answers of one network for some squares, and its last hidden layer.

    Attributes:
        logs: log probabilities, (K, ...).
        features: (K, channels).
        scripts: (K, letters, 4) likelihoods of the letters of every script; None: it knows none.
    """

    logs: SquareLogs
    features: NDArray[Any]
    scripts: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Looks at K of a board's squares: a glance at all, close looks at some.

    Attributes:
        where: (K, 2) rows and columns of the squares, in reading order.
        glance: what the glance said of all of them.
        small, large: what the close looks said of those that each looked at; None: at none.
        small_at, large_at: (K,) which squares these are.
    """

    where: NDArray[np.intp]
    glance: LookAnswers
    small: LookAnswers | None
    small_at: NDArray[np.bool_]
    large: LookAnswers | None
    large_at: NDArray[np.bool_]

    def feed(self) -> dict[str, NDArray[Any]]:
        """Inputs of the board network."""
        logs = self.glance.logs
        return {
            "glance_kind": logs.kind,
            "glance_both": logs.both,
            "glance_features": self.glance.features,
            **self._rows("small", self.small, self.small_at, SMALL_FEATURES),
            **self._rows("large", self.large, self.large_at, LARGE_FEATURES),
        }

    def _rows(
        self, name: str, seen: LookAnswers | None, at: NDArray[np.bool_], channels: int
    ) -> dict[str, NDArray[Any]]:
        """Answers of a close look by row, and for each square the index of its row.

        The last row is none: of squares that it did not look at.
        """
        rows = np.flatnonzero(at)
        index = np.full(len(at), len(rows), np.int64)
        index[rows] = np.arange(len(rows))
        kind = np.zeros((1, 4), np.float32)
        both = np.zeros((1, *self.glance.logs.both.shape[1:]), np.float32)
        features = np.zeros((1, channels), np.uint8)
        if seen is not None:
            kind = np.concatenate([seen.logs.kind, kind])
            both = np.concatenate([seen.logs.both, both])
            features = np.concatenate([seen.features, features])
        return {
            f"{name}_at": index,
            f"{name}_kind": kind,
            f"{name}_both": both,
            f"{name}_features": features,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """State kept of a board's squares for reading some anew, (n, n, ...) each.

    Attributes:
        tokens: what the board network made of the looks at each; 0 numbers without that network.
        scripts: likelihoods of the letters of every script, by the large close look.
        large_at: (n, n) which squares it looked at.
        signs: what the sign network says of the tiles that it was shown.
        disputed: (n, n) 0 to 1, how far looks and signs say otherwise of a blank.
    """

    tokens: NDArray[np.float32]
    scripts: NDArray[np.float32]
    large_at: NDArray[np.bool_]
    signs: NDArray[np.float32]
    disputed: NDArray[np.float32]

    @staticmethod
    def none(n: int, tokens: int, signs: int, scripts: int) -> Evidence:
        """State of a board with `n` squares a side before any look.

        Args:
            n: squares a side.
            tokens: numbers that the board network makes of the looks at a square.
            signs: numbers that the sign network says of a tile.
            scripts: how many letters all scripts have.
        """
        return Evidence(
            np.zeros((n, n, tokens), np.float32),
            np.zeros((n, n, scripts, 4), np.float32),
            np.zeros((n, n), np.bool_),
            np.zeros((n, n, signs), np.float32),
            np.zeros((n, n), np.float32),
        )

    def after(self, looks: Looks, tokens: NDArray[np.float32]) -> Evidence:
        """State after looks at some squares, without signs for them.

        Args:
            looks: at some of the squares, or at all.
            tokens: (K, width) what the board network made of these.
        """
        out = Evidence(
            self.tokens.copy(),
            self.scripts.copy(),
            self.large_at.copy(),
            self.signs.copy(),
            self.disputed.copy(),
        )
        here = tuple(looks.where.T)
        out.tokens[here], out.large_at[here] = tokens, looks.large_at
        out.signs[here], out.disputed[here] = 0.0, 0.0
        if looks.large is not None and looks.large.scripts is not None:
            out.scripts[tuple(looks.where[looks.large_at].T)] = looks.large.scripts
        return out


def seen_together(
    looks: Looks,
    feed: Mapping[str, NDArray[Any]],
    evidence: Evidence,
    colours: NDArray[np.float32],
    square_px: float,
    model: BoardModel,
) -> SquareLogs:
    """Log probabilities of the squares looked at, (K, ...), in the context of the board.

    What a glance knows to be bare, and nobody looked at more closely, is left at that: it would
    stay so, and is most of a board.

    Args:
        looks: at these squares.
        feed: the same as the network takes it.
        evidence: what is kept of all squares, these among them.
        colours: (n, n, 6) CIELAB of each square's middle and edge.
        square_px: side of a square in the picture, in pixels.
        model: the board network.
    """
    glance = looks.glance.logs
    asked = looks.small_at | (glance.kind[:, EMPTY_KIND] < np.log(SURE.known))
    kind, both = glance.kind.copy(), glance.both.copy()
    if asked.any():
        n = len(evidence.tokens)
        row, column = looks.where[asked].T
        kind[asked], both[looks.small_at] = model.run(
            {name: x for name, x in feed.items() if not name.endswith("_features")}
            | {name: feed[name][asked] for name in OF_SQUARES}
            | {
                "tokens": evidence.tokens.reshape(n * n, -1),
                "colours": colours.reshape(n * n, -1),
                "square_px": np.array([square_px], np.float32),
                "wanted": row * n + column,
            }
        )
    return SquareLogs(kind, both)
