"""Correcting any past action: everything after it is played again."""

import random

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.corrections import corrected
from kibitz.engine.record.ledger import Entry, Opening, open_ledger
from kibitz.engine.rules import Accepted, Action, Refused, judge, replay
from tests.app.server_help import board
from tests.engine.random_games import SLUGS, play
from tests.helpers.pictured_games import drawn, replay_of

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
        ({"entry": 0, "player": "Bob"}, {"Ann": 2, "Bob": 10 + 2}),
        ({"entry": 1, "player": "Ann"}, {"Ann": 10 + 2, "Bob": 2}),
        ({"entry": 2, "player": "Bob"}, {"Ann": 10, "Bob": 2 + 2}),
        ({"entry": 2, "player": "Ann"}, {"Ann": 10 + 2, "Bob": 2}),
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
        ({"entry": 9, "player": "Ann"}, "bad_action"),
        ({"entry": 0, "player": "Eve"}, "unknown_player"),
        ({"entry": 0, "player": None}, "unknown_player"),
    ],
)
def test_no_correction(change, code):
    """What cannot be meant is refused with a code."""
    assert code == corrected(game_of(*PLAYS), change).code


def test_whoever_was_to_move_passed():
    """When the other one played, the one whose turn it was passed, and all turns after shift."""
    after = corrected(game_of(*PLAYS), {"entry": 0, "player": "Bob"})
    done = [(d.entry.action.kind, d.entry.action.player) for d in after.done]

    assert [("pass", "Ann"), ("place", "Bob"), ("place", None), ("place", None)] == done
    assert "Ann" == after.game.view(after.state, None)["to_move"]


def house_of_two():
    """CAT on the home row of both boards."""
    game = find_game("scrabble-house")
    options = check_options(game.info, {"sh.opening": "any"})
    materials = make_materials("default", "en", options)
    ledger = open_ledger(Opening(game, ("Ann", "Bea", "Cyd", "Dan"), options, materials))
    tiles = {"O4": "C", "O5": "A", "O6": "T"}
    for number, player in enumerate(("Ann", "Cyd")):
        ledger, _ = ledger.add(Entry(Action("place", player, None, {"tiles": tiles}), number))
    return ledger


@pytest.mark.parametrize(("board", "words"), [(1, ["BAT", "CAT"]), (2, ["CAT", "BAT"])])
def test_of_two_boards_the_one_meant_is_corrected(board, words):
    """The same square of the other board stays as it is."""
    after = corrected(house_of_two(), {"square": "O4", "letter": "B", "board": board})

    assert words == [rows[14][3:6] for rows in after.game.view(after.state, None)["boards"]]


@pytest.mark.parametrize(
    ("slug", "settings", "key", "boards", "number"),
    [
        ("scrabble", {}, "board", 1, 1),
        ("scrabble-house", {"sh.opening": "any"}, "boards", 2, 1),
        ("scrabble-house", {"sh.opening": "any"}, "boards", 2, 2),
    ],
)
def test_a_tile_that_lay_when_the_record_begins(slug, settings, key, boards, number):
    """It is put right on the board that is meant, and on no other."""
    game = find_game(slug)
    options = check_options(game.info, settings)
    materials = make_materials("default", "en", options)
    lying = [board(H7="CAT") for _ in range(boards)]
    players = ("Ann", "Bob", "Cyd", "Dan")[: 2 * boards]
    start = {key: lying if boards > 1 else lying[0]}
    ledger = open_ledger(Opening(game, players, options, materials, start))
    after = corrected(ledger, {"square": "H7", "letter": "B", "board": number})
    shown = after.opening.initial[key] if boards > 1 else [after.opening.initial[key]]

    expected = ["BAT" if i == number - 1 else "CAT" for i in range(boards)]
    assert expected == [rows[7][6:9] for rows in shown]


def test_there_is_no_third_board():
    """A board that does not exist is refused."""
    after = corrected(house_of_two(), {"square": "O4", "letter": "B", "board": 3})

    assert ("bad_action", "Expected board 1 or 2, got 3.") == (after.code, after.message)


EVERY_GAME = pytest.mark.parametrize("slug", SLUGS)


@EVERY_GAME
@pytest.mark.parametrize("seed", range(8))
def test_any_past_action_of_any_game(slug, seed):
    """Leaving an action out gives the game without it, or names the first that then fails."""
    actions = []

    def note(game, before, action, verdict, after):
        if isinstance(verdict, Accepted):
            actions.append(action)

    rng = random.Random(f"correct {slug} {seed}")
    start = play(slug, rng, 120, note)
    opening = Opening(start.game, start.start.players, start.start.options, start.start.materials)
    ledger = open_ledger(opening)
    for number, action in enumerate(actions):
        ledger, _ = ledger.add(Entry(action, number))
    index = rng.randrange(len(actions))
    rest = [*actions[:index], *actions[index + 1 :]]
    state, first = opening.begin(), None
    for number, action in enumerate(rest):
        verdict = judge(opening.game, state, action, None)
        state = replay(opening.game, state, getattr(verdict, "events", ()))
        # a task ticked off is no longer one where the play before it is another
        if first is None and isinstance(verdict, Refused) and action.kind != "tidy":
            first = number
    strict = corrected(ledger, {"entry": index, "with": None})
    anyway = corrected(ledger, {"entry": index, "with": None, "anyway": True})

    assert start.state == ledger.state
    assert state == anyway.state
    if first is None:
        assert state == strict.state
    else:
        assert ("later_plays", first) == (strict.code, strict.result["entry"])


def test_tasks_of_a_play_that_was_none():
    """Tiles lifted after an explosion do not stand in the way of correcting the play."""
    run = replay_of("scrabble-house")
    for reading in list(drawn("scrabble-house"))[:8]:
        run.see(reading)
    kinds = [done.entry.action.kind for done in run.ledger.done]
    blast = max(i for i, kind in enumerate(kinds) if kind == "place")
    after = corrected(run.ledger, {"entry": blast, "with": None})

    assert kinds[blast + 1 :] == ["tidy"] * (len(kinds) - blast - 1) != []
    assert [done.entry for done in after.done] == [d.entry for d in run.ledger.done[:blast]]


@pytest.mark.parametrize(("which", "bonus"), [("other", ["K8"]), ("own", [])])
def test_a_tile_of_the_other_colour(which, bonus):
    """In Scrabble House people say of which set a tile is."""
    run = replay_of("scrabble-house")
    for reading in list(drawn("scrabble-house"))[:2]:
        run.see(reading)
    after = corrected(run.ledger, {"square": "K8", "set": which})

    assert after.done[0].entry.action.data["bonus"] == bonus


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"square": "K8", "set": "red"}, "bad_action"),
        ({"square": "Z99", "set": "own"}, "bad_action"),
        ({"square": "A1", "set": "own"}, "no_tile"),
    ],
)
def test_no_such_set(data, code):
    """Another word than own or other, or a square without a tile, is refused in words."""
    run = replay_of("scrabble-house")
    for reading in list(drawn("scrabble-house"))[:2]:
        run.see(reading)

    assert corrected(run.ledger, data).code == code
