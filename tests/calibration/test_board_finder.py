"""Numbers of `FinderRule` decide which lattices are boards and what is tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from kibitz.calibration import board_finder
from kibitz.calibration.board_finder import (
    BoardNotFound,
    find_boards,
    find_joined,
    join,
    panel_of,
)
from kibitz.calibration.board_geometry import BoardGeometry, geometry_from_corners
from kibitz.calibration.comb import CombFit, Lines
from kibitz.calibration.lattice import CELLS, Fit, cell_points
from kibitz.calibration.outline import Masks

WIDTH, HEIGHT = 1200, 1000
PICTURE = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
NOTHING = Masks(np.zeros((4, 4)), np.zeros((4, 4)), 4, 4, 1.0, (0.0, 0.0))


def corners(x: float, y: float, side: float) -> np.ndarray:
    """A square's corners, clockwise."""
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], float)


def lying(quality: float, x: float = 300.0, y: float = 200.0, side: float = 600.0):
    """A board that fits so well."""
    return replace(geometry_from_corners(corners(x, y, side), 15, WIDTH, HEIGHT), quality=quality)


def no_model(*_):
    """A network that must not be asked."""
    raise AssertionError


@pytest.fixture
def patched(monkeypatch):
    """Sets functions that the finder calls."""

    def put(**functions):
        for name, function in functions.items():
            monkeypatch.setattr(board_finder, name, function)

    return put


def certain(quality: float, strength: float, evenness: float, patched, off: float = 0.06) -> bool:
    patched(measure_lines=lambda *_: (strength, evenness))
    return board_finder._is_certain(Fit(lying(quality), 0.0, off, object()))


@pytest.mark.parametrize(
    ("quality", "strength", "evenness", "expected"),
    [
        (0.990, 1.70, 0.60, True),
        (0.980, 1.70, 0.60, False),
        (0.990, 1.50, 0.60, False),
        (0.990, 1.70, 0.45, False),
        (0.998, 1.00, 0.53, True),
        (0.996, 1.00, 0.53, False),
        (0.998, 1.00, 0.45, False),
    ],
)
def test_when_a_lattice_lies_right_beyond_doubt(quality, strength, evenness, expected, patched):
    """It fits, and its lines stand out everywhere; where it fits best, evenness will do."""
    assert expected == certain(quality, strength, evenness, patched)


@pytest.mark.parametrize(("quality", "expected"), [(0.998, True), (0.996, False)])
def test_where_all_cells_agree_lines_are_not_asked(quality, expected, patched):
    """If the lattice fits best."""
    assert expected == certain(quality, 1.0, 0.0, patched, off=0.04)


def found_with(quality: float, patched, known: int = 1) -> tuple[int, int, bool]:
    """How many boards there are, looks of the finder, and whether other outlines were tried."""
    looks, others = [], []

    def looked(*_, **__):
        looks.append(1)
        return NOTHING

    def other(*_):
        others.append(1)
        return iter(())

    patched(
        masks_of=looked,
        _find_in_small_picture=lambda *_: None,
        outlines=lambda *_: [corners(300, 200, 600)],
        _fit_or_zoom_in=lambda *_: lying(quality),
        other_boards=other,
    )
    try:
        count = len(find_boards(PICTURE, no_model, no_model, known=known))
    except BoardNotFound:
        count = 0
    return count, len(looks), bool(others)


@pytest.mark.parametrize(
    ("quality", "expected"),
    [
        (0.65, (0, 3, True)),
        (0.75, (1, 3, True)),
        (0.85, (1, 3, False)),
        (0.98, (1, 3, False)),
        (0.99, (1, 2, False)),
    ],
    ids=["no board", "a poor one", "good enough", "nearly plain", "plain"],
)
def test_what_is_looked_at_before_a_board_is_believed(quality, expected, patched):
    """What fits badly is no board; what fits poorly is looked for elsewhere; a plain one is not.

    The first look is the small one, which every picture gets.
    """
    assert expected == found_with(quality, patched)


def test_while_a_board_is_missing_no_look_is_the_last(patched):
    """One that is plain is no reason to stop where two are known to lie there."""
    assert (1, 3, False) == found_with(0.99, patched, known=2)


@pytest.mark.parametrize(
    ("wide", "boards"),
    [
        ((0, 0, 1200, 600), [(0.0, 0.0), (600.0, 0.0)]),
        ((300, 0, 500, 1000), [(300.0, 0.0), (300.0, 500.0)]),
    ],
    ids=["beside", "below"],
)
def test_an_outline_may_be_that_of_both_boards(wide, boards, patched):
    """Two that lie rim to rim on one ground are seen as one, which is no board."""
    x, y, width, height = wide
    both = np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], float)

    def fitted(_, quad, *__):
        whole = np.array_equal(quad, both)
        g = geometry_from_corners(quad, 15, WIDTH, HEIGHT)
        return replace(g, quality=0.94 if whole else 0.998)

    patched(
        masks_of=lambda *_, **__: NOTHING,
        outlines=lambda *_: [both],
        _fit_or_zoom_in=fitted,
        find_beside=no_model,
    )
    found = find_boards(PICTURE, no_model, no_model, known=2)

    assert boards == [tuple(g.corners_px[0]) for g in found]


def test_what_fits_no_lattice_is_told_with_the_one_that_came_nearest(patched):
    """Of all outlines; who knows the board's lines better may go on from there."""
    fits = iter([0.3, 0.6, 0.5, 0.1, 0.2, 0.4, 0.0, 0.6, 0.5])
    patched(
        masks_of=lambda *_, **__: NOTHING,
        _find_in_small_picture=lambda *_: None,
        outlines=lambda *_: [corners(300, 200, 600)] * 3,
        _fit_or_zoom_in=lambda *_: lying(next(fits)),
        other_boards=lambda *_: iter(()),
    )
    with pytest.raises(BoardNotFound, match="squares cannot be made out") as error:
        find_boards(PICTURE, no_model, no_model)

    assert error.value.nearest is not None
    assert 0.6 == error.value.nearest.quality


def at_a_glance(patched, quad: np.ndarray, quality: float, lines=(3.0, 0.9), sure=False) -> bool:
    """Whether a small look was enough for the board in an outline."""
    patched(
        outlines=lambda *_: [quad],
        _fit_until_certain=lambda *_: (lying(quality), sure),
        _snap_and_refit=lambda _, g, *__: g,
        straighten_for_model=lambda *_: None,
        measure_lines=lambda *_: lines,
    )
    return board_finder._find_in_small_picture(PICTURE, NOTHING, no_model) is not None


@pytest.mark.parametrize(
    ("x", "y", "side", "expected"),
    [
        (300, 200, 600, True),
        (330, 230, 540, False),  # too far away
        (360, 180, 640, True),
        (100, 200, 640, False),  # room for another on the right
        (10, 10, 580, False),
    ],
)
def test_which_outlines_a_small_look_is_enough_for(x, y, side, expected, patched):
    """A board that takes half the picture, without room for another beside it."""
    assert expected == at_a_glance(patched, corners(x, y, side), 0.999, sure=True)


@pytest.mark.parametrize(
    ("quality", "lines", "expected"),
    [
        (0.998, (1.0, 0.6), True),
        (0.996, (1.0, 0.6), False),
        (0.990, (1.7, 0.6), True),
        (0.990, (1.5, 0.6), False),
        (0.998, (2.2, 0.45), False),
        (0.850, (2.2, 0.6), True),
        (0.750, (2.2, 0.6), False),
    ],
)
def test_when_lines_say_that_a_small_look_is_enough(quality, lines, expected, patched):
    """Either it fits surely or its lines are strong; in either case everywhere."""
    assert expected == at_a_glance(patched, corners(300, 200, 600), quality, lines)


@pytest.mark.parametrize(("quality", "expected"), [(0.85, False), (0.75, True)])
def test_a_board_that_fits_poorly_is_looked_at_closer_by(quality, expected, patched):
    """The closer look takes in what a look from further away does: a fifth of it on each side."""
    boxes: list[tuple[int, ...]] = []
    patched(
        _fit_and_check_lines=lambda *_: lying(quality),
        propose=lambda _, __, box, **___: boxes.append(box) or [],
    )
    quad = corners(400, 350, 300)
    g = board_finder._fit_or_zoom_in(PICTURE, quad, no_model, no_model)

    assert quality == g.quality
    assert [expected] * len(boxes) == [
        400 - 70 < x0 < 400 - 60 and 700 + 60 < x1 < 700 + 70 for x0, _, x1, _ in boxes
    ]
    assert expected == bool(boxes)


def test_outlines_that_fit_best_after_each_look_go_on(patched):
    """Of eleven and the whole picture half goes on, then five, as none fits; the best first."""
    looked: list[float] = []

    def fitted(_, g: BoardGeometry, **__) -> BoardGeometry:
        looked.append(float(g.corners_px[0, 0]))
        return replace(g, quality=looked[-1] / WIDTH)

    patched(
        masks_of=lambda *_, **__: NOTHING,
        outlines=lambda *_: [],
        other_outlines=lambda *_: [corners(50 * k, 100, 300) for k in range(11)],
        refine=fitted,
        _fit_and_check_lines=lambda _, g, *__: g,
    )
    boards = list(board_finder.other_boards(PICTURE, no_model, no_model, [NOTHING]))

    assert [500.0, 450.0, 400.0, 350.0, 300.0] == [g.corners_px[0, 0] for g in boards]
    assert 12 + 6 + 10 * 5 == len(looked)


def test_outlines_that_run_the_same_way_race_once(patched):
    """What has come to lie as a better one does takes no place of another."""
    patched(
        masks_of=lambda *_, **__: NOTHING,
        outlines=lambda *_: [],
        other_outlines=lambda *_: [corners(100 + k / 10, 100, 300) for k in range(9)],
        refine=lambda _, g, **__: g,
        _fit_and_check_lines=lambda _, g, *__: g,
    )
    boards = board_finder.other_boards(PICTURE, no_model, no_model, [NOTHING])

    assert 2 == len(list(boards))


class Moves:
    """A lattice model that says that the board lies further to the right, look after look."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self, _):
        """(1, 4, 16, 16)."""
        self.looks += 1
        at = cell_points()
        inside = ((at > 0) & (at < 15)).all(1).reshape(CELLS, CELLS)
        out = np.zeros((1, 4, CELLS, CELLS), np.float32)
        out[:, 0] = 0.4
        out[:, 3] = np.where(inside, 9.0, -9.0)
        return out


def test_a_lattice_laid_on_lines_is_fitted_again(patched):
    """As often as any."""
    model = Moves()
    patched(_snap_to_lines=lambda _, g, *__: g)
    board_finder._snap_and_refit(PICTURE, lying(0.9), model)

    assert 4 == model.looks


@pytest.mark.parametrize(
    ("quality", "x", "expected"),
    [(0.901, 330.0, True), (0.899, 330.0, False), (0.899, 310.0, True)],
    ids=["better elsewhere", "worse elsewhere", "near"],
)
def test_a_last_fit_must_not_be_worse_elsewhere(quality, x, expected, patched):
    """Else the lattice stays on the lines; what ends near them lies better than they do."""
    patched(
        _snap_to_lines=lambda _, g, *__: g,
        refine=lambda *_, **__: lying(quality, x),
    )
    g = board_finder._snap_and_refit(PICTURE, lying(0.9), no_model)

    assert expected == (g.quality == quality)


def snapped(qualities: Sequence[float], patched) -> int:
    """How many frames a comb asked for that were taken, where lines always ask for another."""
    taken = iter(range(1, 99))
    fits = iter(qualities)

    def lines(*_):
        comb = CombFit(0.0, 15.0, 99.0, float(next(taken)))
        return Lines(comb, comb)

    moved: list[int] = []
    patched(
        flatten=lambda *_: PICTURE,
        find_lines=lines,
        reframed=lambda g, _: g,
        refine=lambda _, g, **__: replace(g, quality=next(fits)),
        nudge_corners=lambda _, g, *__: moved.append(1) or g,
        replace=lambda g, quality: moved.append(1) or g,
    )
    board_finder._snap_to_lines(PICTURE, lying(0.9), no_model)
    return len(moved) - 1


@pytest.mark.parametrize(
    ("qualities", "expected"),
    [
        ([0.95] * 9, 4),
        ([0.9] * 9, 4),
        ([0.895] * 9, 0),
        ([0.95, 0.895], 1),
    ],
    ids=["better each time", "as well", "worse", "worse the second time"],
)
def test_how_often_lines_move_a_frame(qualities, expected, patched):
    """Four times at most, as long as it does not fit worse."""
    assert expected == snapped(qualities, patched)


# ---------------------------------------------------------------- nine joined boards

WHOLE = geometry_from_corners(corners(100, 50, 900), 45, WIDTH, HEIGHT)
PANELS = [replace(panel_of(WHOLE, k), quality=0.9) for k in range(9)]


def with_panel(k: int, off: float = 0.0, quality: float = 0.9) -> list[BoardGeometry]:
    """The panels, one of which lies so many squares further to the right, or fits so well."""
    moved = replace(PANELS[k].shifted(off, 0.0), quality=quality)
    return [moved if j == k else p for j, p in enumerate(PANELS)]


def right_edge(g: BoardGeometry) -> float:
    """How far the whole's last panel lies from where it does, in squares."""
    return abs(float(WHOLE.to_lattice(g.corners_px)[1:3, 0].mean()) - 45)


@pytest.mark.parametrize(
    ("panels", "expected"),
    [
        (with_panel(8, 0.35), True),
        (with_panel(8, 0.6), False),
        (with_panel(8, 0.35, 0.75), True),
        (with_panel(8, 0.35, 0.65), False),
    ],
    ids=["a little off", "far off", "fits poorly", "does not fit"],
)
def test_which_panels_tell_where_the_whole_lies(panels, expected):
    """A panel that lies off moves the whole, unless it slipped or fits badly."""
    assert expected == (right_edge(join(WHOLE, panels)) > 0.01)


@pytest.mark.parametrize(("count", "expected"), [(4, False), (5, True)])
def test_how_many_panels_tell_the_whole(count, expected):
    """More than half of nine boards that lie a square further on are enough."""
    panels = [replace(p.shifted(1.0, 0.0), quality=0.9 if k < count else 0.1)
              for k, p in enumerate(PANELS)]  # fmt: skip
    moved = join(WHOLE, panels).to_px(np.array([(0.0, 0.0)]))

    assert expected == bool(np.abs(moved - WHOLE.to_px(np.array([(1.0, 0.0)]))).max() < 1)


def joined(patched, panels: Sequence[BoardGeometry], outlines: int = 1):
    """What is found where panels are fitted so, and how many fits that took."""
    asked: list[BoardGeometry] = []

    def fitted(_, g: BoardGeometry, **__) -> BoardGeometry:
        asked.append(g)
        return panels[(len(asked) - 1) % 9]

    patched(
        propose=lambda *_, stand_back=False, **__: (
            [WHOLE.corners_px] * (0 if stand_back else outlines)
        ),
        refine=fitted,
    )
    return find_joined(PICTURE, no_model, no_model), len(asked)


@pytest.mark.parametrize(
    ("panels", "expected"),
    [
        (with_panel(2, 0.35), True),
        (with_panel(2, 0.6), False),
        (with_panel(2, 0.2, 0.75), True),
        (with_panel(2, 0.2, 0.65), False),
    ],
    ids=["a little off", "far off", "fits", "fits badly"],
)
def test_a_panel_keeps_its_own_place(panels, expected, patched):
    """Unless it fits badly or lies far from where the others say that it does."""
    (_, boards), _ = joined(patched, panels)

    assert expected == (boards[2] is panels[2])


@pytest.mark.parametrize(("quality", "expected"), [(0.75, True), (0.65, False)])
def test_when_panels_are_boards(quality, expected, patched):
    """They must fit on average."""
    panels = [replace(p, quality=quality) for p in PANELS]
    try:
        joined(patched, panels)
        found = True
    except BoardNotFound:
        found = False

    assert expected == found


def test_how_much_is_tried_for_joined_boards(patched):
    """The two largest outlines, and in each nine panels four times."""
    assert 2 * 4 * 9 == joined(patched, PANELS, outlines=4)[1]
