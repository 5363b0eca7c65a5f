"""Printed corner markers for boards that are hard to find, and their detection."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from kibitz.calibration.board_geometry import BoardGeometry, Picture, geometry_from_corners
from kibitz.engine.table import SIDE

DICTIONARY = cv2.aruco.DICT_4X4_50
CORNER_IDS: Final = (10, 11, 12, 13)
"""Markers for row A column 1, row A last column, last row last column, last row column 1."""
MARKER_MM: Final = 30.0
CELLS: Final = 6
"""So many cells lie side by side in a marker, its black rim included."""


def marker_cells(number: int) -> tuple[tuple[bool, ...], ...]:
    """Cells of a marker, six by six with a black border; True is white."""
    cells = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(DICTIONARY), number, CELLS
    )
    return tuple(tuple(bool(cell) for cell in row) for row in cells)


def find_markers(picture: Picture, size: int = SIDE) -> BoardGeometry | None:
    """The board between four corner markers; None unless all four are seen."""
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(DICTIONARY), cv2.aruco.DetectorParameters()
    )
    found, ids, _ = detector.detectMarkers(picture)
    if len(found) == 0:
        return None
    # A marker's corners come clockwise from its own top left; which one touches the board:
    touching = {10: 2, 11: 3, 12: 0, 13: 1}
    at = {
        int(i): quad.reshape(4, 2)[touching[int(i)]]
        for i, quad in zip(ids.ravel(), found, strict=True)
        if int(i) in touching
    }
    if set(at) != set(CORNER_IDS):
        return None
    corners = np.array([at[i] for i in CORNER_IDS], float)
    return geometry_from_corners(corners, size, picture.shape[1], picture.shape[0])
