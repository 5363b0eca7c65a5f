"""The colours of squares tell sets of tiles apart and how bright a board is."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.vision.boards.colours.tile_colours import SquareColours, split_colours
from kibitz.vision.readings import TILE_KIND


@pytest.mark.parametrize(
    ("apart", "light", "spread", "expected"),
    [
        (24, 0, 0, "a"),
        (28, 0, 0, "ab"),
        (0, 35, 0, "a"),  # brightness counts seven tenths
        (0, 40, 0, "ab"),
        (40, 0, 12, "ab"),
        (40, 0, 15, "a"),  # hardly three times as far as tiles of one set are apart
    ],
)
def test_two_sets_of_tiles_are_26_apart(apart, light, spread, expected):
    """In CIELAB distances, and three times as far as tiles are from the middle of their set."""
    colours = np.zeros((15, 15, 3), np.float32)
    colours[..., 0] = 50
    colours[0, 5:10] += (light, apart, 0)
    colours[0, :10, 2] += spread * np.array([-1, -1, 0, 1, 1] * 2)
    tiles = np.zeros((15, 15), bool)
    tiles[0, :10] = True

    assert expected == "".join(sorted(set(split_colours(colours, tiles)[tiles])))


@pytest.mark.parametrize(("light", "times"), [(130, 1), (120, 2), (60, 4), (31, 8)])
def test_a_dark_board_is_measured_as_if_it_were_bright(light, times):
    """One whose brightest parts are below 128 grey levels, so that they come near 255."""
    picture = np.full((17 * 24, 17 * 24, 3), light, np.uint8)

    assert times == SquareColours(picture, 24)._gain
    assert TILE_KIND == 1


@pytest.mark.parametrize(
    ("bgr", "expected"),
    [
        ((0, 0, 255), (53.2, 80.1, 67.2)),
        ((255, 0, 0), (32.3, 79.2, -107.9)),
        ((255, 255, 255), (100.0, 0.0, 0.0)),
    ],
)
def test_colours_are_measured_in_cielab(bgr, expected):
    """As CIE 1976 has it, of sRGB under daylight."""
    picture = np.full((17 * 24, 17 * 24, 3), bgr, np.uint8)

    middles, edges = SquareColours(picture, 24).of(np.ones((15, 15), bool))

    assert expected == pytest.approx(middles[7, 7].tolist(), abs=0.3)
    assert expected == pytest.approx(edges[7, 7].tolist(), abs=0.3)
