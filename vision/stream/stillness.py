"""Measures how long nothing has moved; changing light is no movement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Picture, Pyramid
from kibitz.engine.parameters import checked, number
from kibitz.vision.frame import size_of_plain_jpeg

Relief = NDArray[np.float32]
"""A small grey picture as contrast against its surroundings; (h, w)."""


@dataclass(frozen=True, slots=True)
class StillnessRule:
    """Thresholds of movement between two pictures of one camera."""

    side_px: int = number(320, "pixels", 32, 4000, "the longer side of the pictures compared")
    fine_side_px: int = number(
        800, "pixels", 32, 4000, "the same for a board of 45 squares, on which a tile is small"
    )
    around_px: int = number(41, "pixels", 3, 401, "light is taken to be even so far around")
    dark: float = number(
        12.0, "grey levels", 0.0, 255.0, "added to what contrast is measured by: noise in the dark"
    )
    step: float = number(
        0.13, "contrast", 0.01, 2.0, "a pixel that changed differs so much; ink differs by 0.5"
    )
    patch_px: int = number(7, "pixels", 1, 101, "smaller than a tile, larger than noise")
    patch_share: float = number(
        0.45, "of a patch", 0.0, 1.0, "where so much of one changed something moved"
    )

    shaken_share: float = number(
        0.01, "of a part", 0.0, 1.0, "where so much of every part changed the camera moved"
    )
    shaken_px: float = number(
        4.0, "pixels", 0.0, 100.0, "a picture that is pushed no further is brought back"
    )
    sure_place: float = number(
        0.3, "phase correlation", 0.0, 1.0, "a quarter of it that fits so well tells how far"
    )
    renewed: int = number(
        100, "pictures", 1, 100000, "while the camera stands still so many are held against one"
    )

    def __post_init__(self) -> None:
        checked(self)


STILLNESS: Final = StillnessRule()
SPARSE: Final = 3
"""Every so many pixels tell whether all of a picture changed."""
_REDUCED = (
    cv2.IMREAD_GRAYSCALE,
    cv2.IMREAD_REDUCED_GRAYSCALE_2,
    cv2.IMREAD_REDUCED_GRAYSCALE_4,
)


def relief_of(
    data: bytes | Picture | Pyramid,
    side_px: int | None = None,
    size: tuple[int, int] | None = None,
) -> Relief:
    """Small picture of local contrast.

    A lamp, a cloud or the camera's own exposure scale whole neighbourhoods, which falls out.

    Args:
        data: a picture file's bytes, which are unpacked at a reduced size, or pixels (h, w, 3),
            or their pyramid.
        side_px: the longer side of the small picture, if not as the rule says.
        size: height and width of the picture that the bytes hold, where that is known.
    """
    side_px = side_px or STILLNESS.side_px
    if isinstance(data, bytes):
        size = size or size_of_plain_jpeg(data)
        halved = 0 if size is None else halvings(max(size), side_px)
        unpacked = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[halved])
        if unpacked is None:
            return np.zeros((0, 0), np.float32)
        size = size or (unpacked.shape[0], unpacked.shape[1])
        grey = np.asarray(unpacked[: size[0] >> halved, : size[1] >> halved], np.uint8)
    else:
        pyramid = data if isinstance(data, Pyramid) else Pyramid(data)
        size = pyramid.shape
        part = pyramid.level(halvings(max(size), side_px))
        grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
    scale = side_px / max(size)
    width, height = (max(1, round(side * scale)) for side in reversed(size))
    small = np.asarray(cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    around = cv2.blur(small, (STILLNESS.around_px, STILLNESS.around_px))
    # not with operators, which want fresh memory for each step
    contrast = cv2.divide(cv2.subtract(cv2.blur(small, (3, 3)), around), around + STILLNESS.dark)
    return np.asarray(contrast, np.float32)


def halvings(longest: int, side_px: int) -> int:
    """Pyramid level that is large enough to detect movement.

    Args:
        longest: its longer side, pixels.
        side_px: the longer side of the small pictures that are compared.
    """
    return next((k for k in (2, 1) if -(-longest >> k) >= side_px), 0)


def moved(
    one: Relief,
    other: Relief,
    where: NDArray[np.uint8] | None = None,
) -> bool:
    """True if something moved between two pictures of one camera.

    Args:
        one: a picture.
        other: another.
        where: (h, w) uint8, 1 where it matters; None: everywhere.
    """
    if one.shape != other.shape or not one.size:
        return True
    changed = (cv2.absdiff(one, other) > STILLNESS.step).astype(np.uint8)
    if where is not None and where.shape == changed.shape:
        changed &= where
    if not changed.any():
        return False
    share = cv2.blur(changed.astype(np.float32), (STILLNESS.patch_px, STILLNESS.patch_px))
    return float(share.max()) > STILLNESS.patch_share


class Steadied:
    """Brings pictures of a camera that shakes, or is held in the hand, to one place."""

    def __init__(self) -> None:
        self._first: Relief | None = None
        self._push: Relief | None = None
        self._looks = 0

    def of(self, relief: Relief) -> Relief:
        """The picture as the camera would show it had it not moved by a little."""
        self._looks += 1
        first = self._first
        stale = self._push is None and self._looks > STILLNESS.renewed
        if first is None or first.shape != relief.shape or not relief.size or stale:
            self._first, self._push, self._looks = relief, None, 0
            return relief
        now = relief if self._push is None else _pushed(relief, self._push)
        if not _moved_everywhere(first, now):
            return now
        push = _push_between(first, relief)
        if push is None:
            self._first, self._push, self._looks = relief, None, 0
            return relief
        if self._push is None and np.abs(push[:2, 2]).max() < 0.1:
            self._first, self._looks = relief, 0
            return relief  # so much moves before a camera that stands still
        # a second look tells the rest of the way
        more = _push_between(first, _pushed(relief, push))
        self._push = push if more is None else push @ more
        return _pushed(relief, self._push)


def _moved_everywhere(one: Relief, other: Relief) -> bool:
    """True if every quarter of a picture changed, and not only where somebody moves."""
    few = np.s_[::SPARSE, ::SPARSE]
    changed = np.abs(one[few] - other[few]) > STILLNESS.step
    y, x = (side // 2 for side in changed.shape)
    parts = changed[:y, :x], changed[:y, x:], changed[y:, :x], changed[y:, x:]
    return all(np.count_nonzero(part) > STILLNESS.shaken_share * part.size for part in parts)


def _push_between(one: Relief, other: Relief) -> Relief | None:
    """The (3, 3) matrix from one picture's places to another's; None where nothing tells it.

    A hand hides one quarter of it; the other three tell how far it was pushed and turned.
    """
    height, width = (side // 2 for side in one.shape)
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    middles, shifts = [], []
    for y, x in ((0, 0), (0, width), (height, 0), (height, width)):
        here = np.s_[y : y + height, x : x + width]
        # OpenCV multiplies what it is given by the window, in place where the size suits it
        shift, sure = cv2.phaseCorrelate(one[here].copy(), other[here].copy(), window)
        if sure >= STILLNESS.sure_place and max(map(abs, shift)) <= STILLNESS.shaken_px:
            middles.append((x + width / 2, y + height / 2))
            shifts.append(shift)
    if len(shifts) < 3:
        return None
    at, off = np.array(middles), np.array(shifts)
    (mx, my), (tx, ty) = at.mean(0), off.mean(0)
    across = np.stack([my - at[:, 1], at[:, 0] - mx], 1)
    turn = float(((off - off.mean(0)) * across).sum() / (across**2).sum())
    rows = [[1, -turn, tx + turn * my], [turn, 1, ty - turn * mx], [0, 0, 1]]
    return np.array(rows, np.float32)


def _pushed(relief: Relief, push: Relief) -> Relief:
    size = relief.shape[1], relief.shape[0]
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(relief, push[:2], size, flags=how, borderMode=cv2.BORDER_REPLICATE)
    )


class StillWatch:
    """Watches one camera for movement.

    Attributes:
        where: (h, w) uint8 mask of what matters, for instance the board; None: everything.
    """

    def __init__(self) -> None:
        self.where: NDArray[np.uint8] | None = None
        self._last: Relief | None = None
        self._first: Relief | None = None
        self._since = 0.0

    def rested(self, at: float) -> float:
        """Seconds without movement at a time, if nothing moves until then."""
        return 0.0 if self._first is None else max(0.0, at - self._since)

    def look(self, relief: Relief, at: float) -> float:
        """Seconds without movement; 0 in the first picture after one.

        Args:
            relief: the picture, see `relief_of`.
            at: when it was taken, in seconds.
        """
        # the first picture of the rest is compared as well: slow things move little at a time
        if self.differs(relief) or at < self._since:
            self._first = relief
            self._since = at
        self._last = relief
        return at - self._since

    def differs(self, relief: Relief) -> bool:
        """True if something moved since the last picture or the first of the rest."""
        last, first = self._last, self._first
        if last is None or first is None:
            return True
        return any(moved(x, relief, self.where) for x in (last, first))
