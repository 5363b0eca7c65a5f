"""Where frames come from: a device, a stream, a snapshot address, a video file, a folder."""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from app.errors import UsageError
from app.frame_reader import MOST_BYTES, encode_jpeg
from vision.frame import PICTURE_SUFFIXES, VIDEO_SUFFIXES

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
VIDEO_STEP_SECONDS = 0.5
FOLDER_STEP_SECONDS = 0.5
SNAPSHOT_STEP_SECONDS = 0.7


class Source(Protocol):
    """A camera in the widest sense."""

    def frames(self, stop: threading.Event) -> Iterator[bytes | str]:
        """Pictures as files' bytes, and between them, as text, what is wrong and being tried."""
        ...


def open_source(text: str) -> Source | None:
    """The source that `--camera` names; None for `browser`, whose frames come by themselves.

    Raises:
        UsageError: it is no source.
    """
    if text == "browser":
        return None
    if text.isdecimal():
        return StreamSource(int(text))
    if text.startswith(("rtsp://", "rtsps://", "udp://", "tcp://")):
        return StreamSource(text)
    if text.startswith(("http://", "https://")):
        page = text.partition("?")[0].lower()
        snapshot = page.endswith((".jpg", ".jpeg", ".png")) or "snapshot" in page
        return SnapshotSource(text) if snapshot else StreamSource(text)
    path = Path(text).expanduser()
    if path.is_dir():
        return FolderSource(path)
    if path.is_file() and path.suffix.lower() in VIDEO_SUFFIXES:
        return VideoSource(path)
    raise UsageError(
        "--camera: expected a device number, a stream or snapshot address, a video file, "
        f"a folder or 'browser', got {text!r}"
    )


class StreamSource:
    """A device or a stream: a thread takes every frame, the newest is handed on."""

    def __init__(self, address: int | str) -> None:
        self._address = address

    def frames(self, stop: threading.Event) -> Iterator[bytes | str]:
        """The newest frame each time one is wanted; opened again when the camera goes away."""
        pause = FIRST_PAUSE
        while not stop.is_set():
            capture = cv2.VideoCapture(self._address)
            if not capture.isOpened():
                capture.release()
                yield f"the camera {self._address} does not open; trying again in {pause:.0f} s"
                stop.wait(pause)
                pause = min(LONGEST_PAUSE, pause * 2)
                continue
            pause = FIRST_PAUSE
            yield from _newest(capture, stop)
            if not stop.is_set():
                yield f"the camera {self._address} went away; opening it again"


def _newest(capture: Any, stop: threading.Event) -> Iterator[bytes]:
    """Frames from a live capture; a slow reader gets the newest, never a queue of old ones."""
    slot: list[Any] = []
    arrived = threading.Condition()
    over = threading.Event()

    def grab() -> None:
        while not stop.is_set() and not over.is_set():
            good, picture = capture.read()
            with arrived:
                slot[:] = [picture] if good else []
                if not good:
                    over.set()
                arrived.notify()

    worker = threading.Thread(target=grab, name="camera", daemon=True)
    worker.start()
    try:
        while not stop.is_set():
            with arrived:
                if not slot and not over.is_set():
                    arrived.wait(5)
                picture = slot.pop() if slot else None
            if picture is not None:
                yield encode_jpeg(picture, quality=92)
            elif over.is_set():
                return
    finally:
        over.set()
        worker.join(5)
        capture.release()


class SnapshotSource:
    """An address that answers with one picture each time."""

    def __init__(self, address: str) -> None:
        self._address = address

    def frames(self, stop: threading.Event) -> Iterator[bytes | str]:
        """One picture after another."""
        pause = FIRST_PAUSE
        while not stop.is_set():
            try:
                # the scheme was checked when the source was opened
                with urllib.request.urlopen(self._address, timeout=10) as answer:
                    data = answer.read(MOST_BYTES + 1)
            except (OSError, urllib.error.URLError, ValueError) as error:
                yield f"{self._address} gives no picture ({error}); trying again in {pause:.0f} s"
                stop.wait(pause)
                pause = min(LONGEST_PAUSE, pause * 2)
                continue
            pause = FIRST_PAUSE
            yield data
            stop.wait(SNAPSHOT_STEP_SECONDS)


class VideoSource:
    """A video file, played once, at most a few frames a second."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def frames(self, stop: threading.Event) -> Iterator[bytes | str]:
        """A frame for every half second of the video."""
        capture = cv2.VideoCapture(str(self._path))
        if not capture.isOpened():
            yield f"{self._path} is no video that can be opened"
            return
        rate = capture.get(cv2.CAP_PROP_FPS) or 25.0
        step = max(1, round(rate * VIDEO_STEP_SECONDS))
        index = 0
        try:
            while not stop.is_set() and capture.grab():
                if index % step == 0:
                    good, picture = capture.retrieve()
                    if good:
                        yield encode_jpeg(np.asarray(picture, np.uint8), quality=92)
                index += 1
        finally:
            capture.release()


class FolderSource:
    """A folder of pictures, also one that is being filled."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def frames(self, stop: threading.Event) -> Iterator[bytes | str]:
        """Every picture once, in natural order; then whatever is added."""
        from app.picture_paths import natural_key

        seen: set[str] = set()
        while not stop.is_set():
            new = [
                p
                for p in self._folder.iterdir()
                if p.suffix.lower() in PICTURE_SUFFIXES and p.name not in seen
            ]
            for path in sorted(new, key=lambda p: natural_key(p.name)):
                # a file that is still being written is taken the next time
                if time.time() - path.stat().st_mtime < 0.2:
                    continue
                seen.add(path.name)
                data = path.read_bytes()
                # a still picture counts as seen twice: it will not move any more
                yield data
                yield data
            stop.wait(FOLDER_STEP_SECONDS)
