"""Pictures come out of a film's file, at the pace asked for."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.vision.frame import LIMITS, PictureError
from kibitz.vision.stream import video
from kibitz.vision.stream.video import VideoRule, video_pictures
from tests.vision.stream.film_help import film


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


@pytest.mark.parametrize("size", [(6016, 6016), (30_016, 64)])
def test_a_film_of_huge_frames_is_not_unpacked(tmp_path: Path, size: tuple[int, int]) -> None:
    """Larger than 8K, or thin and very long, it is refused before its first picture."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 8.0, size)
    writer.write(np.zeros((size[1], size[0], 3), np.uint8))
    writer.release()
    with pytest.raises(PictureError) as refused:
        next(video_pictures(path))

    assert "too_large" == refused.value.code
    assert f"{size[0]} x {size[1]} pixels" in refused.value.message


def test_a_film_that_grows_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that are too large end it also after its first ones."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 4.0, (320, 240))
    for item in islice(film(), 3):
        writer.write(item.picture)
    writer.release()
    found = video_pictures(path)
    first = next(found)
    monkeypatch.setattr(video, "LIMITS", replace(LIMITS, most_film_pixels=320 * 240 - 1))
    with pytest.raises(PictureError) as refused:
        next(found)

    assert (240, 320, 3) == first.picture.shape
    assert "too_large" == refused.value.code
