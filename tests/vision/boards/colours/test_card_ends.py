"""The end of a card that looks like a letter is told from a tile."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.vision.boards.colours.ship_cards import card_ends, settle_cards
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, MARKER_KIND, TILE_KIND, Marker

PX = 24
CREAM, BLUE, PALE = (180, 220, 235), (120, 90, 60), (210, 215, 220)
HALF_HIDDEN = (7, 5)
TILES = [(7, 6), (7, 7), (7, 8), (6, 8), (5, 8), (8, 8)]


def table(
    body: tuple[int, int, int], hull: tuple[int, int, int], card: float, *, pointed: bool = True
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """A row of tiles, beside it a square of some colour with a print, read as a letter.

    Args:
        body: colour of the square, BGR.
        hull: colour of its print.
        card: probability that the reader gives a card there.
        pointed: whether the print is a hull that runs on under the tile, or ends before.
    """
    picture = np.full((17 * PX, 17 * PX, 3), 120, np.uint8)
    kind = np.full((15, 15, 4), np.log(0.001), np.float32)
    kind[..., EMPTY_KIND] = np.log(0.997)
    for r, c in [*TILES, HALF_HIDDEN]:
        y, x = (r + 1) * PX, (c + 1) * PX
        picture[y : y + PX, x : x + PX] = CREAM
        cv2.line(picture, (x + 12, y + 6), (x + 12, y + 17), (30, 30, 30), 2)
        kind[r, c] = np.log((1e-6, 1 - 3e-6, 1e-6, 1e-6))
    y, x = (HALF_HIDDEN[0] + 1) * PX, (HALF_HIDDEN[1] + 1) * PX
    picture[y : y + PX, x : x + PX] = body
    bow = [(x + 2, y + 12), (x + 10, y + 6), (x + 24, y + 6), (x + 24, y + 18), (x + 10, y + 18)]
    if pointed:
        cv2.fillPoly(picture[:, : x + PX], [np.array(bow, np.int32)], hull)
    else:
        cv2.rectangle(picture, (x + 7, y + 6), (x + 15, y + 17), hull, 2)
    kind[HALF_HIDDEN] = np.log((1e-6, 1 - card, card, 1e-6))
    return kind, picture


def read(kind: NDArray[np.float32], picture: NDArray[np.uint8]) -> tuple[Marker, ...]:
    """The cards on such a table."""
    edges = SquareColours(picture, PX).of(np.ones((15, 15), bool))[1]
    ends = card_ends(kind, np.zeros((15, 15), np.float32), edges, picture, PX)
    return settle_cards(kind, ends, picture, PX)[1]


def test_a_bow_beside_a_tile_is_a_card() -> None:
    """What is read as a letter is a card that runs on under the tile beside it, not a tile."""
    kind, picture = table(BLUE, PALE, 0.003)
    edges = SquareColours(picture, PX).of(np.ones((15, 15), bool))[1]
    ends = card_ends(kind, np.zeros((15, 15), np.float32), edges, picture, PX)
    settled, cards = settle_cards(kind, ends, picture, PX)

    assert [m.squares for m in cards] == [(HALF_HIDDEN, TILES[0])]
    assert int(settled[HALF_HIDDEN].argmax()) == MARKER_KIND
    assert all(int(settled[q].argmax()) == TILE_KIND for q in TILES)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_bow_may_point_anywhere(quarters: int) -> None:
    """The same on a board that is turned."""
    kind, picture = (np.ascontiguousarray(np.rot90(x, quarters)) for x in table(BLUE, PALE, 0.003))
    square = np.zeros((15, 15), bool)
    square[HALF_HIDDEN] = square[TILES[0]] = True
    expected = tuple(map(tuple, np.argwhere(np.rot90(square, quarters)).tolist()))

    assert [expected] == [m.squares for m in read(kind, picture)]


@pytest.mark.parametrize(
    ("body", "card", "pointed"),
    [
        (CREAM, 0.003, True),  # as the board's tiles are
        (BLUE, 1e-6, True),  # the reader is certain of a tile
        (BLUE, 0.003, False),  # the print ends before the square does
    ],
)
def test_a_tile_stays_a_tile(body: tuple[int, int, int], card: float, pointed: bool) -> None:
    """Colour, print and the reader have to agree before a letter is given up."""
    assert read(*table(body, (40, 40, 40), card, pointed=pointed)) == ()


@pytest.mark.parametrize(("card", "cards"), [(0.07, 0), (0.12, 1)])
def test_what_may_well_be_a_card_was_never_a_tile(card: float, cards: int) -> None:
    """From a tenth on, though it has the colour of the board's tiles."""
    assert cards == len(read(*table(CREAM, (40, 40, 40), card)))


@pytest.mark.parametrize(("card", "cards"), [(6e-5, 0), (1.5e-4, 1)])
def test_how_much_of_a_card_must_be_seen(card: float, cards: int) -> None:
    """One in ten thousand: a square of which less is seen is a tile, whatever its print."""
    assert cards == len(read(*table(BLUE, PALE, card)))


@pytest.mark.parametrize(("hand", "cards"), [(0.007, 1), (0.015, 0)])
def test_fingers_beside_a_tile_are_no_bow(hand: float, cards: int) -> None:
    """What may be a hand, one in a hundred, leaves parts of letters that look like hulls."""
    kind, picture = table(BLUE, PALE, 0.003)
    kind[HALF_HIDDEN][COVERED_KIND] = np.log(hand)

    assert cards == len(read(kind, picture))


@pytest.mark.parametrize(("other", "cards"), [(0.03, 0), (0.05, 1)])
def test_how_unlike_tiles_a_card_must_be(other: float, cards: int) -> None:
    """A tile in another light is less so than a card."""
    body = (round(180 * (1 + other)), round(220 * (1 - other)), 235)

    assert cards == len(read(*table(body, (40, 40, 40), 0.003)))


def banded(low: int, high: int, gaps: int = 0, stray: int = 0, *, lined: bool = False) -> int:
    """How many cards are seen where a plain band runs on under a tile, between two rows of pixels.

    Args:
        low: the band's first row.
        high: the row after its last.
        gaps: so many columns of it are bare.
        stray: so many columns have print beside it as well.
        lined: whether the board's lines show on both sides.
    """
    kind, picture = table(BLUE, PALE, 0.003)
    y, x = (HALF_HIDDEN[0] + 1) * PX, (HALF_HIDDEN[1] + 1) * PX
    square = picture[y : y + PX, x : x + PX]
    square[:] = BLUE
    square[low:high, 2:] = PALE
    square[low:high, 13 : 13 + gaps] = BLUE
    square[:, 17 : 17 + stray] = PALE
    if lined:
        square[:2] = square[-2:] = PALE
    return len(read(kind, picture))


def test_the_boards_lines_are_no_part_of_a_print() -> None:
    """A worn hull is one where lines show beside its card as well."""
    assert 1 == banded(6, 18, 4, lined=True)


@pytest.mark.parametrize(
    ("low", "high", "cards"), [(8, 16, 0), (7, 18, 1), (4, 20, 1), (4, 21, 0)]
)
def test_how_wide_a_hull_is(low: int, high: int, cards: int) -> None:
    """From two fifths of a square to two thirds."""
    assert cards == banded(low, high)


@pytest.mark.parametrize(("aside", "cards"), [(2, 1), (4, 0)])
def test_a_hull_lies_in_the_middle(aside: int, cards: int) -> None:
    """No further beside it than a ninth of a square."""
    assert cards == banded(7 - aside, 17 - aside)


@pytest.mark.parametrize(("gaps", "stray", "cards"), [(0, 0, 1), (3, 0, 1), (3, 3, 0)])
def test_a_hull_is_a_plain_band(gaps: int, stray: int, cards: int) -> None:
    """A quarter of its print may be elsewhere, as of a card that is worn."""
    assert cards == banded(6, 18, gaps, stray)


@pytest.mark.parametrize(("hand", "cards"), [(0.15, 1), (0.3, 0)])
def test_a_fingertip_is_no_card(hand: float, cards: int) -> None:
    """One square in sight that is a hand with one chance in five does not make a card."""
    kind, picture = table(BLUE, PALE, 0.003)
    kind[HALF_HIDDEN] = np.log((1e-6, 1e-6, 1 - hand, hand))
    kind[TILES[0]] = np.log((1e-6, 1e-6, 1e-6, 1.0))

    assert cards == len(settle_cards(kind, np.zeros((15, 15), bool), picture, PX)[1])
