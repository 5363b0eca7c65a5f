"""What the server takes over the wire, and what it refuses before anybody looks at it."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

from kibitz.app.wire.bodies import ActionBody, CornersBody, NewTableBody
from kibitz.app.wire.shape import LARGEST_NUMBER, plain_json


def taken(kind: type[BaseModel], **fields: object) -> bool:
    """Whether a call with these fields is one."""
    try:
        kind(**fields)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    "value", [{}, None, True, 1.5, -LARGEST_NUMBER, "é\n", [[], {"a": [1, "b", None]}]]
)
def test_what_json_holds_everywhere_is_taken_as_it_is(value):
    """Nothing is changed."""
    assert value is plain_json(value)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (float("nan"), "numbers must be finite"),
        ([float("-inf")], "numbers must be finite"),
        (LARGEST_NUMBER + 1, "numbers must lie within"),
        ({"a": -LARGEST_NUMBER - 1}, "numbers must lie within"),
        ("a\0", "text must be whole Unicode characters"),
        ({"\ud800": 1}, "text must be whole Unicode characters"),
        ([[[[[[[[[[]]]]]]]]]], "at most 8 levels are taken"),
    ],
)
def test_what_json_does_not_hold_everywhere_is_refused(value, said):
    """However deep it lies, in names of fields too."""
    with pytest.raises(ValueError, match=said):
        plain_json(value)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, False),
        ({"game": "scrabble", "players": []}, False),
        ({"game": "scrabble", "players": ["Ann"]}, True),
        ({"game": "scrabble", "players": ["Ann"] * 21}, False),
        ({"game": "scrabble", "players": [""]}, False),
        ({"game": "scrabble", "players": ["x" * 61]}, False),
        ({"game": "scrabble", "players": ["Ann"], "settings": {"a": float("nan")}}, False),
        ({"game": "scrabble", "players": ["Ann"], "gmae": "x"}, False),
    ],
)
def test_a_table_is_asked_for_with_known_fields(fields, expected):
    """One player to twenty, with names of sixty letters at most."""
    assert expected == taken(NewTableBody, **fields)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"action": "pass"}, True),
        ({"action": "place", "tiles": {"H8": "A"}}, True),
        ({"action": ""}, False),
        ({"player": "Ann"}, False),
        ({"action": "place", "tiles": {"H8": "\0"}}, False),
    ],
)
def test_an_action_has_fields_of_its_own(fields, expected):
    """They are looked at as all others are."""
    assert expected == taken(ActionBody, **fields)


@pytest.mark.parametrize(
    ("corners", "expected"),
    [
        (None, True),
        ([[0.1, 0.1]] * 4, True),
        ([[-0.5, 1.5]] * 4, True),
        ([[0.1, 0.1]] * 3, False),
        ([[0.1, 1.6]] * 4, False),
        ([[0.1, float("nan")]] * 4, False),
    ],
)
def test_corners_lie_in_the_picture_or_near_it(corners, expected):
    """Four of them, as parts of its width and height."""
    assert expected == taken(CornersBody, corners=corners)
