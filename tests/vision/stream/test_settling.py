"""A moving picture is read where it comes to rest."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.vision.stream.stillness import StillWatch, moved, relief_of
from kibitz.vision.stream.video import VideoPicture, settled_pictures
from tests.vision.stream.film_help import film, scene


def test_each_position_once() -> None:
    """Every position at rest comes once, without the hand."""
    found = [item.picture for item, _ in settled_pictures(film(), StillWatch())]
    same = [np.array_equal(f, scene(n)) for f, n in zip(found, (0, 3, 5), strict=True)]

    assert same == [True, True, True]


@pytest.mark.parametrize(("at_s", "expected"), [(0.6992, 1), (0.6986, 0)])
def test_times_are_compared_to_the_millisecond(at_s: float, expected: int) -> None:
    """A film's clock is no finer: seven tenths of a second count from a millisecond before."""
    still = [VideoPicture(f"{t}", t, scene(3)) for t in (0.0, at_s)]

    assert expected == len(list(settled_pictures(still, StillWatch())))


def test_a_position_at_rest_is_looked_at_again() -> None:
    """Five seconds later, for what came slowly; that is no new rest."""
    still = [VideoPicture(f"{k}", k * 0.5, scene(3)) for k in range(25)]
    found = [(item.at_s, first) for item, first in settled_pictures(still, StillWatch())]

    assert [(1.0, True), (6.0, False), (11.0, False)] == found


def test_brightness_is_no_change() -> None:
    """A camera that adapts its exposure sees the same position."""
    assert not moved(relief_of(scene(3)), relief_of(scene(3, brightness=12)))
    assert moved(relief_of(scene(3)), relief_of(scene(4)))
