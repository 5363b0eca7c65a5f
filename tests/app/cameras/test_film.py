"""Devices as cameras: by number, and by a name that stays."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from kibitz.app.cameras import film as film_camera
from kibitz.app.cameras.film import connect_named_device
from kibitz.app.cameras.reopening import Shot, SourceTroubleError
from kibitz.app.cameras.sources import open_source
from tests.app.cameras.camera_help import (
    QUICK,
    WITHIN_SECONDS,
    PluggedIn,
    first_words,
    seen,
    shots,
    words,
)


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
