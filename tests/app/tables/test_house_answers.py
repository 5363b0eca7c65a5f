"""What people answer at Scrabble House, on one board and on two, seen through HTTP."""

from __future__ import annotations

import pytest

from tests.app.observers.test_two_boards import EMPTY, GARDEN, HOUSE, over
from tests.app.server_help import act, board, make_session
from tests.app.tables.test_every_end import FOUR, One, Two

STRICT = {"sh.opening": "any", "reject_invalid": True}
BOTH = over(GARDEN, HOUSE)
HEART = over(BOTH, board(K4="EART"))


@pytest.fixture
def session(tmp_path):
    """A server that reads text pictures."""
    session = make_session(tmp_path)
    yield session
    session.close()


def one(session, *rows):
    live = One(session, game="scrabble-house", players=FOUR[:2], settings=STRICT)
    live.show(*rows)
    return live


def two(session, *pairs):
    live = Two(session, game="scrabble-house", players=FOUR, settings=STRICT)
    live.show((HOUSE, EMPTY), (HOUSE, GARDEN), *pairs)
    return live


def put_down(live, question, value):
    """What people answer, with the board that the question names."""
    told = {k: question[k] for k in ("field", "board", "square") if question.get(k) is not None}
    return act(live.client, live.made, {"action": "answer", **told, "value": value})


def plays(live):
    """Who played what so far."""
    return [(e["player"], [w["word"] for w in e["words"]]) for e in live.now["history"]]


SOUTH = over(BOTH, board(K5="XKQ"))
GATE = over(BOTH, board(F5="eta"))
NORTH = over(HEART, board(F5="xkq"))


@pytest.mark.parametrize(
    ("before", "refused", "played"),
    [
        ([HOUSE, BOTH], SOUTH, ("Ann", ["XKQH"])),
        ([HOUSE, BOTH, HEART], NORTH, ("Bob", ["GQKX"])),
    ],
)
def test_a_word_outside_the_list_counts(session, before, refused, played):
    """Whoever laid it, as that player reads it."""
    live = one(session, *before)
    live.show(refused)
    (question,) = live.now["questions"]
    done = put_down(live, question, "it counts")
    live.show(refused)

    assert 200 == done.status_code
    assert played == plays(live)[-1]
    assert [] == live.now["questions"]


@pytest.mark.parametrize(
    ("before", "refused", "played"),
    [
        ([(HOUSE, BOTH)], (HOUSE, over(BOTH, board(F5="xkq"))), ("Dan", ["GQKX"])),
        ([(BOTH, GARDEN)], (SOUTH, GARDEN), ("Ann", ["XKQH"])),
        ([(HOUSE, BOTH), (HOUSE, GATE)], (HOUSE, over(GATE, SOUTH)), ("Cyd", ["XKQH"])),
    ],
)
def test_a_word_outside_the_list_counts_on_two_boards(session, before, refused, played):
    """It stands in the game of both boards, also when the other one goes on."""
    live = two(session, *before)
    live.show(refused)
    (question,) = live.now["questions"]
    done = put_down(live, question, "it counts")
    told = plays(live)
    live.show(refused)

    assert 200 == done.status_code
    assert played == told[-1]
    assert told == plays(live)
    assert [] == live.now["questions"]
