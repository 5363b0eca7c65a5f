"""The lattice of a board of any size is found by its lines."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.calibration.any_size import (
    SIZE,
    Evidence,
    find_lattice,
    find_sized,
    goes_on,
)
from kibitz.calibration.board_geometry import Pyramid, geometry_from_corners
from kibitz.calibration.outline import Masks, masks_of
from kibitz.models.session import load_model
from kibitz.models.training.drawing.scene import make_scene
from kibitz.models.training.drawing.sized_boards import photograph

SIDE = 440.0
"""Pixels of the ruled boards of these tests."""
CORNERS = np.array(
    [(150.0, 120.0), (150 + SIDE, 120.0), (150 + SIDE, 120 + SIDE), (150, 120 + SIDE)]
)


def ruled(squares: int, width: int = 760, height: int = 700):
    """A board of bare squares on a plain table, seen from straight above."""
    picture = np.full((height, width, 3), 90, np.uint8)
    picture += np.random.default_rng(3).integers(0, 6, picture.shape, np.uint8)
    x0, y0 = CORNERS[0].astype(int)
    x1, y1 = CORNERS[2].astype(int)
    picture[y0:y1, x0:x1] += 70
    for k in range(squares + 1):
        at = round(k * SIDE / squares)
        cv2.line(picture, (x0 + at, y0), (x0 + at, y1), (40, 40, 40), 2)
        cv2.line(picture, (x0, y0 + at), (x1, y0 + at), (40, 40, 40), 2)
    return picture


def seen(picture, corners=CORNERS) -> Masks:
    """What a finder that makes no mistake would say."""
    h, w = picture.shape[:2]
    mask = np.full((h // 4, w // 4), -4.0, np.float32)
    cv2.fillConvexPoly(mask, (corners / 4).astype(np.int32), 4.0)
    return Masks(mask, mask, w // 4, h // 4, 4.0, (0.0, 0.0))


@pytest.fixture(scope="module")
def finder():
    """The published one."""
    return load_model("finder")


@pytest.mark.parametrize("squares", [10, 11, 13, 17])
def test_lines_tell_how_many_squares(squares):
    """An outline half a square off is enough: the number and the corners come from the lines."""
    picture = ruled(squares)
    off = np.array([(-0.5, 0.4), (0.3, -0.5), (0.5, 0.5), (-0.4, -0.3)]) * SIDE / squares

    g = find_lattice(picture, CORNERS + off, seen(picture))

    assert g is not None
    assert squares == g.size
    assert np.abs(g.corners_px - CORNERS).max() < 0.1 * SIDE / squares


def test_nothing_without_lines():
    """A plain area has no lattice."""
    picture = np.full((700, 760, 3), 90, np.uint8)

    assert find_lattice(picture, CORNERS, seen(picture)) is None


@pytest.mark.parametrize("squares", [11, 17, 21])
def test_drawn_boards_are_found(squares, finder):
    """Photographs of drawn boards, turned and tilted: the number and the corners are right."""
    found = []
    for i in range(3):
        board = photograph(np.random.default_rng([5, squares, i + 2]), squares)
        g = find_sized(Pyramid(board.picture), finder, squares)
        if g is not None:
            true = board.geometry.corners_px
            off = min(np.abs(np.roll(g.corners_px, k, 0) - true).max() for k in range(4))
            found.append(g.size == squares and off < 0.35 * g.square_px)

    assert [True] * len(found) == found
    assert len(found) >= 2


@pytest.mark.parametrize(("inner", "expected"), [(15, True), (21, False)])
def test_lines_that_go_on(inner, expected):
    """15 squares of a board of 21 have more beside them; the whole board has not."""
    picture = ruled(21)
    whole = geometry_from_corners(CORNERS, 21, 760, 700)
    part = whole.to_px(np.array([(3.0, 3.0), (18.0, 3.0), (18.0, 18.0), (3.0, 18.0)]))
    corners = part if inner == 15 else CORNERS

    assert expected is goes_on(picture, geometry_from_corners(corners, inner, 760, 700))


@pytest.mark.parametrize(
    "rule",
    [
        replace(SIZE, fewest=14),
        replace(SIZE, off=0.5),
    ],
    ids=["fewest", "off"],
)
def test_what_is_not_believed(rule):
    """Each of these numbers, set elsewhere, leaves the board of 11 squares out."""
    picture = ruled(11)
    off = np.array([(-1.2, 1.0), (0.8, -0.9), (1.1, 0.7), (-0.9, -0.8)]) * SIDE / 11
    usual = find_lattice(picture, CORNERS + off, seen(picture))
    other = find_lattice(picture, CORNERS + off, seen(picture), rule=rule)

    assert usual is not None
    assert 11 == usual.size
    assert other is None or 11 != other.size


def test_a_rim_of_one_square_is_no_row():
    """A rim as wide as a square has an edge where a line could be, but no lines across."""
    picture = ruled(11)
    px = round(SIDE / 11)
    x0, y0 = CORNERS[0].astype(int) - px
    x1, y1 = CORNERS[2].astype(int) + px
    cv2.rectangle(picture, (int(x0), int(y0)), (int(x1), int(y1)), (30, 30, 30), 2)
    trusting = replace(
        SIZE,
        told_by=Evidence(beyond=0.0, strongest=0.0, outer=0.0, weakest=0.0, area=0.0, border=5.0),
    )

    g = find_lattice(picture, CORNERS, seen(picture))
    wrong = find_lattice(picture, CORNERS, seen(picture), rule=trusting)

    assert g is not None
    assert wrong is not None
    assert 11 == g.size
    assert 11 != wrong.size


def test_scenes_of_other_sizes_have_as_many_squares():
    """The renderer draws boards of any size with the truth of every square."""
    scene = make_scene(np.random.default_rng(1), 10)

    assert (10, 10) == scene.kinds.shape
    assert (540, 540, 3) == scene.image.shape
    assert masks_of(scene.image, load_model("finder")).area.shape == (80, 80)
