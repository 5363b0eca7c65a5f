"""Where pictures come from: a device, a stream, a snapshot address, a video, a folder."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np

from vision.frame import (
    MAX_BYTES,
    PICTURE_SUFFIXES,
    VIDEO_SUFFIXES,
    Picture,
    PictureError,
    decode_picture,
    load_picture,
)

SNAPSHOT_TIMEOUT_S = 10.0
RETRIES = 5


class CameraUnavailable(Exception):  # noqa: N818 - named as the thing that is missing
    """A camera or another source of pictures cannot be opened, or stopped giving pictures."""


@dataclass(frozen=True, slots=True, eq=False)
class SourcePicture:
    """One picture of a source: its name, when it was taken, and its pixels (h, w, 3) BGR."""

    name: str
    at_s: float
    picture: Picture


def kind_of(source: str) -> str:
    """What a source is: `device`, `stream`, `snapshot`, `video`, `folder`, `picture`, `browser`.

    Raises:
        CameraUnavailable: it is none of these.
    """
    if source == "browser":
        return "browser"
    if source.isdecimal():
        return "device"
    parts = urlsplit(source)
    if parts.scheme in ("rtsp", "rtsps", "rtmp", "udp", "tcp"):
        return "stream"
    if parts.scheme in ("http", "https"):
        return "snapshot" if _is_snapshot(parts.path) else "stream"
    path = Path(source)
    if path.is_dir():
        return "folder"
    if path.suffix.lower() in VIDEO_SUFFIXES:
        return "video"
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return "picture"
    if re.fullmatch(r"/dev/video\d+", source):
        return "device"
    raise CameraUnavailable(
        f"{source!r} is no source of pictures; expected a device number, a stream or snapshot "
        "address, a video file, a folder of pictures, or 'browser'"
    )


def _is_snapshot(path: str) -> bool:
    return Path(path).suffix.lower() in PICTURE_SUFFIXES or "snapshot" in path.lower()


def pictures_from(
    source: str, *, every_s: float = 0.25, now: Callable[[], float] = time.monotonic
) -> Iterator[SourcePicture]:
    """Pictures of a source, one after the other; a camera gives them until it is closed.

    Args:
        source: see `kind_of`.
        every_s: seconds between two pictures; of a video, of its own time.
        now: the clock for pictures that carry no time of their own.

    Raises:
        CameraUnavailable: the source cannot be opened, or stopped for good.
    """
    kind = kind_of(source)
    if kind == "browser":
        raise CameraUnavailable("a browser's camera sends its pictures to a running server")
    if kind == "picture":
        yield _one_file(Path(source), now())
    elif kind == "folder":
        yield from _folder(Path(source), now)
    elif kind == "video":
        yield from _video(source, every_s)
    elif kind == "snapshot":
        yield from _snapshots(source, every_s, now)
    else:
        yield from _camera(source, every_s, now)


def _one_file(path: Path, at_s: float) -> SourcePicture:
    try:
        picture, _ = load_picture(path)
    except PictureError as error:
        raise CameraUnavailable(error.message) from error
    return SourcePicture(str(path), at_s, picture)


def _folder(folder: Path, now: Callable[[], float]) -> Iterator[SourcePicture]:
    """The pictures that are there now; `follow_folder` waits for more."""
    files = [p for p in folder.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES]
    if not files:
        raise CameraUnavailable(f"the folder {folder} holds no pictures")
    for path in sorted(files):
        yield _one_file(path, now())


def follow_folder(
    folder: Path, *, every_s: float = 0.5, stop: Callable[[], bool] = lambda: False
) -> Iterator[SourcePicture]:
    """Pictures that are put into a folder from now on, each once its size has settled."""
    seen = {p.name for p in folder.iterdir()}
    sizes: dict[str, int] = {}
    while not stop():
        for path in sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES):
            if path.name in seen:
                continue
            size = path.stat().st_size
            if size == 0 or sizes.get(path.name) != size:
                sizes[path.name] = size  # still being written
                continue
            seen.add(path.name)
            yield _one_file(path, time.monotonic())
        time.sleep(every_s)


@contextmanager
def _opened(source: str | int) -> Iterator[Any]:
    capture = cv2.VideoCapture(source)
    try:
        if not capture.isOpened():
            raise CameraUnavailable(
                f"the source {source!r} cannot be opened; is it connected, and is no other "
                "program using it?"
            )
        yield capture
    finally:
        capture.release()


def _video(source: str, every_s: float) -> Iterator[SourcePicture]:
    if not Path(source).is_file():
        raise CameraUnavailable(f"there is no file {source}")
    with _opened(source) as capture:
        rate = capture.get(cv2.CAP_PROP_FPS) or 25.0
        step = max(1, round(rate * every_s))
        number = 0
        while capture.grab():
            if number % step == 0:
                done, picture = capture.retrieve()
                if done:
                    at_s = number / rate
                    yield SourcePicture(f"{source}@{at_s:.1f}s", at_s, _bgr(picture))
            number += 1
        if number == 0:
            raise CameraUnavailable(f"{source} holds no pictures, or its format is not known here")


def _camera(source: str, every_s: float, now: Callable[[], float]) -> Iterator[SourcePicture]:
    """A live camera; after a lost picture it is opened again a few times."""
    lost = 0
    number = 0
    while True:
        with _opened(int(source) if source.isdecimal() else source) as capture:
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
            last = -every_s
            while True:
                done, picture = capture.read()
                if not done:
                    break
                lost = 0
                if now() - last >= every_s:
                    last = now()
                    number += 1
                    yield SourcePicture(f"picture {number}", last, _bgr(picture))
        lost += 1
        if lost > RETRIES:
            raise CameraUnavailable(f"the source {source!r} stopped giving pictures")
        time.sleep(min(5.0, 0.5 * lost))


def _snapshots(source: str, every_s: float, now: Callable[[], float]) -> Iterator[SourcePicture]:
    number = lost = 0
    while True:
        began = now()
        try:
            picture = _snapshot(source)
        except CameraUnavailable:
            lost += 1
            if lost > RETRIES or number == 0:
                raise
            time.sleep(min(5.0, 0.5 * lost))
            continue
        number, lost = number + 1, 0
        yield SourcePicture(f"picture {number}", began, picture)
        time.sleep(max(0.0, every_s - (now() - began)))


def _snapshot(address: str) -> Picture:
    try:
        with urllib.request.urlopen(address, timeout=SNAPSHOT_TIMEOUT_S) as answer:
            data = answer.read(MAX_BYTES)
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise CameraUnavailable(f"{address} does not answer: {error}") from error
    try:
        return decode_picture(data, address)
    except PictureError as error:
        raise CameraUnavailable(error.message) from error


def _bgr(picture: object) -> Picture:
    return np.asarray(picture, dtype=np.uint8)
