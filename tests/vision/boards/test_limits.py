"""Where the limits lie that decide about squares: what is just within, and what just beyond."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kibitz.calibration.board_geometry import geometry_from_corners
from kibitz.vision import locating, pipeline
from kibitz.vision.boards.board_print import BoardPrint
from kibitz.vision.boards.colours.blanks import in_doubt
from kibitz.vision.boards.letters.own_letters import comparable, doubtful, likenesses, twins
from kibitz.vision.boards.square_logs import SquareLogs, best_quarter, settle_turns
from kibitz.vision.readings import GridReading

LABELS = ("A", "B", "C", "?")


def kinds(tile: float) -> np.ndarray:
    """(1, 1, 4) of a square that holds a tile with that probability, or nothing."""
    return np.log(np.array([[(1 - tile, tile, 1e-9, 1e-9)]], np.float32))


@pytest.mark.parametrize(
    ("tile", "blank", "expected"),
    [
        (0.006, 0.0, False),
        (0.01, 0.0, True),  # may be a tile of some letter
        (0.94, 0.0, True),
        (0.96, 0.0, False),
        (0.99, 0.55, True),  # or a plain one
        (0.99, 0.45, False),
    ],
)
def test_what_is_in_doubt(tile, blank, expected):
    """From 0.008 to 0.95 any tile, and one that is likelier plain, however sure."""
    assert expected == bool(in_doubt(kinds(tile), np.array([[blank]], np.float32))[0, 0])


@pytest.mark.parametrize(("letter", "expected"), [(0.88, True), (0.93, False)])
def test_a_letter_beside_a_hand_must_be_surer_than_nine_in_ten(letter, expected):
    """A finger may lie across it."""
    kind = np.log(np.full((2, 2, 4), 1e-9, np.float32))
    kind[..., 0] = 0
    kind[0, 0], kind[0, 1] = np.log((1e-9, 1e-9, 1e-9, 1)), np.log((1e-9, 1, 1e-9, 1e-9))
    letters = np.log(np.full((2, 2, 2), 1 - letter, np.float32))
    letters[..., 0] = np.log(letter)
    board = GridReading(np.zeros((4, 2)), kind, ("A", "?"), letters, letters, np.full((2, 2), "."))

    assert expected == bool(board.unreadable[0, 1])


@pytest.mark.parametrize(
    ("quality", "square_px", "expected"),
    [(0.8, 40, True), (0.7, 40, False), (0.9, 49, True), (0.9, 51, False), (0.9, 31, False)],
)
def test_a_board_is_still_where_it_was(quality, square_px, expected):
    """If it fits better than 0.75 there and is less than a quarter larger, or smaller."""
    now: Any = SimpleNamespace(quality=quality, square_px=square_px)
    before: Any = SimpleNamespace(quality=1.0, square_px=40)

    assert expected == locating._still_it(now, before)


@pytest.mark.parametrize(
    ("size", "tiles", "expected"),
    [(15, 110, 1), (15, 130, 0), (21, 225, 1), (21, 240, 0)],
)
def test_a_page_full_of_letters_is_no_board(size, tiles, expected):
    """More than 120 of 15 by 15 squares, and as large a part of more squares."""
    plain = SimpleNamespace(size=size, quality=1.0)
    look: Any = (plain, None, SimpleNamespace(kind=np.zeros((15, 15, 4))))
    lies_right: Any = SimpleNamespace(tiles=tiles, of_no_board=lambda: False)
    try:
        kept = locating._boards_among([(look, lies_right)])
    except locating.BoardNotFound:
        kept = []

    assert expected == len(kept)


def board_of(turns: list[tuple[float, ...]]) -> SquareLogs:
    """A board with tiles apart from each other that are surely an A, turned as told."""
    kind = np.log(np.full((15, 15, 4), 1e-9, np.float32))
    kind[..., 0] = 0
    both = np.full((15, 15, 4, 4), -30.0, np.float32)
    for k, turn in enumerate(turns):
        r, c = divmod(2 * k, 15)
        kind[2 * r, c] = np.log((1e-9, 1, 1e-9, 1e-9))
        both[2 * r, c, 0] = np.log(turn)
    return SquareLogs(kind, both)


def test_one_square_says_no_more_than_four_nats_of_a_facing():
    """However sure it is, it may be wrong."""
    quarters, ahead = best_quarter(board_of([(1e-9, 1 - 3e-9, 1e-9, 1e-9)]), LABELS)

    assert (1, pytest.approx(4.0, abs=0.01)) == (quarters, ahead)


def test_the_whole_board_says_as_much_as_two_neighbours():
    """Three tiles upright elsewhere, one beside it turned by a quarter: that may be an own word."""
    upright, aside = (1 - 3e-9, 1e-9, 1e-9, 1e-9), (1e-9, 1 - 3e-9, 1e-9, 1e-9)
    logs = board_of([upright] * 3 + [(0.25,) * 4])
    kind, both = logs.kind.copy(), logs.both.copy()
    kind[0, 7] = kind[0, 6]
    both[0, 7, 0] = np.log(aside)
    _, turn = settle_turns(SquareLogs(kind, both), LABELS)
    wider = np.array([3 + 0.25, 1 + 0.25, 0.25, 0.25]) + 0.25
    votes = np.array([0, 1, 0, 0]) + 2 * wider / wider.sum()

    assert pytest.approx(votes / votes.sum(), rel=0.01) == np.exp(turn[0, 6])


@pytest.mark.parametrize(
    ("ahead", "certain"), [(1.8, False), (2.2, True)], ids=["hardly", "plainly"]
)
def test_tiles_make_row_a_certain_that_lead_by_two_nats(ahead, certain, monkeypatch):
    """Less may be chance."""
    monkeypatch.setattr(pipeline, "best_quarter", lambda *_: (3, ahead))
    told = pipeline.Reader._quarters(None, None, None, LABELS, pipeline.ReadRequest())  # type: ignore[arg-type]

    assert (3, certain) == told


@pytest.mark.parametrize(("ahead", "quarters"), [(0.4, 2), (0.6, 3)], ids=["nothing", "a hint"])
def test_where_tiles_hardly_lead_row_a_is_nearest_the_top(ahead, quarters, monkeypatch):
    """Under a hand no tile shows; what is left of them by chance says nothing."""
    upside_down = geometry_from_corners([(90, 90), (10, 90), (10, 10), (90, 10)], 15, 100, 100)
    monkeypatch.setattr(pipeline, "best_quarter", lambda *_: (3, ahead))
    told = pipeline.Reader._quarters(None, upside_down, None, LABELS, pipeline.ReadRequest())  # type: ignore[arg-type]

    assert (quarters, False) == told


def printed(shift: float, odd: int = 0, tiles: int = 9, bare: int = 225) -> BoardPrint:
    """A board of two colours, of which the second lies as in a mirror but for some squares.

    Args:
        shift: how far mirror images differ by chance, beside colours that are 1 apart.
        odd: how many squares are lighter by as much as an odd one.
        tiles: how many tiles lie on it.
        bare: how many squares are in sight.
    """
    rng = np.random.default_rng(1)
    y, x = (np.abs(np.arange(15) - 7) for _ in range(2))
    two = (np.minimum.outer(y, x) * 5 + np.maximum.outer(y, x) * 3) % 4 < 2
    colours = two[..., None] * np.ones(3) + rng.normal(0, shift, (15, 15, 1))
    colours.reshape(225, 3)[rng.permutation(225)[:odd]] += 3.0
    seen = np.zeros(225, bool)
    seen[:bare] = True
    return BoardPrint(colours.astype(np.float32), seen.reshape(15, 15), tiles)


def test_how_far_mirror_images_may_differ():
    """By 0.3 of what all squares do a board lies right; by 0.7 it is none if few tiles hide it."""
    within = [s for s in np.arange(0.1, 1.5, 0.02) if printed(s).lies_as_in_a_mirror()]
    none = [s for s in np.arange(0.1, 3.0, 0.02) if printed(s, tiles=7).of_no_board()]

    assert pytest.approx(0.3, abs=0.02) == printed(max(within)).unlike()
    assert pytest.approx(0.7, abs=0.03) == printed(min(none)).unlike()


def test_forty_squares_with_a_mirror_image_tell():
    """Fewer say nothing."""
    rows = [printed(0.1, bare=n).unlike() is None for n in (30, 60)]

    assert [True, False] == rows


def letters(*rows: tuple[float, ...]) -> np.ndarray:
    """(1, K, letters) log probabilities."""
    return np.log(np.array([rows], np.float32))


def test_a_letter_is_doubtful_that_leads_by_less_than_two_nats():
    """7.4 to 1 is plain."""
    seen = letters((0.84, 0.14, 0.01, 0.01), (0.88, 0.1, 0.01, 0.01))

    assert [[True, False]] == doubtful(np.ones((1, 2), np.float32), seen).tolist()


def test_tiles_are_compared_that_may_show_one_letter():
    """Where some letter is within four nats of the best of both."""
    doubt = (0.6, 0.38, 0.001, 0.019)
    near, far = (0.025, 0.003, 0.962, 0.01), (0.012, 0.003, 0.975, 0.01)
    tile, turn = np.ones((1, 3), np.float32), np.zeros((1, 3, 4), np.float32)

    assert {(0, 0): ((0, 1),)} == comparable(tile, letters(doubt, near, far), turn)


def test_pairs_of_sure_letters_are_twins_and_four_pairs_tell():
    """From a probability of 0.95 on; what twins look like is told by four of them."""
    sure, fair = (0.955, 0.015, 0.015, 0.015), (0.94, 0.02, 0.02, 0.02)
    tile, turn = np.ones((1, 3), np.float32), np.zeros((1, 3, 4), np.float32)
    faces: Any = SimpleNamespace(alike=lambda _, others: dict.fromkeys(others, 0.5))
    pair = ((0, 0), (0, 1))

    assert [pair] == twins(tile, letters(sure, sure, fair), turn)
    assert [{}, {(1, 1): 0.5}] == [
        likenesses({(1, 1): ()}, [pair] * n, faces)[1, 1] for n in (3, 4)
    ]
