"""Reads a picture file into one reading or one error, the same for every command."""

from __future__ import annotations

import glob
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.reading.refusals import refusal_of
from kibitz.app.reading.results import Reading, reading_of
from kibitz.vision.frame import (
    PICTURE_SUFFIXES,
    VIDEO_SUFFIXES,
    Picture,
    PictureError,
    decode_picture,
    load_picture,
)
from kibitz.vision.readings import COVERED_KIND, PhotoReading
from kibitz.vision.request import Corners, ReadRequest

if TYPE_CHECKING:
    from kibitz.calibration.board_geometry import Pyramid
    from kibitz.vision.boards.letters.taught import Taught
    from kibitz.vision.pipeline import Reader


UNSEEN = frozenset({"board_not_found", "too_blurred", "too_dark"})
"""Codes of pictures in which no board is found."""
REFUSED = UNSEEN | {"board_cut_off", "other_size", "other_script"}
"""Codes of pictures that show no board, or none that can be read; another picture may."""


@dataclass(frozen=True, slots=True, eq=False)
class GivenPicture:
    """A picture given by a program: a file's bytes, or (h, w, 3) uint8 BGR pixels."""

    name: str
    data: bytes | Picture


@dataclass(frozen=True, slots=True)
class PathProblem:
    """A path on the command line that leads to no picture."""

    path: str
    code: str
    message: str


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that puts `image-2` before `image-10`, and `board-00` before `board-00a`."""
    parts = re.findall(r"\d+|\D+", name.casefold())
    return tuple((0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts)


def expand(paths: Iterable[str]) -> list[str | PathProblem]:
    """All pictures of the given paths in order; folders in natural order.

    A video inside a folder is listed too, so that it gets its own line; other files that are
    no pictures (truth files, notes) are passed over. A file that is named itself is always
    listed, whatever it is.
    """
    out: list[str | PathProblem] = []
    for path in paths:
        if not path:
            # what an unset variable of a shell gives; the folder one is in was not meant
            message = "a name is empty; expected a file, a folder or a pattern"
            out.append(PathProblem(path, "file_not_found", message))
        elif Path(path).is_dir():
            out += _folder(path)
        elif _is_pattern(path) and not Path(path).exists():
            matches = sorted(_matches(path), key=natural_key)
            if not matches:
                out.append(PathProblem(path, "file_not_found", f"no file matches {path!r}"))
            for match in matches:
                out += _folder(match) if Path(match).is_dir() else [match]
        else:
            out.append(path)
    return out


def _matches(pattern: str) -> list[str]:
    found = glob.glob(pattern, recursive=True)  # noqa: PTH207 - Path.glob refuses absolute patterns
    return [name for name in found if not Path(name).name.startswith(".")]


def _is_pattern(path: str) -> bool:
    return any(char in path for char in "*?[")


def _folder(folder: str) -> list[str | PathProblem]:
    wanted = PICTURE_SUFFIXES | VIDEO_SUFFIXES
    try:
        names = [
            entry.name
            for entry in Path(folder).iterdir()
            if entry.is_file()
            and entry.suffix.lower() in wanted
            and not entry.name.startswith(".")
        ]
    except OSError as error:
        message = f"the folder {folder} cannot be looked into: {error.strerror}"
        return [PathProblem(folder, "not_readable", message)]
    if not names:
        return [PathProblem(folder, "no_pictures", f"the folder {folder} holds no pictures")]
    return [str(Path(folder) / name) for name in sorted(names, key=natural_key)]


class ReadsPictures(Protocol):
    """Interface of a reader; the real one is `vision.pipeline.Reader`."""

    def read(self, picture: Picture | Pyramid, request: Any) -> PhotoReading:
        """Read everything that a picture shows."""
        ...


class TeachableReader(ReadsPictures, Protocol):
    """A reader that can learn the look of tiles."""

    def learn(self, pictures: Sequence[Picture], request: Any, order: Sequence[str]) -> Taught:
        """Learn the look of tiles that lie on a board row by row, in one or more pictures."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class FileReading:
    """Result of one file: a reading with its picture, or an error code with a message.

    A camera's picture, whose view is judged too, is a `Frame`.
    """

    file: str
    reading: PhotoReading | None = None
    picture: Picture | None = None
    decode_ms: float = 0.0
    code: str = ""
    message: str = ""

    def to_reading(self) -> Reading:
        """The reading with names for everything in it."""
        return reading_of(
            self.file,
            self.reading,
            self.decode_ms,
            code=self.code,
            message=self.message,
            advice=self._advice(),
        )

    def _advice(self) -> tuple[str, ...]:
        """Advice about the view, if its quality is low or squares cannot be seen."""
        if self.reading is None or self.picture is None:
            return ()
        from kibitz.app.reading.frames import geometries, judge_frame
        from kibitz.calibration.quality import is_low

        hidden = any((b.told == COVERED_KIND).any() for b in self.reading.boards)
        if not hidden and not any(map(is_low, geometries(self.reading))):
            return ()
        from kibitz.calibration.board_geometry import Pyramid

        return judge_frame(Pyramid(self.picture), self.reading)[0]


def make_reader(models: Path | None = None) -> TeachableReader:
    """Load the models into a reader; the vision libraries are imported only now.

    Raises:
        CommandError: a model is missing or damaged.
    """
    from kibitz.vision.stream.series import SeriesReader

    return SeriesReader(_load(models))


def reader_of_game(models: Path | None = None) -> ReadsPictures:
    """A new reader for one game; its models are loaded once a process.

    What one game shows must not depend on which was read before it.

    Raises:
        CommandError: a model is missing or damaged.
    """
    from kibitz.vision.stream.series import SeriesReader

    return SeriesReader(_loaded_once(models))


def _load(models: Path | None) -> Reader:
    from kibitz.models.session import ModelFileInvalid
    from kibitz.vision.pipeline import Reader

    try:
        return Reader(models)
    except ModelFileInvalid as error:
        raise CommandError(str(error)) from error


@lru_cache(maxsize=2)
def _loaded_once(models: Path | None) -> Reader:
    return _load(models)


def read_file(
    source: str | PathProblem | GivenPicture,
    reader: ReadsPictures,
    request: ReadRequest,
    hint: tuple[Any, ...] = (),
) -> FileReading:
    """Read one file; any fault becomes the error of its line."""
    if isinstance(source, PathProblem):
        return FileReading(source.path, code=source.code, message=source.message)
    if isinstance(source, GivenPicture):
        return _read_given(source, reader, request)
    try:
        picture, decode_ms = load_picture(source)
        return read_picture(source, picture, reader, request, hint, decode_ms)
    except PictureError as error:
        return FileReading(source, code=error.code, message=error.message)
    except Exception as error:
        if isinstance(error, _lasting()):
            raise
        # one bad file never loses the rest
        message = f"{source} breaks the reading ({type(error).__name__}: {error})"
        return FileReading(source, code="not_readable", message=message)


def _lasting() -> tuple[type[Exception], ...]:
    """Errors that the next photograph would run into too."""
    from kibitz.models.session import ModelFileInvalid

    return CommandError, UsageError, ModelFileInvalid


def _read_given(given: GivenPicture, reader: ReadsPictures, request: ReadRequest) -> FileReading:
    if not isinstance(given.data, bytes):
        return read_picture(given.name, given.data, reader, request)
    began = time.perf_counter()
    try:
        picture = decode_picture(given.data, given.name)
    except PictureError as error:
        return FileReading(given.name, code=error.code, message=error.message)
    took = (time.perf_counter() - began) * 1000
    return read_picture(given.name, picture, reader, request, decode_ms=took)


def read_picture(
    name: str,
    picture: Picture,
    reader: ReadsPictures,
    request: ReadRequest,
    hint: tuple[Any, ...] = (),
    decode_ms: float = 0.0,
) -> FileReading:
    """Read an opened picture; a board that is not found becomes an error."""
    from kibitz.calibration.board_geometry import Pyramid
    from kibitz.vision.pipeline import BoardNotFound

    if request.corners is not None and not _holds_middle(request.corners, picture):
        height, width = picture.shape[:2]
        message = f"the corners given lie outside the picture, which has {width} x {height} pixels"
        return FileReading(name, None, picture, decode_ms, "board_not_found", message)
    try:
        reading = reader.read(picture, replace(request, hint=hint))
    except BoardNotFound as error:
        why = refusal_of(error, Pyramid(picture))
        return FileReading(name, None, picture, decode_ms, why.code, why.message)
    return FileReading(name, reading, picture, decode_ms)


def _holds_middle(corners: Corners, picture: Picture) -> bool:
    """True if the middle of a board with these corners lies in the picture."""
    height, width = picture.shape[:2]
    x, y = (sum(values) / len(corners) for values in zip(*corners, strict=True))
    return bool(0 <= x < width and 0 <= y < height)
