"""A position at rest before a camera: what was read of it, and whether that is enough."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.app.reading.lines import rows_of, sureness_of
from kibitz.vision.readings import GridReading, PhotoReading
from kibitz.vision.stream.stillness import SIDE_PX

SURE = 0.8
FINE_SIDE_PX = 800
"""For a board of 45 squares a side, on which a tile is small."""
CLOCK = 1e-3
"""Times are compared to the millisecond."""
MARGIN_SQUARES = 0.6
"""How far beyond the board's edge a movement still matters."""


@dataclass(frozen=True, slots=True)
class RestRule:
    """When a position counts as at rest, in seconds of the camera's clock.

    Attributes:
        rest_s: nothing moved for so long; the position is told.
        doubtful_s: the same for a position that may still change: a word that is in no list, a
            hand that rests over the board.
        half_laid_s: the same for tiles that are no play yet but may become one.
        again_s: a position at rest is read again after so long, for what came slowly.
        readings: how many pictures of it are read.
        ahead_s: reading begins so long before `rest_s`, to be ready by then.
        soon_s: who reaches over the board so soon after a play was told may go on with it.
        slower_s: so much longer is waited after a play was told before it was complete, as these
            people fetch their tiles slowly.
        slowest_s: the most that `rest_s` grows to.
        search_s: where no board was found, it is looked for again after so long.
        calm_look_s: once a position was told, frames that come sooner after one that was looked
            at are passed over; a hand stays longer than that.
    """

    rest_s: float = 0.5
    doubtful_s: float = 1.0
    half_laid_s: float = 3.0
    again_s: float = 5.0
    readings: int = 2
    ahead_s: float = 0.15
    search_s: float = 1.0
    calm_look_s: float = 0.2
    soon_s: float = 1.0
    slower_s: float = 0.15
    slowest_s: float = 0.9


@dataclass(frozen=True, slots=True)
class Seen:
    """The text of a reading, to tell whether something changed."""

    text: tuple[str, ...]
    sure: tuple[tuple[bool, ...], ...]

    def differs(self, other: Seen) -> bool:
        """Whether a square that both are sure of is not the same."""
        if [len(t) for t in self.text] != [len(t) for t in other.text]:
            return True
        return any(
            a != b and p and q
            for mine, his, ps, qs in zip(self.text, other.text, self.sure, other.sure, strict=True)
            for a, b, p, q in zip(mine, his, ps, qs, strict=True)
        )


def seen_in(reading: PhotoReading) -> Seen:
    """What a reading says in plain text, square by square."""
    boards = [_seen_on(b) for b in reading.boards]
    text, sure = [t for t, _ in boards], [s for _, s in boards]
    if reading.loose:
        words = sorted(w.text for w in reading.words)
        tiles = sorted(t.letter if t.face_up else "_" for t in reading.loose)
        text += ["".join(tiles), " ".join(words)]
        sure += [(True,) * len(text[-2]), (True,) * len(text[-1])]
    return Seen(tuple(text), tuple(sure))


@lru_cache(maxsize=8)
def _seen_on(board: GridReading) -> tuple[str, tuple[bool, ...]]:
    """The same of one board, which is asked for again and again."""
    return "".join(rows_of(board)), tuple((sureness_of(board) >= SURE).ravel().tolist())


@dataclass(eq=False)
class Rest:
    """One position since the last movement.

    Attributes:
        readings: what was read of it, oldest first.
        done: whether it was told, or is known to be nothing new.
        looked_afresh: whether its board was looked for without regard to where it was.
    """

    readings: list[PhotoReading] = field(default_factory=list)
    done: bool = False
    looked_afresh: bool = False
    _judged: int = 0
    _next_s: float | None = None
    _due: float = 0.0

    def wants(self, still: float, at: float, rule: RestRule) -> bool:
        """Whether the frame at this time should be read."""
        if still < max(0.0, rule.rest_s - rule.ahead_s) - CLOCK:
            return False
        if self.done:
            return at >= self._due
        # once enough was read, only patience is wanting
        again = rule.doubtful_s if self._next_s is None else self._next_s
        return len(self.readings) < rule.readings or still >= again - CLOCK

    def add(self, reading: PhotoReading) -> None:
        """One more reading; if it shows something else, the rest begins anew with it."""
        if self.done:
            self.readings, self.done, self.looked_afresh = self.readings[-1:], False, False
        now = seen_in(reading)
        if self.readings and seen_in(self.readings[-1]).differs(now):
            self.readings, self._judged = [], 0
        self.readings.append(reading)

    def to_judge(self, still: float, rule: RestRule) -> bool:
        """Whether there is enough to judge, and more than was judged already."""
        enough = len(self.readings) >= rule.readings and still >= rule.rest_s - CLOCK
        return not self.done and enough and len(self.readings) != self._judged

    def judged(self, next_s: float) -> None:
        """What was read so far was judged; it is read once more after so many seconds of rest."""
        self._judged, self._next_s = len(self.readings), next_s

    def settle(self, at: float, again_s: float) -> None:
        """It is told, or nothing new; it is read again after a while."""
        self.done = True
        self.readings = self.readings[-1:]
        self._judged = 0
        self._next_s = None
        self._due = at + again_s


def side_for(squares: int | str) -> int:
    """The longer side of the small pictures in which movement is looked for."""
    return FINE_SIDE_PX if squares == 45 else SIDE_PX


def board_mask(reading: PhotoReading, side_px: int = SIDE_PX) -> NDArray[np.uint8] | None:
    """Where in a small picture the boards lie, with a margin; None without any."""
    if not reading.boards:
        return None
    scale = side_px / max(reading.width, reading.height)
    shape = (max(1, round(reading.height * scale)), max(1, round(reading.width * scale)))
    mask = np.zeros(shape, np.uint8)
    for board in reading.boards:
        corners = np.asarray(board.corners_px, float)
        middle = corners.mean(0)
        grown = middle + (corners - middle) * (1 + 2 * MARGIN_SQUARES / board.size)
        cv2.fillConvexPoly(mask, np.round(grown * scale).astype(np.int32), 1)
    return mask
