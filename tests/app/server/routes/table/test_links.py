"""Links: one for each place however often the server starts, ended and renewed by the host."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kibitz.app.cli.serving.serve_tables import TablePlan, open_planned
from kibitz.app.common.storage.tables import Storage, StorageError
from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.app import create_app
from kibitz.app.tables.people.access import KEY_FILE
from kibitz.app.tables.registry import Tables
from tests.app.server_help import ReadsBarcodes, bearer, make_session, new_table, state
from tests.browser.browser_help import Served, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(tmp_path_factory.mktemp("links"), FrameReader(ReadsBarcodes)) as running:
        yield running


def change(client: Any, made: Any, body: Any, token: str | None = None) -> Any:
    path = f"/api/tables/{made['table']}/links"
    headers = {} if token is None else bearer(token)
    return client.post(path, json=body, headers=headers)


def start(folder: Path) -> tuple[Any, int]:
    """What one start of the server shows, and how many links are kept then."""
    tables = Tables(Storage(str(folder)))
    opened, _ = open_planned(tables, TablePlan("scrabble", ("Ann", "Bob")))
    kept = len(tables.storage.links_of(opened.table.id))
    tables.close()
    return (opened.table.id, opened.host, opened.camera, opened.watch, dict(opened.seats)), kept


def test_every_start_shows_the_same_links(tmp_path: Path) -> None:
    """However often the server starts, a table has one link for each place, and it stays."""
    first, *others = [start(tmp_path) for _ in range(5)]

    assert (first[1], [first] * 4) == (5, others)


def test_links_cannot_be_made_from_what_is_kept(tmp_path: Path) -> None:
    """No token lies in the files; without the secret beside them others are made."""
    (first, _) = start(tmp_path)
    kept = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    tokens = [first[1], first[2], first[3], *first[4].values()]
    mode = (tmp_path / KEY_FILE).stat().st_mode & 0o777
    (tmp_path / KEY_FILE).unlink()
    (other, rows) = start(tmp_path)

    assert [t for t in tokens if t.encode() in kept] == []
    assert 0o600 == mode
    assert not {*tokens} & {other[1], other[2], other[3], *other[4].values()}
    assert 10 == rows


def test_an_invitation_shows_the_link_that_is_in_use(client: Any) -> None:
    """Asking again for a place's link gives the same one; nothing piles up."""
    made = new_table(client)
    path = f"/api/tables/{made['table']}/tokens"
    asked = [
        client.post(path, json={"role": "seat", "player": "Ann"}).json()["token"] for _ in range(3)
    ]

    assert [made["seat_tokens"]["Ann"]] * 3 == asked


@pytest.mark.parametrize(
    ("place", "old"),
    [
        ("Ann", lambda m: m["seat_tokens"]["Ann"]),
        ("watch", lambda m: m["watch_token"]),
        ("camera", lambda m: m["camera_token"]),
        ("host", lambda m: m["host_token"]),
    ],
)
def test_a_renewed_link_takes_the_old_ones_place(client: Any, place: str, old: Any) -> None:
    """The old one opens nothing, the new one what it did, and the others go on."""
    made = new_table(client)
    before = state(client, made, old(made)).json()["you"]
    fresh = change(client, made, {"renew": place}, made["host_token"])
    after = state(client, made, fresh.json()["token"]).json()["you"]

    assert 200 == fresh.status_code
    assert before == after
    assert 404 == state(client, made, old(made)).status_code
    assert 200 == state(client, made, made["seat_tokens"]["Bob"]).status_code


def test_a_renewed_link_is_shown_from_then_on(tmp_path: Path) -> None:
    """After the next start too."""
    (first, _) = start(tmp_path)
    tables = Tables(Storage(str(tmp_path)))
    fresh = tables.renew(first[0], "seat", "Ann")
    tables.close()
    (again, rows) = start(tmp_path)

    assert ({**first[4], "Ann": fresh}, 5) == (again[4], rows)


def test_a_revoked_link_leaves_the_place_empty(client: Any) -> None:
    """Nobody watches then, until the host gives out a link again."""
    made = new_table(client)
    gone = change(client, made, {"revoke": "watch"}, made["host_token"]).json()
    closed = state(client, made, made["watch_token"]).status_code
    listed = client.get(
        f"/api/tables/{made['table']}/links", headers=bearer(made["host_token"])
    ).json()["links"]
    path = f"/api/tables/{made['table']}/tokens"
    again = client.post(path, json={"role": "watch"}).json()["token"]

    assert (None, 404) == (gone["token"], closed)
    assert {e["player"] or e["role"]: e["links"] for e in listed} == {
        "Ann": 1, "Bob": 1, "host": 1, "camera": 1, "watch": 0,
    }  # fmt: skip
    assert 200 == state(client, made, again).status_code


def test_a_link_may_end_by_itself(client: Any, session: Any, monkeypatch: Any) -> None:
    """After its hours it opens nothing, and is not shown again."""
    made = new_table(client)
    fresh = change(client, made, {"renew": "Ann", "hours": 2}, made["host_token"]).json()
    now = time.time()
    before = state(client, made, fresh["token"]).status_code
    monkeypatch.setattr("kibitz.app.tables.people.access.time.time", lambda: now + 7300)
    after = state(client, made, fresh["token"]).status_code

    assert fresh["expires"] == pytest.approx(now + 7200, abs=60)
    assert (200, 404) == (before, after)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"renew": "Zoe"}, 422),
        ({}, 422),
        ({"renew": "Ann", "revoke": "Ann"}, 422),
        ({"revoke": "host"}, 422),
        ({"renew": "Ann", "hours": 0}, 422),
        ({"renew": "Ann", "hours": "soon"}, 422),
    ],
)
def test_what_is_no_link_is_refused(client: Any, body: Any, status: int) -> None:
    """The old links stay."""
    made = new_table(client)

    assert status == change(client, made, body, made["host_token"]).status_code
    assert 200 == state(client, made, made["seat_tokens"]["Ann"]).status_code


def test_only_the_host_changes_links(tmp_path: Path) -> None:
    """A seat, a watcher and a camera may not; nor is the list theirs."""
    session = make_session(tmp_path, host_key="secret")
    client = TestClient(create_app(session))
    made = new_table(client)
    session.open_to_all = False
    others = [made["seat_tokens"]["Ann"], made["watch_token"], made["camera_token"]]
    answers = [change(client, made, {"renew": "Bob"}, t).status_code for t in others]
    path = f"/api/tables/{made['table']}/links"
    lists = [client.get(path, headers=bearer(t)).status_code for t in others]
    host = change(client, made, {"renew": "Bob"}, made["host_token"]).status_code
    server = change(client, made, {"renew": "Bob"}, "secret").status_code
    session.close()

    assert ([403] * 3, [403] * 3, 200, 200) == (answers, lists, host, server)


def test_a_player_may_be_called_like_a_place(client: Any) -> None:
    """`role` says which of the two is meant."""
    made = new_table(client, players=("watch", "Bob"))
    seat = change(client, made, {"renew": "watch"}, made["host_token"]).json()
    place = change(client, made, {"renew": "watch", "role": "watch"}, made["host_token"]).json()

    assert (("seat", "watch"), ("watch", None)) == (
        (seat["role"], seat["player"]),
        (place["role"], place["player"]),
    )


@pytest.mark.parametrize("kind", ["live", "camera"])
def test_who_came_through_an_ended_link_is_let_go(served: Served, kind: str) -> None:
    """An open page or camera hears of it at once, or with its next frame."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    address = served.address.replace("http", "ws")
    token, role = (opened.watch, "watch") if kind == "live" else (opened.camera, "camera")
    where = f"{address}/api/tables/{opened.table.id}/{kind}?token={token}"
    with connect(where) as socket:
        if kind == "live":
            socket.recv(20)
        served.session.tables.renew(opened.table.id, role, None)
        served.session.hub.wake(opened.table.id)
        if kind == "camera":
            socket.send(b"x")
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(20)

    assert closed.value.rcvd is not None
    assert 4401 == closed.value.rcvd.code


def test_tables_open_though_their_tokens_cannot_be_looked_up(
    tmp_path: Path, monkeypatch: Any
) -> None:
    """A damaged row of one table keeps nobody from the others."""
    (first, _) = start(tmp_path)

    def damaged(_self: Storage, _hashed: str) -> bool:
        raise StorageError("storage_damaged", "a page is torn")

    monkeypatch.setattr(Storage, "has_token", damaged)
    tables = Tables(Storage(str(tmp_path)))
    found = tables.actor(first[0], first[1])
    tables.close()

    assert found is not None
    assert "host" == found[1].role
