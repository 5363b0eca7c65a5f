"""Loose tiles before a fixed camera: what has not changed stays what it was taken for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.readings import LooseTile, PhotoReading
from kibitz.vision.stream.loose_series import remembering

LABELS = "GO?"
PLACES = {"left": (60.0, 60.0), "right": (140.0, 60.0)}


def table(*places: str, dark: float = 1.0) -> Pyramid:
    """A grey table with bright tiles of 40 pixels."""
    out = np.full((120, 200, 3), 90.0)
    for place in places:
        x, y = (int(v) for v in PLACES[place])
        out[y - 20 : y + 20, x - 20 : x + 20] = 200.0
    return Pyramid((out * dark).astype(np.uint8))


def tile(letter: str, place: str = "left", sure: float = 0.5) -> LooseTile:
    """A tile that looks like a letter, `?` a back."""
    values = np.full(len(LABELS), 0.1)
    values[LABELS.index(letter)] = 0.8
    logs = np.log(values / values.sum()).astype(np.float32)
    return LooseTile(letter, letter != "?", PLACES[place], 0.0, 40.0, sure, logs)


def looked_at_twice(letter: str) -> LooseTile:
    """A tile that looked the same in two pictures."""
    return replace(tile(letter), looks=2)


def reading(*tiles: LooseTile) -> PhotoReading:
    """What was read of a picture."""
    return PhotoReading(200, 120, (), tiles)


def after(now, before, new=None, *between: Pyramid, old=None) -> list[str]:
    """The letters that are told of a picture, left to right; nothing is read of those between."""
    known = remembering(reading(*before), old or table("left", "right"), None)
    for picture in between:
        known = remembering(reading(), picture, known)
    found = remembering(reading(*now), new or table("left", "right"), known)
    return [t.letter for t in sorted(found.loose, key=lambda t: t.centre_px)]


def looked_at(*looks: LooseTile | None) -> tuple[LooseTile, ...]:
    """What is told of a tile at rest after several looks at it, None where it was missed."""
    still, seen = table("left"), None
    for look in looks:
        seen = remembering(reading(*([] if look is None else [look])), still, seen)
    return seen.loose


@pytest.mark.parametrize(
    ("looks", "expected"), [("GG?", "G"), ("GG???", "?"), ("?GG", "G"), ("GOO", "O"), ("OOG", "O")]
)
def test_all_looks_at_a_tile_count_alike(looks, expected):
    """However sure each of them is that it is a tile."""
    (found,) = looked_at(*(tile(x, sure=0.3 + 0.1 * i) for i, x in enumerate(looks)))

    assert expected == found.letter


def test_a_tile_that_was_touched_is_what_is_read_now():
    """Its picture has changed, so what it was says nothing."""
    touched = Pyramid(np.roll(table("left").level(0), 12, axis=0))

    assert ["G"] == after([tile("G", sure=0.1)], [tile("?", sure=0.9)], new=touched)


@pytest.mark.parametrize(
    ("part", "colour"),
    [
        pytest.param(np.s_[52:60, 58:62], 90.0, id="a stroke"),
        pytest.param(np.s_[40:80, 40:80], (240.0, 190.0, 209.0), id="as bright in another colour"),
    ],
)
def test_a_tile_that_another_lies_in_place_of_is_what_is_read_now(part, colour):
    """A thin letter is little of a tile, and a colour may be as bright as another."""
    other = table("left", "right").level(0).copy()
    other[part] = colour

    assert ["G"] == after([tile("G", sure=0.1)], [looked_at_twice("?")], new=Pyramid(other))


def test_a_picture_that_is_unsteady_everywhere_is_no_touch():
    """What was packed worse than the picture before differs at every tile."""
    before = table("left", "right").level(0)
    blocks = np.random.default_rng(1).choice([-20.0, 0.0, 20.0], (24, 40, 1))
    worse = Pyramid((before + blocks.repeat(5, 0).repeat(5, 1)).astype(np.uint8))

    assert ["?"] == after([tile("G", sure=0.2)], [looked_at_twice("?")], new=worse)


def test_a_tile_that_is_measured_otherwise_is_the_same():
    """Looks find its side a little longer or shorter: all that was read of it counts."""
    looks = (replace(tile(x), size_px=40.0 + 2 * i % 5) for i, x in enumerate("???GG"))

    assert ["?"] == [found.letter for found in looked_at(*looks)]


def test_a_tile_that_an_arm_hid_is_what_it_was():
    """It looks as it did, so nobody touched it, and all looks at it count."""
    arm = table("right")

    assert ["?"] == after([tile("G", sure=0.3)], [looked_at_twice("?")], None, arm, arm)


def test_a_tile_that_an_arm_hid_may_be_gone():
    """What an arm hid and nobody sees again is not told."""
    assert [] == after([], [looked_at_twice("?")], None, table("right"))


def test_other_light_is_no_touch():
    """A lamp that dims makes all of the picture darker."""
    dim = table("left", "right", dark=0.8)

    assert ["?"] == after([tile("G", sure=0.2)], [looked_at_twice("?")], new=dim)


@pytest.mark.parametrize(("now", "expected"), [("G", ["G"]), ("O", ["O"])])
def test_letters_are_averaged(now, expected):
    """Of two pictures that say as much the newer one leads."""
    assert expected == after([tile(now)], [tile("O")])


@pytest.mark.parametrize("looks", [1, 3])
@pytest.mark.parametrize(("sure", "times"), [(0.28, 2), (0.48, 4)])
def test_a_tile_that_is_not_seen_for_a_while_is_still_there(looks, sure, times):
    """It is gone once too few of all looks at it have seen it; the surer they were the longer."""
    seen, missed = [tile("?", sure=sure)] * looks, [None] * looks * times

    assert 1 == len(looked_at(*seen, *missed[looks:]))
    assert 0 == len(looked_at(*seen, *missed))


def test_a_tile_that_was_taken_away_is_gone():
    """The bare table shows where it lay."""
    assert [] == after([], [tile("G", sure=0.9)], new=table("right"))


def test_another_camera_remembers_nothing():
    """Pictures of another size are not compared."""
    still = table("left", "right")
    known = remembering(reading(looked_at_twice("?")), still, None)
    found = remembering(reading(tile("G")), still, replace(known, width=100))

    assert ["G"] == [t.letter for t in found.loose]


@pytest.mark.parametrize(("aside", "expected"), [(0.55, ["?"]), (0.7, ["?", "G"])])
def test_how_far_a_tile_may_be_off_and_be_the_same(aside, expected):
    """As far as two tiles would lie in one another; what is further off is another tile."""
    now = replace(tile("G", sure=0.3), centre_px=(60.0 + 40 * aside, 60.0))

    assert expected == after([now], [looked_at_twice("?")])
