"""`kibitz.calibrate` and `kibitz.teach`: find a table's board, and learn its tiles."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from kibitz.app.common.addresses import shown_source
from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.files import PathLike, write_private
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.common.terminal import silent
from kibitz.app.face.reading import CornersLike, corners_text
from kibitz.app.reading.pictures import PathProblem, expand
from kibitz.app.reading.profile import OPPOSITE, parse_seats, profile_path
from kibitz.app.reading.request import parse_corners, parse_squares, parse_top
from kibitz.app.reading.teaching import order_of, rows_of, write_taught
from kibitz.engine.rules import JsonValue
from kibitz.engine.table import SIDE
from kibitz.vision.request import Corners, ReadRequest, Squares

if TYPE_CHECKING:
    from kibitz.calibration.board_geometry import BoardGeometry
    from kibitz.vision.frame import Picture

USUAL_TABLE: Final = "table"
"""Name under which a table's place is kept where nobody gives one."""


class ProfileBoard(TypedDict):
    """A board in a camera's profile: corners in pixels, row A first, and its quality."""

    size: int
    corners_px: list[list[float]]
    summary: str
    advice: list[str]
    view: dict[str, JsonValue]


class ProfileLine(TypedDict):
    """A camera's profile as JSON."""

    format: int
    table: str
    source: str | None
    picture: str
    width: int
    height: int
    top: str | None
    seats: dict[str, str]
    boards: list[ProfileBoard]


@dataclass(frozen=True, slots=True)
class CalibratedBoard:
    """A board found by calibration.

    Attributes:
        size: squares along one side.
        corners: the playing area's outer corners in pixels, row A first.
        summary: how good the view is, in a sentence.
        advice: what to do about light, sharpness and framing; nothing where all is well.
        view: the measures of the view by their names, as `smallest_square_px` and `tilt_deg`.
    """

    size: int
    corners: tuple[tuple[float, float], ...]
    summary: str
    advice: tuple[str, ...]
    view: Mapping[str, JsonValue] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Result of `calibrate`; give it to other calls as `calibration`.

    Attributes:
        table: the name that it is kept under.
        file: the file that it is kept in.
        boards: from left to right, then from top to bottom; none among loose tiles.
        line: the same as `kibitz calibrate --json` prints it, without `kept`.
    """

    table: str
    file: Path
    boards: tuple[CalibratedBoard, ...]
    line: ProfileLine = field(repr=False)

    @property
    def advice(self) -> tuple[str, ...]:
        """Advice about the view, over all boards."""
        return tuple(text for board in self.boards for text in board.advice)

    def to_json(self) -> dict[str, JsonValue]:
        """The line of `kibitz calibrate --json`."""
        return {**deepcopy(self.line), "kept": str(self.file)}


def calibrate(
    source: int | PathLike,
    table: str = USUAL_TABLE,
    *,
    squares: Squares | str | None = None,
    game: str | None = None,
    seats: str | Mapping[str, str] | None = None,
    corners: CornersLike | None = None,
    top: str | None = None,
    data: str | None = None,
    models: PathLike | None = None,
    progress: Callable[[str], None] = silent,
) -> Calibration:
    """Find a table's board, keep its place in a profile, and judge the camera's view.

    Args:
        source: a camera's number, a stream's or snapshot's address, a picture, a film, or a
            folder, of which the first picture is taken.
        table: the name to keep it under; `calibration` of `read`, `replay` and `watch` takes it.
        squares: 15 or 45 squares a side, or `loose`; without it as the game has it, else 15.
        game: the game that is played, instead of `squares`.
        seats: who sits at which edge of the picture, as `{"Ann": "bottom", "Bob": "top"}`; the
            first plays as South.
        corners: the board's four outer corners in pixels, row A first, where they are known.
        top: the picture's edge that row A is nearest to: `top right bottom left`.
        data: where it is kept.
        models: a folder with other model weights.
        progress: is told, in words, that printed markers were found.

    Raises:
        UsageError: an argument is not one of those that are taken.
        CommandError: the source gives no picture, it shows no board, or nothing can be kept.
    """
    wanted = parse_squares(None if squares is None else str(squares), game)
    where, edge = parse_corners(corners_text(corners)), parse_top(top)
    seated = parse_seats(_seats_text(seats))
    if edge is None and seated:
        # the first player named sits at row O, so that row A is across
        edge = OPPOSITE[next(iter(seated.values()))]
    named = str(source) if isinstance(source, int) else os.fspath(source)
    picture, name = _picture(named)
    if where is None:
        request = ReadRequest(wanted, top=edge)
        places = _found(picture, name, request, None if models is None else Path(models), progress)
    else:
        places = [_placed(picture, where, wanted if isinstance(wanted, int) else SIDE)]
    height, width = picture.shape[:2]
    profile: ProfileLine = {
        "format": 1,
        "table": table,
        "source": shown_source(named),
        "picture": name,
        "width": width,
        "height": height,
        "top": edge,
        "seats": dict(seated),
        "boards": [_judged(picture, place) for place in places],
    }
    path = profile_path(table, data)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_private(path, json.dumps(profile, indent=1))
    except OSError as error:
        raise CommandError(f"cannot keep the calibration in {path}: {error.strerror}") from error
    return Calibration(table, path, tuple(map(_board, profile["boards"])), profile)


def _seats_text(seats: str | Mapping[str, str] | None) -> str | None:
    """Seats in the command line's form."""
    if seats is None or isinstance(seats, str):
        return seats
    return ",".join(f"{player}={edge}" for player, edge in seats.items())


def _board(line: ProfileBoard) -> CalibratedBoard:
    return CalibratedBoard(
        line["size"],
        tuple((x, y) for x, y in line["corners_px"]),
        line["summary"],
        tuple(line["advice"]),
        line["view"],
    )


def _picture(source: str) -> tuple[Picture, str]:
    """One picture of the source; a live camera gets a moment to adjust its exposure."""
    import threading

    from kibitz.app.cameras.reopening import LiveSource
    from kibitz.app.cameras.sources import open_source
    from kibitz.vision.frame import PICTURE_SUFFIXES, PictureError, decode_picture, load_picture

    try:
        if Path(source).suffix.lower() in PICTURE_SUFFIXES and "://" not in source:
            return load_picture(source)[0], source
        first = next(iter(expand([source]))) if Path(source).is_dir() else source
        if isinstance(first, PathProblem):
            raise CommandError(f"{first.message}; put one there first")
        camera = open_source(source, asked="calibrate")
        if camera is None:
            raise UsageError("calibrate: a browser's camera is calibrated on its own page")
        stop = threading.Event()
        skip = 5 if isinstance(camera, LiveSource) else 0
        for number, item in enumerate(camera.frames(stop)):
            if isinstance(item, str):
                # a server would open it again; here one try is all
                raise CommandError(item.partition("; trying again")[0])
            if number >= skip:
                stop.set()
                data = item.data
                shown = decode_picture(data, source) if isinstance(data, bytes) else data
                return shown, shown_source(source)
    except PictureError as error:
        raise CommandError(error.message) from error
    raise CommandError(f"the source {shown_source(source)!r} gave no picture")


def _placed(picture: Picture, corners: Corners | NDArray[np.float64], size: int) -> BoardGeometry:
    from kibitz.calibration.board_geometry import geometry_from_corners

    height, width = picture.shape[:2]
    return geometry_from_corners(np.array(corners, dtype=float), size, width, height)


def _found(
    picture: Picture,
    name: str,
    request: ReadRequest,
    models: Path | None,
    progress: Callable[[str], None],
) -> list[BoardGeometry]:
    """Boards of a picture, by printed markers or by their own looks."""
    from kibitz.app.reading.pictures import make_reader, read_picture
    from kibitz.calibration.markers import find_markers

    size = request.squares if isinstance(request.squares, int) else SIDE
    marked = find_markers(picture, size)
    if marked is not None:
        progress("the printed markers were found")
        return [marked]
    found = read_picture(name, picture, make_reader(models), request)
    if found.reading is None:
        raise CommandError(
            f"{name}: {found.message}; give the corners by hand with ",
            Option("corners"),
            ", or print markers with 'kibitz calibrate --print-markers'",
        )
    return [
        replace(_placed(picture, b.corners_px, b.size), quality=float(b.quality))
        for b in found.reading.boards
    ]


def _judged(picture: Picture, board: BoardGeometry) -> ProfileBoard:
    from kibitz.calibration.quality import advice, judge_view, summary

    seen = judge_view(picture, board)
    return {
        "size": board.size,
        "corners_px": [[round(float(x), 1), round(float(y), 1)] for x, y in board.corners_px],
        "summary": summary(seen),
        "advice": list(advice(seen)),
        "view": asdict(seen),
    }


class TaughtLine(TypedDict):
    """Taught tiles in JSON: their file, tile set and letters."""

    kept: str
    tiles: str
    labels: list[str]


@dataclass(frozen=True, slots=True)
class TaughtTiles:
    """Result of `teach`.

    Attributes:
        file: where that is kept; `profile` of `read`, `replay` and `watch` takes it.
        tiles: the tile set.
        labels: the letters that were taught, the blank `?` last.
    """

    file: Path
    tiles: str
    labels: tuple[str, ...]

    def to_json(self) -> TaughtLine:
        """The line of `kibitz calibrate --teach --json`."""
        return {"kept": str(self.file), "tiles": self.tiles, "labels": list(self.labels)}


def teach(
    pictures: PathLike | Iterable[PathLike],
    out: PathLike,
    *,
    tiles: str = "en",
    order: str | None = None,
    squares: Squares | str | None = None,
    game: str | None = None,
    corners: CornersLike | None = None,
    top: str | None = None,
    models: PathLike | None = None,
    progress: Callable[[str], None] = silent,
) -> TaughtTiles:
    """Learn the look of tiles that lie on a board row by row, and keep it in a file.

    Args:
        pictures: a photograph, or several of the same tiles laid out alike.
        out: the file to keep it in.
        tiles: the tile set: `en de fr ro pl fi` and more, or a file.
        order: what lies there row by row, `?` a blank; without it the set's letters, then a blank.
        squares: 15 or another number of squares a side; without it as the game has it, else 15.
        game: the game that is played, instead of `squares`.
        corners: the board's four outer corners in pixels, row A first, where they are known.
        top: the picture's edge that row A is nearest to; without it the upper one.
        models: a folder with other model weights.
        progress: is told, in words, what the tiles are taken for, row by row.

    Raises:
        UsageError: an argument is not one of those that are taken.
        CommandError: a picture cannot be read, other tiles lie there, or nothing can be kept.
    """
    names = [pictures] if isinstance(pictures, (str, os.PathLike)) else pictures
    from kibitz.models.session import ModelFileInvalid
    from kibitz.vision.frame import PictureError, load_picture
    from kibitz.vision.pipeline import BoardNotFound, Reader, WrongCount

    names = [pictures] if isinstance(pictures, (str, os.PathLike)) else list(pictures)
    wanted = parse_squares(None if squares is None else str(squares), game)
    where, edge = parse_corners(corners_text(corners)), parse_top(top)
    weights = None if models is None else Path(models)
    try:
        laid = order_of(tiles, order)
    except ValueError as error:
        raise UsageError(Option("order"), f": {error}") from error
    rows = [f"  {row}" for row in rows_of(laid, load_tile_set(tiles).prints)]
    progress("Row by row, from left to right, the tiles are taken for")
    for row in rows:
        progress(row)
    try:
        reader = Reader(weights)
        shown = [load_picture(os.fspath(name))[0] for name in names]
        request = ReadRequest(wanted, corners=where, top=edge or "top")
        taught = reader.learn(shown, request, laid)
    except WrongCount as error:
        raise CommandError(
            f"{os.fspath(names[error.picture])}: expected {error.expected} tiles on the board, "
            f"found {sum(error.rows)} in rows of {' '.join(map(str, error.rows)) or 'none'}; lay "
            "each once, upright, from left to right in rows of any length: "
            f"{' '.join(x.strip() for x in rows)}; or say with ",
            Option("order"),
            " what lies there (? is a blank)",
        ) from error
    except (PictureError, BoardNotFound, ModelFileInvalid) as error:
        raise CommandError(Option("teach"), f": {error}") from error
    write_taught(Path(out), taught, tiles, weights)
    return TaughtTiles(Path(out), tiles, taught.labels)
