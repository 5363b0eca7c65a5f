"""Taught tiles: any script, hand-made letters, pictures.

A tile set is laid out once. What the large look at single squares leaves before its answers,
summed up over the square, tells tiles apart that it has no letter for. Each taught tile is seen
from a little aside too, and all four ways up; a letter, one way up, is the mean of what is seen.
Features are measured from the middle of all tiles: of the taught ones, and in a picture also of
those that lie there, which share its light and its blur.
A tile is the likelier a letter the smaller the angle to it (cosine, as in matching networks:
Vinyals et al., 2016). What is like nothing that was taught cannot be told. Where printed letters
were taught, what tells letters of every script (`letters.scripts`) says besides whether it takes a
tile for one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from sys import float_info
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, Picture, Pyramid
from kibitz.engine.parameters import checked, number
from kibitz.models.session import Model
from kibitz.vision.boards import squares
from kibitz.vision.boards.letters.close_look import ASIDE_PX
from kibitz.vision.boards.square_logs import SquareLogs, log_softmax
from kibitz.vision.readings import BLANK, SURE

Floats = NDArray[np.float32]
Cuts = NDArray[np.uint8]
Shares = tuple[Floats, Floats]
"""Log probabilities that tiles are letters that were taught, (N,), and that they are others."""

TURNS: Final = 4
RIM_PX: Final = 3
"""So much around its square is in the picture of a tile: not every tile lies in the middle."""


@dataclass(frozen=True, slots=True)
class TeachRule:
    """Parameters for learning tiles and for rejecting unknown ones."""

    steep: float = number(
        20.0, "nats a cosine", 1.0, 200.0, "how fast likelihood falls as a tile is less alike"
    )
    unlike: float = number(
        0.62, "cosine", -1.0, 1.0, "what is no more alike than so is as likely none of them"
    )
    own_middle: float = number(
        10.0, "tiles", 0.1, 1000.0, "so many tiles of a picture say as much as those taught"
    )
    by_script: float = number(
        0.7,
        "times",
        0.0,
        2.0,
        "how much letters of every script then count beside what was taught",
    )
    untaught: float = number(
        0.1, "probability", 0.0, 1.0, "that a tile is none of them is then at least so likely"
    )

    def __post_init__(self) -> None:
        checked(self)


TEACH: Final = TeachRule()


def no_places() -> Floats:
    """Empty array of tile corners."""
    return np.empty((0, 4, 2), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """Features of a taught set of tiles.

    Attributes:
        labels: letters that were taught, the blank `?` last.
        middle: (D,) the mean of all of them.
        means: (letters, 4, D) each letter's features, one for each way up.
        pictures: the tile that each letter was learnt from, upright, as JPEG: people see by it
            what was taken for which letter; empty where none are kept.
        places: (letters, 4, 2) the corners of these tiles in their picture, as parts of its
            width and height, the upper left one first; empty where they are not known.
        printed: whether they are printed letters, as `scripts` knows them.
    """

    labels: tuple[str, ...]
    middle: Floats
    means: Floats
    pictures: tuple[bytes, ...] = ()
    places: Floats = field(default_factory=no_places)
    printed: bool = False

    def letter_logs(
        self, features: Floats, rule: TeachRule = TEACH, shares: Shares | None = None
    ) -> Floats:
        """Log probabilities of letter and turn, (N, letters, 4), of the tiles of one picture.

        The probability that a tile is none that was taught is spread over all of them.

        Args:
            features: (N, D), see `look_at`.
            rule: when it is none.
            shares: what `scripts` says of these tiles, where they are printed letters.
        """
        count = len(features)
        here = features.mean(0) * count + self.middle * rule.own_middle
        here /= count + rule.own_middle
        flat = self.means.reshape(-1, self.means.shape[-1])
        alike = _units(features - here) @ _units(flat - self.middle).T
        none = np.full((count, 1), rule.unlike, np.float32)
        logs = log_softmax(np.float32(rule.steep) * np.concatenate([alike, none], 1))
        if shares is not None:
            known, others = (np.float32(rule.by_script) * share for share in shares)
            least = np.log(np.float32(rule.untaught))
            logs[:, :-1] += known[:, None]
            logs[:, -1] = np.maximum(logs[:, -1], least) + others
            logs = log_softmax(logs)
        some = np.logaddexp(logs[:, :-1], logs[:, -1:] - np.float32(np.log(len(flat))))
        return np.asarray(some.reshape(-1, *self.means.shape[:2]), np.float32)

    def alike(self, rule: TeachRule = TEACH) -> tuple[tuple[str, str], ...]:
        """Pairs of letters that are hard to tell apart even as they were taught, upright."""
        upright = _units(self.means[:, 0] - self.middle)
        lead = np.float32(rule.steep) * (1 - upright @ upright.T)
        least = np.log(SURE.known / (1 - SURE.known))
        pairs = np.argwhere(np.triu(lead < least, 1))
        return tuple((self.labels[a], self.labels[b]) for a, b in pairs)


def learn(cuts: Cuts, letters: Sequence[str], look: Model) -> Taught:
    """Learn tiles from one or more pictures of each.

    Args:
        cuts: (N, side, side, 3) squares with tiles that are upright.
        letters: what each of them is, `?` a blank.
        look: the network whose features tell tiles apart.

    Raises:
        ValueError: there are not two different tiles.
    """
    if len(cuts) != len(letters) or len(set(letters)) < 2:
        raise ValueError(f"expected two different tiles or more, got {len(set(letters))}")
    labels = (*dict.fromkeys(x for x in letters if x != BLANK), BLANK)
    if BLANK not in letters:
        labels = labels[:-1]
    which = [[k for k, x in enumerate(letters) if x == label] for label in labels]
    every = aside(cuts, ASIDE_PX)
    seen = np.stack([[_turned_look(v, k, look) for v in every] for k in range(TURNS)])
    of_letter = np.stack([seen[:, :, tiles].mean((1, 2)) for tiles in which])
    return Taught(labels, of_letter.mean((0, 1)), of_letter)


def pictures_of(cuts: Cuts) -> tuple[bytes, ...]:
    """Tiles as JPEG, cropped closely."""
    rim = (cuts.shape[1] - squares.SQUARE_PX) // 2 - RIM_PX
    inside = slice(rim, cuts.shape[1] - rim)
    return tuple(cv2.imencode(".jpg", cut[inside, inside])[1].tobytes() for cut in cuts)


def _turned_look(cuts: Cuts, quarters: int, look: Model) -> Floats:
    """Features of tiles turned clockwise."""
    return look_at(np.ascontiguousarray(np.rot90(cuts, -quarters, (1, 2))), look)


def _units(rows: Floats) -> Floats:
    """Rows scaled to length one."""
    length = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(length, float_info.epsilon), np.float32)


def look_at(cuts: Cuts, look: Model) -> Floats:
    """(N, D) features of squares from the network's last hidden layer, summed over each.

    The mean of looks a little to all sides: what it sees changes with where a tile lies.
    """
    looks = [look.look(v)[1].astype(np.float32).mean((2, 3)) for v in aside(cuts, ASIDE_PX)]
    return np.asarray(np.mean(looks, 0), np.float32)


def aside(cuts: Cuts, by: int) -> list[Cuts]:
    """Squares unshifted, and shifted a little to each side."""
    return [cuts, *(squares.moved(cuts, m) for m in ((by, 0), (-by, 0), (0, by), (0, -by)))]


def with_letters(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    logs: SquareLogs,
    letters: int,
    told: Callable[[Cuts], Floats],
) -> SquareLogs:
    """A board's log probabilities with other letters in place of the networks'.

    Args:
        picture: the photograph.
        geometry: where the board lies.
        logs: what the networks say of its squares.
        letters: how many there are, with the blank.
        told: log probabilities of letter and turn, (N, letters, 4), of squares cut out.
    """
    n = len(logs.kind)
    both = np.full((n, n, letters, TURNS), -np.log(letters * TURNS), np.float32)
    where = tiles_of(logs)
    if len(where):
        both[tuple(where.T)] = told(squares.squares_of(picture, geometry, where))
    return SquareLogs(logs.kind, both)


def tiles_of(logs: SquareLogs) -> NDArray[np.intp]:
    """(N, 2) squares that probably hold tiles.

    Of others the letter does not matter, and their look would mislead.
    """
    return np.argwhere(logs.tile > 0.5)
