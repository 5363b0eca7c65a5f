"""Who may call what, and what is refused before it is looked at."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from kibitz.app.server.access.security import RateLimit
from kibitz.app.server.app import create_app
from tests.app.server_help import (
    bearer,
    board,
    make_session,
    new_table,
    see,
    state,
)


def test_pictures_are_for_host_and_camera(client):
    """The newest frame and the kept pictures never go to seats or watchers."""
    made = new_table(client)
    see(client, made, board(H7="CAT"))
    seq = state(client, made, made["host_token"]).json()["pictures"][0]["seq"]
    base = f"/api/tables/{made['table']}"
    paths = (f"{base}/frame.jpg", f"{base}/frame.jpg?overlay=1", f"{base}/pictures/{seq}.jpg")

    def statuses(token):
        return [client.get(p, headers=bearer(token)).status_code for p in paths]

    assert statuses(made["host_token"]) == [200, 200, 200]
    assert statuses(made["camera_token"]) == [200, 200, 200]
    assert statuses(made["watch_token"]) == [403, 403, 403]
    assert statuses(made["seat_tokens"]["Ann"]) == [403, 403, 403]


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"", "image/jpeg", 422),
        (b"hello", "image/jpeg", 422),
        (b"hello", "text/plain", 415),
        (b"\xff\xd8\xff\xe0 broken", "image/jpeg", 422),
    ],
)
def test_what_is_no_picture_is_told(client, content, kind, status):
    """A frame that is no picture gets a code, never a crash."""
    made = new_table(client)

    headers = {**bearer(made["camera_token"]), "content-type": kind}
    answer = client.post(f"/api/tables/{made['table']}/frames", content=content, headers=headers)

    assert status == answer.status_code
    assert "code" in answer.json()["error"]


def test_bodies_have_a_limit(client):
    """A body larger than a call needs is refused, also when its length is not told."""
    made = new_table(client)
    path = f"/api/tables/{made['table']}/actions"

    def in_parts():
        yield from [b"x" * 100_000] * 5

    headers = {**bearer(made["host_token"]), "content-type": "application/json"}
    told = client.post(path, content=b"x" * 500_000, headers=headers)
    untold = client.post(path, content=in_parts(), headers=headers)

    assert [told.status_code, untold.status_code] == [413, 413]


def test_no_token_wrong_token_other_table(client):
    """Without a token 401; a wrong one and one of another table tell nothing about the table."""
    one, two = new_table(client), new_table(client)
    path = f"/api/tables/{one['table']}"

    answers = [client.get(path)]
    answers += [client.get(path, headers=bearer(t)) for t in ("x", two["host_token"], "y" * 300)]
    answers.append(client.get("/api/tables/nothere", headers=bearer(one["host_token"])))

    assert [a.status_code for a in answers] == [401, 404, 404, 404, 404]
    assert len({a.text for a in answers[1:]}) == 1


def test_a_foreign_page_uses_up_nothing_of_its_visitors(tmp_path):
    """Calls that are refused for their origin are not counted, whatever kind of call they are."""
    session = make_session(tmp_path, calls=RateLimit(0.001, 5))
    client = TestClient(create_app(session), client=("127.0.0.1", 5))
    made = new_table(client)

    posts = [
        client.post("/api/tables", json={}, headers={"origin": "http://evil.example"})
        for _ in range(20)
    ]
    pictures = [
        client.get("/api/games", headers={"sec-fetch-site": "cross-site"}) for _ in range(20)
    ]
    own = client.get("/api/games", headers={"sec-fetch-site": "same-origin"})
    seat = state(client, made, made["seat_tokens"]["Ann"])
    session.close()

    assert {a.status_code for a in (*posts, *pictures)} == {403}
    assert {a.json()["error"]["code"] for a in (*posts, *pictures)} == {"foreign_origin"}
    assert (own.status_code, seat.status_code) == (200, 200)


def test_who_has_a_token_is_not_held_up_by_the_others_of_an_address(tmp_path):
    """All phones behind one proxy have one address; a flood of calls from it stops no seat."""
    session = make_session(tmp_path, calls=RateLimit(0.001, 5), host_key="secret")
    client = TestClient(create_app(session))
    made = new_table(client)

    flood = [client.get("/api/games").status_code for _ in range(8)]
    wrong = state(client, made, "guess").status_code
    seats = [state(client, made, t).status_code for t in made["seat_tokens"].values()]
    host = client.get("/api/tables", headers=bearer("secret")).status_code
    session.close()

    assert flood == [200] * 4 + [429] * 4
    assert wrong == 429
    assert (seats, host) == ([200, 200], 200)


@pytest.mark.parametrize(
    ("scheme", "origin", "status"),
    [
        ("http", "http://testserver", 201),
        ("http", "https://testserver", 403),
        ("https", "https://testserver", 201),
        ("https", "http://testserver", 403),
        ("http", "null", 403),
        ("http", "http://[", 403),
    ],
)
def test_a_page_loaded_another_way_is_foreign(tmp_path, scheme, origin, status):
    """The page and the call must have come the same way: a page without https can be forged."""
    session = make_session(tmp_path)
    client = TestClient(create_app(session), base_url=f"{scheme}://testserver")
    order = {"game": "scrabble", "players": ["Ann", "Bob"]}
    answer = client.post("/api/tables", json=order, headers={"origin": origin})
    session.close()

    assert status == answer.status_code


def test_a_wrong_token_opens_no_table(tmp_path):
    """A kept game is not even loaded for somebody who guesses."""
    session = make_session(tmp_path)
    made = new_table(TestClient(create_app(session)))
    session.close()
    again = make_session(tmp_path)
    client = TestClient(create_app(again))

    wrong = state(client, made, "guess").status_code
    loaded = len(again.tables.open_tables())
    right = state(client, made, made["host_token"]).status_code
    again.close()

    assert (wrong, loaded, right) == (404, 0, 200)


@pytest.mark.parametrize(
    ("host", "headers", "status"),
    [
        ("127.0.0.1:8000", {}, 201),
        ("localhost:8000", {"origin": "http://localhost:8000"}, 201),
        ("[::1]:8000", {}, 201),
        ("evil.example:8000", {}, 401),
        ("localhost:8000", {"origin": "http://evil.example"}, 403),
        ("localhost:8000", {"x-forwarded-for": "10.0.0.1"}, 401),
        ("localhost:8000", {"x-real-ip": "10.0.0.1"}, 401),
        ("localhost:8000", {"via": "1.1 proxy"}, 401),
        ("localhost:8000", {"x-forwarded-host": "games.example"}, 401),
        ("203.0.113.5:8000", {}, 401),
    ],
)
def test_this_machine_sets_up_tables_unless_a_foreign_page_asks(tmp_path, host, headers, status):
    """A page of another origin, a foreign name or a proxy does not speak for this machine."""
    session = make_session(tmp_path, open_to_all=False)
    client = TestClient(create_app(session), client=("127.0.0.1", 5))

    order = {"game": "scrabble", "players": ["Ann", "Bob"]}
    answer = client.post("/api/tables", json=order, headers={"host": host, **headers})
    session.close()

    assert status == answer.status_code


def test_the_host_lists_tables_and_hands_out_tokens(client):
    """A lost token is replaced; the new one opens the same seat."""
    made = new_table(client)
    listed = client.get("/api/tables").json()["tables"]
    path = f"/api/tables/{made['table']}/tokens"

    fresh = client.post(path, json={"role": "seat", "player": "Bob"}).json()["token"]
    unknown = client.post(path, json={"role": "seat", "player": "Zoe"})

    assert [made["table"]] == [t["table"] for t in listed]
    assert state(client, made, fresh).json()["you"] == {"role": "seat", "player": "Bob"}
    assert unknown.status_code == 422


def test_headers_shut_everything_foreign_out(client):
    """Pages may load nothing but this server's own files; answers are not stored."""
    page, api = client.get("/"), client.get("/api/games")

    policy = page.headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert api.headers["cache-control"] == "no-store"
