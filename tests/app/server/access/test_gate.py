"""Connections through which nothing is asked: closed in time, and before people find no room."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import httpx
import pytest
import uvicorn
from websockets.sync.client import connect

from kibitz.app.server.access.certificate import Papers, local_papers
from kibitz.app.server.access.gate import Gate, GateRule, guarded_config
from kibitz.app.server.app import create_app
from tests.app.server_help import make_session, new_table

SOON = GateRule(head_s=0.3, transfer_s=0.6)
LONG = GateRule(head_s=60, transfer_s=60, waiting=1000, kept_back=20)


class Wire:
    """A connection that only counts how often it was closed."""

    def __init__(self) -> None:
        self.aborted = 0

    def abort(self) -> None:
        """Closed."""
        self.aborted += 1


@contextlib.contextmanager
def serving(folder: Path, gate: Gate, papers: Papers | None = None) -> Iterator[int]:
    """A real server behind a gate; its port."""
    session = make_session(folder)
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    options = {"ssl_keyfile": papers.key, "ssl_certfile": papers.chain} if papers else {}
    config = guarded_config(
        create_app(session), gate, log_level="critical", timeout_graceful_shutdown=1, **options
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()


def caller(port: int, says: bytes = b"") -> socket.socket:
    wire = socket.create_connection(("127.0.0.1", port), timeout=20)
    wire.sendall(says)
    return wire


def is_closed(wire: socket.socket, within: float = 20) -> bool:
    """Whether the other end closes the connection in time."""
    wire.settimeout(within)
    try:
        while wire.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    wire.close()
    return True


@pytest.mark.parametrize(
    ("says", "why"),
    [
        (b"", "head"),
        (b"GET /api/games HTTP/1.1\r\nHost: x\r\nX-Slow: 1", "head"),
        (b"POST /api/qr HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", "body"),
        (b"GET /api/games HTTP/1.1\r\nHost: x\r\n\r\nG", "head"),
    ],
    ids=["silent", "half a head", "half a body", "half of the next one"],
)
def test_who_does_not_go_on_is_closed(tmp_path: Path, says: bytes, why: str) -> None:
    """A request that is not finished in time ends its connection, and is counted."""
    gate = Gate(SOON)
    with serving(tmp_path, gate) as port:
        assert is_closed(caller(port, says))

    assert gate.closed == {why: 1}


def test_a_handshake_that_is_not_made_is_closed(tmp_path: Path) -> None:
    """Over https too: who connects and says nothing is gone soon."""
    papers = local_papers(tmp_path / "papers", ())
    with serving(tmp_path, Gate(SOON), papers) as port:
        assert is_closed(caller(port))
        context = ssl.create_default_context(cadata=papers.authority)
        answer = httpx.get(f"https://127.0.0.1:{port}/api/games", verify=context, timeout=60)

    assert 200 == answer.status_code


FLOOD = """
import socket, sys
held = []
for _ in range(1100):
    held.append(socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=60))
    held[-1].sendall(b"GET / HTTP/1.1\\r\\n")
print("held", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def flooded(port: int) -> Iterator[None]:
    """Eleven hundred half-open connections, whose other ends lie in a process of their own."""
    command = [sys.executable, "-c", FLOOD, str(port)]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as flood:
        assert flood.stdin
        assert flood.stdout
        assert flood.stdout.readline() == "held\n"
        yield
        flood.stdin.close()


def test_eleven_hundred_half_open_connections_silence_nobody(tmp_path: Path) -> None:
    """With fewer descriptors than half-open connections people are served, and pages stay open."""
    highest = max(int(name) for name in os.listdir("/proc/self/fd"))  # noqa: PTH208
    gate = Gate(LONG, descriptors=highest + 150 + LONG.kept_back)
    with serving(tmp_path, gate) as port:
        base = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=base, timeout=60) as client:
            made = new_table(client)
        live = f"ws://127.0.0.1:{port}/api/tables/{made['table']}/live?token={made['watch_token']}"
        with connect(live) as page:
            page.recv(20)
            with flooded(port):
                answers = [
                    httpx.get(f"{base}/api/games", timeout=60).status_code for _ in range(5)
                ]
                pong = page.ping().wait(20)

    assert [200] * 5 == answers
    assert pong
    assert gate.closed["room"] > 100


CHUNKED = b"POST /api/qr HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "says",
    [
        b"GET /",
        b"GET / HTTP/1.1\r\nX",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /api/games HTTP/1.1\r\nX-Long: ",
        CHUNKED + b"2;",
        CHUNKED + b"2\r\n{}\r\n0\r\nX-Long: ",
    ],
    ids=["address", "name", "value", "second head", "chunk's name", "trailer"],
)
def test_a_head_without_an_end_is_cut_off(tmp_path: Path, says: bytes) -> None:
    """Whatever of it never ends, in however small pieces it comes."""
    gate = Gate(LONG)
    with serving(tmp_path, gate) as port, caller(port, says) as wire:
        with contextlib.suppress(OSError):
            for _ in range(1000):
                wire.sendall(b"x" * 1000)
        closed = is_closed(wire, within=5)

    assert (True, {"large": 1}) == (closed, gate.closed)


def test_what_is_wrong_with_a_long_head_is_said(tmp_path: Path) -> None:
    """In words, as JSON, while bodies may be longer and lines stay open behind them."""
    with serving(tmp_path, Gate(LONG)) as port:
        base = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=base, timeout=60) as client:
            fits = [client.post("/api/qr", content=b"x" * 200_000).status_code for _ in range(2)]
        with caller(port, b"GET / HTTP/1.1\r\nX-Long: ") as wire:
            wire.sendall(b"x" * LONG.most_head)
            refused = http.client.HTTPResponse(wire)
            refused.begin()
            said = json.loads(refused.read())["error"]

    assert ([422, 422], 431, "too_large") == (fits, refused.status, said["code"])
    assert "64,000 bytes" in said["message"]


def test_no_message_of_a_socket_unfolds_into_more_than_was_sent(tmp_path: Path) -> None:
    """A browser that offers to compress is told that nothing is compressed here."""
    with serving(tmp_path, Gate(LONG)) as port:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            made = new_table(client)
        path = f"/api/tables/{made['table']}/live?token={made['watch_token']}"
        with connect(f"ws://127.0.0.1:{port}{path}", compression="deflate", proxy=None) as page:
            page.recv(20)
            agreed = page.protocol.extensions

    assert [] == agreed


UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def test_sockets_with_wrong_tokens_hold_no_room(tmp_path: Path) -> None:
    """They are told, and do not answer; they make room like those that ask nothing."""
    gate = Gate(GateRule(waiting=5, head_s=60))
    with serving(tmp_path, gate) as port:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            made = new_table(client)
        where = f"/api/tables/{made['table']}/live?token="
        page = caller(port, UPGRADE.format(path=where + made["watch_token"]).encode())
        page.settimeout(20)
        heard = b""
        while not heard.partition(b"\r\n\r\n")[2]:  # once it is told something it was let in
            heard += page.recv(64)
        wrong = []
        for _ in range(8):
            wrong.append(caller(port, UPGRADE.format(path=where + "guess").encode()))
            wrong[-1].settimeout(20)
            wrong[-1].recv(64)
        first = [is_closed(w) for w in wrong[:3]]
        stays = is_closed(page, within=0.5)
        for wire in (page, *wrong):
            wire.close()

    assert ([True] * 3, False) == (first, stays)


def test_one_address_holds_only_so_many(tmp_path: Path) -> None:
    """The oldest of an address makes room for its newest; those who asked are not counted."""
    gate = Gate(GateRule(waiting=5, head_s=60))
    with serving(tmp_path, gate) as port:
        wires = [caller(port) for _ in range(8)]
        first = [is_closed(w) for w in wires[:3]]
        last = is_closed(wires[-1], within=0.3)
        answer = httpx.get(f"http://127.0.0.1:{port}/api/games", timeout=60).status_code
        for wire in wires:
            wire.close()

    assert ([True] * 3, False, 200) == (first, last, answer)


def test_room_is_made_by_who_holds_most() -> None:
    """Where no descriptor is left, the address with most idle connections loses its oldest."""
    gate = Gate(GateRule(waiting=100, kept_back=10), descriptors=50)
    flood, calm, late = [Wire() for _ in range(3)], Wire(), Wire()
    gate.arrive("10.0.0.2", calm, 20)
    for wire in flood:
        gate.arrive("10.0.0.1", wire, 30)

    taken = gate.arrive("10.0.0.3", late, 40)

    assert taken
    assert [1, 0, 0] == [w.aborted for w in flood]
    assert (0, 0) == (calm.aborted, late.aborted)


def test_nobody_is_thrown_out_who_has_asked() -> None:
    """Where everybody is being served a newcomer finds no room."""
    gate = Gate(GateRule(kept_back=10), descriptors=50)
    busy, late = Wire(), Wire()
    gate.arrive("10.0.0.1", busy, 30)
    gate.leave("10.0.0.1", busy)

    assert gate.arrive("10.0.0.2", late, 40) is False
    assert (0, {"full": 1}, 0) == (busy.aborted, gate.closed, gate.waiting())
