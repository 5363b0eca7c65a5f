"""A fixed camera's successive pictures: only changed squares are read again.

A board that lies where it lay looks the same save for the squares that people touched. What was
read of the others is kept, and held against the picture that it was read from, not the last one:
what changes slowly adds up and is seen. Other light, a moved camera, a hand over the board or many
changes at once make everything be read anew, and so does the ninth picture with a change. Squares
that were read with doubt are read again in the next pictures; the mean of what those say is kept.
With each change they are read afresh, as are those beside it: other tiles tell how a set looks.
Nine joined boards are kept one by one, and told as one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_finder import FINDER, BoardNotFound, in_reading_order
from kibitz.calibration.board_geometry import BoardGeometry, Picture, Pyramid
from kibitz.calibration.lattice import LATTICE
from kibitz.engine.parameters import checked, number
from kibitz.engine.table import JOINED_SIDE, SIDE
from kibitz.vision.boards.colours.burnt import BESIDE
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.boards.letters.taught import Taught
from kibitz.vision.boards.lift import may_matter
from kibitz.vision.boards.reader import SQUARE_PX, BoardLook, Known, straighten, straightened_from
from kibitz.vision.boards.square_logs import SquareLogs, log_softmax
from kibitz.vision.pipeline import Reader
from kibitz.vision.readings import SURE, TILE_KIND, GridReading, PhotoReading, stage_ms
from kibitz.vision.request import ReadRequest
from kibitz.vision.square_reader import as_panel, put_together, pyramid_of
from kibitz.vision.stream.changed import (
    SMALL_PX,
    changed_squares,
    quarters_at_rest,
    shrink_board,
    squares_aside,
    straighten_small,
)
from kibitz.vision.stream.fusing import FUSING
from kibitz.vision.stream.stillness import STILLNESS, Relief, moved, relief_of

if TYPE_CHECKING:
    from kibitz.calibration.patch_finder import Patch

KEPT: Final = 8
"""So many boards are remembered, of all cameras together."""
FREED_BYTES: Final = 30 << 20
"""See `keep_freed_memory`; of a block of more than 32 MB the C library takes no notice."""


def keep_freed_memory() -> None:
    """Let the process keep one picture's memory for the next one.

    The GNU C library gives freed memory back to the system beyond twice the largest block that it
    has freed so far (mallopt(3), M_MMAP_THRESHOLD), and page by page it is dear to get again. A
    large block is freed here that nobody has written to: that costs nothing, elsewhere too.
    """
    np.empty(FREED_BYTES, np.uint8)


@dataclass(frozen=True, slots=True)
class SeriesRule:
    """Parameters for keeping a fixed camera's last picture and for reading anew."""

    most_looks: int = number(
        3, "pictures", 1, 20, "a square that does not change is read so often: more tell no more"
    )
    most_times: int = number(
        8, "pictures", 0, 1000, "after so many with a change all of the board is read anew"
    )

    def __post_init__(self) -> None:
        checked(self)


SERIES: Final = SeriesRule()


@dataclass(frozen=True, eq=False)
class Sighting:
    """Last reading of a board.

    Attributes:
        geometry: where it lies.
        colours: what each square looked like when it was read.
        logs: what was read.
        request: what was looked for.
        looks: (15, 15) in how many pictures each square was read as it looks now.
        times: in how many pictures some squares were read again.
        told: what was told of it, once it was.
        settled: whether its tiles told for certain that it is mirrored or not.
        earlier: the same board where it lay before, if its lattice fitted better there.
    """

    geometry: BoardGeometry
    colours: SquareColours
    logs: SquareLogs
    request: ReadRequest
    looks: NDArray[np.int64]
    times: int = 0
    told: GridReading | None = None
    settled: bool = False
    earlier: Sighting | None = None

    @cached_property
    def doubtful(self) -> NDArray[np.bool_]:
        """(15, 15) bool: squares that are read again though unchanged."""
        return _doubtful(self.logs) & (self.looks < SERIES.most_looks)

    @cached_property
    def sure(self) -> NDArray[np.bool_]:
        """(15, 15) bool: squares with a surely known letter."""
        return np.asarray((self.logs.kind.argmax(-1) == TILE_KIND) & ~_doubtful(self.logs))

    @cached_property
    def small(self) -> Picture:
        """Small picture that the board is compared with."""
        return shrink_board(self.colours.straight)

    def shows_at(self, picture: Pyramid, geometry: BoardGeometry) -> int:
        """Number of quarters of a picture's board that are unchanged here."""
        return quarters_at_rest(straighten_small(picture, geometry), self.small)

    def unslipped(self, picture: Pyramid, found: BoardGeometry) -> BoardGeometry:
        """This board's new lattice, moved by whole squares to where it shows what it showed here.

        A frame that is ruled like squares may be taken for a row of them.
        """
        if found.quality > self.geometry.quality + FINDER.doubted:
            return found
        return found.shifted(*squares_aside(straighten_small(picture, found), self.small))

    def lies_rather_here(self, picture: Pyramid, other: BoardGeometry) -> bool:
        """True if a picture shows this board at its old place rather than elsewhere."""
        return self.shows_at(picture, self.geometry) > self.shows_at(picture, other)


@dataclass(frozen=True, eq=False)
class JoinedSighting:
    """Last reading of nine joined boards.

    Attributes:
        geometry: where all of them together lie.
        panels: each by itself, row by row.
        request: what was looked for.
        settled: whether their tiles told for certain that they are mirrored or not.
        told: what was told of them, once it was.
    """

    geometry: BoardGeometry
    panels: tuple[Sighting, ...]
    request: ReadRequest
    settled: bool = False
    told: GridReading | None = None

    @cached_property
    def together(self) -> tuple[SquareColours, SquareLogs]:
        """Colours and log probabilities of all nine as one board."""
        return put_together([(p.geometry, p.colours, p.logs) for p in self.panels])


@dataclass(frozen=True, eq=False)
class PatchSighting:
    """Last reading of some of nine joined boards.

    Attributes:
        relief: all of the picture, small: another of the nine may lie where something moved.
    """

    geometry: BoardGeometry
    patch: Patch
    panels: tuple[Sighting, ...]
    relief: Relief
    request: ReadRequest
    told: PhotoReading


class SeriesReader:
    """Reads the pictures of fixed cameras, remembering their last readings."""

    def __init__(self, reader: Reader) -> None:
        keep_freed_memory()
        self._reader = reader
        self._kept: tuple[Sighting, ...] = ()
        self._joined: tuple[JoinedSighting, ...] = ()
        self._parts: tuple[PatchSighting, ...] = ()

    def read(self, picture: Picture | Pyramid, request: ReadRequest | None = None) -> PhotoReading:
        """As `Reader.read`, but pictures with a hint are compared with the last ones.

        Raises:
            BoardNotFound: a board was asked for and none is there.
            ValueError: the picture has another shape.
        """
        pyramid = picture if isinstance(picture, Pyramid) else pyramid_of(picture)
        if request is None or not _is_series(pyramid, request):
            same = self._found_where_they_lay(pyramid, request)
            return self._reader.read(pyramid, request) if same is None else same
        if request.squares == JOINED_SIDE:
            return self._read_joined(pyramid, request)
        began = time.perf_counter()
        kept = tuple(_back_in_place(pyramid, s) for s in self._matching(request))
        again = self._update(pyramid, request, kept)
        located = time.perf_counter()
        if again is None:
            boards = self._relocate(pyramid, request, kept)
            located = time.perf_counter()
            again = tuple(self._read_whole(pyramid, g, request, last) for g, last in boards)
        if len(again) < request.boards:
            again = self._with_those_beside(pyramid, request, again)
        mine = {id(s) for s in kept}
        again = tuple(self._with_reading(s, request) for s in again)
        self._kept = (*again, *(s for s in self._kept if id(s) not in mine))[:KEPT]
        read = tuple(s.told for s in again if s.told is not None)
        ms = stage_ms(began, located, time.perf_counter())
        height, width = pyramid.shape
        enough = min(map(_coarsest_useful, again), default=0)
        return PhotoReading(width, height, read, ms=ms, enough=enough)

    def _found_where_they_lay(
        self, picture: Pyramid, request: ReadRequest | None
    ) -> PhotoReading | None:
        """Last reading of a film's boards, if a search finds them unmoved.

        Raises:
            BoardNotFound: none is found.
        """
        if request is None or not request.film or request.corners is not None or request.part:
            return None
        began = time.perf_counter()
        joined = request.squares == JOINED_SIDE
        try:
            boards, _ = self._reader.locator.locate(picture, request)
        except BoardNotFound:
            if joined:
                return None  # some of the nine may be seen
            raise
        located = time.perf_counter()
        kept = self._joined if joined else self._kept
        there = [next((s for s in kept if self._is_of(s, g, request)), None) for g in boards]
        found = tuple(s.told for s in there if s is not None and s.told is not None)
        if len(found) < len(boards):
            return None
        ms = stage_ms(began, located, time.perf_counter())
        return PhotoReading(picture.shape[1], picture.shape[0], found, ms=ms)

    def _read_joined(self, picture: Pyramid, request: ReadRequest) -> PhotoReading:
        """Read nine joined boards at their old places where they changed."""
        began = time.perf_counter()
        if (same := self._same_parts(picture, request)) is not None:
            return same
        kept = next((s for s in self._joined if self._is_of(s, request.hint[0], request)), None)
        again = None if kept is None else self._update_joined(picture, request, kept)
        located = time.perf_counter()
        if again is None:
            try:
                whole, panels = self._locate_joined(picture, request, kept)
            except BoardNotFound:
                patch = self._reader.locator.locate_parts(picture)
                seen = self._reader.see_each(picture, list(patch.boards.values()), request)
                sighted = [self._sighted(x, as_panel(request), settled=True) for x in seen]
                return self._with_parts(picture, patch, tuple(sighted), request, began)
            located = time.perf_counter()
            if settled := kept is not None and kept.settled and whole is kept.geometry:
                seen = self._reader.see_each(picture, panels, request)
            else:
                whole, seen, settled = self._reader.see_joined(picture, whole, panels, request)
            # which way round they lie is a matter of all of them
            parts = (self._sighted(one, as_panel(request), settled=True) for one in seen)
            again = JoinedSighting(whole, tuple(parts), request, settled)
        board = again.told
        if board is None or again.request.top != request.top:
            board = self._reader.tell(again.geometry, *again.together, request)
            again = replace(again, request=request, told=board)
        others = (s for s in self._joined if s is not kept)
        self._joined = (again, *others)[:KEPT]
        ms = stage_ms(began, located, time.perf_counter())
        enough = min(map(_coarsest_useful, again.panels))
        return PhotoReading(picture.shape[1], picture.shape[0], (board,), ms=ms, enough=enough)

    def _locate_joined(
        self, picture: Pyramid, request: ReadRequest, kept: JoinedSighting | None
    ) -> tuple[BoardGeometry, list[BoardGeometry]]:
        """Nine joined boards and each of them: at their old places, or found anew.

        Raises:
            BoardNotFound: not all nine are seen.
        """
        if kept is not None:
            places = [panel.geometry for panel in kept.panels]
            if self._reader.locator.lie_still(picture, places):
                return kept.geometry, places
        (whole,), panels = self._reader.locator.locate(picture, request)
        return whole, panels

    def _same_parts(self, picture: Pyramid, request: ReadRequest) -> PhotoReading | None:
        """Last reading of some of nine boards, if nothing in the picture moved."""
        began = time.perf_counter()
        kept = next((s for s in self._parts if self._is_of(s, request.hint[0], request)), None)
        if kept is None or kept.request.top != request.top:
            return None
        stays = not moved(kept.relief, relief_of(picture, STILLNESS.fine_side_px))
        panels = self._update(picture, as_panel(request), kept.panels) if stays else None
        if panels is None:
            return None
        if all(now is before for now, before in zip(panels, kept.panels, strict=True)):
            return kept.told
        return self._with_parts(picture, kept.patch, panels, request, began)

    def _with_parts(
        self,
        picture: Pyramid,
        patch: Patch,
        panels: tuple[Sighting, ...],
        request: ReadRequest,
        began: float,
    ) -> PhotoReading:
        """Reading of some of nine boards, which is kept."""
        seen = [(p.geometry, p.colours, p.logs) for p in panels]
        boards, beyond = self._reader.tell_parts(patch, seen, request)
        ms = stage_ms(began, began, time.perf_counter())
        reading = PhotoReading(picture.shape[1], picture.shape[0], boards, ms=ms, beyond=beyond)
        relief = relief_of(picture, STILLNESS.fine_side_px)
        others = (s for s in self._parts if not self._is_of(s, panels[0].geometry, request))
        sighting = PatchSighting(panels[0].geometry, patch, panels, relief, request, reading)
        self._parts = (sighting, *others)[:KEPT]
        return reading

    def learn(
        self, pictures: Sequence[Picture], request: ReadRequest, order: Sequence[str]
    ) -> Taught:
        """As `Reader.learn`."""
        return self._reader.learn(pictures, request, order)

    def _with_reading(self, sighting: Sighting, request: ReadRequest) -> Sighting:
        """The sighting with its reading; an existing one stays the same."""
        if sighting.told is not None and sighting.request.top == request.top:
            return sighting
        reading = self._reader.tell(sighting.geometry, sighting.colours, sighting.logs, request)
        return replace(sighting, request=request, told=reading)

    def _matching(self, request: ReadRequest) -> tuple[Sighting, ...]:
        """Kept sighting of every board of the hint; empty if one is missing."""
        out = []
        for hint in request.hint:
            found = next((s for s in self._kept if self._is_of(s, hint, request)), None)
            if found is None:
                return ()
            out.append(found)
        return tuple(out)

    def _is_of(
        self,
        kept: Sighting | JoinedSighting | PatchSighting,
        hint: BoardGeometry,
        request: ReadRequest,
    ) -> bool:
        """True if a hint is this board, from any first corner, and the request is the same."""
        if (kept.geometry.width, kept.geometry.height) != (hint.width, hint.height):
            return False
        same = (kept.request.letters, kept.request.closely) == (request.letters, request.closely)
        same = same and kept.request.taught is request.taught
        return same and kept.geometry.corners_off_px(hint) < (
            FUSING.same_place_squares * hint.square_px
        )

    def _with_those_beside(
        self, picture: Pyramid, request: ReadRequest, seen: tuple[Sighting, ...]
    ) -> tuple[Sighting, ...]:
        """Sightings with boards that have come into view, in reading order."""
        lying = [s.geometry for s in seen]
        more = self._reader.locator.beside(picture, lying, request)
        if not more:
            return seen
        every = [*seen, *(self._as_meant(picture, look, request) for look in more)]
        of = {id(s.geometry): s for s in every}
        return tuple(of[id(g)] for g in in_reading_order([s.geometry for s in every]))

    def _relocate(
        self, picture: Pyramid, request: ReadRequest, sighted: tuple[Sighting, ...]
    ) -> list[tuple[BoardGeometry, Sighting | None]]:
        """Present places of the boards, each with its earlier sighting.

        A lattice that is fitted from where it lay again and again walks away from the board. Where
        an arm hides an edge it may lie a column aside: so a board stays where it was as long as it
        shows there what it showed.
        """
        kept = tuple(s.geometry for s in sighted)
        boards, _ = self._reader.locator.locate(
            picture, replace(request, hint=kept or request.hint)
        )
        if len(boards) != len(kept):
            return [(g, None) for g in boards]
        pairs = zip(boards, kept, strict=True)
        if all(a.corners_off_px(b) < LATTICE.near_squares * b.square_px for a, b in pairs):
            return [(s.geometry, s) for s in sighted]
        anew = self._reader.locator.locate(picture, replace(request, hint=()))[0]
        if len(anew) != len(boards):
            return [(g, None) for g in anew]
        # By whole squares only a frame slips, half a square or more: then what continues the last
        # one is likelier right, unless it fits worse.
        likely = [
            a
            if a.corners_off_px(b) < b.square_px / 2 or a.quality > b.quality + FINDER.doubted
            else b
            for a, b in zip(in_reading_order(anew), in_reading_order(boards), strict=True)
        ]
        of = {id(s.geometry): s for s in sighted}
        before = [of[id(g)] for g in in_reading_order(list(kept))]
        return [
            (s.geometry if s.lies_rather_here(picture, g) else s.unslipped(picture, g), s)
            for g, s in zip(likely, before, strict=True)
        ]

    def _update_joined(
        self, picture: Pyramid, request: ReadRequest, kept: JoinedSighting
    ) -> JoinedSighting | None:
        """Nine boards at their present places, as `_update`."""
        panels = self._update(picture, as_panel(request), kept.panels)
        if panels is None:
            return None
        if all(now is before for now, before in zip(panels, kept.panels, strict=True)):
            return kept  # also what was put together of them
        again = JoinedSighting(kept.geometry, panels, request, kept.settled)
        if kept.settled:
            return again
        seen = [(p.geometry, p.colours, p.logs) for p in panels]
        lead = self._reader.squares.lead_in_mirror(picture, seen, request)
        return None if lead > SURE.lead else replace(again, settled=lead < -SURE.lead)

    def _read_whole(
        self, picture: Pyramid, g: BoardGeometry, request: ReadRequest, last: Sighting | None
    ) -> Sighting:
        (g,) = self._reader.squares.lifted(picture, [g], request)
        look = g, *self._reader.squares.see(picture, g, request)
        # where it lies in the picture its letters have told how it is meant
        known = last is not None and last.settled and last.geometry is g
        seen = (
            self._sighted(look, request, settled=True)
            if known
            else self._as_meant(picture, look, request)
        )
        best = last and (last.earlier or last)
        fell = best is not None and best.geometry.quality > g.quality + FINDER.doubted
        return replace(seen, earlier=best if fell else None)

    def _as_meant(self, picture: Pyramid, look: BoardLook, request: ReadRequest) -> Sighting:
        seen, settled = self._reader.squares.as_meant(picture, look, request)
        return self._sighted(seen, request, settled=settled)

    def _sighted(self, seen: BoardLook, request: ReadRequest, *, settled: bool) -> Sighting:
        """Sighting of a board that was read as a whole."""
        g, colours, logs = seen
        looks = np.ones(logs.kind.shape[:2], np.int64)
        return Sighting(g, colours, logs, request, looks, settled=settled)

    def _update(
        self, picture: Pyramid, request: ReadRequest, kept: tuple[Sighting, ...]
    ) -> tuple[Sighting, ...] | None:
        """Boards with changed squares read again; None if all must be read."""
        out = []
        for before in kept:
            if picture.finest > 0:
                if _is_unchanged_small(picture, before):
                    out.append(before)  # that could be told without unpacking all of the picture
                    continue
                picture.level(0)  # all else is made of it
            straight = straighten(picture, before.geometry)
            small = shrink_board(straight)
            changed = changed_squares(small, before.small, before.sure)
            if changed is None:
                return None
            fresh = changed
            if changed.any():
                beside = cv2.dilate(changed.astype(np.uint8), BESIDE) > 0
                fresh = changed | _doubtful(before.logs) | (beside & ~before.sure)
            doubtful = before.doubtful & ~fresh
            anew = fresh | doubtful
            if not anew.any():
                out.append(before)
                continue
            if before.times >= SERIES.most_times:
                return None
            # the first tiles tell how high their tops lie
            if before.geometry.lift == 0.0 and may_matter(before.geometry):
                return None
            read = _replace_squares(before.colours.straight, straight, anew)
            known = Known(straight, before.colours.after(read, anew), before.logs, anew)
            colours, logs = self._reader.squares.see(picture, before.geometry, request, known)
            settled = before.settled
            if not settled:
                look = before.geometry, colours, logs
                lead = self._reader.squares.lead_in_mirror(picture, [look], request)
                if lead > SURE.lead:
                    return None
                settled = lead < -SURE.lead
            now = replace(
                before,
                settled=settled,
                colours=colours,
                logs=_average_doubtful(logs, before, doubtful),
                looks=np.where(fresh, 1, before.looks + doubtful),
                times=before.times + 1,
                told=None,
            )
            out.append(now)
        return tuple(out) or None


def _back_in_place(picture: Pyramid, now: Sighting) -> Sighting:
    """A board at its place before its lattice fitted worse, once a picture supports it."""
    before = now.earlier
    return before if before and before.lies_rather_here(picture, now.geometry) else now


def _average_doubtful(logs: SquareLogs, before: Sighting, which: NDArray[np.bool_]) -> SquareLogs:
    """Mean over this and earlier pictures for unchanged doubtful squares."""
    if not which.any():
        return logs
    looks = before.looks[which][:, None].astype(np.float32)
    kind = looks * before.logs.kind[which] + logs.kind[which]
    both = looks[..., None] * before.logs.both[which] + logs.both[which]
    mean = SquareLogs(
        log_softmax(kind / (looks + 1)), log_softmax(both / (looks[..., None] + 1), (-2, -1))
    )
    return logs.with_squares(which, mean)


def _coarsest_useful(sighting: Sighting) -> int:
    """Coarsest pyramid level that shows whether the next picture changed."""
    if sighting.doubtful.any():
        return 0
    return straightened_from(sighting.geometry, SMALL_PX)


def _is_unchanged_small(picture: Pyramid, before: Sighting) -> bool:
    """True if nothing changed on a board and nothing is to be read again."""
    if before.doubtful.any():
        return False
    now = straighten_small(picture, before.geometry)
    changed = changed_squares(now, before.small, before.sure, coarse=True)
    return changed is not None and not changed.any()


def _is_series(picture: Pyramid, request: ReadRequest) -> bool:
    """True if boards are expected at their old places in a picture of this size."""
    return (
        request.squares in (SIDE, JOINED_SIDE)
        and bool(request.hint)
        and all(g.size in (request.squares, SIDE) for g in request.hint)
        and request.corners is None
        and not request.part
        and all((g.height, g.width) == picture.shape for g in request.hint)
    )


def _doubtful(logs: SquareLogs) -> NDArray[np.bool_]:
    """Squares about which another picture may tell more."""
    sure_of_letter = logs.letter.max(-1) > np.log(SURE.known)
    tile = logs.kind.argmax(-1) == TILE_KIND
    unsure_of_kind = logs.kind.max(-1) < np.log(SURE.known)
    return np.asarray(unsure_of_kind | (tile & ~sure_of_letter))


def _replace_squares(before: Picture, now: Picture, changed: NDArray[np.bool_]) -> Picture:
    """Comparison picture with changed squares (and the table beside them) replaced."""
    out = before.copy()
    replaced = cv2.dilate(np.pad(changed, 1).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    replaced[1:-1, 1:-1] = changed
    for r, c in np.argwhere(replaced):
        here = np.s_[r * SQUARE_PX : (r + 1) * SQUARE_PX, c * SQUARE_PX : (c + 1) * SQUARE_PX]
        out[here] = now[here]
    return out
