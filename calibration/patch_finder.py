"""Finds which of nine joined boards a picture shows, any number of them.

A lattice fits joined boards as well some squares further on, so where one board begins is told by
its print: premium squares lie the same way seen in a mirror on every board we know, and joined
boards repeat every fifteen squares. From the board found so, its neighbours are gone to one after
the other, each fitted by itself, for boards that do not line up perfectly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kibitz.calibration.board_finder import BoardNotFound
from kibitz.calibration.board_geometry import (
    MIDDLE,
    BoardGeometry,
    Picture,
    Points,
    Pyramid,
    geometry_from_corners,
    rectify,
)
from kibitz.calibration.comb import COLOUR_PX, COMB, as_compared, colours_of, measure_lines
from kibitz.calibration.lattice import (
    LATTICE,
    LatticeModel,
    fit,
    predict,
    refine,
    straighten_for_model,
)
from kibitz.engine.parameters import checked, number
from kibitz.engine.phrases import phrase
from kibitz.engine.table import SIDE

REACH: Final = SIDE // 2
"""Boards that repeat every fifteen squares begin no further off than this, either way."""
AROUND: Final = SIDE + REACH
"""So many squares around a board are compared as well: its neighbours, wherever it begins."""
Place = tuple[int, int]
"""Rows and columns of boards, counted from the board that was found first."""


@dataclass(frozen=True, slots=True)
class PatchRule:
    """Parameters of the search for joined boards that a picture shows in part."""

    least_quality: float = number(
        0.9, "quality", 0.0, 1.0, "the board that is found first fits so well"
    )
    least_lines: float = number(
        1.2,
        "strength",
        0.5,
        5.0,
        "what lies on fainter lines may be four boards, however well it fits",
    )
    clear_mirror: float = number(
        0.1, "share", 0.0, 1.0, "so much more alike its mirror a board is than most other frames"
    )
    enough_seen: float = number(
        0.3,
        "share",
        0.0,
        1.0,
        "one of which less is seen keeps its place in the whole",
    )
    sides: tuple[float, ...] = (0.86, 0.74, 0.63, 0.5, 0.41, 0.33)
    """Sides of a board that are tried, as parts of the picture's shorter side."""
    turn_deg: float = number(8.0, "degrees", 0.0, 45.0, "turns that are tried, either way")
    looks: tuple[tuple[float, float], ...] = ((5.0, 1.0), (15.0, 0.5), (2.0, 0.5))
    """By how many squares looks at a side are taken further on, and what each is worth."""
    as_often: float = number(
        0.93, "presence", 0.0, 2.0, "what the looks add up to where a board is as likely as not"
    )
    steep: float = number(20.0, "1 / presence", 1.0, 200.0, "how fast the odds grow from there")
    most_sure: float = number(6.0, "log odds", 0.5, 20.0, "no look is surer")

    def __post_init__(self) -> None:
        checked(self)


PATCH: Final = PatchRule()


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """Some of nine joined boards in one picture.

    Attributes:
        boards: where each lies, by its place beside the first.
        beyond: for places beside them that are in sight, the log odds that a board lies there.
    """

    boards: Mapping[Place, BoardGeometry]
    beyond: Mapping[Place, float] = field(default_factory=dict)

    def central(self) -> BoardGeometry:
        """The board nearest to the middle of the picture."""

        def off(g: BoardGeometry) -> float:
            return float(np.linalg.norm(g.to_px(MIDDLE) - (g.width / 2, g.height / 2)))

        return min(self.boards.values(), key=off)


def find_patch(picture: Picture | Pyramid, lattice: LatticeModel) -> Patch:
    """Every one of nine boards that a picture shows in part.

    Raises:
        BoardNotFound: there is none, or none whose print shows where it begins.
    """
    for middle in (True, False):
        for start in _guess_places(picture.shape[1], picture.shape[0], middle=middle):
            fitted = _fit(picture, start, lattice)
            first = _align_on_lines(picture, fitted, lattice)
            if first is not None:
                return _add_neighbours(picture, first, lattice)
    raise BoardNotFound(
        phrase(
            "No part of joined boards is found in the picture: show at least one whole board, or "
            "give its corners by hand."
        )
    )


def _fit(picture: Picture | Pyramid, start: BoardGeometry, lattice: LatticeModel) -> BoardGeometry:
    """The lattice nearest to one, among others that join it."""
    return refine(picture, start, lattice, alone=False)


def _guess_places(width: int, height: int, *, middle: bool) -> Iterator[BoardGeometry]:
    """Yield possible places of a board: in the middle, or off it, large ones first."""
    short = min(width, height)
    for side in PATCH.sides:
        free_x, free_y = (width - side * short) / 2, (height - side * short) / 2
        off_middle = _places_off_middle(free_x, free_y, side * short)
        for turn in (0.0, -PATCH.turn_deg, PATCH.turn_deg):
            for off in [(0.0, 0.0)] if middle else off_middle:
                yield _guess_at(width, height, side * short, turn, off)


def _places_off_middle(free_x: float, free_y: float, side: float) -> list[tuple[float, float]]:
    """Places off the middle, where there is room."""
    least = LATTICE.reach / SIDE * side  # nearer than that a fit goes by itself
    xs = [-free_x, 0.0, free_x] if free_x > least else [0.0]
    ys = [-free_y, 0.0, free_y] if free_y > least else [0.0]
    return [(x, y) for y in ys for x in xs if (x, y) != (0.0, 0.0)]


def _guess_at(
    width: int, height: int, side: float, turn_deg: float, off: tuple[float, float]
) -> BoardGeometry:
    a, s = np.deg2rad(turn_deg), side / 2
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    square = np.array([(-s, -s), (s, -s), (s, s), (-s, s)])
    corners: Points = square @ turn.T + np.array([width / 2, height / 2]) + off
    return geometry_from_corners(corners, SIDE, width, height)


def _align_on_lines(
    picture: Picture | Pyramid, fitted: BoardGeometry, lattice: LatticeModel
) -> BoardGeometry | None:
    """The board nearest to a lattice, or inside it; None if that is uncertain.

    Two by two boards look like one of twice the size: their print lies as in a mirror, and the
    model finds fifteen squares a side. Only their lines are not where those of one board are. A
    board without lines between its squares stays as it was found.
    """
    first = _align_to_print(picture, fitted, lattice)
    if first is None or _lies_on_lines(picture, first):
        return first
    quarter = _fit(picture, _quarter_of(first), lattice)
    inside = _align_to_print(picture, quarter, lattice)
    return inside if inside is not None and _lies_on_lines(picture, inside) else first


def _lies_on_lines(picture: Picture | Pyramid, geometry: BoardGeometry) -> bool:
    """True if the lattice's lines are lines in the picture."""
    strength, _ = measure_lines(straighten_for_model(picture, geometry), geometry)
    return strength >= PATCH.least_lines


def _quarter_of(geometry: BoardGeometry) -> BoardGeometry:
    """A lattice of half the size in the first corner."""
    return replace(geometry, homography=geometry.homography @ np.diag((0.5, 0.5, 1.0)))


def _align_to_print(
    picture: Picture | Pyramid, geometry: BoardGeometry, lattice: LatticeModel
) -> BoardGeometry | None:
    """The geometry moved to where a board begins; None where its print is inconclusive."""
    if geometry.quality < LATTICE.least_quality:
        return None
    for _ in range(LATTICE.rounds):
        dx, dy, clear = find_print_shift(picture, geometry)
        if clear < PATCH.clear_mirror:
            return None
        if (dx, dy) == (0, 0):
            return geometry if geometry.quality >= PATCH.least_quality else None
        moved = geometry.shifted(dx, dy)
        if not _is_visible(moved, PATCH.enough_seen):
            return None
        geometry = _fit(picture, moved, lattice)
        if geometry.quality < LATTICE.least_quality:
            return None
    return None


def find_print_shift(
    picture: Picture | Pyramid, geometry: BoardGeometry
) -> tuple[int, int, float]:
    """Squares (x, y) by which a lattice must move to begin where a board does.

    Returns:
        The shift, and how much better it is than most others (0: not at all).
    """
    cells, seen = _square_colours(picture, geometry)
    unlike = np.full((2 * REACH + 1, 2 * REACH + 1), np.inf)
    for dy in range(-REACH, REACH + 1):
        for dx in range(-REACH, REACH + 1):
            unlike[dy + REACH, dx + REACH] = _mirror_difference(cells, seen, dx, dy)
    usual = float(np.median(unlike[np.isfinite(unlike)])) if np.isfinite(unlike).any() else 0.0
    if usual <= 0:
        return 0, 0, 0.0
    row, col = np.unravel_index(int(np.argmin(unlike)), unlike.shape)
    return int(col) - REACH, int(row) - REACH, 1 - float(unlike[row, col]) / usual


def _square_colours(
    picture: Picture | Pyramid, geometry: BoardGeometry
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Colour of every square far around a board, and which of them are in sight."""
    n = SIDE + 2 * AROUND
    first, side = (-float(AROUND), -float(AROUND)), (float(n), float(n))
    cells = colours_of(rectify(picture, geometry, COLOUR_PX, first, side))
    at = np.stack(np.meshgrid(np.arange(n) + 0.5, np.arange(n) + 0.5), -1) - AROUND
    return as_compared(cells), geometry.in_sight(at)


def _mirror_difference(
    cells: NDArray[np.float32], seen: NDArray[np.bool_], dx: int, dy: int
) -> float:
    """Asymmetry of boards that begin `dx`, `dy` squares further on."""
    total, count = 0.0, 0
    for top in range((AROUND + dy) % SIDE, cells.shape[0] - SIDE + 1, SIDE):
        for left in range((AROUND + dx) % SIDE, cells.shape[1] - SIDE + 1, SIDE):
            board = np.s_[top : top + SIDE, left : left + SIDE]
            a, s = cells[board], seen[board]
            if s.mean() < PATCH.enough_seen:
                continue
            for m, t in ((a[::-1], s[::-1]), (a[:, ::-1], s[:, ::-1]), (a.swapaxes(0, 1), s.T)):
                both = s & t
                apart = np.linalg.norm(a - m, axis=-1)[both]
                total += float(np.minimum(apart, COMB.tiles_differ).sum())
                count += int(both.sum())
    return total / count if count else float("inf")


def _add_neighbours(
    picture: Picture | Pyramid, first: BoardGeometry, lattice: LatticeModel
) -> Patch:
    """The first board and all that join it, found one from another."""
    boards: dict[Place, BoardGeometry] = {(0, 0): first}
    fitted = {(0, 0)}
    beyond: dict[Place, float] = {}
    todo: list[Place] = [(0, 0)]
    # what one board tells of the lens is little; far from it, it would be nothing at all
    plain = _fit_jointly(replace(first, k1=0.0), boards, lens=False)
    whole = plain
    while todo:
        row, col = todo.pop(0)
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            place = row + dr, col + dc
            if place in boards or max(abs(place[0]), abs(place[1])) > 2:
                continue
            expected = whole.shifted(SIDE * place[1], SIDE * place[0])
            if len(_visible_points(expected)) <= SIDE:  # no more than a row
                continue
            odds = _neighbour_log_odds(picture, boards[row, col], (dr, dc), lattice)
            beyond[place] = max(odds, beyond.get(place, -PATCH.most_sure))
            if odds <= 0:
                continue
            boards[place] = _fit_neighbour(picture, expected, (dr, dc), lattice)
            todo.append(place)
            if boards[place] is not expected:
                fitted.add(place)
                its = {p: boards[p] for p in fitted}
                whole = _fit_jointly(plain, its, lens=True)
    for place in set(boards) - fitted:
        boards[place] = whole.shifted(SIDE * place[1], SIDE * place[0])
    return Patch(boards, beyond)


def _fit_jointly(
    start: BoardGeometry,
    boards: Mapping[Place, BoardGeometry],
    *,
    lens: bool,
) -> BoardGeometry:
    """Geometry of the first board that fits its neighbours best."""
    on, at = [], []
    for (row, col), board in boards.items():
        here = _visible_points(board)[::4]
        on.append(board.to_px(here))
        at.append(np.add(here, (SIDE * col, SIDE * row)))
    px, squares = np.concatenate(on), np.concatenate(at)
    try:
        return fit(px, squares, np.ones(len(px)), start, lens=lens)
    except np.linalg.LinAlgError:
        return start


def _fit_neighbour(
    picture: Picture | Pyramid,
    expected: BoardGeometry,
    step: Place,
    lattice: LatticeModel,
) -> BoardGeometry:
    """A neighbour fitted by itself if enough is in sight, else at its expected place.

    The row beside the board that it was gone to from joins that one: a lattice that slipped lies a
    square off. The rest is known only as well as that board's perspective.
    """
    if not _is_visible(expected, PATCH.enough_seen):
        return expected
    fitted = _fit(picture, expected, lattice)
    here = _visible_points(expected)
    off = np.abs(fitted.to_lattice(expected.to_px(here)) - here).max(1)
    dr, dc = step
    far = here @ np.array([dc, dr]) + (SIDE if dr + dc < 0 else 0)
    joins = (off[far <= far.min()] < 0.5).all()
    return fitted if joins and fitted.quality >= LATTICE.least_quality else expected


def _neighbour_log_odds(
    picture: Picture | Pyramid,
    board: BoardGeometry,
    step: Place,
    lattice: LatticeModel,
) -> float:
    """Log odds of a further board on a side, by what shows of it.

    Three looks, each further on: from afar little of the side is seen, from near all of it but
    what was found already. What each says is summed up as it parts joined sides from bare ones
    on rendered pictures.
    """
    dr, dc = step
    total = 0.0
    # cells nearer to an edge may lie on either side
    near, far = LATTICE.near_squares, SIDE - LATTICE.near_squares
    for squares, worth in PATCH.looks:
        on = board.shifted(squares * dc, squares * dr)
        px, _, _, present = predict(picture, on, lattice)
        at = board.to_lattice(px)
        along, across = (at[:, 0], at[:, 1]) if dc else (at[:, 1], at[:, 0])
        past = along - SIDE if dr + dc > 0 else -along
        beyond = (past > near) & (past < far) & (across > near) & (across < far)
        there = beyond & board.in_picture(px)
        if not there.any():
            return 0.0
        total += worth * float(present[there].mean())
    odds = (total - PATCH.as_often) * PATCH.steep
    return float(np.clip(odds, -PATCH.most_sure, PATCH.most_sure))


def _visible_points(geometry: BoardGeometry) -> Points:
    """Middles of a board's squares in the picture, (N, 2)."""
    at = np.stack(np.meshgrid(np.arange(SIDE) + 0.5, np.arange(SIDE) + 0.5), -1).reshape(-1, 2)
    return np.asarray(at[geometry.in_sight(at)])


def _is_visible(geometry: BoardGeometry, share: float) -> bool:
    return len(_visible_points(geometry)) >= share * 225
