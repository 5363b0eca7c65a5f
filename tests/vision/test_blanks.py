"""Blanks and bare squares told apart by the colours of the board's other squares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.blanks import MOST, settle_blanks
from vision.readings import EMPTY_KIND, TILE_KIND
from vision.tile_colours import square_colours

BROWN, WHITE = (30.0, 20.0, 20.0), (90.0, 0.0, 0.0)
DOUBTFUL = (7, 7)


def settled(middle: tuple[float, float, float], edge: tuple[float, float, float]) -> float:
    """Log odds of a tile on a square of even odds: row C holds brown tiles, the rest is white."""
    middles = np.full((15, 15, 3), WHITE, np.float32)
    middles[2] = BROWN
    edges = middles.copy()
    middles[DOUBTFUL], edges[DOUBTFUL] = middle, edge
    kind = np.full((15, 15, 4), -12.0, np.float32)
    kind[..., EMPTY_KIND] = -1e-4
    kind[2, :, EMPTY_KIND], kind[2, :, TILE_KIND] = -12.0, -1e-4
    kind[DOUBTFUL][[EMPTY_KIND, TILE_KIND]] = np.log(0.5)
    blank = np.zeros((15, 15), np.float32)
    blank[DOUBTFUL] = 1.0
    out: NDArray[np.float32] = settle_blanks(middles, edges, kind, blank)
    return round(float(out[DOUBTFUL][TILE_KIND] - out[DOUBTFUL][EMPTY_KIND]), 3)


def test_a_square_of_the_tiles_colour_is_a_blank() -> None:
    """Middle and edge agree: the most that colours may say is said."""
    assert MOST == settled(BROWN, BROWN)


def test_a_square_of_the_boards_colour_is_bare() -> None:
    """The same the other way."""
    assert -MOST == settled(WHITE, WHITE)


def test_a_patch_on_a_blank_says_nothing_against_it() -> None:
    """A white patch on a brown blank on a white board: the two disagree, nothing is said."""
    assert settled(WHITE, BROWN) == 0.0


def test_middle_and_edge_of_a_square_are_measured_apart() -> None:
    """A black square with a white patch in its middle."""
    straight = np.zeros((17 * 24, 17 * 24, 3), np.uint8)
    straight[24 + 6 : 24 + 18, 24 + 6 : 24 + 18] = 255
    middles, edges = square_colours(straight, 24)
    assert [round(float(middles[0, 0, 0])), round(float(edges[0, 0, 0]))] == [100, 0]
