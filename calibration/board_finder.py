"""Finding boards in a picture: a learnt mask, a quadrilateral around it, a lattice inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from kibitz.calibration.board_geometry import (
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    geometry_from_corners,
)
from kibitz.calibration.comb import (
    find_lines,
    flattened,
    plainly_there,
    settle_on_lines,
    symmetric_shift,
)
from kibitz.calibration.lattice import (
    LITTLE,
    Fit,
    LatticeModel,
    fit,
    fits,
    refine,
    reframed,
    shown,
)
from kibitz.calibration.outline import (
    FinderModel,
    Masks,
    masks_of,
    other_outlines,
    outlines,
    propose,
)

CERTAIN_QUALITY = 0.9
"""A lattice that fits so well is laid on the lines once more only for a clear gain."""
PLAIN_QUALITY, PLAIN_LINES, PLAIN_EVENLY = 0.985, 1.6, 0.55
"""A lattice that fits so well, with lines on both axes that stand out so much and in every part of
the board so much of what is usual, lies right."""
SURE_FIT, SURE_FIT_LINES, SURE_FIT_EVENLY = 0.997, 1.15, 0.5
"""No frame that was wrong by rows or corners fitted so well: its lines may be fainter."""
SOME, AT_ONE = 0.75, 0.05
"""A lattice that moved by less in the first look, in squares, is right to a tenth of one too if
nearly all its cells lie so near to it. One that comes from further off creeps: they agree before
it is there."""
GLANCE_PX = 192
"""How large a picture is shown first: enough for an outline to start from."""
GLANCE_SIDE = 0.45
"""A board whose side takes so much of the picture's is seen so."""
ROOM_FOR_ANOTHER = 0.6
"""Beside a board, in its sides: so much room may hold another that a small look overlooks."""
LAID_QUALITY = 0.995
"""A lattice that fits so well once it was laid on the board's lines may have faint ones."""
SURE_LINES = 2.0
"""Lines that stand out so much after the lattice was moved on to them are the board's."""
AGREED = 0.35
"""Squares by which a single fit may leave a frame that lines ask for and still agree with it."""
DOUBTED = 0.01
"""A frame that lines or a mirror ask for must fit the lattice model as well, less so much."""
LAST_LOOKS, LAST_MOVE = 2, 0.7
"""A lattice that was laid on lines is fitted so often again, and may move so far, in squares."""
MOST_TRIED = 3
"""Of other outlines, those that fit best at first sight."""
FILLS = (1.0, 0.94, 0.85)
"""How much of a picture a board takes that fills it, side by side."""
TRIED_QUALITY = 0.8
"""A board in another outline, which the finder did not think likeliest, must fit so well."""
MIN_QUALITY = 0.7
SURE_QUALITY = 0.8
LEAST_PX = 4.0
"""Smaller squares than this tell nothing."""


class BoardNotFound(Exception):
    """No board could be found in a picture."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def find_boards(
    picture: Picture | Pyramid, finder: FinderModel, lattice: LatticeModel
) -> list[BoardGeometry]:
    """All 15x15 boards in a picture, from left to right, then top to bottom.

    The first corner is the one nearest the picture's top left: which edge is row A is for the
    tiles to tell.

    Raises:
        BoardNotFound: there is none; the reason says what was seen.
    """
    small = masks_of(picture, finder, px=GLANCE_PX)
    glanced = _at_a_glance(picture, small, lattice)
    if glanced is not None:
        return [glanced]
    found: list[BoardGeometry] = []
    best = 0.0
    looks: list[Masks] = []
    for look in _looks(picture, finder, small):
        looks.append(look)
        for quad in outlines(look):
            g = _settled(picture, quad, finder, lattice)
            best = max(best, g.quality)
            if g.quality >= MIN_QUALITY and g.square_px >= LEAST_PX:
                found = _with(found, g)
        if found and all(g.quality >= PLAIN_QUALITY for g in found):
            break
    if not any(g.quality >= SURE_QUALITY for g in found):
        more = _in_other_outlines(picture, looks, lattice)
        if more is not None and all(more.quality > g.quality for g in found):
            found = _with(found, more)
        best = max(best, more.quality if more else 0.0)
    if not found:
        raise BoardNotFound(
            "nothing in the picture looks like a board"
            if best == 0.0
            else f"something looks like a board but its lattice does not fit (quality {best:.2f})"
        )
    return in_reading_order(found)


def _looks(picture: Picture | Pyramid, finder: FinderModel, small: Masks) -> Iterator[Masks]:
    """What the finder says at its own size, of the picture with a surround, and at a glance."""
    yield masks_of(picture, finder)
    yield masks_of(picture, finder, stand_back=True)
    yield small


def _at_a_glance(
    picture: Picture | Pyramid, small: Masks, lattice: LatticeModel
) -> BoardGeometry | None:
    """The only board of a picture, where a small look is enough to find it beyond doubt."""
    quads = outlines(small)
    if len(quads) != 1:
        return None
    height, width = picture.shape[0], picture.shape[1]
    rough = geometry_from_corners(quads[0], 15, width, height)
    side = rough.square_px * 15
    low, high = quads[0].min(0), quads[0].max(0)
    beside = float(max(*low, *((width, height) - high)))
    if side < GLANCE_SIDE * max(width, height) or beside > ROOM_FOR_ANOTHER * side:
        return None
    g, plain = _fitted(picture, rough, lattice)
    if plain:
        return g
    if g.quality < SURE_QUALITY:
        return None
    # A rim may have been taken for a row: then the board's lines tell.
    g = _with_lines(picture, g, lattice)
    strength, evenness = plainly_there(shown(picture, g), g)
    sure = g.quality >= LAID_QUALITY or strength >= SURE_LINES
    return g if sure and evenness >= PLAIN_EVENLY else None


def _in_other_outlines(
    picture: Picture | Pyramid, looks: Sequence[Masks], lattice: LatticeModel
) -> BoardGeometry | None:
    """The board in the other outline that fits best once the lattice model has looked once."""
    height, width = picture.shape[0], picture.shape[1]
    looked = [
        refine(picture, geometry_from_corners(quad, 15, width, height), lattice, rounds=1)
        for quad in (*other_outlines(looks), *_filling(width, height))
    ]
    best: BoardGeometry | None = None
    for g in sorted(looked, key=lambda g: -g.quality)[:MOST_TRIED]:
        h = _laid(picture, g, lattice)
        good = h.quality >= TRIED_QUALITY and h.square_px >= LEAST_PX
        if good and (best is None or h.quality > best.quality):
            best = h
    return best


def _filling(width: int, height: int) -> list[Points]:
    """Outlines of a board that fills the picture, whose rim the finder looks for in vain."""
    side = min(width, height)
    sizes = {(w * part, h * part) for w, h in ((width, height), (side, side)) for part in FILLS}
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    return [corners * size + (width / 2, height / 2) for size in sorted(sizes)]


def _fitted(
    picture: Picture | Pyramid, rough: BoardGeometry, lattice: LatticeModel
) -> tuple[BoardGeometry, bool]:
    """The lattice nearest to a rough one, and whether it lies right beyond doubt.

    One that does and hardly moved needs no other look.
    """
    for number, last in enumerate(fits(picture, rough, lattice)):
        at_once = number == 0 and last.moved < SOME and last.off < AT_ONE
        if (at_once or last.moved < LITTLE) and last.geometry.quality >= SURE_FIT and _plain(last):
            return last.geometry, True
    return last.geometry, _plain(last)


def _plain(last: Fit) -> bool:
    """Whether a lattice lies right beyond doubt."""
    quality = last.geometry.quality
    if last.seen is None or quality < PLAIN_QUALITY:
        return False
    strength, evenness = plainly_there(last.seen, last.geometry)
    if quality >= SURE_FIT:
        return strength >= SURE_FIT_LINES and evenness >= SURE_FIT_EVENLY
    return strength >= PLAIN_LINES and evenness >= PLAIN_EVENLY


def _settled(
    picture: Picture | Pyramid, quad: Points, finder: FinderModel, lattice: LatticeModel
) -> BoardGeometry:
    """The lattice in a proposed quadrilateral; where it does not fit, from a look closer by."""
    height, width = picture.shape[0], picture.shape[1]
    g = _laid(picture, geometry_from_corners(quad, 15, width, height), lattice)
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


def _laid(
    picture: Picture | Pyramid, rough: BoardGeometry, lattice: LatticeModel
) -> BoardGeometry:
    """The lattice nearest to a rough one, held against the board's lines where they tell more."""
    g, plain = _fitted(picture, rough, lattice)
    return g if plain else _with_lines(picture, g, lattice)


def _with_lines(
    picture: Picture | Pyramid, geometry: BoardGeometry, lattice: LatticeModel
) -> BoardGeometry:
    """The lattice laid on the board's lines and fitted once more."""
    g = _on_its_lines(picture, geometry, lattice)
    again = refine(picture, g, lattice, rounds=LAST_LOOKS)
    near = again.quality >= g.quality - DOUBTED and _apart(again, g) < LAST_MOVE
    return again if near else g


def _on_its_lines(
    picture: Picture | Pyramid, geometry: BoardGeometry, lattice: LatticeModel
) -> BoardGeometry:
    """The geometry moved to where the board's lines are, if it lies beside them.

    Of the frame as it is, the comb's and the comb's fitted once more, the one whose lines stand
    out most is kept. A rim, a word on it or the squares' print can look like lines: the net must
    not leave the comb's frame at once, nor find that it fits worse. Fitted further it may: it
    falls back to the frame that misled it.
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
        if fitted.quality < first.quality - DOUBTED:
            break
        frames = (combed, fitted) if _apart(fitted, combed) < AGREED else (fitted,)
        tried = [(find_lines(f), f, g) for g in frames for f in (flattened(picture, g),)]
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
        if (
            find_lines(its_flat).strength >= 0.8 * lines.strength
            and refine(picture, shifted, lattice, rounds=1, alone=False).quality
            >= first.quality - DOUBTED
        ):
            flat, geometry = its_flat, replace(shifted, quality=geometry.quality)
    certain = geometry is first and geometry.quality >= CERTAIN_QUALITY
    settled = settle_on_lines(flat, geometry, 1.04 if certain else 1.0)
    # The net is the finer judge where both agree about which lines are meant.
    return settled if geometry is not first or _apart(settled, geometry) > 0.25 else geometry


def in_reading_order(boards: list[BoardGeometry]) -> list[BoardGeometry]:
    """From left to right, then top to bottom."""
    if len(boards) < 2:
        return boards
    return sorted(
        boards,
        key=lambda g: (
            round(float(g.corners_px[:, 0].mean()) / max(1.0, g.square_px * 8)),
            float(g.corners_px[:, 1].mean()),
        ),
    )


def _with(found: list[BoardGeometry], g: BoardGeometry) -> list[BoardGeometry]:
    """Boards and one more; of those that lie where another does, the one that fits best."""
    beside = [f for f in found if not _same(f, g)]
    here = [f for f in found if _same(f, g)]
    return [*beside, max([g, *here], key=lambda f: f.quality)]


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
