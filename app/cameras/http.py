"""HTTP cameras: a stream of pictures, or one picture a call; the answer shows which."""

from __future__ import annotations

import io
import re
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPMessage,
    HTTPResponse,
    HTTPSConnection,
)
from typing import IO, Any, Final

from kibitz.app.cameras.reopening import PATIENCE, Connection, Patience, Shot, SourceTroubleError
from kibitz.app.common.addresses import Address, parse_address
from kibitz.app.common.limits import LIMITS

EXPECTED = "expected a picture (image/jpeg) or a stream of pictures (multipart/x-mixed-replace)"

_STATUS = {
    401: "wants a user and a password, or others: give them as http://user:password@…, a @ / or "
    "? in them as %40 %2F %3F",
    403: "refuses this machine or this user; check the camera's settings",
    404: "has nothing under this path; check the address in the camera's manual",
}


_KIND = re.compile(r"[\w.+-]{1,40}/[\w.+-]{1,60}")


NO_FILM: Final = (
    "{} answers, but sends no film that can be read here; expected H.264, H.265 or MJPEG: check "
    "the path, and the codec in the camera's settings"
)


def connect_http(
    address: Address,
    film: Callable[[str, Any], Connection],
    patience: Patience = PATIENCE,
) -> Connection:
    """Open a camera by its HTTP address, of whichever kind it is.

    Args:
        address: `http://…` or `https://…`, with user and password if need be.
        film: opens an answer as a film, should it turn out to be one.
        patience: how long it may take, and how often it is asked.

    Raises:
        SourceTroubleError: nobody answers, or with something that is no picture.
    """
    answer = _get(address, patience.answer)
    kind = answer.headers.get_content_type()
    if kind.startswith("multipart/"):
        boundary = answer.headers.get_param("boundary")
        return PictureStream(address, answer, str(boundary or ""), patience)
    if kind.startswith("image/"):
        return Snapshots(address, answer, patience)
    if kind.startswith("video/") or kind == "application/octet-stream":
        return film(address.shown, answer)
    answer.close()
    if kind in _PLAYLISTS:
        raise SourceTroubleError(
            f"{address.shown} gives a list of other addresses, where nobody follows; "
            "give the address of the stream itself, rtsp:// for instance"
        )
    named = kind if _KIND.fullmatch(kind) else "something else"
    raise SourceTroubleError(f"{address.shown} gives {named}; {EXPECTED}")


_PLAYLISTS = ("application/vnd.apple.mpegurl", "application/x-mpegurl", "application/dash+xml")


class TimedBytes(io.RawIOBase):
    """Bytes of a connection with a deadline, so that a slow sender holds up nobody."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._raw = line, line.makefile("rb", buffering=0)
        self.allow(line.gettimeout() or 0.0)

    def allow(self, seconds: float) -> None:
        """Allow so many seconds from now on."""
        self._ends = time.monotonic() + seconds

    def readable(self) -> bool:
        """True, as a camera's answer can be read."""
        return True

    def readinto(self, into: Any) -> int | None:
        """Read into a buffer, as files do.

        Raises:
            TimeoutError: it has taken too long.
        """
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._line.settimeout(left)
        return self._raw.readinto(into)

    def close(self) -> None:
        """Close the connection."""
        self._raw.close()
        super().close()


class _Answer(HTTPResponse):
    """An HTTP answer with a deadline from its first line on."""

    def __init__(self, line: socket.socket, *given: Any, **named: Any) -> None:
        super().__init__(line, *given, **named)
        self.fp.close()
        self.line = TimedBytes(line)
        self.fp = io.BufferedReader(self.line)


class _Plain(HTTPConnection):
    response_class = _Answer


class _Secure(HTTPSConnection):
    response_class = _Answer


class _TimedCalls(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    """Makes HTTP calls over such connections."""

    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(_Plain, req)

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(_Secure, req)


class _SameCameraRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects only to the same camera, so that its password goes nowhere else."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        fp.close()  # what else it says may have no end
        there = parse_address(newurl)
        if not there.same_place(parse_address(req.full_url)) or there.user is not None:
            raise RedirectedError(there.where if there.sure and there.host else "")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class RedirectedError(Exception):
    """A camera redirects to another machine, whose name may be shown."""


def camera_opener(*more: urllib.request.BaseHandler) -> urllib.request.OpenerDirector:
    """Opens addresses of cameras: what they send on to elsewhere is not followed."""
    return urllib.request.build_opener(_SameCameraRedirects, _TimedCalls, *more)


_OPENER = camera_opener()


def _get(address: Address, seconds: float) -> Any:
    shown = address.shown
    headers = {} if address.basic is None else {"Authorization": address.basic}
    # nothing that the other end or a library says is passed on: it may repeat the address
    try:
        request = urllib.request.Request(address.bare, headers=headers)
        return _OPENER.open(request, timeout=seconds)
    except RedirectedError as error:
        trouble = redirect_message(shown, str(error))
    except urllib.error.HTTPError as error:
        error.close()
        trouble = f"{shown} {_STATUS.get(error.code) or _in_words(error.code)}"
    except (OSError, HTTPException, ValueError) as error:
        trouble = f"{shown}: {why_no_answer(error)}"
    raise SourceTroubleError(trouble)


def redirect_message(shown: str, where: str) -> str:
    """Message about a camera that redirects to another address."""
    to = f"to {where}" if where else "elsewhere"
    return (
        f"{shown} sends on {to}, where nobody follows: user and password are for this camera "
        "only; if it is right, give that address"
    )


def _in_words(status: int) -> str:
    try:
        return f"answers with error {status} ({HTTPStatus(status).phrase})"
    except ValueError:
        return f"answers with error {status}"


def why_no_answer(error: Exception) -> str:
    """Message about an address that does not answer."""
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return "nobody answers there; is the camera switched on, and in the same network?"
    if isinstance(reason, socket.gaierror):
        return "no machine has this name; check the address"
    if isinstance(reason, ConnectionRefusedError):
        return "the machine is there, but no camera answers at this port; check the port"
    if isinstance(reason, ssl.SSLError):
        return "its https certificate is not one that this machine trusts; try http://"
    if isinstance(reason, OSError):
        return f"it cannot be reached ({reason.strerror or type(reason).__name__})"
    return f"it gives no picture ({type(reason).__name__})"


class Snapshots:
    """A camera that answers each call with one picture."""

    def __init__(self, address: Address, first: Any, patience: Patience = PATIENCE) -> None:
        self._patience = patience
        self._address = address
        self._answer: Any = first
        self._asked = time.monotonic()

    def read(self) -> Shot:
        """The next picture, not sooner than the camera should be asked for it."""
        if self._answer is None:
            time.sleep(max(0.0, self._asked + self._patience.again - time.monotonic()))
            self._asked = time.monotonic()
            self._answer = _get(self._address, self._patience.hanging)
        try:
            with self._answer as answer:
                data = answer.read(LIMITS.read_bytes + 1)
        except (OSError, HTTPException) as error:
            why = why_no_answer(error)
            raise SourceTroubleError(f"{self._address.shown}: {why}") from None
        self._answer = None
        return Shot(data)

    def close(self) -> None:
        """Close an answer that was not read."""
        if self._answer is not None:
            self._answer.close()


class PictureStream:
    """A stream of JPEG pictures separated by a boundary (MJPEG)."""

    def __init__(
        self, address: Address, answer: Any, boundary: str, patience: Patience = PATIENCE
    ) -> None:
        self._hanging = patience.hanging
        self._name = address.shown
        self._answer = answer
        self._boundary = b"--" + boundary.strip('"').removeprefix("--").encode()
        self._held = bytearray()

    def read(self) -> Shot:
        """The next picture of the stream."""
        self._answer.line.allow(self._hanging)
        try:
            while not self._until(b"\n").startswith(self._boundary):
                pass
            length: int | None = None
            while line := self._until(b"\n").strip():
                name, _, value = line.partition(b":")
                if name.strip().lower() == b"content-length":
                    length = int(value)
            if length is not None:
                return Shot(self._take(length))
            # a part that does not tell its length ends where the next boundary stands
            data = self._until(b"\r\n" + self._boundary)
            self._held[:0] = self._boundary
            return Shot(data)
        except (OSError, HTTPException, ValueError) as error:
            why = why_no_answer(error)
            raise SourceTroubleError(f"{self._name}: the stream broke off: {why}") from None

    def close(self) -> None:
        """Close the connection."""
        self._answer.close()

    def _until(self, mark: bytes) -> bytes:
        """Bytes before a mark; the mark is consumed."""
        searched = 0
        while (found := self._held.find(mark, searched)) < 0:
            searched = max(0, len(self._held) - len(mark))
            self._more()
        out = bytes(self._held[:found])
        del self._held[: found + len(mark)]
        return out

    def _take(self, length: int) -> bytes:
        while len(self._held) < length:
            self._more()
        out = bytes(self._held[:length])
        del self._held[:length]
        return out

    def _more(self) -> None:
        if len(self._held) > LIMITS.read_bytes:
            most = LIMITS.read_bytes // 1_000_000
            raise SourceTroubleError(f"{self._name} sends pictures of more than {most} MB")
        piece = self._answer.read1(65536)
        if not piece:
            raise SourceTroubleError(f"{self._name}: the stream ended")
        self._held += piece
