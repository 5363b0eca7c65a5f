"""Pictures of a video file, a few a second."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from kibitz.engine.parameters import checked, number
from kibitz.vision.frame import Picture, PictureError


@dataclass(frozen=True, slots=True)
class VideoRule:
    """How closely a video file is looked at."""

    every_s: float = number(0.25, "seconds", 0.01, 60.0, "a picture is taken so often")

    def __post_init__(self) -> None:
        checked(self)


VIDEO: Final = VideoRule()
USUAL_RATE: Final = 25.0
"""Pictures a second of a file that does not tell: those of European television."""


@dataclass(frozen=True, slots=True, eq=False)
class VideoPicture:
    """One picture of a video: its name, its time in the video, its pixels (h, w, 3) BGR."""

    name: str
    at_s: float
    picture: Picture


def video_pictures(path: Path | str, rule: VideoRule = VIDEO) -> Iterator[VideoPicture]:
    """The pictures of a video, a few for each second of its own time.

    Raises:
        PictureError: `file_not_found` or `video_not_readable`.
    """
    if not Path(path).is_file():
        raise PictureError("file_not_found", f"there is no file {path}")
    capture = cv2.VideoCapture(str(path))
    number = 0
    try:
        rate = capture.get(cv2.CAP_PROP_FPS) or USUAL_RATE
        step = max(1, round(rate * rule.every_s))
        while capture.grab():
            if number % step == 0:
                done, picture = capture.retrieve()
                if done:
                    at_s = number / rate
                    pixels = np.asarray(picture, dtype=np.uint8)
                    yield VideoPicture(f"{path}@{at_s:.1f}s", at_s, pixels)
            number += 1
    finally:
        capture.release()
    if number == 0:
        raise PictureError(
            "video_not_readable",
            f"{path} holds no pictures, or its format is not known here; save it as MP4 (H.264)",
        )
