"""What a play causes in Scrabble House: explosions in order, and who wins (SH-12 to SH-30)."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabble_house.blast import explosion, folded, settling, won
from kibitz.engine.games.scrabble_house.rules import GAME
from kibitz.engine.games.scrabble_house.state import rows_from_cells
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, Materials, apply
from kibitz.engine.words.lexicon import words_from_text

WORDS = words_from_text("CAT\nCOD\nTACO\nOX\n")
TWO, FOUR = ("Ann", "Bob"), ("Ann", "Bea", "Cyd", "Dan")


def board(**rows):
    """A board by its rows, `I="...tac"`."""
    return [rows.get(chr(65 + r), "").ljust(15, ".") for r in range(15)]


NORTH_CAT = board(I="....tac")
"""CAT as North reads it, from I7 to I5."""


def table(players=TWO, rows=None, settings=None, **initial):
    options = check_options(GAME.info, {"sh.opening": "any", **(settings or {})})
    materials = Materials(WORDS, load_tile_set("en"))
    boards = [rows or board()] * (len(players) // 2)
    start = {"boards": boards, "first_play_done": dict.fromkeys(players, True), **initial}
    return GAME.begin(players, options, materials, start)


def waiting(state, tiles, **data):
    """South has laid tiles, and the opponent may look yet (SH-11)."""
    player = state.players[0]
    state, verdict = apply(
        GAME, state, Action("place", player, None, {"tiles": tiles, "window": "open", **data})
    )
    assert isinstance(verdict, Accepted), verdict
    return state


DOWN, IN_LINE = {"J7": "O", "K7": "D"}, {"I8": "O"}


def test_a_word_through_another_breaks_it():
    """C turns; A and T faced North in a string that is mixed now, and go (SH-13 to SH-15)."""
    events, result = explosion(waiting(table(rows=NORTH_CAT), DOWN), 0)

    assert [
        ("rotated", {"squares": ["I7"], "board": 1}),
        ("exploded", {"stage": "mixed", "tiles": ["I5T", "I6A"], "strings": ["CAT"]}),
        ("mixed_words", {"words": ["CAT"]}),
        ("passed_to_partner", {"count": 2, "letters": "AT", "partner": None}),
    ] == [(e.kind, e.data) for e in events[:-1]]
    assert board(I="......C", J="......O", K="......D") == result["board_after"]


def test_a_word_in_line_is_turned_whole():
    """TACO takes in all of North's CAT: nothing is removed (SH-14)."""
    events, result = explosion(waiting(table(rows=NORTH_CAT), IN_LINE), 0)

    assert ["rotated", "_settled"] == [e.kind for e in events]
    assert board(I="....TACO") == result["board_after"]


def test_a_blank_that_is_removed_is_free_again():
    """It goes to the partner as a blank (SH-21, SH-29)."""
    state = waiting(table(FOUR, NORTH_CAT, blanks=["I6"]), DOWN)
    (given,) = [e for e in explosion(state, 0)[0] if e.kind == "passed_to_partner"]

    assert {"count": 2, "letters": "?T", "partner": "Cyd"} == given.data


def test_who_declines_lets_nothing_explode():
    """Where the source's "may" is taken at its word (SH-12, SH-A4)."""
    optional = table(rows=NORTH_CAT, settings={"sh.explode": "optional"})
    events, result = explosion(waiting(optional, DOWN, explode=False), 0)

    assert ["_settled"] == [e.kind for e in events]
    assert board(I="....tac", J="......O", K="......D") == result["board_after"]


def test_an_explosion_comes_once():
    """A play that is settled, and a board without one, have nothing to settle."""
    state = waiting(table(rows=NORTH_CAT), DOWN)
    after = folded(state, settling(state, 0))

    assert board(I="......C", J="......O", K="......D") == rows_from_cells(after.boards[0].cells)
    assert ([], ([], {})) == (settling(after, 0), explosion(after, 0))


COLUMN = {chr(65 + r): "X" for r in range(15)}


@pytest.mark.parametrize(
    ("changed", "over"),
    [({}, ["chain"]), ({"A": ""}, []), ({"O": ""}, []), ({"H": ""}, []), ({"H": "x"}, [])],
)
def test_a_chain_of_own_tiles_from_row_to_row_wins(changed, over):
    """Not one that ends before a home row, has a gap, or runs through an opposing tile (SH-24)."""
    rows = board(**{**COLUMN, "D": "X............O", **changed})
    events, _ = explosion(waiting(table(rows=rows), {"D15": "X"}), 0)

    assert over == [e.data["reason"] for e in events if e.kind == "game_over"]


@pytest.mark.parametrize(
    ("ends", "first", "second", "told"),
    [
        ("first_board", None, "Ann", [("game_over", "Ann+Cyd")]),
        ("both", None, "Ann", [("board_over", "Ann")]),
        ("both", "Ann", "Cyd", [("game_over", "Ann+Cyd")]),
        ("both", "Ann", "Dan", [("game_over", None)]),
    ],
)
def test_when_the_match_is_decided(ends, first, second, told):
    """By the first board, or by both; split boards have no winner (SH-30)."""
    state = table(FOUR, settings={"sh.match_end": ends})
    if first:
        state = folded(state, [won(state, 0, first, "time", "Bea")])
    event = won(state, 1 if first else 0, second, "chain", second)

    assert told == [(event.kind, event.data["winner"])]
    assert ("chain", second) == (event.data["reason"], event.data["who"])
