"""Cameras for tests: real servers on this machine that send pictures, and a look at what came."""

from __future__ import annotations

import http.server
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from kibitz.app.cameras.reopening import Patience, Shot
from kibitz.app.common.limits import RetryRule

QUICK = Patience(stall=0.6, retry=RetryRule(0.2, 0.4))
"""Cameras in tests stall and come back sooner than real ones."""
WITHIN_SECONDS = 5.0
"""What is wrong with a camera is told within so long."""


def picture(number: int, width: int = 320, height: int = 240) -> np.ndarray:
    """A picture that shows its number as a grey: `number_of` tells it again."""
    pixels = np.full((height, width, 3), 100, np.uint8)
    pixels[:, : width // 2] = 8 * (number % 30)
    return pixels


def number_of(shot: Shot) -> int:
    """The number that `picture` drew, modulo 30."""
    data = shot.data
    if isinstance(data, bytes):
        data = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))
    return round(float(data[:, 8 : data.shape[1] // 2 - 8].mean()) / 8)


def film(path: Path, pictures: int, rate: float = 30.0) -> Path:
    """A video file of numbered pictures."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, (320, 240))
    for number in range(pictures):
        writer.write(picture(number))
    writer.release()
    return path


def playlist(camera: HttpCamera) -> bytes:
    """A list of films (HLS) that all lie at another camera."""
    parts = "".join(f"#EXTINF:2.0,\n{camera.address}/film-{n}.ts\n" for n in range(3))
    return f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n{parts}#EXT-X-ENDLIST\n".encode()


def jpeg(pixels: np.ndarray) -> bytes:
    """Pixels as a JPEG file."""
    return cv2.imencode(".jpg", pixels)[1].tobytes()


def seen(source: Any, enough: Callable[[list[Any]], bool], seconds: float = 20.0) -> list[Any]:
    """What a source gives until there is enough of it: shots and words of trouble."""
    stop = threading.Event()
    found: list[Any] = []
    watchdog = threading.Timer(seconds, stop.set)
    watchdog.start()
    try:
        for item in source.frames(stop):
            found.append(item)
            if enough(found):
                break
    finally:
        stop.set()
        watchdog.cancel()
    return found


def first_words(source: Any) -> tuple[str, float]:
    """The first words of trouble that a source has, and after how many seconds."""
    began = time.monotonic()
    found = seen(source, lambda f: isinstance(f[-1], str))
    return str(found[-1]), time.monotonic() - began


def shots(found: list[Any]) -> list[Shot]:
    """Only the pictures."""
    return [item for item in found if isinstance(item, Shot)]


def words(found: list[Any]) -> list[str]:
    """Only the words."""
    return [item for item in found if isinstance(item, str)]


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n"
_TALK = {
    "/drops": (_HEAD + b"\r\n--b\r\nContent-Length: 99999\r\n\r\n", b"x"),
    "/drops-in-the-head": (_HEAD, b"x"),
    "/goes-on": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}
"""Addresses where a camera talks for ever and gives no picture: how it begins, and goes on."""


class HttpCamera:
    """A camera with an HTTP server of its own.

    Attributes:
        size: width and height of its pictures.
        hangs: while set, it stays connected and sends nothing.
        calls: how many times it was called.
        keys: the `Authorization` headers that came.
        elsewhere: the status and the address that `/elsewhere` answers with.
        film: what `/list`, `/film` and `/video` answer with.
    """

    def __init__(self) -> None:
        self.size = (320, 240)
        self.hangs = threading.Event()
        self.calls = 0
        self.keys: list[str] = []
        self.elsewhere = (302, "/picture")
        self.film = b""
        self._gone = threading.Event()
        camera = self

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                camera.calls += 1
                try:
                    camera.answer(self)
                except OSError:
                    return

            def log_message(self, *_: object) -> None:
                return

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    def close(self) -> None:
        """Switch it off."""
        self._gone.set()
        self.hangs.clear()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, call: http.server.BaseHTTPRequestHandler) -> None:
        """Answer a call by its path."""
        if (key := call.headers.get("Authorization")) is not None:
            self.keys.append(key)
        if call.path.startswith("/elsewhere"):
            call.send_response(self.elsewhere[0])
            call.send_header("Location", self.elsewhere[1])
            call.end_headers()
            return
        if call.path.startswith("/echo-reason"):
            call.send_response(500, f"cannot give {call.path}")
            call.end_headers()
            return
        if call.path.startswith("/echo-kind"):
            self._send(call, f"text/{call.path}", b"")
            return
        if call.path.startswith("/video") and key is None:
            call.send_response(401)
            call.send_header("WWW-Authenticate", 'Basic realm="camera"')
            call.end_headers()
            return
        if call.path.startswith(("/video", "/film", "/list")):
            list_of = call.path.startswith("/list")
            kind = "application/vnd.apple.mpegurl" if list_of else "video/mp4"
            self._send(call, kind, self.film)
            return
        if call.path == "/locked" and call.headers.get("Authorization") is None:
            call.send_error(401)
        elif call.path in ("/stream", "/stream.jpg", "/bare"):
            self._stream(call, with_length=call.path != "/bare")
        elif call.path in ("/picture", "/shot.jpg", "/locked"):
            self._hang()
            self._send(call, "image/jpeg", jpeg(picture(self.calls, *self.size)))
        elif call.path in _TALK:
            self._talk(call, *_TALK[call.path])
        elif call.path == "/page":
            self._send(call, "text/html; charset=utf-8", b"<h1>Camera</h1>")
        else:
            call.send_error(404)

    def _send(self, call: http.server.BaseHTTPRequestHandler, kind: str, body: bytes) -> None:
        call.send_response(200)
        call.send_header("Content-Type", kind)
        call.send_header("Content-Length", str(len(body)))
        call.end_headers()
        call.wfile.write(body)

    def _talk(self, call: http.server.BaseHTTPRequestHandler, begin: bytes, more: bytes) -> None:
        """Say something again and again for ever."""
        call.wfile.write(begin)
        while not self._gone.wait(0.02):
            call.wfile.write(more)

    def _stream(self, call: http.server.BaseHTTPRequestHandler, *, with_length: bool) -> None:
        call.send_response(200)
        call.send_header("Content-Type", "multipart/x-mixed-replace; boundary=kibitzframe")
        call.end_headers()
        number = 0
        while not self._gone.is_set():
            self._hang()
            number += 1
            body = jpeg(picture(number, *self.size))
            length = f"Content-Length: {len(body)}\r\n" if with_length else ""
            head = f"--kibitzframe\r\nContent-Type: image/jpeg\r\n{length}\r\n"
            call.wfile.write(head.encode() + body + b"\r\n")
            time.sleep(0.03)

    def _hang(self) -> None:
        while self.hangs.is_set() and not self._gone.is_set():
            time.sleep(0.02)


@contextmanager
def http_camera() -> Iterator[HttpCamera]:
    """A camera that is switched off at the end."""
    camera = HttpCamera()
    try:
        yield camera
    finally:
        camera.close()


def not_here(reason: str) -> None:
    """Skip with a reason; where every real part is required, fail."""
    if os.environ.get("KIBITZ_REQUIRE_ALL"):
        pytest.fail(f"required here: {reason}")
    pytest.skip(reason)


class PluggedIn:
    """What OpenCV opens: gives numbered pictures as long as the device's file is there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._number = 0

    def isOpened(self) -> bool:  # noqa: N802
        """Whether it is plugged in."""
        return self._path.exists()

    def set(self, *_: object) -> bool:
        """Takes every wish."""
        return True

    def grab(self) -> bool:
        """Thirty a second."""
        time.sleep(1 / 30)
        self._number += 1
        return self._path.exists()

    def retrieve(self) -> tuple[bool, np.ndarray]:
        """The picture that was grabbed."""
        return True, picture(self._number)

    def release(self) -> None:
        """Nothing is held."""
