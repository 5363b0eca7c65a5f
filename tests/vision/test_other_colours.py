"""Labelled photographs in colours that none of them shows."""

import pytest

from kibitz.vision.pipeline import Reader
from tests.helpers.shared_data import SHARED, needs_shared
from tests.measures.other_colours import CHANGES, counted, photographs

FILLING = tuple(str(SHARED / "photos" / name) for name in ("declan", "francescov1", "levib"))
COLOURS = [name for name in CHANGES if not name.startswith("tilt")]


@pytest.fixture(scope="module")
def reader():
    """One reader with the models."""
    return Reader()


@needs_shared
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # the scorer's files
@pytest.mark.parametrize("change", COLOURS)
def test_boards_are_found_in_any_colours(reader, change):
    """Six boards, some of which fill their pictures."""
    pictures = list(photographs(FILLING, 1))
    located = [counted(reader, path, truth, change)["located"] for path, truth in pictures]
    assert [1] * 6 == located
