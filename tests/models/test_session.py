"""Pictures as the networks take them: at an even exposure, in patches of 4 x 4 pixels."""

from __future__ import annotations

import numpy as np

from kibitz.models.session import FLOOR, LEVELS, patches


def test_patches_hold_their_pixels_row_after_row():
    """Patch (1, 2) of the second picture is its pixels of rows 4-7 and columns 8-11."""
    rng = np.random.default_rng(3)
    # Two values in equal parts: mean 125 and spread 25 exactly.
    dark = rng.permutation(np.repeat([True, False], 8 * 16 * 3 // 2)).reshape(8, 16, 3)
    second = np.where(dark, 100, 150).astype(np.uint8)
    first = np.full((8, 16, 3), 90, np.uint8)
    low, high = (round(128 + side * 25 * LEVELS / (25 + FLOOR)) for side in (-1, 1))

    cut = patches(np.stack([first, second]))

    assert cut.shape == (2, 2, 4, 48)
    expected = np.where(dark, low, high)[4:8, 8:12].reshape(48)
    assert cut[1, 1, 2].tolist() == expected.tolist()
    assert set(cut[0].ravel().tolist()) == {128}


def test_patches_do_not_feel_the_exposure():
    """A picture twice as bright is nearly the same in patches."""
    rng = np.random.default_rng(4)
    dim = rng.integers(20, 120, (1, 60, 60, 3)).astype(np.uint8)

    apart = patches(dim).astype(int) - patches(dim * 2).astype(int)

    assert np.abs(apart).max() <= 8


def test_a_part_is_lit_as_the_whole_picture():
    """Patches of a picture's right half are the right half of its patches."""
    rng = np.random.default_rng(5)
    whole = rng.integers(0, 256, (8, 16, 3)).astype(np.uint8)
    whole[:, 8:] //= 4

    of_part = patches(whole[None, :, 8:], whole)

    assert np.array_equal(of_part, patches(whole[None])[:, :, 2:])
    assert not np.array_equal(of_part, patches(whole[None, :, 8:]))
