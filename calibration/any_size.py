"""How many squares a side a board has, and where they lie: told by the lines of its lattice.

The lattice network knows boards of 15 squares a side; lines can be seen on any. Inside a rough
outline the edges along each axis are summed up in strips, and combs of evenly spaced teeth are
laid over them: of all spacings (and a little perspective), the one whose teeth lie on edges and
whose gaps do not. The lattice is then laid on the crossings. Which of its squares are the board
is told by where its lines end: a line that runs on beyond the board is none there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from sys import float_info
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_geometry import (
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    geometry_from_corners,
    rectify,
)
from kibitz.calibration.comb import COMB, CombRule, edges_along
from kibitz.calibration.lattice import fit
from kibitz.calibration.outline import FinderModel, Masks, masks_of, other_outlines, outlines
from kibitz.engine.parameters import checked, number

Floats = NDArray[np.float64]

SMALL_PX: Final = 192
"""How large a picture is shown to the finder where the lattice is known."""
UNITS: Final = 16
"""An outline is so many units a side, whatever the squares in it are."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How much each sign counts that some squares are the board, in nats; fitted on drawn boards.

    A bit of a line is 1 where it is as strong as the lattice's usually are, 0 where there is none.
    """

    border: float = number(0.97, "nats", 0.0, 5.0, "a whole side of bits along its edge")
    outer: float = number(0.85, "nats", 0.0, 9.0, "lines that cross its outermost squares")
    weakest: float = number(1.27, "nats", 0.0, 9.0, "on the side where they are weakest")
    beyond: float = number(2.19, "nats", 0.0, 9.0, "lines that go on beyond: so much against it")
    strongest: float = number(5.19, "nats", 0.0, 9.0, "on the side where they are strongest")
    unlike: float = number(5.61, "nats", 0.0, 20.0, "squares unlike their mirror images: against")
    one_way: float = number(2.78, "nats", 0.0, 20.0, "in the mirror where they are least alike")
    area: float = number(0.3, "nats", 0.0, 5.0, "what the finder takes for a board, a row of it")

    def __post_init__(self) -> None:
        checked(self)


EVIDENCE: Final = Evidence()


@dataclass(frozen=True, slots=True)
class SizeRule:
    """How a lattice of any number of squares is found in an outline, and when it is believed."""

    fewest: int = number(8, "squares", 4, 15, "a smaller board is none")
    most: int = number(24, "squares", 15, 40, "nor is a larger one")
    unit_px: int = number(28, "pixels", 12, 64, "a sixteenth of the outline is so wide")
    strips: int = number(5, "strips", 1, 12, "lines may lean: each is looked at in so many parts")
    softer: float = number(1.6, "times", 0.5, 5.0, "lines that lean look so much wider")
    finer: float = number(1.02, "times", 1.001, 1.2, "spacings are tried in such steps")
    phases: int = number(12, "phases", 4, 40, "and with a first tooth at so many places")
    most_bend: float = number(
        0.24, "of the spacing", 0.0, 0.6, "by so much the spacing may change across the board"
    )
    unlike: float = number(
        1.12, "times", 1.0, 2.0, "the spacings of both axes differ by no more: squares are square"
    )
    lean: int = number(3, "steps", 0, 10, "in each strip spacings may be so many steps others")
    off: float = number(
        3.5, "squares", 0.5, 8.0, "by so much an outline may lie beside the board's edge"
    )
    compared: int = number(
        60, "frames", 1, 10000, "of the likeliest by their lines squares are compared in mirrors"
    )
    going_on: float = number(
        0.33,
        "of the usual",
        0.0,
        1.0,
        "lines so strong beyond an edge are those of squares",
    )
    looks: int = number(2, "looks", 1, 2, "the finder looks so often: near by, and from further")
    beside: float = number(
        0.8, "of a side", 0.0, 1.0, "so much of the squares beyond each side shows: it ends there"
    )
    others: int = number(2, "outlines", 0, 40, "of less likely outlines so many are tried")
    sure: float = number(0.8, "quality", 0.0, 1.0, "what is so good ends the search")
    least: float = number(0.6, "quality", 0.0, 1.0, "what is worse is not believed")
    told_by: Evidence = EVIDENCE
    most_apart: float = number(
        0.17, "squares", 0.02, 0.5, "half of the crossings lie further from a lattice of chance"
    )
    fair_apart: float = number(
        0.05, "squares", 0.0, 0.3, "half of the crossings may lie so far off at no cost"
    )
    fall: float = number(
        2.0, "1 / squares", 0.1, 50.0, "how fast the quality falls as they are further off"
    )
    same: float = number(1.1, "times", 1.0, 1.5, "spacings nearer than that are tried once")
    tries: int = number(4, "spacings", 1, 12, "so many spacings are looked into")
    near: float = number(
        0.3, "squares", 0.05, 0.5, "a crossing lies no further from where it is looked for"
    )
    bit: float = number(0.8, "squares", 0.3, 1.0, "the bit of a line that tells beside a crossing")
    rounds: int = number(4, "rounds", 1, 8, "the lattice is laid on its crossings so often")
    comb: CombRule = COMB

    def __post_init__(self) -> None:
        checked(self)

    @property
    def margin(self) -> float:
        """Units around an outline that are looked at: one of the largest squares."""
        return UNITS / self.fewest


SIZE: Final = SizeRule()


def find_sized(
    picture: Picture | Pyramid,
    finder: FinderModel,
    squares: int | None = None,
    rule: SizeRule = SIZE,
) -> BoardGeometry | None:
    """The board of a picture, whatever its number of squares a side.

    Args:
        picture: the photograph.
        finder: the model for rough outlines.
        squares: how many a side, where that is known.
        rule: how it is looked for.

    Returns:
        Where it lies, the first corner nearest the picture's top left; None where no lattice is
        seen for certain.
    """
    best: BoardGeometry | None = None
    looks: list[Masks] = []
    for quad, look in _outlines(picture, finder, looks, rule):
        g = find_lattice(picture, quad, look, squares, rule)
        if g is not None and (best is None or g.quality > best.quality):
            best = g
        if best is not None and best.quality >= rule.sure:
            break
    return best if best is not None and best.quality >= rule.least else None


def goes_on(picture: Picture | Pyramid, geometry: BoardGeometry, rule: SizeRule = SIZE) -> bool:
    """Whether a board's lines go on beyond its edge: then it has more squares than were found."""
    n, low = geometry.size, -float(AROUND)
    squares = n + 2 * AROUND, n + 2 * AROUND
    side = float(squares[0])
    flat = rectify(picture, geometry, rule.comb.square_px, (low, low), (side, side))
    of_axes = [
        _evened_by(np.asarray(x, np.uint8), rule.comb.square_px, rule)
        for x in (flat, cv2.transpose(flat))
    ]
    x, y = (_lines_told(edges, squares) for edges in of_axes)
    size, first = np.array([n]), np.array([AROUND])
    return bool(_crossing(x, y, size, first, first, 1, squares).max() > rule.going_on)


def _outlines(
    picture: Picture | Pyramid, finder: FinderModel, looks: list[Masks], rule: SizeRule
) -> Iterator[tuple[Points, Masks]]:
    """Rough outlines, the likeliest first, with what the finder says; its looks are noted."""
    for stand_back in (False, True)[: rule.looks]:
        look = masks_of(picture, finder, stand_back=stand_back)
        looks.append(look)
        yield from ((quad, look) for quad in outlines(look)[:2])
    yield from ((quad, looks[0]) for quad in other_outlines(looks)[: rule.others])


def find_lattice(
    picture: Picture | Pyramid,
    quad: Points,
    area: Masks,
    squares: int | None = None,
    rule: SizeRule = SIZE,
) -> BoardGeometry | None:
    """The lattice of a board of any size in a rough outline, as its lines tell.

    Args:
        picture: the photograph.
        quad: (4, 2) the outline's corners, clockwise.
        area: what the finder says.
        squares: how many a side, where that is known.
        rule: how it is looked for.

    Returns:
        Where it lies, with the number of its squares a side and a quality; None if none is seen.
    """
    height, width = picture.shape[0], picture.shape[1]
    outline = geometry_from_corners(quad, UNITS, width, height)
    side = UNITS + 2 * rule.margin
    flat = rectify(picture, outline, rule.unit_px, (-rule.margin, -rule.margin), (side, side))
    edges = [_evened(x, rule) for x in (flat, np.asarray(cv2.transpose(flat), np.uint8))]
    best: BoardGeometry | None = None
    for x, y in _spacings(edges[0], edges[1], rule):
        rough = _laid(outline, *_crossings(x, y, rule), rule)
        found = None if rough is None else _framed(picture, rough, quad, area, squares, rule)
        if found is not None and (best is None or found.quality > best.quality):
            best = found
    return best


def _evened(flat: Picture, rule: SizeRule) -> NDArray[np.float32]:
    """Upright edges of a flattened outline, 1 on average around."""
    edges = edges_along(flat, rule.comb).astype(np.float32)
    reach = 2 * (2 * rule.unit_px) + 1
    usual = cv2.blur(edges, (reach, reach))
    return np.asarray(
        edges / (usual + rule.comb.usual_floor * edges.mean() + float_info.epsilon), np.float32
    )


@dataclass(frozen=True, eq=False)
class _Told:
    """How well combs fit the upright lines of an outline's strips.

    Attributes:
        strength: (sizes, strips) by how many spreads of chance edges are stronger on the teeth of
            a comb of about that many squares than between them.
        at: for each size and strip where the teeth are.
    """

    strength: Floats
    at: list[list[Floats]]


def _told(edges: NDArray[np.float32], rule: SizeRule) -> _Told:
    """Combs laid over the upright edges of a flattened outline."""
    px = rule.unit_px
    low, inner = round(rule.margin * px), UNITS * px
    ends = np.linspace(low, low + inner, rule.strips + 1).round().astype(int)
    profiles = np.stack([edges[a:b].mean(0) for a, b in pairwise(ends)])
    wide = rule.comb.line_width_px * rule.softer
    soft = cv2.GaussianBlur(profiles.astype(np.float32), (9, 1), wide)
    profiles = np.asarray(soft, np.float32)
    strength, at = [], []
    for teeth, mids, on in _combs(rule):
        value = np.subtract(_sampled(profiles, teeth), _sampled(profiles, mids))
        count = on.sum(-1)
        told = (value * on).sum(-1) / count * np.sqrt(count)
        phase = told.argmax(1)
        strength.append(told.max(1))
        at.append(teeth[phase])
    sizes = len(_sizes(rule))
    bends = len(strength) // sizes
    of_size = np.array(strength).reshape(sizes, bends, -1)
    best, spread = np.zeros((sizes, rule.strips)), rule.lean
    places = []
    for k in range(sizes):
        near = slice(max(0, k - spread), k + spread + 1)
        part = of_size[near].reshape(-1, rule.strips)
        best[k] = part.max(0)
        first = near.start * bends
        places.append([at[first + int(part[:, s].argmax())][s] for s in range(rule.strips)])
    return _Told(best, places)


def _spacings(
    of_x: NDArray[np.float32], of_y: NDArray[np.float32], rule: SizeRule
) -> list[tuple[list[Floats], list[Floats]]]:
    """The likeliest places of lines along both axes, whose spacings are about alike."""
    x, y = _told(of_x, rule), _told(of_y, rule)
    sizes = _sizes(rule)
    both = x.strength.sum(1)[:, None] + y.strength.sum(1)[None]
    both[np.abs(np.log(sizes[:, None] / sizes[None])) > np.log(rule.unlike)] = -np.inf
    out: list[tuple[list[Floats], list[Floats]]] = []
    while len(out) < rule.tries and np.isfinite(both.max()):
        i, j = np.unravel_index(both.argmax(), both.shape)
        out.append((x.at[i], y.at[j]))
        near = np.abs(np.log(sizes / np.sqrt(sizes[i] * sizes[j]))) < np.log(rule.same)
        both[np.ix_(near, near)] = -np.inf
    return out


@cache
def _sizes(rule: SizeRule) -> Floats:
    """How many squares a side are tried."""
    count = round(np.log(rule.most / rule.fewest) / np.log(rule.finer))
    return np.asarray(rule.fewest * rule.finer ** np.arange(count + 1))


def _sampled(profiles: NDArray[np.float32], at: Floats) -> Floats:
    """(strips, ...) the profiles at some places, which lie between pixels."""
    where = np.clip(at - 1.0, 0, profiles.shape[1] - 2)
    low = where.astype(int)
    part = where - low
    return np.asarray(profiles[:, low] * (1 - part) + profiles[:, low + 1] * part, np.float64)


@cache
def _combs(rule: SizeRule) -> tuple[tuple[Floats, Floats, Floats], ...]:
    """All combs: teeth, what lies midway between them, and which teeth lie in the outline.

    Each (phases, teeth), in pixels of a flattened outline.
    """
    px = rule.unit_px
    low, inner = rule.margin * px, UNITS * px
    middle = low + inner / 2
    out = []
    for squares in _sizes(rule):
        pitch = inner / squares
        k = np.arange(-int(squares * 0.75) - 1, int(squares * 0.75) + 2)
        for bend in np.linspace(-rule.most_bend, rule.most_bend, 7):
            phase = np.arange(rule.phases)[:, None] / rule.phases
            there, between = ((k + phase + d) * pitch for d in (0.0, 0.5))
            # towards one end lines lie closer: as on a plane that leans back
            teeth, mids = (middle + u + bend * u * u / inner for u in (there, between))
            on = ((teeth > low - pitch / 2) & (teeth < low + inner + pitch / 2)).astype(float)
            out.append((teeth, mids, on))
    return tuple(out)


def _lined_up(at: list[Floats]) -> dict[int, list[tuple[int, float]]]:
    """The teeth of all strips as lines: for each its strips and where it crosses their middles."""
    lines: dict[int, list[tuple[int, float]]] = {}
    first = 0
    for s, teeth in enumerate(at):
        middle = len(teeth) // 2
        if s:
            # the tooth of the strip before that is nearest to this one's middle has its number
            before = at[s - 1]
            first += int(np.abs(before - teeth[middle]).argmin()) - len(before) // 2
        for k, x in enumerate(teeth):
            lines.setdefault(first + k - middle, []).append((s, float(x)))
    return lines


def _crossings(x: list[Floats], y: list[Floats], rule: SizeRule) -> tuple[Points, Points]:
    """Where upright and level lines cross: (N, 2) lattice points, and flattened pixels."""
    lines = []
    for at in (x, y):
        middles = (rule.margin + (np.arange(len(at)) + 0.5) * UNITS / len(at)) * rule.unit_px
        known = {k: v for k, v in _lined_up(at).items() if len(v) > 1}
        lines.append({k: _line(middles, v) for k, v in known.items()})
    lattice, px = [], []
    for i, (a, b) in lines[0].items():  # x = a + b * y
        for j, (c, d) in lines[1].items():  # y = c + d * x
            down = (c + d * a) / (1 - d * b)
            lattice.append((i, j))
            px.append((a + b * down, down))
    return np.array(lattice, float).reshape(-1, 2), np.array(px).reshape(-1, 2)


def _line(middles: Floats, crossed: list[tuple[int, float]]) -> tuple[float, float]:
    """Intercept and slope of a line that crosses the middles of some strips."""
    strips, at = zip(*crossed, strict=True)
    slope, first = np.polyfit(middles[list(strips)], at, 1)
    return float(first), float(slope)


def _laid(
    outline: BoardGeometry, lattice: Points, crossings: Points, rule: SizeRule
) -> BoardGeometry | None:
    """A lattice through crossings in a flattened outline."""
    units = crossings / rule.unit_px - rule.margin
    inside = (np.abs(units - UNITS / 2) < UNITS * 0.55).all(-1)
    if inside.sum() < 16:
        return None
    px = outline.to_px(units[inside])
    h: Any = cv2.findHomography(lattice[inside], px, cv2.RANSAC, 0.25 * outline.square_px)[0]
    if h is None:
        return None
    return BoardGeometry(np.asarray(h, np.float64), 1, outline.width, outline.height)


@dataclass(frozen=True, eq=False)
class _Flat:
    """The edges around a lattice, one number a pixel.

    Attributes:
        x, y: of upright edges, and of level ones with columns and rows exchanged.
        origin: the lattice point of the first pixel's outer corner.
        squares: how many each way.
    """

    x: NDArray[np.float32]
    y: NDArray[np.float32]
    origin: tuple[int, int]
    squares: tuple[int, int]


def _flattened(
    picture: Picture | Pyramid, g: BoardGeometry, quad: Points, rule: SizeRule
) -> _Flat | None:
    """The edges of all that lies in an outline and a little around, along a lattice."""
    there = g.to_lattice(quad)
    if not np.isfinite(there).all():
        return None
    low = np.floor(there.min(0)).astype(int) - OUTSIDE
    high = np.ceil(there.max(0)).astype(int) + OUTSIDE
    w, h = (high - low).tolist()
    if max(w, h) > 2 * rule.most or min(w, h) < rule.fewest:
        return None
    px, origin = rule.comb.square_px, (int(low[0]), int(low[1]))
    flat = rectify(picture, g, px, (float(low[0]), float(low[1])), (float(w), float(h)))
    of_x, of_y = (
        _evened_by(np.asarray(x, np.uint8), px, rule) for x in (flat, cv2.transpose(flat))
    )
    return _Flat(of_x, of_y, origin, (w, h))


OUTSIDE: Final = 3
"""Squares around an outline in which lines are looked for."""


def _evened_by(flat: Picture, px: int, rule: SizeRule) -> NDArray[np.float32]:
    edges = edges_along(flat, rule.comb).astype(np.float32)
    reach = 4 * px + 1
    usual = cv2.blur(edges, (reach, reach))
    even = edges / (usual + rule.comb.usual_floor * edges.mean() + float_info.epsilon)
    return np.asarray(cv2.GaussianBlur(even, (7, 1), rule.comb.line_width_px), np.float32)


def _bits(edges: NDArray[np.float32], squares: tuple[int, int], off: float) -> Floats:
    """(lines, rows) how strong each bit of an upright line is, or of what lies beside it.

    Args:
        edges: upright ones.
        squares: the edges' columns and rows of squares.
        off: how far beside the lines, in squares.
    """
    columns, rows = squares
    px = edges.shape[1] // columns
    near = cv2.dilate(edges, np.ones((1, 3), np.uint8))  # a line may be a pixel off
    at = ((np.arange(columns + 1) + off) * px - 1).round().astype(int).clip(0, edges.shape[1] - 1)
    lines = near[:, at]  # (rows * px, lines)
    edge = max(1, px // 8)
    middle = lines.reshape(rows, px, -1)[:, edge:-edge]
    return np.asarray(middle.mean(1).T, np.float64)


def _on_crossings(
    flat: _Flat, g: BoardGeometry, quad: Points, rule: SizeRule
) -> tuple[BoardGeometry, float]:
    """The lattice fitted to where its lines cross; how far from it half of the crossings lie."""
    px, (w, h) = rule.comb.square_px, flat.squares
    reach = round(rule.near * px)
    steps = np.arange(-reach, reach + 1)
    lattice = np.stack(np.meshgrid(np.arange(w + 1), np.arange(h + 1)), -1).astype(float)
    lattice += flat.origin
    off, weight = np.zeros_like(lattice), np.ones((h + 1, w + 1))
    for axis, edges in ((0, flat.x), (1, flat.y)):
        soft = cv2.blur(edges, (1, round(2 * rule.bit * px)))
        columns, rows = (w, h) if axis == 0 else (h, w)
        down = (np.arange(rows + 1) * px).clip(0, soft.shape[0] - 1)[:, None, None]
        along = (np.arange(columns + 1) * px)[:, None] + steps - 1
        near = soft[down, along.clip(0, soft.shape[1] - 1)[None]]
        best, strong = steps[near.argmax(-1)] / px, near.max(-1)
        off[..., axis] = best if axis == 0 else best.T
        weight *= np.minimum(strong if axis == 0 else strong.T, 4.0)
    inside = cv2.pointPolygonTest
    here = g.to_px(lattice)
    ring = quad.astype(np.float32)[:, None]
    counts = np.array(
        [[inside(ring, (float(x), float(y)), False) >= 0 for x, y in row] for row in here]
    )
    if counts.sum() < 16:
        return g, np.inf
    at = g.to_px(lattice + off)[counts]
    try:
        fitted = fit(at, lattice[counts], weight[counts], g, lens=False)
    except np.linalg.LinAlgError:
        return g, np.inf
    apart = np.linalg.norm(fitted.to_lattice(at) - lattice[counts], axis=1)
    return fitted, float(np.median(apart))


def _framed(
    picture: Picture | Pyramid,
    rough: BoardGeometry,
    quad: Points,
    area: Masks,
    squares: int | None,
    rule: SizeRule,
) -> BoardGeometry | None:
    """A lattice laid on its crossings, and the squares of it that are the board."""
    g, apart = rough, np.inf
    for _ in range(rule.rounds):
        flat = _flattened(picture, g, quad, rule)
        if flat is None:
            return None
        g, apart = _on_crossings(flat, g, quad, rule)
    if apart > rule.most_apart:
        return None
    return _chosen(picture, g, apart, quad, area, squares, rule)


def resized(
    picture: Picture | Pyramid,
    geometry: BoardGeometry,
    finder: FinderModel,
    rule: SizeRule = SIZE,
) -> BoardGeometry | None:
    """The board that a lattice is part of, which was found with a certain number of squares.

    Args:
        picture: the photograph.
        geometry: squares that lie on the board's own, whichever of them they are.
        finder: the model for rough outlines.
        rule: how it is looked for.

    Returns:
        The board with as many squares as its lines tell; None where they do not for certain.
    """
    look = masks_of(picture, finder, px=SMALL_PX)
    for quad in outlines(look)[:1]:
        g = _chosen(picture, geometry, 0.0, quad, look, None, rule)
        if g is not None and g.size != geometry.size:
            # what was fitted to a part is a little off at the far end
            g = _framed(picture, geometry, quad, look, g.size, rule)
        if g is not None and g.quality >= rule.least:
            return g
    return None


def _chosen(
    picture: Picture | Pyramid,
    g: BoardGeometry,
    apart: float,
    quad: Points,
    area: Masks,
    squares: int | None,
    rule: SizeRule,
) -> BoardGeometry | None:
    """The squares of a lattice that are the board; arguments as of `find_lattice`."""
    flat = _flattened(picture, g, quad, rule)
    if flat is None:
        return None
    frames = _frames(g.to_lattice(quad) - flat.origin, flat.squares, squares, rule)
    if not len(frames):
        return None
    worth = _worth(picture, g, flat, frames, area, rule)
    chance = np.exp(worth - worth.max())
    chance /= chance.sum()
    n, x, y = frames[int(chance.argmax())].tolist()
    size = float(chance[frames[:, 0] == n].sum())
    fits = float(np.exp(-max(0.0, apart - rule.fair_apart) * rule.fall))
    origin = np.array([(1, 0, flat.origin[0] + x), (0, 1, flat.origin[1] + y), (0, 0, 1.0)])
    return BoardGeometry(g.homography @ origin, n, g.width, g.height, g.k1, fits * size)


def _frames(
    corners: Points, room: tuple[int, int], squares: int | None, rule: SizeRule
) -> NDArray[np.int64]:
    """What an outline may mean, (N, 3): squares a side, first column and row.

    Args:
        corners: (4, 2) of the outline, in squares.
        room: columns and rows to choose among.
        squares: how many a side, where that is known.
        rule: how many a side a board has.
    """
    w, h = room
    left, top = corners.min(0)
    right, bottom = corners.max(0)
    side = float(np.sqrt(max(0.0, cv2.contourArea(corners.astype(np.float32)))))
    sizes = range(rule.fewest, rule.most + 1) if squares is None else (squares,)
    out = [
        (n, x, y)
        for n in sizes
        if abs(n - side) <= rule.off
        for x in range(w - n + 1)
        if x >= left - rule.off and x + n <= right + rule.off
        for y in range(h - n + 1)
        if y >= top - rule.off and y + n <= bottom + rule.off
    ]
    return np.array(out, np.int64).reshape(-1, 3)


def _worth(
    picture: Picture | Pyramid,
    g: BoardGeometry,
    flat: _Flat,
    frames: NDArray[np.int64],
    area: Masks,
    rule: SizeRule,
) -> Floats:
    """What speaks for each of some frames, (N,) nats."""
    w, h = flat.squares
    n, x, y = frames.T
    upright, level = _lines_told(flat.x, (w, h)), _lines_told(flat.y, (h, w))

    border = sum(_total(upright, x + k, x + k + 1, y, y + n) for k in (0, n)) + sum(
        _total(level, y + k, y + k + 1, x, x + n) for k in (0, n)
    )
    outer, beyond = (_crossing(upright, level, n, x, y, k, (w, h)) for k in (0, 1))
    at = np.stack(np.meshgrid(np.arange(w) + 0.5, np.arange(h) + 0.5), -1) + flat.origin
    found = _summed(_sample(area, g.to_px(at)).T)
    told = rule.told_by
    by_lines = (
        told.border * border / n
        + told.outer * outer.sum(0)
        + told.weakest * outer.min(0)
        - told.beyond * beyond.sum(0)
        - told.strongest * beyond.max(0)
        + told.area * _total(found, x, x + n, y, y + n) / n
    )
    best = np.argsort(-by_lines)[: rule.compared]
    unlike = _unlike(picture, g, flat, frames[best], rule)
    out = np.full(len(frames), -np.inf)
    out[best] = by_lines[best] - told.unlike * unlike.mean(1) - told.one_way * unlike.max(1)
    return out


def _crossing(
    upright: Floats,
    level: Floats,
    n: NDArray[np.int64],
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    out: int,
    squares: tuple[int, int],
) -> Floats:
    """How strong lines are that cross the squares of a ring, on its four sides, (4, N).

    Args:
        upright: sums of the bits of upright lines, see `_lines_told`.
        level: the same of level ones.
        n: squares a side of each frame.
        x: its first column.
        y: its first row.
        out: how many squares outside of its outermost squares the ring lies.
        squares: how many columns and rows there are.
    """
    x0, y0 = np.maximum(x - out, 0), np.maximum(y - out, 0)
    x1, y1 = np.minimum(x + n + out, squares[0]), np.minimum(y + n + out, squares[1])
    sides = (
        _total(level, y0 + 1, y1, x0, x0 + 1),
        _total(level, y0 + 1, y1, x1 - 1, x1),
        _total(upright, x0 + 1, x1, y0, y0 + 1),
        _total(upright, x0 + 1, x1, y1 - 1, y1),
    )
    return np.stack(sides) / (n - 1 + 2 * out)


def _lines_told(edges: NDArray[np.float32], squares: tuple[int, int]) -> Floats:
    """Sums of how strong each bit of the upright lines is, usual ones 1; see `_summed`."""
    line, left, right = (_bits(edges, squares, off) for off in (0.0, -0.4, 0.4))
    columns, rows = squares
    inner = np.s_[columns // 4 : columns - columns // 4, rows // 4 : rows - rows // 4]
    spread = max(float(np.median(line[inner]) - np.median(left[inner])), float_info.epsilon)
    return _summed(np.clip((line - np.maximum(left, right)) / spread, -1.0, 1.0))


def _summed(values: Floats) -> Floats:
    """Sums of all numbers above and left of each place, for `_total`."""
    return np.pad(values.cumsum(0).cumsum(1), ((1, 0), (1, 0)))


def _total(
    sums: Floats,
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    c: NDArray[np.int64],
    d: NDArray[np.int64],
) -> Floats:
    """What the numbers of the rows from `a` to before `b`, columns `c` to before `d`, make."""
    return np.asarray(sums[b, d] - sums[a, d] - sums[b, c] + sums[a, c], np.float64)


def _unlike(
    picture: Picture | Pyramid,
    g: BoardGeometry,
    flat: _Flat,
    frames: NDArray[np.int64],
    rule: SizeRule,
) -> Floats:
    """(N, 3) how far squares are from their mirror images, as a part of what is usual."""
    (w, h), px = flat.squares, CELL_PX
    low = float(flat.origin[0]), float(flat.origin[1])
    small = rectify(picture, g, px, low, (float(w), float(h)))
    lab = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    middles = lab.reshape(h, px, w, px, 3)[:, 2:-2, :, 2:-2]
    cells = np.median(middles.transpose(0, 2, 4, 1, 3).reshape(h, w, 3, -1), -1)
    most = rule.comb.tiles_differ
    out = np.empty((len(frames), 3))
    for k, (n, x, y) in enumerate(frames.tolist()):
        part = cells[y : y + n, x : x + n]
        others = part[::-1], part[:, ::-1], part.swapaxes(0, 1)
        far = [np.minimum(np.linalg.norm(part - o, axis=-1), most).mean() for o in others]
        # moved by a third, a square meets another that is no image of it
        moved = np.roll(part, (n // 3, n // 3 + 1), (0, 1))
        usual = np.minimum(np.linalg.norm(part - moved, axis=-1), most).mean()
        out[k] = np.array(far) / max(float(usual), 1.0)
    return out


AROUND: Final = 2
"""Squares around a board in which lines are looked for that go on."""
CELL_PX: Final = 8
"""So many pixels a side tell a square's colour."""
SURE_AREA: Final = 3.0
"""The finder's log odds count up to so much."""


def _sample(area: Masks, px: Points) -> Floats:
    """The finder's log odds at some pixels, (..., 2) to (...); none where it saw nothing."""
    where = ((px - area.origin) / area.cell_px).astype(int)
    column, row = where[..., 0], where[..., 1]
    high, wide = min(area.height, area.area.shape[0]), min(area.width, area.area.shape[1])
    seen = (column >= 0) & (row >= 0) & (column < wide) & (row < high)
    out = np.zeros(seen.shape)
    out[seen] = np.clip(area.area[row[seen], column[seen]], -SURE_AREA, SURE_AREA)
    return out
