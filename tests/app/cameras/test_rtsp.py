"""RTSP cameras, on a real server of this machine."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from kibitz.app.cameras.reopening import Patience
from kibitz.app.cameras.sources import open_source
from kibitz.app.common.addresses import PORTS
from kibitz.app.common.limits import RetryRule
from kibitz.app.server.access.certificate import local_papers
from tests.app.cameras.camera_help import first_words, not_here, seen, shots, words

PYTHON = "/usr/bin/python3"
SERVER = Path(__file__).with_name("rtsp_server.py")
PACKAGES = (
    "gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-base gstreamer1.0-plugins-good "
    "gstreamer1.0-plugins-ugly python3-gi"
)
PATIENCE = Patience(stall=3.0, retry=RetryRule(0.3, 0.5))
LONG = Patience(stall=30.0, answer=30.0, retry=RetryRule(0.3, 0.5))
"""Where only an answer ends it: a handshake on a busy machine may take seconds."""
WITHIN_SECONDS = 5.0


class RtspCamera:
    """A server in a process of its own, which can be switched off and on."""

    def __init__(self) -> None:
        self.port = "0"
        self._process: subprocess.Popen[str] | None = None

    def switch_on(self) -> bool:
        """Start it, on the same port as before; False where it is not installed."""
        self._process = subprocess.Popen(
            [PYTHON, str(SERVER), self.port],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        told = self._process.stdout.readline().strip()
        self.port = told or "0"
        return bool(told)

    def switch_off(self) -> None:
        """Pull the plug."""
        if self._process is not None and self._process.stdout is not None:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
        self._process = None

    def address(self, path: str) -> str:
        """Where a stream is."""
        return f"rtsp://127.0.0.1:{self.port}{path}"


@pytest.fixture
def camera() -> Iterator[RtspCamera]:
    """A camera that is on."""
    camera = RtspCamera()
    try:
        if not Path(PYTHON).exists() or not camera.switch_on():
            not_here(f"no RTSP server can be started (apt-get install {PACKAGES})")
        yield camera
    finally:
        camera.switch_off()


@pytest.mark.parametrize("path", ["/film", "/pictures"])
def test_pictures_come_from_a_real_camera(camera, path):
    """H.264 and MJPEG over RTSP give pictures of the camera's size."""
    found = seen(open_source(camera.address(path), PATIENCE), lambda f: len(shots(f)) == 5)

    assert {(480, 640, 3)} == {s.data.shape for s in shots(found)}
    assert [] == words(found)


def test_a_camera_that_is_switched_off_and_on(camera):
    """When the camera goes away it is said; when it is back, pictures come again."""
    back = threading.Event()

    def enough(found):
        if len(shots(found)) == 3 and not words(found):
            camera.switch_off()
        if len(words(found)) == 2 and not back.is_set():
            back.set()
            camera.switch_on()
        return back.is_set() and isinstance(found[-1], type(found[0]))

    found = seen(open_source(camera.address("/film"), PATIENCE), enough, 40.0)

    assert len(words(found)) >= 2
    assert "trying again" in words(found)[0]
    assert isinstance(found[-1], type(found[0]))


def test_a_wrong_path_and_a_stream_without_pictures_are_told(camera):
    """The camera answers, but not with a film: it is said within five seconds."""
    wrong, in_seconds = first_words(open_source(camera.address("/nothing")))
    sound, in_others = first_words(open_source(camera.address("/sound")))

    assert "the camera has nothing under this path" in wrong
    assert "sends no film that can be read here" in sound or "no picture came" in sound
    assert max(in_seconds, in_others) < WITHIN_SECONDS


def test_a_host_that_is_no_camera_is_told():
    """Nobody at the port, and somebody who speaks something else, are told apart."""
    with socket.create_server(("127.0.0.1", 0)) as closed:
        free = closed.getsockname()[1]
    nobody, _ = first_words(open_source(f"rtsp://127.0.0.1:{free}/film"))

    server = socket.create_server(("127.0.0.1", 0))

    def speak() -> None:
        line, _ = server.accept()
        with line:
            line.recv(1000)
            line.sendall(b"220 mail server\r\n")

    speaker = threading.Thread(target=speak)
    speaker.start()
    other, _ = first_words(open_source(f"rtsp://127.0.0.1:{server.getsockname()[1]}/film"))
    speaker.join()
    server.close()

    assert "no camera answers at this port" in nobody
    assert "what answers there is no RTSP camera" in other


@pytest.mark.parametrize(
    ("at", "status", "user"),
    [
        ("OPTIONS", "302", "ann:s3cret@"),
        ("DESCRIBE", "302", "ann:s3cret@"),
        ("SETUP", "302", ""),
        ("SETUP", "0302", "ann:s3cret@"),
    ],
)
def test_nobody_follows_a_stream_to_another_place(at, status, user):
    """A camera that names another machine for its film, when it likes, is left."""
    called = []

    with answering(lambda _: called.append("other")) as elsewhere:
        away = f"Location: rtsp://127.0.0.1:{elsewhere}/x\r\n"
        speak = speaking(called, **{at: f"RTSP/1.0 {status} Found\r\n{away}"})
        with answering(speak) as port:
            address = f"rtsp://{user}127.0.0.1:{port}/film?key=s3cret"
            told, _ = first_words(open_source(address, PATIENCE))

    assert (at, "other" in called) == (called[-1], False)
    if status == "302":
        assert f"sends on to rtsp://127.0.0.1:{elsewhere}, where nobody follows" in told
    assert "s3cret" not in told


@pytest.mark.parametrize("with_port", [True, False])
def test_a_camera_that_speaks_tls_is_looked_after_as_well(tmp_path, monkeypatch, with_port):
    """Also at the usual port. Its answers are read behind the certificate that it signed itself."""
    papers = local_papers(tmp_path, ("127.0.0.1",))
    secured = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secured.load_cert_chain(papers.chain, papers.key)
    called = []

    def speak(line: socket.socket) -> None:
        with secured.wrap_socket(line, server_side=True) as safe:
            speaking(called, DESCRIBE="RTSP/1.0 404 Not Found\r\n")(safe)

    with answering(speak) as port:
        monkeypatch.setitem(PORTS, "rtsps", port)
        where = f"127.0.0.1:{port}" if with_port else "127.0.0.1"
        told, _ = first_words(open_source(f"rtsps://{where}/film", LONG))

    assert ["OPTIONS", "DESCRIBE"] == called[:2]
    assert "the camera has nothing under this path" in told


def test_another_path_of_the_same_camera_is_followed():
    """With the password, as the machine is the same."""
    called = []
    moved: dict[str, str] = {}
    with answering(speaking(called, moved)) as port:
        moved["DESCRIBE"] = f"RTSP/1.0 301 Moved\r\nLocation: rtsp://127.0.0.1:{port}/other\r\n"
        told, _ = first_words(open_source(f"rtsp://127.0.0.1:{port}/film", PATIENCE))

    assert f"sends on to rtsp://127.0.0.1:{port}" in told  # and on and on
    assert 3 == called.count("DESCRIBE")


def test_a_camera_that_talks_and_gives_no_picture_leaves_nothing_behind():
    """One thread and one line at a time, however long it is tried."""
    patience = Patience(stall=0.3, answer=1.0, again=0.05, retry=RetryRule(0.05, 0.05))
    held = []

    def enough(found):
        held.append(sum(t.name == "camera" for t in threading.enumerate()))
        return len(found) == 3

    with answering(speaking([], then=b"$\x01\x00\x04talk")) as port:
        told = words(seen(open_source(f"rtsp://127.0.0.1:{port}/film", patience), enough))

    assert (3, 1) == (len(told), max(held))


SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\na=control:x\r\n"
ANSWERS = {
    "OPTIONS": "RTSP/1.0 200 OK\r\nPublic: DESCRIBE, SETUP, PLAY\r\n",
    "DESCRIBE": "RTSP/1.0 200 OK\r\nContent-Type: application/sdp\r\n",
    "SETUP": "RTSP/1.0 200 OK\r\nSession: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n",
    "PLAY": "RTSP/1.0 200 OK\r\nSession: 1\r\n",
}


def speaking(
    called: list[str], also: dict[str, str] | None = None, then: bytes = b"", **other: str
) -> Callable[[socket.socket], None]:
    """A camera that answers as these do, and once it plays says something for ever."""

    def speak(line: socket.socket) -> None:
        answers = {**ANSWERS, **other, **(also or {})}
        with line.makefile("rb") as heard:
            while asked := heard.readline().decode().split():
                called.append(asked[0])
                fields = iter(lambda: heard.readline().decode(), "\r\n")
                number = next(x for x in list(fields) if x.startswith("CSeq"))
                answer = answers.get(asked[0], "RTSP/1.0 200 OK\r\n")
                body = SDP if "sdp" in answer else ""
                line.sendall(f"{answer}{number}Content-Length: {len(body)}\r\n\r\n{body}".encode())
                while asked[0] == "PLAY" and then:
                    line.sendall(then)
                    time.sleep(0.02)

    return speak


@contextmanager
def answering(speak: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port of this machine where somebody answers each caller once."""
    server = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with suppress(OSError):
            while True:
                line, _ = server.accept()
                with line:
                    speak(line)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()
