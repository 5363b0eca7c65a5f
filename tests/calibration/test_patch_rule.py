"""Numbers of `PatchRule` decide where joined boards are looked for and which of them are there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from kibitz.calibration import patch_finder
from kibitz.calibration.board_finder import BoardNotFound
from kibitz.calibration.board_geometry import BoardGeometry, geometry_from_corners
from kibitz.calibration.lattice import CELLS, cell_points
from kibitz.calibration.patch_finder import PATCH, find_patch

WIDTH, HEIGHT, SIDE = 900, 900, 300
PICTURE = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
SQUARE = SIDE / 15


def lying(x: float, y: float, quality: float = 0.95) -> BoardGeometry:
    """A board of 300 pixels with its first corner there."""
    corners = np.array([(x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE)], float)
    return replace(geometry_from_corners(corners, 15, WIDTH, HEIGHT), quality=quality)


def no_model(*_):
    """A network that must not be asked."""
    raise AssertionError


@pytest.fixture
def patched(monkeypatch):
    """Sets functions that the finder calls."""

    def put(**functions):
        for name, function in functions.items():
            monkeypatch.setattr(patch_finder, name, function)

    return put


# ---------------------------------------------------------------- is there a neighbour


def odds_of(
    patched, there: Callable[[np.ndarray], np.ndarray], x: float = 300.0, y: float = 300.0
) -> float:
    """Log odds of a board to the right of one.

    Args:
        patched: sets functions.
        there: for squares beyond the board's right side, (N,), the presence of a board.
        x: where the board begins in the picture, which is 900 pixels wide,
        y: and as high.
    """
    board = lying(x, y)

    def predicted(_, on: BoardGeometry, __):
        px = on.to_px(cell_points())
        present = there(board.to_lattice(px)[:, 0] - 15)
        return px, None, None, present

    patched(predict=predicted)
    return patch_finder._neighbour_log_odds(PICTURE, board, (0, 1), no_model, PATCH)


@pytest.mark.parametrize(
    ("present", "low", "high"),
    [(0.5, 1.0, 2.0), (0.43, -2.0, -1.0), (1.0, 5.0, 8.0), (0.0, -8.0, -5.0)],
)
def test_how_likely_a_neighbour_is(present, low, high, patched):
    """As its side looks: half present is a little likelier than not; nothing is quite certain."""
    assert low < odds_of(patched, lambda past: np.full(len(past), present)) < high


@pytest.mark.parametrize(("ends", "low", "high"), [(4.5, 5.0, 8.0), (1.5, -8.0, 0.0)])
def test_how_far_beyond_a_side_a_board_must_go_on(ends, low, high, patched):
    """Its first four squares are enough where a hand hides the rest; a rim is no board."""
    assert low < odds_of(patched, lambda past: 1.0 * (past < ends)) < high


@pytest.mark.parametrize(("squares", "told"), [(0.2, False), (1.9, True)])
def test_a_side_of_which_nothing_is_in_sight_tells_nothing(squares, told, patched):
    """Where the picture ends to the right."""
    x = WIDTH - SIDE - squares * SQUARE

    assert told == (odds_of(patched, lambda past: np.ones(len(past)), x) != 0)


# ---------------------------------------------------------------- where a neighbour lies


def fitted_at(patched, off: float, quality: float, x: float = 600.0) -> bool:
    """Whether a neighbour on the right keeps its own place, so many squares off the joint one."""
    expected = lying(x, 300)
    own = lying(x, 300 + off * SQUARE, quality)
    patched(_fit=lambda *_: own)
    found = patch_finder._fit_neighbour(PICTURE, expected, (0, 1), no_model, PATCH)
    return found is own


@pytest.mark.parametrize(
    ("off", "quality", "expected"),
    [(0.4, 0.9, True), (0.6, 0.9, False), (0.3, 0.75, True), (0.3, 0.65, False)],
)
def test_a_neighbour_keeps_its_own_place(off, quality, expected, patched):
    """Where it fits, and joins the other: its near edge lies within half a square."""
    assert expected == fitted_at(patched, off, quality)


def test_the_far_side_of_a_neighbour_may_lie_further_off(patched):
    """The first board's perspective tells less and less of it: here it lies two squares off."""
    lean = 2.0
    joint = lying(600, 300)
    corners = joint.corners_px + np.array([(0, 0), (0, lean), (0, lean), (0, 0)]) * SQUARE
    own = geometry_from_corners(corners, 15, WIDTH, HEIGHT)
    own = replace(own, quality=0.9)
    patched(_fit=lambda *_: own)
    found = patch_finder._fit_neighbour(PICTURE, joint, (0, 1), no_model, PATCH)

    assert found is own


@pytest.mark.parametrize(("squares", "expected"), [(4, False), (6, True)])
def test_a_neighbour_of_which_little_is_seen_lies_where_the_whole_has_it(
    squares, expected, patched
):
    """Less than a third of it."""
    assert expected == fitted_at(patched, 0.3, 0.9, WIDTH - squares * SQUARE)


@pytest.mark.parametrize(("squares", "expected"), [(1, 0), (2, 1)])
def test_a_neighbour_of_which_a_row_is_seen_is_left_alone(squares, expected, patched):
    """Two rows of it are enough to look for it."""
    asked: list[tuple[int, int]] = []

    def odds(_, __, step, *___):
        asked.append(step)
        return -1.0

    patched(_neighbour_log_odds=odds)
    first = lying(WIDTH - SIDE - squares * SQUARE, 300)
    patch_finder._add_neighbours(PICTURE, first, no_model, PATCH)

    assert expected == asked.count((0, 1))


# ---------------------------------------------------------------- the first board


def aligned(patched, shifts: list[tuple[int, int, float]], qualities: list[float]) -> bool:
    """Whether a lattice is moved to where its print begins.

    Args:
        patched: sets functions.
        shifts: by how many squares print says it must move, and how clearly, one after another.
        qualities: how well it fits there.
    """
    says, fits = iter(shifts), iter(qualities)
    patched(
        find_print_shift=lambda *_: next(says),
        _fit=lambda _, g, *__: replace(g, quality=next(fits)),
    )
    return patch_finder._align_to_print(PICTURE, lying(300, 300), no_model, PATCH) is not None


@pytest.mark.parametrize(
    ("shifts", "qualities", "expected"),
    [
        ([(0, 0, 0.12)], [], True),
        ([(0, 0, 0.08)], [], False),
        ([(3, 0, 0.5), (0, 0, 0.5)], [0.92], True),
        ([(3, 0, 0.5), (0, 0, 0.5)], [0.88], False),
        ([(3, 0, 0.5), (1, 0, 0.5), (0, 0, 0.5)], [0.75, 0.95], True),
        ([(3, 0, 0.5), (1, 0, 0.5), (0, 0, 0.5)], [0.65, 0.95], False),
        ([(1, 0, 0.5)] * 3 + [(0, 0, 0.5)], [0.95] * 3, True),
        ([(1, 0, 0.5)] * 4 + [(0, 0, 0.5)], [0.95] * 4, False),
    ],
    ids=[
        "clear",
        "not clear",
        "fits",
        "fits badly",
        "on the way it fits less",
        "on the way it fits nothing",
        "it moves three times",
        "it goes on moving",
    ],
)
def test_when_a_lattice_lies_on_its_print(shifts, qualities, expected, patched):
    """Its print must be clear, and it must fit there."""
    assert expected == aligned(patched, shifts, qualities)


def test_places_where_a_board_is_looked_for():
    """At the picture's edges, where those are further than a fit goes by itself: two squares."""
    some = patch_finder._places_off_middle(20.0, 45.0, 300.0, PATCH)
    beside = {x for x, _ in some}, {round(abs(y)) for _, y in some}

    assert {0.0} == beside[0]
    assert {45} == beside[1]
    assert [] == patch_finder._places_off_middle(35.0, 39.0, 300.0, PATCH)


def tried(patched, qualities: list[float]) -> tuple[int, float]:
    """How many places were looked at, and how well the board that was taken fits."""
    fits = iter([*qualities, *[0.0] * 999])
    looked: list[float] = []

    def fit(*_):
        looked.append(next(fits))
        return lying(300, 300, looked[-1])

    patched(
        _fit=fit,
        _align_on_lines=lambda _, g, *__: g if g.quality >= 0.9 else None,
        _add_neighbours=lambda _, g, *__: g,
    )
    try:
        found = find_patch(PICTURE, no_model).quality
        return len(looked), found
    except BoardNotFound:
        return len(looked), 0.0


def test_the_first_board_is_one_that_lies_on_its_print(patched):
    """Nothing better is looked for."""
    assert (2, 0.92) == tried(patched, [0.5, 0.92, 0.98])


@pytest.mark.parametrize(("quality", "asked"), [(0.75, True), (0.65, False)])
def test_print_is_looked_at_where_a_lattice_fits(quality, asked, patched):
    """What does not fit is no part of joined boards."""
    seen: list[int] = []
    patched(find_print_shift=lambda *_: seen.append(1) or (0, 0, 0.0))
    patch_finder._align_to_print(PICTURE, lying(300, 300, quality), no_model, PATCH)

    assert asked == bool(seen)


# ---------------------------------------------------------------- what print says


def unlike(by: float, seen: int = 15, boards: int = 1) -> float:
    """How unlike their mirror images boards are on which one column has another colour.

    Args:
        by: how far it differs, CIELAB.
        seen: so many columns of each are in the picture.
        boards: how many there are, one below the other.
    """
    n = 15 + 2 * patch_finder.AROUND
    cells, there = np.zeros((n, n, 3), np.float32), np.zeros((n, n), bool)
    left, top = patch_finder.AROUND, patch_finder.AROUND % 15
    cells[:, left, 1] = by
    there[top : top + 15 * boards, left : left + seen] = True
    return patch_finder._mirror_difference(cells, there, 0, 0, PATCH)


def test_how_far_squares_can_differ():
    """From 28 on they differ altogether: one of them has a tile."""
    some, more, most = (unlike(x) for x in (20, 27, 60))

    assert some < more < most
    assert most < 1.1 * more


@pytest.mark.parametrize(
    ("columns", "boards", "told"), [(4, 3, False), (5, 3, True), (5, 1, True)]
)
def test_how_much_of_boards_must_be_seen_to_compare_them(columns, boards, told):
    """Three tenths of each."""
    assert told == bool(np.isfinite(unlike(20, columns, boards)))


def test_light_counts_less_than_colour():
    """Squares ten lighter are nearer to each other than squares of which one is eight redder."""
    picture = np.empty((HEIGHT, WIDTH, 3), np.float32)
    picture[:] = (60, 0, 0)  # CIELAB
    picture[320:340, 300:320] = (70, 0, 0)
    picture[340:360, 300:320] = (60, 8, 0)
    bgr = (cv2.cvtColor(picture, cv2.COLOR_Lab2BGR) * 255).round().astype(np.uint8)
    cells, _ = patch_finder._square_colours(bgr, lying(300, 300))
    plain, lighter, redder = cells[
        patch_finder.AROUND : patch_finder.AROUND + 3, patch_finder.AROUND
    ]
    apart = [float(np.linalg.norm(x - plain)) for x in (lighter, redder)]

    assert 0.5 < apart[0] / apart[1] < 1


def test_a_lattice_among_others_is_looked_at_as_any_other():
    """Four times at most."""
    looks: list[int] = []

    def further_right(_):
        looks.append(1)
        at = cell_points()
        inside = ((at > 0) & (at < 15)).all(1).reshape(CELLS, CELLS)
        said = np.zeros((1, 4, CELLS, CELLS), np.float32)
        said[:, 0] = 0.4
        said[:, 3] = np.where(inside, 9.0, -9.0)
        return said

    patch_finder._fit(PICTURE, lying(300, 300), further_right, PATCH)

    assert 4 == len(looks)


def test_a_board_of_any_usual_size_and_turn_is_near_a_place_that_is_tried():
    """From a third of the picture's side to most of it, an eighth larger or smaller; 4 degrees."""
    tried = list(patch_finder._guess_places(WIDTH, HEIGHT, PATCH, middle=True))
    sides = {round(15 * g.square_px / WIDTH, 3) for g in tried}
    edges = [g.corners_px[1] - g.corners_px[0] for g in tried]
    turns = {round(float(np.rad2deg(np.arctan2(y, x))), 1) for x, y in edges}
    larger = [min(max(s / x, x / s) for s in sides) for x in np.linspace(0.33, 0.88, 60)]
    aside = [min(abs(t - x) for t in turns) for x in np.linspace(-12, 12, 97)]

    assert max(larger) < 1.13
    assert max(aside) <= 4
