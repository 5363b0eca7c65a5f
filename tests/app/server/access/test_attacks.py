"""What attackers send to a running server; a game at a table beside runs on undisturbed."""

from __future__ import annotations

import contextlib
import json
import logging
import struct
import zlib
from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from kibitz.app.reading.frames import FrameReader
from tests.app.server_help import ReadsBarcodes, board, picture_of
from tests.browser.browser_help import Served, do, serve

WORDS = [
    ("Ann", {"H8": "A", "H9": "T"}),
    ("Bob", {"I9": "O"}),
    ("Ann", {"J9": "P"}),
    ("Bob", {"H10": "E"}),
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(tmp_path_factory.mktemp("attacked"), FrameReader(ReadsBarcodes)) as running:
        yield running


@pytest.fixture
def game(served: Served) -> Iterator[object]:
    """A game with a page that watches it; after the attack it goes on, and its page sees it."""
    opened = served.open_table("scrabble", ["Ann", "Bob"], {"reject_invalid": False})
    with _live(served, opened.table.id, opened.watch) as page:
        first = json.loads(page.recv(5))
        yield opened
        done = [do(opened, action="place", player=p, tiles=t) for p, t in WORDS[:2]]
        newest = first
        while newest["seq"] < 2:
            message = json.loads(page.recv(5))
            newest = message if message["type"] == "state" else newest

    assert done == [True, True]
    assert newest["view"]["board"][8] == "........O......"


def _live(served: Served, table: str, token: str, **more: object) -> ClientConnection:
    address = served.address.replace("http", "ws")
    return connect(f"{address}/api/tables/{table}/live?token={token}", max_size=2**24, **more)  # type: ignore[arg-type]


def _camera(served: Served, opened, token: str | None = None) -> ClientConnection:
    address = served.address.replace("http", "ws")
    where = f"{address}/api/tables/{opened.table.id}/camera?token={token or opened.camera}"
    return connect(where, max_size=2**24)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/..%2f..%2fserver.py",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/static/....//server.py",
        "/static//etc/passwd",
        "/static/js/..%5c..%5cserver.py",
        "/table/..%2f..%2f..%2fetc%2fpasswd",
        "/api/tables/..%2f..%2fetc/record",
        "/api/tables/x%00y",
        "/static/%00",
    ],
)
def test_no_path_leads_out(served: Served, game, path: str) -> None:
    """However a path is written, only the page's own files and the table's own calls answer."""
    answer = httpx.get(served.address + path, headers={"Authorization": f"Bearer {game.host}"})

    assert answer.status_code in (200, 400, 404, 405)
    assert "import" not in answer.text.split("<script")[0]
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "token",
    ["x", "null", "../../x", "A" * 199, "A" * 5000, "' OR 1=1 --", "%00", "0" * 32],
)
def test_forged_tokens_open_nothing(served: Served, game, token: str) -> None:
    """A made-up token gets the answer that a wrong table gets, by HTTP and by socket."""
    headers = {"Authorization": f"Bearer {token}"}
    http = httpx.get(f"{served.address}/api/tables/{game.table.id}", headers=headers)
    socket = _live(served, game.table.id, quote(token[:4000]))
    with socket, pytest.raises(ConnectionClosed) as closed:
        socket.recv(5)

    assert http.status_code in (401, 404)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1.evil.example"]
)
def test_a_foreign_page_opens_no_socket_and_moves_nothing(
    served: Served, game, origin: str
) -> None:
    """Even with a right token a browser's page of another origin is refused."""
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        _live(served, game.table.id, game.host, origin=origin).recv(5)
    headers = {"Authorization": f"Bearer {game.host}", "Origin": origin}
    path = f"{served.address}/api/tables/{game.table.id}/actions"
    moved = httpx.post(path, headers=headers, json={"action": "pass", "player": "Ann"})

    assert (moved.status_code, moved.json()["error"]["code"]) == (403, "foreign_origin")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"action": 5}',
        b'{"action": "place", "tiles": NaN}',
        b'{"action": "place", "tiles": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"action": "place", "x": ' + b"9" * 5000 + b"}",
        b'{"action": "place", "player": "\\ud800"}',
        b"\xff\xfe" * 100,
    ],
)
def test_malformed_actions_are_refused_in_words(served: Served, game, body: bytes) -> None:
    """What is no action gets a code and a sentence."""
    headers = {"Authorization": f"Bearer {game.host}", "Content-Type": "application/json"}
    path = f"{served.address}/api/tables/{game.table.id}/actions"
    answer = httpx.post(path, headers=headers, content=body)

    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["message"]


def test_oversized_bodies_are_refused(served: Served, game) -> None:
    """Neither actions nor frames may be larger than they need be."""
    headers = {"Authorization": f"Bearer {game.host}", "Content-Type": "application/json"}
    path = f"{served.address}/api/tables/{game.table.id}"
    action = httpx.post(f"{path}/actions", headers=headers, content=b" " * 300_000)
    headers = {**headers, "Content-Type": "image/jpeg"}
    frame = httpx.post(f"{path}/frames", headers=headers, content=b"x" * 20_000_001)

    assert [action.status_code, frame.status_code] == [413, 413]


def test_a_camera_that_sends_rubbish_is_told_and_stays(served: Served, game) -> None:
    """Rubbish, text and a decompression bomb are answered; the next good frame is read."""
    with _camera(served, game) as socket:
        codes = []
        for data in (b"", b"rubbish", b"\xff\xd8\xff" + b"0" * 100, _bomb()):
            socket.send(data)
            codes.append(json.loads(socket.recv(5))["error"]["code"])
        socket.send("text")
        socket.send(picture_of(board()))
        read = json.loads(socket.recv(5))

    assert codes == ["empty_file", "not_an_image", "truncated", "too_large"]
    assert read["type"] == "health"
    assert "error" not in read


def test_a_frame_that_is_too_large_ends_its_socket_only(served: Served, game) -> None:
    """A message above the limit closes the camera's socket with the code for it."""
    with _camera(served, game) as socket:
        with contextlib.suppress(ConnectionClosed):
            socket.send(b"\xff\xd8" + b"0" * 20_100_000)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(10)

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


@pytest.mark.parametrize("who", ["watch", "seat", "camera"])
def test_watchers_read_only(served: Served, game, who: str) -> None:
    """Neither a watcher nor the camera acts, and only the camera sends frames."""
    token = {"watch": game.watch, "seat": game.seats["Ann"], "camera": game.camera}[who]
    headers = {"Authorization": f"Bearer {token}"}
    path = f"{served.address}/api/tables/{game.table.id}"
    acted = httpx.post(f"{path}/actions", headers=headers, json={"action": "undo"}).status_code
    framed = httpx.post(
        f"{path}/frames", headers={**headers, "Content-Type": "image/png"}, content=b"x"
    ).status_code
    tokens = httpx.post(f"{path}/tokens", headers=headers, json={"role": "watch"}).status_code

    # at this server anybody is its host, so that tokens are handed out; see the tests of the calls
    assert (acted, framed) == {"watch": (403, 403), "seat": (409, 403), "camera": (403, 422)}[who]
    assert tokens == 201


def test_nothing_secret_is_logged(served: Served, game, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever is called, wrongly or rightly, no token comes into a log."""
    with caplog.at_level(logging.DEBUG):
        headers = {"Authorization": f"Bearer {game.host}"}
        path = f"{served.address}/api/tables/{game.table.id}"
        httpx.get(path, headers=headers)
        httpx.post(f"{path}/actions", headers=headers, json={"action": "nonsense"})
        with _camera(served, game) as socket:
            socket.send(b"rubbish")
            socket.recv(5)
    # what this test's own clients log is not the server's
    logged = [r.getMessage() for r in caplog.records if r.name.split(".")[0] not in _CLIENTS]

    secrets = [game.host, game.camera, game.watch, *game.seats.values()]
    assert [line for line in logged if any(s in line for s in secrets)] == []


_CLIENTS = ("httpx", "httpcore", "websockets")


def _bomb() -> bytes:
    """A PNG of a few kilobytes that would unfold into 10 gigapixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + crc

    header = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 1_000_000, 9)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", pixels)
        + chunk(b"IEND", b"")
    )
