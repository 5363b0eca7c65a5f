"""Names of pictures that people give: files, folders, patterns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

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
        (46, "board_not_found", "get all four corners into it"),
    ],
)
def test_a_picture_without_a_board_says_what_to_do(grey: int, code: str, remedy: str) -> None:
    """Where it is too dark to see one, light helps; else the camera must be aimed."""
    picture = np.full((240, 320, 3), grey, np.uint8)

    found = read_picture("table.jpg", picture, make_reader(), ReadRequest())

    assert code == found.code
    assert remedy in found.message
