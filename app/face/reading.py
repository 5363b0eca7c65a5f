"""`kibitz.read` and `kibitz.read_all`: read pictures of boards and loose tiles."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from kibitz.app.common.errors import (
    CommandError,
    Option,
    PictureUnreadable,
    UsageError,
)
from kibitz.app.common.files import PathLike
from kibitz.app.common.materials.named import letters_for, teach_note
from kibitz.app.common.terminal import silent
from kibitz.app.reading.pictures import (
    FileReading,
    GivenPicture,
    PathProblem,
    ReadsPictures,
    expand,
    make_reader,
    read_file,
)
from kibitz.app.reading.request import ON_SINGLE_BOARDS, parse_corners, parse_squares, parse_top
from kibitz.app.reading.results import Reading
from kibitz.engine.table import JOINED_SIDE
from kibitz.vision.frame import Picture
from kibitz.vision.request import ReadRequest, Squares

if TYPE_CHECKING:
    from kibitz.app.observers.panels import PanelOrder

CornersLike: TypeAlias = str | Sequence[Sequence[float]]
Source: TypeAlias = str | PathProblem | GivenPicture

USUAL_TILES = "en"
"""The tile set that is read by where none is told."""
GIVEN_NAME = "picture"
"""Name of a picture that came without a file."""


def read(
    picture: PathLike | bytes | Picture,
    tiles: str | None = None,
    squares: Squares | str | None = None,
    *,
    game: str | None = None,
    corners: CornersLike | None = None,
    top: str | None = None,
    profile: PathLike | None = None,
    calibration: str | None = None,
    data: str | None = None,
    models: PathLike | None = None,
) -> Reading:
    """Read one photograph of boards or loose tiles.

    Args:
        picture: a file, the bytes of one (JPEG, PNG, WebP ...), or (h, w, 3) uint8 BGR pixels.
        tiles: the tile set: `en de fr ro pl fi` and more, or a file; without it `en`, and tiles of
            another script than Latin are read by a set of theirs.
        squares: 15 or 45 squares a side, or `loose`; without it as the game has it, else 15.
        game: the game that is played, instead of `squares`.
        corners: the board's four outer corners in pixels, row A first, where they are known.
        top: the picture's edge that row A is nearest to: `top right bottom left`.
        profile: what `kibitz calibrate --teach` kept of tiles whose look was taught.
        calibration: the name under which `kibitz calibrate` kept the table.
        data: where that is kept.
        models: a folder with other model weights.

    Raises:
        PictureUnreadable: it is no picture, or shows no board; `code` and `message` say why.
        UsageError: an argument is not one of those that are taken.
    """
    request = request_for(squares, game, tiles, corners, top, profile, models)
    request = placed(request, calibration, data)
    source, kept = _source_of(picture)
    reader = _kept_reader(None if models is None else os.fspath(models))
    found = next(_one_by_one([source], reader, request))
    if found.error is not None:
        raise PictureUnreadable(found.file, found.error.code, found.error.message)
    return found if kept is None else found.with_picture(kept)


def read_all(
    pictures: PathLike | Iterable[PathLike],
    tiles: str | None = None,
    squares: Squares | str | None = None,
    *,
    game: str | None = None,
    corners: CornersLike | None = None,
    top: str | None = None,
    panel: str | None = None,
    profile: PathLike | None = None,
    calibration: str | None = None,
    data: str | None = None,
    overlay: PathLike | None = None,
    workers: int = 1,
    cluster: str | None = None,
    models: PathLike | None = None,
    progress: Callable[[str], None] = silent,
) -> Iterator[Reading]:
    """Read many photographs in order; one that cannot be read has an `error`.

    Args:
        pictures: files, folders (in natural order) and patterns as `photos/*.jpg`.
        tiles: the tile set, as `read` takes it.
        squares: what to look for, as `read` takes it.
        game: the game that is played, instead of `squares`.
        corners: the board's corners in every photograph.
        top: the edge of every photograph that row A is nearest to.
        panel: which of nine joined boards each photograph shows, as `1-9` or `2,5,8`; `auto`:
            the photographs themselves tell. They are put together into one reading.
        profile: what `kibitz calibrate --teach` kept of tiles whose look was taught.
        calibration: the name under which `kibitz calibrate` kept the table.
        data: where that is kept.
        overlay: a folder for the pictures with what was read drawn on them.
        workers: how many processes share the work.
        cluster: the address of a Dask scheduler whose machines share it.
        models: a folder with other model weights.
        progress: is told, in words, how far the work has come.

    Raises:
        UsageError: an argument is not one of those that are taken; before anything is read.
        CommandError: an overlay cannot be written, or the scheduler does not answer.
    """
    request = request_for(squares, game, tiles, corners, top, profile, models)
    request = placed(request, calibration, data)
    names = [pictures] if isinstance(pictures, (str, os.PathLike)) else pictures
    sources = expand(os.fspath(name) for name in names)
    if request.corners is not None and len(sources) > 1:
        progress("the same corners are used for every photograph")
    if profile is None and tiles is not None and (note := teach_note(tiles)) is not None:
        progress(note)
    folder = None if overlay is None else _ready_folder(Path(overlay))
    order = None
    if panel is not None:
        from kibitz.app.observers.panels import parse_panels

        order = parse_panels(panel)
        if request.squares == "loose":
            raise UsageError(Option("panel"), ": there are no boards among loose tiles")
    job = _Job(request, folder, None if models is None else Path(models), _alike(sources, folder))
    return _read_all(job, sources, order, workers, cluster, progress)


def request_for(
    squares: Squares | str | None,
    game: str | None,
    tiles: str | None,
    corners: CornersLike | None,
    top: str | None,
    profile: PathLike | None = None,
    models: PathLike | None = None,
) -> ReadRequest:
    """Request for reading pictures, from the arguments of a call.

    Raises:
        UsageError: one of them is not what is taken.
    """
    wanted = parse_squares(None if squares is None else str(squares), game)
    where, edge = parse_corners(corners_text(corners)), parse_top(top)
    if profile is None:
        letters = letters_for(tiles or USUAL_TILES)
        return ReadRequest(wanted, letters, where, edge, told=tiles is not None)
    if wanted in (JOINED_SIDE, "loose"):
        raise UsageError(*ON_SINGLE_BOARDS)
    from kibitz.app.reading.teaching import load_taught

    taught = load_taught(os.fspath(profile), None if models is None else Path(models))
    return ReadRequest(wanted, corners=where, top=edge, taught=taught)


def corners_text(corners: CornersLike | None) -> str | None:
    """Corners in the command line's form.

    Raises:
        UsageError: they are no pairs of numbers.
    """
    if corners is None or isinstance(corners, str):
        return corners
    try:
        return ",".join(repr(float(value)) for point in corners for value in point)
    except (TypeError, ValueError) as error:
        raise UsageError(
            Option("corners"), f": expected four pairs of x and y, got {corners!r}"
        ) from error


def placed(request: ReadRequest, calibration: str | None, data: str | None) -> ReadRequest:
    """The request with a table's calibration applied.

    Raises:
        UsageError: nothing is kept under this name.
    """
    if calibration is None:
        return request
    from kibitz.app.reading.profile import load_profile

    return load_profile(calibration, data).placed(request)


def _source_of(picture: PathLike | bytes | Picture) -> tuple[Source, Picture | bytes | None]:
    """The source to read, and the picture to keep for drawing later.

    Raises:
        UsageError: it is nothing that can be a picture.
    """
    if isinstance(picture, (str, os.PathLike)):
        return os.fspath(picture), None
    if isinstance(picture, (bytes, bytearray, memoryview)):
        data = bytes(picture)
        return GivenPicture(GIVEN_NAME, data), data
    if isinstance(picture, np.ndarray):
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
            raise UsageError(
                "picture: expected pixels of shape (height, width, 3) and type uint8, blue "
                f"first, got {picture.shape} {picture.dtype}"
            )
        pixels = np.ascontiguousarray(picture)
        return GivenPicture(GIVEN_NAME, pixels), pixels
    raise UsageError(
        "picture: expected a file's name, the bytes of a picture file or an array of pixels, "
        f"got {type(picture).__name__}"
    )


@lru_cache(maxsize=2)
def _kept_reader(models: str | None) -> ReadsPictures:
    """A reader whose models are loaded by the first call that needs them."""
    return make_reader(None if models is None else Path(models))


@dataclass(frozen=True, slots=True)
class _Job:
    """Arguments shared by all photographs of a call.

    Attributes:
        request: what to look for.
        overlay: the folder for pictures with what was read on them.
        models: a folder with other weights.
        alike: names without their ends that several photographs have.
    """

    request: ReadRequest
    overlay: Path | None
    models: Path | None
    alike: frozenset[str]


def _read_all(
    job: _Job,
    sources: Sequence[str | PathProblem],
    order: PanelOrder | None,
    workers: int,
    cluster: str | None,
    progress: Callable[[str], None],
) -> Iterator[Reading]:
    if order is not None:
        from kibitz.app.observers.panel_lines import panel_lines

        yield from panel_lines(sources, make_reader(job.models), job.request, order)
    elif cluster is not None:
        yield from _on_cluster(job, sources, cluster)
    elif workers > 1 and len(sources) > 1:
        yield from _in_processes(job, sources, workers)
    else:
        reader = make_reader(job.models)
        yield from _one_by_one(sources, reader, job.request, job, progress)


def _one_by_one(
    sources: Sequence[Source],
    reader: ReadsPictures,
    request: ReadRequest,
    job: _Job | None = None,
    progress: Callable[[str], None] = silent,
) -> Iterator[Reading]:
    if request.squares == JOINED_SIDE and request.corners is None:
        from kibitz.app.observers.panel_lines import lines_of_wide

        for found, reading in lines_of_wide(sources, reader, request):
            yield _with_overlay(found, reading, job)
        return
    for number, source in enumerate(sources):
        if len(sources) > 20 and number % 20 == 0:
            progress(f"{number} of {len(sources)} read")
        yield _read_one(source, reader, request, job)


def _read_one(
    source: Source, reader: ReadsPictures, request: ReadRequest, job: _Job | None = None
) -> Reading:
    """Read one photograph, and write its overlay if the job wants it."""
    found = read_file(source, reader, request)
    return _with_overlay(found, found.to_reading(), job).to_travel()


def _with_overlay(found: FileReading, reading: Reading, job: _Job | None) -> Reading:
    """The reading after its overlay was written, if the job wants one."""
    if job is None or job.overlay is None or found.reading is None:
        return reading
    return replace(reading, overlay_file=str(_write_overlay(found, job.overlay, job.alike)))


def _alike(sources: Sequence[str | PathProblem], folder: Path | None) -> frozenset[str]:
    if folder is None:
        return frozenset()
    stems = Counter(Path(s).stem for s in sources if isinstance(s, str))
    return frozenset(stem for stem, count in stems.items() if count > 1)


def _write_overlay(found: FileReading, folder: Path, alike: frozenset[str]) -> Path:
    from kibitz.vision.overlay import save_overlay

    assert found.picture is not None
    assert found.reading is not None
    path = Path(found.file)
    # photographs of the same name from several folders must not overwrite one another
    name = path.stem if path.stem not in alike else "-".join(p.strip("/.") for p in path.parts)
    target = folder / f"{name.strip('-')}.overlay.jpg"
    try:
        save_overlay(found.picture, found.reading, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandError(Option("overlay"), f": cannot write {target}: {reason}") from error
    return target


def _ready_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            Option("overlay"), f": cannot write into {folder}: {error.strerror}"
        ) from error
    return folder


_worker: dict[_Job, ReadsPictures] = {}
"""In a process that shares the work: its reader."""


def _start_worker(job: _Job) -> None:
    """Load the models once in a worker process and keep it to one thread."""
    import cv2

    cv2.setNumThreads(1)
    _worker.clear()
    _worker[job] = make_reader(job.models)


def _read_remote(job: _Job, source: str | PathProblem) -> Reading:
    """Read one photograph in a worker process or on a machine of a cluster."""
    if job not in _worker:
        _start_worker(job)
    return _read_one(source, _worker[job], job.request, job)


def _in_processes(
    job: _Job, sources: Sequence[str | PathProblem], workers: int
) -> Iterator[Reading]:
    import multiprocessing
    from functools import partial

    count = min(workers, len(sources), os.cpu_count() or 1)
    # "spawn": a forked copy of a process that has loaded the inference library may hang
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, context, _start_worker, (job,)) as pool:
        yield from pool.map(
            partial(_read_remote, job), sources, chunksize=4 if len(sources) > 40 else 1
        )


def _on_cluster(
    job: _Job, sources: Iterable[str | PathProblem], cluster: str
) -> Iterator[Reading]:
    try:
        from dask.distributed import Client  # type: ignore[import-not-found, unused-ignore]  # extra
    except ImportError as error:
        raise UsageError(
            Option("cluster"),
            " needs the package 'distributed' here and on every machine of the cluster",
        ) from error
    try:
        client = Client(cluster, timeout="10s")
    except (OSError, TimeoutError) as error:
        raise CommandError(f"no scheduler answers at {cluster}") from error
    with client:
        futures = [client.submit(_read_remote, job, source, pure=False) for source in sources]
        for future in futures:
            yield future.result()
