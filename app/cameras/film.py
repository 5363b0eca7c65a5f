"""Cameras that send a film: devices on this machine, and streams that FFmpeg reads."""

from __future__ import annotations

import errno
import os
import re
import socket
import sys
import time
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from kibitz.app.cameras.http import sent_away, why_no_answer
from kibitz.app.cameras.reopening import PATIENCE, Patience, Shot, SourceTroubleError
from kibitz.app.common.addresses import PORTS, Address, parse_address

DEVICE_SIZE: Final = (1920, 1080)
"""What a device is asked for; one that cannot gives what it has."""
DEVICES = Path("/dev")


def connect_device(number: int, patience: Patience = PATIENCE) -> FilmLine:
    """Open a camera of this machine.

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
    """Open a stream that FFmpeg reads: RTSP, or a film at an HTTP address.

    Raises:
        SourceTroubleError: nobody answers, or with something that is no film.
    """
    shown = address.shown
    if address.scheme in ("rtsp", "rtsps", "tcp"):
        # knock first: a dead host is told in words, and soon
        status = _ask("OPTIONS", address, patience)
        if address.scheme == "rtsp" and not status:
            raise SourceTroubleError(
                f"{shown}: what answers there is no RTSP camera; check the port"
            )
        if address.user is not None:
            # FFmpeg would follow to another machine and show the password there
            _ask("DESCRIBE", address, patience)
    # FFmpeg's own words are for programmers, and name the password; half a second is enough to
    # know a film by
    os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
    options = "rtsp_transport;tcp|analyzeduration;500000|max_redirects;0"
    os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", options)
    wait_ms = round(patience.answer * 1000)
    settings = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait_ms]
    capture = cv2.VideoCapture(address.full, cv2.CAP_FFMPEG, settings)
    if not capture.isOpened():
        capture.release()
        raise SourceTroubleError(_why_no_film(address, patience))
    return FilmLine(shown, capture, patience)


def _why_no_film(address: Address, patience: Patience) -> str:
    """Ask the camera what it has there; only now, as some make the film ready just for asking."""
    shown = address.shown
    status = _ask("DESCRIBE", address, patience) if address.scheme == "rtsp" else ""
    if status == "404":
        return f"{shown}: the camera has nothing under this path; check it"
    if status == "401":
        return (
            f"{shown} wants a user and a password, or others: give them as "
            "rtsp://user:password@…, a @ / or ? in them as %40 %2F %3F"
        )
    return (
        f"{shown} answers, but sends no film that can be read here; expected H.264, H.265 or "
        "MJPEG: check the path, and the codec in the camera's settings"
    )


def _ask(what: str, address: Address, patience: Patience) -> str:
    """The status of an RTSP camera's answer; empty if it is none, or not asked in plain text.

    Raises:
        SourceTroubleError: nobody answers, or the camera names another machine.
    """
    question = f"{what} {address.bare} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n"
    try:
        where = (address.host.strip("[]"), address.port or PORTS["rtsp"])
        with socket.create_connection(where, timeout=patience.answer) as line:
            if address.scheme != "rtsp":
                return ""
            line.sendall(question.encode())
            lines = line.recv(4096).split(b"\r\n")
    except (OSError, ValueError) as error:
        raise SourceTroubleError(f"{address.shown}: {why_no_answer(error)}") from None
    status = lines[0].split()
    if len(status) < 2 or not status[0].startswith(b"RTSP/"):
        return ""
    if status[1].startswith(b"3"):
        named = [x[9:].strip() for x in lines if x.lower().startswith(b"location:")]
        there = parse_address(named[0].decode("latin-1") if named else "")
        if not there.same_place(address):
            known = there.sure and there.host
            raise SourceTroubleError(sent_away(address.shown, there.where if known else ""))
    return status[1].decode("ascii", "replace")


class FilmLine:
    """An open device or film; every picture is taken, some of each second are handed on."""

    def __init__(self, name: str, capture: Any, patience: Patience = PATIENCE) -> None:
        self._name = name
        self._capture = capture
        self._every = 1 / patience.a_second
        self._due = 0.0

    def read(self) -> Shot:
        """The next picture; those in between are skipped without being unpacked."""
        while self._capture.grab():
            now = time.monotonic()
            if now < self._due:
                continue
            self._due = max(self._due + self._every, now - self._every)
            good, picture = self._capture.retrieve()
            if not good or picture is None:
                break
            return Shot(np.asarray(picture, np.uint8))
        raise SourceTroubleError(f"{self._name} went away: no more pictures come")

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()
