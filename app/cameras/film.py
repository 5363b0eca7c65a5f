"""Video cameras: devices of this machine, and streams that FFmpeg reads."""

from __future__ import annotations

import errno
import os
import re
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPException
from pathlib import Path
from typing import Any, BinaryIO, Final

import cv2

from kibitz.app.cameras.http import NO_FILM, redirect_message, why_no_answer
from kibitz.app.cameras.reopening import PATIENCE, Patience, Shot, SourceTroubleError
from kibitz.app.common.addresses import PORTS, Address, parse_address
from kibitz.vision.frame import PictureError
from kibitz.vision.stream.video import grabbed, open_film

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


MOST_PATHS: Final = 3
"""So many paths of a camera are tried, where one sends on to another."""
DEVICE_SIZE: Final = (1920, 1080)
"""What a device is asked for; one that cannot gives what it has."""
DEVICES = Path("/dev")


def connect_device(number: int, patience: Patience = PATIENCE) -> FilmLine:
    """Open a camera of this machine by its number.

    Raises:
        SourceTroubleError: it is not there, in use, or gives no pictures.
    """
    if sys.platform == "linux":
        _check_device(DEVICES / f"video{number}", number)
    capture = cv2.VideoCapture(number)
    if not capture.isOpened():
        capture.release()
        raise SourceTroubleError(
            f"camera {number} does not open: it is not plugged in, or another program uses it"
        )
    # most cameras send their full size only as single JPEG pictures
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, DEVICE_SIZE[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, DEVICE_SIZE[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return FilmLine(f"camera {number}", capture, patience)


def connect_named_device(path: Path, patience: Patience = PATIENCE) -> FilmLine:
    """Open a camera of this machine by a name that stays when others are plugged in.

    Args:
        path: as `/dev/v4l/by-id/…`; it leads to one of the numbered devices.
        patience: how long things may take.

    Raises:
        SourceTroubleError: it is not there, no camera, in use, or gives no pictures.
    """
    there = path.resolve()
    number = re.fullmatch(r"video(\d+)", there.name)
    if not path.is_symlink() and not path.exists():
        raise SourceTroubleError(f"camera {path} is not plugged in")
    if there.parent != DEVICES.resolve() or number is None:
        raise SourceTroubleError(f"{path} is no camera: it does not lead to {DEVICES}/video0 …")
    return connect_device(int(number[1]), patience)


def _check_device(path: Path, number: int) -> None:
    if not path.exists():
        there = sorted(int(p.name[5:]) for p in path.parent.glob("video[0-9]*"))
        known = ", ".join(map(str, there)) if there else "no camera at all"
        raise SourceTroubleError(f"there is no camera {number} here; there is {known}")
    try:
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
    except OSError as error:
        if error.errno == errno.EBUSY:
            why = "another program uses it; close that program"
        elif error.errno in (errno.EACCES, errno.EPERM):
            why = "this user may not use it; add the user to the group 'video'"
        else:
            why = error.strerror or str(error)
        raise SourceTroubleError(f"camera {number} does not open: {why}") from error


def connect_film(address: Address, patience: Patience = PATIENCE) -> FilmLine:
    """Open a stream that FFmpeg reads.

    Args:
        address: `rtsp`, `rtsps`, `udp`, or `tcp`.
        patience: how long it may take.

    Raises:
        SourceTroubleError: nobody answers, or with something that is no film.
    """
    if address.scheme == "tcp":
        connect_camera(address, patience).close()  # a dead host is told in words, and soon
    if address.scheme not in ("rtsp", "rtsps"):
        return _opened(address.shown, address.full, patience)
    return _through_relay(address, patience, MOST_PATHS)


def _through_relay(address: Address, patience: Patience, paths: int) -> FilmLine:
    """Open an RTSP camera's stream, which may redirect to another path of the same camera."""
    relay = Relay(address, patience)
    try:
        return _opened(address.shown, relay.address, patience)
    except SourceTroubleError as error:
        there = relay.named
        if there is None or not there.same_place(address) or paths == 1:
            raise SourceTroubleError(relay.why_not() or str(error)) from None
    there = replace(there, user=address.user, password=address.password)
    return _through_relay(there, patience, paths - 1)


def open_answer(shown: str, answer: Any, patience: Patience = PATIENCE) -> FilmLine:
    """Open a film whose bytes come as the answer to an HTTP call.

    Args:
        shown: the camera, as messages may name it.
        answer: gives the bytes, each piece in time.
        patience: how long it may take.

    Raises:
        SourceTroubleError: they are no film.
    """

    def pass_on(line: socket.socket) -> None:
        with answer:
            while piece := answer.read1(65536):
                answer.line.allow(patience.hanging)
                line.sendall(piece)

    return _opened(shown, f"tcp://127.0.0.1:{serve_once(pass_on, patience)}", patience)


def _opened(shown: str, source: str, patience: Patience) -> FilmLine:
    answer_ms, hanging_ms = (round(x * 1000) for x in (patience.answer, patience.hanging))
    waits = cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, answer_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, hanging_ms
    try:
        capture = open_film(source, shown, *waits)
    except PictureError as error:
        too_large = error.code == "too_large"
        raise SourceTroubleError(error.message if too_large else NO_FILM.format(shown)) from None
    return FilmLine(shown, capture, patience)


class FilmLine:
    """An open device or stream; every picture is taken, a few of each second are handed on."""

    def __init__(self, name: str, capture: Any, patience: Patience = PATIENCE) -> None:
        self._name = name
        self._capture = capture
        self._every = 1 / patience.a_second
        self._due = 0.0

    def read(self) -> Shot:
        """The next picture; those in between are skipped without being decoded."""
        while self._capture.grab():
            now = time.monotonic()
            if now < self._due:
                continue
            self._due = max(self._due + self._every, now - self._every)
            try:
                picture = grabbed(self._capture, self._name)
            except PictureError as error:
                raise SourceTroubleError(error.message) from None
            if picture is None:
                break
            return Shot(picture)
        raise SourceTroubleError(f"{self._name} went away: no more pictures come")

    def close(self) -> None:
        """Close the device or stream."""
        self._capture.release()
