"""What was read off a picture, with the probabilities kept."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

KINDS = ("empty", "tile", "marker", "covered")
EMPTY_KIND, TILE_KIND, MARKER_KIND, COVERED_KIND = range(4)
BLANK = "?"


@dataclass(frozen=True, slots=True)
class Marker:
    """A ship card: the squares it covers, as (row, col) in reading order, and its kind."""

    kind: str
    squares: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class GridReading:
    """One board as read, row A first, with every probability that the picture gave.

    Attributes:
        corners_px: (4, 2) float, x then y: outer corners of the playing area at row A column 1,
            row A last column, last row last column, last row column 1.
        kind_log_prob: (n, n, 4) natural log probabilities in the order of `KINDS`.
        labels: letters in the order of the last axis of `letter_log_prob`; `?` is a blank.
        letter_log_prob: (n, n, len(labels)), given that the square holds a tile.
        turn_log_prob: (n, n, 4), quarter turns clockwise from upright with row A at the top.
        tile_sets: (n, n) strings of one letter: `a`, `b` which tile colour, `.` no tile.
        markers: ship cards found.
        quality: 0 to 1, how well the lattice fits the picture.
        square_px: mean side of a square in the picture, in pixels.
        top_certain: whether the tiles (or the caller) tell which edge is row A.
    """

    corners_px: NDArray[np.float64]
    kind_log_prob: NDArray[np.float32]
    labels: tuple[str, ...]
    letter_log_prob: NDArray[np.float32]
    turn_log_prob: NDArray[np.float32]
    tile_sets: NDArray[np.str_]
    markers: tuple[Marker, ...] = ()
    quality: float = 1.0
    square_px: float = 0.0
    top_certain: bool = True

    @property
    def size(self) -> int:
        """Squares along one side: 15 or 45."""
        return int(self.kind_log_prob.shape[0])


@dataclass(frozen=True, slots=True, eq=False)
class LooseTile:
    """A tile that lies on no board.

    Attributes:
        letter: the most probable letter, `?` for a blank or a face-down tile.
        face_up: whether its face shows.
        centre_px: x, y of the centre of its top face.
        angle_deg: clockwise turn from upright in the picture, 0 <= a < 360.
        size_px: side of its top face.
        confidence: probability that letter and face are right.
        letter_log_prob: over the reader's labels; empty where not read.
    """

    letter: str
    face_up: bool
    centre_px: tuple[float, float]
    angle_deg: float
    size_px: float
    confidence: float
    letter_log_prob: NDArray[np.float32] = field(
        default_factory=lambda: np.zeros(0, dtype=np.float32)
    )


@dataclass(frozen=True, slots=True)
class LooseWord:
    """Loose tiles lined up: indexes into the loose tiles in reading order."""

    text: str
    tiles: tuple[int, ...]
    facing_deg: float


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """All that one picture shows; `ms` has the milliseconds of each stage."""

    width: int
    height: int
    boards: tuple[GridReading, ...] = ()
    loose: tuple[LooseTile, ...] = ()
    words: tuple[LooseWord, ...] = ()
    ms: dict[str, float] = field(default_factory=dict)
