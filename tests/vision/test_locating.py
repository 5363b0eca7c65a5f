"""Boards that a picture cuts off are believed where lattice and lines agree."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from kibitz.calibration.board_finder import BoardNotFound
from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.vision import locating
from kibitz.vision.locating import Locator
from kibitz.vision.request import ReadRequest

CORNERS = np.array([(100.0, 100.0), (400.0, 100.0), (400.0, 400.0), (100.0, 400.0)])
PICTURE = np.zeros((600, 600, 3), np.uint8)


@pytest.mark.parametrize(
    ("apart", "print_off", "expected"),
    [(0.4, None, True), (0.6, None, False), (0.4, (1, 0), False)],
    ids=["they agree", "they do not", "the print contradicts them"],
)
def test_where_print_does_not_tell_lattice_and_lines_must_agree(
    apart, print_off, expected, monkeypatch
):
    """To half a square, which is nearer than the next row."""
    laid = geometry_from_corners(CORNERS, 15, 600, 600)
    print_ = SimpleNamespace(squares_off=lambda _: None, rows_off=lambda: print_off)
    monkeypatch.setattr(locating, "print_of_look", lambda _: print_)
    squares = SimpleNamespace(see=lambda *_: (None, None))
    found = Locator(None, None, squares)._in_its_rows(
        PICTURE, laid, laid.shifted(apart, 0.0), ReadRequest()
    )

    assert expected == (found is laid)


@pytest.mark.parametrize(("shown", "expected"), [(0.7, False), (0.9, True)])
def test_another_number_of_squares_needs_what_lies_beside_the_board(shown, expected, monkeypatch):
    """Lines that end where the picture ends do not tell: four fifths of a side must show."""

    def find_none(*_):
        raise BoardNotFound("nothing in the picture looks like a board")

    other = SimpleNamespace(size=13, shown_beside=lambda: shown)
    monkeypatch.setattr(locating, "find_boards", find_none)
    monkeypatch.setattr(locating, "find_sized", lambda *_, **__: other)
    there = Locator(None, SimpleNamespace(run=None), None)
    try:
        found = there._locate_usual(PICTURE, ReadRequest("auto"))
    except BoardNotFound:
        found = []

    assert expected == (found == [other])
