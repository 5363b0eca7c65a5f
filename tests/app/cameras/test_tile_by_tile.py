"""A word laid tile by tile is one play, told once the turn can be known to be over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.cameras.settling import REST, rule_for
from kibitz.app.tables.orders import QUICK, SLOW, USUAL
from tests.app.cameras.test_turn_ends import Filmed
from tests.app.server_help import board, make_session

EMPTY = board()


@pytest.fixture(params=[USUAL])
def session(tmp_path, request):
    session = make_session(tmp_path, rest=rule_for(request.param))
    yield session
    session.close()


def laid(filmed, *words, each=30):
    """Each word rests so many frames, ten a second, and a hand is in between."""
    for word in words:
        filmed.show(board(H7=word), each)


def announced(filmed):
    """How often a play was announced."""
    return [step.data["say"][0] for step in filmed.table.steps if step.data.get("say")]


def test_a_word_that_grows_by_single_tiles_is_announced_once_more_at_most(session):
    """What was told too early is told again when the next tile does not come."""
    filmed = Filmed(session)
    filmed.show(EMPTY, 10)
    laid(filmed, "BE", "BEA", "BEAR", "BEARD")
    early = len(announced(filmed))
    laid(filmed, "BEARDED", each=60)

    assert 1 == early
    assert 2 == len(announced(filmed))
    assert [("Ann", "place", ["BEARDED"])] == filmed.done()


def test_the_rest_of_a_play_that_was_told_in_part_is_told_at_once(session):
    """Several tiles at once by a hand that is gone: nothing suggests that more come."""
    filmed = Filmed(session)
    filmed.show(EMPTY, 10)
    laid(filmed, "BE")
    early = filmed.done()
    filmed.show(board(H7="BEARDED"), 6)

    assert [("Ann", "place", ["BE"])] == early
    assert [("Ann", "place", ["BEARDED"])] == filmed.done()


def test_a_play_whose_first_tile_rested_by_itself_is_told_at_once(session):
    """The hand went back to the rack once, and brought all others."""
    filmed = Filmed(session)
    filmed.show(EMPTY, 10)
    laid(filmed, "B", each=25)
    early = announced(filmed)
    filmed.show(board(H7="BEARDED"), 6)

    assert [] == early
    assert [("Ann", "place", ["BEARDED"])] == filmed.done()


def test_tiles_that_touch_nothing_yet_are_waited_with(session):
    """The first of them alone is no play; nothing is said of it as long as more come."""
    filmed = Filmed(session)
    filmed.show(EMPTY, 10)
    laid(filmed, "B", "BE", "BEA", each=25)
    early = announced(filmed)
    laid(filmed, "BEAR", each=60)

    assert [] == early
    assert [("Ann", "place", ["BEAR"])] == filmed.done()


def test_a_tile_by_itself_that_makes_words_is_told_at_once(session):
    """Nothing suggests that more comes: nobody laid tile by tile so far."""
    filmed = Filmed(session)
    filmed.show(EMPTY, 10)
    filmed.show(board(H7="BEARDS"), 10)
    filmed.show(board(H7="BEARDS", v_H9="AT"), 6)

    assert [("Ann", "place", ["BEARDS"]), ("Bob", "place", ["AT"])] == filmed.done()


def test_a_tile_by_itself_that_makes_no_word_is_waited_with(session):
    """It may be the first of one; the page shows that somebody is laying."""
    filmed = Filmed(session)
    filmed.show(EMPTY, 10)
    filmed.show(board(H7="BEARDS"), 10)
    filmed.show(board(H7="BEARDS", v_H9="AV"), 30)
    seen = [(filmed.camera.is_laid, len(announced(filmed)))]
    filmed.show(board(H7="BEARDS", v_H9="AVE"), 60)
    seen.append((filmed.camera.is_laid, len(announced(filmed))))

    assert [(True, 1), (False, 2)] == seen


def test_where_people_lay_tile_by_tile_one_by_itself_is_waited_with(session):
    """Words or not: one of them did before, so it may be the first of a longer one."""
    filmed = Filmed(session)
    filmed.show(EMPTY, 10)
    laid(filmed, "B", "BE", "BEA", "BEAR", each=25)
    filmed.show(board(H7="BEARDS"), 60)
    filmed.show(board(H7="BEARDS", v_H9="AT"), 30)
    seen = [(filmed.camera.is_laid, len(announced(filmed)))]
    for down in ("ATE", "ATEN"):
        filmed.show(board(H7="BEARDS", v_H9=down), 30)
    filmed.show(board(H7="BEARDS", v_H9="ATEN"), 60)
    seen.append((filmed.camera.is_laid, len(announced(filmed))))

    assert [(True, 1), (False, 2)] == seen


def test_a_tile_that_makes_no_line_with_those_waited_with_ends_their_turn(session):
    """Two people may lay within seconds of each other; each play is told."""
    filmed = Filmed(session)
    filmed.show(EMPTY, 10)
    laid(filmed, "BE", "BEA", each=20)
    filmed.show(board(H7="BEAR"), 10)
    filmed.show(board(H7="BEAR", v_H10="RAT"), 60)

    assert [("Ann", "place", ["BEAR"]), ("Bob", "place", ["RAT"])] == filmed.done()


def test_a_quick_play_is_told_at_once(session):
    """All its tiles at once, by a hand that is gone."""
    filmed = Filmed(session)
    filmed.show(EMPTY, 10)
    filmed.show(board(H7="CAT"), 6)

    assert [("Ann", "place", ["CAT"])] == filmed.done()


@pytest.mark.parametrize("session", [SLOW], indirect=True)
def test_where_people_are_said_to_lay_slowly_every_play_waits(session):
    """Ten seconds, or till somebody asks for a look."""
    filmed = Filmed(session)
    filmed.show(EMPTY, 10)
    laid(filmed, "BE", "BEA", "BEAR", each=60)
    early = announced(filmed)
    filmed.act("look")

    assert [] == early
    assert [("Ann", "place", ["BEAR"])] == filmed.done()


def test_a_quick_table_waits_no_longer_than_for_a_doubt():
    """And the usual one as the rule says."""
    found = [rule_for(pace) for pace in (QUICK, USUAL, SLOW)]

    assert [REST.doubtful_s, REST.laying_s, REST.hand_s] == [r.laying_s for r in found]
    assert replace(REST, laying_s=REST.doubtful_s) == found[0]


def test_where_a_tile_is_a_turn_none_is_waited_with(session):
    """In Scrabbage the next player's tile often goes on with the line."""
    filmed = Filmed(session, "scrabbage")
    filmed.show(EMPTY, 10)
    for word in ("C", "CA", "CAT"):
        filmed.show(board(H8=word), 10)

    assert ["Ann", "Bob", "Ann"] == [player for player, _, _ in filmed.done()]


def test_a_press_ends_a_turn_that_was_waited_with(session):
    """The play in the making is the presser's, all of it."""
    filmed = Filmed(session, "scrabble", **{"cl.press_clock": True})
    filmed.show(EMPTY, 10)
    laid(filmed, "BE", "BEA", "BEAR")
    filmed.act("press_clock", "Ann")

    assert [("Ann", "place", ["BEAR"]), ("Ann", "press_clock", [])] == filmed.done()
