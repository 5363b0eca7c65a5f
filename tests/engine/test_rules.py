"""Actions and events as they are written, and how a game judges and folds them."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games import find_game, games
from kibitz.engine.options import check_options
from kibitz.engine.rules import (
    Accepted,
    Action,
    Event,
    Materials,
    Refused,
    action_from_json,
    apply,
    malformed,
    replay,
)
from kibitz.engine.words.lexicon import words_from_text

pytestmark = pytest.mark.fast

MATERIALS = Materials(words_from_text("CAT"), load_tile_set("en"))
CAT = {"tiles": {"H7": "C", "H8": "A", "H9": "T"}}


def begun():
    """Scrabble of two, and its empty table."""
    game = find_game("scrabble")
    return game, game.begin(("Ann", "Bob"), check_options(game.info, {}), MATERIALS, {})


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
        ({"action": "pass", "at": "3"}, "at: expected a time in seconds, got '3'"),
        ({"action": "pass", "at": True}, "at: expected a time in seconds, got True"),
    ],
)
def test_what_is_no_action_is_told(fields, said):
    """With the field that is wrong and what came."""
    with pytest.raises(ValueError, match=said):
        action_from_json(fields)


def test_an_event_is_written_with_its_kind():
    """Beside what it tells; who may see it is not written."""
    event = Event("tile", {"square": "H8"}, frozenset({"Ann"}))

    assert "tile" == event.to_json()["event"]
    assert "H8" == event.to_json()["square"]
    assert "visible_to" not in event.to_json()


def test_what_holds_changes_the_state_and_what_is_refused_does_not():
    """A state is never changed in place."""
    game, empty = begun()
    refused, no = apply(game, empty, Action("place", "Bob", None, CAT))
    after, yes = apply(game, empty, Action("place", "Ann", None, CAT))

    assert (Refused, Accepted) == (type(no), type(yes))
    assert empty is refused
    assert (0, 3) == (len(empty.grid.tiles), len(after.grid.tiles))


def test_events_fold_to_the_state_that_was_played():
    """None of them is the state before."""
    game, empty = begun()
    after, verdict = apply(game, empty, Action("place", "Ann", None, CAT))

    assert isinstance(verdict, Accepted)
    assert empty == replay(game, empty, ())
    assert after == replay(game, empty, verdict.events)


def test_a_value_that_cannot_be_is_told_with_its_action():
    """As every refusal it is a sentence."""
    assert "A field of 'place' has a value that it cannot have: no number." == malformed(
        Action("place"), ValueError("no number")
    )


@pytest.mark.parametrize(
    ("slug", "players", "surfaces"),
    [("scrabble", 2, 1), ("scrabble", 4, 1), ("scrabble-house", 2, 1), ("scrabble-house", 4, 2)],
)
def test_four_players_of_scrabble_house_have_two_boards(slug, players, surfaces):
    """All others share one."""
    assert surfaces == len(find_game(slug).info.surfaces(players))


def test_every_setting_of_a_game_has_another_name():
    """And a default that it takes itself."""
    for game in games():
        names = [setting.name for setting in game.info.settings]

        assert len(names) == len(set(names))
        assert {s.name: s.default for s in game.info.settings}.items() <= {
            **check_options(game.info, {})
        }.items()
