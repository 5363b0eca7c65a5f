"""A director's calls: every table of a hall, judges, rounds in and results out."""

from __future__ import annotations

import httpx
import pytest

from kibitz.engine.games import DEFAULT_GAME
from tests.app.common.storage.postgres_help import address, fresh_database, postgres
from tests.app.hall.hall_help import HallServer, two_servers, until
from tests.app.server_help import PLAY, act, bearer, new_table

__all__ = ["address", "postgres"]

TSH = "Able, Ann              1512  2\nBaker, Bob             1490  1\n"
ANY = {"game": "scrabble", "lexicon": "none", "settings": {"reject_invalid": False}}
ROUND = "/api/director/divisions/A/rounds/1"


def take_in(client, text=TSH):
    return client.put("/api/director/divisions/A", json={"text": text})


def test_rounds_come_in_and_results_go_out(client):
    """A TSH file, its tables, a game that ends, and the same file with its points."""
    taken = take_in(client).json()
    opened = client.post(ROUND, json=ANY).json()
    table = opened["games"][0]["table"]
    token = client.post(f"/api/tables/{table}/tokens", json={"role": "host"}).json()["token"]
    made = {"table": table, "host_token": token}
    act(client, made, {"action": "place", "tiles": {"H7": "A", "H8": "T"}})
    before = client.get("/api/director/divisions/A").text
    for _ in range(6):
        act(client, made, {"action": "pass"})
    after = client.get("/api/director/divisions/A").text
    as_csv = client.get("/api/director/divisions/A?format=csv").text

    assert (["Able, Ann", "Baker, Bob"], 1) == (taken["players"], taken["rounds"])
    assert TSH == before
    assert "Able, Ann              1512  2; 4\nBaker, Bob             1490  1; 0\n" == after
    assert 'A,1,"Able, Ann",4,"Baker, Bob",0' in as_csv


def test_a_round_is_set_up_once(client):
    """Set up again, taken in again: games that have a table keep it."""
    take_in(client)
    first = client.post(ROUND, json=ANY).json()
    second = client.post(ROUND, json=ANY).json()
    third = take_in(client, TSH.replace("1490", "1491")).json()

    assert first == second
    assert first["games"] == third["games"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda c: take_in(c, "nothing"), (422, "bad_division")),
        (lambda c: take_in(c) and c.post(ROUND[:-1] + "2", json=ANY), (409, "not_paired")),
        (lambda c: c.post(ROUND, json=ANY), (404, "not_found")),
        (lambda c: c.get("/api/director/divisions/A"), (404, "not_found")),
        (lambda c: c.delete("/api/director/divisions/A"), (404, "not_found")),
    ],
)
def test_what_cannot_be_done_is_said(client, call, said):
    """With a code and a sentence."""
    answer = call(client)

    assert said == (answer.status_code, answer.json()["error"]["code"])


def test_a_seat_calls_for_a_judge_and_the_director_says_that_one_came(client):
    """Whoever calls comes first in the list."""
    quiet, made = new_table(client), new_table(client)
    new_table(client)
    path = f"/api/tables/{made['table']}/judge"
    called = client.post(path, json={"why": "QAT?"}, headers=bearer(made["seat_tokens"]["Bob"]))
    watching = client.post(path, json={}, headers=bearer(made["watch_token"]))
    (first, *others) = client.get("/api/director").json()["tables"]
    came = client.post(path, json={"wanted": False}, headers=bearer(made["host_token"]))
    after = client.get("/api/director").json()["tables"]

    assert ({"called": True}, 403) == (called.json(), watching.status_code)
    assert (made["table"], "Bob", "QAT?") == (
        first["table"], first["judge"]["by"], first["judge"]["why"]
    )  # fmt: skip
    assert quiet["table"] in {t["table"] for t in others}
    assert ({"called": False}, [None] * 3) == (came.json(), [t["judge"] for t in after])


def test_the_director_sees_what_a_table_is_like(client):
    """Board, score, who moves, questions."""
    made = new_table(client, lexicon="none", settings={"reject_invalid": False})
    act(client, made, {"action": "place", "tiles": {"H7": "A", "H8": "?"}})
    (entry,) = client.get("/api/director").json()["tables"]

    assert (15, {"Ann": 2, "Bob": 0}, "Bob") == (
        len(entry["rows"]), entry["scores"], entry["to_move"]
    )  # fmt: skip
    assert ["Which letter is the blank on 8H?"] == entry["questions"]


def test_the_director_reads_the_own_language(client):
    """Questions of the tables are asked in the language of the director's page."""
    made = new_table(client, **ANY)
    act(client, made, {"action": "place", "tiles": {"H7": "A", "H8": "?"}})
    answer = client.get("/api/director", headers={"X-Kibitz-Language": "de"}).json()

    assert [["Welcher Buchstabe ist der Blanko auf 8H?"]] == [
        entry["questions"] for entry in answer["tables"]
    ]


def servers_of(client):
    """The servers of a hall as the director sees them."""
    return client.get("/api/director").json()["servers"]


def test_the_tables_of_every_server_of_a_hall_are_there(address):
    """The one that is asked asks the others; one that does not answer is named."""
    with (
        two_servers(fresh_database(address)) as (left, right),
        httpx.Client(base_url=left.address, timeout=90) as one,
        httpx.Client(base_url=right.address, timeout=90) as other,
    ):
        made = [new_table(one)["table"], new_table(other)["table"]]
        # one that is busy is named as not answering, and asked again the next time
        until(lambda: [s["answers"] for s in servers_of(one)] == [True, True])
        told = one.get("/api/director").json()

    assert set(made) == {t["table"] for t in told["tables"]}
    assert {"left", "right"} == {t["server"] for t in told["tables"]}
    assert [("left", True), ("right", True)] == [
        (s["name"], s["answers"]) for s in told["servers"]
    ]


def test_a_table_is_sent_to_the_server_with_its_camera(address):
    """The director names the server; what was played goes with it."""
    with (
        two_servers(fresh_database(address)) as (left, right),
        httpx.Client(base_url=left.address, timeout=90) as one,
    ):
        made = new_table(one, lexicon="none", settings={"reject_invalid": False})
        act(one, made, PLAY)
        until(lambda: len(left.hall.servers()) == 2)
        path, auth = f"/api/tables/{made['table']}/server", bearer(made["host_token"])
        unknown = one.put(path, json={"server": "nowhere"}, headers=auth)
        sent = one.put(path, json={"server": "right"}, headers=auth)
        there = until(lambda: right.session.tables.is_open(made["table"]))
        seq = one.get(f"/api/tables/{made['table']}", headers=auth).json()["seq"]

    assert (409, 200, True, 1) == (unknown.status_code, sent.status_code, bool(there), seq)


def test_who_is_not_the_host_sees_no_director_page(address):
    """Neither at this server nor through another one."""
    server = HallServer(fresh_database(address), "left", open_to_all=False).start()
    try:
        with httpx.Client(base_url=server.address) as client:
            client.headers["x-forwarded-for"] = "203.0.113.1"
            stranger = client.get("/api/director").status_code
            server.session.host_key = server.hall.host_key
            client.headers["authorization"] = f"Bearer {server.hall.host_key}"
            host = client.get("/api/director").status_code
    finally:
        server.stop()

    assert (401, 200) == (stranger, host)


def test_a_round_is_set_up_for_the_usual_game(client):
    """A round that names no game is of the one that a table has where nobody names one."""
    take_in(client)
    table = client.post(ROUND, json={}).json()["games"][0]["table"]

    token = client.post(f"/api/tables/{table}/tokens", json={"role": "host"}).json()["token"]

    assert DEFAULT_GAME == client.get(f"/api/tables/{table}", headers=bearer(token)).json()["game"]
