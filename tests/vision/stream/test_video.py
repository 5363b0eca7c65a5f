"""Pictures come out of a film's file, at the pace asked for."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from kibitz.vision.frame import PictureError
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
