"""Some of nine joined boards in a picture: where each lies, and where its print begins."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz import app
from kibitz.calibration import patch_finder
from kibitz.calibration.board_finder import panel_of
from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.calibration.patch_finder import PATCH, find_patch, find_print_shift
from kibitz.models.session import load_model
from kibitz.vision.pipeline import Reader, ReadRequest

PX = 10
PHOTO = Path(app.__file__).parent / "data" / "demo" / "frankenscrabbards" / "05.jpg"


def joined() -> np.ndarray:
    """Nine boards flat, each of coloured squares that are their own mirror images."""
    off = np.abs(np.arange(15) - 7)
    y, x = np.meshgrid(off, off, indexing="ij")
    colours = np.random.default_rng(4).integers(40, 220, (8, 8, 3), np.uint8)
    squares = np.tile(colours[np.minimum(x, y), np.maximum(x, y)], (3, 3, 1))
    return squares.repeat(PX, 0).repeat(PX, 1)


def middle_board(dx: float, dy: float) -> np.ndarray:
    """The corners of the fifth board, so many squares beside it."""
    corner = 15 + np.array([(0, 0), (15, 0), (15, 15), (0, 15)])
    return np.add(corner, (dx, dy)) * float(PX)


@pytest.mark.parametrize("move", [(0, 0), (1, 0), (-3, 2), (7, -7)])
def test_a_lattice_moves_to_where_its_boards_print_begins(move):
    """By seven squares at most each way."""
    picture = joined()
    there = geometry_from_corners(middle_board(*move), 15, *picture.shape[1::-1])
    dx, dy, clear = find_print_shift(picture, there)

    assert (-move[0], -move[1]) == (dx, dy)
    assert clear > 0.9


def test_where_nothing_is_printed_nothing_is_told():
    """A table of one colour."""
    picture = np.full((450, 450, 3), 120, np.uint8)
    there = geometry_from_corners(middle_board(0, 0), 15, 450, 450)

    assert (0, 0, 0.0) == find_print_shift(picture, there)


@pytest.fixture(scope="module")
def whole():
    """A photograph of nine joined boards, and where each of them lies."""
    picture = cv2.imread(str(PHOTO))
    (geometry,), _ = Reader().locator.locate(picture, ReadRequest(squares=45))
    return picture, [panel_of(geometry, k) for k in range(9)]


@pytest.mark.parametrize(
    "places", [[(0, 0), (0, 1), (1, 0), (1, 1)], [(1, 1), (1, 2), (2, 1), (2, 2)]]
)
def test_boards_of_a_part_lie_where_they_do_in_the_whole(whole, places):
    """Four boards with a little of those beside them, cut out of the picture."""
    picture, panels = whole
    shown = {(r, c): panels[3 * r + c] for r, c in places}
    corners = np.concatenate([g.corners_px for g in shown.values()])
    margin = next(iter(shown.values())).square_px
    (x0, y0), (x1, y1) = corners.min(0) - margin, corners.max(0) + margin
    x0, y0 = max(0, round(x0)), max(0, round(y0))
    part = np.ascontiguousarray(picture[y0 : round(y1), x0 : round(x1)])
    patch = find_patch(part, load_model("lattice").run)
    found = np.add(patch.boards[0, 0].corners_px, (x0, y0))
    first = min(
        product(range(2), repeat=2),
        key=lambda p: np.abs(found - shown[add(places[0], p)].corners_px).max(),
    )
    off = {
        place: np.abs(np.add(g.corners_px, (x0, y0)) - shown[spot].corners_px).max() / g.square_px
        for place, g in patch.boards.items()
        if (spot := add(add(places[0], first), place)) in shown
    }

    assert 4 == len(off)
    assert max(off.values()) < 0.15


@pytest.mark.parametrize(("top", "left"), [(0, 0), (1, 0)])
def test_four_boards_are_not_taken_for_one_of_twice_the_size(whole, top, left, monkeypatch):
    """A quarter of the picture shows little more: fifteen lines fit the four boards as well."""
    picture, panels = whole
    high, wide = (round(0.66 * side) for side in picture.shape[:2])
    y, x = top * (picture.shape[0] - high), left * (picture.shape[1] - wide)
    part = np.ascontiguousarray(picture[y : y + high, x : x + wide])
    lattice = load_model("lattice").run
    first = find_patch(part, lattice).boards[0, 0]
    monkeypatch.setattr(patch_finder, "PATCH", replace(PATCH, least_lines=0.5))
    double = find_patch(part, lattice).boards[0, 0]
    found = np.add(first.corners_px, (x, y))

    assert min(np.abs(found - panel.corners_px).max() for panel in panels) < 0.15 * first.square_px
    assert 2 == round(double.square_px / first.square_px)


def add(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """A place so much further on."""
    return a[0] + b[0], a[1] + b[1]
