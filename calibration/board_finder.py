"""Finding boards in a picture: a learnt mask, a quadrilateral around it, a lattice inside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import (
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    geometry_from_corners,
)
from calibration.comb import find_lines, flattened, settle_on_lines, symmetric_shift
from calibration.lattice import LatticeModel, fit, refine, reframed

FinderModel = Callable[[NDArray[np.uint8]], NDArray[np.float32]]
"""(N, 320, 320, 3) pictures to (N, 2, 80, 80) logits: playing area, inner part."""

INPUT_PX = 320
MASK_PX = 80
CERTAIN_QUALITY = 0.9
"""A lattice that fits so well is laid on the lines once more only for a clear gain."""
MIN_QUALITY = 0.5
SPECK = 0.04
"""Inner parts so much smaller than the largest are no boards beside it."""
SURE_QUALITY = 0.8


class BoardNotFound(Exception):
    """No board could be found in a picture."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def letterbox(
    picture: Picture | Pyramid, box: tuple[int, int, int, int] | None = None
) -> tuple[Picture, float]:
    """The picture (or a part: x0, y0, x1, y1) shrunk into the top left of a square.

    Returns:
        (320, 320, 3) and the number of input pixels for each picture pixel.
    """
    pyramid = picture if isinstance(picture, Pyramid) else Pyramid(picture)
    height, width = pyramid.shape
    x0, y0, x1, y1 = box or (0, 0, width, height)
    scale = INPUT_PX / max(x1 - x0, y1 - y0)
    w, h = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
    source, level = pyramid.nearest(min(1.0, scale * 1.45))
    part = source[
        round(y0 * level) : max(round(y1 * level), round(y0 * level) + 1),
        round(x0 * level) : max(round(x1 * level), round(x0 * level) + 1),
    ]
    out = np.zeros((INPUT_PX, INPUT_PX, 3), np.uint8)
    out[:h, :w] = cv2.resize(
        part, (w, h), interpolation=cv2.INTER_AREA if scale < level else cv2.INTER_LINEAR
    )
    return out, scale


def quadrilateral(points: Points) -> Points | None:
    """The four-sided figure that hugs a convex hull: the cheapest side goes until four are left.

    Args:
        points: (N, 2).

    Returns:
        (4, 2) clockwise in the picture, or None where there is none.
    """
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    hull = (
        cv2.approxPolyDP(hull.astype(np.float32).reshape(-1, 1, 2), 0.6, True)
        .reshape(-1, 2)
        .astype(np.float64)
    )
    corners = list(hull)
    while len(corners) > 4:
        best: tuple[float, int, Points] | None = None
        n = len(corners)
        for i in range(n):
            a, b, c, d = corners[i - 1], corners[i], corners[(i + 1) % n], corners[(i + 2) % n]
            meet = _intersection(a, b, c, d)
            if meet is None:
                continue
            u, v = meet - b, c - b
            extra = abs(float(u[0] * v[1] - u[1] * v[0])) / 2
            if best is None or extra < best[0]:
                best = (extra, i, meet)
        if best is None:
            return None
        _, i, meet = best
        corners[i] = meet
        del corners[(i + 1) % len(corners)]
    if len(corners) < 4:
        return None
    quad = np.array(corners)
    if cv2.contourArea(quad.astype(np.float32), oriented=True) < 0:
        quad = quad[::-1].copy()
    return quad


def _intersection(a: Points, b: Points, c: Points, d: Points) -> Points | None:
    """Where line a-b, prolonged beyond b, meets line d-c, prolonged beyond c."""
    r, s = b - a, c - d
    cross = r[0] * s[1] - r[1] * s[0]
    if abs(cross) < 1e-9:
        return None
    t = ((d[0] - a[0]) * s[1] - (d[1] - a[1]) * s[0]) / cross
    u = ((d[0] - a[0]) * r[1] - (d[1] - a[1]) * r[0]) / cross
    if t < 1 or u < 1:
        return None
    return np.asarray(a + t * r)


def _worth_inside(quad: Points, gain: NDArray[np.float32]) -> float:
    """The sum of what the cells inside are worth."""
    inside = np.zeros(gain.shape, np.float32)
    cv2.fillConvexPoly(inside, ((quad - 0.5) * 16).astype(np.int32), 1.0, shift=4)
    return float(np.dot(inside.ravel(), gain.ravel()))


def settle_quad(quad: Points, gain: NDArray[np.float32]) -> Points:
    """Move corners until the quadrilateral holds most of the area and least of the rest.

    Narrow leaks of the mask, which pull a hull outwards, do not pay for what else they would take
    in.

    Args:
        quad: (4, 2) in mask cells.
        gain: (h, w) what each cell is worth inside: its probability less a half.
    """
    size = gain.shape[::-1]

    def worth(q: Points) -> float:
        return _worth_inside(q, gain)

    best, value = quad.copy(), worth(quad)
    step = 4.0
    while step >= 0.4:
        better = False
        moves = [
            (i, d)
            for i in range(4)
            for d in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step))
        ]
        for i, d in moves:
            # A corner alone, and the side that starts at it.
            for others in ((), ((i + 1) % 4,)):
                trial = best.copy()
                trial[[i, *others]] += d
                new = worth(trial)
                if (
                    new > value + 1e-6
                    and cv2.isContourConvex(trial.astype(np.float32))
                    and np.abs(trial).max() <= 1.6 * max(size)
                ):
                    best, value, better = trial, new, True
        if not better:
            step /= 2
    return best


def _from_inner(core: NDArray[np.uint8]) -> Points | None:
    """The outer corners that the inner part implies: it leaves out 2.2 squares on each side."""
    contours, _ = cv2.findContours(core, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    edge = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float64) + 0.5
    quad = quadrilateral(edge) if len(edge) >= 8 else None
    if quad is None:
        return None
    src = np.array([(2.2, 2.2), (12.8, 2.2), (12.8, 12.8), (2.2, 12.8)], np.float32)
    m = cv2.getPerspectiveTransform(src, quad.astype(np.float32))
    outer = np.array([[(0, 0), (15, 0), (15, 15), (0, 15)]], np.float32)
    out = cv2.perspectiveTransform(outer, m)[0].astype(np.float64)
    return out if np.isfinite(out).all() and np.abs(out).max() < 400 else None


def propose(
    picture: Picture | Pyramid,
    model: FinderModel,
    box: tuple[int, int, int, int] | None = None,
    *,
    stand_back: bool = False,
) -> list[Points]:
    """Rough outer corners of playing areas, (4, 2) pixels each, clockwise, largest first.

    Args:
        picture: the photograph.
        model: the finder.
        box: only this part of the picture, x0, y0, x1, y1.
        stand_back: show the picture smaller, with a surround: for boards that fill it.
    """
    reduced, scale = letterbox(picture, box)
    shape = picture.shape
    x0, y0 = (float(box[0]), float(box[1])) if box else (0.0, 0.0)
    bw, bh = ((box[2] - box[0]), (box[3] - box[1])) if box else (shape[1], shape[0])
    right, bottom = bw * scale, bh * scale
    if stand_back:
        part = reduced[: max(1, round(bottom)), : max(1, round(right))]
        small = cv2.resize(part, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
        edge = np.concatenate([small[0], small[-1], small[:, 0], small[:, -1]])
        reduced = np.empty_like(reduced)
        reduced[:] = np.median(edge, axis=0)
        lead = round(0.15 * INPUT_PX)
        reduced[lead : lead + small.shape[0], lead : lead + small.shape[1]] = small
        x0, y0, scale = x0 - lead / (0.7 * scale), y0 - lead / (0.7 * scale), 0.7 * scale
        right = bottom = float(INPUT_PX)
    logits = model(reduced[None])[0]
    area, inner = logits[0], logits[1]
    _, cores = cv2.connectedComponents(
        cv2.morphologyEx((inner > 0).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    )
    found: list[tuple[float, Points]] = []
    sizes = np.bincount(cores.ravel())[1:]
    real = [k for k, size in enumerate(sizes, 1) if size >= max(9, SPECK * sizes.max())]
    any_core = np.isin(cores, real)
    for k in real:
        core = (cores == k).astype(np.uint8)
        # Each cell of the area belongs to its nearest core.
        mine = cv2.distanceTransform(1 - core, cv2.DIST_L2, 3)
        others = (any_core & (cores != k)).astype(np.uint8)
        theirs = (
            cv2.distanceTransform(1 - others, cv2.DIST_L2, 3)
            if others.any()
            else np.full_like(mine, 1e6)
        )
        gain = (1 / (1 + np.exp(-area)) - 0.5).astype(np.float32)
        gain[mine > theirs] = -0.5
        # Beyond the picture's edge nothing is known: little is lost there, and nothing won.
        gain[int(np.ceil(bottom / 4)) :, :] = -0.12
        gain[:, int(np.ceil(right / 4)) :] = -0.12
        quad = _one_quad(core, gain)
        if quad is not None:
            found.append((float(core.sum()), quad * 4 / scale + (x0, y0)))
    found.sort(key=lambda f: -f[0])
    return [_first_corner_top_left(q) for _, q in found]


def _one_quad(core: NDArray[np.uint8], gain: NDArray[np.float32]) -> Points | None:
    """The best quadrilateral around one inner part, in mask cells."""
    mask = cv2.morphologyEx(
        (gain > 0.1).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)
    )
    count, parts = cv2.connectedComponents(mask)
    starts = [_from_inner(core)]
    if count > 1:
        votes = np.bincount(parts[core > 0].ravel(), minlength=count)
        votes[0] = 0
        part = (parts == int(votes.argmax())).astype(np.uint8)
        if votes.any():
            contours, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            edge = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float64) + 0.5
            if len(edge) >= 12:
                starts.append(quadrilateral(edge))
                starts.append(
                    cv2.boxPoints(cv2.minAreaRect(edge.astype(np.float32))).astype(np.float64)
                )
    quads = [q for q in starts if q is not None and cv2.isContourConvex(q.astype(np.float32))]
    if not quads:
        return None

    quad = settle_quad(max(quads, key=lambda q: _worth_inside(q, gain)), gain)
    if cv2.contourArea(quad.astype(np.float32), oriented=True) < 0:
        quad = quad[::-1].copy()
    return quad


def _first_corner_top_left(quad: Points) -> Points:
    return np.roll(quad, -int(np.argmin(quad.sum(1))), axis=0)


def find_boards(
    picture: Picture | Pyramid, finder: FinderModel, lattice: LatticeModel
) -> list[BoardGeometry]:
    """All 15x15 boards in a picture, from left to right, then top to bottom.

    The first corner is the one nearest the picture's top left: which edge is row A is for the
    tiles to tell.

    Raises:
        BoardNotFound: there is none; the reason says what was seen.
    """
    found: list[BoardGeometry] = []
    best = 0.0
    for stand_back in (False, True):
        for quad in propose(picture, finder, stand_back=stand_back):
            g = _settled(picture, quad, finder, lattice)
            best = max(best, g.quality)
            if (
                g.quality >= MIN_QUALITY
                and g.square_px >= 4
                and not any(_same(g, f) for f in found)
            ):
                found.append(g)
        if any(g.quality >= SURE_QUALITY for g in found):
            break
    if not found:
        raise BoardNotFound(
            "nothing in the picture looks like a board"
            if best == 0.0
            else f"something looks like a board but its lattice does not fit (quality {best:.2f})"
        )
    return in_reading_order(found)


def _settled(
    picture: Picture | Pyramid, quad: Points, finder: FinderModel, lattice: LatticeModel
) -> BoardGeometry:
    """The lattice in a proposed quadrilateral; where it does not fit, from a look closer by."""
    height, width = picture.shape[0], picture.shape[1]
    g = _on_its_lines(
        picture, refine(picture, geometry_from_corners(quad, 15, width, height), lattice), lattice
    )
    if g.quality >= SURE_QUALITY:
        return g
    lo, hi = quad.min(0), quad.max(0)
    pad = 0.35 * (hi - lo)
    x0, y0 = np.maximum(lo - pad, 0).astype(int)
    x1, y1 = np.minimum(hi + pad, (width, height)).astype(int)
    if x1 - x0 < 40 or y1 - y0 < 40:
        return g
    for again in propose(picture, finder, (int(x0), int(y0), int(x1), int(y1)))[:1]:
        h = refine(picture, geometry_from_corners(again, 15, width, height), lattice)
        g = h if h.quality > g.quality else g
    return g


def _on_its_lines(
    picture: Picture | Pyramid, geometry: BoardGeometry, lattice: LatticeModel
) -> BoardGeometry:
    """The geometry moved to where the board's lines are, if it lies beside them.

    Of the frame as it is, the comb's and the comb's fitted once more, the one whose lines stand
    out most is kept: the net alone falls back to the frame that misled it.
    """
    if geometry.quality < 0.15:
        return geometry
    first = geometry
    flat = flattened(picture, geometry)
    lines = find_lines(flat)
    for _ in range(3):
        frame = lines.better_frame()
        if frame is None:
            break
        combed = reframed(geometry, frame)
        fitted = refine(picture, combed, lattice, rounds=1, alone=False)
        tried = [(find_lines(f), f, g) for g in (combed, fitted) for f in (flattened(picture, g),)]
        best, its_flat, moved = max(tried, key=lambda x: x[0].strength)
        if best.strength < 1.03 * lines.strength:
            break
        # A frame that the comb set keeps the quality of the fit it comes from.
        quality = max(geometry.quality, fitted.quality)
        lines, flat, geometry = best, its_flat, replace(moved, quality=quality)
    dx, dy = symmetric_shift(flat)
    if (dx, dy) != (0, 0):
        shifted = reframed(geometry, (dx, dy, 15.0 + dx, 15.0 + dy))
        # Lines must be there too: a mirror alone may be a rim's.
        its_flat = flattened(picture, shifted)
        if find_lines(its_flat).strength >= 0.8 * lines.strength:
            flat, geometry = its_flat, replace(shifted, quality=geometry.quality)
    certain = geometry is first and geometry.quality >= CERTAIN_QUALITY
    settled = settle_on_lines(flat, geometry, 1.04 if certain else 1.0)
    # The net is the finer judge where both agree about which lines are meant.
    return settled if geometry is not first or _apart(settled, geometry) > 0.25 else geometry


def in_reading_order(boards: list[BoardGeometry]) -> list[BoardGeometry]:
    """From left to right, then top to bottom."""
    return sorted(
        boards,
        key=lambda g: (
            round(float(g.corners_px[:, 0].mean()) / max(1.0, g.square_px * 8)),
            float(g.corners_px[:, 1].mean()),
        ),
    )


def _same(a: BoardGeometry, b: BoardGeometry) -> bool:
    gap = np.linalg.norm(a.corners_px.mean(0) - b.corners_px.mean(0))
    return bool(gap < 7 * min(a.square_px, b.square_px))


def find_joined(
    picture: Picture | Pyramid, finder: FinderModel, lattice: LatticeModel
) -> tuple[BoardGeometry, list[BoardGeometry]]:
    """A 45x45 area of nine joined boards: the whole, and its nine panels row by row.

    Each panel is fitted by itself, for boards that do not line up perfectly.

    Raises:
        BoardNotFound: there is none.
    """
    height, width = picture.shape[0], picture.shape[1]
    best: tuple[float, BoardGeometry, list[BoardGeometry]] | None = None
    quads = [*propose(picture, finder)[:2], *propose(picture, finder, stand_back=True)[:1]]
    for quad in quads:
        whole = geometry_from_corners(quad, 45, width, height)
        panels: list[BoardGeometry] = []
        for _ in range(3):
            panels = [
                refine(picture, panel_of(whole, k), lattice, rounds=1, alone=False)
                for k in range(9)
            ]
            whole = join(whole, panels)
        quality = float(np.mean([p.quality for p in panels]))
        # A panel that does not fit by itself keeps its place in the whole.
        kept = [
            p if p.quality >= 0.6 and _apart(p, panel_of(whole, k)) < 0.45 else panel_of(whole, k)
            for k, p in enumerate(panels)
        ]
        if best is None or quality > best[0]:
            best = (quality, whole, kept)
    if best is None or best[0] < MIN_QUALITY:
        raise BoardNotFound("no nine joined boards in the picture")
    return BoardGeometry(best[1].homography, 45, width, height, best[1].k1, best[0]), best[2]


def panel_of(whole: BoardGeometry, k: int) -> BoardGeometry:
    """Panel `k` (0 to 8, row by row) of a 45x45 geometry."""
    shift = np.array([[1, 0, 15.0 * (k % 3)], [0, 1, 15.0 * (k // 3)], [0, 0, 1]])
    return BoardGeometry(
        whole.homography @ shift, 15, whole.width, whole.height, whole.k1, whole.quality
    )


def join(whole: BoardGeometry, panels: list[BoardGeometry]) -> BoardGeometry:
    """The 45x45 lattice that agrees best with its panels, save those that slipped a row."""
    grid = np.stack(np.meshgrid(np.linspace(0, 15, 4), np.linspace(0, 15, 4)), -1).reshape(-1, 2)
    use = {k for k, p in enumerate(panels) if p.quality >= 0.4}
    fitted = whole
    for _ in range(4):
        if len(use) < 4:
            return whole
        px = np.concatenate([panels[k].to_px(grid) for k in sorted(use)])
        at = np.concatenate([np.add(grid, (15.0 * (k % 3), 15.0 * (k // 3))) for k in sorted(use)])
        weight = np.concatenate([np.full(len(grid), panels[k].quality) for k in sorted(use)])
        fitted = fit(px, at, weight, whole, lens=True)
        off = {k: _apart(panels[k], panel_of(fitted, k)) for k in use}
        worst = max(off, key=lambda k: off[k])
        if off[worst] < 0.4:
            break
        use.discard(worst)
    return fitted


def _apart(a: BoardGeometry, b: BoardGeometry) -> float:
    """How far two geometries of one board differ at their corners, in squares."""
    return float(np.abs(b.to_lattice(a.corners_px) - b.to_lattice(b.corners_px)).max())
