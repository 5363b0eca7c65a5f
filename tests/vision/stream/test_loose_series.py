"""Loose tiles before a fixed camera: what has not changed stays what it was taken for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.readings import LooseTile, PhotoReading
from kibitz.vision.stream.loose_series import LOOSE_SERIES, remembering

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


def reading(*tiles: LooseTile) -> PhotoReading:
    """What was read of a picture."""
    return PhotoReading(200, 120, (), tiles)


def after(now, before, new=None, old=None, rule=LOOSE_SERIES) -> list[str]:
    """The letters that are told of a picture, left to right."""
    new, old = new or table("left", "right"), old or table("left", "right")
    found = remembering(reading(*now), new, reading(*before), old, rule)
    return [t.letter for t in sorted(found.loose, key=lambda t: t.centre_px)]


@pytest.mark.parametrize(
    ("sure", "expected"), [(0.3, ["?"]), (0.34, ["?"]), (0.36, ["G"]), (0.9, ["G"])]
)
def test_a_back_becomes_a_face_only_when_that_is_surer(sure, expected):
    """What was read before counts seven tenths of what it did."""
    assert expected == after([tile("G", sure=sure)], [tile("?", sure=0.5)])


def test_a_tile_that_was_touched_is_what_is_read_now():
    """Its picture has changed, so what it was says nothing."""
    touched = Pyramid(np.roll(table("left").level(0), 12, axis=0))

    assert ["G"] == after([tile("G", sure=0.1)], [tile("?", sure=0.9)], new=touched)


def test_other_light_is_no_touch():
    """A lamp that dims makes all of the picture darker."""
    dim = table("left", "right", dark=0.8)

    assert ["?"] == after([tile("G", sure=0.2)], [tile("?", sure=0.5)], new=dim)


@pytest.mark.parametrize(("now", "expected"), [("G", ["G"]), ("O", ["O"])])
def test_letters_are_averaged(now, expected):
    """Two pictures weigh a little more than one half each: the newer one leads."""
    assert expected == after([tile(now)], [tile("O")])


def test_a_tile_that_is_not_seen_for_a_moment_is_still_there():
    """It fades picture by picture, and is gone once it would no longer be told."""
    seen, told = reading(tile("?", sure=0.5)), []
    for _ in range(3):
        seen = remembering(reading(), table("left"), seen, table("left"))
        told.append(len(seen.loose))

    assert [1, 1, 0] == told


def test_a_tile_that_was_taken_away_is_gone():
    """The bare table shows where it lay."""
    assert [] == after([], [tile("G", sure=0.9)], new=table("right"))


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("kept", 0.3, ["G"]),
    ],
)
def test_what_each_number_does(name, value, expected):
    """A tile that is read eight pixels off, and less surely than the back it was."""
    now = replace(tile("G", sure=0.3), centre_px=(68.0, 60.0))
    new = Pyramid(np.clip(table("left").level(0).astype(int) + 1, 0, 255).astype(np.uint8))
    rule = replace(LOOSE_SERIES, **{name: value})

    assert ["?"] == after([now], [tile("?", sure=0.5)], new=new, old=table("left"))
    assert expected == after([now], [tile("?", sure=0.5)], new=new, old=table("left"), rule=rule)


def test_another_camera_remembers_nothing():
    """Pictures of another size are not compared."""
    other = Pyramid(np.zeros((60, 100, 3), np.uint8))

    assert ["G"] == after([tile("G", sure=0.1)], [tile("?", sure=0.9)], old=other)


@pytest.mark.parametrize(("aside", "expected"), [(0.25, ["?"]), (0.4, ["?", "G"])])
def test_how_far_a_tile_may_be_off_and_be_the_same(aside, expected):
    """Three tenths of its side; what is further off is another tile."""
    now = replace(tile("G", sure=0.3), centre_px=(60.0 + 40 * aside, 60.0))

    assert expected == after([now], [tile("?", sure=0.5)])
