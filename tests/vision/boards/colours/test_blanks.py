"""Blanks and bare squares told apart by the colours of the board's other squares."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.vision.boards.colours.blanks import settle_blanks
from kibitz.vision.boards.colours.tile_colours import SquareColours
from kibitz.vision.readings import COVERED_KIND, EMPTY_KIND, TILE_KIND

BROWN, WHITE = (30.0, 20.0, 20.0), (90.0, 0.0, 0.0)
UNBURNT = np.zeros((15, 15), np.float32)
DOUBTFUL = (7, 7)
"""Below a tile of row G."""


def settled(
    middle: tuple[float, float, float],
    edge: tuple[float, float, float],
    blank_there: float = 1.0,
    tiles: int = 15,
    alike_from: int = 15,
    burnt: float = 0.0,
) -> float:
    """Log odds of a tile on a square of even odds: row G holds brown tiles, the rest is white.

    From some column on bare squares have that square's colour.
    """
    middles = np.full((15, 15, 3), WHITE, np.float32)
    middles[:, alike_from:] = middle
    middles[6, :tiles] = BROWN
    edges = middles.copy()
    middles[DOUBTFUL], edges[DOUBTFUL] = middle, edge
    kind = np.full((15, 15, 4), -12.0, np.float32)
    kind[..., EMPTY_KIND] = -1e-4
    kind[6, :tiles, EMPTY_KIND], kind[6, :tiles, TILE_KIND] = -12.0, -1e-4
    kind[DOUBTFUL][[EMPTY_KIND, TILE_KIND]] = np.log(0.5)
    blank = np.zeros((15, 15), np.float32)
    blank[DOUBTFUL] = blank_there
    part = UNBURNT.copy()
    part[DOUBTFUL] = burnt
    out: NDArray[np.float32] = settle_blanks(middles, edges, kind, blank, part).kind
    return round(float(out[DOUBTFUL][TILE_KIND] - out[DOUBTFUL][EMPTY_KIND]), 3)


def test_a_square_of_the_tiles_colour_is_a_blank() -> None:
    """Middle and edge agree, and with tiles exactly: the most that colours may say is said."""
    assert 7.0 == settled(BROWN, BROWN)


@pytest.mark.parametrize(("tiles", "said"), [(3, 0.0), (5, 7.0)])
def test_a_few_tiles_do_not_tell_how_tiles_look(tiles: int, said: float) -> None:
    """That a square has their colour says nothing as long as only a word of three lies there.

    It lies by itself, which says four nats against a blank.
    """
    assert said - 4.0 == settled(BROWN, BROWN, tiles=tiles)


def test_a_square_that_differs_from_tiles_a_little_says_less() -> None:
    """Twice as far from tiles as these are from each other, and far from bare squares."""
    near = (BROWN[0], BROWN[1] + 2.0, BROWN[2])
    assert 4.0 == settled(near, near)


@pytest.mark.parametrize(("tile", "asked"), [(8e-5, False), (1.5e-4, True)])
def test_colours_are_asked_however_sure_the_looks_are(tile: float, asked: bool) -> None:
    """From one in ten thousand on that a square of the tiles' colour holds one."""
    colours = np.full((15, 15, 3), WHITE, np.float32)
    colours[6] = colours[DOUBTFUL] = BROWN
    kind = np.full((15, 15, 4), -12.0, np.float32)
    kind[..., EMPTY_KIND] = -1e-4
    kind[6, :, EMPTY_KIND], kind[6, :, TILE_KIND] = -12.0, -1e-4
    kind[DOUBTFUL][TILE_KIND] = np.log(tile)
    blank = np.zeros((15, 15), np.float32)
    blank[DOUBTFUL] = 1.0
    out = settle_blanks(colours, colours, kind, blank, UNBURNT)
    assert [[7], [7]] * asked == [x.tolist() for x in out.there if len(x)]
    assert asked == bool(out.kind[DOUBTFUL][TILE_KIND] > kind[DOUBTFUL][TILE_KIND] + 1)


def test_a_square_of_the_boards_colour_is_bare() -> None:
    """The same the other way."""
    assert -4.0 == settled(WHITE, WHITE)


@pytest.mark.parametrize(("column", "said"), [(11, -4.0), (13, 0.0)])
def test_how_far_away_bare_squares_tell(column: int, said: float) -> None:
    """Five squares: light changes across a board."""
    shade = (60.0, 40.0, -40.0)
    assert said == settled(shade, shade, alike_from=column)


def test_grain_that_looks_like_a_letter_is_told_by_its_colour() -> None:
    """Even odds of a tile with a letter on it: colours are asked as they are about a blank."""
    assert [-4.0, 7.0] == [
        settled(WHITE, WHITE, 0.0),
        settled(BROWN, BROWN, 0.0),
    ]


@pytest.mark.parametrize("colour", [BROWN, WHITE])
def test_what_is_burnt_out_has_lost_its_colour(colour: tuple[float, float, float]) -> None:
    """However little of it: the light that does so lies on all of it."""
    assert 0.0 == settled(colour, colour, burnt=0.01)


def test_a_patch_on_a_blank_says_nothing_against_it() -> None:
    """A white patch on a brown blank on a white board: the two disagree, nothing is said."""
    assert settled(WHITE, BROWN) == 0.0


def test_middle_and_edge_of_a_square_are_measured_apart() -> None:
    """A black square with a white patch in its middle."""
    straight = np.zeros((17 * 24, 17 * 24, 3), np.uint8)
    straight[24 + 6 : 24 + 18, 24 + 6 : 24 + 18] = 255
    middles, edges = SquareColours(straight, 24).of(np.ones((15, 15), bool))
    assert [round(float(middles[0, 0, 0])), round(float(edges[0, 0, 0]))] == [100, 0]


def test_prints_that_lie_as_in_a_mirror_are_no_blanks() -> None:
    """Four violet squares that mirror each other, each taken for a blank, on an empty board."""
    violet = [(1, 5), (1, 9), (13, 5), (13, 9)]
    colours = np.full((15, 15, 3), WHITE, np.float32)
    kind = np.full((15, 15, 4), -12.0, np.float32)
    kind[..., EMPTY_KIND] = -1e-4
    blank = np.zeros((15, 15), np.float32)
    for square in violet:
        colours[square] = (20.0, 30.0, -30.0)
        kind[square][[EMPTY_KIND, TILE_KIND]] = np.log(0.01), np.log(0.99)
        blank[square] = 1.0
    out = settle_blanks(colours, colours, kind, blank, UNBURNT).kind
    assert [int(out[s].argmax()) for s in violet] == [EMPTY_KIND] * 4


@pytest.mark.parametrize(("sure", "lettered"), [(0.99, False), (0.85, True)])
@pytest.mark.parametrize(
    ("step", "kind_of"), [(4.0, EMPTY_KIND), (5.5, EMPTY_KIND), (9.0, TILE_KIND)]
)
def test_prints_in_other_light_are_no_tiles_either(
    step: float, kind_of: int, sure: float, lettered: bool
) -> None:
    """Four violet squares in light that falls off, far from the tiles' colour: one print.

    Words printed on them may look like letters. Where they differ by far more, nothing is said.
    """
    violet = {(1, 5): 0.0, (1, 9): step, (13, 5): 2 * step, (13, 9): 3 * step}
    colours = np.full((15, 15, 3), WHITE, np.float32)
    colours[7] = BROWN
    kind = np.full((15, 15, 4), -12.0, np.float32)
    kind[..., EMPTY_KIND] = -1e-4
    kind[7, :, EMPTY_KIND], kind[7, :, TILE_KIND] = -12.0, -1e-4
    blank = np.zeros((15, 15), np.float32)
    for square, darker in violet.items():
        colours[square] = (60.0 - darker, 60.0, -60.0)
        kind[square][[EMPTY_KIND, TILE_KIND]] = np.log(1 - sure), np.log(sure)
        blank[square] = not lettered
    out = settle_blanks(colours, colours, kind, blank, UNBURNT).kind
    assert [int(out[s].argmax()) for s in violet] == [kind_of] * 4


def test_colours_are_told_apart_in_the_dark() -> None:
    """A board of 12 and 20 grey levels is measured as one that is lit eight times as brightly."""
    levels = np.full((17, 17), 12, np.uint8)
    levels[8] = 20
    dark = levels.repeat(24, 0).repeat(24, 1)[..., None].repeat(3, 2)
    everywhere = np.ones((15, 15), bool)
    seen = SquareColours(dark, 24).of(everywhere)[0]
    lit = SquareColours((dark * 8).astype(np.uint8), 24).of(everywhere)[0]
    assert np.allclose(seen, lit, atol=1e-3)
    assert 20 < float(seen[7, 0, 0] - seen[0, 0, 0])


def test_a_lone_square_of_another_colour_on_an_empty_board_stays_what_it_is() -> None:
    """Without other tiles nothing tells its colour from a blank's."""
    colours = np.full((15, 15, 3), WHITE, np.float32)
    colours[1, 5] = (20.0, 30.0, -30.0)
    kind = np.full((15, 15, 4), -12.0, np.float32)
    kind[..., EMPTY_KIND] = -1e-4
    kind[1, 5, [EMPTY_KIND, TILE_KIND]] = np.log(0.01), np.log(0.99)
    blank = np.zeros((15, 15), np.float32)
    blank[1, 5] = 1.0
    out = settle_blanks(colours, colours, kind, blank, UNBURNT).kind
    assert int(out[1, 5].argmax()) == TILE_KIND


def odds_of_blanks(where: dict[tuple[int, int], float], tiles: NDArray[np.float32]) -> list[float]:
    """Log odds of white squares that may be blanks below a row of tiles, row C.

    Their middles and edges disagree, so that colours say nothing.

    Args:
        where: how probable a tile is there.
        tiles: (15, 3) colours of row C.
    """
    middles = np.full((15, 15, 3), WHITE, np.float32)
    middles[2] = tiles
    kind = np.full((15, 15, 4), -12.0, np.float32)
    kind[..., EMPTY_KIND] = -1e-4
    kind[2, :, EMPTY_KIND], kind[2, :, TILE_KIND] = -12.0, -1e-4
    blank = np.zeros((15, 15), np.float32)
    edges = middles.copy()
    for square, p in where.items():
        middles[square], edges[square] = tiles[0], WHITE  # the two disagree
        kind[square][[EMPTY_KIND, TILE_KIND]] = np.log(1 - p), np.log(p)
        blank[square] = 1.0
    out = settle_blanks(middles, edges, kind, blank, UNBURNT).kind
    return [round(float(out[s][TILE_KIND] - out[s][EMPTY_KIND]), 1) for s in where]


ONE_SET = np.full((15, 3), BROWN, np.float32)
TWO_SETS = np.array([BROWN, (70.0, -40.0, 40.0)], np.float32)[np.arange(15) % 2]


def test_a_third_blank_of_one_set_has_to_be_plain() -> None:
    """Two of 0.99 stay as likely as they are; even odds of a third become less by the most."""
    three = {(3, 1): 0.99, (3, 5): 0.99, (3, 9): 0.5}
    assert odds_of_blanks(three, ONE_SET) == [4.6, 4.6, -4.0]


def test_what_a_flash_makes_of_bare_squares_is_no_third_blank() -> None:
    """White all over they look like blanks; those of the tiles' colour are the set's own."""
    middles = np.full((15, 15, 3), WHITE, np.float32)
    middles[:, :, 1] = 40.0
    middles[2] = middles[3, 1] = middles[3, 5] = BROWN
    flash = [(3, 9), (3, 10), (3, 11)]
    kind = np.full((15, 15, 4), -12.0, np.float32)
    kind[..., EMPTY_KIND] = -1e-4
    blank = np.zeros((15, 15), np.float32)
    kind[2, :, EMPTY_KIND], kind[2, :, TILE_KIND] = -12.0, -1e-4
    for square in [(3, 1), (3, 5), *flash]:
        kind[square][[EMPTY_KIND, TILE_KIND]] = np.log(0.0004), np.log(0.9996)
        blank[square] = 1.0
    for square in flash:
        middles[square] = (60.0, 10.0, 10.0)  # as far from tiles as from bare squares
    out = settle_blanks(middles, middles, kind, blank, UNBURNT).kind.argmax(-1)

    assert [TILE_KIND] * 2 == [out[3, 1], out[3, 5]]
    assert [COVERED_KIND] * 3 == [out[square] for square in flash]


def test_two_sets_have_four_blanks() -> None:
    """Tiles of two colours: the fifth has to be plain."""
    four = {(3, 1): 0.99, (3, 5): 0.99, (3, 9): 0.98, (3, 13): 0.5}
    assert odds_of_blanks(four, TWO_SETS) == [4.6, 4.6, 3.9, 0.0]


def test_a_doubtful_blank_far_from_all_tiles_is_hardly_one() -> None:
    """Plays connect; one that is beside nothing but another doubtful square may be no less."""
    assert odds_of_blanks({(8, 8): 0.5}, ONE_SET) == [-4.0]
    assert odds_of_blanks({(3, 8): 0.5, (4, 8): 0.5}, ONE_SET) == [0.0, 0.0]
