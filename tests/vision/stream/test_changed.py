"""Each number of `ChangeRule` decides: what lies just below it is no change, what lies above is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.vision.stream.changed import changed_squares, shrink_board

PX = 12
SIDE = 17 * PX


def plain(level: float = 100.0) -> np.ndarray:
    """A board of one grey, as it is compared."""
    return np.full((SIDE, SIDE, 3), level, np.uint8)


def square(row: int, col: int) -> tuple[slice, slice]:
    """Where a square lies, with one square around the board."""
    return np.s_[(row + 1) * PX : (row + 2) * PX, (col + 1) * PX : (col + 2) * PX]


def raised(picture: np.ndarray, by: float, rows: range, cols: range) -> np.ndarray:
    """The same with some squares that much brighter."""
    out = picture.astype(float)
    for row in rows:
        for col in cols:
            out[square(row, col)] += by
    return out.clip(0, 255).astype(np.uint8)


def rough(by: float) -> np.ndarray:
    """A board whose pixels differ from the plain one by so much, up and down in turn."""
    signs = np.indices((SIDE, SIDE)).sum(0) % 2 * 2 - 1
    return np.repeat((100 + by * signs)[..., None], 3, axis=2).astype(np.uint8)


def dots(picture: np.ndarray, number: int, by: float, row: int = 7, col: int = 7) -> np.ndarray:
    """The same with so many pixels of a square brighter."""
    out = picture.copy()
    y, x = (row + 1) * PX, (col + 1) * PX
    for i in range(number):
        out[y + 2, x + 2 + 3 * i] += np.uint8(by)
    return out


def textured(by: float = 1.0, seed: int = 3) -> np.ndarray:
    """A board with print all over, which phase correlation can hold on to."""
    noise = np.random.default_rng(seed).integers(0, 256, (SIDE, SIDE, 3)).astype(np.float32)
    soft = cv2.GaussianBlur(noise, (0, 0), 2.5)
    return (100 + (soft - soft.mean()) * by).clip(0, 255).astype(np.uint8)


def moved_by(picture: np.ndarray, px: float) -> np.ndarray:
    """The same moved to the right."""
    matrix = np.array([[1, 0, px], [0, 1, 0]], np.float32)
    return cv2.warpAffine(picture, matrix, (SIDE, SIDE), borderMode=cv2.BORDER_REFLECT)


@pytest.mark.parametrize(
    ("now", "before", "coarse", "expected"),
    [
        (raised(plain(), 3, range(7, 8), range(7, 8)), plain(), False, 0),
        (raised(plain(), 5, range(7, 8), range(7, 8)), plain(), False, 1),
        (raised(plain(), 5, range(7, 8), range(7, 8)), plain(), True, 0),
        (raised(plain(), 7, range(7, 8), range(7, 8)), plain(), True, 1),
        (raised(rough(2), 5, range(7, 8), range(7, 8)), plain(), False, 0),
        (raised(rough(2), 7.5, range(7, 8), range(7, 8)), plain(), False, 1),
        (dots(plain(), 3, 20), plain(), False, 0),
        (dots(plain(), 3, 32), plain(), False, 1),
        (dots(plain(), 1, 32), plain(), False, 0),
        (dots(plain(), 2, 32), plain(), False, 1),
    ],
    ids=[
        "mean, below",
        "mean",
        "unpacked small, below",
        "unpacked small",
        "of what is usual, below",
        "of what is usual",
        "pixel, below",
        "pixel",
        "share, below",
        "share",
    ],
)
def test_when_a_square_changed(now, before, coarse, expected):
    """By its mean, by what most squares differ, or by the pixels that differ much."""
    changed = changed_squares(now, before, coarse=coarse)

    assert changed is not None
    assert expected == changed.sum()


@pytest.mark.parametrize(
    ("around", "by", "expected"),
    [(0, (1, 2), 1), (0, (2, 3), 2), (2, (2, 3), 1), (2, (3, 4), 2)],
    ids=["mean, below", "mean", "of what is usual, below", "of what is usual"],
)
def test_when_a_square_beside_one_that_changed_is_reached(around, by, expected):
    """Less is enough there than alone; pixels differ by one number and the other in turn."""
    now = raised(rough(around), 40, range(7, 8), range(7, 8))
    signs = np.indices((PX, PX)).sum(0) % 2 * 2 - 1
    halves = np.where(np.arange(PX) < PX // 2, *by)
    now[square(7, 8)] = (100 + signs * halves)[..., None]

    changed = changed_squares(now, plain())

    assert changed is not None
    assert expected == changed.sum()


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (plain(125), True),
        (plain(145), False),
        (rough(4), True),
        (rough(8), False),
    ],
    ids=["a little brighter", "much brighter", "a little noise", "other light"],
)
def test_in_another_light_nothing_is_compared(now, expected):
    """A picture much brighter, or most squares of which differ, is read anew."""
    assert expected == (changed_squares(now, plain()) is not None)


@pytest.mark.parametrize(("side", "expected"), [(6, True), (8, False)])
def test_a_board_that_changed_too_much_is_read_anew(side, expected):
    """64 squares with those beside them are still compared; of 100 it must be seen to lie still."""
    now = raised(plain(), 40, range(3, 3 + side), range(3, 3 + side))

    assert expected == (changed_squares(now, plain()) is not None)


@pytest.mark.parametrize(("px", "expected"), [(0.4, True), (0.75, False)])
def test_how_far_a_board_may_move_and_lie_still(px, expected):
    """A shadow over two fifths of it changes those, if it lies where it lay to half a pixel."""
    before = textured()
    now = moved_by(before, px)
    now[:, 10 * PX :] = now[:, 10 * PX :] * 0.8

    assert expected == (changed_squares(now, before) is not None)


def test_how_far_pixels_are_blurred_where_boards_are_compared():
    """A single pixel is spread over three by three."""
    board = plain()
    board[100, 100] = 190

    assert 9 == np.count_nonzero((shrink_board(board) != 100).any(-1))


@pytest.mark.parametrize(("spot", "expected"), [(1, 0), (3, 1)])
def test_noise_of_single_pixels_is_no_change(spot, expected):
    """Boards are blurred a little; a spot of three pixels stays."""
    before, now = plain(), plain()
    for x in (8 * PX + 2, 8 * PX + 8)[: 2 if spot == 1 else 1]:
        now[8 * PX + 2 : 8 * PX + 2 + spot, x : x + spot] += 40

    changed = changed_squares(shrink_board(now), shrink_board(before))

    assert changed is not None
    assert expected == changed.sum()


def noisy(picture: np.ndarray) -> np.ndarray:
    """The same as a camera in the dark sees it another time."""
    noise = np.random.default_rng(8).normal(0, 3, picture.shape)
    return (picture + noise).clip(0, 255).astype(np.uint8)


def test_faint_print_tells_that_a_board_lies_still():
    """Where noise is as strong as the print; where nothing is printed nothing tells."""
    results = []
    for before in (textured(0.05), plain()):
        now = noisy(before)
        now[:, 10 * PX :] = now[:, 10 * PX :] * 0.8
        results.append(changed_squares(now, before) is not None)

    assert [True, False] == results
