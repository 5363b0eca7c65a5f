"""What people said, and before which photograph."""

from __future__ import annotations

import pytest

from kibitz.app.common.errors import UsageError
from kibitz.app.observers.told import due_before, photographs_missing, told_of

PASS = {"action": "pass", "player": "Ann"}


def test_photographs_that_are_named_and_not_there():
    """Each once, by its name; what was said before the first photograph names none."""
    items = [
        PASS,
        *({**PASS, "before": name} for name in ("2.jpg", "9.jpg", "games/9.jpg", "1.jpg")),
    ]

    assert ["9.jpg"] == photographs_missing(told_of(items), ["games/1.jpg", "games/2.jpg"])


def test_what_is_due_before_a_photograph():
    """What names none is due at once, the rest when its photograph comes."""
    told = told_of([PASS, {**PASS, "before": "a/2.jpg"}, {**PASS, "before": "3.jpg"}])

    assert (told[:1], told[1:]) == due_before(told, "1.jpg")
    assert (told[:2], told[2:]) == due_before(told, "2.jpg")


@pytest.mark.parametrize(
    ("ends", "squares"),
    [
        (["A1", "A3"], ["A1", "A2", "A3"]),
        (["C2", "A2"], ["A2", "B2", "C2"]),
        (["A1", "B3"], ["A1", "B3"]),
        (["A1", "A2", "A3"], ["A1", "A2", "A3"]),
    ],
)
def test_a_ship_by_its_ends(ends, squares):
    """Two ends in one line stand for all between; other squares stay as they were said."""
    (told,) = told_of([{"action": "enter_fleet", "player": "Ann", "fleet": {"patrol": ends}}])

    assert squares == told.action.data["fleet"]["patrol"]


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ("pass", "expected an object with an 'action'"),
        ({**PASS, "before": 3}, "before: expected the name of a photograph"),
        ({"action": "enter_fleet", "fleet": {"patrol": "A1"}}, "fleet.patrol: expected names"),
        (
            {"action": "enter_fleet", "fleet": {"patrol": ["A1", 2]}},
            "fleet.patrol: expected names",
        ),
    ],
)
def test_what_is_no_action(item, says):
    """The refusal names the item and what was expected there."""
    with pytest.raises(UsageError) as wrong:
        told_of([PASS, item])

    assert f"told: item 2: {says}" in str(wrong.value)
