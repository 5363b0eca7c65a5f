"""Video files and folders as cameras."""

from __future__ import annotations

import threading
import time

import pytest

from kibitz.app.cameras.sources import FolderSource, VideoSource, open_source
from kibitz.app.common.errors import UsageError
from tests.app.cameras.camera_help import (
    WITHIN_SECONDS,
    film,
    first_words,
    http_camera,
    jpeg,
    number_of,
    picture,
    playlist,
    seen,
    shots,
    words,
)


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


@pytest.mark.parametrize("text", ["9" * 5000, "a" * 5000, "a\0b", "~nobody-here/x"])
def test_what_names_no_camera_is_refused(text):
    """Numbers and names beyond what any device or file has are refused with what is taken."""
    with pytest.raises(UsageError, match="expected a device number") as refused:
        open_source(text)

    assert True is str(refused.value).endswith("there is no such file")


@pytest.mark.parametrize("content", [b"", b"no video at all" * 100])
def test_a_file_that_is_no_video_is_told(tmp_path, content):
    """An empty file and one of another kind are told with what to do."""
    path = tmp_path / "film.mp4"
    path.write_bytes(content)
    told, seconds = first_words(open_source(str(path)))

    assert "holds no pictures, or its format is not known here; save it as MP4" in told
    assert seconds < WITHIN_SECONDS


def test_a_file_that_lists_others_leads_nowhere(tmp_path):
    """A playlist under a film's name is no film, and what it names is not opened."""
    path = tmp_path / "film.mp4"
    with http_camera() as other:
        path.write_bytes(playlist(other))
        told, _ = first_words(open_source(str(path)))

        assert 0 == other.calls
    assert "holds no pictures" in told


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
