"""Every change of a game with its cause, and why it came about."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from kibitz.app.server.app import create_app
from tests.app.server_help import (
    PLAY,
    act,
    bearer,
    board,
    make_session,
    new_table,
    see,
    tell_fleet,
)

CAT, CATS = board(H8="CAT"), board(H8="CATS")


@pytest.fixture
def client(tmp_path):
    """A server that reads text pictures."""
    session = make_session(tmp_path)
    with TestClient(create_app(session)) as running:
        yield running
    session.close()


def get(client, made, path="", token=None):
    auth = bearer(token or made["host_token"])
    return client.get(f"/api/tables/{made['table']}/changes{path}", headers=auth)


def changes(client, made):
    return get(client, made).json()["changes"]


def test_every_change_of_a_score_has_its_cause(client):
    """A picture, a person, and the scores before and after each."""
    made = new_table(client)
    act(client, made, PLAY)
    see(client, made, board(H7="ATE"))
    told = changes(client, made)

    assert [("person", "host", "place"), ("picture", None, "play")] == [
        (c["cause"], c["by"], c["what"]) for c in told
    ]
    assert [({"Ann": 0, "Bob": 0}, {"Ann": 4, "Bob": 0})] == [
        (c["before"], c["after"]) for c in told[:1]
    ]
    assert {"Ann": 4, "Bob": 3} == told[1]["after"]


def test_an_undo_is_a_change_too(client):
    """Whoever takes something back stands there with what it did to the scores."""
    made = new_table(client)
    act(client, made, PLAY)
    act(client, made, {"action": "undo"})
    newest = changes(client, made)[-1]

    assert ("person", "undo") == (newest["cause"], newest["what"])
    assert ({"Ann": 4, "Bob": 0}, {"Ann": 0, "Bob": 0}) == (newest["before"], newest["after"])


def test_why_shows_the_readings_and_the_alternatives(client):
    """What was read on each new square, and what else the picture may have meant."""
    made = new_table(client)
    see(client, made, CAT)
    (change,) = changes(client, made)
    found = get(client, made, f"/{change['seq']}").json()

    letters = {r["square"]: next(iter(r["letters"]), None) for r in found["readings"]}

    assert {"H8": "C", "H9": "A", "H10": "T"}.items() <= letters.items()
    assert "a play: Ann: CAT" == found["alternatives"][0]["means"]
    assert (0.0, True) == (
        found["alternatives"][0]["weight"],
        found["alternatives"][0]["share"] > 0.5,
    )
    assert f"/api/tables/{made['table']}/pictures/{change['seq']}.jpg" == found["picture"]


def test_why_of_what_a_person_put_right_shows_the_picture_of_it(client):
    """What was before the camera then, and what that had been taken for."""
    made = new_table(client)
    see(client, made, CAT)
    act(client, made, {"action": "correct", "square": "H10", "letter": "R"})
    seen, put_right = changes(client, made)
    found = get(client, made, f"/{put_right['seq']}").json()

    assert "person" == found["cause"]
    assert {"H8", "H9", "H10"} <= {r["square"] for r in found["readings"]}
    assert "a play: Ann: CAT" == found["alternatives"][0]["means"]
    assert f"/api/tables/{made['table']}/pictures/{seen['seq']}.jpg" == found["picture"]


COWS = board(H8="CATS", v_H8="COW")


@pytest.mark.parametrize(
    ("told", "of"),
    [
        ([{"action": "correct", "square": "H10", "letter": "R"}], 0),
        ([{"action": "correct", "entry": 1, "player": "Ann"}], 1),
        ([{"action": "undo"}], 2),
        ([{"action": "undo"}, {"action": "undo"}], 1),
        ([{"action": "undo"}, {"action": "redo"}], 2),
        ([{"action": "place", "player": "Bob", "tiles": {"J9": "E"}}], 2),
    ],
)
def test_why_of_what_a_person_changed_shows_the_picture_of_that(client, told, of):
    """Not of what came later: of the first play that was changed or taken back."""
    made = new_table(client)
    for rows in (CAT, CATS, COWS):
        see(client, made, rows)
    for action in told:
        act(client, made, action)
    every = changes(client, made)
    last, picture = (get(client, made, f"/{c['seq']}").json() for c in (every[-1], every[of]))

    assert "person" == last["cause"]
    shown = [[one[k] for k in ("picture", "readings", "alternatives")] for one in (picture, last)]
    assert shown[0] == shown[1]


def test_only_who_may_see_pictures_is_led_to_one(client):
    """Pictures may show racks."""
    made = new_table(client)
    see(client, made, CAT)
    seq = changes(client, made)[0]["seq"]

    assert get(client, made, f"/{seq}", made["watch_token"]).json()["picture"] is None
    assert get(client, made, f"/{seq}", made["host_token"]).json()["picture"] is not None


def test_it_is_known_after_a_restart(tmp_path):
    """The record holds the causes, the readings and what was weighed."""
    first = make_session(tmp_path)
    client = TestClient(create_app(first))
    made = new_table(client)
    see(client, made, CAT)
    see(client, made, CATS)
    before = [get(client, made, f"/{c['seq']}").json() for c in changes(client, made)]
    first.close()
    second = make_session(tmp_path)
    again = TestClient(create_app(second))
    after = [get(again, made, f"/{c['seq']}").json() for c in changes(again, made)]
    second.close()

    assert (2, before) == (len(before), after)


def test_secrets_are_no_part_of_it(client):
    """A fleet that goes to sea changes the game; where it lies stands nowhere."""
    made = new_table(client, "scrabbleship")
    tell_fleet(client, made)
    (change,) = changes(client, made)
    text = get(client, made, f"/{change['seq']}", made["watch_token"]).text

    assert "enter_fleet" == change["what"]
    assert not any(f'"{square}"' in text for square in ("A1", "A5", "B1", "D3"))


@pytest.mark.parametrize(
    ("path", "token", "code"),
    [("/99", None, "no_change"), ("", "wrong", "not_found"), ("/x", None, "bad_request")],
)
def test_what_cannot_be_shown_is_refused_in_words(client, path, token, code):
    """No such step, no such table, no number."""
    made = new_table(client)
    answer = get(client, made, path, token)

    assert code == answer.json()["error"]["code"]
