"""Finding which of nine joined boards a picture shows parts of: any number, from any of them.

A lattice fits joined boards as well some squares further on, so where one board begins is told by
its print: premium squares lie the same way seen in a mirror on every board we know, and joined
boards repeat every fifteen squares. From the board found so, its neighbours are gone to one after
the other, each fitted by itself, for boards that do not line up perfectly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_finder import BoardNotFound
from kibitz.calibration.board_geometry import (
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    geometry_from_corners,
    rectify,
)
from kibitz.calibration.lattice import LatticeModel, fit, look, refine

Place = tuple[int, int]
"""Rows and columns of boards, counted from the board that was found first."""

SIDES = (0.86, 0.74, 0.63, 0.5, 0.41, 0.33)
"""Sides of a board that are tried, as parts of the picture's shorter side."""
TURNS_DEG = (0.0, -8.0, 8.0)
WORTH_A_LOOK = 0.7
LEAST_QUALITY = 0.9
GOOD_QUALITY = 0.97
"""Nothing better is looked for; lattices that slipped along the boards fit a little worse."""
LEAST_MIRROR = 0.1
"""By how much more alike its mirror images a board must be than most other frames."""
LEAST_SEEN = 0.08
"""A board of which less is in the picture is left alone."""
ENOUGH_SEEN = 0.3
"""A board of which less is in the picture keeps its place beside its neighbour."""
MOST_OFF = 0.6
"""Joined boards lie at most so many squares off, and more the further from the seam."""
LOOKS = ((5.0, 1.0), (15.0, 0.5), (2.0, 0.5))
"""By how many squares looks at a side are taken further on, and what each is worth."""
AS_OFTEN, STEEP, MOST_SURE = 0.93, 20.0, 6.0
OFF_A_SQUARE = 0.1
REACH = 7
AROUND = 22
CLIP = 28.0
"""Squares that differ by more (CIELAB) differ altogether: a tile on one of the two."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """Some of nine joined boards, as one picture shows them.

    Attributes:
        boards: where each lies, by its place beside the first.
        beyond: for places beside them that are in sight, the log odds that a board lies there.
    """

    boards: Mapping[Place, BoardGeometry]
    beyond: Mapping[Place, float] = field(default_factory=dict)


def find_patch(picture: Picture | Pyramid, lattice: LatticeModel) -> Patch:
    """Every board of nine that a picture shows some of.

    Raises:
        BoardNotFound: there is none, or none whose print shows where it begins.
    """
    tried = 0.0
    best: BoardGeometry | None = None
    for middle in (True, False):
        for start in _starts(picture.shape[1], picture.shape[0], middle=middle):
            fitted = refine(picture, start, lattice, rounds=3, alone=False)
            tried = max(tried, fitted.quality)
            if fitted.quality < WORTH_A_LOOK:
                continue
            first = _on_its_print(picture, fitted, lattice)
            if first is None or (best is not None and first.quality <= best.quality):
                continue
            best = first
            if best.quality >= GOOD_QUALITY:
                return _with_neighbours(picture, best, lattice)
        if best is not None:
            return _with_neighbours(picture, best, lattice)
    raise BoardNotFound(
        "no part of joined boards is found in the picture; show at least one whole board, or give "
        f"its corners by hand (the best lattice fits by {tried:.2f})"
    )


def _starts(width: int, height: int, *, middle: bool) -> Iterator[BoardGeometry]:
    """Where a board may lie: in the middle, or off it, large ones first."""
    short = min(width, height)
    for side in SIDES:
        free_x, free_y = (width - side * short) / 2, (height - side * short) / 2
        for turn in TURNS_DEG:
            for off in [(0.0, 0.0)] if middle else _around(free_x, free_y, side * short):
                yield _start(width, height, side * short, turn, off)


def _around(free_x: float, free_y: float, side: float) -> list[tuple[float, float]]:
    """Places off the middle, where there is room for them."""
    xs = [-free_x, 0.0, free_x] if free_x > side / 8 else [0.0]
    ys = [-free_y, 0.0, free_y] if free_y > side / 8 else [0.0]
    return [(x * 0.85, y * 0.85) for y in ys for x in xs if (x, y) != (0.0, 0.0)]


def _start(
    width: int, height: int, side: float, turn_deg: float, off: tuple[float, float]
) -> BoardGeometry:
    a, s = np.deg2rad(turn_deg), side / 2
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    square = np.array([(-s, -s), (s, -s), (s, s), (-s, s)])
    corners: Points = square @ turn.T + np.array([width / 2, height / 2]) + off
    return geometry_from_corners(corners, 15, width, height)


def _on_its_print(
    picture: Picture | Pyramid, geometry: BoardGeometry, lattice: LatticeModel
) -> BoardGeometry | None:
    """The geometry moved to where a board begins; None where its print does not tell."""
    for _ in range(3):
        dx, dy, clear = mirror_shift(picture, geometry)
        if clear < LEAST_MIRROR:
            return None
        if (dx, dy) == (0, 0):
            return geometry if geometry.quality >= LEAST_QUALITY else None
        moved = moved_by(geometry, dx, dy)
        if not _in_sight(moved, ENOUGH_SEEN):
            return None
        geometry = refine(picture, moved, lattice, rounds=3, alone=False)
        if geometry.quality < WORTH_A_LOOK:
            return None
    return None


def mirror_shift(picture: Picture | Pyramid, geometry: BoardGeometry) -> tuple[int, int, float]:
    """By how many squares (x, y) a lattice must move to begin where a board does.

    Returns:
        The shift, and how much better it is than most others (0: not at all).
    """
    cells, seen = _cells(picture, geometry)
    unlike = np.full((2 * REACH + 1, 2 * REACH + 1), np.inf)
    for dy in range(-REACH, REACH + 1):
        for dx in range(-REACH, REACH + 1):
            unlike[dy + REACH, dx + REACH] = _unlike(cells, seen, dx, dy)
    usual = float(np.median(unlike[np.isfinite(unlike)])) if np.isfinite(unlike).any() else 0.0
    if usual <= 0:
        return 0, 0, 0.0
    row, col = np.unravel_index(int(np.argmin(unlike)), unlike.shape)
    return int(col) - REACH, int(row) - REACH, 1 - float(unlike[row, col]) / usual


def _cells(
    picture: Picture | Pyramid, geometry: BoardGeometry
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The colour of every square far around a board, and which of them are in the picture."""
    px, n = 6, 15 + 2 * AROUND
    flat = rectify(picture, geometry, px, (-float(AROUND), -float(AROUND)), (float(n), float(n)))
    lab = cv2.cvtColor(flat.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    middles = lab.reshape(n, px, n, px, 3)[:, 1:-1, :, 1:-1].transpose(0, 2, 1, 3, 4)
    cells = np.median(middles.reshape(n, n, -1, 3), axis=2)
    cells[..., 0] *= 0.6  # light falls off across a board; colours do not
    at = np.stack(np.meshgrid(np.arange(n) + 0.5, np.arange(n) + 0.5), -1) - AROUND
    # far from the board the lattice may fold over behind the camera
    h = geometry.homography
    ahead = (at @ h[2, :2] + h[2, 2]) / (h[2, :2] @ np.array([7.5, 7.5]) + h[2, 2]) > 0.3
    out = geometry.to_px(np.where(ahead[..., None], at, 7.5))
    inside = geometry.in_picture(out)
    return np.asarray(cells, np.float32), np.asarray(inside & ahead)


def _unlike(cells: NDArray[np.float32], seen: NDArray[np.bool_], dx: int, dy: int) -> float:
    """How unlike their mirror images boards are that begin `dx`, `dy` squares further on."""
    total, count = 0.0, 0
    for top in range((AROUND + dy) % 15, cells.shape[0] - 14, 15):
        for left in range((AROUND + dx) % 15, cells.shape[1] - 14, 15):
            a, s = cells[top : top + 15, left : left + 15], seen[top : top + 15, left : left + 15]
            if s.mean() < 0.4:
                continue
            for m, t in ((a[::-1], s[::-1]), (a[:, ::-1], s[:, ::-1]), (a.swapaxes(0, 1), s.T)):
                both = s & t
                apart = np.linalg.norm(a - m, axis=-1)[both]
                total += float(np.minimum(apart, CLIP).sum())
                count += int(both.sum())
    return total / count if count >= 200 else float("inf")


def _with_neighbours(
    picture: Picture | Pyramid, first: BoardGeometry, lattice: LatticeModel
) -> Patch:
    """The board found first and all that join it, gone to one from another."""
    boards: dict[Place, BoardGeometry] = {(0, 0): first}
    fitted = {(0, 0)}
    beyond: dict[Place, float] = {}
    todo: list[Place] = [(0, 0)]
    # what one board tells of the lens is little; far from it, it would be nothing at all
    plain = _together(replace(first, k1=0.0), boards, lens=False)
    whole = plain
    while todo:
        row, col = todo.pop(0)
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            place = row + dr, col + dc
            if place in boards or max(abs(place[0]), abs(place[1])) > 2:
                continue
            expected = moved_by(whole, 15 * place[1], 15 * place[0])
            if not _in_sight(expected, LEAST_SEEN):
                continue
            odds = _joined(picture, boards[row, col], (dr, dc), lattice)
            beyond[place] = max(odds, beyond.get(place, -MOST_SURE))
            if odds <= 0:
                continue
            boards[place] = _settled(picture, expected, (dr, dc), lattice)
            todo.append(place)
            if boards[place] is not expected:
                fitted.add(place)
                whole = _together(plain, {p: boards[p] for p in fitted}, lens=True)
    for place in set(boards) - fitted:
        boards[place] = moved_by(whole, 15 * place[1], 15 * place[0])
    return Patch(boards, beyond)


def _together(
    start: BoardGeometry, boards: Mapping[Place, BoardGeometry], *, lens: bool
) -> BoardGeometry:
    """The first board's geometry that agrees best with its neighbours'."""
    on, at = [], []
    for (row, col), board in boards.items():
        here = _seen_points(board)[::4]
        on.append(board.to_px(here))
        at.append(here + np.array([15.0 * col, 15.0 * row]))
    px, squares = np.concatenate(on), np.concatenate(at)
    try:
        return fit(px, squares, np.ones(len(px)), start, lens=lens)
    except np.linalg.LinAlgError:
        return start


def _settled(
    picture: Picture | Pyramid, expected: BoardGeometry, step: Place, lattice: LatticeModel
) -> BoardGeometry:
    """A neighbour where it lies itself, if enough of it is seen, else where it should lie.

    It joins the board it was gone to from; its far side is known only as well as that board's
    perspective.
    """
    if not _in_sight(expected, ENOUGH_SEEN):
        return expected
    fitted = refine(picture, expected, lattice, rounds=3, alone=False)
    here = _seen_points(expected)
    off = np.abs(fitted.to_lattice(expected.to_px(here)) - here).max(1)
    dr, dc = step
    far = here @ np.array([dc, dr]) + (15 if dr + dc < 0 else 0)
    fits = (off < MOST_OFF + far * OFF_A_SQUARE).all()
    return fitted if fitted.quality >= 0.6 and fits else expected


def _joined(
    picture: Picture | Pyramid, board: BoardGeometry, step: Place, lattice: LatticeModel
) -> float:
    """Log odds that a board joins one on a side, by what of it is in the picture.

    Three looks, each further on: from afar little of the side is seen, from near all of it but
    what was found already. What each says is summed up as it parts joined sides from bare ones
    on rendered pictures.
    """
    dr, dc = step
    total = 0.0
    for squares, worth in LOOKS:
        on = moved_by(board, squares * dc, squares * dr)
        px, _, _, present = look(picture, on, lattice)
        at = board.to_lattice(px)
        along, across = (at[:, 0], at[:, 1]) if dc else (at[:, 1], at[:, 0])
        past = along - 15 if dr + dc > 0 else -along
        seen = ((px > 0) & (px < (board.width, board.height))).all(1)
        there = (past > 0.4) & (past < 4.4) & (across > 0.3) & (across < 14.7) & seen
        if there.sum() < 4:
            return 0.0
        total += worth * float(present[there].mean())
    return float(np.clip((total - AS_OFTEN) * STEEP, -MOST_SURE, MOST_SURE))


def moved_by(geometry: BoardGeometry, dx: float, dy: float) -> BoardGeometry:
    """The geometry of a board that begins so many squares further on."""
    shift = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1.0]])
    g = geometry
    return BoardGeometry(g.homography @ shift, g.size, g.width, g.height, g.k1, g.quality)


def _seen_points(geometry: BoardGeometry) -> Points:
    """The middles of a board's squares that are in the picture, (N, 2)."""
    at = np.stack(np.meshgrid(np.arange(15) + 0.5, np.arange(15) + 0.5), -1).reshape(-1, 2)
    h = geometry.homography
    at = at[(at @ h[2, :2] + h[2, 2]) * np.sign(h[2, 2]) > 0]
    px = geometry.to_px(at)
    inside = geometry.in_picture(px)
    # far outside the picture the lens folds over
    true = np.abs(geometry.to_lattice(px) - at).max(1) < 0.1
    return np.asarray(at[inside & true])


def _in_sight(geometry: BoardGeometry, share: float) -> bool:
    return len(_seen_points(geometry)) >= share * 225
