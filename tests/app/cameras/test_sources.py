"""Video files, folders and devices as cameras."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from pathlib import Path

import cv2
import pytest

from kibitz.app.cameras import film as film_camera
from kibitz.app.cameras.film import connect_named_device
from kibitz.app.cameras.reopening import Shot, SourceTroubleError
from kibitz.app.cameras.sources import FolderSource, VideoSource, open_source
from tests.app.cameras.camera_help import (
    QUICK,
    PluggedIn,
    first_words,
    jpeg,
    not_here,
    number_of,
    picture,
    seen,
    shots,
    words,
)

WITHIN_SECONDS = 5.0


def film(path: Path, pictures: int, rate: float = 30.0) -> Path:
    """A video file of numbered pictures."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, (320, 240))
    for number in range(pictures):
        writer.write(picture(number))
    writer.release()
    return path


def test_a_video_file_gives_ten_pictures_a_second(tmp_path):
    """Of thirty pictures a second every third comes, with its time in the video."""
    path = film(tmp_path / "film.avi", 30)
    found = shots(seen(VideoSource(path, paced=False), lambda _: False))

    assert [0, 3, 6, 9, 12, 15, 18, 21, 24, 27] == [number_of(s) for s in found]
    assert [round(0.1 * i, 3) for i in range(10)] == [round(s.at or 0.0, 3) for s in found]


def test_a_slow_video_gives_all_it_has(tmp_path):
    """Four pictures a second are all taken."""
    path = film(tmp_path / "film.avi", 8, rate=4.0)
    found = shots(seen(VideoSource(path, paced=False), lambda _: False))

    assert [0, 1, 2, 3, 4, 5, 6, 7] == [number_of(s) for s in found]


def test_a_video_is_shown_at_its_own_speed(tmp_path):
    """As a camera, a video of half a second takes half a second."""
    source = open_source(str(film(tmp_path / "film.avi", 16)))
    began = time.monotonic()
    found = seen(source, lambda _: False)

    assert 6 == len(found)
    assert time.monotonic() - began > 0.45


@pytest.mark.parametrize("content", [b"", b"no video at all" * 100])
def test_a_file_that_is_no_video_is_told(tmp_path, content):
    """An empty file and one of another kind are told with what to do."""
    path = tmp_path / "film.mp4"
    path.write_bytes(content)
    told, seconds = first_words(open_source(str(path)))

    assert "holds no pictures, or its format is not known here; save it as MP4" in told
    assert seconds < WITHIN_SECONDS


def test_a_folder_that_is_being_filled(tmp_path):
    """What lies there comes in natural order, then what is added, each once."""
    for number in (10, 2, 1):
        (tmp_path / f"shot-{number}.jpg").write_bytes(jpeg(picture(number)))
    (tmp_path / "notes.txt").write_text("no picture", encoding="utf-8")

    def enough(found):
        if len(found) == 3:
            (tmp_path / "shot-11.jpg").write_bytes(jpeg(picture(11)))
        return len(found) == 4

    found = seen(open_source(str(tmp_path)), enough)

    assert [1, 2, 10, 11] == [number_of(s) for s in shots(found)]
    assert [True] * 4 == [s.still for s in shots(found)]


def test_a_picture_that_is_still_being_written_waits(tmp_path):
    """A file is taken when it is whole, not while it grows."""
    whole = jpeg(picture(7))
    path = tmp_path / "shot.jpg"
    path.write_bytes(b"")

    def write() -> None:
        with path.open("wb") as file:
            for i in range(0, len(whole), 400):
                file.write(whole[i : i + 400])
                file.flush()
                time.sleep(0.05)

    writer = threading.Thread(target=write)
    writer.start()
    found = seen(FolderSource(tmp_path), lambda f: len(f) == 1)
    writer.join()

    assert whole == found[0].data


def test_a_folder_that_goes_away_is_told(tmp_path):
    """A folder on a stick that was pulled out is told once, and taken up again."""
    folder = tmp_path / "stick"
    folder.mkdir()
    (folder / "a.jpg").write_bytes(jpeg(picture(1)))

    def enough(found):
        if len(found) == 1:
            (folder / "a.jpg").unlink()
            folder.rmdir()
        if len(found) == 2:
            folder.mkdir()
            (folder / "b.jpg").write_bytes(jpeg(picture(2)))
        return len(found) == 3

    found = seen(FolderSource(folder), enough)

    assert [1, 2] == [number_of(s) for s in shots(found)]
    assert 1 == len(words(found))
    assert "cannot be read" in words(found)[0]


def test_a_camera_number_that_does_not_exist():
    """Which numbers there are is told at once."""
    told, seconds = first_words(open_source("97"))

    assert "camera 97" in told
    assert seconds < WITHIN_SECONDS


@pytest.mark.parametrize(
    ("number", "says"),
    [(errno.EBUSY, "another program uses it"), (errno.EACCES, "group 'video'")],
)
@pytest.mark.skipif(sys.platform != "linux", reason="devices are files only on Linux")
def test_a_device_in_use_is_told(tmp_path, monkeypatch, number, says):
    """A device that another program holds, or that this user may not open, is told as such."""
    (tmp_path / "video3").touch()
    refuse = OSError(number, os.strerror(number))

    def refused(*_):
        raise refuse

    monkeypatch.setattr(film_camera, "DEVICES", tmp_path)
    monkeypatch.setattr(film_camera.os, "open", refused)
    told, _ = first_words(open_source("3", QUICK))

    assert says in told


@pytest.mark.skipif(sys.platform != "linux", reason="devices are files only on Linux")
def test_a_device_that_is_pulled_out_and_plugged_in_again(tmp_path, monkeypatch):
    """It is said that it went away and that it is not there; plugged in, pictures come again."""
    device = tmp_path / "video3"
    device.touch()
    monkeypatch.setattr(film_camera, "DEVICES", tmp_path)
    monkeypatch.setattr(film_camera.cv2, "VideoCapture", lambda _: PluggedIn(device))
    before: list[int] = []

    def enough(found):
        if len(shots(found)) == 3 and not words(found):
            before.append(3)
            device.unlink()
        if len(words(found)) == 2:
            device.touch()
        return bool(words(found)) and isinstance(found[-1], Shot)

    found = seen(open_source("3", QUICK), enough)

    assert [3] == before
    assert "camera 3 went away: no more pictures come; trying again in 0.2 s" == words(found)[0]
    assert "there is no camera 3 here; there is no camera at all" in words(found)[1]
    assert isinstance(found[-1], Shot)


def test_a_device_of_this_machine():
    """The first camera of this machine gives pictures, and again after it was let go."""
    there = sorted(int(p.name[5:]) for p in Path("/dev").glob("video[0-9]*"))
    if not there:
        pytest.skip("this machine has no video device")
    source = open_source(str(there[0]))
    once = shots(seen(source, lambda f: len(f) == 3))
    again = shots(seen(source, lambda f: len(f) == 3))

    assert (3, 3) == (len(once), len(again))


def test_parts_that_are_required(monkeypatch):
    """Where everything is required, a part that is not installed fails the test."""
    monkeypatch.setenv("KIBITZ_REQUIRE_ALL", "1")
    with pytest.raises(pytest.fail.Exception) as failed:
        not_here("no such server")

    assert "required here: no such server" == str(failed.value)


@pytest.mark.parametrize(
    ("made", "says"),
    [
        ((), "board-camera is not plugged in"),
        (("board-camera", "video97"), "there is no camera 97 here; there is no camera at all"),
        (("board-camera", "null"), "board-camera is no camera: it does not lead to"),
        (("board-camera", "/dev/null"), "board-camera is no camera: it does not lead to"),
    ],
)
def test_a_camera_by_a_name_that_stays(tmp_path, monkeypatch, made, says):
    """A link in the folder of devices leads to the numbered one, whichever it is today."""
    monkeypatch.setattr("kibitz.app.cameras.film.DEVICES", tmp_path)
    if made:
        (tmp_path / made[0]).symlink_to(made[1])
    with pytest.raises(SourceTroubleError) as wrong:
        connect_named_device(tmp_path / "board-camera")

    assert says in str(wrong.value)


def test_a_device_by_name_is_a_source():
    """It is asked for when pictures are wanted: it may be plugged in later."""
    assert open_source("/dev/v4l/by-id/usb-none-index0") is not None


@pytest.mark.parametrize(("ago", "expected"), [(0.3, []), (0.7, [b"x"])])
def test_a_picture_that_was_just_written_waits_half_a_second(tmp_path, monkeypatch, ago, expected):
    """Whoever writes it may not have ended; the folder is looked at again after half of that."""
    stop, waits = threading.Event(), []
    monkeypatch.setattr(stop, "wait", lambda s: waits.append(s) or stop.set())
    path = tmp_path / "shot.jpg"
    path.write_bytes(b"x")
    now = path.stat().st_mtime + ago
    monkeypatch.setattr("kibitz.app.cameras.sources.time.time", lambda: now)
    found = [shot.data for shot in FolderSource(tmp_path).frames(stop)]

    assert (expected, [0.25]) == (found, waits)
