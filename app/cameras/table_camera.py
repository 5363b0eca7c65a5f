"""A table's camera: watches frames, reads positions at rest, and tells the table."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kibitz.app.cameras.load import Load
from kibitz.app.cameras.settling import (
    CLOCK,
    REST,
    Area,
    ReadText,
    Rest,
    RestRule,
    Seen,
    hidden_squares,
    newly_hidden,
    patience_with,
    seen_in,
    side_for,
)
from kibitz.app.common.limits import WAITS
from kibitz.app.reading.frames import (
    KEPT_PX,
    Frame,
    FrameReader,
    check_header,
    decode_frame,
    encode_jpeg,
    encode_kept,
)
from kibitz.app.tables.table import Table
from kibitz.app.wire.lines import LiveLine
from kibitz.app.wire.tables import CameraHealth, Notice, Outlines, Shown
from kibitz.calibration.board_geometry import Pyramid
from kibitz.engine.phrases import phrase
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.tracker import DOUBTFUL, Preview
from kibitz.vision.boards.letters.taught import Taught
from kibitz.vision.frame import Picture, PictureError
from kibitz.vision.readings import GridReading, PhotoReading
from kibitz.vision.request import Corners, ReadRequest
from kibitz.vision.stream.fusing import fused, same_boards
from kibitz.vision.stream.stillness import Relief, Steadied, halvings, relief_of

MOST_WAITING: Final = 3
"""More frames than that wait for no one."""
UNTAUGHT: Final = phrase("None of these letters can be read before they are taught.")
"""The advice at a table none of whose letters can be read."""
HINDERED: Final = {
    "moving": phrase(
        "Nothing could be read for a while, as something keeps moving in the picture: hold hands "
        "and the camera still for a moment, and keep shadows off the table."
    ),
    "covered": phrase(
        "Nothing could be read for a while, as something hides part of the table: take it away."
    ),
}
"""Why nothing usable is seen, and what helps; a picture without a board has its own message."""
SILENT: Final = phrase(
    "The phone or browser that watches sends no pictures any more: wake it, and keep its camera "
    "page open and in front."
)


class CameraBusyError(Exception):
    """Frames come faster than they can be read."""


@dataclass(frozen=True, slots=True)
class Report:
    """Result of one frame; `frame` is the newest one that was read."""

    number: int
    frame: Frame
    settled: bool
    line: LiveLine | None

    def shown(self) -> Shown:
        """The answer to a camera that posts single frames."""
        read = self.frame.read_json(f"frame-{self.number}")
        shape = {"type": "frame", **self._looked(), "read": read, "line": self.line}
        return Shown.model_validate(shape)

    def health(self, dropped: int) -> CameraHealth:
        """The message to the camera's own page; `dropped` frames were passed over."""
        looked = self._looked()
        if self.line is not None:
            looked["line"] = {"status": self.line["status"], "say": self.line["say"]}
        outlined = outlines(self.frame)
        return CameraHealth(type="health", **looked, corners=outlined, dropped=dropped)

    def _looked(self) -> dict[str, Any]:
        frame = self.frame
        out: dict[str, Any] = {"frame": self.number, "settled": self.settled}
        if frame.reading is None:
            out["error"] = Notice(code=frame.code, message=frame.message)
        return {**out, "advice": frame.advice, "health": frame.health}


def outlines(frame: Frame) -> Outlines:
    """Corners of each board that was found, as fractions of the picture's width and height."""
    height, width = frame.pixels.shape
    boards = frame.reading.boards if frame.reading else ()
    return tuple(
        tuple((round(float(x) / width, 4), round(float(y) / height, 4)) for x, y in b.corners_px)
        for b in boards
    )


class TableCamera:
    """Takes the frames of one table, one at a time.

    Args:
        table: what settled positions are told to.
        reader: reads pictures.
        request: what to look for.
        on_frame: called when pages should hear of the camera, from the thread that brought a
            frame.
        rule: when a position counts as at rest.
        camera: how the camera is kept up with.
        number: which of the table's cameras it is, from 0.
        keeps: whether a picture of each position is kept.
        readable: whether letters of the tile set can be told without being taught.

    Attributes:
        newest: what came of the newest frame.
        trouble: why no frames come now, in words; empty while they do.
        unseen: why nothing usable was seen for long, and what helps; empty while something is.
        looks: how many frames were looked at, to see whether something moved.
        load: how many pictures come, and what they cost.
        source: where they come from, in words that name no password.
        pushed: whether they come from a phone or a browser, of which only silence tells that it
            went away; the server says itself why a camera that it opened gives nothing.
        last_trouble: the newest trouble and its time, in seconds since 1970, also if it is over.
    """

    def __init__(
        self,
        table: Table,
        reader: FrameReader,
        request: ReadRequest,
        on_frame: Callable[[], None],
        rule: RestRule = REST,
        number: int = 0,
        *,
        keeps: bool = True,
        readable: bool = True,
    ) -> None:
        self.table = table
        self.number = number
        self.newest: Report | None = None
        self.trouble = self.unseen = ""
        self.looks = 0
        self.load = Load()
        self.source = ""
        self.pushed = False
        self.last_trouble: tuple[str, float] | None = None
        self._reader = reader
        self._request = request
        self._on_frame = on_frame
        self._rule = rule
        self._keeps = keeps
        self._readable = readable
        self._lock = threading.Lock()
        self._waiting = 0
        self._came = time.monotonic()
        self._number = 0
        self._raw: bytes | Picture | None = None
        self._at = self._looked_at = 0.0
        self._passed: list[tuple[bytes | Picture, float]] = []
        self._areas = [Area()]
        self._steadied = Steadied()
        self._places: tuple[tuple[int, ...], tuple[bytes, ...]] | None = None
        self._seq = 0
        self._beat = 0.0
        self._shown = "", "", False
        self._usable_at: float | None = None
        self._hindered = "moving"
        table.camera_looks[number] = self.look_now

    def take(self, data: bytes | Picture, *, stream: bool, at: float | None = None) -> Report:
        """Watch one frame, and tell the table its position once it is at rest.

        Args:
            data: the frame, a picture file's bytes or pixels.
            stream: whether more frames follow by themselves; then it is read only when nothing
                moves, and the table is told only if something changed.
            at: when it was taken, in seconds on the camera's clock; now without it.

        Raises:
            PictureError: the bytes are no picture.
            CameraBusyError: too many frames are waiting.
        """
        if self._waiting >= MOST_WAITING:
            raise CameraBusyError
        self._waiting += 1
        try:
            with self._lock:
                before = self.newest
                now = time.monotonic() if at is None else at
                used = time.thread_time()
                report = self._film(data, now) if stream else self._photograph(data)
                self.load.note(time.thread_time() - used)
                self.newest = report
                self.trouble = ""
                self._note_unseen(report.frame, now)
                known, self._shown = self._shown, (self.trouble, self.unseen, self.is_laid)
        finally:
            self._waiting -= 1
        beat = self._came = time.monotonic()
        changed = before is None or before.settled != report.settled or report.line is not None
        changed = changed or known != self._shown
        if changed or beat - self._beat > REST.search_s:
            self._beat = beat
            self._on_frame()
        return report

    def _note_unseen(self, frame: Frame, at: float) -> None:
        """Note why nothing usable was seen for long."""
        if self._usable_at is None:
            self._usable_at = at
        unseen = at - self._usable_at >= self._rule.blind_s and not self.table.over
        self.unseen = (frame.message or HINDERED[self._hindered]) if unseen else ""

    def _note_usable(self, at: float, *, covered: bool = False) -> None:
        """Note that a look was usable, unless a hand covers what matters."""
        self._hindered = "covered" if covered else "moving"
        self._usable_at = self._usable_at if covered else at

    @property
    def is_laid(self) -> bool:
        """True while a play is being laid and more of it is waited for."""
        return any(area.laying.waits for area in self._areas)

    @property
    def aimed(self) -> bool:
        """True if somebody has marked the board's corners."""
        return self._request.corners is not None

    def aim(self, corners: tuple[tuple[float, float], ...] | None) -> None:
        """Set the board's corners by hand, or with None search for it again.

        Args:
            corners: outer corners as parts of the picture's width and height, row A first.
        """
        self._look_for(corners=corners)

    @property
    def corners(self) -> Corners | None:
        """Corners set by hand, as fractions of the picture's width and height."""
        return self._request.corners

    def read_taught(self, taught: Taught | None) -> None:
        """Read taught tiles from now on; None ends it.

        What lies there now is no play: most likely it is the set that was laid out.
        """
        self._look_for(taught=taught)
        with self._lock:
            reading = self.newest.frame.reading if self.newest is not None else None
            if reading is not None:
                for area in self._areas:
                    area.known = area.of(reading)
                    self._note_known(area, seen_in(area.only(reading), self._rule))

    def _look_for(self, **what: Any) -> None:
        """Change the request, and read the newest frame again."""
        with self._lock:
            self._request = replace(self._request, **what)
            for area in self._areas:
                area.rest, area.known, area.told = Rest(), (), None
            if self.newest is not None:
                before = self.newest.frame
                frame = self._reader.read(before.jpeg, self._request, None, before.pixels)
                if frame.reading is not None:
                    self._watch_boards(frame.reading)
                self.newest = self._report(frame, False, None)
        self._on_frame()

    @property
    def _unreadable(self) -> bool:
        """True if no letter can be read before the tiles are taught."""
        return not self._readable and self._request.taught is None

    def note_trouble(self, trouble: str) -> None:
        """Note why no frames come; pages show it until the next frame."""
        before, self.trouble = self.trouble, trouble
        self.last_trouble = trouble, time.time()
        if trouble != before:  # what pages know already wakes none of them
            self._on_frame()

    def note_silence(self) -> None:
        """Report a phone that has fallen silent while its game goes on."""
        silent = time.monotonic() - self._came >= WAITS.soon_s
        if silent and self.pushed and not (self._waiting or self.trouble or self.table.over):
            self.note_trouble(SILENT)

    def look_now(self, *, ended: bool = False) -> str:
        """Treat a resting position as complete, as somebody ends a turn or speaks of it.

        What moves now, or is partly hidden, is waited for as always; in a room that never rests
        the boards are looked at all the same.

        Args:
            ended: nothing follows, so that nothing is waited for.

        Returns:
            The status of what was told, as in a line of `kibitz replay --json`, or why nothing
            was: `moving`, `covered`, `unreadable`, `no_change`.
        """
        with self._lock:
            raw = self._raw
            if self.newest is None or raw is None or self.trouble:
                return "no_camera"
            if self._looked_at != self._at:
                self._watch(raw, self._at)
            if self._unreadable:
                return "unreadable"
            found = [self._look_at(area, raw, ended=ended) for area in tuple(self._areas)]
        told = [status for status in found if status not in ("moving", "no_change")]
        if told:
            self._on_frame()
        return told[0] if told else min(found)

    def _look_at(self, area: Area, raw: bytes | Picture, *, ended: bool) -> str:
        """Treat what rests in an area as complete; returns the status, as `look_now`."""
        held = area.laying.held
        if held is not None and not area.is_resting:
            self.newest = self._report(held.frame, False, self._tell_held(area, held))
            return held.likely.status
        if not (area.is_resting or area.is_restless or ended):
            return "moving"
        looks = area.looks
        # since it was told something was undone or put right, or people want a second look
        asked, seq = self.table.look_again, self.table.seq
        doubted = area.told is not None and (area.told[1], self._seq) != (asked, seq)
        doubted |= ended
        if looks.done and area.is_resting and not doubted:
            return "no_change"
        if looks.done:
            looks.readings = []  # people doubt what was read
        try:
            frame = self._read(raw, None, area.which)
        except PictureError:
            return "unreadable"
        if frame.reading is None or area not in self._areas:
            return "unreadable"
        area.add(frame.reading, self._at, self._rule)
        reading = self._position(area, frame.reading)
        how = replace(area.how, live=held is not None, asked=True, last=ended)
        likely = self.table.preview(reading, how=how)
        if doubted:  # where it lies, too
            looks.looked_afresh = False
            found = self._look_afresh(area, frame, reading, likely, how)
            frame, reading, likely = found or (frame, reading, likely)
        if not likely.news or likely.status in DOUBTFUL:
            return likely.status
        area.settle(reading, self._at, self._rule)
        line = self._tell_table(frame, reading, how, (area,), likely)
        area.laid = _laid_in(line)
        area.how, area.play_at = Capture(live=True), None
        area.laying.begin_anew()
        self.newest = self._report(frame, True, line)
        return likely.status

    def _photograph(self, data: bytes | Picture) -> Report:
        """Read a single photograph and tell the table at once."""
        frame = self._reader.read(data, self._request, None)
        self._raw = data
        if frame.reading is not None:
            self._watch_boards(frame.reading)
        for area in self._areas:
            area.still_s, area.rest = math.inf, Rest(done=True)
        self._usable_at = None  # a photograph says itself why it cannot be read
        if self._unreadable:
            return self._report(frame, True, None)
        line = self._tell_table(frame, frame.reading, PHOTO, self._areas)
        return self._report(frame, True, line)

    def _film(self, data: bytes | Picture, at: float) -> Report:
        size = check_header(data)[::-1] if isinstance(data, bytes) else None
        self._raw, self._at = data, at
        if self.newest is not None and self._is_calm(at):
            self._passed.append((data, at))
            return self._report(self.newest.frame, self.newest.settled, None)
        pixels = self._unpacked_ahead(data, at, size)
        self._watch(data if pixels is None else pixels, at, size)
        areas, rule, line = self._areas, self._rule, None
        if self.newest is None:
            # the first frame is read at once: it shows where the boards lie
            frame = self._read(data, pixels)
            for area in self._areas if frame.reading is not None else ():
                area.add(frame.reading, at, rule)
            return self._report(frame, False, None)
        frame = self.newest.frame
        for area in areas:
            held = area.laying.held
            if held is not None and area.is_over():
                line, frame = self._tell_held(area, held), held.frame
        due = [area for area in areas if area.is_due(at, rule)]
        if due:
            resting = [a for a in areas if a in due or a.still_s >= rule.rest_s - CLOCK]
            frame = self._read(data, pixels, [k for area in resting for k in area.which])
            for area in resting if self._areas is areas else self._areas:
                area.add(frame.reading, at, rule)
        for area in self._areas:
            if area.looks.to_judge(area.alike_s(at), rule):
                frame, told = self._decide(area, frame, at)
                line = told or line
        done = all(area.looks.done for area in self._areas)
        return self._report(frame, done and frame.reading is not None, line)

    def _watch(
        self, data: bytes | Picture | Pyramid, at: float, size: tuple[int, int] | None = None
    ) -> None:
        """Look for movement in a frame."""
        side = side_for(self._request.squares)
        relief = self._steadied.of(relief_of(data, side, size))
        passed, self._passed = self._passed, []
        if passed and any(area.moves(relief) for area in self._areas):
            # it may have moved in one of the frames that were passed over, and rested since
            for before, then in passed:
                if then != at:  # the same frame is looked at now
                    self._looked(self._steadied.of(relief_of(before, side, size)), then)
        self._looked_at = at
        self.looks += 1
        self._looked(relief, at)
        for area in self._areas:
            area.hands.look(relief, area.still_s)

    def _looked(self, relief: Relief, at: float) -> None:
        for area in self._areas:
            area.look(relief, at, self._rule)

    def _is_calm(self, at: float) -> bool:
        """True if a frame may be skipped: the position is settled and was watched just now."""
        just = 0 <= at - self._looked_at < self._rule.rest_s - CLOCK
        done = all(area.rest.done for area in self._areas)
        return done and just and not self._wanted(at)

    def _wanted(self, at: float) -> bool:
        """True if the frame is to be read unless something moved."""
        return self.newest is None or any(a.wants(at, self._rule) for a in self._areas)

    def _unpacked_ahead(
        self, data: bytes | Picture, at: float, size: tuple[int, int] | None
    ) -> Pyramid | None:
        """Decode a frame that will most likely be read, so that this is done once.

        All of it, unless its position was read already and has only to be seen again: then as
        little as shows that, and what moves.
        """
        if not self._wanted(at):
            return None
        finest = 0
        seen = [a.rest.readings[-1:] for a in self._areas if a.wants(at, self._rule)]
        if size is not None and seen and all(seen):
            enough = min(reading.enough for (reading,) in seen)
            finest = min(enough, halvings(max(size), side_for(self._request.squares)))
        try:
            return decode_frame(data, finest)
        except PictureError:
            return None  # a damaged one is told when it is read

    def _position(self, area: Area, reading: PhotoReading) -> PhotoReading:
        """Reading of all boards: an area's by its latest looks, all others as they are known."""
        return self._among(area, fused(area.looks.readings).boards, reading)

    def _among(
        self, area: Area, boards: Sequence[GridReading], reading: PhotoReading
    ) -> PhotoReading:
        """A reading with these boards in an area, and in all others what is known to lie there."""
        placed = dict(enumerate(reading.boards)) | dict(zip(area.which, boards, strict=False))
        for other in self._areas:
            if other is not area:
                placed |= dict(zip(other.which, other.known, strict=False))
        return replace(reading, boards=tuple(placed.values()), looked=area.which)

    def _decide(self, area: Area, frame: Frame, at: float) -> tuple[Frame, LiveLine | None]:
        """Decide about a position at rest: tell the table, wait, or note that nothing is new.

        The frame is that in which the boards lie right: another one where they were looked for.
        """
        rule, laying, looks = self._rule, area.laying, area.looks
        if self._unreadable or frame.reading is None:
            looks.settle(at, rule.again_s)
            self._note_usable(at)
            return frame, None
        reading = self._position(area, frame.reading)
        mine = area.only(reading)
        seen = seen_in(mine, rule)
        hidden, before = hidden_squares(mine), area.hidden
        if area.told == (seen.text, self.table.look_again):
            area.settle(reading, at, rule)
            self._note_usable(at)
            area.hidden = hidden
            laying.begin_anew()
            area.nothing_laid()
            return frame, None
        there = area.hands.there
        area.how = area.how_seen(seen, at, there=there)
        likely = self.table.preview(reading, how=area.how)
        if laying.held is not None and not likely.in_line:
            self._tell_held(area, laying.held)  # what makes no line with it is the next play
            area.how = area.how_seen(seen, at, there=there)
            likely = self.table.preview(reading, how=area.how)
        if likely.patience:
            found = self._look_afresh(area, frame, reading, likely, area.how)
            if found is not None:
                frame, reading, likely = found
                seen = seen_in(area.only(reading), rule)
        self._note_usable(at, covered=likely.status == "covered")
        # a hand that still is over the board, or an arm beside it, may lay the next tile
        over = (
            likely.status == "covered" or newly_hidden(hidden, before, rule) >= rule.hand_squares
        )
        goes_on = not (over or there) and laying.goes_on(likely, rule)
        patience = patience_with(likely, rule, over=over, there=there, goes_on=goes_on)
        waits = likely.patience or goes_on or (likely.news and (over or there))
        if waits and area.alike_s(at) < patience - CLOCK:
            looks.judged(patience)
            if not (over or there):
                held = laying.held
                if goes_on and (held is None or held.text.text != seen.text):
                    area.hands.forget()
                    area.announced = at  # the next tile is waited for from this one on
                whole = Seen(frame, reading, area.how, seen, likely)
                laying.held = whole if goes_on and not likely.half_laid else None
                laying.waits = goes_on or (likely.half_laid and bool(likely.brought))
            return frame, None
        area.hidden = hidden
        if likely.status == "covered":
            looks.settle(at, rule.again_s)
            return frame, None  # it is told when the hand has gone
        area.settle(reading, at, rule)
        if likely.news:
            line = self._tell_table(frame, reading, area.how, (area,), likely)
            self._learn(area, line, area.how)
            # that something moves at once in a restless room says nothing of who goes on
            area.how, area.play_at = Capture(live=True), None if area.is_restless else at
            area.announced = at
            area.hands.forget()
            laying.begin_anew()
            return frame, line
        self._note_known(area, seen)
        if likely.status == "no_change":
            area.nothing_laid()
        return frame, None

    def _tell_held(self, area: Area, held: Seen) -> LiveLine:
        """Tell a play that was waited with, as its turn is over."""
        area.known = area.of(held.reading)
        reading = self._among(area, area.known, held.reading)
        line = self._tell_table(held.frame, reading, held.how, (area,), held.likely)
        self._learn(area, line, held.how)
        area.how, area.play_at, area.announced = Capture(live=True), None, self._at
        area.laying.begin_anew()
        return line

    def _learn(self, area: Area, line: LiveLine, how: Capture) -> None:
        """Wait longer from now on if a play was extended after it had been told."""
        tiles = _laid_in(line)
        rule = self._rule
        if how.soon and area.laid and area.laid.items() < tiles.items():
            self._rule = replace(rule, rest_s=max(rule.rest_s, rule.doubtful_s))
        area.laid = tiles

    def _look_afresh(
        self, area: Area, frame: Frame, reading: PhotoReading, likely: Preview[Any], how: Capture
    ) -> tuple[Frame, PhotoReading, Preview[Any]] | None:
        """Search for the board anew, once in a rest.

        Where a board was pushed by a row, its old place fits it nearly as well as the true one.
        """
        looks = area.looks
        if looks.looked_afresh:
            return None
        looks.looked_afresh = True
        request = replace(self._request, film=True)
        anew = self._reader.read(frame.jpeg, request, None, frame.pixels)
        if anew.reading is None or len(anew.reading.boards) < len(reading.boards):
            return None  # of two boards it missed one
        found = self._among(area, area.of(anew.reading), anew.reading)
        if same_boards(found, reading):
            return None
        other = self.table.preview(found, how=how)
        # what leaves nothing open is believed first, then what agrees better with what lies there
        before, after = ((not x.patience, x.weight) for x in (likely, other))
        if after < before or (after == before and likely.patience):
            return None
        looks.readings = [area.only(found)]
        self._watch_boards(found)
        return replace(anew, reading=found), found, other

    def _read(
        self,
        data: bytes | Picture,
        pixels: Pyramid | None = None,
        which: Collection[int] | None = None,
    ) -> Frame:
        """Read a frame with the boards where the last one had them, or only some of them."""
        before = self.newest.frame if self.newest else None
        if (
            len(self._areas) == 1
            and before is not None
            and isinstance(data, bytes)
            and before.jpeg == data
            and before.reading is not None
        ):
            return before  # the very same picture reads the same
        frame = self._reader.read(data, self._request, before, pixels, which)
        if frame.reading is not None:
            self._watch_boards(frame.reading)
        return frame

    def _watch_boards(self, reading: PhotoReading) -> None:
        """Watch the boards of a reading for movement, and the table beside them for arms."""
        boards, side_px = reading.boards, side_for(self._request.squares)
        places = (
            (side_px, reading.width, reading.height),
            tuple(b.corners_px.tobytes() for b in boards),
        )
        if places == self._places:
            return
        self._places = places
        apart = self._request.boards > 1 and len(boards) > 1
        parts = [(k,) for k in range(len(boards))] if apart else [tuple(range(len(boards)))]
        if len(parts) != len(self._areas):
            self._areas = [self._areas[0].part(which) for which in parts]
        for area, which in zip(self._areas, parts, strict=True):
            area.which = which
            area.lies(reading, side_px)

    def _tell_table(
        self,
        frame: Frame,
        reading: PhotoReading | None,
        how: Capture,
        areas: Sequence[Area],
        likely: Preview[Any] | None = None,
    ) -> LiveLine:
        picture = encode_kept(frame) if self._keeps else None
        # who hears of the play looks at the picture that shows it
        self.newest = Report(self._number + 1, frame, True, None)
        line = self.table.observe(reading, picture, how=how, preview=likely)
        for area in areas:
            area.told = None
            if reading is not None:
                self._note_known(area, seen_in(area.only(reading), self._rule))
        return line

    def _note_known(self, area: Area, seen: ReadText) -> None:
        """The table knows what was seen of an area, as it stands now."""
        area.told = seen.text, self.table.look_again
        self._seq = self.table.seq

    def _report(self, frame: Frame, settled: bool, line: LiveLine | None) -> Report:
        self._number += 1
        if self._unreadable and UNTAUGHT not in frame.advice:
            frame = replace(frame, advice=(*frame.advice, UNTAUGHT))
        return Report(self._number, frame, settled, line)

    def picture(self, *, overlay: bool) -> bytes | None:
        """The newest frame as JPEG; with `overlay` the newest one that was read, drawn on."""
        from kibitz.vision.overlay import draw_overlay

        report, raw = self.newest, self._raw
        if report is None or raw is None:
            return None
        frame = report.frame
        if overlay and frame.reading is not None:
            return encode_jpeg(draw_overlay(frame.picture, frame.reading), KEPT_PX)
        if isinstance(raw, bytes):
            return raw if raw[:2] == b"\xff\xd8" else encode_jpeg(frame.picture)
        return encode_jpeg(raw)


def _laid_in(line: LiveLine) -> dict[str, str]:
    """Tiles of a line's play, square to letter."""
    play = line["play"]
    return {} if play is None else dict(play["tiles"])
