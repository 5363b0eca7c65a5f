"""Detects mirrored pictures of a board, by tiles and by print.

Cameras that look at the person before them, and some programs that record a screen, swap left and
right. The board itself looks the same in a mirror; its tiles do not: most letters are no letters
there, and numerals stand on the other side. A network says of a tile, whichever way up it lies,
how much likelier it is seen in a mirror; what it says of several is summed up. Where tiles do not
tell, what is printed on bare squares may. A board that is likelier so is read in a mirror too, and
how its letters read then is added.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kibitz.models.session import Model
from kibitz.vision.boards.square_logs import SquareLogs, chances_told, largest
from kibitz.vision.boards.squares import pixels_within
from kibitz.vision.readings import SURE


def lead_of_squares(
    model: Model,
    count: int,
    cut: Callable[[slice], NDArray[np.uint8]],
    *,
    alike: bool = False,
) -> float:
    """Log odds that tiles, or bare squares, are mirrored.

    One after another is asked, until it is certain (Wald, Sequential Tests of Statistical
    Hypotheses, 1945), or none are left, or those left would not make it certain. What speaks
    against a mirror is certain sooner: few pictures are mirrored. A few are cut out at a time:
    that is quicker than one by one.

    Args:
        model: the mirror network.
        count: how many squares there are.
        cut: cuts some of them out, (N, side, side, 3).
        alike: whether each may be taken to say about what the others say.
    """
    lead, least = 0.0, SURE.lead - SURE.together
    for first in range(0, count, SURE.few):
        for square in each_another_way(cut(slice(first, first + SURE.few))):
            lead += float(model.run(square[None]).item()) / model.facts.temperature
            if not least <= lead <= SURE.together:
                return lead
        if alike and abs(lead) * count < SURE.together * min(first + SURE.few, count):
            break
    return lead


def each_another_way(cuts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Squares, (N, side, side, 3), each turned a quarter more than the previous.

    Those of one board are printed alike and lie alike: seen from several sides they tell more.
    """
    return np.stack([np.rot90(cut, k) for k, cut in enumerate(cuts)])


def most_printed(
    straight: NDArray[np.uint8], square_px: int, bare: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Bare squares with most print, best first; at most as many as a side has.

    Args:
        straight: ((n + 2) * square_px squared, 3) BGR, one square around the board.
        square_px: side of a square.
        bare: (n, n) which squares are bare.

    Returns:
        (N, 2) rows and columns.
    """
    at = np.argwhere(bare)
    edge = square_px // 4
    middles = pixels_within(straight, square_px, np.s_[edge:-edge])[bare]
    parts = middles.view(np.uint8).reshape(*middles.shape, 3)
    return at[np.argsort(-parts.std((1, 2)).mean(-1), kind="stable")[: len(bare)]]


def likelihood(logs: SquareLogs, labels: tuple[str, ...]) -> NDArray[np.float32]:
    """(n, n) log probability of each tile's likeliest letter and turn.

    A turn counts as much as its neighbours and the whole board make it likely, beside the
    likeliest one. Squares that hold no tile are 0.

    Args:
        logs: of a board, (n, n, ...).
        labels: the letters.
    """
    out = np.zeros(logs.tile.shape, np.float32)
    maybe, chances = chances_told(logs, labels)
    # a blank reads as well whichever way it faces
    blank = chances[:, -1].max(-1) * chances.shape[-1]
    best = np.maximum(largest(chances[:, :-1]).max(-1), blank)
    out[maybe] = np.maximum(np.log(np.maximum(best, np.finfo(np.float32).tiny)), SURE.least_said)
    return out


def reads(logs: SquareLogs, labels: tuple[str, ...]) -> float:
    """Mean log likelihood of a board's letters in nats a tile: 0 where each is certain.

    Args:
        logs: of the board, (n, n, ...).
        labels: the letters.
    """
    tiles = float(logs.tile.sum())
    said = float((likelihood(logs, labels) * logs.tile).sum())
    return said / tiles if tiles else 0.0


def is_clearly_unmirrored(logs: SquareLogs, reads: float) -> bool:
    """True if so many letters read so well that the board is clearly not mirrored.

    A word may look the same in a mirror; as many tiles as a side has squares do not.

    Args:
        logs: of the board, (n, n, ...).
        reads: how well its letters read, see `reads`.
    """
    return reads >= SURE.poor and bool(logs.tile.sum() >= len(logs.tile))


def lead_of_letters(logs: SquareLogs, mirrored: SquareLogs, labels: tuple[str, ...]) -> float:
    """Log odds that a board's letters are mirrored.

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


def is_mirrored(lead: float, here: float, there: float, *, goes_on: bool = False) -> bool:
    """True if tiles are likelier mirrored and read well so, or are twice as likely.

    What reads badly both ways is blurred, and nothing tells which way it was meant. Few pictures
    are mirrored, and a set may print its numerals on the left: where more tiles will come, they
    are waited for until it is certain.

    Args:
        lead: by how much (nats) they are likelier so, by their looks and letters.
        here: how well they read as they lie in the picture, in nats a tile.
        there: the same in a mirror.
        goes_on: whether it is a picture of a game that goes on.
    """
    needed = SURE.together if goes_on else SURE.lead
    return lead > needed and (there >= SURE.poor or there > here / 2)
