"""A lattice is held against a drawn board's own lines."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.calibration.comb import (
    FLAT_MARGIN,
    FLAT_PX,
    CombFit,
    Lines,
    _edges,
    colours_of,
    find_lines,
    flatten,
    measure_lines,
    nudge_corners,
)
from kibitz.calibration.lattice import straighten_for_model

SQUARE_PX, MARGIN = FLAT_PX, FLAT_MARGIN
SIDE = round((15 + 2 * MARGIN) * SQUARE_PX)


def ruled(first: tuple[float, float], last: tuple[float, float]) -> np.ndarray:
    """A flattened grey table with 16 dark lines each way between two corners of a board."""
    flat = np.full((SIDE, SIDE, 3), 150, np.uint8)
    (x0, y0), (x1, y1) = ((np.array(at) + MARGIN) * SQUARE_PX for at in (first, last))
    for x, y in zip(np.linspace(x0, x1, 16).round(), np.linspace(y0, y1, 16).round(), strict=True):
        cv2.line(flat, (int(x), round(y0)), (int(x), round(y1)), (60, 60, 60))
        cv2.line(flat, (round(x0), int(y)), (round(x1), int(y)), (60, 60, 60))
    return flat


@pytest.mark.parametrize(
    ("first", "last"), [((0.5, -0.3), (15.5, 14.7)), ((1.0, 0.7), (14.6, 15.5))]
)
def test_lines_beside_the_lattice_say_where_the_board_lies(first, last):
    """To a tenth of a square, be it moved or of another size."""
    lines = find_lines(ruled(first, last))

    frame = np.array(lines.better_frame())
    assert np.abs(frame - (*first, *last)).max() < 0.11
    assert lines.x.strength > 2 * lines.x.here


@pytest.mark.parametrize(("aside", "found"), [(1.7, True), (2.1, False)])
def test_how_far_lines_are_looked_for(aside, found):
    """Up to 1.8 squares from the lattice's own: two rows further the board would be another."""
    first, *_ = find_lines(ruled((aside, 0.0), (15.0, 15.0))).better_frame()

    assert found == (abs(first - aside) < 0.11)


def test_lines_are_looked_for_in_tenths_of_a_square():
    """What lies between is found as the nearest."""
    frame = find_lines(ruled((0.46, -0.33), (15.46, 14.67))).better_frame()

    assert (0.5, -0.3, 15.5, 14.7) == frame


@pytest.mark.parametrize(("strength", "expected"), [(1.04, None), (1.12, (0.5, 0.0, 15.0, 15.0))])
def test_how_much_stronger_other_lines_must_be(strength, expected):
    """By eight hundredths."""
    other, own = CombFit(0.5, 15.0, strength, 1.0), CombFit(0.3, 15.3, 1.0, 1.0)

    assert expected == Lines(other, own).better_frame()


@pytest.mark.parametrize(("part", "expected"), [(0.01, 20), (0.02, 20), (0.04, 200), (0.2, 200)])
def test_how_many_of_the_edges_count_alike(part, expected):
    """The strongest three in a hundred, however strong they are; the others as they are."""
    flat = np.full((1000, 101, 3), 20, np.uint8)
    flat[:, ::2] = 0
    flat[: round(1000 * part), ::2] = 220
    shown = _edges(flat, 1)

    assert expected == shown.max()


def test_lines_that_lie_on_the_lattice_ask_for_no_other_frame():
    """Nor does a table without any."""
    lines = find_lines(ruled((0, 0), (15, 15)))

    assert lines.better_frame() is None
    assert lines.strength > 2
    assert find_lines(np.full((SIDE, SIDE, 3), 150, np.uint8)).better_frame() is None


def test_a_corner_beside_its_square_makes_the_lines_uneven():
    """The rest stands out; a frame that is right is even."""
    picture = ruled((0, 0), (15, 15))
    corners = (np.array([(0, 0), (15, 0), (15, 15), (0, 15)]) + MARGIN) * SQUARE_PX
    beside = corners.copy()
    beside[2] += SQUARE_PX / 2
    right, wrong = (geometry_from_corners(x, 15, SIDE, SIDE) for x in (corners, beside))

    assert SIDE == flatten(picture, right).shape[0]
    seen = [measure_lines(straighten_for_model(picture, g), g) for g in (right, wrong)]
    assert seen[0][0] > 1.6
    assert seen[0][1] > 0.8 > 0.6 > seen[1][1]
    # Seen as the other frame straightens it, a frame that is right stays so.
    assert measure_lines(straighten_for_model(picture, wrong), right)[1] > 0.8


def test_the_middle_half_of_a_square_tells_its_colour():
    """Four of eight pixels a side; the rim may show other squares. What most of it shows counts."""
    shown = np.full((8, 16, 3), 20, np.uint8)
    shown[2:6, 2:6] = shown[2:6, 10:14] = 200
    shown[2:6, 4:6] = 60  # half of the first middle is dark, less than half of the second
    shown[2:5, 12:14] = 60
    shown[4, 2] = 60

    lightness = colours_of(shown)[..., 0]

    assert [[True, False]] == (lightness < 50).tolist()


def off_after_nudging(move: tuple[float, float]) -> float:
    """How far off, in squares, corners still are from lines that were so far beside them."""
    corners = np.array([(0.0, 0.0), (15.0, 0.0), (15.0, 15.0), (0.0, 15.0)])
    right = geometry_from_corners((corners + MARGIN) * SQUARE_PX, 15, SIDE, SIDE)
    found = nudge_corners(ruled(move, (15 + move[0], 15 + move[1])), right)
    off = found.corners_px / SQUARE_PX - MARGIN - corners - move
    return float(np.abs(off).max())


@pytest.mark.parametrize("move", [(0.2, 0.0), (-0.2, 0.0), (0.0, 0.2), (0.0, -0.2)])
def test_corners_are_moved_onto_the_lines(move):
    """To a seventh of a square, whichever way they were off."""
    assert off_after_nudging(move) < 1 / 7


@pytest.mark.parametrize(("aside", "found"), [(0.3, True), (0.4, False)])
def test_how_far_corners_are_moved(aside, found):
    """Three tenths of a square in steps of two; lines further off are not seen from there."""
    assert found == (off_after_nudging((aside, 0.0)) < 1 / 7)


def test_a_flattened_board_has_a_surround():
    """(320, 320, 3), the board from pixel 40 to 280: two and a half squares around it."""
    picture = np.zeros((600, 600, 3), np.uint8)
    picture[150:450, 150:450] = 255
    corners = np.array([(150.0, 150.0), (450.0, 150.0), (450.0, 450.0), (150.0, 450.0)])
    flat = flatten(picture, geometry_from_corners(corners, 15, 600, 600))
    ys, xs = np.nonzero(flat[..., 0] > 127)

    assert (320, 320, 3) == flat.shape
    assert (40, 40, 279, 279) == (xs.min(), ys.min(), xs.max(), ys.max())
