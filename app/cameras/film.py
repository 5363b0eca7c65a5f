"""Cameras that send a film: devices on this machine, and streams that FFmpeg reads."""

from __future__ import annotations

import errno
import os
import socket
import sys
import time
import urllib.parse
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from kibitz.app.cameras.http import plain_address, why_no_answer
from kibitz.app.cameras.reopening import PATIENCE, Patience, Shot, SourceTroubleError

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


def connect_film(address: str, patience: Patience = PATIENCE) -> FilmLine:
    """Open a stream that FFmpeg reads: RTSP, or a film at an HTTP address.

    Raises:
        SourceTroubleError: nobody answers, or with something that is no film.
    """
    shown = plain_address(address)
    parts = urllib.parse.urlsplit(address)
    if parts.scheme in ("rtsp", "rtsps", "tcp"):
        # knock first: a dead host is told in words, and soon
        status = _ask("OPTIONS", parts, shown, patience)
        if parts.scheme == "rtsp" and not status:
            raise SourceTroubleError(
                f"{shown}: what answers there is no RTSP camera; check the port"
            )
    # FFmpeg's own words are for programmers; half a second is enough to know a film by
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    options = "rtsp_transport;tcp|analyzeduration;500000"
    os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", options)
    wait_ms = round(patience.answer * 1000)
    settings = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait_ms]
    capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, settings)
    if not capture.isOpened():
        capture.release()
        raise SourceTroubleError(_why_no_film(parts, shown, patience))
    return FilmLine(shown, capture, patience)


def _why_no_film(parts: urllib.parse.SplitResult, shown: str, patience: Patience) -> str:
    """Ask the camera what it has there; only now, as some make the film ready just for asking."""
    status = _ask("DESCRIBE", parts, shown, patience) if parts.scheme == "rtsp" else ""
    if status == "404":
        return f"{shown}: the camera has nothing under this path; check it"
    if status == "401":
        return f"{shown} wants a user and a password: give them as rtsp://user:password@…"
    return (
        f"{shown} answers, but sends no film that can be read here; expected H.264, H.265 or "
        "MJPEG: check the path, and the codec in the camera's settings"
    )


def _ask(what: str, parts: urllib.parse.SplitResult, shown: str, patience: Patience) -> str:
    """The status of an RTSP camera's answer; empty if it is none, or not asked in plain text."""
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    question = f"{what} {bare} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n"
    try:
        where = (parts.hostname or "", parts.port or 554)
        with socket.create_connection(where, timeout=patience.knock) as line:
            if parts.scheme != "rtsp":
                return ""
            line.sendall(question.encode())
            status = line.recv(4096).split(b"\r\n")[0].split()
    except (OSError, ValueError) as error:
        raise SourceTroubleError(f"{shown}: {why_no_answer(error)}") from error
    plain = len(status) >= 2 and status[0].startswith(b"RTSP/")
    return status[1].decode("ascii", "replace") if plain else ""


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
