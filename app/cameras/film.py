"""Video cameras: devices of this machine, and streams that FFmpeg reads."""

from __future__ import annotations

import errno
import os
import re
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2

from kibitz.app.cameras.http import NO_FILM
from kibitz.app.cameras.reopening import PATIENCE, Patience, Shot, SourceTroubleError
from kibitz.app.cameras.rtsp import Relay, connect_camera, serve_once
from kibitz.app.common.addresses import Address
from kibitz.vision.frame import PictureError
from kibitz.vision.stream.video import grabbed, open_film

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
