"""Reads all photographs of a game; where one fails, those of the same camera help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from kibitz.app.common.terminal import show_progress
from kibitz.app.reading.pictures import (
    REFUSED,
    FileReading,
    PathProblem,
    ReadsPictures,
    read_picture,
)
from kibitz.engine.phrases import phrase
from kibitz.vision.frame import PictureError
from kibitz.vision.request import ReadRequest
from kibitz.vision.stream.steady import STEADY, Corners, off_by, steady_corners

ReadsFiles = Callable[
    [str | PathProblem, ReadsPictures, ReadRequest, tuple[Any, ...]], FileReading
]


def photo_readings(
    sources: Sequence[str | PathProblem],
    reader: ReadsPictures,
    request: ReadRequest,
    read: ReadsFiles,
    progress: Callable[[str], None] = show_progress,
) -> Iterator[FileReading]:
    """Read every photograph of a game in order; the pictures themselves are not kept.

    Where the camera stood still, photographs whose board was found somewhere else, or not at
    all, are looked at once more where the board lies in the others.
    """
    from kibitz.app.observers.panel_places import is_in_parts

    found = []
    for number, source in enumerate(sources):
        if number and number % 10 == 0:
            progress(
                phrase("reading photograph {number} of {all}", number=number + 1, all=len(sources))
            )
        found.append(replace(read(source, reader, request, ()), picture=None))
    parts = request.part or any(f.reading is not None and is_in_parts(f.reading) for f in found)
    if request.corners is None and request.squares != "loose" and not parts:
        found = _looked_at_again(sources, found, reader, request, read)
    yield from found


def _looked_at_again(
    sources: Sequence[str | PathProblem],
    found: list[FileReading],
    reader: ReadsPictures,
    request: ReadRequest,
    read: ReadsFiles,
) -> list[FileReading]:
    from kibitz.calibration.board_finder import FINDER

    corners = steady_corners([f.reading for f in found])
    if corners is None:
        return found
    read_boards = [f.reading for f in found if f.reading is not None and f.reading.boards]
    hint = hint_of(FileReading("", min(read_boards, key=lambda r: off_by(corners, r))))
    out = []
    for source, first in zip(sources, found, strict=True):
        out.append(first)
        if not _doubtful(first, corners):
            continue
        again = read(source, reader, request, hint)
        if again.reading is None or off_by(corners, again.reading) > STEADY.same_place_squares:
            continue
        if _fit(again) >= _fit(first) - FINDER.doubted:
            out[-1] = replace(again, picture=None)
    return out


def _doubtful(found: FileReading, corners: Corners) -> bool:
    """True if the board was found at another place than in most pictures, or not at all."""
    if found.reading is None:
        return found.code in REFUSED
    single = len(found.reading.boards) == 1
    return not single or off_by(corners, found.reading) > STEADY.same_place_squares


def _fit(found: FileReading) -> float:
    return min((b.quality for b in found.reading.boards), default=0.0) if found.reading else 0.0


def video_readings(
    source: str, reader: ReadsPictures, request: ReadRequest
) -> Iterable[FileReading]:
    """Read the settled positions of a video; movement beside the board is ignored."""
    from kibitz.app.cameras.settling import REST, board_mask, seen_in, side_for
    from kibitz.vision.stream.stillness import StillWatch
    from kibitz.vision.stream.video import VideoPicture, settled_pictures, video_pictures

    hint: tuple[Any, ...] = ()
    watch, side, last = StillWatch(), side_for(request.squares), None

    def pictures() -> Iterator[VideoPicture]:
        """Yield pictures to read; before a board is found also while things move."""
        due = 0.0
        for item in video_pictures(source):
            if watch.where is None and request.squares != "loose" and item.at_s >= due:
                due = item.at_s + REST.search_s
                found = read_picture(item.name, item.picture, reader, request, ())
                if found.reading is not None:
                    watch.where = board_mask(found.reading, side)
            yield item

    try:
        for item, first in settled_pictures(pictures(), watch, side):
            found = read_picture(item.name, item.picture, reader, request, hint)
            if found.reading is None:
                if first:
                    yield found
                continue
            hint = hint_of(found) or hint
            watch.where = board_mask(found.reading, side)
            seen = seen_in(found.reading)
            if first or seen != last:  # a position that rests on is read again, not told again
                last = seen
                yield found
    except PictureError as error:
        yield FileReading(source, code=error.code, message=error.message)


def hint_of(found: FileReading) -> tuple[Any, ...]:
    """Places of the boards, where a fixed camera will find them in the next picture."""
    if found.reading is None or not found.reading.boards:
        return ()
    from kibitz.calibration.board_geometry import geometry_from_corners

    reading = found.reading
    return tuple(
        geometry_from_corners(b.corners_px, b.size, reading.width, reading.height)
        for b in reading.boards
    )
