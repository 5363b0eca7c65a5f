"""Loose tiles are laid out as the board reader wants them."""

from __future__ import annotations

import numpy as np

from kibitz.vision.loose.mosaic import mosaic


def test_a_tile_leaves_a_rim_of_its_square():
    """Nine tenths of a square's side are the tile's, as on a board."""
    table = np.zeros((200, 200, 3), np.uint8)
    table[80:120, 80:120] = 255

    laid = mosaic(table, np.array([(100.0, 100.0, 40.0, 0.0)]), 40, 1)

    assert 36 == np.count_nonzero(laid[60, :, 0] > 127)


def test_tiles_are_cut_from_a_picture_hardly_larger_than_they_are_laid():
    """From a larger one fine print would come out as chance has it, from a smaller one blurred.

    A tile with a pattern of single pixels, and one with stripes of five, each 100 pixels wide.
    """
    table = np.full((200, 400, 3), 128, np.uint8)
    table[50:150, 50:150] = 255 * (np.indices((100, 100)).sum(0) % 2)[..., None]
    table[50:150, 250:350] = 255 * (np.arange(100) // 5 % 2)[:, None]
    spots = np.array([(100.0, 100.0, 100.0, 0.0), (300.0, 100.0, 100.0, 0.0)])

    fine, striped = (mosaic(table, spots[k : k + 1], 42, 1)[52:74, 52:74, 0] for k in (0, 1))

    assert [True, True] == [fine.std() < 2, striped.std() > 80]
