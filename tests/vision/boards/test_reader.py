"""Only parts of a board are looked at where only some squares are to be read again."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.models.session import Look
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.letters.together import Evidence
from kibitz.vision.boards.reader import (
    AROUND,
    SQUARE_PX,
    _glance,
    _parts,
    assemble,
    mark_unseen,
)
from kibitz.vision.boards.square_logs import SquareLogs
from kibitz.vision.readings import COVERED_KIND

N = 17


class Says:
    """A first look that says where each square's middle was in the whole picture."""

    def __init__(self) -> None:
        self.squares = 0

    def look(self, pictures: np.ndarray, whole: np.ndarray) -> Look:
        """(1, 2, h - 2, w - 2): the outermost squares are left out; and (1, 2, h, w)."""
        middles = pictures[:, SQUARE_PX // 2 :: SQUARE_PX, SQUARE_PX // 2 :: SQUARE_PX, :2]
        self.squares += middles.shape[1] * middles.shape[2]
        told = middles.transpose(0, 3, 1, 2).astype(np.float32)
        return Look(told[..., 1:-1, 1:-1], told, np.zeros((1, 0, 4)))


def board() -> np.ndarray:
    """Every square in a colour that says its row and column, as the board counts them, plus 1."""
    row, column = (np.indices((N, N)).repeat(SQUARE_PX, 1)).repeat(SQUARE_PX, 2)
    return np.stack([row, column, row], -1).astype(np.uint8)


@pytest.mark.parametrize(
    ("where", "squares"),
    [
        ([(7, 7)], 25),
        ([(0, 0), (14, 14)], 2 * 16),
        ([(2, 2), (2, 13), (13, 7)], 3 * 25),
        ([(3, 3), (4, 8)], 6 * 10),
        ([(r, c) for r in range(15) for c in range(15)], N * N),
    ],
)
def test_every_square_is_read_where_it_is(where, squares):
    """Squares far apart are looked at one by one, others in one look."""
    says = Says()
    found, seen = _glance(board(), np.array(where), says)

    assert (np.array(where) + 1).tolist() == found.tolist()
    assert (np.array(where) + 1).tolist() == seen.tolist()
    assert squares == says.squares


def test_every_part_has_some_squares_more_on_all_sides():
    """As far as the straightened board goes."""
    part_of, parts = _parts(np.array([(0, 5), (1, 6), (12, 14)]), N)

    assert [0, 0, 1] == part_of.tolist()
    assert [(6 - AROUND, 0, 6, 3 + AROUND), (15 - AROUND, 11, 4, 5)] == parts


@pytest.mark.parametrize(("across", "parts"), [(6, 1), (7, 2)])
def test_when_two_looks_are_worth_their_while(across, parts):
    """Where one look would see at least eight squares more: to start another takes as long."""
    _, found = _parts(np.array([(4, 2), (4, 2 + across)]), N)

    assert parts == len(found)


@pytest.mark.parametrize(("outside", "hidden"), [(0.2, False), (0.3, True)])
def test_how_much_of_a_square_the_picture_may_leave_out(outside, hidden):
    """A quarter of its side: no letter goes so far."""
    off = -20.0 * outside
    corners = np.array([(off, 10.0), (off + 300, 10.0), (off + 300, 310.0), (off, 310.0)])
    kind = np.log(np.full((15, 15, 4), 0.25, np.float32))

    mark_unseen(geometry_from_corners(corners, 15, 400, 400), kind)

    shown = kind.argmax(-1) == COVERED_KIND
    assert (hidden, False) == (bool(shown[:, 0].all()), bool(shown[:, 1:].any()))


@pytest.mark.parametrize("quarters", range(4))
def test_a_blank_of_which_looks_and_signs_say_otherwise_is_told_less_surely(quarters):
    """Log odds of 3 count 0.3 times, of that one tile however the board is turned."""
    kind = np.log(np.full((15, 15, 4), 1e-3, np.float32))
    kind[..., 0] = np.log(0.997)
    tiles = [(4, 5), (4, 6)]
    for at in tiles:
        kind[at] = np.log((1e-6, 1 - 3e-6, 1e-6, 1e-6))
    p = 1 / (1 + np.exp(-3))
    both = np.log(np.full((15, 15, 2, 4), (1 - p) / 4, np.float32))
    both[:, :, 1] = np.log(p / 4)
    evidence = Evidence.none(15, 0, 0, 0)
    evidence.disputed[tiles[0]] = 1.0
    logs = SquareLogs(kind, both, evidence=evidence)
    inner = ((SQUARE_PX, SQUARE_PX), (16 * SQUARE_PX, SQUARE_PX))
    corners = np.array([*inner, (16 * SQUARE_PX,) * 2, (SQUARE_PX, 16 * SQUARE_PX)], float)
    g = geometry_from_corners(corners, 15, 17 * SQUARE_PX, 17 * SQUARE_PX)
    colours = SquareColours(board(), SQUARE_PX)
    told = assemble(g, colours, logs, ("A", "?"), quarters, top_certain=True)
    sure = np.rot90(told.letter_log_prob[..., 1], -quarters)

    expected = [1 / (1 + np.exp(-0.9)), p]
    assert expected == pytest.approx([float(np.exp(sure[at])) for at in tiles], abs=1e-3)
