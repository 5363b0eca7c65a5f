"""Everybody is answered in their own language: caller, seat, table, server."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from kibitz.app.languages.catalogues import LANGUAGES
from kibitz.app.server.app import create_app
from tests.app.server_help import PLAY, make_session


def auth(token: str, **more: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}", **more}


@pytest.fixture
def session(tmp_path):
    return make_session(tmp_path)


@pytest.fixture
def client(session):
    with TestClient(create_app(session), base_url="http://localhost") as client:
        yield client


def table_of(client, **more):
    order = {"game": "scrabble", "players": ["Ann", "Bob"], **more}
    answer = client.post("/api/tables", json=order)
    assert 201 == answer.status_code, answer.text
    return answer.json()


def played(client, made, token, **headers):
    """A first play by the host, as a document for whoever holds the token."""
    path = f"/api/tables/{made['table']}"
    answer = client.post(f"{path}/actions", json=PLAY, headers=auth(made["host_token"]))
    assert 200 == answer.status_code, answer.text
    return client.get(path, headers=auth(token, **headers)).json()


def lines_of(document):
    return document["said"][-1]["lines"]


ENGLISH = ["Ann plays AT.", "4 for AT; 4."]
GERMAN = ["Ann legt AT.", "4 für AT; 4."]
POLISH = ["Ann kładzie AT.", "4 za AT; 4."]


def test_english_where_nobody_says_otherwise(client):
    made = table_of(client)
    document = played(client, made, made["watch_token"], **{"accept-language": "xx"})

    assert (ENGLISH, "en") == (lines_of(document), document["language"])


def test_a_caller_is_answered_as_asked(client):
    made = table_of(client)
    document = played(client, made, made["watch_token"], **{"x-kibitz-language": "pl"})

    assert (POLISH, "pl") == (lines_of(document), document["language"])
    assert POLISH == document["history"][-1]["say"]


def test_a_seat_may_have_its_own(client):
    made = table_of(client, language="de", languages={"Bob": "pl"})
    path = f"/api/tables/{made['table']}"
    played(client, made, made["watch_token"])
    seen = {
        who: lines_of(client.get(path, headers=auth(token)).json())
        for who, token in {**made["seat_tokens"], "watch": made["watch_token"]}.items()
    }

    assert {"Ann": GERMAN, "Bob": POLISH, "watch": GERMAN} == seen


def test_a_server_has_one_too(client, session):
    session.language = "de"
    made = table_of(client)

    assert GERMAN == lines_of(played(client, made, made["watch_token"]))


def test_a_server_may_leave_it_to_browsers(client):
    made = table_of(client)
    header = {"accept-language": "pl-PL,pl;q=0.9,en;q=0.5"}

    assert POLISH == lines_of(played(client, made, made["watch_token"], **header))


def test_errors_are_told_in_it(client):
    made = table_of(client)
    away = {"action": "place", "player": "Ann", "tiles": {"A1": "A", "A2": "T"}}
    answer = client.post(
        f"/api/tables/{made['table']}/actions",
        json=away,
        headers=auth(made["host_token"], **{"x-kibitz-language": "de"}),
    )

    assert ("not_centre", "Das erste Wort muss über den Stern gehen.") == (
        answer.json()["error"]["code"],
        answer.json()["error"]["message"],
    )


@pytest.mark.parametrize(("order", "named"), [({}, "8I"), ({"notation": "A1"}, "H9")])
def test_squares_are_named_as_the_games_records_do(client, order, named):
    """In questions, refusals and what is said, also on open pages; programs get the rules' names."""
    made = table_of(client, **order)
    path = f"/api/tables/{made['table']}"
    host = auth(made["host_token"])
    laid = {"action": "place", "player": "Ann", "tiles": {"H8": "A", "H9": "?"}}
    client.post(f"{path}/actions", json=laid, headers=host)
    document = client.get(path, headers=host).json()
    with client.websocket_connect(f"{path}/live?token={made['host_token']}") as socket:
        live = socket.receive_json()
    off = {"action": "correct", "square": "A9", "letter": ""}
    refused = client.post(f"{path}/actions", json=off, headers=host).json()["error"]
    question = document["questions"][0]

    assert f"Which letter is the blank on {named}?" == question["prompt"]
    assert ("H9", question) == (question["square"], live["questions"][0])
    assert (["A9"], named[0] != "H") == (refused["squares"], "1I" in refused["message"])


def test_open_pages_get_it(client):
    made = table_of(client)
    played(client, made, made["watch_token"])
    address = f"/api/tables/{made['table']}/live?token={made['watch_token']}&lang=de"
    with client.websocket_connect(address) as socket:
        document = socket.receive_json()

    assert (GERMAN, "de") == (lines_of(document), document["language"])


def test_a_kept_game_is_told_in_any_language(tmp_path):
    """What was said in English before a restart is said in German after it."""
    with TestClient(create_app(make_session(tmp_path)), base_url="http://localhost") as client:
        made = table_of(client)
        played(client, made, made["watch_token"])
        undone = client.post(
            f"/api/tables/{made['table']}/actions",
            json={"action": "undo"},
            headers=auth(made["host_token"]),
        )
        assert ["Taken back: AT of Ann.", "Ann has 0."] == undone.json()["say"]
    with TestClient(create_app(make_session(tmp_path)), base_url="http://localhost") as client:
        document = client.get(
            f"/api/tables/{made['table']}",
            headers=auth(made["watch_token"], **{"x-kibitz-language": "de"}),
        ).json()

    assert [GERMAN, ["Zurückgenommen: AT von Ann.", "Ann hat 0."]] == [
        one["lines"] for one in document["said"]
    ]


@pytest.mark.parametrize(
    ("more", "code"),
    [({"language": "xx"}, "unknown_language"), ({"languages": {"Cyd": "de"}}, "unknown_player")],
)
def test_strange_languages_are_refused(client, more, code):
    answer = client.post(
        "/api/tables", json={"game": "scrabble", "players": ["Ann", "Bob"], **more}
    )

    assert (422, code) == (answer.status_code, answer.json()["error"]["code"])


def test_pages_get_their_texts(client):
    """One document a language, which a browser keeps until it changes."""
    answer = client.get("/language/pl.json")
    again = client.get("/language/pl.json", headers={"if-none-match": answer.headers["etag"]})
    document = answer.json()

    assert ("pl", ["one", "few", "many"]) == (document["language"], document["forms"])
    assert "{player} pasuje." == document["texts"]["{player} passes."]
    assert ["{count} okręt", "{count} okręty", "{count} okrętów"] == document["counted"][
        "{count} ship"
    ]
    assert (304, b"") == (again.status_code, again.content)


def test_every_language_has_a_page(client):
    listed = client.get("/api/languages").json()

    assert {"languages": dict(LANGUAGES), "chosen": "en"} == listed
    assert {200} == {client.get(f"/language/{code}.json").status_code for code in LANGUAGES}
    assert 404 == client.get("/language/xx.json").status_code


def test_games_are_described_in_it(client):
    games = client.get("/api/games", headers={"x-kibitz-language": "de"}).json()["games"]

    assert "Welche Wortliste gilt" in str(games)
