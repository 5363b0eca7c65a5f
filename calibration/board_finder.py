"""Finding boards in a picture: a learnt mask, a quadrilateral around it, a lattice inside."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_geometry import BoardGeometry, Picture, Points, Pyramid, geometry_from_corners
from calibration.lattice import LatticeModel, refine

FinderModel = Callable[[NDArray[np.uint8]], NDArray[np.float32]]
"""(N, 320, 320, 3) pictures to (N, 2, 80, 80) logits: playing area, inner part."""

INPUT_PX = 320
MASK_PX = 80
MIN_QUALITY = 0.5


class BoardNotFound(Exception):
    """No board could be found in a picture."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def letterbox(picture: Picture | Pyramid, box: tuple[int, int, int, int] | None = None) -> tuple[Picture, float]:
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
    part = source[round(y0 * level) : max(round(y1 * level), round(y0 * level) + 1), round(x0 * level) : max(round(x1 * level), round(x0 * level) + 1)]
    out = np.zeros((INPUT_PX, INPUT_PX, 3), np.uint8)
    out[:h, :w] = cv2.resize(part, (w, h), interpolation=cv2.INTER_AREA if scale < level else cv2.INTER_LINEAR)
    return out, scale


def quadrilateral(points: Points) -> Points | None:
    """The four-sided figure that hugs a convex hull: the cheapest side goes until four are left.

    Args:
        points: (N, 2).

    Returns:
        (4, 2) clockwise in the picture, or None where there is none.
    """
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    hull = cv2.approxPolyDP(hull.astype(np.float32).reshape(-1, 1, 2), 0.6, True).reshape(-1, 2).astype(np.float64)
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


def settle_quad(quad: Points, gain: NDArray[np.float32]) -> Points:
    """Move corners until the quadrilateral holds as much of the area, and as little else, as it can.

    Narrow leaks of the mask, which pull a hull outwards, do not pay for what else they would take
    in.

    Args:
        quad: (4, 2) in mask cells.
        gain: (h, w) what each cell is worth inside: its probability less a half.
    """
    size = gain.shape[::-1]

    def worth(q: Points) -> float:
        mask = np.zeros(gain.shape, np.uint8)
        cv2.fillConvexPoly(mask, ((q - 0.5) * 16).astype(np.int32), 1, shift=4)
        return float(gain[mask > 0].sum())

    best, value = quad.copy(), worth(quad)
    step = 4.0
    while step >= 0.4:
        better = False
        moves = [(i, d) for i in range(4) for d in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step))]
        for i, d in moves:
            # A corner alone, and the side that starts at it.
            for others in ((), ((i + 1) % 4,)):
                trial = best.copy()
                trial[[i, *others]] += d
                if not cv2.isContourConvex(trial.astype(np.float32)) or np.abs(trial).max() > 1.6 * max(size):
                    continue
                new = worth(trial)
                if new > value + 1e-6:
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


def propose(picture: Picture | Pyramid, model: FinderModel, box: tuple[int, int, int, int] | None = None) -> list[Points]:
    """Rough outer corners of playing areas, (4, 2) pixels each, clockwise, largest first."""
    reduced, scale = letterbox(picture, box)
    logits = model(reduced[None])[0]
    x0, y0 = (box[0], box[1]) if box else (0, 0)
    bw, bh = ((box[2] - box[0]), (box[3] - box[1])) if box else (picture.shape[1], picture.shape[0])
    w, h = bw * scale, bh * scale
    area, inner = logits[0], logits[1]
    _, cores = cv2.connectedComponents(cv2.morphologyEx((inner > 0).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    found: list[tuple[float, Points]] = []
    for k in range(1, int(cores.max()) + 1):
        core = (cores == k).astype(np.uint8)
        if core.sum() < 9:
            continue
        # Each cell of the area belongs to its nearest core.
        mine = cv2.distanceTransform(1 - core, cv2.DIST_L2, 3)
        others = ((cores > 0) & (cores != k)).astype(np.uint8)
        theirs = cv2.distanceTransform(1 - others, cv2.DIST_L2, 3) if others.any() else np.full_like(mine, 1e6)
        gain = (1 / (1 + np.exp(-area)) - 0.5).astype(np.float32)
        gain[mine > theirs] = -0.5
        gain[int(np.ceil(h / 4)) :, :] = 0.0  # beyond the picture's edge nothing is known
        gain[:, int(np.ceil(w / 4)) :] = 0.0
        quad = _one_quad(core, gain)
        if quad is not None:
            found.append((float(core.sum()), quad * 4 / scale + (x0, y0)))
    found.sort(key=lambda f: -f[0])
    return [_first_corner_top_left(q) for _, q in found]


def _one_quad(core: NDArray[np.uint8], gain: NDArray[np.float32]) -> Points | None:
    """The best quadrilateral around one inner part, in mask cells."""
    mask = cv2.morphologyEx((gain > 0.1).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
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
                starts.append(cv2.boxPoints(cv2.minAreaRect(edge.astype(np.float32))).astype(np.float64))
    quads = [q for q in starts if q is not None and cv2.isContourConvex(q.astype(np.float32))]
    if not quads:
        return None

    def worth(q: Points) -> float:
        inside = np.zeros(gain.shape, np.uint8)
        cv2.fillConvexPoly(inside, ((q - 0.5) * 16).astype(np.int32), 1, shift=4)
        return float(gain[inside > 0].sum())

    quad = settle_quad(max(quads, key=worth), gain)
    if cv2.contourArea(quad.astype(np.float32), oriented=True) < 0:
        quad = quad[::-1].copy()
    return quad


def _first_corner_top_left(quad: Points) -> Points:
    return np.roll(quad, -int(np.argmin(quad.sum(1))), axis=0)


def find_boards(picture: Picture | Pyramid, finder: FinderModel, lattice: LatticeModel) -> list[BoardGeometry]:
    """All 15x15 boards in a picture, from left to right, then top to bottom.

    The first corner is the one nearest the picture's top left: which edge is row A is for the
    tiles to tell.

    Raises:
        BoardNotFound: there is none; the reason says what was seen.
    """
    height, width = picture.shape[:2]
    found: list[BoardGeometry] = []
    best = 0.0
    for quad in propose(picture, finder):
        g = refine(picture, geometry_from_corners(quad, 15, width, height), lattice)
        if g.quality < MIN_QUALITY:
            # A second look closer by: a small or half hidden board says little in the whole picture.
            lo, hi = quad.min(0), quad.max(0)
            pad = 0.35 * (hi - lo)
            x0, y0 = np.maximum(lo - pad, 0).astype(int)
            x1, y1 = np.minimum(hi + pad, (width, height)).astype(int)
            for again in propose(picture, finder, (int(x0), int(y0), int(x1), int(y1)))[:1]:
                h = refine(picture, geometry_from_corners(again, 15, width, height), lattice)
                g = h if h.quality > g.quality else g
        best = max(best, g.quality)
        if g.quality >= MIN_QUALITY and g.square_px >= 4 and not any(_same(g, f) for f in found):
            found.append(g)
    if not found:
        raise BoardNotFound("nothing in the picture looks like a board" if best == 0.0 else
                            f"something looks like a board but its lattice does not fit (quality {best:.2f})")
    return in_reading_order(found)


def in_reading_order(boards: list[BoardGeometry]) -> list[BoardGeometry]:
    """From left to right, then top to bottom."""
    return sorted(boards, key=lambda g: (round(float(g.corners_px[:, 0].mean()) / max(1.0, g.square_px * 8)),
                                         float(g.corners_px[:, 1].mean())))


def _same(a: BoardGeometry, b: BoardGeometry) -> bool:
    gap = np.linalg.norm(a.corners_px.mean(0) - b.corners_px.mean(0))
    return bool(gap < 7 * min(a.square_px, b.square_px))


def find_joined(picture: Picture | Pyramid, finder: FinderModel, lattice: LatticeModel) -> tuple[BoardGeometry, list[BoardGeometry]]:
    """A 45x45 area of nine joined boards: the whole, and its nine panels row by row.

    Each panel is fitted by itself, for boards that do not line up perfectly.

    Raises:
        BoardNotFound: there is none.
    """
    height, width = picture.shape[:2]
    best: tuple[float, BoardGeometry, list[BoardGeometry]] | None = None
    for quad in propose(picture, finder)[:2]:
        whole = geometry_from_corners(quad, 45, width, height)
        panels: list[BoardGeometry] = []
        for round_ in range(2):
            panels = [refine(picture, panel_of(whole, k), lattice, rounds=1 + round_) for k in range(9)]
            whole = join(whole, panels)
        quality = float(np.mean([p.quality for p in panels]))
        # A panel that does not fit by itself keeps its place in the whole.
        kept = [p if p.quality >= 0.6 and _near(p, panel_of(whole, k)) else panel_of(whole, k) for k, p in enumerate(panels)]
        if best is None or quality > best[0]:
            best = (quality, whole, kept)
    if best is None or best[0] < MIN_QUALITY:
        raise BoardNotFound("no nine joined boards in the picture")
    return BoardGeometry(best[1].homography, 45, width, height, best[1].k1, best[0]), best[2]


def panel_of(whole: BoardGeometry, k: int) -> BoardGeometry:
    """Panel `k` (0 to 8, row by row) of a 45x45 geometry."""
    shift = np.array([[1, 0, 15.0 * (k % 3)], [0, 1, 15.0 * (k // 3)], [0, 0, 1]])
    return BoardGeometry(whole.homography @ shift, 15, whole.width, whole.height, whole.k1, whole.quality)


def _near(a: BoardGeometry, b: BoardGeometry) -> bool:
    return bool(np.abs(b.to_lattice(a.corners_px) - b.to_lattice(b.corners_px)).max() < 0.7)


def join(whole: BoardGeometry, panels: list[BoardGeometry]) -> BoardGeometry:
    """The 45x45 lattice that agrees best with its panels."""
    from calibration.lattice import fit

    px, at, weight = [], [], []
    grid = np.stack(np.meshgrid(np.linspace(0, 15, 4), np.linspace(0, 15, 4)), -1).reshape(-1, 2)
    for k, p in enumerate(panels):
        if p.quality < 0.4:
            continue
        px.append(p.to_px(grid))
        at.append(grid + (15.0 * (k % 3), 15.0 * (k // 3)))
        weight.append(np.full(len(grid), p.quality))
    if len(px) < 3:
        return whole
    return fit(np.concatenate(px), np.concatenate(at), np.concatenate(weight), whole, lens=True)
