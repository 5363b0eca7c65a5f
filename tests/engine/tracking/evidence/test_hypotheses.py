"""What a picture, a table and a game that may have been have to tell each other."""

from __future__ import annotations

import pytest

from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture


@pytest.mark.parametrize(
    ("how", "attended"),
    [
        (PHOTO, False),
        (Capture(live=True), True),
        (Capture(asked=True), True),
        (Capture(hand=True, soon=True), False),
    ],
)
def test_people_are_there_where_a_film_runs_or_somebody_asked(how, attended):
    """A photograph of a finished position answers nobody."""
    assert attended == how.attended
