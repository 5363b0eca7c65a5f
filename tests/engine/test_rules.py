"""Actions and events as they are written, and how a game judges and folds them."""

from __future__ import annotations

import pytest

from kibitz.engine.games import games
from kibitz.engine.options import check_options
from kibitz.engine.rules import Action, action_from_json, malformed

pytestmark = pytest.mark.fast

CAT = {"tiles": {"H7": "C", "H8": "A", "H9": "T"}}


@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ({"action": "pass"}, Action("pass")),
        ({"action": "pass", "player": "Ann", "at": 3}, Action("pass", "Ann", 3)),
        ({"action": "place", "player": "Ann", **CAT}, Action("place", "Ann", None, CAT)),
    ],
)
def test_an_action_is_read_as_it_is_written(fields, action):
    """What has no name of its own is its data; written again it is the same."""
    assert action == action_from_json(fields)
    assert fields == action.to_json()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "expected an 'action' name"),
        ({"action": 3}, "expected an 'action' name"),
        ({"action": "pass", "player": 3}, "player: expected a name, got 3"),
        ({"action": "pass", "at": "3"}, "at: expected seconds, got '3'"),
        ({"action": "pass", "at": True}, "at: expected seconds, got True"),
        ({"action": "pass", "at": float("nan")}, "at: expected seconds, got nan"),
        ({"action": "pass", "at": 10**400}, "at: expected seconds, got 1000"),
    ],
)
def test_what_is_no_action_is_told(fields, said):
    """With the field that is wrong and what came."""
    with pytest.raises(ValueError, match=said):
        action_from_json(fields)


def test_a_value_that_cannot_be_is_told_with_its_action():
    """As every refusal it is a sentence."""
    assert "A field of 'place' has a value that it cannot have: no number." == malformed(
        Action("place"), ValueError("no number")
    )


def test_every_setting_of_a_game_has_another_name():
    """And a default that it takes itself."""
    for game in games():
        names = [setting.name for setting in game.info.settings]

        assert len(names) == len(set(names))
        assert {s.name: s.default for s in game.info.settings}.items() <= {
            **check_options(game.info, {})
        }.items()
