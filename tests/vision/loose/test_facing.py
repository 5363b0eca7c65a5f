"""Tiles of one row face one way, however many letters in it look alike upside down."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.vision.loose.tiles import settle_facing

SIDE, PITCH = 42.0, 44.0


def _row(upside_down, pitch=PITCH):
    """Places of tiles in a row, and what each tells by itself of one letter's four turns.

    Args:
        upside_down: for each tile how likely it stands on its head.
        pitch: from one middle to the next.
    """
    spots = np.array([(100 + k * pitch, 100.0, SIDE, 0.0) for k in range(len(upside_down))])
    turns = np.array([(1 - p, 0.001, p, 0.001) for p in upside_down])
    turns = turns / turns.sum(-1, keepdims=True)
    return spots, np.log(turns)[:, None].astype(np.float32)


def _settled(upside_down, pitch=PITCH):
    spots, both = _row(upside_down, pitch)
    seen = settle_facing(spots, both, np.ones(len(spots), bool))
    return seen[:, 0].argmax(-1).tolist()


@pytest.mark.parametrize(
    "row",
    [(0.99, 0.99, 0.2, 0.2), (0.99, 0.99, 0.1, 0.1, 0.1, 0.99), (0.3, 0.3, 0.99, 0.999)],
)
def test_letters_that_look_alike_upside_down_face_as_their_row_does(row):
    """RAIN: the I and the N together are no witnesses of the way that they face."""
    assert [2] * len(row) == _settled(row)


def test_one_letter_tells_how_a_long_word_faces():
    """From one end of nine tiles to the other, where all others look alike upside down."""
    assert [2] * 9 == _settled((0.999, *[0.5] * 8))


def test_what_a_tile_is_told_does_not_come_back_to_it():
    """Two letters that are in doubt stay in doubt: each only leans the way the other does."""
    spots, both = _row((0.4, 0.4))
    seen = np.exp(settle_facing(spots, both, np.ones(2, bool))[:, 0])

    assert [0, 0] == seen.argmax(-1).tolist()
    assert (seen.max(-1) < 0.7).all()


def test_a_tile_that_surely_faces_another_way_keeps_it():
    """A word of the other side of the table may touch this one."""
    assert [2, 2, 0] == _settled((0.99, 0.99, 0.0001))


def test_tiles_apart_say_nothing_of_each_other():
    """Twice a tile's side away begins something else."""
    assert [2, 0] == _settled((0.99, 0.4), pitch=2 * SIDE)
