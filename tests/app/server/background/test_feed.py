"""A source brings pictures to a table; pages see how the camera does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from kibitz.app.cameras.reopening import Shot
from kibitz.app.cameras.sources import open_source
from kibitz.app.cameras.state import camera_state
from kibitz.app.server.background.feeds import CameraFeed
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from tests.app.cameras.camera_help import QUICK, http_camera
from tests.app.server_help import board, make_session, picture_of

HOST = Actor("host")


@pytest.fixture
def session(tmp_path):
    session = make_session(tmp_path / "data")
    yield session
    session.close()


def new_table(session, game="scrabble"):
    return session.tables.create(Order(game, ("Ann", "Bob"))).table


def wait(until: Callable[[], bool], seconds: float = 15.0) -> bool:
    """Whether something came true in time."""
    ends = time.monotonic() + seconds
    while not until() and time.monotonic() < ends:
        time.sleep(0.02)
    return until()


def words(table) -> list[str]:
    return [w["word"] for entry in table.history() for w in entry["words"]]


def test_a_folder_that_is_being_filled_is_played(session, tmp_path):
    """Every photograph that is put into the folder becomes a play."""
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "1.png").write_bytes(picture_of(board(H7="CAT")))
    table = new_table(session)
    feed = CameraFeed(session, table, open_source(str(folder)))
    feed.start()
    first = wait(lambda: words(table) == ["CAT"])
    (folder / "2.png").write_bytes(picture_of(board(H7="CAT", v_G8="BAD")))
    (folder / "3.png").write_bytes(b"no picture")
    second = wait(lambda: words(table) == ["CAT", "BAD"])
    told = wait(lambda: "expected a JPEG" in str(camera_state(session.camera_of(table), HOST)))
    feed.stop()

    assert (True, True, True) == (first, second, told)


def test_pages_see_that_a_camera_is_away_and_back(session):
    """While no pictures come pages are told why; with the next picture it is forgotten."""
    table = new_table(session)

    def error() -> dict:
        shown = camera_state(session.camera_of(table), HOST)
        return shown.error.to_json() if shown and shown.error else {}

    with http_camera() as camera:
        feed = CameraFeed(session, table, open_source(camera.address + "/stream", QUICK))
        feed.start()
        # its pictures show no board, which is another error
        there = wait(lambda: error().get("code") == "board_not_found")
        camera.hangs.set()
        away = wait(lambda: error().get("code") == "camera_away")
        message = error().get("message", "")
        camera.hangs.clear()
        back = wait(lambda: error().get("code") == "board_not_found")
        feed.stop()

    assert (True, True, True) == (there, away, back)
    assert "no picture came for 0.6 s" in message


def test_a_camera_that_never_was_there_is_seen(session):
    """Pages are told of a camera that gave no picture yet."""
    table = new_table(session)
    feed = CameraFeed(session, table, open_source("97", QUICK))
    feed.start()
    told = wait(lambda: camera_state(session.camera_of(table), HOST) is not None)
    shown = camera_state(session.camera_of(table), HOST)
    feed.stop()

    assert told
    assert (0, "camera_away") == (shown.frame, shown.error.code)
    assert "camera 97" in shown.error.message


def test_two_tables_have_a_camera_each(session, tmp_path):
    """Pictures of one table's camera never reach another table."""
    tables, feeds = [], []
    for word in ("CAT", "DOG"):
        folder = tmp_path / word
        folder.mkdir()
        (folder / "1.png").write_bytes(picture_of(board(H7=word)))
        tables.append(new_table(session))
        feeds.append(CameraFeed(session, tables[-1], open_source(str(folder))))
        feeds[-1].start()
    done = wait(lambda: [words(t) for t in tables] == [["CAT"], ["DOG"]])
    for feed in feeds:
        feed.stop()

    assert done


def test_a_table_that_is_let_go_takes_its_camera_with_it(session):
    """A server that runs for weeks holds the pictures of open tables only."""
    first, second = new_table(session), new_table(session)
    session.camera(first)
    session.listen(first)
    session.tables.forget(first.id)
    session.camera(second)

    assert [second.id] == list(session._cameras)
    assert [] == list(session._listening)


class Rubbish:
    """A camera whose pictures are two bytes long, as fast as they are taken."""

    def __init__(self) -> None:
        self.sent = 0

    def frames(self, stop: threading.Event) -> Iterator[Shot]:
        """Without a pause."""
        while not stop.is_set():
            self.sent += 1
            yield Shot(b"\xff\xd8")


def test_a_camera_that_sends_rubbish_takes_no_processor_and_fills_no_log(session, capsys):
    """It is looked at twice a second, told once, and wakes no page again and again."""
    table, source = new_table(session), Rubbish()
    woken = []
    camera = session.camera(table)
    camera._on_frame = lambda: woken.append(1)
    feed = CameraFeed(session, table, source)
    feed.start()
    assert wait(lambda: source.sent >= 5)
    feed.stop()
    said = capsys.readouterr().err.splitlines()

    assert 1 == len(said)
    assert "a picture could not be read" in said[0]
    assert 1 == len(woken)
    assert camera.trouble


def test_a_camera_that_sends_rubbish_is_looked_at_slowly(session, monkeypatch):
    """After each picture that is none the feed waits, and stops at once when it is told to."""
    waits = []
    feed = CameraFeed(session, new_table(session), Rubbish())
    monkeypatch.setattr(feed._stop, "wait", lambda s=None: waits.append(s) or len(waits) > 5)
    thread = threading.Thread(target=feed.run, daemon=True)
    thread.start()
    assert wait(lambda: len(waits) > 20)
    feed._stop.set()
    thread.join(10)

    assert 0.25 in waits[:2]
