"""One board of two as if it were the only one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabble_house.one_board import OneBoard
from kibitz.engine.games.scrabble_house.rules import GAME
from kibitz.engine.games.scrabble_house.state import Tasks
from kibitz.engine.options import check_options
from kibitz.engine.rules import Change, Materials, apply
from kibitz.engine.table import parse_square
from kibitz.engine.words.lexicon import words_from_text

FOUR = ("Ann", "Bea", "Cyd", "Dan")
EMPTY = ["." * 15] * 15
BOARDS = [[*EMPTY[:14], "CAT" + "." * 12], [*EMPTY[:14], "." * 12 + "COD"]]
INITIAL = {"boards": BOARDS, "blanks": ["O1"], "blanks_2": ["O15"], "to_move": ["Bea", "Cyd"]}


def begun(index):
    """The rules as one board has them, and a game of two."""
    rules = OneBoard(GAME, index)
    options = check_options(GAME.info, {})
    materials = Materials(words_from_text("CAT\nCATS\nCOD\nSO"), load_tile_set("en"))
    return rules, rules.begin(FOUR, options, materials, INITIAL)


@pytest.mark.parametrize(("index", "blanks", "turn"), [(0, ["O1"], "Bea"), (1, ["O15"], "Cyd")])
def test_each_sees_its_own_board(index, blanks, turn):
    """Its tiles, its blanks, whose turn it is there; all else is the whole game's."""
    rules, state = begun(index)
    turn_over = Tasks(turn=frozenset({parse_square("O13")}))
    state = state.with_board(1, replace(state.boards[1], tasks=turn_over))
    view, whole = rules.view(state, None), GAME.view(state, None)

    assert (BOARDS[index], blanks, turn) == (view["board"], view["blanks"], view["to_move"])
    assert [whole["open_tasks"][index]] == view["open_tasks"]
    assert whole["hands"] == view["hands"]


def test_what_it_judges_the_whole_game_takes():
    """An action that one board brought changes that board alone."""
    rules, state = begun(1)
    change = Change(added={parse_square("N14"): "S"})
    (action,) = rules.interpret(state, change)[0].actions
    after, _ = apply(rules, state, action)

    assert ("N14", "SO") == (*action.data["tiles"], *after.boards[1].last.words)
    assert state.boards[0] == after.boards[0]


def test_both_boards_are_begun_together():
    """A position of one is half a game."""
    rules, state = begun(0)

    with pytest.raises(ValueError, match="both boards"):
        rules.begin(FOUR, state.options, state.materials, {"board": BOARDS[0]})
