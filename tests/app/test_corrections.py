"""Correcting any past action: everything after it is played again."""

import pytest

from app.corrections import corrected
from app.ledger import Entry, Opening, open_ledger
from app.materials import make_materials
from engine.games import find_game
from engine.options import check_options
from engine.rules import Action, Refused

PLAYS = (
    {"H8": "C", "H9": "A", "H10": "T"},
    {"I10": "O"},
    {"I11": "N"},
)


def game_of(*plays):
    """A game of Scrabble with these plays."""
    game = find_game("scrabble")
    options = check_options(game.info, {})
    materials = make_materials("default", "en", options)
    ledger = open_ledger(Opening(game, ("Ann", "Bob"), options, materials))
    for number, tiles in enumerate(plays):
        action = Action("place", None, None, {"tiles": tiles})
        ledger, _ = ledger.add(Entry(action, number))
    return ledger


def scores(ledger):
    """What the players have."""
    return dict(ledger.state.scores)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"square": "H8", "letter": "B"}, {"Ann": 10 + 2, "Bob": 2}),
        ({"square": "H8", "letter": "b"}, {"Ann": 4 + 2, "Bob": 2}),
        ({"square": "H11", "letter": "S"}, None),
        ({"entry": 2, "with": None}, {"Ann": 10, "Bob": 2}),
        ({"entry": 2, "with": {"action": "pass"}}, {"Ann": 10, "Bob": 2}),
        ({"entry": 1, "with": {"action": "exchange", "count": 2}}, None),
    ],
)
def test_everything_after_it_is_computed_again(change, expected):
    """The scores are those of the game as it should have been, or a later play stands against it."""
    after = corrected(game_of(*PLAYS), change)

    if expected is None:
        assert isinstance(after, Refused)
        assert after.code == "later_plays"
    else:
        assert expected == scores(after)


def test_the_first_that_no_longer_holds_is_named():
    """Without the O there is nothing for the N to touch; the ledger stays as it was."""
    ledger = game_of(*PLAYS)
    after = corrected(ledger, {"entry": 0, "with": {"action": "pass"}})

    assert (1, "not_centre", 2) == (
        after.result["entry"],
        after.result["code"],
        after.result["refused"],
    )
    assert after.message.startswith("With this correction a later place on I10 no longer holds:")
    assert game_of(*PLAYS).state == ledger.state


def test_anyway_leaves_out_what_no_longer_holds():
    """A person may want the correction all the same."""
    after = corrected(game_of(*PLAYS), {"entry": 0, "with": {"action": "pass"}, "anyway": True})

    assert {} == dict(after.state.grid.tiles)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, "bad_action"),
        ({"square": "Z9", "letter": "A"}, "bad_action"),
        ({"square": "H8", "letter": "AB"}, "bad_action"),
        ({"square": "A1", "letter": ""}, "no_tile"),
        ({"entry": 3, "with": None}, "bad_action"),
        ({"entry": True, "with": None}, "bad_action"),
        ({"entry": 0, "with": {"player": "Ann"}}, "bad_action"),
        ({"entry": 0, "with": ["place"]}, "bad_action"),
    ],
)
def test_no_correction(change, code):
    """What cannot be meant is refused with a code."""
    assert code == corrected(game_of(*PLAYS), change).code
