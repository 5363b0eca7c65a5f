"""A fixed camera's pictures one after another: only squares that changed are read again.

A board that lies where it lay looks the same save for the squares that people touched. What was
read of the others is kept, and held against the picture that it was read from, not the last one:
what changes slowly adds up and is seen. Other light, a moved camera, a hand over the board or many
changes at once make everything be read anew, and so does the ninth picture with a change. Squares
that were read with doubt are read again in the next pictures; the mean of what those say is kept.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_finder import in_reading_order
from kibitz.calibration.board_geometry import BoardGeometry, Picture, Pyramid
from kibitz.vision.boards.reader import SQUARE_PX, straighten, straightened_from
from kibitz.vision.boards.square_logs import SquareLogs, log_softmax
from kibitz.vision.boards.tile_colours import SquareColours
from kibitz.vision.pipeline import Reader, pyramid_of
from kibitz.vision.readings import TILE_KIND, GridReading, PhotoReading
from kibitz.vision.request import ReadRequest

SMALL_PX = 12
"""Boards are compared at so many pixels a square."""
SURE_PLACE, STILL = 0.3, 0.04
"""A quarter of a board that fits the same quarter so well, no further than that (squares) away,
lies where it lay."""
MOST_GAIN = 0.3
"""A picture brighter or darker than that (natural log) shows letters otherwise."""
OTHER_LIGHT = 5.0
"""Grey levels by which most squares differ if the light is another."""
CHANGED_MEAN, CHANGED_PIXEL, CHANGED_SHARE = 4.0, 26, 0.012
"""A square changed if it differs so much on average, or so large a part of it by so much."""
REACHED_MEAN, REACHED_USUAL, REACHED_SHARE = 2.0, 1.5, 0.002
"""Beside a square that changed less than that says that another did."""
MOST_CHANGED = 75
"""Of 225 squares, with those beside them: the light is another, or something moved."""


def from_afar(straight: Picture) -> Picture:
    """A straightened board as it is compared with others.

    It is small and a little blurred: noise of single pixels is no change.
    """
    side = 17 * SMALL_PX
    if straight.shape[0] != side:
        small = cv2.resize(straight, (side, side), interpolation=cv2.INTER_AREA)
        straight = np.asarray(small, np.uint8)
    return np.asarray(cv2.blur(straight, (3, 3)), np.uint8)


def seen_from_afar(picture: Pyramid, geometry: BoardGeometry) -> Picture:
    """A board in a picture as it is compared; a smaller picture will do than for reading."""
    return from_afar(straighten(picture, geometry, SMALL_PX))


def changed_squares(
    now: Picture,
    before: Picture,
    sure: NDArray[np.bool_] | None = None,
    least: float = CHANGED_MEAN,
) -> NDArray[np.bool_] | None:
    """(15, 15) squares that look different, with what they reach; None if too much does.

    Args:
        now: a straightened board with one square around it, see `from_afar`.
        before: the same board earlier.
        sure: (15, 15) squares that surely hold a tile whose letter is known: it is no other
            letter because a shadow or a neighbour reaches it.
        least: by how many grey levels a square that changed differs on average.
    """
    n = now.shape[0] // SMALL_PX
    # A camera that sets its exposure anew changes every square alike.
    means = [
        cv2.resize(x, (n, n), interpolation=cv2.INTER_AREA).reshape(-1, 3) + np.float32(1)
        for x in (now, before)
    ]
    gain = _median(means[0] / means[1])
    if np.abs(np.log(gain)).max() > MOST_GAIN:
        return None
    brighter = np.clip(np.arange(256)[:, None] * gain + 0.5, 0, 255).astype(np.uint8)
    b, g, r = cv2.split(cv2.absdiff(now, cv2.LUT(before, brighter[None])))
    most = cv2.max(cv2.max(b, g), r)
    strong = cv2.threshold(most, CHANGED_PIXEL, 255, cv2.THRESH_BINARY)[1]
    mean, share = (
        cv2.resize(x.astype(np.float32), (n, n), interpolation=cv2.INTER_AREA)
        for x in (most, strong)
    )
    usual = float(_median(mean.reshape(-1)))
    if usual > OTHER_LIGHT:
        return None
    touched = (mean > max(least, 3 * usual)) | (share > 255 * CHANGED_SHARE)
    # A tile's shadow and its raised top reach its neighbours, where a little of them is seen.
    wide = cv2.dilate(touched.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if wide[1:-1, 1:-1].sum() > MOST_CHANGED and not _lies_still(now, before):
        return None
    reached = (mean > max(REACHED_MEAN, REACHED_USUAL * usual)) | (share > 255 * REACHED_SHARE)
    beside = (wide & reached)[1:-1, 1:-1]
    return np.asarray(touched[1:-1, 1:-1] | (beside if sure is None else beside & ~sure))


def _median(values: NDArray[Any]) -> NDArray[Any]:
    """The medians of an odd number of rows."""
    half = len(values) // 2
    return np.asarray(np.partition(values, half, axis=0)[half])


def _lies_still(now: Picture, before: Picture) -> bool:
    """Whether each quarter of a board lies where it lay, though its light may be another."""
    side = now.shape[0] // 2
    window = cv2.createHanningWindow((side, side), cv2.CV_32F)
    grey = [cv2.cvtColor(x, cv2.COLOR_BGR2GRAY).astype(np.float32) for x in (before, now)]
    for y, x in product((0, side), (0, side)):
        old, new = (g[y : y + side, x : x + side] for g in grey)
        shift, sure = cv2.phaseCorrelate(old, new, window)
        if sure < SURE_PLACE or max(map(abs, shift)) > STILL * SMALL_PX:
            return False
    return True


SAME_PLACE_PX = 1.5
"""Corners further away than this belong to another board."""
STAYED = 0.15
"""A lattice that is found less than this away, in squares, has not moved: so exact is none."""
BETTER = 0.01
"""Of quality: so much is told apart."""
SLIPPED = 0.7
"""Squares by which two fits of one board differ if one of them counts a row too many."""
SURE_OF_KIND, SURE_OF_LETTER = 0.98, 0.95
MOST_TIMES = 8
"""After so many pictures of which parts were read again everything is."""
COARSE_MEAN = 6.0
"""By so many grey levels a square differs that changed while the board was at rest; a picture that
was unpacked in half its size or less shows thin strokes a little otherwise."""
SHADOWED = 24
"""More squares than seven tiles and their own shadows change."""
MOST_LOOKS = 3
"""A doubtful square that does not change is read in so many pictures: more tell no more."""
_ROLLED = (np.arange(4) + np.arange(4)[:, None]) % 4
"""A board's corners in the four orders that begin with another."""
KEPT = 8
"""Boards that are remembered, of all cameras together."""


@dataclass(frozen=True, eq=False)
class Sighting:
    """A board as it was last read.

    Attributes:
        geometry: where it lies.
        colours: what each square looked like when it was read.
        logs: what was read.
        request: what was looked for.
        looks: (15, 15) in how many pictures each square was read as it looks now.
        times: in how many pictures some squares were read again.
        told: what was told of it, once it was.
        restless: whether more of it changed in the last picture than a play does: a shadow goes
            over it, and may go on in the next.
    """

    geometry: BoardGeometry
    colours: SquareColours
    logs: SquareLogs
    request: ReadRequest
    looks: NDArray[np.int64]
    times: int = 0
    told: GridReading | None = None
    restless: bool = False

    @cached_property
    def doubtful(self) -> NDArray[np.bool_]:
        """(15, 15) squares that are read again though they do not change."""
        return _doubtful(self.logs) & (self.looks < MOST_LOOKS)

    @cached_property
    def sure(self) -> NDArray[np.bool_]:
        """(15, 15) squares that surely hold a tile whose letter is known."""
        return np.asarray((self.logs.kind.argmax(-1) == TILE_KIND) & ~_doubtful(self.logs))

    @cached_property
    def small(self) -> Picture:
        """What the board is compared with."""
        return from_afar(self.colours.straight)


class SeriesReader:
    """Reads the pictures of fixed cameras; keeps what it read of their last ones."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._kept: tuple[Sighting, ...] = ()

    def read(self, picture: Picture | Pyramid, request: ReadRequest | None = None) -> PhotoReading:
        """As `Reader.read`; pictures with a hint of where the boards lie are held against it.

        Raises:
            BoardNotFound: a board was asked for and none is there.
            ValueError: the picture has another shape.
        """
        pyramid = picture if isinstance(picture, Pyramid) else pyramid_of(picture)
        if request is None or not _is_series(pyramid, request):
            return self._reader.read(pyramid, request)
        began = time.perf_counter()
        kept = self._matching(request)
        again = self._again(pyramid, request, kept)
        located = time.perf_counter()
        if again is None:
            boards = self._located(pyramid, request, kept)
            located = time.perf_counter()
            again = tuple(self._first_sighting(pyramid, g, request) for g in boards)
        mine = {id(s) for s in kept}
        again = tuple(self._told(s, request) for s in again)
        self._kept = (*again, *(s for s in self._kept if id(s) not in mine))[:KEPT]
        told = tuple(s.told for s in again if s.told is not None)
        done = time.perf_counter()
        ms = {"locate": (located - began) * 1e3, "read": (done - located) * 1e3}
        height, width = pyramid.shape
        return PhotoReading(width, height, told, ms=ms, enough=min(map(_enough, again), default=0))

    def _told(self, sighting: Sighting, request: ReadRequest) -> Sighting:
        """With what is told of it; what was told already stays the same."""
        if sighting.told is not None and sighting.request.top == request.top:
            return sighting
        told = self._reader.tell(sighting.geometry, sighting.colours, sighting.logs, request)
        return replace(sighting, request=request, told=told)

    def _matching(self, request: ReadRequest) -> tuple[Sighting, ...]:
        """What was kept of every board of the hint, nothing where one is not among it."""
        out = []
        for hint in request.hint:
            found = next((s for s in self._kept if _same_board(s, hint, request)), None)
            if found is None:
                return ()
            out.append(found)
        return tuple(out)

    def _located(
        self, picture: Pyramid, request: ReadRequest, sighted: tuple[Sighting, ...]
    ) -> list[BoardGeometry]:
        """Where the boards lie now: where they lay, or looked for anew where they moved.

        A lattice that is fitted from where it lay again and again walks away from the board.
        """
        kept = tuple(s.geometry for s in sighted)
        boards, _ = self._reader.locate(picture, replace(request, hint=kept or request.hint))
        if len(boards) != len(kept):
            return boards
        if all(_apart(a, b) < STAYED * b.square_px for a, b in zip(boards, kept, strict=True)):
            return list(kept)
        anew = self._reader.locate(picture, replace(request, hint=()))[0]
        if len(anew) != len(boards):
            return anew
        # By whole squares only a frame slips: then what continues the last one is likelier right,
        # unless it fits worse.
        return [
            a if _apart(a, b) < SLIPPED * b.square_px or a.quality > b.quality + BETTER else b
            for a, b in zip(in_reading_order(anew), in_reading_order(boards), strict=True)
        ]

    def _first_sighting(
        self, picture: Pyramid, g: BoardGeometry, request: ReadRequest
    ) -> Sighting:
        straight, logs = self._reader.see(picture, g, request)
        looks = np.ones(logs.kind.shape[:2], np.int64)
        return Sighting(g, SquareColours(straight, SQUARE_PX), logs, request, looks)

    def _again(
        self, picture: Pyramid, request: ReadRequest, kept: tuple[Sighting, ...]
    ) -> tuple[Sighting, ...] | None:
        """The boards where they lie, read again where they changed; None if all must be read."""
        out = []
        for before in kept:
            if picture.finest > 0:
                if _rests(picture, before):
                    out.append(before)  # that could be told without unpacking all of the picture
                    continue
                picture.level(0)  # all else is made of it
            straight = straighten(picture, before.geometry)
            changed = changed_squares(from_afar(straight), before.small, before.sure)
            if changed is None:
                return None
            doubtful = before.doubtful & ~changed
            anew = changed | doubtful
            if not anew.any():
                out.append(replace(before, restless=False) if before.restless else before)
                continue
            if before.times >= MOST_TIMES:
                return None
            seen = (straight, before.logs, anew)
            _, logs = self._reader.see(picture, before.geometry, request, seen)
            now = replace(
                before,
                colours=before.colours.after(
                    _patched(before.colours.straight, straight, anew), anew
                ),
                logs=_averaged(logs, before, doubtful),
                looks=np.where(changed, 1, before.looks + doubtful),
                times=before.times + 1,
                told=None,
                restless=int(changed.sum()) > SHADOWED,
            )
            out.append(now)
        return tuple(out) or None


def _averaged(logs: SquareLogs, before: Sighting, which: NDArray[np.bool_]) -> SquareLogs:
    """What this picture and those before it say together of squares that did not change."""
    if not which.any():
        return logs
    looks = before.looks[which][:, None].astype(np.float32)
    kind = looks * before.logs.kind[which] + logs.kind[which]
    both = looks[..., None] * before.logs.both[which] + logs.both[which]
    mean = SquareLogs(
        log_softmax(kind / (looks + 1)), log_softmax(both / (looks[..., None] + 1), (-2, -1))
    )
    return logs.with_squares(which, mean)


def _enough(sighting: Sighting) -> int:
    """How often halved the next picture tells whether anything changed, if that is all."""
    if sighting.restless or sighting.doubtful.any():
        return 0
    return straightened_from(sighting.geometry, SMALL_PX)


def _rests(picture: Pyramid, before: Sighting) -> bool:
    """Whether nothing changed on a board and nothing is to be read again."""
    if before.doubtful.any():
        return False
    now = seen_from_afar(picture, before.geometry)
    changed = changed_squares(now, before.small, before.sure, COARSE_MEAN)
    return changed is not None and not changed.any()


def _is_series(picture: Pyramid, request: ReadRequest) -> bool:
    """Whether boards of 15 squares are looked for where they lay in a picture of this size."""
    return (
        request.squares == 15
        and bool(request.hint)
        and request.corners is None
        and not request.part
        and all((g.height, g.width) == picture.shape for g in request.hint)
    )


def _same_board(kept: Sighting, hint: BoardGeometry, request: ReadRequest) -> bool:
    """Whether a hint is of this board, whichever corner comes first, and the same is asked."""
    if (kept.geometry.width, kept.geometry.height) != (hint.width, hint.height):
        return False
    same = (kept.request.letters, kept.request.closely) == (request.letters, request.closely)
    return same and _apart(kept.geometry, hint) < SAME_PLACE_PX


def _apart(one: BoardGeometry, other: BoardGeometry) -> float:
    """How far corners are apart in pixels, whichever comes first."""
    return float(np.abs(other.corners_px[_ROLLED] - one.corners_px).max((1, 2)).min())


def _doubtful(logs: SquareLogs) -> NDArray[np.bool_]:
    """Squares of which another picture may tell more."""
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
