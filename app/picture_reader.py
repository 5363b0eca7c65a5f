"""One picture file to one reading or one error, the same for every command."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from app.errors import CommandError
from app.picture_paths import PathProblem
from app.read_options import Look
from app.reading_json import error_json, reading_json
from vision.frame import Picture, PictureError, load_picture
from vision.readings import PhotoReading


class ReadsPictures(Protocol):
    """What a reader does; the real one is `vision.pipeline.Reader`."""

    def read(self, picture: Picture, request: Any) -> PhotoReading:
        """All that a picture shows."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class FileReading:
    """What came of one file: a reading with its picture, or an error code with a message."""

    file: str
    reading: PhotoReading | None = None
    picture: Picture | None = None
    decode_ms: float = 0.0
    code: str = ""
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        """The line of `kibitz read --json`."""
        if self.reading is None:
            return error_json(self.file, self.code, self.message)
        return reading_json(self.file, self.reading, self.decode_ms)


def make_reader(models: Path | None = None) -> ReadsPictures:
    """The reader with its models loaded; imports the vision libraries only now.

    Raises:
        CommandError: a model is missing or damaged.
    """
    from models.session import ModelFileInvalid
    from vision.pipeline import Reader
    from vision.series import SeriesReader

    try:
        return SeriesReader(Reader(models))
    except ModelFileInvalid as error:
        raise CommandError(str(error)) from error


def read_file(
    source: str | PathProblem, reader: ReadsPictures, look: Look, hint: tuple[Any, ...] = ()
) -> FileReading:
    """Read one file; whatever is wrong with it becomes the error of its line."""
    if isinstance(source, PathProblem):
        return FileReading(source.path, code=source.code, message=source.message)
    try:
        picture, decode_ms = load_picture(source)
    except PictureError as error:
        return FileReading(source, code=error.code, message=error.message)
    return read_picture(source, picture, reader, look, hint, decode_ms)


def read_picture(
    name: str,
    picture: Picture,
    reader: ReadsPictures,
    look: Look,
    hint: tuple[Any, ...] = (),
    decode_ms: float = 0.0,
) -> FileReading:
    """Read a picture that is open already; a board that is not found becomes an error."""
    import numpy as np

    from vision.pipeline import BoardNotFound, ReadRequest

    request = ReadRequest(
        squares=look.squares,
        letters=look.letters,
        corners=None if look.corners is None else np.array(look.corners, dtype=float),
        top=look.top,
        hint=hint,
        part=look.part,
    )
    try:
        reading = reader.read(picture, request)
    except BoardNotFound as error:
        message = str(error)
        return FileReading(name, None, picture, decode_ms, "board_not_found", message)
    return FileReading(name, reading, picture, decode_ms)
