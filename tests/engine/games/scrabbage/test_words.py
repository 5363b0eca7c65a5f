"""Points of Scrabbage: premium squares and the scrab (SB-16 to SB-19, SB-27)."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabbage.words import (
    letter_points,
    scrab_points,
    square_factor,
)
from kibitz.engine.table import Grid, parse_square, tile_from_text

EN = load_tile_set("en")
STAR = {"sb.star_double": True, "sb.scrab_word_squares": "multiply"}
PLAIN = {**STAR, "sb.star_double": False}


def laid(**words):
    """A board with words on it: `H8="CAT"` across, `v_H8="CAT"` down."""
    tiles = {}
    for place, word in words.items():
        axis = "down" if place.startswith("v_") else "across"
        start = parse_square(place.removeprefix("v_"))
        tiles |= {start.step(axis, i): tile_from_text(x) for i, x in enumerate(word)}
    return Grid(15, 15).with_tiles(tiles)


def at(*names):
    return [parse_square(name) for name in names]


@pytest.mark.parametrize(
    ("square", "letters", "starred", "plain"),
    [
        ("H8", 0, 2, 1),
        ("A1", 0, 3, 3),
        ("B2", 0, 2, 2),
        ("A4", 2, 1, 1),
        ("B6", 3, 1, 1),
        ("A2", 0, 1, 1),
    ],
)
def test_what_a_premium_square_is_worth(square, letters, starred, plain):
    """Points for a letter square, a factor for a word square; the star as agreed on."""
    where = parse_square(square)

    assert letters == letter_points(where)
    assert (starred, plain) == (square_factor(where, STAR), square_factor(where, PLAIN))


@pytest.mark.parametrize(("setting", "points"), [("multiply", 2 * 3 * 2), ("highest", 2 * 3)])
def test_word_squares_of_a_scrab_multiply_or_the_highest_counts(setting, points):
    """H1 triples and H8 doubles one word of eight; a tile that lay there before does neither."""
    grid = laid(H1="CATSEATS")
    options = {**STAR, "sb.scrab_word_squares": setting}
    scrab = [scrab_points(grid, at(*new), options, EN) for new in (("H1", "H8"), ("H2",))]

    assert [(["CATSEATS"], points), (["CATSEATS"], 2)] == scrab
