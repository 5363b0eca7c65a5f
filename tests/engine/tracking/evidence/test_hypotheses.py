"""What a picture, a table and a game that may have been have to tell each other."""

from __future__ import annotations

import pytest

from kibitz.engine.tracking.evidence.changes import BoardView
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture, Observation, TableFacts
from kibitz.engine.tracking.evidence.priors import PRIORS

FACTS = TableFacts(7, facing=False, colours=1, counts=None, cards=False)


def seen(photo: int, pause_s: float | None, pauses: dict[int, float | None]) -> Observation:
    """A picture so many seconds after the announcement of the one before."""
    how = Capture(live=True, pause_s=pause_s)
    return Observation(photo, BoardView(15, 15, {}), FACTS, how=how, pauses=pauses)


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


@pytest.mark.parametrize(
    ("since", "pause_s", "pauses", "expected"),
    [
        (4, 2.0, {}, 2.0),
        (3, 2.0, {4: 1.5}, 3.5),
        (2, 2.0, {3: 10.0, 4: 1.5}, 13.5),
        (2, 2.0, {4: 1.5}, None),
        (2, 2.0, {3: None, 4: 1.5}, None),
        (3, None, {4: 1.5}, None),
        (3, 2.0, {1: 5.0, 2: 5.0, 3: 5.0, 4: 1.5}, 3.5),
    ],
)
def test_pauses_add_up_since_a_picture(since, pause_s, pauses, expected):
    """From its announcement to this picture; where one is not known, their sum is not."""
    assert expected == seen(5, pause_s, pauses).pause_since(since)


@pytest.mark.parametrize(("most", "parted"), [(1, 2), (7, 14)])
def test_as_many_tiles_are_parted_unasked_as_two_plays_have(most, parted):
    """More of them may have come in too many ways."""
    facts = TableFacts(most, facing=False, colours=1, counts=None, cards=False)

    assert parted == facts.most_parted
    assert PRIORS == facts.priors == seen(1, None, {}).priors
