"""One picture file to one reading or one error, the same for every command."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from app.errors import CommandError
from app.picture_paths import PathProblem
from app.read_options import Corners, Look
from app.reading_json import error_json, reading_json
from vision.frame import Picture, PictureError, load_picture
from vision.readings import PhotoReading

if TYPE_CHECKING:
    from calibration.board_geometry import Pyramid


class ReadsPictures(Protocol):
    """What a reader does; the real one is `vision.pipeline.Reader`."""

    def read(self, picture: Picture | Pyramid, request: Any) -> PhotoReading:
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

    if look.corners is not None and not _holds_middle(look.corners, picture):
        height, width = picture.shape[:2]
        message = f"the corners given lie outside the picture, which has {width} x {height} pixels"
        return FileReading(name, None, picture, decode_ms, "board_not_found", message)
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


def _holds_middle(corners: Corners, picture: Picture) -> bool:
    """Whether the middle of a board whose corners are given lies in the picture."""
    height, width = picture.shape[:2]
    x, y = (sum(values) / len(corners) for values in zip(*corners, strict=True))
    return bool(0 <= x < width and 0 <= y < height)
