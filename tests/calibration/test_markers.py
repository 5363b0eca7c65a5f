"""Printed markers are found where they lie; advice names what is wrong."""

import cv2
import numpy as np

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.calibration.markers import (
    CORNER_IDS,
    DICTIONARY,
    MARKER_MM,
    find_markers,
    marker_cells,
)
from kibitz.calibration.quality import advice, judge_view


def board_with_markers(side=40):
    picture = np.full((700, 700, 3), 230, np.uint8)
    lo, hi = 120, 580
    spots = {10: (lo - side, lo - side), 11: (hi, lo - side), 12: (hi, hi), 13: (lo - side, hi)}
    for i, (x, y) in spots.items():
        image = cv2.aruco.generateImageMarker(
            cv2.aruco.getPredefinedDictionary(DICTIONARY), i, side
        )
        picture[y : y + side, x : x + side] = image[..., None]
    return picture, np.array([(lo, lo), (hi, lo), (hi, hi), (lo, hi)], float)


def test_four_markers_give_the_corners():
    """The playing area between four markers is found to a pixel and a half."""
    picture, corners = board_with_markers()

    found = find_markers(picture)

    assert found is not None
    assert np.abs(found.corners_px - corners).max() < 1.5


def test_sheets_printed_before_are_still_found():
    """Other markers, or another size of them, would make them useless."""
    assert ((10, 11, 12, 13), 30.0) == (CORNER_IDS, MARKER_MM)


def test_a_missing_marker_gives_nothing():
    """Three markers are not enough."""
    picture, _ = board_with_markers()
    picture[580:, 580:] = 230

    assert find_markers(picture) is None


def test_the_cells_of_a_marker():
    """Six by six with a black rim, as they are recognised."""
    for number in CORNER_IDS:
        cells = np.array(marker_cells(number))
        drawn = np.kron(np.pad(cells, 1, constant_values=True), np.full((20, 20), 255))
        detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
        _, ids, _ = detector.detectMarkers(drawn.astype(np.uint8))

        assert (6, 6) == cells.shape
        assert not cells[[0, -1]].any()
        assert not cells[:, [0, -1]].any()
        assert [number] == ids.ravel().tolist()


def test_a_small_dark_view_is_told_so():
    """Few pixels and little light are named, in words with the numbers."""
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 30, (300, 300, 3)).astype(np.uint8)
    corners = np.array([(100, 100), (220, 100), (220, 220), (100, 220)], float)

    said = advice(judge_view(picture, geometry_from_corners(corners, 15, 300, 300)))

    assert any("8 pixels" in line for line in said)
    assert any("dark" in line for line in said)
