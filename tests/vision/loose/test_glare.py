"""What a lamp's glare leaves of a letter is made plain."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.vision.loose.glare import in_glare, is_faint, stretched


def test_glare_is_where_a_tile_is_burnt_out() -> None:
    """A tile lies in glare where most of it is nearly as bright as can be in some channel.

    One of ivory in good light is not yet.
    """
    picture = np.full((100, 300, 3), 240, np.uint8)
    picture[:, 100:200, 0] = 250
    picture[45:55, 245:255] = 255
    where = np.array([(50, 50, 40, 0.0), (150, 50, 40, 0.0), (250, 50, 40, 0.0)])

    assert in_glare(picture, where).tolist() == [False, True, False]


@pytest.mark.parametrize(("across", "burnt"), [(12, False), (24, True)])
def test_how_much_of_a_tile_glare_covers(across: int, burnt: bool) -> None:
    """Of a tile 40 pixels wide a spot in the middle must reach a fifth of it to all sides."""
    picture = np.full((100, 100, 3), 120, np.uint8)
    picture[50 - across // 2 : 50 + across // 2, 50 - across // 2 : 50 + across // 2] = 255

    assert [burnt] == in_glare(picture, np.array([(50, 50, 40, 0.0)])).tolist()


def test_the_channel_that_tells_most_is_stretched() -> None:
    """A letter of thirty grey levels in one channel is black and white in all of them."""
    cut = np.full((1, 60, 60, 3), 255, np.uint8)
    cut[..., 2] = 220
    cut[:, 20:40, 27:33, 2] = 250
    grey = stretched(cut)

    assert (int(grey[0, 30, 30].min()), int(grey[0, 30, 20].max())) == (220, 20)
    assert np.array_equal(grey[..., 0], grey[..., 2])


@pytest.mark.parametrize(("contrast", "spread"), [(2, 100), (6, 200)])
def test_noise_is_not_made_a_letter(contrast: int, spread: int) -> None:
    """A range of four grey levels is made full, a smaller one is stretched no further."""
    cut = np.full((1, 60, 60, 3), 200, np.uint8)
    cut[:, 20:40, 27:33] += np.uint8(contrast)
    grey = stretched(cut)[0, ..., 0]

    assert spread == int(grey[30, 30]) - int(grey[30, 20])


def test_which_contrasts_make_a_second_look_pay() -> None:
    """From noise to what is plain enough at once."""
    contrast = np.array([3.0, 5.0, 75.0, 85.0])

    assert [False, True, True, False] == is_faint(contrast).tolist()
