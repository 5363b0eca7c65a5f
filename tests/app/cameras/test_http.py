"""Cameras at an HTTP address, on a real server of this machine."""

from __future__ import annotations

import base64
import io
import itertools
import socket
import threading
from types import SimpleNamespace

import pytest

from kibitz.app.cameras import http as http_cameras
from kibitz.app.cameras.film import connect_film
from kibitz.app.cameras.reopening import Patience, SourceTroubleError
from kibitz.app.cameras.sources import open_source
from kibitz.app.common.addresses import parse_address
from kibitz.app.common.errors import UsageError
from kibitz.app.common.limits import RetryRule
from tests.app.cameras.camera_help import (
    QUICK,
    HttpCamera,
    film,
    first_words,
    http_camera,
    number_of,
    playlist,
    seen,
    shots,
    words,
)

WITHIN_SECONDS = 5.0


@pytest.fixture
def camera():
    with http_camera() as camera:
        yield camera


def source_of(camera: HttpCamera, path: str):
    return open_source(camera.address + path, QUICK)


@pytest.mark.parametrize("path", ["/stream", "/bare"])
def test_a_stream_gives_its_newest_pictures(camera, path):
    """Pictures of a stream come in order, with their length told or not."""
    found = seen(source_of(camera, path), lambda f: len(f) == 6)
    numbers = [number_of(s) for s in shots(found)]

    assert 6 == len(numbers)
    assert sorted(set(numbers)) == numbers


def test_a_slow_reader_gets_the_newest(camera):
    """Who takes pictures slowly skips some instead of falling behind."""
    taken: list[int] = []

    def enough(found):
        taken.append(number_of(found[-1]))
        camera.hangs.wait(0.15)
        return len(found) == 4

    seen(source_of(camera, "/stream"), enough)

    assert [True] * 3 == [b - a > 1 for a, b in itertools.pairwise(taken)]


def test_a_snapshot_address_is_asked_again_and_again(camera):
    """Every call brings the picture of that moment."""
    found = seen(source_of(camera, "/picture"), lambda f: len(f) == 3)

    assert [1, 2, 3] == [number_of(s) for s in shots(found)]


@pytest.mark.parametrize(("path", "kind"), [("/stream.jpg", "stream"), ("/picture", "snapshot")])
def test_what_comes_tells_the_kind_of_camera(camera, path, kind):
    """A stream under a snapshot's name is a stream, and the other way round."""
    found = seen(source_of(camera, path), lambda f: len(f) == 4)

    assert 4 == len(shots(found))
    assert (1 if kind == "stream" else 4) == camera.calls


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/page", "gives text/html; expected a picture"),
        ("/nothing", "has nothing under this path"),
        ("/locked", "wants a user and a password"),
    ],
)
def test_an_address_that_is_no_camera_is_told(camera, path, says):
    """A web page, a wrong path and a missing password are told in words, at once."""
    told, seconds = first_words(source_of(camera, path))

    assert says in told
    assert "trying again" in told
    assert seconds < WITHIN_SECONDS


def test_a_password_opens_and_is_not_shown(camera):
    """User and password of an address are sent, and never printed."""
    address = camera.address.replace("//", "//ann:secret@")
    found = seen(open_source(address + "/locked", QUICK), lambda f: len(f) == 1)
    told, _ = first_words(open_source(address + "/nothing", QUICK))

    assert 1 == len(shots(found))
    assert (camera.address in told, "ann" in told, "secret" in told) == (True, False, False)


@pytest.mark.parametrize("path", ["/locked", "/video"])
def test_a_password_as_people_type_it_opens(camera, path):
    """A password with `@` and `/` reaches the camera whole, and is not asked for twice."""
    address = camera.address.replace("//", "//ann:p@ss/w0rd@")
    seen(open_source(address + path, QUICK), bool)

    assert [b"ann:p@ss/w0rd"] == [base64.b64decode(x.split()[1]) for x in camera.keys]


@pytest.mark.parametrize("path", ["/list", "/film"])
def test_a_playlist_leads_nowhere(camera, path):
    """Whatever it is called, the addresses in it are not called."""
    with http_camera() as other:
        camera.film = playlist(other)
        told, _ = first_words(open_source(camera.address + path, QUICK))

        assert 0 == other.calls
    assert ("gives a list of other addresses" if path == "/list" else "sends no film") in told


def test_a_film_comes_over_the_line_that_is_open(camera, tmp_path):
    """A film at an address is read as it comes, and asked for once."""
    path = film(tmp_path / "film.avi", 30)
    camera.film = path.read_bytes()
    found = seen(open_source(camera.address + "/film", QUICK), lambda f: len(f) == 2)

    assert {(240, 320, 3)} == {s.data.shape for s in shots(found)}
    assert 1 == camera.calls


@pytest.mark.parametrize("path", ["/drops", "/drops-in-the-head", "/goes-on"])
def test_a_camera_that_only_talks_leaves_nothing_behind(camera, path):
    """Who talks and gives no picture has one thread and one line, however often it is tried."""
    patience = Patience(stall=0.3, answer=0.4, again=0.05, retry=RetryRule(0.05, 0.05))
    held = []

    def enough(found):
        held.append(sum(t.name == "camera" for t in threading.enumerate()))
        return len(found) == 4

    told = words(seen(open_source(camera.address + path, patience), enough))

    assert (4, True) == (len(told), max(held) <= 1)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_follows_a_camera_to_another_place(camera, status):
    """Another port is another place: it is not called at all, and where it is is told."""
    with http_camera() as other:
        camera.elsewhere = (
            status,
            other.address.replace("//", "//ann:secret@") + "/picture?k=secret",
        )
        address = camera.address.replace("//", "//ann:secret@")
        told, _ = first_words(open_source(address + "/elsewhere", QUICK))

        assert 0 == other.calls
        assert f"sends on to {other.address}, where nobody follows" in told
    assert "secret" not in told


def test_another_path_of_the_same_camera_is_followed(camera):
    """Many cameras send on from their first page to the picture; the password goes along."""
    camera.elsewhere = 302, "/locked"
    address = camera.address.replace("//", "//ann:secret@")
    found = seen(open_source(address + "/elsewhere", QUICK), lambda f: len(f) == 1)

    assert 1 == len(shots(found))


def test_what_a_camera_repeats_is_not_passed_on(camera):
    """An error page's reason and a kind of content may hold the address that was asked for."""
    told = [
        first_words(open_source(camera.address + f"/echo-{what}?pwd=hunter2", QUICK))[0]
        for what in ("reason", "kind")
    ]

    assert "answers with error 500 (Internal Server Error)" in told[0]
    assert "gives" in told[1]
    assert [] == [x for x in told if "hunter2" in x]


def test_a_dead_host_is_told_in_time():
    """A port where nobody listens, a name that is no machine's, and a host that says nothing."""
    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    with socket.create_server(("127.0.0.1", 0)) as closed:
        free = closed.getsockname()[1]
    answers = {
        name: first_words(open_source(address))
        for name, address in {
            "refused": f"http://127.0.0.1:{free}/stream",
            "no name": "http://camera.invalid/stream",
            "silent": f"http://127.0.0.1:{port}/stream",
        }.items()
    }
    silent.close()

    assert "no camera answers at this port" in answers["refused"][0]
    assert "no machine has this name" in answers["no name"][0]
    assert "nobody answers" in answers["silent"][0]
    assert [] == [name for name, (_, seconds) in answers.items() if seconds > WITHIN_SECONDS]


@pytest.mark.parametrize("path", ["/stream", "/picture"])
def test_a_camera_that_stalls_is_opened_again(camera, path):
    """When no picture comes for a while it is said, tried again, and goes on by itself."""

    def enough(found):
        if len(shots(found)) == 2:
            camera.hangs.set()
        if len(words(found)) == 2:
            camera.hangs.clear()
        return bool(words(found)) and len(shots(found)) >= 5

    found = seen(source_of(camera, path), enough)

    assert "no picture came for 0.6 s; trying again in" in words(found)[0]
    assert len(shots(found)) >= 5
    assert camera.calls >= 2


def test_tries_are_paced(camera):
    """A camera that is away is tried less and less often."""
    found = seen(source_of(camera, "/nothing"), lambda f: len(f) == 4)

    assert ["0.2 s", "0.4 s", "0.4 s", "0.4 s"] == [w[-5:] for w in words(found)]
    assert 4 == camera.calls


def test_a_stream_that_changes_its_size_goes_on(camera):
    """Pictures of another size in the middle of a stream are pictures as well."""

    def enough(found):
        camera.size = (640, 480) if len(found) >= 3 else (320, 240)
        return len(found) == 12

    source = source_of(camera, "/stream")
    sizes = {len(s.data) > 0 and _size(s.data) for s in shots(seen(source, enough))}

    assert {(320, 240), (640, 480)} == sizes


def _size(data: bytes) -> tuple[int, int]:
    import cv2
    import numpy as np

    height, width = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape[:2]
    return width, height


@pytest.mark.parametrize("text", ["nothing-here", "film.mp4", "ftp://host/x.jpg", "-1"])
def test_what_is_no_source_is_told(text):
    """A word, a file that is not there, another kind of address: what was expected is told."""
    with pytest.raises(UsageError) as wrong:
        open_source(text)

    assert "expected a device number, a stream or snapshot address" in str(wrong.value)


def test_a_snapshot_address_is_asked_four_times_a_second(monkeypatch):
    """What is left of a quarter of a second is waited, and four seconds for the answer, or so."""
    slept, waited = [], []
    clock = SimpleNamespace(monotonic=lambda: 5.0, sleep=slept.append)
    opener = SimpleNamespace(
        open=lambda _, timeout: waited.append(timeout) or io.BytesIO(b"picture")
    )
    monkeypatch.setattr(http_cameras, "time", clock)
    monkeypatch.setattr(http_cameras, "_OPENER", opener)
    line = http_cameras.Snapshots(parse_address("http://camera/shot"), io.BytesIO(b"first"))

    assert [b"first", b"picture"] == [line.read().data for _ in range(2)]
    assert ([0.25], [4.25]) == (slept, waited)


def test_a_film_is_knocked_at_before_it_is_opened(monkeypatch):
    """Who does not answer within four seconds is told."""
    waited = []

    def nobody(_where, timeout):
        waited.append(timeout)
        raise TimeoutError

    monkeypatch.setattr("kibitz.app.cameras.film.socket.create_connection", nobody)
    with pytest.raises(SourceTroubleError) as wrong:
        connect_film(parse_address("rtsp://camera/film"))

    assert [4.0] == waited
    assert "nobody answers there" in str(wrong.value)
