"""A position to begin from, as cameras see it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.app.observers.seen_start import CannotTellError, seen_start
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening
from tests.app.server_help import LETTERS, board
from tests.helpers.fake_readings import reading_of_rows


def opening(slug: str, *players: str) -> Opening:
    """A game in which any word is good."""
    game = find_game(slug)
    options = check_options(game.info, {})
    return Opening(game, players, options, make_materials("none", "en", options))


JOINED = opening("frankenscrabbards", "Ann", "Bob")
HOUSE = opening("scrabble-house", "North", "South")
CAT = reading_of_rows(board(H7="CA?"), LETTERS)


def test_cameras_over_single_boards_show_the_nine_in_parts():
    """Boards that nobody watches, or that are not seen now, cannot be told."""
    readings = [
        replace(CAT, panel=5),
        replace(CAT, panel=2, boards=()),
        replace(reading_of_rows(board(A1="NO"), LETTERS), panel=None),
    ]
    rows = seen_start(JOINED, readings, LETTERS)["board45"]

    assert ["#" * 45] * 15 == rows[:15]
    assert "#" * 15 + "......CA?......" + "#" * 15 == rows[22]


def test_nine_boards_in_one_picture_are_taken_as_they_lie():
    """Whatever other cameras show."""
    whole = reading_of_rows(["." * 45] * 44 + ["CAT" + "." * 42], LETTERS)
    readings = [replace(CAT, panel=5), whole]

    assert "CAT" == seen_start(JOINED, readings, LETTERS)["board45"][44][:3]


@pytest.mark.parametrize("reading", [CAT, replace(CAT, panel=5, boards=())])
def test_a_board_of_nine_that_is_not_told_cannot_be_placed(reading):
    """Nor can a camera that sees no board."""
    with pytest.raises(CannotTellError) as wrong:
        seen_start(JOINED, [reading], LETTERS)

    assert "Expected all nine boards" in str(wrong.value)


def test_tiles_that_face_north_are_small():
    """A blank shows no facing, and is listed."""
    turns = [[180 if c == 6 else 0 for c in range(15)] for _ in range(15)]
    shown = reading_of_rows(board(H7="CA?"), LETTERS, rotation=turns)
    found = seen_start(HOUSE, [shown], LETTERS)

    assert ("......cA?......", ["H9"]) == (found["board"][7], found["blanks"])


def test_too_few_boards():
    """What was expected is said, and how many were found."""
    with pytest.raises(CannotTellError) as wrong:
        seen_start(HOUSE, [replace(CAT, boards=())], LETTERS)

    assert "Expected the board in the picture, found 0." == str(wrong.value)
