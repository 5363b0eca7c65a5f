"""Squares that show a card are put together, under tiles too."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kibitz.vision.boards.colours.ship_cards import group_cards
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, MARKER_KIND, TILE_KIND

PX = 24


def table(
    card: list[tuple[int, int]], tiles: list[tuple[int, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """A card with a tapering hull, tiles laid over it, and what a reader would see."""
    picture = np.full((17 * PX, 17 * PX, 3), 170, np.uint8)
    (r0, c0), (r1, c1) = card[0], card[-1]
    down = c0 == c1
    x0, y0 = (c0 + 1) * PX + 2, (r0 + 1) * PX + 2
    x1, y1 = (c1 + 2) * PX - 2, (r1 + 2) * PX - 2
    cv2.rectangle(picture, (x0, y0), (x1, y1), (250, 250, 250), -1)
    m = (x0 + x1) // 2 if down else (y0 + y1) // 2
    hull = (
        [(m, y0 + 1), (x1 - 5, y0 + 14), (x1 - 5, y1 - 14), (m, y1 - 1), (x0 + 5, y1 - 14), (x0 + 5, y0 + 14)]
        if down
        else [(x0 + 1, m), (x0 + 14, y0 + 5), (x1 - 14, y0 + 5), (x1 - 1, m), (x1 - 14, y1 - 5), (x0 + 14, y1 - 5)]
    )  # fmt: skip
    cv2.fillPoly(picture, [np.array(hull, np.int32)], (90, 70, 50), cv2.LINE_AA)
    kind = np.full((15, 15, 4), 0.01)
    kind[..., EMPTY_KIND] = 0.97
    for q in card:
        kind[q] = (0.01, 0.01, 0.97, 0.01)
    for r, c in tiles:
        picture[(r + 1) * PX : (r + 2) * PX, (c + 1) * PX : (c + 2) * PX] = (180, 220, 235)
        kind[r, c] = (0.01, 0.97, 0.01, 0.01)
    assert (EMPTY_KIND, TILE_KIND, MARKER_KIND) == (0, 1, 2)
    return kind, picture


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize(
    ("length", "under"),
    [(3, []), (4, [3]), (4, [0, 3]), (2, [0]), (2, [1]), (5, [2]), (3, [0, 2])],
)
def test_a_card_under_tiles_is_found_whole(down: bool, length: int, under: list[int]) -> None:
    """Tiles on either end or in the middle do not shorten a card."""
    card = [(4 + i, 7) if down else (7, 4 + i) for i in range(length)]
    kind, picture = table(card, [card[i] for i in under])

    assert [m.squares for m in group_cards(kind, picture, PX)] == [tuple(card)]


@pytest.mark.parametrize("down", [False, True])
def test_a_tile_beside_a_card_is_not_on_it(down: bool) -> None:
    """Where the hull tapers off before a tile, the card ends."""
    card = [(5, 7), (6, 7), (7, 7)] if down else [(7, 5), (7, 6), (7, 7)]
    beside = [(4, 7), (8, 7)] if down else [(7, 4), (7, 8)]
    kind, picture = table(card, beside)

    assert [m.squares for m in group_cards(kind, picture, PX)] == [tuple(card)]


@pytest.mark.parametrize("down", [False, True])
def test_a_bare_square_parts_two_cards(down: bool) -> None:
    """Only a tile or a hand may hide the middle of a card."""
    card = [(4 + i, 7) if down else (7, 4 + i) for i in range(5)]
    kind, picture = table(card, [])
    kind[card[2]] = kind[0, 0]
    y, x = ((v + 1) * PX for v in card[2])
    picture[y : y + PX, x : x + PX] = 170

    assert [tuple(card[:2]), tuple(card[3:])] == [
        m.squares for m in group_cards(kind, picture, PX)
    ]


def under_a_hand(
    card: list[tuple[int, int]], hidden: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """A card, and a hand over one square that shades the two squares to its left."""
    kind, picture = table(card, [hidden])
    kind[hidden] = (0.01, 0.01, 0.01, 0.97)
    x, y = (hidden[1] + 1) * PX, (hidden[0] + 1) * PX
    picture[y : y + PX, x : x + PX] = (60, 80, 120)
    shade = np.linspace(1.0, 0.6, 2 * PX)[None, :, None]
    beside = picture[y : y + PX, x - 2 * PX : x]
    beside[:] = (beside * shade).astype(np.uint8)
    assert COVERED_KIND == 3
    return kind, picture


def test_a_card_runs_on_under_a_hand() -> None:
    """A card whose print is cut off by a hand, in its shadow, has a square below it."""
    card = [(7, 4), (7, 5), (7, 6), (7, 7)]
    kind, picture = under_a_hand(card, (7, 7))

    assert [m.squares for m in group_cards(kind, picture, PX)] == [tuple(card)]


def test_a_card_that_ends_beside_a_hand() -> None:
    """Where the hull tapers off before a hand, the card ends, in the hand's shadow too."""
    card = [(7, 4), (7, 5), (7, 6)]
    kind, picture = under_a_hand(card, (7, 7))

    assert [m.squares for m in group_cards(kind, picture, PX)] == [tuple(card)]


def test_no_card() -> None:
    """Tiles alone make no card."""
    kind, picture = table([(7, 7), (7, 8)], [(7, 7), (7, 8)])

    assert group_cards(kind, picture, PX) == ()


def test_a_fold_across_bare_squares_is_no_card() -> None:
    """One square taken for a card on a line that runs across bare squares makes none."""
    picture = np.full((17 * PX, 17 * PX, 3), 170, np.uint8)
    picture[8 * PX + 11 : 8 * PX + 14] = 40
    kind = np.full((15, 15, 4), 0.01)
    kind[..., EMPTY_KIND] = 0.97
    kind[7, 9] = (0.1, 0.0, 0.9, 0.0)

    assert group_cards(kind, picture, PX) == ()


def changed_towards_its_end(
    by: float,
    light: float = 1.0,
    hand: bool = False,
    across: tuple[int, ...] = tuple(range(PX)),
    along: int = 10,
) -> int:
    """How many squares a card has whose print is another at its end, beside a tile or a hand."""
    card = [(7, 4), (7, 5), (7, 6)]
    kind, picture = table(card, [card[2]])
    picture[8 * PX : 9 * PX, 5 * PX : 7 * PX] = 190
    picture[8 * PX + 6 : 9 * PX - 6, 5 * PX : 7 * PX] = 100
    end = np.ix_(8 * PX + np.array(across), np.arange(7 * PX - along, 7 * PX))
    picture[end] = (picture[end] * light + by).astype(np.uint8)
    if hand:
        kind[card[2]] = (0.01, 0.01, 0.01, 0.97)
    (marker,) = group_cards(kind, picture, PX)
    return len(marker.squares)


@pytest.mark.parametrize(
    ("by", "hand", "squares"), [(10, False, 3), (20, False, 2), (20, True, 3), (40, True, 2)]
)
def test_how_alike_a_print_must_stay_to_run_on(by: int, hand: bool, squares: int) -> None:
    """To fourteen grey levels, to twice as many beside a hand."""
    assert squares == changed_towards_its_end(by, hand=hand)


@pytest.mark.parametrize("light", [0.7, 0.5])
def test_a_print_in_a_shadow_is_the_same(light: float) -> None:
    """However dark the shadow is."""
    assert 3 == changed_towards_its_end(0, light)


@pytest.mark.parametrize(
    ("across", "squares"), [((2, 3, 4, 19, 20, 21), 3), ((6, 7, 8, 15, 16, 17), 2)]
)
def test_where_across_a_card_its_print_is_compared(across: tuple[int, ...], squares: int) -> None:
    """All but a fifth on each side, where it may lie askew."""
    assert squares == changed_towards_its_end(60, across=across)


@pytest.mark.parametrize(("by", "squares"), [(20, 3), (40, 2)])
def test_what_lies_at_the_very_edge_of_a_square_is_no_print(by: int, squares: int) -> None:
    """Two of the last four pixels are left out there, so that the others count half."""
    assert squares == changed_towards_its_end(by, along=4)
