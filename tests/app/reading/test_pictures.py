"""Names of pictures that people give: files, folders, patterns."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.app.reading.pictures import PathProblem, expand


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
