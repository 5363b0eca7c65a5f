"""Whether a picture shows a board as in a mirror, told from the letters on its tiles.

Cameras that look at the person before them, and some programs that record a screen, swap left and
right. The board itself looks the same in a mirror; its letters do not. In a mirror an A, an M or
a T still reads as itself, a B, a C or an E as itself upside down, and an F, a J or an R as nothing
that is sure. So the tiles seem to face several ways, and some of them are doubtful. Such a board
is read in a mirror too, and is mirrored if its letters are likelier then, all of them together.

No letter is named here: what counts is how probable the networks find each letter and turn, and
how probable such a turn is among its neighbours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.vision.boards.square_logs import SquareLogs, chances_told, largest
from kibitz.vision.readings import SURE


def likelihood(logs: SquareLogs, labels: tuple[str, ...]) -> NDArray[np.float32]:
    """(n, n) how well each tile reads: the log probability of its likeliest letter and turn.

    A turn is as probable as its neighbours and the whole board make it. Squares that hold no tile
    are 0.

    Args:
        logs: of a board, (n, n, ...).
        labels: the letters.
    """
    out = np.zeros(logs.tile.shape, np.float32)
    maybe, chances = chances_told(logs, labels)
    # a blank reads as well whichever way it faces
    blank = chances[:, -1].sum(-1) * chances.shape[-1]
    best = np.maximum(largest(chances[:, :-1]).max(-1), blank)
    out[maybe] = np.maximum(np.log(np.maximum(best, np.finfo(np.float32).tiny)), SURE.least_said)
    return out


def reads(logs: SquareLogs, labels: tuple[str, ...]) -> float:
    """How well a board's letters read, in nats a tile: 0 where each is certain.

    Args:
        logs: of the board, (n, n, ...).
        labels: the letters.
    """
    tiles = float(logs.tile.sum())
    said = float((likelihood(logs, labels) * logs.tile).sum())
    return said / tiles if tiles else 0.0


def in_doubt(logs: SquareLogs, labels: tuple[str, ...]) -> bool:
    """Whether a board's letters read so badly that it may be mirrored.

    In a mirror they can gain no more than they lack here: a bare board tells nothing.

    Args:
        logs: of the board as it lies in the picture, (n, n, ...).
        labels: the letters.
    """
    read = reads(logs, labels)
    return read < SURE.poor and -read * float(logs.tile.sum()) > SURE.lead


def lead_in_mirror(logs: SquareLogs, mirrored: SquareLogs, labels: tuple[str, ...]) -> float:
    """By how much (nats) a board's letters are likelier as a mirror shows them.

    One tile may be read wrongly: the one that says most for the mirror does not count.

    Args:
        logs: of the board as it lies in the picture, (n, n, ...).
        mirrored: the same squares, seen in a mirror: the first column is the other's last.
        labels: the letters.
    """
    there = likelihood(mirrored, labels)[:, ::-1]
    # What only one of them takes for a tile tells nothing about letters.
    both = logs.tile * mirrored.tile[:, ::-1]
    gain = (there - likelihood(logs, labels)) * both
    return float(gain.sum() - max(0.0, gain.max()))


def is_mirrored(
    logs: SquareLogs,
    mirrored: SquareLogs,
    labels: tuple[str, ...],
) -> bool:
    """Whether a board is mirrored: its letters are likelier so, and read twice as well.

    What reads badly both ways is blurred, and nothing tells which way it was meant.

    Args:
        logs: of the board as it lies in the picture, (n, n, ...).
        mirrored: the same squares, seen in a mirror.
        labels: the letters.
    """
    leads = lead_in_mirror(logs, mirrored, labels) > SURE.lead
    return leads and reads(mirrored, labels) > reads(logs, labels) / 2
