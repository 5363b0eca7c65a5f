"""Tables seen askew are straightened by their tiles, and only where that pays."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.calibration.board_geometry import Pyramid
from kibitz.vision.loose import askew
from kibitz.vision.loose.askew import RULES, evened, from_above
from kibitz.vision.loose.finder import Spots

SIDE = 40.0
ANGLES = (3.0, 25.0, 40.0, 62.0, 80.0, 14.0)


def pressed(by: float, turn_deg: float = 0.0) -> np.ndarray:
    """A map that presses a table together in one direction, areas kept."""
    c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    turn = np.array([(c, -s), (s, c)])
    return turn @ np.diag([by**0.5, by**-0.5]) @ turn.T


def table(view: np.ndarray, count: int = 6, far: tuple = ()) -> tuple[np.ndarray, Spots]:
    """Square tiles on a table as they look pressed together, each with where it seems to lie.

    `far`: corners of a line on the table beside the tiles.
    """
    picture = np.full((420, 620, 3), 60, np.uint8)
    where = []
    for k, angle in enumerate(ANGLES[:count]):
        middle = np.array([120.0 + 190 * (k % 3), 130.0 + 170 * (k // 3)])
        way = np.deg2rad(angle + 45 + 90 * np.arange(4))
        corners = SIDE / 2**0.5 * np.stack([np.cos(way), np.sin(way)], -1) @ view.T + middle
        cv2.fillPoly(picture, [np.round(corners * 16).astype(np.int32)], (200, 220, 230), shift=4)
        sides = np.roll(corners, -1, 0) - corners
        seems = np.angle(np.exp(4j * np.arctan2(sides[:, 1], sides[:, 0])).mean(), deg=True) / 4
        where.append((*middle, SIDE, seems))
    if far:
        cv2.line(picture, *far, (255, 255, 255), 9)
    ones = np.ones(count)
    return picture, Spots(np.array(where), ones, ones)


def as_laid(picture: np.ndarray, spots: Spots) -> list[bool]:
    """Of each tile whether all of its square shows its colour, and nothing around does."""
    out = []
    for x, y, side, angle in spots.where:
        way = np.deg2rad(angle + 90 * np.arange(4))
        round_ = np.stack([np.cos(way), np.sin(way)], -1)
        inside, outside = (
            picture[tuple(np.round((x, y) + far * side * round_).astype(int).T[::-1])]
            for far in (0.42, 0.6)
        )
        out.append(bool(inside.min() > 150 and outside.max() < 110))
    return out


@pytest.mark.parametrize(("by", "turn_deg"), [(1.4, 0.0), (1.7, 90.0), (1.6, 30.0)])
def test_squares_are_squares_again(by, turn_deg):
    """However the table is pressed together, each tile fills its square as from above."""
    picture, spots = table(pressed(by, turn_deg))
    above, there = from_above(Pyramid(picture), spots)

    assert not all(as_laid(picture, spots))
    assert all(as_laid(above.level(0), there))


def test_tiles_are_where_they_were():
    """In the middle of each of them, and at no line between them, is its colour."""
    picture, spots = table(pressed(1.6, 30.0))
    above, there = from_above(Pyramid(picture), spots)
    x, y = np.round(there.where[:, :2]).astype(int).T

    assert np.array_equal(np.full((6, 3), (200, 220, 230)), above.level(0)[y, x])


@pytest.mark.parametrize(("times", "expected"), [(1, 40.0), (4, 80.0), (6, 60.0)])
def test_large_tiles_are_looked_at_no_larger_than_they_must_be(times, expected):
    """Halved as often as leaves them as large as they are looked at."""
    picture, spots = table(pressed(1.6))
    large = cv2.resize(picture, None, fx=times, fy=times)
    where = spots.where * (times, times, times, 1)
    _, there = from_above(Pyramid(large), replace(spots, where=where))

    assert [expected] * 6 == there.where[:, 2].tolist()


@pytest.mark.parametrize(
    ("by", "count", "changed", "rules"),
    [
        (1.05, 6, False, RULES),
        (1.25, 6, True, RULES),
        (1.25, 6, False, replace(RULES, least=1.3)),
        (1.05, 6, True, replace(RULES, least=1.0)),
        (1.9, 6, True, RULES),
        (1.6, 3, False, RULES),
        (1.6, 4, True, RULES),
    ],
)
def test_when_it_pays(by, count, changed, rules, monkeypatch):
    """Not for a little, and not by three tiles."""
    picture, spots = table(pressed(by), count)
    pyramid = Pyramid(picture)

    monkeypatch.setattr(askew, "RULES", rules)

    assert changed == (from_above(pyramid, spots)[0] is not pyramid)


def test_only_edges_of_tiles_count():
    """A line on the table further from all of them says nothing."""
    as_it_is = []
    for y in (145, 170):
        picture, spots = table(np.eye(2), far=((20, y), (600, y)))
        pyramid = Pyramid(picture)
        as_it_is.append(from_above(pyramid, spots)[0] is pyramid)

    assert [False, True] == as_it_is


def test_a_picture_without_edges_needs_no_stretch():
    """Nothing is divided by nothing."""
    assert np.eye(2) == pytest.approx(evened(np.zeros(60)))


def test_equal_edges_need_no_stretch():
    """Nor does an empty table."""
    assert np.allclose(np.eye(2), evened(np.ones(60)))
    picture = Pyramid(np.zeros((50, 50, 3), np.uint8))
    nothing = Spots(np.zeros((0, 4)), np.zeros(0), np.zeros(0))

    assert (picture, nothing) == from_above(picture, nothing)


def test_tiles_that_lie_straight_ask_for_most_rounds():
    """Edges across the way in which a table is pressed together are twice as long."""
    ways = np.zeros(60)
    ways[[0, 30]] = 1.0, 2.0

    found = evened(ways)

    assert 2.0 == pytest.approx(found[1, 1] / found[0, 0], abs=0.01)
