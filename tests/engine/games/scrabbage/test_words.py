"""Words, fragments and points of Scrabbage (SB-11 to SB-19, SB-26 to SB-28)."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabbage.words import (
    finishing_plan,
    fragment_runs,
    is_blocked,
    letter_points,
    scrab_points,
    split_words,
    square_factor,
    strings_at,
    tile_points,
)
from kibitz.engine.rules import Materials
from kibitz.engine.table import Grid, Square, TileRun, parse_square, tile_from_text
from kibitz.engine.words.lexicon import words_from_text

EN = load_tile_set("en")
WORDS = words_from_text("AT\nCAT\nCATS\nTO\nEAT")
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


def test_a_lone_tile_is_in_no_string():
    """One beside another is in one, at a crossing in two, across first."""
    grid = laid(H8="CAT", v_H10="TO", A1="X")
    axes = [[run.axis for run in strings_at(grid, s)] for s in at("A1", "H8", "H10")]

    assert [[], ["across"], ["across", "down"]] == axes


def test_what_is_in_the_list_is_a_word_and_all_else_a_fragment():
    """A blank that nobody named may be any letter (SB-11)."""
    grid = laid(A1="CAT", C1="CA", E1="C?T")

    assert (["CAT", "C?T"], ["CA"]) == split_words(grid, grid.runs(), Materials(WORDS, EN))


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


@pytest.mark.parametrize(
    ("square", "words", "points"),
    [
        ("A2", [], 0),
        ("A2", ["AT"], 2),
        ("A2", ["AT", "TO"], 4),
        ("B2", ["AT"], 4),
        ("A4", ["AT"], 4),
        ("A4", [], 2),
    ],
)
def test_a_tile_has_two_for_each_word(square, words, points):
    """Times the word square, and what its letter square gives, word or not (SB-16 to SB-19)."""
    assert points == tile_points(parse_square(square), words, STAR)


@pytest.mark.parametrize(("setting", "points"), [("multiply", 2 * 3 * 2), ("highest", 2 * 3)])
def test_word_squares_of_a_scrab_multiply_or_the_highest_counts(setting, points):
    """H1 triples and H8 doubles one word of eight; a tile that lay there before does neither."""
    grid = laid(H1="CATSEATS")
    options = {**STAR, "sb.scrab_word_squares": setting}
    scrab = [scrab_points(grid, at(*new), options, EN) for new in (("H1", "H8"), ("H2",))]

    assert [(["CATSEATS"], points), (["CATSEATS"], 2)] == scrab


@pytest.mark.parametrize(
    ("hand", "plan"),
    [("", None), ("X", None), ("T", ["T@H10"]), ("?", ["t@H10"]), ("TS", ["T@H10"])],
)
def test_a_fragment_can_be_finished_with_the_own_hand(hand, plan):
    """Or not; the first way is told, and one that a word is already needs nothing (SB-13)."""
    grid = laid(H8="CA")

    assert plan == finishing_plan(grid, parse_square("H9"), list(hand), WORDS)
    assert [] == finishing_plan(laid(H8="CAT"), parse_square("H9"), list(hand), WORDS)


@pytest.mark.parametrize(
    ("others", "blocked"),
    [({}, False), ({"H10": "X"}, True), ({"H7": "X"}, True), ({"H5": "X"}, False)],
)
def test_a_fragment_is_blocked_by_tiles_that_came_later(others, blocked):
    """CA could become CAT and CATS, until something else lies in the way (SB-15)."""
    later = {parse_square(s): tile_from_text(x) for s, x in others.items()}
    grid = laid(H8="CA").with_tiles(later)
    run = TileRun("across", tuple(at("H8", "H9")))

    assert blocked == is_blocked(grid, run, WORDS, later)


def test_what_was_part_of_no_word_is_nobody_elses_fault():
    """QX never was; and where any string is a word nothing is blocked."""
    grid = laid(H8="QX", H10="X")
    run = TileRun("across", tuple(at("H8", "H9")))

    assert not is_blocked(grid, run, WORDS, at("H10"))


def test_fragments_are_told_with_the_tile_that_lengthened_them_last():
    """Only those with a tile of this hand."""
    grid = laid(A1="CA", C1="CAT", E1="TA")
    order = {Square(0, 1): 1, Square(0, 0): 2, Square(2, 0): 3}
    found = [
        (str(run.squares[0].name), last.name) for run, last in fragment_runs(grid, order, WORDS)
    ]

    assert [("A1", "A1")] == found
