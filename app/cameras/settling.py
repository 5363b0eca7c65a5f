"""A position at rest before a camera: its readings, and whether they are enough."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.app.cameras.reopening import PATIENCE
from kibitz.app.reading.frames import Frame
from kibitz.app.reading.lines import confidences, rows_of
from kibitz.app.tables.orders import QUICK, SLOW
from kibitz.engine.parameters import as_in, checked, number
from kibitz.engine.table import EMPTY, JOINED_SIDE, Square
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.engine.tracking.evidence.priors import READING
from kibitz.engine.tracking.tracker import DOUBTFUL, Preview
from kibitz.vision.readings import COVERED_KIND, GridReading, PhotoReading
from kibitz.vision.stream.hand_side import SIDE, HandWatch, bands_beside
from kibitz.vision.stream.stillness import STILLNESS, Relief, StillWatch
from kibitz.vision.stream.video import SETTLE

CLOCK: Final = 1e-3
"""Times are compared to the millisecond."""
CARD: Final = "="
"""A bare square that a ship card lies on: laying or moving one is a change too."""


@dataclass(frozen=True, slots=True)
class RestRule:
    """When a position counts as at rest, in seconds of the camera's clock."""

    rest_s: float = number(
        0.4, "seconds", 0.0, 60.0, "nothing moved for so long; the position is told"
    )
    doubtful_s: float = as_in(SETTLE, "still_s")
    """The same for one that may still change: a word in no list, a hand that rests on it; and for
    every one once a play was told too early."""
    half_laid_s: float = number(
        3.0, "seconds", 0.0, 60.0, "the same for tiles that are no play yet but may become one"
    )
    laying_s: float = number(
        5.0, "seconds", 0.0, 60.0, "the same for tiles of a play that comes tile by tile"
    )
    laid_slowly: bool = False
    """True if every play waits for `laying_s`, as people lay it tile by tile."""
    hand_s: float = number(
        10.0,
        "seconds",
        0.0,
        600.0,
        "the same for a play while a hand that came with it stays over it, and for loose tiles "
        "that do not add up",
    )
    hand_squares: int = number(
        2, "squares", 1, 225, "so many that were in sight at rest are hidden under a hand"
    )
    again_s: float = as_in(SETTLE, "again_s")
    readings: int = number(2, "pictures", 1, 20, "so many pictures of a position are read")
    search_s: float = number(
        1.0,
        "seconds",
        0.0,
        60.0,
        "so often a board that was not found is looked for again, and pages hear of a camera that "
        "shows nothing new",
    )
    soon_s: float = number(
        1.0, "seconds", 0.0, 60.0, "who reaches over the board so soon after a play may go on"
    )
    sure: float = as_in(READING, "sure")

    @property
    def blind_s(self) -> float:
        """Seconds without a usable look after which people are told.

        A hand may work for some, and a restless room is then looked at.
        """
        return self.hand_s + self.half_laid_s

    @property
    def ahead_s(self) -> float:
        """Seconds before `rest_s` at which reading begins, so that it is done by then."""
        return (self.readings - 1) / PATIENCE.a_second

    def __post_init__(self) -> None:
        checked(self)


REST: Final = RestRule()


def rule_for(pace: str, usual: RestRule = REST) -> RestRule:
    """When a position counts as at rest among people who lay their tiles so.

    Args:
        pace: one of `PACES`.
        usual: the same at the usual pace.
    """
    if pace == SLOW:
        return replace(usual, laying_s=max(usual.laying_s, usual.hand_s), laid_slowly=True)
    return replace(usual, laying_s=usual.doubtful_s) if pace == QUICK else usual


@dataclass(frozen=True, slots=True)
class ReadText:
    """Text of a reading, to compare it with others."""

    text: tuple[str, ...]
    sure: tuple[tuple[bool, ...], ...]

    def differs(self, other: ReadText) -> bool:
        """True if a square differs of which both readings are sure."""
        if [len(t) for t in self.text] != [len(t) for t in other.text]:
            return True
        return any(
            a != b and p and q
            for mine, his, ps, qs in zip(self.text, other.text, self.sure, other.sure, strict=True)
            for a, b, p, q in zip(mine, his, ps, qs, strict=True)
        )


def seen_in(reading: PhotoReading, rule: RestRule = REST) -> ReadText:
    """Text of a reading, square by square."""
    boards = [_seen_on(b, rule.sure) for b in reading.boards]
    text, sure = [t for t, _ in boards], [s for _, s in boards]
    if reading.loose:
        words = sorted(w.text for w in reading.words)
        tiles = sorted(t.letter if t.face_up else "_" for t in reading.loose)
        text += ["".join(tiles), " ".join(words)]
        sure += [(True,) * len(text[-2]), (True,) * len(text[-1])]
    return ReadText(tuple(text), tuple(sure))


@lru_cache(maxsize=8)
def _seen_on(board: GridReading, sure: float) -> tuple[str, tuple[bool, ...]]:
    """Text and sureness of one board; cached, as it is asked for repeatedly."""
    text = [list(row) for row in rows_of(board)]
    for row, col in (square for marker in board.markers for square in marker.squares):
        text[row][col] = CARD if text[row][col] == EMPTY else text[row][col]
    signs = "".join(x for row in text for x in row)
    return signs, tuple((confidences(board) >= sure).ravel().tolist())


@dataclass(eq=False)
class Rest:
    """Readings of a position since the last movement.

    Attributes:
        readings: what was read of it, oldest first.
        done: whether it was told, or is known to be nothing new.
        looked_afresh: whether its board was looked for without regard to where it was; it stays
            there as long as nothing moves.
    """

    readings: list[PhotoReading] = field(default_factory=list)
    done: bool = False
    looked_afresh: bool = False
    _judged: bool = False
    _next_s: float | None = None
    _due: float | None = None

    def wants(self, still: float, at: float, rule: RestRule) -> bool:
        """True if the frame at this time should be read."""
        if still < max(0.0, rule.rest_s - rule.ahead_s) - CLOCK:
            return False
        if self.done:
            return self._due is None or at >= self._due
        # once enough was read, only patience is wanting
        again = rule.doubtful_s if self._next_s is None else self._next_s
        return len(self.readings) < rule.readings or still >= again - CLOCK

    def add(self, reading: PhotoReading) -> None:
        """Add a reading; if it differs from the last one, the rest begins anew with it."""
        if self.done:
            self.readings, self.done = self.readings[-1:], False
        now = seen_in(reading)
        if self.readings and seen_in(self.readings[-1]).differs(now):
            self.readings = []
        self.readings.append(reading)
        self._judged = False

    def to_judge(self, still: float, rule: RestRule) -> bool:
        """True if there is enough to judge, and more than was judged already."""
        enough = len(self.readings) >= rule.readings and still >= rule.rest_s - CLOCK
        return not self.done and enough and not self._judged

    def judged(self, next_s: float) -> None:
        """Note that the readings were judged; the next is due after so many seconds of rest."""
        self._judged, self._next_s = True, next_s

    def settle(self, at: float, again_s: float) -> None:
        """Mark the position as settled, and schedule a recheck."""
        self.done = True
        self.readings = self.readings[-1:]
        self._next_s = None
        self._due = at + again_s


Hidden = Mapping[tuple[int, int] | int, NDArray[np.float32]]
"""For each board, by its place among those it joins or by its number, how likely something hides
each of its squares, (n, n)."""


def hidden_squares(reading: PhotoReading) -> Hidden:
    """Probability that each square of each board is hidden."""
    return {
        k if b.place is None else b.place: np.exp(b.kind_log_prob[..., COVERED_KIND])
        for k, b in enumerate(reading.boards)
    }


def newly_hidden(now: Hidden, before: Hidden, rule: RestRule = REST) -> int:
    """Number of surely hidden squares that were surely in sight at the last rest.

    A board that was not known then says nothing.
    """
    known = [(x, before[k]) for k, x in now.items() if k in before and before[k].shape == x.shape]
    return sum(int(((x >= rule.sure) & (y <= 1 - rule.sure)).sum()) for x, y in known)


def side_for(squares: int | str) -> int:
    """Longer side, in pixels, of the small pictures in which movement is detected."""
    return STILLNESS.fine_side_px if squares == JOINED_SIDE else STILLNESS.side_px


def board_mask(
    reading: PhotoReading, side_px: int = STILLNESS.side_px
) -> NDArray[np.uint8] | None:
    """Mask of the boards in a small picture, half a square larger; None without a board."""
    if not reading.boards:
        return None
    scale = side_px / max(reading.width, reading.height)
    shape = (max(1, round(reading.height * scale)), max(1, round(reading.width * scale)))
    mask = np.zeros(shape, np.uint8)
    for board in reading.boards:
        corners = np.asarray(board.corners_px, float)
        middle = corners.mean(0)
        grown = middle + (corners - middle) * (1 + 1 / board.size)
        cv2.fillConvexPoly(mask, np.round(grown * scale).astype(np.int32), 1)
    return mask


@dataclass(frozen=True, slots=True)
class Seen:
    """A position at rest, and what it most likely means."""

    frame: Frame
    reading: PhotoReading
    how: Capture
    text: ReadText
    likely: Preview[Any]


@dataclass(eq=False)
class Laying:
    """Tiles that were laid since the last play was told.

    Attributes:
        held: a play that is not told yet, as its player may lay more.
        waits: whether tiles are waited with, which may be more by and by.
        slowly: whether plays come tile by tile at this table: one of them did.
    """

    held: Seen | None = None
    waits: bool = False
    slowly: bool = False
    _tiles: frozenset[tuple[int, Square]] = frozenset()
    _rests: int = 0

    def goes_on(self, likely: Preview[Any], rule: RestRule) -> bool:
        """True if tiles come one by one, so that the same hand may bring more."""
        new = likely.brought
        if more := new - self._tiles:
            # several at once are no next tile: they begin a turn, or end it
            self._rests = self._rests + 1 if len(more) == 1 else 1
        self._tiles = new
        self.slowly |= self._rests + likely.grows > 2
        first = likely.alone and not likely.half_laid and (self.slowly or not likely.sound)
        slow = rule.laid_slowly or self._rests > 1 or first
        return bool(new) and (slow or (likely.grows and likely.alone))

    def begin_anew(self) -> None:
        """Forget tiles that are waited with, as the table knows what lies there."""
        self.held, self._tiles, self._rests, self.waits = None, frozenset(), 0, False


def patience_with(
    likely: Preview[Any], rule: RestRule, *, over: bool, there: bool, goes_on: bool
) -> float:
    """Seconds of rest to wait before a doubtful or growing position is told.

    Args:
        likely: what it most likely means.
        rule: how long people are waited for.
        over: whether a hand hides tiles.
        there: whether an arm lies beside the board.
        goes_on: whether the play may go on.
    """
    patience = rule.half_laid_s if likely.half_laid else rule.doubtful_s
    if likely.hidden or (over and likely.news and likely.status not in DOUBTFUL):
        patience = max(patience, rule.hand_s)
    if goes_on:
        patience = max(patience, rule.laying_s)
    # an arm, until it belongs to the table
    return max(patience, SIDE.rests_s) if there else patience


@dataclass(eq=False)
class Area:
    """Part of the view that rests and is judged by itself: all of it, or one of two boards.

    Attributes:
        which: the numbers of its boards in a reading.
        known: these boards as they lay when they were told, or were known to be nothing new.
        told: their text then, and how often people had asked for another look by then.
        hidden: how likely something hid each of their squares then.
        hands: from which side a hand comes.
        rest: what was read since something moved there.
        laying: the tiles since the last play there was told.
        how: how the next picture of it is taken in.
        still_s: for how long nothing has moved there; 0 while something does.
        is_restless: whether something has moved for so long that no rest is waited for any more.
        play_at: when its last play was told, until something moves.
        announced: when its last play was told, or a tile of the next was waited with.
        laid: the tiles of its last play.
    """

    which: tuple[int, ...] = ()
    known: tuple[GridReading, ...] = ()
    told: tuple[tuple[str, ...], int] | None = None
    hidden: Hidden = field(default_factory=dict)
    hands: HandWatch = field(default_factory=HandWatch)
    rest: Rest = field(default_factory=Rest)
    laying: Laying = field(default_factory=Laying)
    how: Capture = field(default_factory=lambda: Capture(live=True))
    still_s: float = 0.0
    is_restless: bool = False
    play_at: float | None = None
    announced: float | None = None
    laid: Mapping[str, str] = field(default_factory=dict)
    _watch: StillWatch = field(default_factory=StillWatch)
    _rested_at: float | None = None
    _glimpsed: Rest = field(default_factory=Rest)
    _agree_since: float = 0.0
    _glimpse_due: float = 0.0

    @property
    def is_resting(self) -> bool:
        """True if nothing has moved there since the last picture."""
        return self.still_s > 0.0

    @property
    def looks(self) -> Rest:
        """The readings that count: of its rest, or of a room that never rests."""
        return self._glimpsed if self.is_restless else self.rest

    def of(self, reading: PhotoReading) -> tuple[GridReading, ...]:
        """Its boards in a reading."""
        return tuple(reading.boards[k] for k in self.which)

    def only(self, reading: PhotoReading) -> PhotoReading:
        """A reading without other boards."""
        whole = len(self.which) == len(reading.boards)
        return reading if whole else replace(reading, boards=self.of(reading))

    def part(self, which: tuple[int, ...]) -> Area:
        """A new area of some boards, where nothing has moved for as long as here."""
        watch = copy(self._watch)
        return Area(which, still_s=self.still_s, _watch=watch, _rested_at=self._rested_at)

    def lies(self, reading: PhotoReading, side_px: int) -> None:
        """Watch its boards in a reading for movement, and the table beside them for arms."""
        mine, boards = self.of(reading), reading.boards
        self._watch.where = board_mask(self.only(reading), side_px)
        size = reading.width, reading.height
        around = [(b, [x for x in boards if x is not b]) for b in mine]
        bands = (bands_beside(b, size, side_px, others) for b, others in around)
        self.hands.boards_at(*bands, alone=len(boards) == 1)

    def moves(self, relief: Relief) -> bool:
        """True if something moved there since the last picture."""
        return self._watch.differs(relief)

    def look(self, relief: Relief, at: float, rule: RestRule) -> None:
        """Look for movement in a picture that was taken at a time."""
        self.still_s = self._watch.look(relief, at)
        # a rest that ends too soon for what is in doubt is none
        rested = self.still_s >= rule.doubtful_s - CLOCK or (self.is_resting and self.rest.done)
        if self._rested_at is None or rested:
            self._rested_at, self._glimpsed = at, Rest()
        rests = self.still_s >= rule.rest_s - CLOCK
        self.is_restless = not rests and at - self._rested_at >= rule.hand_s
        if not self.is_resting:
            self.rest = Rest()
            if self.play_at is not None:
                soon = 0 <= at - self.play_at < rule.soon_s
                self.how, self.play_at = Capture(live=True, soon=soon), None

    def wants(self, at: float, rule: RestRule) -> bool:
        """True if a picture of this time is to be read unless something moved."""
        return self.rest.wants(self._watch.rested(at), at, rule)

    def is_due(self, at: float, rule: RestRule) -> bool:
        """True if the picture of this time, which was looked at, is to be read.

        Leaves' shadows, a fan, a clock in a corner or a hand-held camera always move; the boards
        may be seen well all the same.
        """
        return at >= self._glimpse_due if self.is_restless else self.wants(at, rule)

    def add(self, reading: PhotoReading | None, at: float, rule: RestRule) -> None:
        """Take in what was read in the picture of this time."""
        if self.is_restless:
            self._glimpse_due = at + rule.doubtful_s
        if reading is not None:
            self.looks.add(self.only(reading))
        elif self.is_restless:
            self._glimpsed = Rest()
        else:
            self.rest.settle(at, rule.search_s)
        if len(self._glimpsed.readings) <= 1:
            self._agree_since = at

    def alike_s(self, at: float) -> float:
        """For how long it has looked the same, in seconds."""
        return at - self._agree_since if self.is_restless else self.still_s

    def settle(self, reading: PhotoReading, at: float, rule: RestRule) -> None:
        """Note that its boards are known as they lie in a reading."""
        self.looks.settle(at, rule.again_s)
        self.known = self.of(reading)

    def is_over(self) -> bool:
        """True if another hand comes while a play is waited with: its turn is over."""
        held = self.laying.held
        if held is None or self.is_resting or self.is_restless:
            return False
        side = self.hands.side()
        return side is not None and held.how.side not in (None, side)

    def how_seen(self, seen: ReadText, at: float, *, there: bool) -> Capture:
        """Capture of a position at rest: hand, side, and the pause since the last play or tile."""
        held = self.laying.held
        if held is not None and held.text.text == seen.text:
            return held.how
        pause = self.how.pause_s
        if self.announced is not None and at >= self.announced:
            pause = at - self.announced
        side = self.hands.side() or (held.how.side if held is not None else None)
        return replace(self.how, side=side, hand=there, pause_s=pause)

    def nothing_laid(self) -> None:
        """Forget a hand that laid nothing, so that the next play is not attributed to it."""
        if not self.hands.there:
            self.hands.forget()
