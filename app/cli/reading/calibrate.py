"""`kibitz calibrate`: where a board lies in the camera's view, and how good that view is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from kibitz.app.cli import options
from kibitz.app.common.addresses import shown_source
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.private_files import write_private
from kibitz.app.common.terminal import print_result, show_progress
from kibitz.app.reading.pictures import PathProblem, expand
from kibitz.app.reading.profile import OPPOSITE, profile_path
from kibitz.engine.rules import JsonValue
from kibitz.engine.table import SIDE
from kibitz.vision.request import Corners, Edge, ReadRequest, Squares

if TYPE_CHECKING:
    from kibitz.calibration.board_geometry import BoardGeometry
    from kibitz.vision.frame import Picture

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def command(
    source: Annotated[
        str | None,
        typer.Argument(metavar="SOURCE", help="Device number, address, file, folder."),
    ] = None,
    *,
    as_json: options.Json = False,
    print_markers: Annotated[
        Path | None,
        typer.Option("--print-markers", metavar="FILE", help="Write corner markers to print."),
    ] = None,
    table: Annotated[str, typer.Option("--table", help="The name to keep it under.")] = "table",
    squares: Annotated[
        str | None,
        typer.Option("--squares", metavar="15|21|...|45|auto|loose", help="What to look for."),
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option(
            "--seats",
            metavar="Ann=bottom,...",
            help="Who sits at which edge of the picture; the first plays as South.",
        ),
    ] = None,
    teach: Annotated[
        list[str] | None,
        typer.Option("--teach", metavar="FILE", help="A picture of tiles whose look is learnt."),
    ] = None,
    tiles: options.Tiles = "en",
    order: Annotated[
        str | None,
        typer.Option("--order", metavar="LETTERS", help="What lies there; ? is a blank."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Keep what was taught here.")
    ] = None,
    game: options.Game = None,
    corners: options.Corners = None,
    top: options.Top = None,
    data: options.Data = None,
    models: options.Models = None,
) -> None:
    """Find and keep where a table's board lies, and say how good the view is.

    Example: kibitz calibrate 0 --table kitchen
    Example: kibitz calibrate --teach tiles.jpg --tiles ru --out ru.json
    """
    from kibitz.app.reading.profile import parse_seats
    from kibitz.app.reading.request import parse_corners, parse_squares, parse_top

    if teach:
        from kibitz.app.cli.reading.teach import TeachJob, run_teach

        if source is not None:
            raise UsageError("calibrate: expected a SOURCE or --teach FILE, got both")
        lesson = TeachJob(
            tuple(teach),
            tiles,
            order,
            out or Path("tiles.json"),
            parse_squares(squares, game),
            parse_corners(corners),
            parse_top(top),
            models,
            as_json=as_json,
        )
        raise typer.Exit(run_teach(lesson))
    job = CalibrateJob(
        source=source,
        table=table,
        squares=parse_squares(squares, game),
        corners=parse_corners(corners),
        top=parse_top(top),
        seats=parse_seats(seats),
        print_markers=print_markers,
        data=data,
        models=models,
        as_json=as_json,
    )
    raise typer.Exit(run_calibrate(job))


@dataclass(frozen=True, slots=True)
class CalibrateJob:
    """What `kibitz calibrate` was asked for."""

    source: str | None
    table: str = "table"
    squares: Squares = SIDE
    corners: Corners | None = None
    top: Edge | None = None
    seats: Mapping[str, Edge] = field(default_factory=dict)
    print_markers: Path | None = None
    data: str | None = None
    models: Path | None = None
    as_json: bool = False


def run_calibrate(job: CalibrateJob) -> int:
    """Find the boards, keep where they lie, and say what to do about the view."""
    if job.print_markers is not None:
        _write_markers(job.print_markers, as_json=job.as_json)
    if job.source is None:
        if job.print_markers is None:
            raise UsageError("calibrate: expected a SOURCE, or --print-markers FILE")
        return 0
    picture, name = _picture(job.source)
    if job.top is None and job.seats:
        # the first player named sits at row O, so that row A is across
        job = replace(job, top=OPPOSITE[next(iter(job.seats.values()))])
    boards = _boards(job, picture, name)
    profile = _profile(job, picture, boards, name)
    path = profile_path(job.table, job.data)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_private(path, json.dumps(profile, indent=1))
    except OSError as error:
        raise CommandError(f"cannot keep the calibration in {path}: {error.strerror}") from error
    if job.as_json:
        print_result(json.dumps({**profile, "kept": str(path)}, ensure_ascii=False))
        return 0
    for player, edge in job.seats.items():
        print_result(f"{player} sits at the picture's {edge} edge")
    for number, board in enumerate(profile["boards"], 1):
        print_result(f"Board {number}: {board['summary']}")
        for line in board["advice"]:
            print_result(f"  {line}")
    if job.squares == "loose":
        print_result("No board is looked for among loose tiles; only who sits where is kept.")
    print_result(f"Kept in {path}")
    return 0


def _write_markers(path: Path, *, as_json: bool) -> None:
    from kibitz.app.cli.printing.marker_page import marker_page
    from kibitz.app.cli.printing.print import write_sheets

    if path.suffix.lower() not in (".pdf", ".png"):
        raise UsageError(f"--print-markers: expected a .pdf or .png file, got {path}")
    write_sheets([marker_page("a4")], "a4", path, "--print-markers")
    if as_json:
        print_result(json.dumps({"markers": str(path)}))
    else:
        print_result(f"Corner markers are in {path}; print them at 100 % on A4.")


def _picture(source: str) -> tuple[Picture, str]:
    """One picture of the source; a live camera gets a moment to find its exposure."""
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


def _boards(job: CalibrateJob, picture: Picture, name: str) -> list[BoardGeometry]:
    from kibitz.calibration.board_geometry import geometry_from_corners
    from kibitz.calibration.markers import find_markers

    height, width = picture.shape[:2]
    size = job.squares if isinstance(job.squares, int) else SIDE
    if job.corners is not None:
        import numpy as np

        return [geometry_from_corners(np.array(job.corners, dtype=float), size, width, height)]
    marked = find_markers(picture, size)
    if marked is not None:
        show_progress("the printed markers were found")
        return [marked]
    from kibitz.app.reading.pictures import make_reader, read_picture

    request = ReadRequest(job.squares, LETTERS, None, job.top)
    found = read_picture(name, picture, make_reader(job.models), request)
    if found.reading is None:
        raise CommandError(
            f"{name}: {found.message}; give the corners by hand with --corners, or print markers "
            "with --print-markers"
        )
    return [
        replace(
            geometry_from_corners(b.corners_px, b.size, width, height), quality=float(b.quality)
        )
        for b in found.reading.boards
    ]


class ProfileBoard(TypedDict):
    """A board in a camera's profile: corners in pixels, row A first, and how well it is seen."""

    size: int
    corners_px: list[list[float]]
    summary: str
    advice: list[str]
    view: dict[str, JsonValue]


class ProfileLine(TypedDict):
    """A camera's profile, as it is kept."""

    format: int
    table: str
    source: str | None
    picture: str
    width: int
    height: int
    top: str | None
    seats: dict[str, str]
    boards: list[ProfileBoard]


def _profile(
    job: CalibrateJob, picture: Picture, boards: list[BoardGeometry], name: str
) -> ProfileLine:
    from kibitz.calibration.quality import advice, judge_view, summary

    height, width = picture.shape[:2]
    out: list[ProfileBoard] = []
    for board in boards:
        view = judge_view(picture, board)
        out.append(
            {
                "size": board.size,
                "corners_px": [
                    [round(float(x), 1), round(float(y), 1)] for x, y in board.corners_px
                ],
                "summary": summary(view),
                "advice": list(advice(view)),
                "view": asdict(view),
            }
        )
    return {
        "format": 1,
        "table": job.table,
        "source": None if job.source is None else shown_source(job.source),
        "picture": name,
        "width": width,
        "height": height,
        "top": job.top,
        "seats": dict(job.seats),
        "boards": out,
    }
