"""Limits idle connections, so that there is always room for people.

Uvicorn closes what is idle after an answer, but waits for ever for the first line of a request
and for the rest of one that was begun, however long it grows. Its own HTTP protocol is kept, with
a clock and a count beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import ssl
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from kibitz.app.common.limits import LIMITS


@dataclass(frozen=True, slots=True)
class GateRule:
    """Limits on connections and their waiting times.

    Attributes:
        head_s: from a connection, or a request's first byte, to its head's end, and for a
            handshake.
        transfer_s: for a body, and until an answer has been taken; 20 MB of a photograph pass in
            that through a slow line.
        waiting: connections of one address, through which nothing was asked yet; 200 phones
            behind one proxy come back at once.
        most_head: bytes of a request's head, or of what follows its body.
        kept_back: descriptors that are left to the database, cameras and files.
    """

    head_s: float = 10.0
    transfer_s: float = 300.0
    waiting: int = 400
    most_head: int = 64_000
    kept_back: int = 128


class Closes(Protocol):
    """A connection that the gate can close."""

    def abort(self) -> None:
        """Close it at once."""


def allowed_descriptors() -> int:
    """Number of descriptors that this process may open, after raising the limit."""
    try:
        import resource
    except ImportError:  # Windows counts differently, and gives plenty
        return 8192
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1 << 16 if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return wanted if soft == resource.RLIM_INFINITY else soft


@dataclass(eq=False)
class Gate:
    """Counts idle connections by the address they come from.

    A newcomer is never turned away for them: the one that has waited longest makes room. Nobody
    who has asked and waits for an answer, and no page that watches a table, is ever closed.

    Attributes:
        rule: how long and how many.
        descriptors: how many this process may have open.
        closed: how many connections were closed, by why.
    """

    rule: GateRule = field(default_factory=GateRule)
    descriptors: int = field(default_factory=allowed_descriptors)
    closed: dict[str, int] = field(default_factory=dict)
    _waiting: dict[str, OrderedDict[Closes, None]] = field(default_factory=dict)

    def arrive(self, caller: str, connection: Closes, descriptor: int) -> bool:
        """Register a new connection; False if there is no room at all.

        Args:
            caller: the address of the other end.
            connection: what is to be closed when room is needed.
            descriptor: its number. The lowest free one is given out, so as many are in use.
        """
        full = descriptor >= self.descriptors - self.rule.kept_back
        if full and not self._make_room():
            self.count("full")
            return False
        self.wait(caller, connection)
        here = self._waiting[caller]
        if len(here) > self.rule.waiting:
            self._close(caller, "waiting")
        return True

    def wait(self, caller: str, connection: Closes) -> None:
        """Mark a connection as idle."""
        self._waiting.setdefault(caller, OrderedDict())[connection] = None

    def leave(self, caller: str, connection: Closes) -> None:
        """Mark a connection as busy or closed."""
        here = self._waiting.get(caller)
        if here is None:
            return
        here.pop(connection, None)
        if not here:
            del self._waiting[caller]

    def waiting(self) -> int:
        """Number of idle connections."""
        return sum(len(here) for here in self._waiting.values())

    def count(self, why: str) -> None:
        """Count a connection that was closed."""
        self.closed[why] = self.closed.get(why, 0) + 1

    def _make_room(self) -> bool:
        """Close the oldest connection of the address with most of them; False if there is none."""
        if not self._waiting:
            return False
        self._close(max(self._waiting, key=lambda c: len(self._waiting[c])), "room")
        return True

    def _close(self, caller: str, why: str) -> None:
        oldest = next(iter(self._waiting[caller]))
        self.leave(caller, oldest)
        self.count(why)
        oldest.abort()


_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: application/json\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n%s"
)
CONNECTION = "kibitz.connection"
"""Under this name the application finds the connection that a socket came through."""


class GuardedProtocol(HttpToolsProtocol):
    """One connection with a timeout for each part of a request, and a limit for its head."""

    gate: Gate
    _caller = ""
    _head = 0
    _clock: asyncio.TimerHandle | None = None
    _begun = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn has such
        """Register the connection at the gate."""
        super().connection_made(transport)
        self._caller = self.client[0] if self.client else "unknown"
        peer = transport.get_extra_info("socket")
        if not self.gate.arrive(self._caller, self, peer.fileno() if peer else 0):
            transport.abort()
            return
        self._within(self.gate.rule.head_s, "head")

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self._stop_clock()
        self.gate.leave(self._caller, self)
        super().connection_lost(exc)

    def abort(self) -> None:
        """Close it at once; unsent data is lost."""
        self._stop_clock()
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Count the bytes of a request's head, and pass data on."""
        self._head += len(data)
        super().data_received(data)
        most = self.gate.rule.most_head
        if self._head > most and not self.transport.is_closing():
            self.gate.count("large")
            if self._idle():
                message = f"At most {most:,} bytes are taken before a body; send less."
                said = json.dumps({"error": {"code": "too_large", "message": message}})
                self.transport.write(_TOO_LARGE % (len(said), said.encode()))
            self.transport.close()

    def on_message_begin(self) -> None:
        """Start the timeout of a request's head."""
        super().on_message_begin()
        self._begun = True
        if self._idle():
            self._within(self.gate.rule.head_s, "head")

    def on_headers_complete(self) -> None:
        """Start the timeout of a request's body."""
        self._head, self._begun = 0, False
        alone = self._idle()
        super().on_headers_complete()
        if alone:
            self._within(self.gate.rule.transfer_s, "body")

    def on_body(self, body: bytes) -> None:
        """Restart the timeout of a request's body."""
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop timing, as the server works on the request from now on."""
        self._head = 0
        super().on_message_complete()
        if self._idle():  # it was answered before its end had come
            self._within(self.gate.rule.head_s, "head")
            return
        self.gate.leave(self._caller, self)
        self._within(self.gate.rule.transfer_s, "answer")

    def on_response_complete(self) -> None:
        """Time the next request, which may be waiting already."""
        super().on_response_complete()
        if self.transport.is_closing():
            return
        if self._idle():
            self.gate.wait(self._caller, self)
            if self._begun:  # the next request's head
                self._within(self.gate.rule.head_s, "head")
            elif self.cycle.more_body:  # the rest of one that was refused: who sends it reads why
                self._within(self.gate.rule.transfer_s, "body")
            else:
                self._stop_clock()
        else:
            self._within(self.gate.rule.transfer_s, "answer")

    def handle_websocket_upgrade(self) -> None:
        """Time a WebSocket until it has shown its token."""
        self.app_state = {**self.app_state, CONNECTION: self}
        self.gate.wait(self._caller, self)
        self._within(self.gate.rule.head_s, "socket")
        super().handle_websocket_upgrade()

    def admit(self) -> None:
        """Stop timing, as the token was right; the WebSocket's own pings take over."""
        self._stop_clock()
        self.gate.leave(self._caller, self)

    def _idle(self) -> bool:
        asked: object = self.cycle
        return asked is None or self.cycle.response_complete

    def _within(self, seconds: float, what: str) -> None:
        self._stop_clock()
        self._clock = self.loop.call_later(seconds, self._too_late, what)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _too_late(self, what: str) -> None:
        self._clock = None
        self.gate.leave(self._caller, self)
        if not self.transport.is_closing():
            self.gate.count(what)
            self.transport.abort()


def admit(scope: Mapping[str, Any]) -> None:
    """Admit a WebSocket whose token was right."""
    connection = (scope.get("state") or {}).get(CONNECTION)
    if isinstance(connection, GuardedProtocol):
        connection.admit()


def guarded_config(
    app: Any, gate: Gate | None = None, *, plain: socket.socket | None = None, **options: Any
) -> uvicorn.Config:
    """Configuration of uvicorn with connections that pass a gate.

    Args:
        app: what is served.
        gate: who is let in.
        plain: the port at which no https is spoken, where it is at the others.
        options: those of uvicorn.
    """
    guard = gate or Gate()
    protocol = type("GatedProtocol", (GuardedProtocol,), {"gate": guard})
    return _Config(
        app,
        handshake_s=guard.rule.head_s,
        plain=plain,
        http=protocol,
        server_header=False,
        # what is sent is what is worked on: twenty kilobytes can unfold into twenty megabytes
        ws_per_message_deflate=False,
        ws_max_size=LIMITS.read_bytes,
        **options,
    )


class _Config(uvicorn.Config):
    """Uvicorn's configuration with a shorter handshake timeout, or a port without any."""

    def __init__(
        self, app: Any, *, handshake_s: float, plain: socket.socket | None, **options: Any
    ) -> None:
        super().__init__(app, **options)
        self._handshake_s = handshake_s
        self._plain = plain

    def get_loop_factory(self) -> Callable[[], asyncio.AbstractEventLoop] | None:
        """A factory of event loops."""
        make = super().get_loop_factory() or asyncio.new_event_loop

        def made() -> asyncio.AbstractEventLoop:
            loop = make()
            create = loop.create_server

            async def create_server(*given: Any, **named: Any) -> asyncio.AbstractServer:
                context: ssl.SSLContext | None = named.get("ssl")
                at: socket.socket | None = named.get("sock")
                if at and self._plain and at.getsockname() == self._plain.getsockname():
                    named = {**named, "ssl": None}
                elif context is not None:
                    named = {**named, "ssl_handshake_timeout": self._handshake_s}
                return await create(*given, **named)

            loop.create_server = create_server  # type: ignore[method-assign,assignment]  # uvicorn asks it
            return loop

        return made
