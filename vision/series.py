"""A fixed camera's pictures one after another: only squares that changed are read again.

A board that lies where it lay looks the same save for the squares that people touched. What was
read of the others is kept, and held against the picture that it was read from, not the last one:
what changes slowly adds up and is seen. Other light, a moved camera, a hand over the board or many
changes at once make everything be read anew, and so does every ninth picture. Squares that were
read with doubt are read again every time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import BoardGeometry, Picture, Pyramid
from vision.board_reader import SQUARE_PX, SquareLogs, straighten
from vision.pipeline import Reader, ReadRequest
from vision.readings import TILE_KIND, PhotoReading

SAME_PLACE_PX = 1.5
"""Corners further away than this belong to another board."""
MOST_GAIN = 0.3
"""A picture brighter or darker than that (natural log) shows letters otherwise."""
OTHER_LIGHT = 5.0
"""Grey levels by which most squares differ if the light is another."""
CHANGED_MEAN, CHANGED_PIXEL, CHANGED_SHARE = 4.0, 30, 0.012
"""A square changed if it differs so much on average, or so large a part of it by so much."""
MOST_CHANGED = 75
"""Of 225 squares; beyond it a hand, a moved camera or another position is there."""
SURE_OF_KIND, SURE_OF_LETTER = 0.98, 0.95
MOST_TIMES = 8
"""After so many pictures of which parts were kept everything is read anew."""
KEPT = 8
"""Boards that are remembered, of all cameras together."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A board as it was last read.

    Attributes:
        geometry: where it lies.
        straight: (408, 408, 3) what each square looked like when it was read.
        logs: what was read.
        request: what was looked for.
        times: how often parts of it have been kept.
    """

    geometry: BoardGeometry
    straight: Picture
    logs: SquareLogs
    request: ReadRequest
    times: int = 0


def changed_squares(now: Picture, before: Picture) -> NDArray[np.bool_] | None:
    """(15, 15) squares that look different, with their neighbours; None if the light does.

    Args:
        now: (408, 408, 3) a straightened board with one square around it.
        before: the same board earlier.
    """
    n = now.shape[0] // SQUARE_PX
    means = [
        cv2.resize(x, (n, n), interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(np.float64) + 1
        for x in (now, before)
    ]
    # A camera that sets its exposure anew changes every square alike.
    gain = np.median(means[0] / means[1], axis=0)
    if np.abs(np.log(gain)).max() > MOST_GAIN:
        return None
    # A little blur: noise of single pixels is no change.
    pairs = zip(
        cv2.split(cv2.blur(now, (3, 3))), cv2.split(cv2.blur(before, (3, 3))), gain, strict=True
    )
    apart = [cv2.absdiff(new, cv2.convertScaleAbs(old, alpha=by)) for new, old, by in pairs]
    most = np.asarray(cv2.max(cv2.max(apart[0], apart[1]), apart[2]), np.uint8)
    strong = np.asarray(most > CHANGED_PIXEL, np.float32)
    mean = cv2.resize(most.astype(np.float32), (n, n), interpolation=cv2.INTER_AREA)
    share = cv2.resize(strong, (n, n), interpolation=cv2.INTER_AREA)
    usual = float(np.median(mean))
    if usual > OTHER_LIGHT:
        return None
    touched = (mean > max(CHANGED_MEAN, 3 * usual)) | (share > CHANGED_SHARE)
    # A tile's shadow and its raised top reach its neighbours.
    wide = cv2.dilate(touched.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(wide[1:-1, 1:-1] > 0)


class SeriesReader:
    """Reads the pictures of fixed cameras; keeps what it read of their last ones."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._kept: tuple[Sighting, ...] = ()

    def read(self, picture: Picture, request: ReadRequest | None = None) -> PhotoReading:
        """As `Reader.read`; pictures with a hint of where the boards lie are held against it.

        Raises:
            BoardNotFound: a board was asked for and none is there.
            ValueError: the picture has another shape.
        """
        if request is None or not _is_series(picture, request):
            return self._reader.read(picture, request)
        began = time.perf_counter()
        pyramid = Pyramid(picture)
        again = self._again(pyramid, request)
        located = time.perf_counter()
        if again is None:
            boards, _ = self._reader.locate(pyramid, request)
            located = time.perf_counter()
            again = tuple(
                Sighting(g, *self._reader.see(pyramid, g, request), request) for g in boards
            )
        mine = {id(s) for s in self._matching(request) or ()}
        self._kept = (*again, *(s for s in self._kept if id(s) not in mine))[:KEPT]
        told = tuple(self._reader.tell(s.geometry, s.straight, s.logs, request) for s in again)
        done = time.perf_counter()
        ms = {"locate": (located - began) * 1e3, "read": (done - located) * 1e3}
        return PhotoReading(picture.shape[1], picture.shape[0], told, ms=ms)

    def _matching(self, request: ReadRequest) -> tuple[Sighting, ...] | None:
        """What was kept of every board of the hint, or None where one is not among it."""
        out = []
        for hint in request.hint:
            found = next((s for s in self._kept if _same_board(s, hint, request)), None)
            if found is None:
                return None
            out.append(found)
        return tuple(out)

    def _again(self, picture: Pyramid, request: ReadRequest) -> tuple[Sighting, ...] | None:
        """The boards where they lay, read again where they changed; None if all must be read."""
        out = []
        for before in self._matching(request) or ():
            straight = straighten(picture, before.geometry)
            changed = changed_squares(straight, before.straight)
            if before.times >= MOST_TIMES or changed is None or changed.sum() > MOST_CHANGED:
                return None
            now = replace(before, times=before.times + 1)
            changed |= _doubtful(before.logs)
            if changed.any():
                seen = (straight, before.logs, changed)
                _, logs = self._reader.see(picture, before.geometry, request, seen)
                now = replace(
                    now, straight=_patched(before.straight, straight, changed), logs=logs
                )
            out.append(now)
        return tuple(out) or None


def _is_series(picture: Picture, request: ReadRequest) -> bool:
    """Whether boards of 15 squares are looked for where they lay in a picture of this size."""
    return (
        request.squares == 15
        and bool(request.hint)
        and request.corners is None
        and not request.part
        and picture.ndim == 3
        and picture.dtype == np.uint8
        and all((g.width, g.height) == picture.shape[1::-1] for g in request.hint)
    )


def _same_board(kept: Sighting, hint: BoardGeometry, request: ReadRequest) -> bool:
    """Whether a hint is of this board, whichever corner comes first, and the same is asked."""
    if (kept.geometry.width, kept.geometry.height) != (hint.width, hint.height):
        return False
    same = (kept.request.letters, kept.request.closely) == (request.letters, request.closely)
    a, b = kept.geometry.corners_px, hint.corners_px
    off = min(float(np.abs(np.roll(b, k, axis=0) - a).max()) for k in range(4))
    return same and off < SAME_PLACE_PX


def _doubtful(logs: SquareLogs) -> NDArray[np.bool_]:
    """Squares of which another picture may tell more: they are read again every time."""
    sure_of_letter = logs.letter.max(-1) > np.log(SURE_OF_LETTER)
    tile = logs.kind.argmax(-1) == TILE_KIND
    return np.asarray((logs.kind.max(-1) < np.log(SURE_OF_KIND)) | (tile & ~sure_of_letter))


def _patched(before: Picture, now: Picture, changed: NDArray[np.bool_]) -> Picture:
    """What each square looked like when it was read."""
    out = before.copy()
    for r, c in np.argwhere(changed) + 1:
        here = np.s_[r * SQUARE_PX : (r + 1) * SQUARE_PX, c * SQUARE_PX : (c + 1) * SQUARE_PX]
        out[here] = now[here]
    return out
