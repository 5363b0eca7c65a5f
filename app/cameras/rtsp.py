"""Relay between FFmpeg and an RTSP camera, so that the camera cannot redirect it elsewhere."""

from __future__ import annotations

import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPException
from typing import BinaryIO, Final

from kibitz.app.cameras.http import redirect_message, why_no_answer
from kibitz.app.cameras.reopening import PATIENCE, Patience, SourceTroubleError
from kibitz.app.common.addresses import PORTS, Address, parse_address

MOST_HEAD: Final = 64_000
"""Bytes of an answer's head; an answer's body, which describes a film, has no more either."""
_STATUS = re.compile(rb"[1-9]\d\d")
_FIELD = re.compile(rb"([A-Za-z][A-Za-z0-9-]*):([^\r\n]{0,2000})")


def serve_once(talk: Callable[[socket.socket], None], patience: Patience = PATIENCE) -> int:
    """Accept one connection of this machine and serve it in a thread; returns the port."""
    server = socket.create_server(("127.0.0.1", 0), backlog=1)
    server.settimeout(patience.answer)

    def run() -> None:
        with suppress(OSError, HTTPException, ValueError):
            with server:
                line, _ = server.accept()
            with line:
                line.settimeout(None)  # FFmpeg itself waits no longer than it is told to
                talk(line)

    threading.Thread(target=run, name="relay", daemon=True).start()
    return int(server.getsockname()[1])


class Relay:
    """A relay between FFmpeg and one RTSP camera.

    FFmpeg goes wherever a camera sends it, and shows the password there. So it gets an address of
    this machine, behind which is this camera; an answer that sends on ends the line.

    Args:
        address: the camera's.
        patience: how long it may take.

    Attributes:
        address: where FFmpeg finds the camera.
        status: of the camera's newest answer; empty before the first.
        named: the address that the camera sent on to, if it did.

    Raises:
        SourceTroubleError: nobody answers.
    """

    def __init__(self, address: Address, patience: Patience = PATIENCE) -> None:
        self.status = ""
        self.named: Address | None = None
        self._shown = address.shown
        self._camera = connect_camera(address, patience)
        here = serve_once(self._talk, patience)
        self.address = replace(address, scheme="rtsp", host="127.0.0.1", port=here).full

    def why_not(self) -> str:
        """Why the camera sent no film, according to its answers; empty if they were fine."""
        shown = self._shown
        if self.named is not None:
            known = self.named.sure and self.named.host
            return redirect_message(shown, self.named.where if known else "")
        if not self.status:
            return f"{shown}: what answers there is no RTSP camera; check the port"
        if self.status == "404":
            return f"{shown}: the camera has nothing under this path; check it"
        if self.status == "401":
            return (
                f"{shown} wants a user and a password, or others: give them as "
                "rtsp://user:password@…, a @ / or ? in them as %40 %2F %3F"
            )
        return ""

    def _talk(self, line: socket.socket) -> None:
        with self._camera, self._camera.makefile("rb") as camera:
            threading.Thread(target=_pass_on, args=(line, self._camera), daemon=True).start()
            while part := self._next(camera):
                line.sendall(part)
            line.shutdown(socket.SHUT_RDWR)

    def _next(self, camera: BinaryIO) -> bytes:
        """The camera's next message, rewritten so that it can be parsed in one way only.

        Empty where it ends, or FFmpeg must not hear it.
        """
        first = camera.read(1)
        while first in (b"\r", b"\n"):
            first = camera.read(1)
        if first == b"$":  # a piece of the film
            head = camera.read(3)
            return first + head + camera.read(int.from_bytes(head[1:]))
        words = (first + camera.readline(MOST_HEAD)).split(maxsplit=2)
        fields = list(self._fields(camera))
        by_name = {name.lower(): value for name, value in fields}
        if len(words) < 2:
            return b""
        if words[0].startswith(b"RTSP/") and _STATUS.fullmatch(words[1]):
            self.status = words[1].decode()
        elif words[0].startswith(b"RTSP/") or not self.status:
            return b""
        if self.status.startswith("3"):
            self.named = parse_address(by_name.get(b"location", b"").decode("latin-1"))
            return b""
        length = by_name.pop(b"content-length", b"0")
        if not length.isdigit() or len(length) > 9 or int(length) > MOST_HEAD:
            return b""
        body = camera.read(int(length))
        kept = [b" ".join(words).strip(), b"Content-Length: %d" % len(body)]
        kept += [b": ".join((name, value)) for name, value in fields if name.lower() in by_name]
        return b"\r\n".join(kept) + b"\r\n\r\n" + body

    @staticmethod
    def _fields(camera: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
        """Yield the header fields of an answer, without ambiguous ones."""
        left = MOST_HEAD
        while left > 0 and (line := camera.readline(left)).strip():
            left -= len(line)
            if field := _FIELD.fullmatch(line.strip()):
                yield field[1], field[2].strip()


def connect_camera(address: Address, patience: Patience) -> socket.socket:
    """Connect to a camera.

    Raises:
        SourceTroubleError: nobody answers there.
    """
    where = address.host.strip("[]"), address.port or PORTS[address.scheme]
    try:
        line = socket.create_connection(where, timeout=patience.answer)
        if address.scheme == "rtsps":  # cameras sign their certificates themselves
            secured = ssl.create_default_context()
            secured.check_hostname, secured.verify_mode = False, ssl.CERT_NONE
            line = secured.wrap_socket(line, server_hostname=address.host)
    except (OSError, ValueError) as error:
        raise SourceTroubleError(f"{address.shown}: {why_no_answer(error)}") from None
    # with no limit at all one thread's reading would keep the other from writing, over TLS
    line.settimeout(patience.answer + patience.hanging)
    return line


def _pass_on(line: socket.socket, camera: socket.socket) -> None:
    """Pass FFmpeg's bytes on to the camera until it has gone."""
    with suppress(OSError):
        while said := line.recv(MOST_HEAD):
            camera.sendall(said)
    with suppress(OSError):
        camera.shutdown(socket.SHUT_RDWR)
