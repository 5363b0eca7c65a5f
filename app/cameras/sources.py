"""Sources of frames: a device, a stream, a snapshot address, a video file, a folder."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import cv2

from kibitz.app.cameras.film import (
    DEVICES,
    connect_device,
    connect_film,
    connect_named_device,
    open_answer,
)
from kibitz.app.cameras.http import connect_http
from kibitz.app.cameras.reopening import PATIENCE, Connection, LiveSource, Patience, Shot
from kibitz.app.common.addresses import Address, parse_address, shown_source
from kibitz.app.common.errors import Option, UsageError
from kibitz.app.common.files import is_there, named_path
from kibitz.app.reading.pictures import natural_key
from kibitz.vision.frame import LIMITS, PICTURE_SUFFIXES, VIDEO_SUFFIXES, PictureError
from kibitz.vision.plain_file import FileRefused, read_plain
from kibitz.vision.stream.video import USUAL_RATE, grabbed, open_film

DEVICE_DIGITS = 9
"""Most digits of a device number: OpenCV takes it as a C integer of 32 bits."""


def _connect_page(address: Address, patience: Patience) -> Connection:
    return connect_http(address, partial(open_answer, patience=patience), patience)


SCHEMES: Final[Mapping[str, Callable[[Address, Patience], Connection]]] = {
    **dict.fromkeys(("rtsp", "rtsps", "udp", "tcp"), connect_film),
    **dict.fromkeys(("http", "https"), _connect_page),
}
"""Cameras with an address: what connects to them, by its scheme.

The page opens each of them too, so none may read files of this computer.
"""


class Source(Protocol):
    """A source of pictures: a camera, a file or a folder."""

    def frames(self, stop: threading.Event) -> Iterator[Shot | str]:
        """Yield pictures, and between them, as text, what is wrong and being tried."""
        ...


def open_source(
    text: str, patience: Patience = PATIENCE, *, asked: str = Option("camera")
) -> Source | None:
    """Open a named source; None for `browser`, whose frames are sent to the server.

    Args:
        text: a device by number or by name (`/dev/v4l/by-id/…`), an address, a file,
            a folder, or `browser`.
        patience: how long things may take.
        asked: what a refusal calls the place where it was named.

    Raises:
        UsageError: it is no source.
    """
    if text == "browser":
        return None
    if text.isdecimal() and len(text) <= DEVICE_DIGITS:
        return LiveSource(f"camera {text}", partial(connect_device, int(text), patience), patience)
    if Path(text).is_relative_to(DEVICES):
        device = partial(connect_named_device, Path(text), patience)
        return LiveSource(f"camera {text}", device, patience)
    name = shown_source(text)
    if is_address(text):
        address = parse_address(text)
        if not address.host:
            raise UsageError(
                asked,
                f": expected {address.scheme}://user:password@host/path, got an address "
                "that names no machine; write a @ / or ? of a password as %40 %2F %3F",
            )
        return LiveSource(name, partial(SCHEMES[address.scheme], address, patience), patience)
    path = named_path(text)
    found = is_there(path)
    if found and path.is_dir():
        return FolderSource(path, patience)
    if found and path.is_file() and path.suffix.lower() in VIDEO_SUFFIXES:
        return VideoSource(path, patience=patience)
    missing = "" if found or "://" in text else ": there is no such file"
    raise UsageError(
        asked,
        f": expected a device number, a stream or snapshot address, a video file, "
        f"a folder or 'browser', got {name!r}{missing}",
    )


def is_address(text: str) -> bool:
    """True if it is the address of a camera."""
    return "://" in text and parse_address(text).scheme in SCHEMES


class VideoSource:
    """A video file, played once at the speed of a camera.

    Args:
        path: the file.
        paced: at its natural speed; else as fast as it is taken.
        patience: how many of its pictures are taken.
        name: what messages call it, if not by its path.
    """

    def __init__(
        self,
        path: Path,
        *,
        paced: bool = True,
        patience: Patience = PATIENCE,
        name: str = "",
    ) -> None:
        self._every = 1 / patience.a_second
        self._name = name or str(path)
        self._path = path
        self._paced = paced

    def frames(self, stop: threading.Event) -> Iterator[Shot | str]:
        """Yield a few pictures per second of the video's own time."""
        try:
            capture = open_film(self._path, self._name)
        except PictureError as error:
            yield error.message
            return
        rate = capture.get(cv2.CAP_PROP_FPS) or USUAL_RATE
        number, due, shown = 0, 0.0, 0
        began = time.monotonic()
        try:
            while not stop.is_set() and capture.grab():
                at = number / rate
                number += 1
                if at + 0.5 / rate < due:
                    continue
                due += self._every
                if self._paced and stop.wait(max(0.0, began + at - time.monotonic())):
                    return
                picture = grabbed(capture, self._name)
                if picture is not None:
                    shown += 1
                    yield Shot(picture, at)
        except PictureError as error:
            yield error.message
            return
        finally:
            capture.release()
        if not shown and not stop.is_set():
            yield f"{self._name} breaks off before its first picture"


class FolderSource:
    """A folder of photographs, which may still be filled."""

    def __init__(self, folder: Path, patience: Patience = PATIENCE) -> None:
        self._patience = patience
        self._folder = folder

    def frames(self, stop: threading.Event) -> Iterator[Shot | str]:
        """Yield every picture once in natural order, then those that are added."""
        seen: set[str] = set()
        away = False
        while not stop.is_set():
            try:
                new = [p for p in self._folder.iterdir() if self._is_new(p, seen)]
            except OSError as error:
                if not away:
                    yield f"the folder {self._folder} cannot be read: {error.strerror}"
                away, new = True, []
            else:
                away = False
            for path in sorted(new, key=lambda p: natural_key(p.name)):
                try:
                    data = read_plain(path, LIMITS.most_bytes)
                except OSError as error:
                    yield f"{path.name} cannot be read: {error.strerror}"
                    data = b""
                except FileRefused as error:
                    yield str(error)
                    data = b""
                seen.add(path.name)
                if data:
                    yield Shot(data, still=True)
                if stop.is_set():
                    return
            stop.wait(self._patience.again)

    def _is_new(self, path: Path, seen: set[str]) -> bool:
        if path.name in seen or path.suffix.lower() not in PICTURE_SUFFIXES:
            return False
        written = path.stat()
        return written.st_size > 0 and time.time() - written.st_mtime > 2 * self._patience.again
