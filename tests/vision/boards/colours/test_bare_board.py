"""What shows of a square tells that it is bare, beside a finger and on a blotched board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.vision.boards.colours.bare_board import settle_bare, settle_hidden, settle_lone
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, TILE_KIND

PX = 24
GREEN, CREAM, SKIN = (90, 120, 40), (180, 220, 235), (110, 150, 205)
BROWN = (40, 90, 120)
"""As light as the board."""
TILES = [(7, 6), (7, 7), (7, 8), (6, 8)]
MORE_TILES = [(r, c) for r in (12, 13) for c in range(8)]
HAND = [(r, c) for r in range(5) for c in range(10, 13)]
BESIDE = (5, 11)
IMAGES = [(5, 3), (9, 3), (9, 11), (3, 5), (3, 9), (11, 5), (11, 9)]
"""The squares that lie as that one does, seen in a mirror."""
RED = (60, 60, 190)
Colour = tuple[int, int, int]
Square = tuple[int, int]


def table(
    ground: Colour,
    tile: Colour,
    seen: Colour,
    share: float,
    premiums: Sequence[Square] = (),
    worn: int = 0,
    alike: int = 0,
    letter: int = 0,
    tiles: int = len(TILES + MORE_TILES),
) -> NDArray[np.float32]:
    """Kinds after a look at a board with a hand of which a finger reaches one square more.

    Args:
        ground: colour of the board, BGR.
        tile: colour of the tiles.
        seen: colour of what the finger leaves of its square.
        share: how much of the square it leaves.
        premiums: squares of that colour.
        worn: so many rows of the squares that lie as in a mirror have the tiles' colour.
        alike: so many of twenty tiles have the board's colour.
        letter: so many rows of each tile have it.
        tiles: so many tiles lie there.
    """
    rng = np.random.default_rng(1)
    picture = np.empty((17 * PX, 17 * PX, 3), np.uint8)
    picture[:] = ground
    for r, c in premiums:
        picture[(r + 1) * PX : (r + 2) * PX, (c + 1) * PX : (c + 2) * PX] = seen
    for r, c in IMAGES:
        picture[(r + 1) * PX + 6 : (r + 1) * PX + 6 + worn, (c + 1) * PX : (c + 2) * PX] = tile
    kind = np.full((15, 15, 4), np.log(0.001), np.float32)
    kind[..., EMPTY_KIND] = np.log(0.997)
    lie = (TILES + MORE_TILES)[:tiles]
    like_board = MORE_TILES[:alike]
    lettered = [q for q in lie if q not in like_board]
    for squares, colour, what in (
        (lettered, tile, TILE_KIND),
        (like_board, ground, TILE_KIND),
        (HAND, SKIN, COVERED_KIND),
    ):
        for r, c in squares:
            picture[(r + 1) * PX : (r + 2) * PX, (c + 1) * PX : (c + 2) * PX] = colour
            kind[r, c] = np.log(0.001)
            kind[r, c, what] = np.log(0.997)
    for r, c in lettered:
        y, x = (r + 1) * PX + 3, (c + 1) * PX
        picture[y : y + letter, x : x + PX] = ground
    y, x = ((v + 1) * PX for v in BESIDE)
    picture[y : y + PX, x : x + PX] = SKIN
    picture[y : y + PX, x : x + round(share * PX)] = seen
    kind[BESIDE] = np.log((0.02, 0.005, 0.005, 0.97))
    noisy = picture + rng.normal(0, 3, picture.shape)
    return settle_hidden(np.clip(noisy, 0, 255).astype(np.uint8), PX, kind)


@pytest.mark.parametrize(
    ("ground", "tile", "seen", "share", "expected"),
    [
        (GREEN, CREAM, GREEN, 0.65, EMPTY_KIND),
        (GREEN, CREAM, (50, 66, 22), 0.65, EMPTY_KIND),  # in the hand's shadow
        (GREEN, CREAM, (36, 48, 16), 0.65, EMPTY_KIND),  # in a deep one
        (GREEN, CREAM, (101, 134, 45), 0.65, EMPTY_KIND),  # a little brighter
        (GREEN, CREAM, (126, 168, 56), 0.65, COVERED_KIND),  # brighter than the board
        (GREEN, CREAM, (81, 120, 49), 0.65, EMPTY_KIND),  # a little redder
        (GREEN, CREAM, (77, 120, 53), 0.65, COVERED_KIND),  # redder than the board
        (GREEN, CREAM, GREEN, 0.5, EMPTY_KIND),
        (GREEN, CREAM, GREEN, 0.34, COVERED_KIND),  # too little of it
        (GREEN, CREAM, CREAM, 0.65, COVERED_KIND),  # a tile, though its letter is hidden
        (CREAM, CREAM, CREAM, 0.65, COVERED_KIND),  # tiles like the board
        (SKIN, CREAM, SKIN, 0.65, COVERED_KIND),  # a hand like the board
    ],
)
def test_a_square_is_empty_where_the_board_shows(
    ground: Colour, tile: Colour, seen: Colour, share: float, expected: int
) -> None:
    """Enough of the bare board in a square leaves no room for a tile, if colours tell."""
    kind = table(ground, tile, seen, share)

    assert int(kind[BESIDE].argmax()) == expected
    assert {int(kind[q].argmax()) for q in HAND} == {COVERED_KIND}
    assert {int(kind[q].argmax()) for q in TILES} == {TILE_KIND}


@pytest.mark.parametrize(
    ("premiums", "expected"),
    [
        ([], COVERED_KIND),
        (IMAGES, EMPTY_KIND),
        ([(5, 2), (9, 2), (9, 12), (3, 6), (3, 8), (12, 5), (12, 9)], COVERED_KIND),
    ],
)
def test_a_premium_square_shows_as_those_that_lie_as_in_a_mirror(
    premiums: list[Square], expected: int
) -> None:
    """Its colour is none of the plain squares', but that of its images on the board."""
    assert expected == int(table(GREEN, CREAM, RED, 0.65, premiums)[BESIDE].argmax())


@pytest.mark.parametrize(("worn", "expected"), [(5, EMPTY_KIND), (6, COVERED_KIND)])
def test_how_much_of_the_board_must_have_a_hue(worn: int, expected: int) -> None:
    """Four in a thousand: what fewer pixels have is dirt; else tiles are no longer told apart."""
    assert expected == int(table(GREEN, BROWN, GREEN, 0.65, worn=worn)[BESIDE].argmax())


@pytest.mark.parametrize(("alike", "expected"), [(2, EMPTY_KIND), (4, COVERED_KIND)])
def test_how_many_tiles_may_look_like_the_board(alike: int, expected: int) -> None:
    """Three of twenty: one more, and what looks like the board may be a tile."""
    assert expected == int(table(GREEN, CREAM, GREEN, 0.65, alike=alike)[BESIDE].argmax())


@pytest.mark.parametrize(("letter", "expected"), [(3, EMPTY_KIND), (7, COVERED_KIND)])
def test_how_much_of_tiles_may_look_like_the_board(letter: int, expected: int) -> None:
    """A fifth: letters may have its colour."""
    assert expected == int(table(GREEN, CREAM, GREEN, 0.65, letter=letter)[BESIDE].argmax())


@pytest.mark.parametrize(
    ("tiles", "ground", "expected"),
    [(1, GREEN, EMPTY_KIND), (1, CREAM, COVERED_KIND), (0, GREEN, COVERED_KIND)],
)
def test_one_tile_tells_how_tiles_look(tiles: int, ground: Colour, expected: int) -> None:
    """A hand that lays a game's first word hides most of it."""
    assert expected == int(table(ground, CREAM, ground, 0.65, tiles=tiles)[BESIDE].argmax())


def test_probabilities_stay_probabilities() -> None:
    """What was settled adds up to one."""
    kind = table(GREEN, CREAM, GREEN, 0.65)

    assert np.allclose(np.exp(kind[BESIDE]).sum(), 1.0, atol=1e-5)


def settled(*covered: tuple[Square, float]) -> list[int]:
    """What squares are told to be that were taken for covered, with such probabilities."""
    kind = np.log(np.full((15, 15, 4), 0.001, np.float32))
    kind[..., EMPTY_KIND] = np.log(0.997)
    for square, sure in covered:
        rest = max(1 - sure, 1e-7)
        kind[square] = np.log((rest * 0.9, rest * 0.1, 1e-7, sure))
    told = settle_lone(kind)
    assert np.allclose(1, np.exp(told).sum(-1), atol=1e-3)
    return [int(told[square].argmax()) for square, _ in covered]


@pytest.mark.parametrize(
    ("beside", "sure", "expected"),
    [
        ((7, 8), 0.99, COVERED_KIND),
        ((8, 8), 0.99, COVERED_KIND),
        ((7, 9), 0.99, EMPTY_KIND),
        ((7, 8), 0.9, EMPTY_KIND),
    ],
    ids=["a hand beside it", "at its corner", "further off", "beside it something less sure"],
)
def test_what_looks_covered_by_itself_hardly_is(
    beside: Square, sure: float, expected: int
) -> None:
    """A hand reaches over several squares."""
    assert expected == settled(((7, 7), 0.93), (beside, sure))[0]


def test_what_is_outside_the_picture_is_covered_by_itself_too() -> None:
    """Nothing is known of it."""
    assert [COVERED_KIND] == settled(((0, 0), 1.0))


DOUBTED = [(2, 2), (11, 4)]
"""Squares that are taken for something."""
ALIKE = [(2, 12), (12, 2), (12, 12)]
"""Those that lie as the first of them does, seen in a mirror."""
TAKEN_FOR = {COVERED_KIND: (0.06, 0.1, 0.01, 0.83), TILE_KIND: (0.3, 0.68, 0.015, 0.005)}
TORN = (0.06, 0.5, 0.01, 0.43)
"""Between a tile and what covers it."""
SURE_HAND = (0.00002, 0.00002, 0.00001, 0.99995)
DARK_GREEN = (63, 84, 28)


def doubted(
    ground: Colour,
    tile: Colour,
    seen: Colour,
    taken_for: Sequence[float],
    share: float = 1.0,
    tiles: int = len(TILES),
    premiums: Sequence[Square] = (),
) -> list[int]:
    """What two squares are told to be that were taken for something.

    Args:
        ground: colour of the board, BGR.
        tile: colour of the tiles.
        seen: colour of the two squares.
        taken_for: their probabilities.
        share: how much of each has that colour; a finger hides the rest.
        tiles: so many tiles lie there.
        premiums: squares of the colour seen.
    """
    rng = np.random.default_rng(2)
    picture = np.empty((17 * PX, 17 * PX, 3), np.float64)
    picture[:] = ground
    kind = np.full((15, 15, 4), np.log(0.001), np.float32)
    kind[..., EMPTY_KIND] = np.log(0.997)

    def square(r: int, c: int) -> NDArray[np.float64]:
        return picture[(r + 1) * PX : (r + 2) * PX, (c + 1) * PX : (c + 2) * PX]

    for r, c in premiums:
        square(r, c)[:] = seen
    for r, c in TILES[:tiles]:
        square(r, c)[:] = tile
        kind[r, c] = np.log((0.001, 0.997, 0.001, 0.001))
    for r, c in DOUBTED:
        square(r, c)[:] = SKIN
        square(r, c)[:, : round(share * PX)] = seen
        kind[r, c] = np.log(taken_for)
    noisy = picture + rng.normal(0, 3, picture.shape)
    everywhere = np.ones((15, 15), np.bool_)
    told = settle_bare(np.clip(noisy, 0, 255).astype(np.uint8), PX, kind, everywhere)
    return [int(told[q].argmax()) for q in DOUBTED]


@pytest.mark.parametrize(
    ("seen", "share", "expected"),
    [
        (GREEN, 1.0, EMPTY_KIND),
        (GREEN, 0.65, EMPTY_KIND),
        (GREEN, 0.3, COVERED_KIND),  # most of it is hidden
        (DARK_GREEN, 1.0, COVERED_KIND),  # a sleeve of the board's hue
        ((81, 120, 49), 1.0, COVERED_KIND),  # of another hue
        ((126, 168, 56), 1.0, COVERED_KIND),  # brighter
    ],
)
def test_what_looks_as_the_board_does_is_hardly_covered(
    seen: Colour, share: float, expected: int
) -> None:
    """Its hue and its light are the board's: networks take blotches for a hand."""
    told = doubted(GREEN, CREAM, seen, TAKEN_FOR[COVERED_KIND], share)

    assert [expected] * 2 == told


def test_a_hand_beyond_doubt_stays_one() -> None:
    """It may have the colour of the board."""
    assert [COVERED_KIND] * 2 == doubted(GREEN, CREAM, GREEN, SURE_HAND)


def test_a_board_of_which_no_square_shows_says_nothing() -> None:
    """Where all may be covered there is no bare square to compare with."""
    kind = np.full((15, 15, 4), np.log(TAKEN_FOR[COVERED_KIND]), np.float32)
    picture = np.full((17 * PX, 17 * PX, 3), GREEN, np.uint8)
    told = settle_bare(picture, PX, kind, np.ones((15, 15), np.bool_))

    assert kind.tolist() == told.tolist()


@pytest.mark.parametrize(("tiles", "expected"), [(4, EMPTY_KIND), (1, EMPTY_KIND), (0, TILE_KIND)])
def test_it_is_no_tile_either_where_one_surely_lies(tiles: int, expected: int) -> None:
    """Of a board that is blurred beyond reading no tile is sure, and nothing can be said."""
    assert [expected] * 2 == doubted(GREEN, CREAM, GREEN, TORN, tiles=tiles)


def test_a_doubtful_tile_that_nothing_covers_stays_one() -> None:
    """A wooden blank on a wooden board has its hue and its light."""
    assert [TILE_KIND] * 2 == doubted(GREEN, CREAM, GREEN, TAKEN_FOR[TILE_KIND])


def test_what_light_has_burnt_out_looks_as_nothing() -> None:
    """A lamp that tiles mirror makes them as white as it makes bare squares."""
    white = (255, 255, 255)
    told = doubted(GREEN, CREAM, white, TAKEN_FOR[COVERED_KIND], premiums=ALIKE)

    assert [COVERED_KIND] * 2 == told


def test_a_premium_square_that_looks_as_its_mirror_images_do_is_bare() -> None:
    """One of the two has such images on the board."""
    told = doubted(GREEN, CREAM, RED, TAKEN_FOR[COVERED_KIND], premiums=ALIKE)

    assert [EMPTY_KIND, COVERED_KIND] == told


def test_a_square_outside_the_picture_stays_covered_for_certain() -> None:
    """Whatever is drawn there."""
    told = doubted(GREEN, CREAM, GREEN, (1e-7, 1e-7, 1e-7, 1.0))

    assert [COVERED_KIND] * 2 == told
