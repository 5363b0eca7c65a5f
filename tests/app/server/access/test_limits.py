"""How often and how much: calls, tables, pages and frames have limits, told in words."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from kibitz.app.reading.frames import FrameReader
from kibitz.app.server.access.security import RateLimit
from kibitz.app.server.app import create_app
from tests.app.server_help import (
    ReadsBarcodes,
    bearer,
    board,
    make_session,
    new_table,
    picture_of,
    state,
)
from tests.browser.browser_help import HOST, Served, do, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(tmp_path_factory.mktemp("limited"), FrameReader(ReadsBarcodes)) as running:
        yield running


def socket_of(served: Served, opened: Any, kind: str, token: str) -> ClientConnection:
    address = served.address.replace("http", "ws")
    return connect(f"{address}/api/tables/{opened.table.id}/{kind}?token={token}", max_size=2**24)


def _hear(socket: ClientConnection) -> None:
    """Everything that comes, until the socket is closed or silent."""
    for _ in range(50):
        socket.recv(5)


def test_many_calls_are_slowed_down(tmp_path):
    """After its burst a caller is told to wait; another caller is not held up."""
    session = make_session(tmp_path, calls=RateLimit(0.001, 10))
    app = create_app(session)
    flood, calm = (TestClient(app, client=(f"10.0.0.{i}", 5)) for i in (1, 2))
    answers = [flood.get("/api/games") for _ in range(12)]
    other = calm.get("/api/games")
    session.close()

    assert [a.status_code for a in answers] == [200] * 10 + [429] * 2
    assert answers[-1].json()["error"]["code"] == "too_many_calls"
    assert answers[-1].headers["retry-after"] == "1"
    assert other.status_code == 200


def test_many_tables_are_slowed_down(tmp_path):
    """Nobody fills the disk with tables; those that are there can be played on."""
    session = make_session(tmp_path, new_tables=RateLimit(0.001, 3))
    client = TestClient(create_app(session))
    made = [new_table(client) for _ in range(3)]
    order = {"game": "scrabble", "players": ["Ann", "Bob"]}
    refused = client.post("/api/tables", json=order)
    kept = state(client, made[0], made[0]["host_token"])
    session.close()

    assert (refused.status_code, kept.status_code) == (429, 200)


def test_a_page_that_talks_is_closed(served: Served) -> None:
    """The live socket only tells; who sends it much is closed, and other pages see the game on."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    with (
        socket_of(served, opened, "live", opened.watch) as talker,
        socket_of(served, opened, "live", opened.watch) as page,
    ):
        page.recv(5)
        with contextlib.suppress(ConnectionClosed):
            for _ in range(50):
                talker.send("x" * 10_000)
        with pytest.raises(ConnectionClosed) as closed:
            _hear(talker)
        do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
        told = json.loads(page.recv(5))

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    assert told["view"]["board"][7] == ".......AT......"


def test_only_so_many_pages_look_at_a_table(served: Served) -> None:
    """Above the limit a page is told to come again; when one leaves there is room."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    served.session.most_watching = 3

    def page() -> ClientConnection:
        return socket_of(served, opened, "live", opened.watch)

    try:
        with contextlib.ExitStack() as stay:
            with page() as leaving:
                for one in (leaving, *(stay.enter_context(page()) for _ in range(2))):
                    one.recv(5)
                with page() as fourth, pytest.raises(ConnectionClosed) as closed:
                    fourth.recv(5)
            while served.session.hub.watching(opened.table.id) > 2:
                time.sleep(0.02)
            with page() as again:
                first = json.loads(again.recv(5))
    finally:
        served.session.most_watching = 500

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013
    assert first["type"] == "state"


def test_a_camera_that_floods_has_its_newest_frame_read(served: Served) -> None:
    """Of frames that come faster than they are read only the newest is kept; the rest is counted."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], {"reject_invalid": False})
    empty, word = picture_of(board()), picture_of(board(H8="AT"))
    with socket_of(served, opened, "camera", opened.camera) as camera:
        for _ in range(200):
            camera.send(empty)
        for _ in range(400):
            camera.send(word)
            dropped = json.loads(camera.recv(10))["dropped"]
            if opened.table.seq:
                break
            time.sleep(0.01)

    assert opened.table.view(HOST)["board"][7] == ".......AT......"
    assert dropped > 0


def test_a_watcher_sees_no_more_than_watchers_may(served: Served) -> None:
    """Every call there is, tried with a watcher's token: it looks at the table and nothing else."""
    opened = served.played("scrabble_challenge")
    base = f"{served.address}/api/tables/{opened.table.id}"
    headers = bearer(opened.watch)
    reading = {
        name: httpx.get(base + path, headers=headers).status_code
        for name, path in (
            ("table", ""),
            ("record", "/record"),
            ("frame", "/frame.jpg"),
            ("picture", "/pictures/1.jpg"),
        )
    }
    writing = {
        "act": httpx.post(f"{base}/actions", headers=headers, json={"action": "pass"}).status_code,
        "corners": httpx.put(
            f"{base}/corners", headers=headers, json={"corners": None}
        ).status_code,
        "source": httpx.put(f"{base}/source", headers=headers, json={"source": None}).status_code,
        "frames": httpx.post(
            f"{base}/frames", headers={**headers, "Content-Type": "image/png"}, content=b"x"
        ).status_code,
    }
    with (
        socket_of(served, opened, "camera", opened.watch) as camera,
        pytest.raises(ConnectionClosed) as closed,
    ):
        camera.recv(5)

    assert reading == {"table": 200, "record": 403, "frame": 403, "picture": 403}
    assert set(writing.values()) == {403}
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
