"""Asks the server of the hall that runs a table, where a call about it came to another one.

A call is taken in like any other: the same routes look at limits, origin and token, and reading
stops where they do. Only when its table turns out to be run elsewhere is the call sent on, and the
server there takes it for a stranger's: it does what its own token or key may do, whatever else
stands in it. No server is believed for being one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.status import WS_1012_SERVICE_RESTART

from kibitz.app.common.limits import LIMITS
from kibitz.app.common.storage.kept import LeaseLostError, StorageError
from kibitz.app.server.access.security import MOST_JSON
from kibitz.app.server.errors import ApiError, NotSavedError, storage_api_error
from kibitz.app.server.routes.common import HEADER

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from starlette.websockets import WebSocket

    from kibitz.app.hall.member import Hall
    from kibitz.app.server.session import Session
    from kibitz.app.tables.people.access import Actor
    from kibitz.app.tables.table import Table

SENT_ON: Final = "x-kibitz-sent-on"
"""The header of a call that a server of the hall sent on: it is sent no further."""
MOVED: Final = "x-kibitz-moved"
"""The header of the answer to such a call where the table is not run there either."""
ELSEWHERE: Final = "another server of the hall runs this table now; connect again"
_HOP = frozenset(
    {b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"te", b"trailer", b"date"}
)
"""Headers that belong to one connection, and one that every server adds."""
_LOOKED_AT = (b"origin", b"sec-", b"forwarded", b"x-forwarded-", b"expect", SENT_ON.encode())
"""Beginnings of headers that are for the server which was called, or are written anew."""


class Forwarding:
    """Around the routes, where they belong to a hall.

    Args:
        app: the routes.
        session: what they serve.
        hall: knows who runs which table.
    """

    def __init__(self, app: ASGIApp, session: Session, hall: Hall) -> None:
        self._app = app
        self._session = session
        self._hall = hall
        self._client: Any = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call here, or by the server that runs its table; wait if none does."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            if scope["type"] == "lifespan" and self._client is not None:
                await self._client.aclose()
            return
        body = _Body(receive)
        ends = time.monotonic() + self._hall.rule.patience_s
        while True:
            try:
                await self._app({**scope}, body.receive, send)
            except (LeaseLostError, NotSavedError) as error:
                refused = await self._elsewhere(scope, error, body, send)
            else:
                return
            if refused is None:
                return
            sent_on = SENT_ON in Headers(scope=scope)
            if refused.status != 503 or sent_on or not body.whole or time.monotonic() > ends:
                await _refuse(send, refused, moved=sent_on)
                return
            await asyncio.sleep(self._hall.rule.again_s)
            body.begin_again()

    async def _elsewhere(
        self, scope: Scope, error: LeaseLostError | NotSavedError, body: _Body, send: Send
    ) -> ApiError | None:
        """Forward a call to the server that runs its table; an error, or None if answered."""
        hall, table_id = self._hall, error.table
        if hall.runs(table_id) or self._session.tables.is_open(table_id) is not None:
            self._session.drop_table(table_id)  # this server believed to run it
        try:
            place = await run_in_threadpool(hall.seek, table_id)
        except StorageError as away:
            return storage_api_error(away)
        no_further = SENT_ON in Headers(scope=scope) or not body.whole
        if place is None or place.server is None or no_further:
            return error if isinstance(error, ApiError) else _nobody_runs(table_id)
        body.begin_again()
        refused = await self._send_on(scope, table_id, place.server.reach, body, send)
        if refused is not None:
            hall.recheck_lease(table_id)
        return refused

    async def _send_on(
        self, scope: Scope, table_id: str, reach: str, body: _Body, send: Send
    ) -> ApiError | None:
        """Forward a call to another server and stream its answer back; None if answered."""
        import httpx

        if self._client is None:
            rule = self._hall.rule
            waits = httpx.Timeout(rule.answer_s, connect=rule.connect_s)
            # a line is let go before the other server lets it go, which could cost a call
            lines = httpx.Limits(keepalive_expiry=rule.connect_s)
            self._client = httpx.AsyncClient(timeout=waits, limits=lines, trust_env=False)
        query = scope["query_string"].decode("latin-1")
        try:
            request = self._client.build_request(
                scope["method"],
                f"{reach}{quote(scope['path'])}?{query}",
                headers=_headers(scope),
                content=Request(scope, body.receive).stream() if _has_body(scope) else None,
            )
            answer = await self._client.send(request, stream=True)
        except ClientDisconnect:
            return None
        except (httpx.ConnectError, httpx.ConnectTimeout):
            return _nobody_runs(table_id)
        except (httpx.LocalProtocolError, httpx.InvalidURL):
            return _UNCLEAR
        except httpx.HTTPError:
            # whether it was done is not known; with a key it is asked again and done once
            again = scope["method"] in ("GET", "HEAD") or "idempotency-key" in Headers(scope=scope)
            return _nobody_runs(table_id) if again else _OWNER_LOST
        async with contextlib.aclosing(answer):
            if MOVED in answer.headers:
                return _nobody_runs(table_id)
            kept = [(k.lower(), v) for k, v in answer.headers.raw if k.lower() not in _HOP]
            start = {"type": "http.response.start", "status": answer.status_code}
            await send({**start, "headers": kept})
            with contextlib.suppress(httpx.HTTPError):  # it breaks off for the caller too
                async for part in answer.aiter_raw():
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        return None


async def speak_for(
    socket: WebSocket, session: Session, error: LeaseLostError, token: str
) -> tuple[Table, Actor] | None:
    """Relay a socket whose token was right to the server that runs its table.

    Returns:
        The table and who they are, where this server runs it at last; None once all is said.
    """
    hall = session.hall
    assert hall is not None
    ends = time.monotonic() + hall.rule.patience_s
    while SENT_ON not in socket.headers and time.monotonic() < ends:
        with contextlib.suppress(StorageError):
            place = await run_in_threadpool(hall.seek, error.table)
            if place is not None and place.server is not None:
                if await _relay(socket, hall, place.server.reach):
                    return None
                hall.recheck_lease(error.table)
            elif place is not None:
                return await run_in_threadpool(session.enter, error.table, token)
        await asyncio.sleep(hall.rule.again_s)
    await socket.close(WS_1012_SERVICE_RESTART, ELSEWHERE)
    return None


async def _relay(socket: WebSocket, hall: Hall, reach: str) -> bool:
    """Relay a socket both ways until it ends; False if the other server does not answer."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed, WebSocketException

    query = urlencode(socket.query_params.multi_items())
    asked = [(k, socket.headers[k]) for k in (HEADER, "accept-language") if k in socket.headers]
    forwarded = [(k.decode(), v.decode()) for k, v in _forwarded(socket.scope)]
    try:
        far = await connect(
            f"ws{reach.removeprefix('http')}{socket.url.path}?{query}",
            additional_headers=[*asked, *forwarded],
            compression=None,
            max_size=LIMITS.read_bytes,
            open_timeout=hall.rule.connect_s,
            proxy=None,
        )
    except (OSError, TimeoutError, WebSocketException):
        return False
    async with far, anyio.create_task_group() as group:

        async def out() -> None:
            while (message := await socket.receive())["type"] != "websocket.disconnect":
                said = message.get("bytes")
                await far.send(message.get("text") or "" if said is None else said)

        async def back() -> None:
            with contextlib.suppress(ConnectionClosed):
                async for said in far:
                    kind = "text" if isinstance(said, str) else "bytes"
                    await socket.send({"type": "websocket.send", kind: said})
            code = far.close_code
            if code is None or code in (1000, 1005, 1006, 1015):  # it ended without saying why
                code = WS_1012_SERVICE_RESTART
            await socket.close(code, far.close_reason or "")

        async def until_end(job: Callable[[], Awaitable[None]]) -> None:
            with contextlib.suppress(ConnectionClosed, RuntimeError):
                await job()
            group.cancel_scope.cancel()

        for job in (out, back):
            group.start_soon(until_end, job)
    return True


_OWNER_LOST = ApiError(
    502,
    "owner_lost",
    "The server that runs this table went away while it worked; whether it was done is not known. "
    "Look at the table, or send the call with an Idempotency-Key: it is done once then.",
)
_UNCLEAR = ApiError(400, "bad_request", "This call has an address or headers that none may have.")


def _nobody_runs(table_id: str) -> ApiError:
    message = f"No server of this hall can be reached that runs table {table_id}; try again."
    return ApiError(503, "table_unreachable", message)


def _headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Headers of a forwarded call."""
    kept = [(k, v) for k, v in scope["headers"] if k not in _HOP and not k.startswith(_LOOKED_AT)]
    return [*kept, *_forwarded(scope)]


def _forwarded(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Header with the original caller, which is trusted from this server's address."""
    caller = scope["client"][0] if scope.get("client") else "unknown"
    scheme = scope["scheme"].replace("ws", "http")
    return [
        (SENT_ON.encode(), b"1"),
        (b"x-forwarded-for", caller.encode("ascii", "replace")),
        (b"x-forwarded-proto", scheme.encode()),
    ]


def _has_body(scope: Scope) -> bool:
    names = {k for k, _ in scope["headers"]}
    return b"content-length" in names or b"transfer-encoding" in names


class _Body:
    """Receives a body and remembers it, in case the call must be forwarded again.

    Attributes:
        whole: all that was taken is remembered; a picture or a film is not.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._kept: list[Message] = []
        self._next = 0
        self._left = MOST_JSON
        self.whole = True

    async def receive(self) -> Message:
        """The next part of the body."""
        if self._next < len(self._kept):
            self._next += 1
            return self._kept[self._next - 1]
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        self.whole = self.whole and self._left >= 0
        if self.whole:
            self._kept.append(message)
            self._next += 1
        else:
            self._kept.clear()
            self._next = 0
        return message

    def begin_again(self) -> None:
        """Replay the body from its beginning."""
        self._next = 0


async def _refuse(send: Send, error: ApiError, *, moved: bool) -> None:
    body = json.dumps(error.to_json()).encode()
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"1")]
    headers += [(MOVED.encode(), b"1")] if moved else []
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
