"""A table of GrabScrab as it is set out and as it is seen."""

from __future__ import annotations

import pytest

from kibitz.engine.games.grabscrab.rules import GAME
from tests.engine.games.grabscrab.grabscrab_help import act, table


def test_new_game_has_all_tiles_face_down():
    """At the start all tiles of the set lie face down and nothing else is there (GS-2)."""
    view = GAME.view(table(), None)

    assert ("", 100) == (view["pool"], view["face_down"])
    assert {"Ann": [], "Bob": [], "Cyd": []} == view["words"]
    assert "Ann" == view["flipper"]


def test_face_down_follows_from_the_set():
    """A position without a number of face-down tiles has the rest of the set there."""
    state = table({"pool": "?AB", "words": {"Bob": ["RAIN"]}})

    assert 100 - 3 - 4 == state.face_down


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


@pytest.mark.parametrize("window", ["soon", "-3", "inf"])
def test_final_window_is_a_time(window):
    """The window for last calls is a number of seconds or until told."""
    with pytest.raises(ValueError, match=r"gs\.final_window"):
        table(settings={"gs.final_window": window})


def test_a_view_is_a_position_to_go_on_from():
    """What a view says can be set out again and is the same table."""
    state = table({"pool": "AINR", "words": {"Bob": ["GORE"]}, "tiles": {"Bob": ["GO?E"]}})
    state, _ = act(state, "flip", "Ann", letter="?")
    state, _ = act(state, "claim", "Cyd", word="TRAIN")
    again = table(GAME.view(state, None))

    assert GAME.view(state, None) == GAME.view(again, "Ann")
