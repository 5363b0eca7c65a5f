"""Readings of a few squares with the probabilities that a test gives."""

import numpy as np

from kibitz.vision.readings import GridReading


def one_row(kinds, letters):
    """Two squares (n = 2 with the second row empty) with the given probabilities."""
    kind = np.full((2, 2, 4), 1e-6, np.float32)
    kind[1, :, 0] = 1.0
    letter = np.full((2, 2, 3), 1 / 3, np.float32)
    kind[0] = kinds
    letter[0] = letters
    return GridReading(
        corners_px=np.array([(0, 0), (2, 0), (2, 2), (0, 2)], float),
        kind_log_prob=np.log(kind),
        labels=("A", "B", "?"),
        letter_log_prob=np.log(letter),
        turn_log_prob=np.log(np.full((2, 2, 4), 0.25, np.float32)),
        tile_sets=np.full((2, 2), "."),
    )
