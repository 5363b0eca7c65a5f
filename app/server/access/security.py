"""Security of requests and answers: headers, sizes, origins, rates."""

from __future__ import annotations

import ipaddress
import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

from starlette.concurrency import run_in_threadpool

from kibitz.app.common.limits import LIMITS
from kibitz.app.server.errors import ApiError
from kibitz.engine.phrases import phrase

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from kibitz.app.server.session import Session


MOST_JSON: Final = 256_000
"""Bytes of a call that is no picture; a larger one is refused."""
MOST_CALLERS: Final = 4096
"""So many are counted; who called longest ago starts afresh."""
_HOST = re.compile(r"^(\[[0-9a-f:.]+\]|[a-z0-9.-]{1,253})(:\d{1,5})?$", re.IGNORECASE)

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
}


SHOWN = "/show/"
"""Pages that other sites may hold in a frame: they take a watcher's link only, and no taps."""


def content_policy(host: str, path: str = "") -> str:
    """Content security policy of a page: only this server's files, and who may frame it."""
    frames = "*" if path.startswith(SHOWN) else "'none'"
    # older browsers do not count sockets of the same host as 'self'
    sockets = f" ws://{host} wss://{host}" if _HOST.match(host) else ""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
        f"img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'{sockets}; "
        f"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {frames}"
    )


def bearer(headers: Mapping[str, str]) -> str | None:
    """The token of an `Authorization: Bearer` header."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def caller_of(connection: HTTPConnection) -> str:
    """Address of the caller, for counting."""
    return connection.client.host if connection.client else "unknown"


def token_of(scope: Scope, headers: Mapping[str, str]) -> str | None:
    """Token of a call, from its header or a socket's address; None without one."""
    if scope["type"] == "websocket":
        return next(iter(parse_qs(scope["query_string"].decode("latin-1")).get("token", ())), None)
    return bearer(headers)


def same_origin(headers: Mapping[str, str], scheme: str) -> bool:
    """True if the caller is a page of this server, or a program (which sends no origin).

    Args:
        headers: those of the call.
        scheme: how it came, `http` or `https`, also as a proxy of this machine says.
    """
    origin = headers.get("origin")
    if origin is None:
        return True
    host = headers.get("host", "").lower()
    parts = _parts(origin)
    return bool(host) and parts == (_PAGES.get(scheme, scheme), host)


_PAGES = {"ws": "http", "wss": "https"}
"""Schemes by which a page is loaded that opens such a socket."""


def _parts(origin: str) -> tuple[str, str] | None:
    try:
        parts = urlsplit(origin)
    except ValueError:  # no address at all
        return None
    return parts.scheme.lower(), parts.netloc.lower()


def is_foreign(headers: Mapping[str, str], scope: Scope) -> bool:
    """True if the caller is a page of another server, which is never allowed."""
    if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS"):
        return not same_origin(headers, scope["scheme"])
    # a picture on a foreign page asks without an origin; browsers tell where it stands
    site = headers.get("sec-fetch-site", "none")
    return scope["path"].startswith("/api/") and site in ("cross-site", "same-site")


_OF_PROXIES = ("forwarded", "x-forwarded-", "x-real-ip", "via")
"""Beginnings of headers that say that a call was passed on."""


def is_server_host(connection: HTTPConnection, session: Session) -> bool:
    """True if the caller may set up tables: this machine itself, or with the host key.

    In a hall it is the key alone: calls come by way of proxies and of other servers, and one that
    forgets to say so must make nobody the host.
    """
    headers = connection.headers
    if session.open_to_all or session.is_host_key(bearer(headers)):
        return True
    if (
        session.hall is not None
        or any(name.startswith(_OF_PROXIES) for name in headers)
        or not same_origin(headers, connection.url.scheme)
        or not _known_name(headers, session)
    ):
        return False
    try:
        return ipaddress.ip_address(caller_of(connection)).is_loopback
    except ValueError:
        return False


def _known_name(headers: Mapping[str, str], session: Session) -> bool:
    """True if the server was called by one of this machine's own names.

    A foreign name that points here would let a foreign page speak as this machine; by another
    address somebody came whose call was passed on from there.
    """
    host = headers.get("host", "").lower()
    if not _HOST.match(host):
        return False
    name = host.rsplit(":", 1)[0] if host[-1] != "]" else host
    name = name.strip("[]")
    if name == "localhost" or name in session.allowed_hosts:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


class Shield:
    """Wraps the application: counts calls, refuses large bodies, sets headers."""

    def __init__(self, app: ASGIApp, session: Session) -> None:
        self._app = app
        self._session = session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        caller = scope["client"][0] if scope.get("client") else "unknown"
        guarded = _with_headers(send, headers.get("host", ""), scope["path"])
        refused = await self._refused(scope, headers, caller)
        if refused is not None:
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": refused.code})
                return
            await _answer(guarded, refused)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        limit = _limit(scope)
        counted = _Counted(receive, guarded, limit)
        with suppress(_TooLargeError):  # it was answered when the limit was passed
            await self._app(scope, counted.receive, counted.send)

    async def _refused(
        self, scope: Scope, headers: Mapping[str, str], caller: str
    ) -> ApiError | None:
        # before anything is counted: a foreign page must not use up what its visitor may do
        if is_foreign(headers, scope):
            return ApiError(403, "foreign_origin", FOREIGN)
        if scope["path"].startswith("/api/"):
            # all phones behind one proxy have one address, so who has a token is counted by it
            given = token_of(scope, headers)
            host = self._session.is_host_key(given)
            token = "of the host" if host else self._session.tables.known_token(given)
            if token is None and given:
                if self._session.calls.empty(caller):  # who guesses tokens is not looked up for
                    return _TOO_MANY
                # a slow database keeps nobody else waiting
                token = await run_in_threadpool(self._session.tables.look_up, given)
            if not self._session.calls.take(f"token {token}" if token else caller):
                return _TOO_MANY
        if scope["type"] == "websocket":
            return None
        length = headers.get("content-length", "0")
        limit = _limit(scope)
        if not length.isdecimal() or len(length) > 15 or int(length) > limit:
            return _too_large(limit)
        return None


_TOO_MANY = ApiError(429, "too_many_calls", "Too many calls; wait a second and try again.")
FOREIGN = (
    "This page belongs to another server. Behind a proxy that speaks https, let it send "
    "X-Forwarded-Proto and Host as the browser did."
)


def _limit(scope: Scope) -> int:
    if scope["path"].endswith("/film"):
        return LIMITS.game_bytes
    picture = scope["path"].endswith(("/frames", "/taught"))
    return LIMITS.read_bytes if picture else MOST_JSON


def _too_large(limit: int) -> ApiError:
    return ApiError(
        413,
        "too_large",
        phrase("At most {limit} bytes are taken here; send less.", limit=f"{limit:,}"),
    )


class _TooLargeError(Exception):
    """A body is larger than it declared."""


class _Counted:
    """Receives a body, and answers with an error once it exceeds its limit."""

    def __init__(self, receive: Receive, send: Send, limit: int) -> None:
        self._receive = receive
        self._send = send
        self._limit = limit
        self._left = limit

    async def receive(self) -> Message:
        """The next part of the body."""
        message = await self._receive()
        if self._left >= 0:
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                await _answer(self._send, _too_large(self._limit))
        if self._left < 0:
            raise _TooLargeError
        return message

    async def send(self, message: Message) -> None:
        """Pass an answer on, unless one was sent already."""
        if self._left >= 0:
            await self._send(message)


def _with_headers(send: Send, host: str, path: str) -> Send:
    policy = content_policy(host, path)

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            fields = {**HEADERS, "content-security-policy": policy}
            if path.startswith(SHOWN):
                del fields["x-frame-options"]
            fields["cache-control"] = "no-store" if path.startswith("/api/") else "no-cache"
            said = {k for k, _ in message["headers"]}
            extra = [
                (k.encode(), v.encode("latin-1"))
                for k, v in fields.items()
                if k.encode() not in said
            ]
            message = {**message, "headers": [*message["headers"], *extra]}
        await send(message)

    return guarded


async def _answer(send: Send, error: ApiError) -> None:
    body = json.dumps(error.to_json()).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    if error.status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class RateLimit:
    """Token buckets, one a caller.

    Args:
        per_second: how fast a bucket fills.
        burst: how many calls a full bucket allows at once.
    """

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second = per_second
        self.burst = burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, caller: str, now: float | None = None) -> bool:
        """Use one call; False if the bucket is empty."""
        at = time.monotonic() if now is None else now
        with self._lock:
            left, since = self._buckets.pop(caller, (float(self.burst), at))
            left = min(float(self.burst), left + (at - since) * self.per_second)
            allowed = left >= 1.0
            self._buckets[caller] = (left - 1.0 if allowed else left, at)
            if len(self._buckets) > MOST_CALLERS:  # who called longest ago starts afresh
                self._buckets.popitem(last=False)
            return allowed

    def empty(self, caller: str, now: float | None = None) -> bool:
        """True if a caller has no call left."""
        at = time.monotonic() if now is None else now
        with self._lock:
            left, since = self._buckets.get(caller, (float(self.burst), at))
            return left + (at - since) * self.per_second < 1.0
