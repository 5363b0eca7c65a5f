"""After a correction the table knows what lies there still, also tiles that are to be lifted."""

from __future__ import annotations

import pytest

from tests.app.observers.test_two_boards import EMPTY, GARDEN, HOUSE, over
from tests.app.server_help import act, board, make_session
from tests.app.tables.test_every_end import ANYBODY, FOUR, One, Two

BOTH = over(HOUSE, GARDEN)
EARTH = over(BOTH, board(K4="EART"))
GATE = over(EARTH, board(F5="eta"))
TEMPER = over(GATE, board(G6="E", H6="M", I6="P", J6="E"))


@pytest.fixture
def session(tmp_path):
    """A server that reads text pictures."""
    session = make_session(tmp_path)
    yield session
    session.close()


def correct(live, square, letter):
    """What people say that a tile is; what is announced then."""
    told = {"action": "correct", "square": square, "letter": letter}
    return act(live.client, live.made, told).json()["say"]


@pytest.mark.parametrize(
    ("square", "letter", "said"),
    [("N8", "R", "Correction: HOURE, not HOUSE."), ("A8", "T", "Correction: GARDET, not GARDEN.")],
    ids=["of a tile that stays", "of one that is to be lifted"],
)
def test_what_exploded_lies_there_after_a_correction(session, square, letter, said):
    """It is no new play: it is to be lifted or turned, as before."""
    live = One(session, game="scrabble-house", players=FOUR[:2], settings=ANYBODY)
    live.show(HOUSE, BOTH, EARTH, GATE, TEMPER)
    before, plays = live.now["tasks"], len(live.now["history"])
    lines = correct(live, square, letter)
    shown = live.show(TEMPER)

    assert said == lines[0]
    assert (["lift", "turn"], before) == ([t["task"] for t in before], live.now["tasks"])
    assert ("no_change", plays) == (shown["status"], len(live.now["history"]))


GALE = over(EARTH, board(F5="ela"))
LEMPER = over(GALE, board(G6="E", H6="M", I6="P", J6="E"))


@pytest.mark.parametrize("boards", [1, 2])
def test_what_a_later_play_comes_to_is_said_with_a_correction(session, boards):
    """The word that it makes now, and the explosion that follows; its tiles lie there still."""
    if boards == 1:
        live = One(session, game="scrabble-house", players=FOUR[:2], settings=ANYBODY)
        live.show(HOUSE, BOTH, EARTH, GALE, LEMPER)
    else:
        live = Two(session, game="scrabble-house", players=FOUR, settings=ANYBODY)
        live.show((HOUSE, EMPTY), (BOTH, EMPTY), (EARTH, EMPTY), (GALE, EMPTY), (LEMPER, EMPTY))
    number = "1:" if boards == 2 else ""
    lines = correct(live, f"{number}F6", "T")
    shown = live.show(*[(LEMPER, EMPTY)] if boards == 2 else [LEMPER])

    assert ["Correction: GATE, not GALE.", "TEMPER.", "Turn F6."] == lines[:3]
    assert "Explosion! 3 tiles off: GATE." == lines[3]
    assert "no_change" == shown["status"]
    assert ["lift", "turn"] == [task["task"] for task in live.now["tasks"]]


def test_what_exploded_lies_there_after_a_word_was_allowed(session):
    """The list of words moves no tile."""
    live = One(session, game="scrabble-house", players=FOUR[:2], settings=ANYBODY)
    live.show(HOUSE, BOTH, EARTH, GATE, TEMPER)
    before = live.now["tasks"]
    act(live.client, live.made, {"action": "allow_word", "word": "XKQH"})
    shown = live.show(TEMPER)

    assert (before, "no_change") == (live.now["tasks"], shown["status"])
