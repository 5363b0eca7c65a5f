"""Corrections that are asked for by a call: what they need, and what they tell of secrets."""

import pytest

from tests.app.server_help import PLAY, act, new_table, state, tell_fleet
from tests.helpers.fleets import FLEET, moved


def table_with_a_fleet(client):
    """A table of ScrabbleShip at which Ann's fleet was told and then a play was made."""
    made = new_table(client, "scrabbleship")
    tell_fleet(client, made)
    tell_fleet(client, made, "Bob", moved(FLEET, down=8))
    tiles = {"H8": "A", "H9": "T"}
    assert act(client, made, {"action": "place", "player": "Ann", "tiles": tiles}).is_success
    return made


@pytest.mark.parametrize(
    "change",
    [{"player": "Bob"}, {"with": {"action": "pass"}}],
)
def test_nobody_else_corrects_what_is_secret(client, change):
    """A fleet given to another player would be refused, and the refusal name its squares."""
    made = table_with_a_fleet(client)
    answer = act(client, made, {"action": "correct", "entry": 0, **change})

    assert (409, "private_entry") == (answer.status_code, answer.json()["error"]["code"])


def test_a_correction_never_names_a_later_secret(client):
    """The refusal says that a fleet told later no longer holds, and nothing of where it lies."""
    made = new_table(client, "scrabbleship")
    tell_fleet(client, made)
    tell_fleet(client, made, "Bob", moved(FLEET, down=8))
    act(client, made, {"action": "pass", "player": "Ann"})
    tell_fleet(client, made)
    play = {"action": "place", "player": "Ann", "tiles": {"H8": "A", "H9": "T"}}
    answer = act(client, made, {"action": "correct", "entry": 2, "with": play})
    error = answer.json()["error"]

    assert (409, "later_plays") == (answer.status_code, error["code"])
    assert error["message"].startswith("With this correction Ann's later enter fleet no longer")
    assert error["result"]["action"] == {"action": "enter_fleet", "player": "Ann"}


def test_who_played_is_corrected_by_a_call(client):
    """The call's own field names the player whom the play is put down to."""
    made = new_table(client)
    act(client, made, PLAY)
    answer = act(client, made, {"action": "correct", "entry": 0, "player": "Bob"})
    shown = state(client, made, made["host_token"]).json()["history"]

    assert answer.status_code == 200
    assert [(x["action"], x["player"]) for x in shown] == [("pass", "Ann"), ("place", "Bob")]


def test_an_entry_is_left_out_only_when_asked(client):
    """A correction of an entry that does not say what it should have been changes nothing."""
    made = new_table(client)
    act(client, made, PLAY)
    answer = act(client, made, {"action": "correct", "entry": 0})

    assert (409, "bad_action") == (answer.status_code, answer.json()["error"]["code"])
    assert 1 == len(state(client, made, made["host_token"]).json()["history"])


@pytest.mark.parametrize(
    ("fields", "came"),
    [({}, "none"), ({"letter": None}, "none"), ({"letter": 5}, "5"), ({"letter": "AB"}, "'AB'")],
)
def test_a_letter_that_is_not_said_takes_no_tile_away(client, fields, came):
    """A square is corrected with a letter or with "" for no tile; anything else changes nothing."""
    made = new_table(client)
    act(client, made, PLAY)
    answer = act(client, made, {"action": "correct", "square": "H8", **fields})
    error = answer.json()["error"]

    assert (409, "bad_action") == (answer.status_code, error["code"])
    assert error["message"] == (
        "Expected as 'letter' a capital, a small letter for a blank, '?' for a blank whose "
        f'letter is not known, or "" for no tile, got {came}.'
    )
    assert 1 == len(state(client, made, made["host_token"]).json()["history"])


SHOT = {"action": "place", "tiles": {"H8": "A", "H9": "T", "H10": "E"}}
TAKING_BACK = ({"action": "undo"}, {"action": "correct", "square": "H10", "letter": ""})


BAD_SHOT = {**SHOT, "tiles": {"H8": "X", "H9": "Q", "H10": "Z"}}
"""Of a word that is in no list, so that it may be challenged."""


def table_with_a_shot(client, *others, shot=SHOT, **settings):
    """A table at which Bob has laid tiles on the water and heard three misses."""
    made = new_table(client, "scrabbleship", ("Bob", "Ann", *others), settings=settings)
    right, down = ((0, 8), (0, 0, 8, 8)) if others else ((0, 0), (0, 8))
    for i, player in enumerate(made["seat_tokens"]):
        fleet = moved(FLEET, down[i], right[i % 2])
        told = {"action": "enter_fleet", "player": player, "fleet": fleet}
        assert act(client, made, told, made["seat_tokens"][player]).is_success
    assert act(client, made, shot, made["seat_tokens"]["Bob"]).is_success
    return made


@pytest.mark.parametrize("action", TAKING_BACK)
def test_a_shot_is_not_taken_back_by_who_shot(client, action):
    """Else a seat lays tiles, hears what is hit, and lays them elsewhere until the sea is swept."""
    made = table_with_a_shot(client)
    before = state(client, made, made["seat_tokens"]["Bob"]).json()
    answer = act(client, made, action, made["seat_tokens"]["Bob"])
    after = state(client, made, made["seat_tokens"]["Bob"]).json()

    assert (403, "forbidden") == (answer.status_code, answer.json()["error"]["code"])
    assert (before["seq"], before["view"]) == (after["seq"], after["view"])


@pytest.mark.parametrize("action", TAKING_BACK)
@pytest.mark.parametrize("who", ["Ann", "host"])
def test_a_shot_is_taken_back_by_the_word_of_the_owner_or_host(client, action, who):
    """Whose fleet it told of may give that away, and the host decides for all."""
    made = table_with_a_shot(client)

    assert act(client, made, action, made["seat_tokens"].get(who)).is_success


def test_a_miss_is_not_taken_back_by_one_of_several_owners(client):
    """It tells of every other fleet; a turn that was passed later is taken back by anybody."""
    made = table_with_a_shot(client, "Cyd", "Dan")
    passed = act(client, made, {"action": "pass", "player": "Ann"})
    undone = [act(client, made, {"action": "undo"}, made["seat_tokens"]["Ann"]) for _ in range(2)]

    assert passed.is_success
    assert [200, 403] == [answer.status_code for answer in undone]


@pytest.mark.parametrize(
    ("who", "action", "status"),
    [
        ("Bob", {"action": "withdraw"}, 403),
        ("host", {"action": "withdraw"}, 200),
        ("Ann", {"action": "challenge"}, 200),
        ("Cyd", {"action": "challenge", "verdict": "bad"}, 200),
    ],
)
def test_a_play_that_was_told_at_once_is_challenged_but_not_withdrawn(client, who, action, status):
    """Where calls come before the challenge, who shot does not take them up again."""
    made = table_with_a_shot(client, "Cyd", "Dan", **{"ss.reveal": "immediate"}, shot=BAD_SHOT)
    answer = act(client, made, action, made["seat_tokens"].get(who))

    assert status == answer.status_code


def test_what_a_seat_may_not_put_right_is_in_the_log(client, capsys):
    """Whoever tries many corrections to learn something leaves a trace; the host is at work."""
    made = new_table(client)
    act(client, made, PLAY)
    wrong = {"action": "correct", "square": "A1", "letter": ""}
    for token in (made["seat_tokens"]["Bob"], made["host_token"]):
        assert 409 == act(client, made, wrong, token).status_code

    assert (
        f"table {made['table']}: correct of Bob was refused: no_tile\n" == capsys.readouterr().err
    )
