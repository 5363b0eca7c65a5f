"""Letters and turns of a board's squares, and what its tiles say of each other."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.vision.boards.square_logs import SquareLogs, settle_turns

LABELS = ("A", "B", "?")
BLANK = 0.6


def row(turn):
    """Three tiles side by side: an A, what may be a blank or a B that faces so, an A."""
    kind = np.log(np.full((3, 3, 4), 0.002, np.float32))
    kind[..., 0] = np.log(0.994)
    kind[1] = np.log([0.002, 0.994, 0.002, 0.002])
    both = np.full((3, 3, 3, 4), 1e-6, np.float32)
    both[1, :, 0, 0] = 1.0
    both[1, 1] = 1e-6
    both[1, 1, 1, 0], both[1, 1, 2, turn] = 1 - BLANK, BLANK
    return SquareLogs(kind, np.log(both))


@pytest.mark.parametrize("turn", range(4))
def test_a_blank_is_as_likely_whichever_way_it_is_said_to_face(turn):
    """Its neighbours speak for letters that face as they do, nearly four times as much as for none."""
    letter, _ = settle_turns(row(turn), LABELS)

    assert 0.297 == pytest.approx(float(np.exp(letter[1, 1, 2])), abs=0.001)


def test_a_blank_faces_as_its_neighbours_do():
    """As far as anything tells."""
    _, turn = settle_turns(row(2), LABELS)

    assert 0 == turn[1, 1].argmax()
