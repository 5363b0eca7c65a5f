"""Opens films and streams, without following references elsewhere, and yields pictures.

FFmpeg opens whatever a film names: a playlist's or a list's other files and addresses. Here only
formats that hold their pictures themselves are opened, of sizes that fit into the memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from kibitz.engine.parameters import checked, number
from kibitz.vision.frame import LIMITS, Picture, PictureError, check_size
from kibitz.vision.stream.stillness import StillWatch, relief_of


@dataclass(frozen=True, slots=True)
class VideoRule:
    """Sampling of a video file."""

    every_s: float = number(0.25, "seconds", 0.01, 60.0, "a picture is taken so often")

    def __post_init__(self) -> None:
        checked(self)


VIDEO: Final = VideoRule()
USUAL_RATE: Final = 25.0
"""Pictures a second of a file that does not tell: those of European television."""


@dataclass(frozen=True, slots=True, eq=False)
class VideoPicture:
    """One picture of a video: name, time, pixels (h, w, 3) BGR."""

    name: str
    at_s: float
    picture: Picture


FORMATS: Final = (
    *("mov", "matroska", "avi", "mpeg", "mpegvideo", "mpegts", "asf", "flv", "m4v", "h264"),
    *("hevc", "mjpeg", "mpjpeg", "rtsp"),
)
"""What FFmpeg may take a film for, by its own names: nothing that names other files."""
_OPTIONS: Final = (
    "rtsp_transport;tcp",
    "analyzeduration;500000",  # microseconds: half a second is enough to know a film by
    "protocol_whitelist;file,tcp,udp",
    f"format_whitelist;{','.join(FORMATS)}",
)


def open_film(source: Path | str, name: str, *settings: int) -> cv2.VideoCapture:
    """An opened film or stream.

    Args:
        source: a file, or an address that FFmpeg knows.
        name: what messages call it.
        settings: properties of OpenCV, each before its value.

    Raises:
        PictureError: `video_not_readable`, or `too_large` for frames that fill the memory.
    """
    # FFmpeg's own words are for programmers, and name passwords; both are read at each opening
    os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = "|".join(_OPTIONS)
    # the whole path, as FFmpeg takes the first word of another one for a protocol
    where = str(source.absolute()) if isinstance(source, Path) else source
    capture = cv2.VideoCapture(where, cv2.CAP_FFMPEG, list(settings))
    if not capture.isOpened():
        capture.release()
        raise PictureError(
            "video_not_readable",
            f"{name} holds no pictures, or its format is not known here; save it as MP4 (H.264)",
        )
    sides = (capture.get(x) for x in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
    width, height = map(int, sides)
    try:
        if max(width, height) > 0:  # some streams tell it only with their first picture
            check_size(width, height, name, LIMITS.most_film_pixels)
    except PictureError:
        capture.release()
        raise
    return capture


def grabbed(capture: cv2.VideoCapture, name: str) -> Picture | None:
    """The frame that was grabbed last; None if it is damaged.

    Raises:
        PictureError: the film's frames have grown too large.
    """
    good, picture = capture.retrieve()
    if not good or picture is None:
        return None
    check_size(picture.shape[1], picture.shape[0], name, LIMITS.most_film_pixels)
    return np.asarray(picture, np.uint8)


def video_pictures(path: Path | str, rule: VideoRule = VIDEO) -> Iterator[VideoPicture]:
    """Yield a few pictures per second of the video's own time.

    Raises:
        PictureError: `file_not_found`, `video_not_readable` or `too_large`.
    """
    if not Path(path).is_file():
        raise PictureError("file_not_found", f"there is no file {path}")
    capture = open_film(Path(path), str(path))
    number = 0
    try:
        rate = capture.get(cv2.CAP_PROP_FPS) or USUAL_RATE
        step = max(1, round(rate * rule.every_s))
        while capture.grab():
            if number % step == 0:
                pixels = grabbed(capture, str(path))
                if pixels is not None:
                    at_s = number / rate
                    yield VideoPicture(f"{path}@{at_s:.1f}s", at_s, pixels)
            number += 1
    finally:
        capture.release()
    if number == 0:
        raise PictureError("video_not_readable", f"{path} breaks off before its first picture")


_CLOCK: Final = 1e-3
"""Times are compared to the millisecond."""


@dataclass(frozen=True, slots=True)
class SettleRule:
    """When a position in a film counts as still."""

    still_s: float = number(0.7, "seconds", 0.0, 30.0, "nothing moves for so long")
    again_s: float = number(
        5.0, "seconds", 0.0, 600.0, "a position at rest is looked at again, for what came slowly"
    )

    def __post_init__(self) -> None:
        checked(self)


SETTLE: Final = SettleRule()


def settled_pictures(
    pictures: Iterable[VideoPicture],
    watch: StillWatch,
    side_px: int | None = None,
) -> Iterator[tuple[VideoPicture, bool]]:
    """Yield pictures at which a scene came to rest, as a live camera sees them.

    Args:
        pictures: of a film, in order.
        watch: tells what moves; who reads the pictures sets its `where` to the board, so that
            people beside it count for nothing.
        side_px: the longer side of the small pictures in which movement is looked for.

    Yields:
        A picture of each rest, and whether it is the first of that rest.
    """
    due, first = 0.0, True
    for item in pictures:
        if watch.look(relief_of(item.picture, side_px), item.at_s) == 0.0:
            due, first = item.at_s + SETTLE.still_s, True
        if item.at_s >= due - _CLOCK:
            yield item, first
            due, first = item.at_s + SETTLE.again_s, False
