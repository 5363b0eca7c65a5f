"""Detects from which side of a board a hand comes, by movement outside its edges.

Where the picture ends at a board's edge, or just beyond it, the arm is looked for just inside.
A hand that works at one edge may reach over the next one too; where two edges are crossed alike,
the arm is what goes on further outside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.engine.parameters import checked, number
from kibitz.engine.tracking.evidence.hypotheses import SIDES
from kibitz.vision.readings import GridReading
from kibitz.vision.stream.stillness import STILLNESS, Relief


@dataclass(frozen=True, slots=True)
class SideRule:
    """When a movement beside a board is an arm."""

    depth_squares: float = number(
        1.5,
        "squares",
        0.1,
        15.0,
        "so far outside an edge an arm is looked for, inside it where the picture ends there",
    )
    least_share: float = number(
        0.04,
        "of a band",
        0.0,
        1.0,
        "so much of the band beside an edge must have changed; a thin arm is a square wide",
    )
    lead: float = number(
        1.5, "times", 1.0, 20.0, "so much more than beside any other edge, or it is not told"
    )
    frames: int = number(2, "pictures", 1, 100, "in so many pictures of one movement at least")
    rests_s: float = number(
        1.0,
        "seconds",
        0.0,
        60.0,
        "an arm that holds still for so long belongs to the table; till then plays wait",
    )

    def __post_init__(self) -> None:
        checked(self)


SIDE: Final = SideRule()

Bands = dict[str, NDArray[np.uint8]]
"""For each side of the picture the band beside the board's edge there: `BESIDE` the board,
`WITHIN` it where the picture ends there, and `FURTHER` outside."""
BESIDE: Final = 1
WITHIN: Final = 2
FURTHER: Final = 3


def bands_beside(
    board: GridReading,
    size: tuple[int, int],
    side_px: int,
    others: Sequence[GridReading] = (),
) -> Bands:
    """Bands outside the four edges of a board, in a small picture.

    Args:
        board: where it lies.
        size: width and height of the whole picture, in pixels.
        side_px: the longer side of the small picture.
        others: boards beside it; what changes on them is no arm beside this one.
    """
    scale = side_px / max(size)
    shape = (max(1, round(size[1] * scale)), max(1, round(size[0] * scale)))
    elsewhere = np.zeros(shape, np.uint8)
    for other in others:
        elsewhere |= _filled(tuple(np.asarray(other.corners_px, float) * scale), shape)
    corners = np.asarray(board.corners_px, float) * scale
    middle = corners.mean(0)
    out: Bands = {}
    for i in range(4):
        a, b = corners[i], corners[(i + 1) % 4]
        away = (a + b) / 2 - middle
        step = away * (2 * SIDE.depth_squares / board.size)
        band = _filled((a, b, b + step, a + step), shape)
        whole = cv2.contourArea(np.asarray([a, b, b + step, a + step], np.float32))
        cut = step * max(0.0, 1.0 - float(band.sum()) / max(whole, 1.0))
        inside = _filled((a, b, b - cut, a - cut), shape)
        band[(inside > 0) & (band == 0)] = WITHIN
        beyond = 2 * step
        outside = _filled((a + step, b + step, b + beyond, a + beyond), shape)
        band[(outside > 0) & (band == 0)] = FURTHER
        band[elsewhere > 0] = 0
        out[side_towards(float(away[0]), float(away[1]))] = band
    return out


def _filled(corners: tuple[NDArray[np.float64], ...], shape: tuple[int, int]) -> NDArray[np.uint8]:
    """(h, w) mask of a quadrilateral, as far as it is in the picture."""
    out = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(out, np.round(corners).astype(np.int32), 1)
    return out


def side_towards(x: float, y: float) -> str:
    """Side of a picture that a direction points to; y grows downwards."""
    if abs(x) > abs(y):
        return SIDES[1] if x > 0 else SIDES[3]
    return SIDES[2] if y > 0 else SIDES[0]


def side_of(rest: Relief, now: Relief, bands: Bands) -> str | None:
    """Side from which something reaches over the board; None if unclear.

    Args:
        rest: the table before it moved.
        now: the table while something moves.
        bands: where arms are looked for.
    """
    if rest.shape != now.shape or not rest.size:
        return None
    changed = _changed(rest, now)
    same = {side: band for side, band in bands.items() if band.shape == changed.shape}
    beside = {
        side: _share(changed, (band == BESIDE) | (band == WITHIN)) or 0.0
        for side, band in same.items()
    }
    crossed = {side: share for side, share in beside.items() if share >= SIDE.least_share}
    if (found := _clearest(beside)) is not None or len(crossed) < 2:
        return found
    further = {side: _share(changed, same[side] == FURTHER) for side in crossed}
    # where the picture ends nothing further can be seen
    return _clearest({s: crossed[s] if x is None else x for s, x in further.items()})


def is_beside(rest: Relief, now: Relief, bands: Bands) -> bool:
    """True if something new lies beside the board; arguments as `side_of`.

    Edges where the picture ends tell nothing: what changes within may be a tile. An arm goes on
    further outside; a tile at the edge only changes what its surroundings are compared with. Both
    bands count as one: an arm's wrist is thinner than its hand.
    """
    if rest.shape != now.shape or not rest.size:
        return False
    changed = _changed(rest, now)
    for band in bands.values():
        if band.shape != changed.shape:
            continue
        if np.count_nonzero(band == BESIDE) <= np.count_nonzero(band == WITHIN):
            continue
        parts = [_share(changed, band == where) for where in (BESIDE, FURTHER)]
        # where the picture ends nothing further can be seen
        if all(part is None or part > 0.0 for part in parts):
            share = _share(changed, (band == BESIDE) | (band == FURTHER))
            if share is not None and share >= SIDE.least_share:
                return True
    return False


def _changed(rest: Relief, now: Relief) -> NDArray[np.bool_]:
    """Mask of new objects, filled between their edges.

    What is of one shade shows against its surroundings at its edges only.
    """
    edges = (cv2.absdiff(rest, now) > STILLNESS.step).astype(np.uint8)
    between = np.ones((STILLNESS.patch_px,) * 2, np.uint8)
    return cv2.morphologyEx(edges, cv2.MORPH_CLOSE, between) > 0


def _share(changed: NDArray[np.bool_], band: NDArray[np.bool_]) -> float | None:
    """Share of a band that changed; None if there is no band."""
    area = int(np.count_nonzero(band))
    return float(np.count_nonzero(changed & band)) / area if area else None


def _clearest(shares: Mapping[str, float]) -> str | None:
    """The side with by far the largest share, if it is large enough; else None."""
    first, *others = sorted(shares, key=lambda s: -shares[s]) or [""]
    second = shares[others[0]] if others else 0.0
    clear = bool(first) and shares[first] >= max(SIDE.least_share, SIDE.lead * second)
    return first if clear else None


class HandWatch:
    """Remembers the side from which the newest movement over a board came."""

    def __init__(self) -> None:
        self._bands: tuple[Bands, ...] = ()
        self._alone = False
        self._rest: Relief | None = None
        self._rest_before: Relief | None = None
        self._newest: Relief | None = None
        self._moved = False
        self._votes: dict[str, int] = {}

    def boards_at(self, *bands: Bands, alone: bool = True) -> None:
        """Set the places of the boards.

        Of several none is asked which side a hand came from: it may cross the edges of another.

        Args:
            bands: those of each board.
            alone: whether no other board lies beside them.
        """
        self._bands, self._alone = bands, alone and len(bands) == 1

    def look(self, relief: Relief, still_s: float) -> None:
        """Take in one picture.

        Args:
            relief: what it shows, see `relief_of`.
            still_s: how many seconds nothing has moved over the board; 0 while something does.
        """
        self._newest = relief
        if still_s >= SIDE.rests_s:
            self._rested(relief)
            return
        self._moved = True
        # what lies still may be what the hand has left there
        if still_s == 0.0 and self._rest is not None and self._alone:
            side = side_of(self._rest, relief, self._bands[0])
            if side is not None:
                self._votes[side] = self._votes.get(side, 0) + 1

    @property
    def there(self) -> bool:
        """True if an arm lies beside a board now that was not there at rest.

        Nor the time before: an arm that rested and left is not there any more.
        """
        rests = [rest for rest in (self._rest, self._rest_before) if rest is not None]
        if not self._moved or self._newest is None or not rests:
            return False
        return any(
            all(is_beside(rest, self._newest, bands) for rest in rests) for bands in self._bands
        )

    def side(self) -> str | None:
        """Side that most pictures since `forget` show; None if too few do."""
        best = max(self._votes, key=lambda s: self._votes[s], default=None)
        return best if best is not None and self._votes[best] >= SIDE.frames else None

    def forget(self) -> None:
        """Forget all movement, as the position was settled."""
        self._votes = {}
        if self._newest is not None and not self.there:
            self._rested(self._newest)

    def _rested(self, relief: Relief) -> None:
        if self._moved:
            self._rest_before = self._rest
        self._rest, self._moved = relief, False
