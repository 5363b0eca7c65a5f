"""Finds tiles that lie on no board: a coarse look, and a closer one where it pays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import Pyramid
from kibitz.engine.parameters import checked, number
from kibitz.models.session import Model
from kibitz.vision.loose.glare import in_glare
from kibitz.vision.loose.words import RULES as WORDS
from kibitz.vision.readings import SURE

STEP_PX: Final = 16
"""The network takes pictures whose sides are multiples of this."""
CELL_PX: Final = 4
"""Pixels to a cell of its maps."""
SIDE_PX: Final = 32
"""It gives a tile's side as the natural log of so many pixels, and of up to 20 times more or
less. Tiles in glare are looked at once more in this size."""


LONGEST_PX: Final = 1216
"""That side of a picture in the closest look at all of it: more takes time and memory."""


@dataclass(frozen=True, slots=True)
class FindParameters:
    """Parameters of the search for tiles."""

    first_part: float = number(
        0.35, "share", 0.01, 1.0, "a first look shrinks a picture's longer side to so much of it"
    )
    first_least_px: int = number(448, "px", 16, 4096, "but to no less")
    first_most_px: int = number(544, "px", 16, 4096, "and to no more")
    wanted_px: float = number(
        22.0, "px", 1.0, 100.0, "how large tiles are made for a closer look, where it pays"
    )
    centre: float = number(
        0.3, "probability", 0.0, 1.0, "what is less likely a tile from afar is looked at closer"
    )
    sure: float = number(0.2, "probability", 0.0, 1.0, "what is less likely a tile is none")
    apart: float = number(
        0.6, "tile sides", 0.1, 1.0, "a tile seen nearer than that to where one lay is that one"
    )
    other_size: float = number(
        2.5, "times", 1.0, 20.0, "what is so much larger or smaller than most tiles is none"
    )

    def __post_init__(self) -> None:
        checked(self)


RULES = FindParameters()

Box = tuple[float, float, float, float]
"""Left, top, right and bottom edge, in pixels of the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Places of tiles, in reading order.

    Attributes:
        where: (N, 4) centre x, y and side in pixels, angle in degrees modulo a quarter turn.
        up: (N,) probability of lying face up.
        sure: (N,) probability of being a tile.
    """

    where: NDArray[np.float64]
    up: NDArray[np.float64]
    sure: NDArray[np.float64]

    def __len__(self) -> int:
        """Number of tiles."""
        return len(self.where)

    def take(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Spots:
        """A subset of the tiles."""
        return Spots(self.where[which], self.up[which], self.sure[which])


def find_tiles(picture: Pyramid, model: Model) -> Spots:
    """Tiles of a picture at a suitable scale, all of about one size.

    Args:
        picture: the photograph.
        model: the loose-tile network.
    """
    return of_one_size(_found(picture, model))


def of_one_size(spots: Spots) -> Spots:
    """Tiles of a plausible common size, near and far on one table; prints are dropped.

    Args:
        spots: what looks like tiles; of few nobody knows which has the right size.
    """
    if len(spots) < SURE.few:
        return spots
    times = spots.where[:, 2] / np.median(spots.where[:, 2])
    return spots.take(np.maximum(times, 1 / times) < RULES.other_size)


def _found(picture: Pyramid, model: Model) -> Spots:
    h, w = picture.shape
    whole = (0.0, 0.0, float(w), float(h))
    longer = max(h, w)
    first_px = np.clip(longer * RULES.first_part, RULES.first_least_px, RULES.first_most_px)
    scale = float(first_px) / longer
    largest = min(LONGEST_PX / longer, 1.0)
    first = look(picture, model, scale, whole, RULES.sure)
    certain = first.take(first.sure > RULES.centre)
    if not len(certain):
        return look(picture, model, largest, whole, RULES.centre)
    side = float(np.median(certain.where[:, 2]))
    closer_at = min(RULES.wanted_px / side, largest)
    if closer_at <= scale:
        return certain
    parts = parts_around(first.where[:, :2], side, w, h)
    closer = _looks(picture, model, closer_at, parts)
    glare = in_glare(picture.level(0), closer.where)
    if glare.any():
        parts = parts_around(closer.where[glare, :2], side, w, h)
        again = _looks(picture, model, min(SIDE_PX / side, largest), parts)
        well = _well_inside(parts, side / 2, w, h)
        closer = _put_together([closer.take(~well(closer)), again.take(well(again))])
    return closer


def _looks(picture: Pyramid, model: Model, scale: float, parts: Sequence[Box]) -> Spots:
    """Tiles in parts of a picture, which may overlap."""
    return _put_together([look(picture, model, scale, part, RULES.sure) for part in parts])


def _well_inside(
    parts: Sequence[Box], edge: float, width: int, height: int
) -> Callable[[Spots], NDArray[np.bool_]]:
    """A test for tiles inside a part of a picture that are not cut off by its edge."""
    boxes = np.array(parts).reshape(-1, 2, 2)
    low = np.where(boxes[:, 0] > 0, boxes[:, 0] + edge, 0)
    high = np.where(boxes[:, 1] < (width, height), boxes[:, 1] - edge, (width, height))

    def well(spots: Spots) -> NDArray[np.bool_]:
        at = spots.where[:, None, :2]
        return np.asarray(((at >= low) & (at <= high)).all(-1).any(-1))

    return well


def _put_together(several: Sequence[Spots]) -> Spots:
    together = Spots(
        np.concatenate([s.where for s in several]),
        np.concatenate([s.up for s in several]),
        np.concatenate([s.sure for s in several]),
    )
    return _in_reading_order(_apart(together))


def parts_around(xy: NDArray[np.float64], side: float, width: int, height: int) -> list[Box]:
    """Few boxes, in pixels, that cover the tiles at some points and their surroundings.

    Boxes are put together where one around both is no larger.

    Args:
        xy: (N, 2) the tiles' centres.
        side: how wide a tile is.
        width: of the picture.
        height: of the picture.
    """
    unit = side / 2
    seen = np.zeros((int(height / unit) + 1, int(width / unit) + 1), np.uint8)
    at = (xy / unit).astype(np.intp)
    seen[np.clip(at[:, 1], 0, seen.shape[0] - 1), np.clip(at[:, 0], 0, seen.shape[1] - 1)] = 1
    # as far as the next tile of a row lies
    near = cv2.dilate(seen, np.ones((2 * round(2 * WORDS.lined_up) + 1,) * 2, np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(near)
    left, top, wide, high = (stats[1:, k].astype(np.float64) for k in range(4))
    boxes = np.stack([left, top, left + wide, top + high], -1) * unit
    boxes = np.clip(boxes, 0, (width, height, width, height))
    while len(boxes) > 1:
        low = np.minimum(boxes[:, None, :2], boxes[None, :, :2])
        high_end = np.maximum(boxes[:, None, 2:], boxes[None, :, 2:])
        area = (boxes[:, 2:] - boxes[:, :2]).prod(-1)
        saved = area[:, None] + area - (high_end - low).prod(-1)
        np.fill_diagonal(saved, -1)
        i, j = np.unravel_index(int(saved.argmax()), saved.shape)
        if saved[i, j] < 0:
            break
        boxes[i] = np.concatenate([low[i, j], high_end[i, j]])
        boxes = np.delete(boxes, j, 0)
    return [(float(a), float(b), float(c), float(d)) for a, b, c, d in boxes]


def look(
    picture: Pyramid,
    model: Model,
    scale: float,
    part: Box,
    sure_from: float,
) -> Spots:
    """Tiles in a part of the picture at one scale.

    Args:
        picture: the photograph.
        model: the loose-tile network.
        scale: the size it is looked at in (0.3: a third of the picture's).
        part: left, top, right and bottom edge of the part in pixels.
        sure_from: the probability from which something counts as a tile.
    """
    # Halving by area is fast and clean; less than half is left to shrink, where a plain resize
    # skips few pixels (one by area would take longer than the network).
    source, level = picture.not_below(scale)
    x0, y0 = int(part[0] * level), int(part[1] * level)
    x1, y1 = (max(low + 1, round(v * level)) for low, v in ((x0, part[2]), (y0, part[3])))
    source = source[y0:y1, x0:x1]
    h, w = source.shape[:2]
    k = scale / level
    size = (max(STEP_PX, round(w * k)), max(STEP_PX, round(h * k)))
    small = cv2.resize(source, size, interpolation=cv2.INTER_LINEAR)
    pad = np.zeros((*(-(-n // STEP_PX) * STEP_PX for n in size[::-1]), 3), np.uint8)
    pad[: size[1], : size[0]] = small
    spots = _peaks(model.run(pad[None])[0], sure_from)
    to_picture = np.array([w / size[0], h / size[1]]) / level
    spots.where[:, :2] = spots.where[:, :2] * to_picture + np.array([x0, y0]) / level
    spots.where[:, 2] *= float(to_picture.mean())
    return _in_reading_order(_apart(spots))


def _peaks(out: NDArray[np.float32], sure_from: float) -> Spots:
    """Local maxima of the network's maps (7, h, w), in its own pixels."""
    heat = out[0]
    i, j = np.nonzero(
        (heat > np.log(sure_from / (1 - sure_from)))
        & (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    )
    at = out[:, i, j].astype(np.float64)
    x, y = (j + 0.5 + at[4]) * CELL_PX, (i + 0.5 + at[5]) * CELL_PX
    side = np.exp(np.clip(at[1], -3, 3)) * SIDE_PX
    angle = np.rad2deg(np.arctan2(at[3], at[2]) / 4)
    where = np.stack([x, y, side, angle], -1)
    return Spots(where, 1 / (1 + np.exp(-at[6])), 1 / (1 + np.exp(-at[0])))


def _apart(spots: Spots) -> Spots:
    """Tiles after non-maximum suppression at half a tile."""
    x, y, side, _ = spots.where.T
    apart = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
    same = apart <= (np.maximum(side[:, None], side) / 2) ** 2
    torn = np.flatnonzero(same.sum(1) > 1)
    gone = np.zeros(len(spots), bool)
    for k in torn[np.argsort(-spots.sure[torn], kind="stable")].tolist():
        if not gone[k]:
            gone |= same[k]
            gone[k] = False
    return spots.take(~gone)


def _in_reading_order(spots: Spots) -> Spots:
    """Tiles in rows one tile high, each from the left."""
    row = np.round(spots.where[:, 1] / np.maximum(1.0, spots.where[:, 2]))
    return spots.take(np.lexsort((spots.where[:, 0], row)))
