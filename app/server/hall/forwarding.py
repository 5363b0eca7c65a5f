"""Passes the calls of a table on to the server of the hall that runs it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.status import WS_1012_SERVICE_RESTART, WS_1013_TRY_AGAIN_LATER

from kibitz.app.common.storage.kept import StorageError
from kibitz.app.common.waiting import WAITS
from kibitz.app.hall.leases import Server
from kibitz.app.hall.member import Hall, Place
from kibitz.app.reading.frames import FRAMES
from kibitz.app.server.access.security import VOUCHED, is_server_host
from kibitz.app.server.errors import MOVED, ApiError, storage_api_error

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from kibitz.app.server.session import Session

PEER: Final = "x-kibitz-peer"
"""The header by which a server of the hall says for whom it calls, signed with their secret."""
_HOP = frozenset(
    {"connection", "keep-alive", "transfer-encoding", "upgrade", "content-length", "te", "trailer"}
)
"""Headers that belong to one connection."""


@dataclass(frozen=True, slots=True)
class Told:
    """For whom another server of the hall calls.

    Attributes:
        caller: the caller's address.
        scheme: how the caller came: `http` or `https`.
        host: whether the caller is the host of the server that was called.
    """

    caller: str
    scheme: str
    host: bool


def sign(secret: bytes, told: Told, method: str, target: str, at: float | None = None) -> str:
    """What stands in the header of a call that is passed on."""
    when = f"{time.time() if at is None else at:.0f}"
    said = [when, str(int(told.host)), told.scheme, told.caller]
    return "|".join((*said, _mac(secret, (*said, method, target))))


def believed(secret: bytes, header: str, method: str, target: str) -> Told | None:
    """For whom a call was passed on; None: no server of this hall said so, or long ago."""
    parts = header.split("|")
    if len(parts) != 5:
        return None
    *said, mac = parts
    if not hmac.compare_digest(mac.encode(), _mac(secret, (*said, method, target)).encode()):
        return None
    when, host, scheme, caller = said
    if abs(time.time() - float(when)) > WAITS.answer_s:
        return None
    return Told(caller, scheme, host == "1")


def _mac(secret: bytes, said: tuple[str, ...]) -> str:
    return hmac.new(secret, "\n".join(said).encode(), hashlib.sha256).hexdigest()


def table_in(path: str) -> str | None:
    """The table that a call is about; None: it is about none."""
    parts = path.split("/")
    if len(parts) < 4 or parts[1:3] != ["api", "tables"]:
        return None
    return parts[3] if parts[3].isalnum() and len(parts[3]) <= 40 else None


class Forwarding:
    """Around the whole application, where it belongs to a hall.

    Args:
        app: the application.
        session: what it serves.
        hall: knows who runs which table.
    """

    def __init__(self, app: ASGIApp, session: Session, hall: Hall) -> None:
        self._app = app
        self._session = session
        self._hall = hall
        self._client: Any = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call here, or where its table is run."""
        if scope["type"] not in ("http", "websocket"):
            try:
                await self._app(scope, receive, send)
            finally:
                if self._client is not None:
                    await self._client.aclose()
            return
        told = self._peer(scope)
        table_id = table_in(scope["path"])
        if told is not None:
            scope = {**scope, "client": (told.caller, 0), VOUCHED: told.host}
            scope["scheme"] = _SOCKET[told.scheme] if scope["type"] == "websocket" else told.scheme
        if table_id is None:
            await self._app(scope, receive, send)
            return
        call = _Call(self._hall, self._session, scope, table_id, passed=told is not None)
        if scope["type"] == "websocket":
            await self._socket(call, receive, send)
        else:
            await self._http(call, receive, send)

    def _peer(self, scope: Scope) -> Told | None:
        header = _header(scope, PEER)
        method = str(scope.get("method", "SOCKET"))
        if header is None:
            return None
        return believed(self._hall.secret, header, method, _target(scope))

    # --- calls ----------------------------------------------------------------------------------

    async def _http(self, call: _Call, receive: Receive, send: Send) -> None:
        if self._hall.runs(call.table_id):  # nothing is kept back where nothing can be passed on
            answer = _Answer(send)
            body = _Body(receive)
            await self._app(call.scope, body.first, answer.send)
            if not answer.moved:
                return
            self._session.lost(call.table_id)
            data = await body.rest()
        else:
            data = await _whole(receive)
        if data is None:
            return
        await self._wherever(call, data, send)

    async def _wherever(self, call: _Call, data: bytes, send: Send) -> None:
        """Try until the table is run somewhere and has answered."""
        ends = time.monotonic() + self._hall.rule.patience_s
        refused: ApiError | None = None
        while time.monotonic() < ends:
            try:
                place = await call.place()
            except StorageError as error:
                refused = storage_api_error(error)
                place = None
                if not (call.reads and self._session.tables.is_open(call.table_id)):
                    if call.passed:
                        break
                    await asyncio.sleep(self._hall.rule.again_s)
                    continue
            if place is None or place.here:
                answer = _Answer(send)
                await self._app(call.scope, _again(data), answer.send)
                if not answer.moved:
                    return
                self._session.lost(call.table_id)
            elif call.passed:
                break
            elif place.server is not None:
                refused = await self._pass_on(call, place.server, data, send)
                if refused is None:
                    return
                if refused.code == "owner_lost":
                    break
                self._hall.lost(call.table_id)
            await asyncio.sleep(self._hall.rule.again_s)
        await _refuse(send, refused or _nobody(call.table_id), moved=call.passed)

    async def _pass_on(
        self, call: _Call, server: Server, data: bytes, send: Send
    ) -> ApiError | None:
        """Ask the server that runs the table; None: it has answered."""
        import httpx

        client = self._client or self._new_client()
        headers = call.headers(self._hall.secret)
        sent = False

        async def body() -> Any:
            nonlocal sent
            sent = True
            yield data

        try:
            answer = await client.request(
                call.scope["method"], server.reach + _target(call.scope), headers=headers,
                content=body() if data else None,
            )  # fmt: skip
        except (httpx.ConnectError, httpx.ConnectTimeout):
            return _nobody(call.table_id)
        except httpx.HTTPError:
            # whether it was done is not known; with a key it is asked again and done once
            if call.reads or _header(call.scope, "idempotency-key") or not data:
                return _nobody(call.table_id)
            return _OWNER_LOST
        if MOVED in answer.headers:
            return _nobody(call.table_id)
        kept = [
            (k, v)
            for k, v in answer.headers.raw
            if k.lower().decode() not in _HOP and k.lower() != b"content-encoding"
        ]
        length = (b"content-length", str(len(answer.content)).encode())
        start = {"type": "http.response.start", "status": answer.status_code}
        await send({**start, "headers": [*kept, length]})
        last = b"" if call.scope["method"] == "HEAD" else answer.content
        await send({"type": "http.response.body", "body": last})
        return None

    def _new_client(self) -> Any:
        import httpx

        rule = self._hall.rule
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(rule.answer_s, connect=rule.connect_s),
            trust_env=False,
        )
        return self._client

    # --- sockets --------------------------------------------------------------------------------

    async def _socket(self, call: _Call, receive: Receive, send: Send) -> None:
        if self._hall.runs(call.table_id):
            await self._app(call.scope, receive, send)
            return
        ends = time.monotonic() + self._hall.rule.patience_s
        while time.monotonic() < ends:
            try:
                place = await call.place()
            except StorageError:
                break
            if place is None or place.here:
                await self._app(call.scope, receive, send)
                return
            if call.passed:
                break
            if place.server is not None and await self._relay(call, place.server, receive, send):
                return
            self._hall.lost(call.table_id)
            await asyncio.sleep(self._hall.rule.again_s)
        await receive()
        await send({"type": "websocket.accept"})
        closed = {"type": "websocket.close", "code": WS_1013_TRY_AGAIN_LATER}
        await send({**closed, "reason": "nobody runs this table now"})

    async def _relay(self, call: _Call, server: Server, receive: Receive, send: Send) -> bool:
        """Let a page speak with the server that runs its table; False: it cannot be reached."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed, WebSocketException

        address = "ws" + server.reach.removeprefix("http") + _target(call.scope)
        headers = dict(call.headers(self._hall.secret, socket=True))
        try:
            far = await connect(
                address,
                additional_headers=headers,
                compression=None,
                max_size=FRAMES.most_bytes,
                open_timeout=self._hall.rule.connect_s,
                proxy=None,
            )
        except (OSError, TimeoutError, WebSocketException):
            return False
        await receive()
        await send({"type": "websocket.accept"})
        async with anyio.create_task_group() as group:

            async def out() -> None:
                while (message := await receive())["type"] != "websocket.disconnect":
                    said = message.get("bytes")
                    await far.send(message.get("text") or "" if said is None else said)
                await far.close()
                group.cancel_scope.cancel()

            async def back() -> None:
                code, reason = WS_1012_SERVICE_RESTART, ""
                try:
                    async for said in far:
                        key = "text" if isinstance(said, str) else "bytes"
                        await send({"type": "websocket.send", key: said})
                except ConnectionClosed:
                    pass
                if far.close_code is not None and far.close_code not in (1000, 1005, 1006):
                    code, reason = far.close_code, far.close_reason or ""
                with contextlib.suppress(RuntimeError):
                    await send({"type": "websocket.close", "code": code, "reason": reason})
                group.cancel_scope.cancel()

            for job in (out, back):
                group.start_soon(_quietly, job)
        return True


_SOCKET = {"http": "ws", "https": "wss"}
_PLAIN = {"ws": "http", "wss": "https"}
_OWNER_LOST = ApiError(
    502,
    "owner_lost",
    "The server that runs this table went away while it worked; whether it was done is not known. "
    "Look at the table, or send the call with an Idempotency-Key: it is done once then.",
)


def _nobody(table_id: str) -> ApiError:
    message = f"No server of this hall can be reached that runs table {table_id}; try again."
    return ApiError(503, "table_unreachable", message)


class _Call:
    """One call of a table."""

    def __init__(
        self, hall: Hall, session: Session, scope: Scope, table_id: str, *, passed: bool
    ) -> None:
        self._hall = hall
        self._session = session
        self.scope = scope
        self.table_id = table_id
        self.passed = passed
        self.reads = scope.get("method", "GET") in ("GET", "HEAD", "OPTIONS")

    async def place(self) -> Place | None:
        """Where the table is run.

        Raises:
            StorageError: the hall cannot be asked, or this server must not act without it.
        """
        hall = self._hall
        if not hall.in_touch and self._session.tables.is_open(self.table_id) and hall.alone:
            return Place(here=True)  # nobody can have taken it: the game goes on in memory
        try:
            return await run_in_threadpool(hall.seek, self.table_id, fresh=self.passed)
        except StorageError as error:
            if hall.in_touch:
                raise
            told = "this server cannot reach what the hall shares"
            raise StorageError("hall_cut_off", f"{told}: {error.message}") from error

    def headers(self, secret: bytes, *, socket: bool = False) -> list[tuple[str, str]]:
        """The headers with which it is passed on."""
        scope = self.scope
        dropped = _HOP | {PEER, "accept-encoding", "x-forwarded-for", "forwarded"}
        if socket:
            dropped |= {n for n, _ in _plain(scope) if n.startswith("sec-websocket")} | {"host"}
        told = Told(
            scope["client"][0] if scope.get("client") else "unknown",
            str(_PLAIN.get(scope["scheme"], scope["scheme"])),
            is_server_host(HTTPConnection(scope), self._session),
        )
        method = str(scope.get("method", "SOCKET"))
        kept = [(n, v) for n, v in _plain(scope) if n not in dropped]
        if socket:  # a page's origin was compared with the name that it called
            kept = [(n, v) for n, v in kept if n != "origin"]
        return [*kept, (PEER, sign(secret, told, method, _target(scope)))]


class _Answer:
    """Sends an answer on, unless it says that the table is run elsewhere now."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.moved = False

    async def send(self, message: Message) -> None:
        """One part of the answer."""
        if message["type"] == "http.response.start":
            self.moved = any(k == MOVED.encode() for k, _ in message["headers"])
        if not self.moved:
            await self._send(message)


class _Body:
    """Receives a body and remembers it, should it be needed again."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._data = bytearray()
        self._ended = False

    async def first(self) -> Message:
        """The next part of it."""
        message = await self._receive()
        self._data += message.get("body", b"")
        self._ended = not message.get("more_body", False)
        return message

    async def rest(self) -> bytes | None:
        """All of it, also what the application did not ask for; None: the caller went away."""
        if not self._ended:
            more = await _whole(self._receive)
            if more is None:
                return None
            self._data += more
        return bytes(self._data)


async def _whole(receive: Receive) -> bytes | None:
    """A call's whole body; None: the caller went away."""
    data = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        data += message.get("body", b"")
        if not message.get("more_body") or len(data) > FRAMES.most_bytes:
            return bytes(data)


def _again(data: bytes) -> Receive:
    """A body that was received before."""
    waits = asyncio.Event()
    parts = iter(({"type": "http.request", "body": data, "more_body": False},))

    async def receive() -> Message:
        part = next(parts, None)
        if part is None:
            await waits.wait()
        return part or {"type": "http.disconnect"}

    return receive


async def _refuse(send: Send, error: ApiError, *, moved: bool) -> None:
    body = json.dumps(error.to_json()).encode()
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"1")]
    headers += [(MOVED.encode(), b"1")] if moved else []
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _quietly(job: Any) -> None:
    from websockets.exceptions import ConnectionClosed

    with contextlib.suppress(ConnectionClosed, RuntimeError):
        await job()


def _plain(scope: Scope) -> list[tuple[str, str]]:
    return [(k.decode("latin-1").lower(), v.decode("latin-1")) for k, v in scope["headers"]]


def _header(scope: Scope, name: str) -> str | None:
    return dict(_plain(scope)).get(name)


def _target(scope: Scope) -> str:
    raw = scope.get("raw_path") or scope["path"].encode()
    path = raw.decode("latin-1").partition("?")[0]
    query = scope.get("query_string", b"").decode("latin-1")
    return f"{path}?{query}" if query else path


def peer_headers(hall: Hall, method: str, target: str) -> Mapping[str, str]:
    """The header of a call that a server of the hall makes for itself."""
    return {PEER: sign(hall.secret, Told(hall.me.name, "http", host=True), method, target)}
