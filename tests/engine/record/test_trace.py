"""The orders in which a finished board can have been laid."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.board.moves import Move, WordIndex, moves
from kibitz.engine.record.trace import Trace, TraceRule, named_blanks, trace_orders
from kibitz.engine.table import SIDE, Grid, Square, grid_from_rows
from tests.helpers.property_examples import tries

ENGLISH = load_tile_set("en")
WORDS = frozenset(
    ["CAT", "CATS", "AT", "TO", "TOE", "SO", "SOT", "OAT", "EAT", "TEA", "TEAS", "COT"]
)
WHOLE = TraceRule(orders=1000, positions=1_000_000)


def board(rows: Mapping[int, str]) -> Grid:
    """A board on which some rows (8 is the star's) begin in the column of the star."""
    lines = ["." * SIDE] * SIDE
    for row, text in rows.items():
        lines[row - 1] = ("." * 7 + text).ljust(SIDE, ".")
    return grid_from_rows(lines)


def told(found: Trace) -> set[tuple[str, ...]]:
    """The main words of every order."""
    return {tuple(play.word for play in order.plays) for order in found.orders}


def test_a_word_can_have_been_laid_whole_or_made_longer():
    """CATS at once, or CAT and then an S; AT CAT CATS is no order, as AT misses the star."""
    found = trace_orders(board({8: "CATS"}), WORDS.__contains__, ENGLISH, rule=WHOLE)

    assert 2 == found.count
    assert {("CATS",), ("CAT", "CATS")} == told(found)
    assert ("CATS",) == tuple(play.word for play in found.orders[0].plays)


def test_points_are_those_of_the_rules():
    """CAT on the star doubles; an S behind it scores the word once more without the star."""
    found = trace_orders(board({8: "CATS"}), WORDS.__contains__, ENGLISH, rule=WHOLE)
    by_words = {tuple(p.word for p in o.plays): [p.score for p in o.plays] for o in found.orders}

    assert {("CATS",): [12], ("CAT", "CATS"): [10, 6]} == by_words


def test_plays_that_do_not_touch_each_other_are_one_order():
    """Two words that hang on the first one, away from each other, come in one order."""
    rows = ["." * SIDE] * 7 + ["......." + "CATS" + "...."] + ["." * SIDE] * 7
    for r, row in ((8, ".......O..O....")), (9, ".......T..T...."):
        rows[r] = row
    grid = grid_from_rows(rows)
    found = trace_orders(grid, {"CATS", "COT", "SOT"}.__contains__, ENGLISH, rule=WHOLE)

    once = [o for o in found.orders if o.plays[0].word == "CATS"]
    assert [{"CATS", "COT", "SOT"}] == [{p.word for p in o.plays} for o in once]


def test_what_is_remembered_of_turns_leaves_other_orders_out():
    """With CAT first, CATS came second; with CATS first there is no CAT."""
    grid = board({8: "CATS"})
    first_cat = trace_orders(grid, WORDS.__contains__, ENGLISH, turns={1: "CAT"}, rule=WHOLE)
    second_sea = trace_orders(grid, WORDS.__contains__, ENGLISH, turns={2: "SEA"}, rule=WHOLE)

    at_once = trace_orders(grid, WORDS.__contains__, ENGLISH, turns={1: "CATS"}, rule=WHOLE)

    assert {("CAT", "CATS")} == told(first_cat)
    assert ({("CATS",)}, 1) == (told(at_once), at_once.count)
    assert set() == told(second_sea)
    assert second_sea.why


def test_points_of_all_plays_leave_other_orders_out():
    """CATS scores 12 at once; CAT 10, and then with an S 6."""
    grid = board({8: "CATS"})
    once, twice, never = (
        trace_orders(grid, WORDS.__contains__, ENGLISH, points=points, rule=WHOLE)
        for points in ([12], [10, 6], [6, 10])
    )

    assert ({("CATS",)}, {("CAT", "CATS")}, set()) == (told(once), told(twice), told(never))
    assert never.why


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ({}, "There are no two tiles on this board."),
        ({7: "CAT"}, "Nothing lies on the star, H8."),
        ({8: "CAT", 11: "TEA"}, "The tile on K8 hangs on no other word."),
        ({8: "ZAZ"}, "2 tiles show Z, and the set has 1."),
    ],
)
def test_what_nobody_can_have_laid_is_told_with_its_reason(rows, why):
    """Without looking for orders."""
    found = trace_orders(board(rows), WORDS.__contains__, ENGLISH)

    assert (why, (), 0) == (found.why, found.orders, found.count)


def test_words_outside_the_list_are_allowed_where_no_order_has_good_ones_only():
    """Eight tiles cannot be laid at once, and no shorter word of the list lies on the star."""
    found = trace_orders(board({8: "VXCATSOJ"}), WORDS.__contains__, ENGLISH, rule=WHOLE)

    assert {"VXCATSOJ"} == {order.plays[-1].word for order in found.orders}
    assert all(order.plays[0].word not in WORDS for order in found.orders)


def test_a_word_that_somebody_remembers_is_good():
    """No list has CATSO's beginning CATS here; who laid it knows it."""
    grid, words = board({8: "CATSO"}), {"CATSO"}
    untold = trace_orders(grid, words.__contains__, ENGLISH, rule=WHOLE)
    remembered = trace_orders(grid, words.__contains__, ENGLISH, turns={1: "CATS"}, rule=WHOLE)

    assert {("CATSO",)} == told(untold)
    assert {("CATS", "CATSO")} == told(remembered)


def played_by_chance(seed: int, most: int) -> tuple[Grid, list[Move]]:
    """A board after so many plays by chance, or fewer where none is left, and its plays."""
    rng, grid, index = random.Random(seed), Grid(SIDE, SIDE), WordIndex(WORDS)
    played: list[Move] = []
    for _ in range(most):
        could = sorted(
            (m for m in moves(grid, "EATSO", index, ENGLISH) if len(m.text) > 1),
            key=lambda m: (m.place, m.word),
        )
        if not could:
            break
        played.append(rng.choice(could))
        grid = grid.with_tiles(dict(played[-1].tiles))
    return grid, played


@tries(5)
@given(seed=st.integers(0, 10**6))
def test_words_told_with_their_turns_leave_orders_that_have_them(seed):
    """Of a short search too: told words steer it, instead of leaving out what it found."""
    grid, played = played_by_chance(seed, 10)
    lying = Counter(tile.letter for tile in grid.tiles.values())
    assume(all(count <= ENGLISH.count(letter) for letter, count in lying.items()))
    turns = {turn: played[turn - 1].text for turn in range(2, len(played) + 1, 2)}
    found = trace_orders(
        grid, WORDS.__contains__, ENGLISH, turns=turns, rule=TraceRule(positions=500)
    )

    assert found.orders
    assert [] == [
        (turn, word)
        for order in found.orders
        for turn, word in turns.items()
        if word not in dict(order.plays[turn - 1].words)
    ]


@pytest.mark.parametrize("seed", [9, 11])
def test_words_told_with_their_turns_are_tried_with_each_number_of_plays(seed):
    """A search that is too short where their number is open finds an order where it is not."""
    grid, played = played_by_chance(seed, 10)
    turns = {turn: played[turn - 1].text for turn in range(2, len(played) + 1, 2)}
    found = trace_orders(
        grid, WORDS.__contains__, ENGLISH, turns=turns, rule=TraceRule(positions=100)
    )

    assert found.orders


@tries(10)
@given(seed=st.integers(0, 10**6))
def test_points_of_one_player_find_a_game(seed):
    """Every other play's points are as they were written down; there are as many plays."""
    grid, played = played_by_chance(seed, 6)
    lying = Counter(tile.letter for tile in grid.tiles.values())
    assume(all(count <= ENGLISH.count(letter) for letter, count in lying.items()))
    points = [None if turn % 2 else move.score for turn, move in enumerate(played)]
    found = trace_orders(grid, WORDS.__contains__, ENGLISH, points=points)

    assert found.orders
    assert {(len(played), tuple(points[::2]))} == {
        (len(order.plays), tuple(play.score for play in order.plays[::2]))
        for order in found.orders
    }


@tries(10)
@given(seed=st.integers(0, 10**6))
def test_points_of_all_plays_find_a_long_game_in_a_short_search(seed):
    """Each order that is found has them, turn by turn."""
    grid, played = played_by_chance(seed, 10)
    lying = Counter(tile.letter for tile in grid.tiles.values())
    assume(all(count <= ENGLISH.count(letter) for letter, count in lying.items()))
    points = [move.score for move in played]
    found = trace_orders(
        grid, WORDS.__contains__, ENGLISH, points=points, rule=TraceRule(positions=500)
    )

    assert found.orders
    assert [] == [o for o in found.orders if [p.score for p in o.plays] != points]


@tries(20)
@given(seed=st.integers(0, 10**6))
def test_the_game_that_was_played_is_among_all_orders(seed):
    """Of a few plays by chance, however they lie."""
    grid, moved = played_by_chance(seed, 4)
    played = [(frozenset(s for s, _ in move.tiles), move.score) for move in moved]
    found = trace_orders(grid, WORDS.__contains__, ENGLISH, rule=WHOLE)
    orders = [{(frozenset(p.tiles), p.score) for p in order.plays} for order in found.orders]

    assert found.count == len(orders)
    assert set(played) in orders


def test_blanks_get_the_only_letter_that_fits():
    """C?T may be CAT or COT; C?TS with AT below it is CATS."""
    two = board({8: "C?T"})
    one = two.with_tiles(board({8: "C?T", 9: ".T"}).tiles)

    assert {Square(7, 8): ("A", "O")} == named_blanks(two, WORDS.__contains__, ENGLISH)[1]
    assert ".......CaT....." == named_blanks(one, WORDS.__contains__, ENGLISH)[0].text_rows()[7]
