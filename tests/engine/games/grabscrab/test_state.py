"""A table of GrabScrab as it is set out and as it is seen."""

from __future__ import annotations

import pytest

from kibitz.engine.games.grabscrab.rules import GAME
from tests.engine.games.grabscrab.grabscrab_help import act, table


@pytest.mark.parametrize(
    ("initial", "message"),
    [
        ({"flipper": "Dee"}, "flipper"),
        ({"pool": "A3"}, "pool"),
        ({"face_down": -1}, "face_down"),
        ({"face_down": "many"}, "face_down"),
        ({"words": {"Dee": ["RAIN"]}}, "Dee"),
        ({"words": {"Ann": ["RAIN"]}, "tiles": {"Ann": ["R?"]}}, "tiles"),
        ({"words": {"Ann": ["RAIN"]}, "tiles": {"Ann": ["STOP"]}}, "tiles"),
    ],
)
def test_tables_that_cannot_be_are_refused(initial, message):
    """A position that cannot be is refused with the field that is wrong."""
    with pytest.raises(ValueError, match=message):
        table(initial)


@pytest.mark.parametrize("players", [(), ("Ann",), ("Ann", "Ann")])
def test_two_different_players_at_least(players):
    """One player, or two of one name, are no game."""
    with pytest.raises(ValueError, match="two or more different players"):
        table(players=players)


def test_a_view_is_a_position_to_go_on_from():
    """What a view says can be set out again and is the same table."""
    state = table({"pool": "AINR", "words": {"Bob": ["GORE"]}, "tiles": {"Bob": ["GO?E"]}})
    state, _ = act(state, "flip", "Ann", letter="?")
    state, _ = act(state, "claim", "Cyd", word="TRAIN")
    again = table(GAME.view(state, None))

    assert GAME.view(state, None) == GAME.view(again, "Ann")
