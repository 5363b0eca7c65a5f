"""A stranger on the same machine who attacks servers while others play."""

from __future__ import annotations

import json
import random
import socket
import struct
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.client import HTTPException
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.app.server_help import bearer, board, picture_of
from tests.enduring.server import KEY, ServerProcess
from tests.helpers.hostile_pictures import for_another_program, painted_over, png_header

PAUSE_S = 0.05
SECONDS = 5.0
"""So long the stranger waits for an answer."""
LINES = 40
"""Half-open lines at a time."""
MOST_HEAD = 2_000_000
BOMB_BYTES = 20_000_000


def _squeezed(data: bytes) -> bytes:
    """Data as a WebSocket's compressed message."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return squeeze.compress(data) + squeeze.flush(zlib.Z_SYNC_FLUSH)[:-4]


BOMB = _squeezed(b"0" * BOMB_BYTES)
ELSEWHERE = {
    "x-forwarded-for": "10.0.0.9",
    "x-forwarded-host": "evil.example",
    "x-kibitz-peer": "left",
    "x-kibitz-signature": "0" * 64,
}
"""What a call carries that claims to have been passed on by a server of the hall."""


def line_to(address: str) -> socket.socket:
    """A connection to a server."""
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), SECONDS)


def endless_head(address: str, rng: random.Random) -> bool:
    """Begin a call whose head does not end; True if the server ended it."""
    piece = rng.choice((b"x" * 1000, b"x: y\r\n" * 100, b"\xff" * 1000, b" " * 1000))
    with line_to(address) as line:
        line.sendall(b"GET / HTTP/1.1\r\nhost: x\r\nx: ")
        for _ in range(MOST_HEAD // len(piece)):
            try:
                line.sendall(piece)
            except OSError:
                return True
        return _hangs_up(line)


def socket_bomb(address: str, rng: random.Random) -> bool:
    """Send a small message that unpacks into a large one; True if the server hung up."""
    path = rng.choice(("live", "camera"))
    with line_to(address) as line:
        line.sendall(
            f"GET /api/tables/x/{path}?token=x HTTP/1.1\r\nhost: {urlsplit(address).netloc}\r\n"
            "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
            "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "sec-websocket-extensions: permessage-deflate\r\n\r\n".encode()
        )
        line.recv(4096)
        # final, compressed, text; masked with zeros, which changes nothing
        line.sendall(b"\xc1" + struct.pack(">BQ", 0x80 | 127, len(BOMB)) + bytes(4) + BOMB)
        return _hangs_up(line)


def _hangs_up(line: socket.socket) -> bool:
    """True if the other end closes the connection soon."""
    try:
        while line.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


class Stranger(threading.Thread):
    """Attacks a server while its `with` block runs.

    Args:
        servers: whom, also after they were killed and have come back.
        rng: decides how.

    Attributes:
        tried: attacks by their kind.
        broke: those that were let in, or that a server's own code broke on.
    """

    def __init__(self, servers: Sequence[ServerProcess], rng: random.Random) -> None:
        super().__init__(name="stranger", daemon=True)
        self.tried: Counter[str] = Counter()
        self.broke: Counter[str] = Counter()
        self._servers, self._rng = servers, random.Random(rng.random())
        self._ends = threading.Event()
        self._made: dict[str, Any] | None = None
        self._left: list[socket.socket] = []

    def __enter__(self) -> Stranger:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ends.set()
        self.join(4 * SECONDS)
        for line in self._left:
            line.close()

    def to_json(self) -> dict[str, Any]:
        """The result for the report."""
        return {"tried": dict(self.tried), "broke": dict(self.broke)}

    def run(self) -> None:
        """Make one attack after the other."""
        kinds: tuple[Callable[[str], str], ...] = (
            self._head,
            self._bomb,
            self._half_open,
            self._guess,
            self._passed_on,
            self._picture,
            self._silent_phone,
        )
        while not self._ends.wait(PAUSE_S):
            attack = self._rng.choice(kinds)
            address = self._rng.choice(self._servers).address
            if not address:
                continue
            name = attack.__name__.strip("_")
            self.tried[name] += 1
            # killed servers hang up
            with suppress(OSError, HTTPException, httpx.HTTPError):
                wrong = attack(address)
                if wrong:
                    self.broke[f"{name}: {wrong}"] += 1

    def _head(self, address: str) -> str:
        return "" if endless_head(address, self._rng) else "no end"

    def _bomb(self, address: str) -> str:
        return "" if socket_bomb(address, self._rng) else "the line stays open"

    def _half_open(self, address: str) -> str:
        self._left.append(line_to(address))
        self._left[-1].sendall(b"POST / HT")
        for old in self._left[:-LINES]:
            old.close()
        self._left = self._left[-LINES:]
        return ""

    def _guess(self, address: str) -> str:
        table = self._table(address)["table"]
        return self._asked("GET", f"{address}/api/tables/{table}", bearer(f"{self._rng.random()}"))

    def _passed_on(self, address: str) -> str:
        where = self._rng.choice((f"/api/tables/{self._table(address)['table']}", "/api/cameras"))
        return self._asked("GET", f"{address}{where}", ELSEWHERE)

    def _picture(self, address: str) -> str:
        made, rng = self._table(address), self._rng
        data = rng.choice(
            (painted_over(5000), png_header(1, 120_000_000), for_another_program(), b"")
        )
        kind = {"content-type": rng.choice(("image/jpeg", "image/png"))}
        path = f"{address}/api/tables/{made['table']}/frames"
        return self._asked("POST", path, {**bearer(made["camera_token"]), **kind}, data)

    def _silent_phone(self, address: str) -> str:
        """Send a picture and then nothing, over a connection that stays open."""
        made = self._table(address)
        line = line_to(address)
        path = f"/api/tables/{made['table']}/camera?token={made['camera_token']}"
        line.sendall(
            f"GET {path} HTTP/1.1\r\nhost: {urlsplit(address).netloc}\r\nupgrade: websocket\r\n"
            "connection: upgrade\r\nsec-websocket-version: 13\r\n"
            "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        data = picture_of(board())
        line.sendall(b"\x82" + struct.pack(">BQ", 0x80 | 127, len(data)) + bytes(4) + data)
        self._left.append(line)
        return ""

    def _asked(self, method: str, path: str, headers: dict[str, str], data: bytes = b"") -> str:
        """The fault in an answer to a call that should be refused; empty if there is none."""
        answer = httpx.request(method, path, headers=headers, content=data, timeout=SECONDS)
        # a hall says so while the server that runs the table is being killed
        if 400 <= answer.status_code < 500 or answer.status_code in (502, 503):
            return ""
        return f"{answer.status_code} {json.dumps(answer.text[:80])}"

    def _table(self, address: str) -> dict[str, Any]:
        """A table of the stranger's own."""
        if self._made is None:
            order = {"game": "scrabble", "players": ["Eve", "Mallory"], "lexicon": "none"}
            path, key = f"{address}/api/tables", bearer(KEY)
            answer = httpx.post(path, json=order, headers=key, timeout=SECONDS)
            self._made = answer.raise_for_status().json()
        return self._made
