"""Printed corner markers for boards that are hard to find, and finding them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import BoardGeometry, Picture, geometry_from_corners

DICTIONARY = cv2.aruco.DICT_4X4_50
CORNER_IDS = (10, 11, 12, 13)
"""Markers for row A column 1, row A last column, last row last column, last row column 1."""
MARKER_MM = 30.0
DPI = 300


def marker_sheet() -> NDArray[np.uint8]:
    """A page of four corner markers at true size on A4, 300 dots an inch: (3508, 2480) grey.

    Each marker is 30 mm wide; an arrow shows which of its corners touches the playing area.
    """
    page = np.full((3508, 2480), 255, np.uint8)
    side = round(MARKER_MM / 25.4 * DPI)
    names = (
        "row A, column 1",
        "row A, last column",
        "last row, last column",
        "last row, column 1",
    )
    inner = ((1, 1), (0, 1), (0, 0), (1, 0))  # the marker corner next to the playing area
    for k, (name, (ix, iy)) in enumerate(zip(names, inner, strict=True)):
        x, y = 400 + (k % 2) * 1000, 500 + (k // 2) * 1300
        image = cv2.aruco.generateImageMarker(
            cv2.aruco.getPredefinedDictionary(DICTIONARY), CORNER_IDS[k], side
        )
        page[y : y + side, x : x + side] = image
        cv2.putText(page, name, (x - 60, y - 90), cv2.FONT_HERSHEY_SIMPLEX, 1.5, 0, 3, cv2.LINE_AA)
        tip = (x + ix * side, y + iy * side)
        tail = (tip[0] + (120 if ix else -120), tip[1] + (120 if iy else -120))
        cv2.arrowedLine(page, tail, tip, 0, 5, cv2.LINE_AA, tipLength=0.25)
    text = (
        "Print at 100 %: this line is 100 mm long.",
        "Lay each marker outside its corner,",
        "the arrow's tip on the corner of the playing area.",
    )
    for i, line in enumerate(text):
        cv2.putText(
            page, line, (300, 2900 + 90 * i), cv2.FONT_HERSHEY_SIMPLEX, 1.7, 0, 3, cv2.LINE_AA
        )
    cv2.line(page, (300, 3200), (300 + round(100 / 25.4 * DPI), 3200), 0, 6)
    return page


def find_markers(picture: Picture, size: int = 15) -> BoardGeometry | None:
    """The board between four corner markers, or None where not all four are seen."""
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
