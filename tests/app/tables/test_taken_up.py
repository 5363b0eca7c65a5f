"""A play taken up is announced with its player and what it was, in every game."""

from __future__ import annotations

import pytest

from tests.app.observers.test_two_boards import GARDEN, HOUSE, over
from tests.app.server_help import board, make_session
from tests.app.tables.test_every_end import house, two_boards
from tests.app.tables.test_table import Live


@pytest.fixture
def session(tmp_path):
    """A server that reads text pictures."""
    session = make_session(tmp_path)
    yield session
    session.close()


@pytest.mark.parametrize(
    ("laid", "line"),
    [
        # what a tile completes is said; else the tile itself
        (board(H8="CATS"), "Bob takes CATS back and has the turn again."),
        (board(H8="CAT", I8="O"), "Bob takes O back and has the turn again."),
    ],
)
def test_a_tile_of_scrabbage(session, laid, line):
    """There each tile is a play."""
    live = Live(session, game="scrabbage")
    live.show(*(board(H8="CAT"[:n]) for n in range(1, 4)))
    live.show(laid)
    shown = live.show(board(H8="CAT"))

    assert ("taken_back", [line]) == (shown["status"], shown["say"])
    assert "Bob" == live.now["view"]["to_move"]


@pytest.mark.parametrize(
    ("play", "before"),
    [(house, over(HOUSE, GARDEN)), (two_boards, (over(HOUSE, GARDEN), GARDEN))],
)
def test_a_play_of_scrabble_house(session, play, before):
    """On one board and on two."""
    live, _ = play(session)
    shown = live.show(before)

    assert ["Ann takes EARTH back and has the turn again."] == shown["say"]
