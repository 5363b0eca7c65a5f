"""Reads single pictures from a camera and judges how good its view is."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Required, TypedDict

import cv2
import numpy as np

from kibitz.app.common.limits import LIMITS
from kibitz.app.reading.lines import remarks_on
from kibitz.app.reading.pictures import TeachableReader, make_reader
from kibitz.app.reading.refusals import refusal_of
from kibitz.app.reading.results import reading_of
from kibitz.app.wire.lines import ReadLine
from kibitz.vision.frame import WEB, Picture, PictureError, size_of_picture
from kibitz.vision.readings import COVERED_KIND, GridReading, PhotoReading
from kibitz.vision.request import Corners, ReadRequest
from kibitz.vision.stream.fusing import same_boards

if TYPE_CHECKING:
    from kibitz.calibration.board_finder import BoardNotFound
    from kibitz.calibration.board_geometry import BoardGeometry, Pyramid
    from kibitz.vision.boards.letters.taught import Taught


MOST_UNJUDGED: Final = 4
"""So many frames are not judged again, as light changes slowly."""
KEPT_PX: Final = 1600
"""The longer side of a picture that is kept, or drawn on."""
KEPT_BYTES: Final = 500_000
"""A smaller JPEG is kept as it came."""
QUALITY: Final = 82
"""JPEG quality with which pictures are written."""


class ViewFigures(TypedDict, total=False):
    """Measurements of the camera's view: sizes in pixels, the time in milliseconds.

    `glare` lists where light hides a square: the board's number, row and column.
    """

    boards: int
    loose: int
    square_px: float
    ms: float
    fit: float
    faults: list[str]
    glare: list[list[int]]
    smallest_square_px: float


class Check(TypedDict, total=False):
    """Result of a self-test: whether a part of the program works, and if not, why."""

    ok: Required[bool]
    message: str


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture from a camera with its reading and the quality of the view.

    What comes of a file, which no other follows, is a `FileReading`.

    Attributes:
        jpeg: the picture as it came; empty if it came as pixels.
        pixels: the same, unpacked as far as it was looked at.
        reading: None when nothing could be read.
        code: why not, `board_not_found` for instance.
        message: the same in words.
        advice: what to do about light, sharpness and framing.
        health: the same in figures.
        boards: how many boards this camera's pictures showed at once, at most.
        unjudged: how many frames ago the view was judged; light changes slowly.
    """

    jpeg: bytes
    pixels: Pyramid
    reading: PhotoReading | None = None
    code: str = ""
    message: str = ""
    advice: tuple[str, ...] = ()
    health: ViewFigures = field(default_factory=ViewFigures)
    unjudged: int = 0
    boards: int = 0

    @property
    def picture(self) -> Picture:
        """The whole picture, (h, w, 3) uint8 BGR."""
        return self.pixels.level(0)

    def read_json(self, name: str) -> ReadLine:
        """The reading in the form of `kibitz read --json`."""
        return reading_of(name, self.reading, code=self.code, message=self.message).to_json()


class FrameReader:
    """Reads frames with models that are loaded when the first frame comes.

    Args:
        load: makes the reader of pictures; tests bring their own.
    """

    def __init__(self, load: Callable[[], TeachableReader] | None = None) -> None:
        self._load = load or make_reader
        self._reader: TeachableReader | None = None
        self._lock = threading.Lock()

    def read(
        self,
        data: bytes | Picture,
        request: ReadRequest,
        before: Frame | None = None,
        pixels: Pyramid | None = None,
        which: Collection[int] | None = None,
    ) -> Frame:
        """Decode and read one frame.

        Args:
            data: a JPEG, PNG or WebP file, or pixels.
            request: what to look for; its corners are parts of the picture's width and height.
            before: the frame before it from the same camera; where its board lay is tried first.
            pixels: the file's pixels, where it was unpacked already (see `decode_frame`).
            which: the numbers of the boards that are looked at, as a hand is over the others:
                what was read of those stays; all without it.

        Raises:
            PictureError: the bytes are no picture, or too large a one.
        """
        from kibitz.vision.pipeline import BoardNotFound
        from kibitz.vision.stream.loose_series import remembering

        jpeg = data if isinstance(data, bytes) else b""
        pixels = decode_frame(data) if pixels is None else pixels
        if before is not None and which is not None:
            some = self._read_some(jpeg, pixels, request, before, which)
            if some is not None:
                return some
        most = 0 if before is None else before.boards
        # a board that an arm hid in the first picture is looked for whenever the view is judged
        every = not most or _is_due(before)
        known = None if before is None else before.reading
        exactly = replace(
            request,
            corners=_corners_px(request, pixels),
            hint=_hint(before, pixels),
            mirrored=known is not None and known.mirrored,
            small=known is not None and known.small,
            boards=request.boards if every else min(request.boards, most),
            closely=True,
        )
        try:
            reading = replace(self._loaded().read(pixels, exactly), panel=request.panel)
        except BoardNotFound as error:
            return replace(_unread_frame(jpeg, pixels, error), boards=most)
        most = max(most, len(reading.boards))
        if request.squares == "loose":
            reading = remembering(reading, pixels, known)
        if before is not None and _needs_no_judging(reading, pixels, before):
            health: ViewFigures = {**before.health, **_figures(reading)}
            unjudged = before.unjudged + 1
            return Frame(jpeg, pixels, reading, "", "", before.advice, health, unjudged, most)
        advice, health = judge_frame(pixels, reading)
        return Frame(jpeg, pixels, reading, advice=advice, health=health, boards=most)

    def _read_some(
        self,
        jpeg: bytes,
        pixels: Pyramid,
        request: ReadRequest,
        before: Frame,
        which: Collection[int],
    ) -> Frame | None:
        """A frame of which only some boards were looked at.

        None where that is all of them, or where they do not lie there any more.
        """
        last = before.reading
        if last is None or len(set(which)) >= len(last.boards):
            return None
        part = replace(last, boards=tuple(last.boards[k] for k in which))
        known = replace(before, reading=part, boards=len(part.boards), unjudged=0)
        some = replace(request, boards=len(part.boards))
        found = self.read(jpeg, some, known, pixels).reading
        if found is None or not same_boards(found, part):
            return None
        placed = dict(enumerate(last.boards)) | dict(zip(which, found.boards, strict=True))
        reading = replace(found, boards=tuple(placed.values()))
        health: ViewFigures = {**before.health, **_figures(reading)}
        return replace(before, jpeg=jpeg, pixels=pixels, reading=reading, health=health)

    def learn(self, data: bytes | Picture, request: ReadRequest, order: Sequence[str]) -> Taught:
        """Learn the look of tiles that lie on a board row by row.

        Args:
            data: a JPEG, PNG or WebP file, or pixels.
            request: what to look for; its corners are parts of the picture's width and height.
            order: what the tiles are, `?` a blank.

        Raises:
            PictureError: the bytes are no picture, or too large a one.
            BoardNotFound: there is no board.
            WrongCount: another number of tiles lies there.
        """
        pixels = decode_frame(data)
        exactly = replace(request, corners=_corners_px(request, pixels))
        return self._loaded().learn([pixels.level(0)], exactly, order)

    def check(self) -> Check:
        """Test that pictures can be read here."""
        try:
            self._loaded()
        except Exception as error:  # noqa: BLE001 - whatever stops the models is the answer
            return {"ok": False, "message": f"The models cannot be used: {error}"}
        return {"ok": True}

    def _loaded(self) -> TeachableReader:
        with self._lock:
            if self._reader is None:
                self._reader = self._load()
            return self._reader


def decode_frame(data: bytes | Picture, finest: int = 0) -> Pyramid:
    """Decode a frame's pixels.

    Args:
        data: a JPEG, PNG or WebP file, or pixels.
        finest: how often halved it is wanted at first.

    Raises:
        PictureError: the bytes are no picture, or too large a one.
    """
    from kibitz.calibration.board_geometry import Pyramid
    from kibitz.vision.stream.reduced_decode import open_packed

    if not isinstance(data, bytes):
        return Pyramid(data)
    check_header(data)
    return open_packed(data, finest, "the frame")


def check_header(data: bytes) -> tuple[int, int]:
    """Check size and format in a picture's header before it is decoded.

    Returns:
        Its width and height.

    Raises:
        PictureError: `too_large`, `not_an_image`, `empty_file` or `format_not_supported`.
    """
    if len(data) > LIMITS.read_bytes:
        most = LIMITS.read_bytes // 1_000_000
        raise PictureError("too_large", f"the frame has more than {most} MB; send a smaller one")
    height, width = size_of_picture(data, "the frame", WEB)
    return width, height


def _corners_px(request: ReadRequest, pixels: Pyramid) -> Corners | None:
    if request.corners is None:
        return None
    height, width = pixels.shape
    return tuple((x * width, y * height) for x, y in request.corners)


def geometries(reading: PhotoReading) -> tuple[BoardGeometry, ...]:
    """Geometry of each board in a reading."""
    return tuple(_geometry_of(b, reading.width, reading.height) for b in reading.boards)


@lru_cache(maxsize=16)
def _geometry_of(board: GridReading, width: int, height: int) -> BoardGeometry:
    """Geometry of a board; cached, as a resting board repeats the same reading."""
    from kibitz.calibration.board_geometry import geometry_from_corners

    return geometry_from_corners(board.corners_px, board.size, width, height)


def _hint(before: Frame | None, pixels: Pyramid) -> tuple[BoardGeometry, ...]:
    if before is None or before.reading is None or before.pixels.shape != pixels.shape:
        return ()
    return geometries(before.reading)


def judge_frame(pixels: Pyramid, reading: PhotoReading) -> tuple[tuple[str, ...], ViewFigures]:
    """Judge the view of a picture's boards: advice, and the figures behind it.

    The figures name the `faults`, and where `glare` lies: the board's number, row and column.
    """
    from kibitz.calibration.quality import advice, faults, judge_view

    said = []
    wrong: list[str] = []
    glare: list[list[int]] = []
    worst, smallest = 1.0, math.inf
    there = zip(geometries(reading), reading.boards, strict=True)
    for which, (geometry, board) in enumerate(there):
        covered = board.kind_log_prob.argmax(-1) == COVERED_KIND
        view = judge_view(pixels, replace(geometry, quality=board.quality), covered=covered)
        said += [line for line in advice(view) if line not in said]
        wrong += [code for code in faults(view) if code not in wrong]
        glare += [[which, row, col] for row, col in view.glare_squares]
        worst, smallest = min(worst, view.fit), min(smallest, view.smallest_square_px)
    found = _figures(reading)
    found["fit"], found["faults"], found["glare"] = round(worst, 3), wrong, glare
    if math.isfinite(smallest):
        found["smallest_square_px"] = round(smallest, 1)
    return (*said, *remarks_on(reading)), found


def _figures(reading: PhotoReading) -> ViewFigures:
    return {
        "boards": len(reading.boards),
        "loose": len(reading.loose),
        "square_px": round(min((b.square_px for b in reading.boards), default=0.0), 1),
        "ms": round(sum(reading.ms.values()), 1),
    }


def _is_due(before: Frame | None) -> bool:
    """True if the view of the next frame is to be judged."""
    return before is not None and before.unjudged >= MOST_UNJUDGED


def _needs_no_judging(reading: PhotoReading, pixels: Pyramid, before: Frame) -> bool:
    """True if the view was judged a few frames ago and the boards have not moved since.

    A frame that was unpacked small leaves it to the next: where it tells a play, people wait for
    it, and the one before it or the next is unpacked in full anyhow.
    """
    left = pixels.finest > 0 and before.unjudged == MOST_UNJUDGED
    if before.reading is None or (_is_due(before) and not left):
        return False
    now, then = reading.boards, before.reading.boards
    return len(now) == len(then) and all(
        a.quality == b.quality and np.array_equal(a.corners_px, b.corners_px)
        for a, b in zip(now, then, strict=True)
    )


def _unread_frame(jpeg: bytes, pixels: Pyramid, error: BoardNotFound) -> Frame:
    """A frame in which no board could be read, with the reason."""
    why = refusal_of(error, pixels)
    said = why.advice
    return Frame(jpeg, pixels, None, why.code, said, (said,), {"faults": [why.fault]})


def encode_kept(frame: Frame) -> bytes:
    """A JPEG of modest size, to be kept with a step."""
    jpeg = frame.jpeg or encode_jpeg(frame.picture)
    if jpeg[:2] == b"\xff\xd8" and len(jpeg) <= KEPT_BYTES:
        return jpeg
    return encode_jpeg(frame.picture, KEPT_PX)


def encode_jpeg(picture: Picture, side: int | None = None, quality: int = QUALITY) -> bytes:
    """A picture as JPEG, scaled so that its longer side is at most `side`."""
    longest = max(picture.shape[:2])
    if side is not None and longest > side:
        scale = side / longest
        size = tuple(max(1, round(side * scale)) for side in picture.shape[1::-1])
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise OSError("the picture could not be written as JPEG")
    return np.asarray(data).tobytes()


def make_loader(models: Path | None) -> Callable[[], TeachableReader]:
    """A loader of the real reader, with the models of a folder."""
    return lambda: make_reader(models)
