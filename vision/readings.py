"""Readings of a picture, with their probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.engine.phrases import phrase

KINDS = ("empty", "tile", "marker", "covered")
EMPTY_KIND: Final = 0
TILE_KIND: Final = 1
MARKER_KIND: Final = 2
COVERED_KIND: Final = 3
BLANK = "?"


@dataclass(frozen=True, slots=True)
class SureParameters:
    """Thresholds at which a square counts as certain."""

    maybe: float = number(
        0.008,
        "probability",
        0.0,
        0.5,
        "what is likelier a tile is looked at closer, and by colour; what is less likely one says "
        "nothing about tiles",
    )
    known: float = number(
        0.95, "probability", 0.5, 1.0, "what is likelier surely is so: a tile, bare, its letter"
    )
    fair: float = number(
        0.6, "probability", 0.0, 1.0, "a letter that is less sure is very doubtful"
    )
    poor: float = number(
        -0.2,
        "nats a tile",
        -5.0,
        0.0,
        "letters that read worse on average may be of another script, small ones, or blurred",
    )
    lead: float = number(
        2.0, "nats", 0.0, 50.0, "what leads by less, a letter or how a board lies, is in doubt"
    )
    together: float = number(
        6.0,
        "nats",
        0.0,
        1000.0,
        "what all squares or all tiles say of a board together must be so much likelier",
    )
    least_said: float = number(
        -4.0, "nats", -20.0, 0.0, "one tile may be read wrongly: the least it says beside others"
    )
    rim: float = number(
        0.25,
        "of a square's side",
        0.0,
        0.5,
        "so much may lie outside the picture on each: its letter is not touched",
    )
    few: int = number(
        4, "count", 1, 100, "fewer tiles, or bare squares, do not tell how those look here"
    )

    def __post_init__(self) -> None:
        checked(self)


SURE = SureParameters()


@dataclass(frozen=True, slots=True)
class Marker:
    """A ship card: its squares as (row, col) in reading order, and its kind."""

    kind: str
    squares: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class GridReading:
    """Reading of one board, row A first, with all probabilities.

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
        alike: for each tile whose letter is doubtful how far the others look like it, all as
            (row, column); see `vision.boards.letters.own_letters`.
        place: of joined boards seen in parts: how many boards below and right of the one that
            was found first this one lies.
        lift: how far above the board the tops of tiles were read, in squares; 0 where the view is
            too steep to tell.
        view_deg: the camera's angle above the table at the board's middle; None where it is not
            known.
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
    alike: Mapping[tuple[int, int], Mapping[tuple[int, int], float]] = field(default_factory=dict)
    place: tuple[int, int] | None = None
    lift: float = 0.0
    view_deg: float | None = None

    @property
    def size(self) -> int:
        """Squares along each side."""
        return int(self.kind_log_prob.shape[0])

    @property
    def mirrored(self) -> bool:
        """True if the picture shows the board mirrored: its corners run counterclockwise."""
        x, y = np.asarray(self.corners_px, float).T
        return bool((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() < 0)

    @property
    def chances(self) -> NDArray[np.float32]:
        """(n, n, 4) probabilities of what may be told of each square, in the order of `KINDS`.

        Bare, or a card, which is told as bare; the likeliest letter; not seen: what is hidden,
        and what shows another letter than the likeliest. A pencil or a finger lies across it, or
        it is blurred. A letter is told only where it is likelier than not.
        """
        return _chances(self)

    @property
    def told(self) -> NDArray[np.intp]:
        """(n, n) index among `KINDS` of what is told of each square."""
        return np.asarray(self.chances.argmax(-1))


@lru_cache(maxsize=8)
def _chances(board: GridReading) -> NDArray[np.float32]:
    """`GridReading.chances`, cached."""
    kind = np.exp(board.kind_log_prob)
    letter = kind[..., TILE_KIND] * np.exp(board.letter_log_prob.max(-1))
    bare = kind[..., EMPTY_KIND] + kind[..., MARKER_KIND]
    card = kind[..., MARKER_KIND] > kind[..., EMPTY_KIND]
    unseen = kind[..., COVERED_KIND] + kind[..., TILE_KIND] - letter
    doubtful = (bare < letter) & (letter < 0.5)
    out = np.zeros_like(kind)
    out[..., EMPTY_KIND], out[..., MARKER_KIND] = np.where(card, 0, bare), np.where(card, bare, 0)
    out[..., TILE_KIND] = np.where(doubtful, 0, letter)
    out[..., COVERED_KIND] = np.where(doubtful, 1 - letter, unseen)
    out.flags.writeable = False
    return out


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
        looks: in how many pictures it was looked for since it was touched last.
        look: (h, w, 3) picture of it over the light of the whole; empty where not kept.
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
    looks: int = 1
    look: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0, 3), np.float32))

    @property
    def shown(self) -> int:
        """Index of the likeliest face among its probabilities; the blank is last."""
        return -1 if self.letter == BLANK else int(self.letter_log_prob[:-1].argmax())

    @property
    def is_one(self) -> float:
        """Probability that it is a tile; its confidence where that was not read."""
        if not self.letter_log_prob.size:
            return self.confidence
        return min(1.0, self.confidence / float(np.exp(self.letter_log_prob[self.shown])))


@dataclass(frozen=True, slots=True)
class LooseWord:
    """Loose tiles in a row: indices in reading order."""

    text: str
    tiles: tuple[int, ...]
    facing_deg: float


@dataclass(frozen=True, slots=True)
class Beyond:
    """Log odds of a further board beside joined boards that are seen in part."""

    place: tuple[int, int]
    odds: float


SCRIPT_NAMES: Final = {
    "LATIN": phrase("Latin"),
    "CYRILLIC": phrase("Cyrillic"),
    "GREEK": phrase("Greek"),
    "HEBREW": phrase("Hebrew"),
}
"""What people call scripts that Unicode names so."""


def script_name(script: str) -> str:
    """Name of a script for people."""
    return SCRIPT_NAMES.get(script, script.title())


@dataclass(frozen=True, slots=True)
class NoticedScript:
    """A detected script by which a picture's tiles were read.

    Attributes:
        script: which, as Unicode names it: `CYRILLIC`.
        tile_sets: the names of its tile sets, first the one that they were read by.
    """

    script: str
    tile_sets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """Everything that one picture shows; `ms` has the milliseconds of each stage.

    `beyond` says, of joined boards seen in parts, where they end; `panel` which of nine (1 to 9)
    the only board is, where that is known; `enough` how often halved the next picture of a fixed
    camera shows whether anything changed, which is all that matters then; `noticed` the script
    that the tiles are read in where no tile set was told and they are not of the usual one;
    `mirrored` whether the picture shows loose tiles as in a mirror: their letters and words are as
    they are meant, their places and turns those in the picture; `small` whether the letters of
    loose tiles are printed in lower case; `looked` the numbers of the boards that were looked at,
    where others are as an earlier picture showed them; `hidden` the loose tiles of a film that
    look otherwise now than they did, as under an arm.
    """

    width: int
    height: int
    boards: tuple[GridReading, ...] = ()
    loose: tuple[LooseTile, ...] = ()
    words: tuple[LooseWord, ...] = ()
    ms: dict[str, float] = field(default_factory=dict)
    beyond: tuple[Beyond, ...] = ()
    panel: int | None = None
    enough: int = 0
    noticed: NoticedScript | None = None
    mirrored: bool = False
    small: bool = False
    looked: tuple[int, ...] | None = None
    hidden: tuple[LooseTile, ...] = ()


def swapped(reading: PhotoReading) -> PhotoReading:
    """The loose tiles mirrored: left and right change places."""
    there = (reading.width - 1 - t.centre_px[0] for t in reading.loose)
    return replace(
        reading,
        loose=tuple(
            replace(t, centre_px=(x, t.centre_px[1]), angle_deg=-t.angle_deg % 360)
            for t, x in zip(reading.loose, there, strict=True)
        ),
        words=tuple(replace(w, facing_deg=-w.facing_deg % 360) for w in reading.words),
        mirrored=not reading.mirrored,
    )


def as_meant(reading: PhotoReading) -> PhotoReading:
    """Loose tiles at their true places where the camera mirrors its pictures."""
    return swapped(reading) if reading.mirrored else reading


def turned_place(place: tuple[int, int], quarters: int) -> tuple[int, int]:
    """A board's place after all first corners moved by quarter turns clockwise."""
    row, col = place
    for _ in range(quarters % 4):
        row, col = -col, row
    return row, col


def turned_board(board: GridReading, quarters: int) -> GridReading:
    """The board with its first corner moved by quarter turns clockwise.

    Ship cards and what looks alike are left out.
    """
    turns = np.roll(np.rot90(board.turn_log_prob, quarters), -quarters, axis=-1)
    return replace(
        board,
        corners_px=np.roll(board.corners_px, -quarters, axis=0),
        kind_log_prob=np.rot90(board.kind_log_prob, quarters),
        letter_log_prob=np.rot90(board.letter_log_prob, quarters),
        turn_log_prob=turns,
        tile_sets=np.rot90(board.tile_sets, quarters),
        markers=(),
        alike={},
        place=None if board.place is None else turned_place(board.place, quarters),
    )


def stage_ms(began: float, located: float, done: float) -> dict[str, float]:
    """Milliseconds of locating and of reading; times are in seconds."""
    return {"locate": (located - began) * 1000, "read": (done - located) * 1000}
