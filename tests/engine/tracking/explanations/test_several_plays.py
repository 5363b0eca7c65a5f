"""New tiles that are no single play: several plays between two photographs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.observers.board_views import board_view
from kibitz.engine.tracking.evidence.changes import SquareView
from kibitz.engine.tracking.evidence.hypotheses import PHOTO, Capture
from kibitz.engine.tracking.explanations.several_plays import WHICH_PLAYS, reconsidered
from tests.app.server_help import board
from tests.helpers.pictured_games import drawn, replay_of
from tests.helpers.seen_boards import tracker, view_of

CAT = board(H8="CAT")
LIVE = Capture(live=True)


def shown(*boards, how=PHOTO, lexicon="default"):
    """A game after some pictures, and what the last was taken to show."""
    kept = tracker(lexicon)
    findings = [kept.update(view_of(rows), how) for rows in boards]
    return kept, findings[-1]


def words_of(kept):
    """The main words of the plays, in order."""
    return [d.verdict.result["words"][0]["word"] for d in kept.ledger.done]


def test_two_plays_between_two_photographs_are_parted():
    """COW goes through the C and EB lies beside its W: only this order connects."""
    kept, found = shown(CAT, board(H8="CAT", v_H8="COW", J9="EB"))

    assert ("several", None) == (found.status, found.question)
    assert ["CAT", "COW", "WEB"] == words_of(kept)


def test_plays_that_may_have_come_in_either_order_are_asked_about():
    """COW and TO, at the two ends of CAT."""
    kept, found = shown(CAT, board(H8="CAT", v_H8="COW", v_H10="TO"))

    assert "several" == found.status
    assert WHICH_PLAYS.prompt == found.question.prompt
    assert {"COW", "TO"} == set(words_of(kept)[1:])


JOINED = board(H1="ABCDEFGHIJ", v_H1="AKLMNOP")
APART = board(H1="ABCDEFGHIJ", J1="KLMNOP")
"""Sixteen tiles: more than are parted into plays."""
CORNER = board(B2="ABC", v_C3="DE")
"""Five that no plays explain: none lies on the star."""


@pytest.mark.parametrize(
    ("rows", "how", "rests"),
    [
        (JOINED, PHOTO, True),
        (APART, PHOTO, False),
        (JOINED, LIVE, True),
        (CORNER, PHOTO, True),
        (CORNER, LIVE, False),
    ],
)
def test_a_position_that_hangs_together_is_gone_on_from(rows, how, rests):
    """Which plays led there must be told; at a live table so few tiles are a play that goes on."""
    kept, found = shown(board(), rows, how=how, lexicon="none")

    assert rests == (list(rows) == kept.lying_rows())
    assert rests == (found.question is not None and found.question.field == "plays")


def test_a_better_look_makes_a_play_of_what_was_refused():
    """CUC was no word; the next picture of the same tiles, if it shows them, says CUP."""
    kept = tracker("default")
    kept.update(view_of(CAT))
    odd = SquareView(empty=0.001, tile=0.999, letters={"C": 1 - 1e-6, "P": 1e-6})
    kept.update(view_of(board(H8="CAT", v_H8="CUC"), {"J8": odd}))
    clear = view_of(board(H8="CAT", v_H8="CUP"))
    (found, *_) = reconsidered(kept.best, clear, kept.facts)

    assert [] == reconsidered(kept.best, view_of(CAT), kept.facts)
    assert "CUP" == found.ledger.done[-1].verdict.result["words"][0]["word"]
    assert None is found.waiting


def test_where_nothing_was_refused_nothing_is_reconsidered():
    """A picture of a game in which all is well."""
    kept, _ = shown(CAT)

    assert [] == reconsidered(kept.best, view_of(CAT), kept.facts)


def test_an_order_of_words_outside_the_list_is_not_asked_about():
    """WINTER and DISTEMPER of two players; its new tiles read from the other side are no word."""
    replay = replay_of("scrabble-house")
    *before, _, newest = drawn("scrabble-house")
    for found in before:
        replay.see(found)
    kept = replay.tracker
    kept.update(board_view(newest.reading.boards[0]), LIVE)

    assert None is kept.best.findings[-1].question
    assert [["WINTER"], ["DISTEMPER"]] == [
        d.verdict.result["words"] for d in kept.ledger.done[-2:]
    ]


HALF_SEEN = SquareView(empty=0.3, tile=0.7, letters={"I": 1.0})
HALF_HIDDEN = SquareView(empty=0.3, tile=0.05, covered=0.65)


@pytest.mark.parametrize("odd", ["B2", "N14"])
def test_what_hardly_shows_and_touches_nothing_is_part_of_no_play(odd):
    """COW and TO are parted although a square far away looks a little like a tile."""
    kept = tracker("default")
    kept.update(view_of(CAT))
    found = kept.update(view_of(board(H8="CAT", v_H8="COW", v_H10="TO"), {odd: HALF_SEEN}))

    assert "several" == found.status
    assert {"COW", "TO"} == set(words_of(kept)[1:])


@pytest.mark.parametrize(
    ("hidden", "expected"), [("K8", "covered"), ("J10", "covered"), ("J7", "several")]
)
def test_plays_are_waited_with_only_where_one_may_go_on(hidden, expected):
    """COW and TO may go on below; beside them nothing does."""
    kept = tracker("default")
    kept.update(view_of(CAT), LIVE)
    shown = view_of(board(H8="CAT", v_H8="COW", v_H10="TO"), {hidden: HALF_HIDDEN})

    assert expected == kept.update(shown, replace(LIVE, hand=True)).status
