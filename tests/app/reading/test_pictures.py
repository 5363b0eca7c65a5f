"""Names of pictures that people give: files, folders, patterns."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

import kibitz
from kibitz.app.reading.pictures import PathProblem, expand, make_reader, read_picture
from kibitz.vision.request import ReadRequest


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.jpg", ["1.jpg", "2.jpg", "10.jpg"]),
        ("1*.jpg", ["1.jpg", "10.jpg"]),
        ("*.png", ["file_not_found"]),
        ("", ["file_not_found"]),
    ],
    ids=["all, as people count", "some", "none", "an empty name"],
)
def test_what_a_pattern_stands_for(tmp_path: Path, pattern: str, expected: list[str]) -> None:
    """The files that match it, or that there are none."""
    for name in ("10.jpg", "2.jpg", "1.jpg"):
        (tmp_path / name).touch()
    found = expand([str(tmp_path / pattern) if pattern else ""])

    told = [x.code if isinstance(x, PathProblem) else Path(x).name for x in found]
    assert expected == told


@pytest.mark.parametrize(
    ("grey", "code", "remedy"),
    [
        (0, "too_dark", "It is too dark to see a board: switch on a lamp."),
        (44, "too_dark", "It is too dark to see a board: switch on a lamp."),
        (46, "board_not_found", "all four corners are in it"),
    ],
)
def test_a_picture_without_a_board_says_what_to_do(grey: int, code: str, remedy: str) -> None:
    """Where it is too dark to see one, light helps; else the camera must be aimed."""
    picture = np.full((240, 320, 3), grey, np.uint8)

    found = read_picture("table.jpg", picture, make_reader(), ReadRequest())

    assert code == found.code
    assert remedy in found.message


@pytest.mark.parametrize(("sigma_px", "code"), [(0, ""), (16, "too_blurred"), (25, "too_blurred")])
def test_a_board_blurred_beyond_reading_says_so(sigma_px: int, code: str) -> None:
    """Whether its lattice fits badly or nothing is sure of its squares; sharp it is read."""
    picture = cv2.imread(str(kibitz.examples()["scrabbleship"] / "05.jpg"))
    if sigma_px:
        picture = cv2.GaussianBlur(picture, (0, 0), sigma_px)

    found = read_picture("table.jpg", picture, make_reader(), ReadRequest())

    assert code == found.code
    assert bool(code) == ("hold the camera still" in found.message)


def test_a_sharp_crossword_is_not_called_blurred() -> None:
    """It is no board, however well it is seen."""
    cells = np.random.default_rng(1).random((15, 15)) < 0.4
    grid = np.repeat(np.repeat(cells * 200 + 30, 40, 0), 40, 1).astype(np.uint8)
    grid = cv2.copyMakeBorder(grid, 60, 60, 90, 90, cv2.BORDER_CONSTANT, value=120)
    picture = cv2.cvtColor(grid, cv2.COLOR_GRAY2BGR)

    found = read_picture("page.jpg", picture, make_reader(), ReadRequest())

    assert "board_not_found" == found.code
