"""A moving picture is read where it comes to rest."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.vision.frame import PictureError
from kibitz.vision.stream.settling import settled_pictures
from kibitz.vision.stream.stillness import StillWatch, moved, relief_of
from kibitz.vision.stream.video import VideoPicture, VideoRule, video_pictures


def scene(tiles: int, hand: int | None = None, brightness: int = 0) -> np.ndarray:
    """A green board with some white tiles, and a hand at a column."""
    picture = np.full((240, 320, 3), (60, 110 + brightness, 70), np.uint8)
    for i in range(tiles):
        picture[100:120, 20 + 22 * i : 40 + 22 * i] = (220, 230, 235)
    if hand is not None:
        picture[60:, hand : hand + 70] = (120, 150, 210)
    return picture


def film() -> list[VideoPicture]:
    """Two plays, each laid by a hand that comes and goes; four pictures a second."""
    shots = [scene(0)] * 5
    shots += [scene(0, 200), scene(2, 140), scene(3, 60)] + [scene(3)] * 6
    shots += [scene(3, 30), scene(5, 90), scene(5, 180)] + [scene(5)] * 6
    return [VideoPicture(f"{i}", i * 0.25, shot) for i, shot in enumerate(shots)]


def test_each_position_once() -> None:
    """Every position at rest comes once, without the hand."""
    found = [item.picture for item, _ in settled_pictures(film(), StillWatch())]
    same = [np.array_equal(f, scene(n)) for f, n in zip(found, (0, 3, 5), strict=True)]

    assert same == [True, True, True]


@pytest.mark.parametrize(("at_s", "expected"), [(0.6992, 1), (0.6986, 0)])
def test_times_are_compared_to_the_millisecond(at_s: float, expected: int) -> None:
    """A film's clock is no finer: seven tenths of a second count from a millisecond before."""
    still = [VideoPicture(f"{t}", t, scene(3)) for t in (0.0, at_s)]

    assert expected == len(list(settled_pictures(still, StillWatch())))


def test_a_position_at_rest_is_looked_at_again() -> None:
    """Five seconds later, for what came slowly; that is no new rest."""
    still = [VideoPicture(f"{k}", k * 0.5, scene(3)) for k in range(25)]
    found = [(item.at_s, first) for item, first in settled_pictures(still, StillWatch())]

    assert [(1.0, True), (6.0, False), (11.0, False)] == found


def test_brightness_is_no_change() -> None:
    """A camera that adapts its exposure sees the same position."""
    assert not moved(relief_of(scene(3)), relief_of(scene(3, brightness=12)))
    assert moved(relief_of(scene(3)), relief_of(scene(4)))


def test_a_video_file(tmp_path: Path) -> None:
    """Pictures come out of a video file at the pace asked for, with their times."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 8.0, (320, 240))
    for item in film():
        writer.write(item.picture)
    writer.release()
    found = list(video_pictures(path, VideoRule(every_s=0.5)))

    assert [item.at_s for item in found] == [0.5 * i for i in range(6)]
    assert found[1].name == f"{path}@0.5s"
    assert found[0].picture.shape == (240, 320, 3)


def test_no_video(tmp_path: Path) -> None:
    """A file that is no video, or not there, is told as such."""
    path = tmp_path / "film.mp4"
    with pytest.raises(PictureError) as missing:
        list(video_pictures(path))
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(PictureError) as broken:
        list(video_pictures(path))

    assert (missing.value.code, broken.value.code) == ("file_not_found", "video_not_readable")
