"""Finds boards in a picture: a learnt mask, a quadrilateral around it, a lattice inside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import islice
from typing import Final

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
    flatten,
    measure_lines,
    nudge_corners,
)
from kibitz.calibration.lattice import (
    LATTICE,
    Fit,
    LatticeModel,
    fit,
    fit_steps,
    refine,
    reframed,
    straighten_for_model,
)
from kibitz.calibration.outline import (
    OUTLINE,
    FinderModel,
    Masks,
    masks_of,
    other_outlines,
    outlines,
    propose,
)
from kibitz.engine.parameters import checked, number
from kibitz.engine.phrases import phrase
from kibitz.engine.table import JOINED_SIDE, SIDE

GLANCE_PX: Final = 192
"""How large a picture is shown to the finder first, which is trained at this size as well."""


@dataclass(frozen=True, slots=True)
class FinderRule:
    """When a lattice is a board, when it is certain, and what is tried before.

    A lattice's quality is 0 to 1; its lines' strength is that of usual places, 1; their evenness
    is what part of the usual strength the weakest bit of the board has.
    """

    room_for_another: float = number(
        0.6,
        "of the board's side",
        0.0,
        5.0,
        "so much room beside it may hold a second board, or it is too small for a small look",
    )
    plain_quality: float = number(
        0.985, "quality", 0.5, 1.0, "what fits so well lies right, if its lines say so too"
    )
    plain_lines: float = number(
        1.6, "strength", 0.5, 5.0, "lines that say so on both axes, half of it in every part"
    )
    sure_fit: float = number(0.997, "quality", 0.5, 1.0, "what fits so well needs no lines")
    looked_into: int = number(
        5, "outlines", 1, 20, "of all that a board may have so many, those that fit best"
    )
    doubted: float = number(
        0.01, "quality", 0.0, 0.5, "what lies elsewhere than before must fit so much better"
    )

    def __post_init__(self) -> None:
        checked(self)


FINDER: Final = FinderRule()


NO_BOARD: Final = phrase(
    "No board in the picture: aim the camera so that all four corners are in it."
)
CANNOT_BE_MADE_OUT: Final = phrase(
    "Something is ruled like a board, but its squares cannot be made out: hold the camera still, "
    "let it focus, and clear what covers the board."
)


class BoardNotFound(Exception):
    """No board was found; `code` names the cause, as `kibitz read` gives it.

    `nearest` is the lattice that came nearest to a board, if there is any.
    """

    code = "board_not_found"

    def __init__(self, reason: str, nearest: BoardGeometry | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.nearest = nearest


def find_boards(
    picture: Picture | Pyramid,
    finder: FinderModel,
    lattice: LatticeModel,
    known: int = 1,
) -> list[BoardGeometry]:
    """All 15x15 boards in a picture, from left to right, then top to bottom.

    The first corner is the one nearest the picture's top left: which edge is row A is for the
    tiles to tell. While fewer are found than are known to lie there, no look is the last, an
    outline may be that of all of them, and what the picture shows beside them is looked at by
    itself.

    Raises:
        BoardNotFound: there is none; the reason says what was seen.
    """
    small = masks_of(picture, finder, px=GLANCE_PX)
    glanced = _find_in_small_picture(picture, small, lattice) if known == 1 else None
    if glanced is not None:
        return [glanced]
    found: list[BoardGeometry] = []
    nearest: BoardGeometry | None = None
    looks: list[Masks] = []
    outlined: list[Points] = []
    for look in _run_finder_at_sizes(picture, finder, small):
        looks.append(look)
        for quad in outlines(look):
            outlined.append(quad)
            g = _fit_or_zoom_in(picture, quad, finder, lattice)
            nearest = g if nearest is None else max(nearest, g, key=lambda x: x.quality)
            if g.quality >= LATTICE.least_quality:
                found = _keep_best(found, g)
        if len(found) >= known and all(g.quality >= FINDER.plain_quality for g in found):
            break
    if not any(g.quality >= LATTICE.sure_quality for g in found):
        others = other_boards(picture, finder, lattice, looks)
        sure = (g for g in others if g.quality >= LATTICE.sure_quality)
        found = reduce(_keep_best, islice(sure, 1), found)
    for search in (partial(_find_side_by_side, outlined, known), find_beside):
        lying = [g for g in found if g.quality >= FINDER.plain_quality]
        if len(lying) < known:
            for g in search(picture, lying, finder, lattice):
                found = _keep_best(found, g)
    if not found:
        raise BoardNotFound(NO_BOARD if nearest is None else CANNOT_BE_MADE_OUT, nearest)
    return in_reading_order(found)


def find_beside(
    picture: Picture | Pyramid,
    lying: Sequence[BoardGeometry],
    finder: FinderModel,
    lattice: LatticeModel,
) -> list[BoardGeometry]:
    """Other 15x15 boards next to known ones, where there is room for one.

    A part by itself is shown to the finder larger than all of the picture, without the board that
    it would see first.
    """
    found: list[BoardGeometry] = []
    for box in _room_beside(picture, lying):
        for quad in propose(picture, finder, box):
            g = _fit_or_zoom_in(picture, quad, finder, lattice)
            surely = g.quality >= LATTICE.sure_quality
            if surely and not any(_overlap(g, known) for known in lying):
                found = _keep_best(found, g)
    return found


def _find_side_by_side(
    outlined: Sequence[Points],
    count: int,
    picture: Picture | Pyramid,
    lying: Sequence[BoardGeometry],
    finder: FinderModel,
    lattice: LatticeModel,
) -> list[BoardGeometry]:
    """Boards that were outlined as one, next to known ones."""
    if count == 1:
        return []
    found: list[BoardGeometry] = []
    for quad in (part for whole in outlined for part in _side_by_side(whole, count)):
        if not any(_lies_on(known, quad.mean(0)) for known in (*lying, *found)):
            g = _fit_or_zoom_in(picture, quad, finder, lattice)
            if g.quality >= LATTICE.sure_quality:
                found = _keep_best(found, g)
    return found


def _side_by_side(quad: Points, count: int) -> list[Points]:
    """Outlines, (4, 2) each, of so many boards side by side in one outline, (4, 2)."""
    sides = np.hypot(*(np.roll(quad, -1, 0) - quad).T)
    turn = int(sides[0::2].sum() < sides[1::2].sum())  # its longer sides come first
    a, b, c, d = np.roll(quad, -turn, 0)
    ends = np.linspace(0.0, 1.0, count + 1)[:, None]
    near, far = a + ends * (b - a), d + ends * (c - d)
    parts = (np.stack([near[k], near[k + 1], far[k + 1], far[k]]) for k in range(count))
    return [np.roll(part, turn, 0) for part in parts]


def _room_beside(
    picture: Picture | Pyramid, lying: Sequence[BoardGeometry]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield parts of a picture (x0, y0, x1, y1) beside boards with room for a second."""
    height, width = picture.shape[0], picture.shape[1]
    for g in lying:
        (left, top), (right, bottom) = (
            np.clip(c, 0, (width, height)).astype(int).tolist()
            for c in (g.corners_px.min(0), g.corners_px.max(0))
        )
        room = FINDER.room_for_another * g.square_px * SIDE
        for box in (
            (0, 0, left, height),
            (right, 0, width, height),
            (0, 0, width, top),
            (0, bottom, width, height),
        ):
            if min(box[2] - box[0], box[3] - box[1]) > room:
                yield box


def _run_finder_at_sizes(
    picture: Picture | Pyramid, finder: FinderModel, small: Masks
) -> Iterator[Masks]:
    """Yield the finder's masks at its own size, with a margin, and at a glance."""
    yield masks_of(picture, finder)
    yield masks_of(picture, finder, stand_back=True)
    yield small


def _find_in_small_picture(
    picture: Picture | Pyramid, small: Masks, lattice: LatticeModel
) -> BoardGeometry | None:
    """The only board of a picture, if a small look is certain of it; else None."""
    quads = outlines(small)
    if len(quads) != 1:
        return None
    height, width = picture.shape[0], picture.shape[1]
    rough = geometry_from_corners(quads[0], SIDE, width, height)
    side = rough.square_px * SIDE
    low, high = quads[0].min(0), quads[0].max(0)
    beside = float(max(*low, *((width, height) - high)))
    if beside > FINDER.room_for_another * side:
        return None
    g, certain = _fit_until_certain(picture, rough, lattice)
    if certain:
        return g
    if g.quality < LATTICE.sure_quality:
        return None
    # A rim may have been taken for a row: then the board's lines tell.
    g = _snap_and_refit(picture, g, lattice)
    strength, evenness = measure_lines(straighten_for_model(picture, g), g)
    sure = g.quality >= FINDER.sure_fit or strength >= FINDER.plain_lines
    return g if sure and evenness >= 0.5 else None


def other_boards(
    picture: Picture | Pyramid,
    finder: FinderModel,
    lattice: LatticeModel,
    looks: Sequence[Masks] = (),
) -> Iterator[BoardGeometry]:
    """Yield lattices in all possible outlines, however unlikely.

    They race: after each look of the lattice model the better half goes on, and what fits best in
    the end comes first. The picture itself is an outline, as a board may fill it; a board that is
    small in it, or among clutter, is outlined in a part of it.

    Args:
        picture: the photograph.
        finder: the model for rough outlines.
        lattice: the model for a board's cells.
        looks: what the finder said of the picture, if it was asked already.
    """
    if not looks:
        small = masks_of(picture, finder, px=GLANCE_PX)
        looks = tuple(_run_finder_at_sizes(picture, finder, small))
    height, width = picture.shape[0], picture.shape[1]
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    closer = (masks_of(picture, finder, part, px=GLANCE_PX) for part in _parts(width, height))
    usual = (quad for look in (*looks, *closer) for quad in outlines(look))
    fit_once = partial(refine, picture, model=lattice, rounds=1)
    racing = [
        geometry_from_corners(quad, SIDE, width, height)
        for quad in (whole, *usual, *other_outlines(looks))
    ]
    # outlines lie many squares off, and each look moves a lattice by few
    for _ in range(3 * LATTICE.rounds):
        racing = list(apart(sorted(map(fit_once, racing), key=lambda g: -g.quality)))
        del racing[max(FINDER.looked_into, len(racing) // 2) :]
        if racing[0].quality >= LATTICE.sure_quality:
            break
    return (_fit_and_check_lines(picture, g, lattice) for g in racing)


def apart(boards: Iterable[BoardGeometry]) -> Iterator[BoardGeometry]:
    """Yield boards, without those that lie as one before does."""
    kept: list[BoardGeometry] = []
    for g in boards:
        if all(g.corners_off_px(f) > g.square_px / 2 for f in kept):
            kept.append(g)
            yield g


def _parts(width: int, height: int) -> list[tuple[int, int, int, int]]:
    """Parts of a picture, x0, y0, x1, y1: four of two thirds of its sides, nine of a half."""
    return [
        (
            width * x // den,
            height * y // den,
            width * (x + size) // den,
            height * (y + size) // den,
        )
        for den, size in ((3, 2), (4, 2))
        for x in range(den - size + 1)
        for y in range(den - size + 1)
    ]


def _fit_until_certain(
    picture: Picture | Pyramid, rough: BoardGeometry, lattice: LatticeModel
) -> tuple[BoardGeometry, bool]:
    """The lattice nearest to a rough one, and whether it is certain."""
    *_, last = fit_steps(picture, rough, lattice)
    return last.geometry, _is_certain(last)


def _is_certain(last: Fit) -> bool:
    """True if a lattice is certain: all of its cells say so, or most do and its lines."""
    quality = last.geometry.quality
    sure = quality >= FINDER.sure_fit
    if sure and last.off < LATTICE.fair_squares:
        return True
    if last.seen is None or quality < FINDER.plain_quality:
        return False
    strength, evenness = measure_lines(last.seen, last.geometry)
    return (sure or strength >= FINDER.plain_lines) and evenness >= 0.5


def _fit_or_zoom_in(
    picture: Picture | Pyramid,
    quad: Points,
    finder: FinderModel,
    lattice: LatticeModel,
) -> BoardGeometry:
    """The lattice in a quadrilateral; where it does not fit, from a closer look."""
    height, width = picture.shape[0], picture.shape[1]
    rough = geometry_from_corners(quad, SIDE, width, height)
    g = _fit_and_check_lines(picture, rough, lattice)
    if g.quality >= LATTICE.sure_quality:
        return g
    lo, hi = quad.min(0), quad.max(0)
    # as much around it as in a look from further away
    pad = (1 / OUTLINE.stand_back - 1) / 2 * (hi - lo)
    x0, y0 = np.maximum(lo - pad, 0).astype(int)
    x1, y1 = np.minimum(hi + pad, (width, height)).astype(int)
    if x1 <= x0 or y1 <= y0:
        return g
    box = (int(x0), int(y0), int(x1), int(y1))
    for again in propose(picture, finder, box)[:1]:
        rough = geometry_from_corners(again, SIDE, width, height)
        h = refine(picture, rough, lattice)
        g = h if h.quality > g.quality else g
    return g


def _fit_and_check_lines(
    picture: Picture | Pyramid, rough: BoardGeometry, lattice: LatticeModel
) -> BoardGeometry:
    """The lattice nearest to a rough one, corrected by the board's lines."""
    g, certain = _fit_until_certain(picture, rough, lattice)
    return g if certain else _snap_and_refit(picture, g, lattice)


def _snap_and_refit(
    picture: Picture | Pyramid, geometry: BoardGeometry, lattice: LatticeModel
) -> BoardGeometry:
    """The lattice snapped to the board's lines and fitted once more."""
    g = _snap_to_lines(picture, geometry, lattice)
    again = refine(picture, g, lattice)
    stayed = _corner_distance(again, g) < 0.5
    return again if stayed or again.quality >= g.quality else g


def _snap_to_lines(
    picture: Picture | Pyramid, geometry: BoardGeometry, lattice: LatticeModel
) -> BoardGeometry:
    """The geometry moved to the board's lines, if it lies beside them.

    The comb's frame is fitted once, and kept if its lines stand out more. A rim, a word on it or
    the squares' print can look like lines: the fit must not find that it fits worse. Fitted
    further it may: it falls back to the frame that misled it.
    """
    fit_once = partial(refine, picture, model=lattice, rounds=1, alone=False)
    least = geometry.quality
    flat = flatten(picture, geometry)
    lines = find_lines(flat)
    for _ in range(LATTICE.rounds):
        frame = lines.better_frame()
        if frame is None:
            break
        combed = reframed(geometry, frame)
        fitted = fit_once(combed)
        if fitted.quality < least:
            break
        its_flat = flatten(picture, fitted)
        best = find_lines(its_flat)
        if best.strength <= lines.strength:
            break
        quality = max(geometry.quality, fitted.quality)
        lines, flat, geometry = best, its_flat, replace(fitted, quality=quality)
    return nudge_corners(flat, geometry)


def in_reading_order(boards: list[BoardGeometry]) -> list[BoardGeometry]:
    """Boards from left to right, then top to bottom."""
    if len(boards) < 2:
        return boards
    return sorted(
        boards,
        key=lambda g: (
            round(float(g.corners_px[:, 0].mean()) / max(1.0, g.square_px * 8)),
            float(g.corners_px[:, 1].mean()),
        ),
    )


def _keep_best(found: list[BoardGeometry], g: BoardGeometry) -> list[BoardGeometry]:
    """Boards with one more; of overlapping ones the best fit stays."""
    beside = [f for f in found if not _overlap(f, g)]
    here = [f for f in found if _overlap(f, g)]
    return [*beside, max([g, *here], key=lambda f: f.quality)]


def _overlap(a: BoardGeometry, b: BoardGeometry) -> bool:
    """True if two boards overlap: the middle of one is on the other."""
    return _lies_on(a, b.corners_px.mean(0)) or _lies_on(b, a.corners_px.mean(0))


def _lies_on(board: BoardGeometry, px: Points) -> bool:
    """True if a pixel, (2,), is on a board."""
    at = board.to_lattice(px)
    return bool(((at > 0) & (at < board.size)).all())


def find_joined(
    picture: Picture | Pyramid,
    finder: FinderModel,
    lattice: LatticeModel,
) -> tuple[BoardGeometry, list[BoardGeometry]]:
    """A 45x45 area of nine joined boards: the whole, and its panels row by row.

    Each panel is fitted by itself, for boards that do not line up perfectly.

    Raises:
        BoardNotFound: there is none.
    """
    height, width = picture.shape[0], picture.shape[1]
    best: tuple[float, BoardGeometry, list[BoardGeometry]] | None = None
    quads = [
        *propose(picture, finder)[: OUTLINE.tried],
        *propose(picture, finder, stand_back=True)[:1],
    ]
    fit_once = partial(refine, picture, model=lattice, rounds=1, alone=False)
    for quad in quads:
        whole = geometry_from_corners(quad, JOINED_SIDE, width, height)
        panels: list[BoardGeometry] = []
        for _ in range(LATTICE.rounds):
            panels = [fit_once(panel_of(whole, k)) for k in range(9)]
            whole = join(whole, panels)
        quality = float(np.mean([p.quality for p in panels]))
        # A panel that does not fit by itself keeps its place in the whole.
        places = [panel_of(whole, k) for k in range(9)]
        kept = [
            p if p.quality >= LATTICE.least_quality and _corner_distance(p, q) < 0.5 else q
            for p, q in zip(panels, places, strict=True)
        ]
        if best is None or quality > best[0]:
            best = (quality, whole, kept)
    if best is None or best[0] < LATTICE.least_quality:
        raise BoardNotFound(
            phrase("No nine joined boards in the picture: aim the camera so that all are in it.")
        )
    quality, whole, boards = best
    return replace(whole, quality=quality), boards


def panel_of(whole: BoardGeometry, k: int) -> BoardGeometry:
    """Panel `k` (0 to 8, row by row) of a 45x45 geometry."""
    return replace(whole.shifted(SIDE * (k % 3), SIDE * (k // 3)), size=SIDE)


def join(whole: BoardGeometry, panels: list[BoardGeometry]) -> BoardGeometry:
    """The 45x45 lattice that fits its panels best, without those that slipped a row.

    What is half a square off or more has. As it was where most of them slipped.
    """
    along = np.linspace(0, SIDE, 4)
    grid = np.stack(np.meshgrid(along, along), -1).reshape(-1, 2)
    use = {k for k, p in enumerate(panels) if p.quality >= LATTICE.least_quality}
    while True:
        if 2 * len(use) < len(panels):
            return whole
        px = np.concatenate([panels[k].to_px(grid) for k in sorted(use)])
        at = np.concatenate([np.add(grid, (SIDE * (k % 3), SIDE * (k // 3))) for k in sorted(use)])
        weight = np.concatenate([np.full(len(grid), panels[k].quality) for k in sorted(use)])
        fitted = fit(px, at, weight, whole, lens=True)
        off = {k: _corner_distance(panels[k], panel_of(fitted, k)) for k in use}
        worst = max(off, key=lambda k: off[k])
        if off[worst] < 0.5:
            return fitted
        use.discard(worst)


def _corner_distance(a: BoardGeometry, b: BoardGeometry) -> float:
    """Distance of two geometries' corners, in squares."""
    return float(np.abs(b.to_lattice(a.corners_px) - b.to_lattice(b.corners_px)).max())
