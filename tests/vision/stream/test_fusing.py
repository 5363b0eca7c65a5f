"""Several readings of one position as one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kibitz.vision.readings import GridReading, PhotoReading
from kibitz.vision.stream.fusing import fused
from tests.helpers.fake_readings import reading_of_rows

ROWS = ["." * 15] * 7 + ["......CAT......"] + ["." * 15] * 7


def reading_with(kind: tuple[float, ...] | None) -> PhotoReading:
    """A board whose square H7 says this, or what it says anyway."""
    reading = reading_of_rows(ROWS, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    board: GridReading = reading.boards[0]
    logs = board.kind_log_prob.copy()
    if kind is not None:
        logs[7, 6] = np.log(kind)
    return replace(reading, boards=(replace(board, kind_log_prob=logs),))


def test_readings_that_agree_stay_as_they_are():
    """Where two say the same no probability alters, and one board read once stays that one."""
    one, other = reading_with(None), reading_with((0.2, 0.6, 0.1, 0.1))
    both = fused((one, other)).boards[0]
    same = np.delete(both.kind_log_prob.reshape(225, 4), 7 * 15 + 6, axis=0)

    assert fused((one, replace(one))).boards[0] is one.boards[0]
    assert (same == np.delete(one.boards[0].kind_log_prob.reshape(225, 4), 111, axis=0)).all()


def test_readings_that_differ_are_averaged():
    """The mean of the logs, made to add up to one."""
    says = (0.7, 0.1, 0.1, 0.1), (0.1, 0.7, 0.1, 0.1)
    both = fused([reading_with(kind) for kind in says]).boards[0]
    mean = np.exp(np.log(says).mean(0))

    assert np.allclose(mean / mean.sum(), np.exp(both.kind_log_prob[7, 6]), atol=1e-6)
