"""Tiles that the rules refused and that lie there: what people may say that they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.engine.rules import Accepted, Action, Refused
from kibitz.engine.table import parse_square
from kibitz.engine.tracking.evidence.changes import SquareView
from kibitz.engine.tracking.evidence.hypotheses import Capture
from kibitz.engine.tracking.evidence.loose_table import IT_COUNTS, TAKE_BACK
from kibitz.engine.tracking.explanations.missed_plays import (
    gone_on,
    looked_at_anew,
    misread_tiles,
    refusal_question,
    second_reading,
    still_refused,
    told_since,
)
from tests.app.server_help import board
from tests.helpers.seen_boards import tracker, view_of

CAT, CATS = board(H8="CAT"), board(H8="CAT", H11="S")
CUC = board(H8="CAT", v_H8="CUC")
J8 = parse_square("J8")
LIVE = Capture(live=True)


def looks(letters):
    """A tile that looks like some letters, each so likely."""
    return SquareView(empty=0.001, tile=0.999, letters=letters)


def refused_game(**letters):
    """CAT, and below its C tiles that read CUC: no word."""
    kept = tracker("default")
    kept.update(view_of(CAT))
    kept.update(view_of(CUC, {"J8": looks(letters)}))
    return kept


def words_of(ledger):
    return [d.verdict.result["words"][0]["word"] for d in ledger.done]


def test_people_say_that_it_counts_or_is_taken_back():
    """The question is what the rules said."""
    asked = refusal_question(Refused("not_a_word", "CUC is not in the list."))

    assert ("play", "CUC is not in the list.", (TAKE_BACK, IT_COUNTS)) == (
        asked.field, asked.prompt, asked.choices,
    )  # fmt: skip


def test_tiles_without_letters_are_asked_about_first():
    """They may have been dropped face down; whoever says so has played them, by the same answer."""
    kept = tracker("default")
    kept.update(view_of(CAT), LIVE)
    finding = kept.update(view_of(board(H8="CAT", v_G11="?", H11="?")), LIVE)
    before = words_of(kept.ledger)
    asked = kept.question_at(kept.photos - 1)
    play = next(x for x in asked.choices if x not in (TAKE_BACK, IT_COUNTS))
    data = {"field": "play", "value": play}

    assert ("question", ["CAT"], "play") == (finding.status, before, asked.field)
    assert isinstance(kept.tell(Action("answer", data=data)), Accepted)
    assert 2 == len(kept.ledger.done)


@pytest.mark.parametrize(
    ("views", "letter", "other"),
    [
        ([], "C", None),
        ([{"C": 0.9, "P": 0.06, "G": 0.04}], "C", "P"),
        ([{"C": 0.9, "P": 0.05, "G": 0.05}], "C", None),
        ([{"C": 0.9, "?": 0.1}], "C", None),
        ([{"C": 1.0}], "C", None),
        ([{"C": 0.9, "P": 0.1}, {"C": 0.9, "G": 0.1}], "C", "G"),
        ([{"C": 0.9, "P": 0.1}, {"C": 1.0}], "C", "P"),
        ([{"?": 0.9, "P": 0.1}], "?", None),
        ([{"P": 1.0}], "c", None),
    ],
)
def test_the_second_reading_of_a_tile(views, letter, other):
    """The newest picture that shows another letter, more likely than all others together."""
    assert other == second_reading([looks(x) for x in views], letter)


def test_a_tile_read_wrongly_is_offered_by_its_second_letter():
    """CUC is no word, CUP is one."""
    kept = refused_game(C=1 - 1e-6, P=1e-6)
    (found,) = misread_tiles(kept.best, [])

    assert ("J8 is a P", J8, "P") == (str(found.label), found.square, found.letter)
    assert ["CAT", "CUP"] == words_of(found.game.ledger)
    assert None is found.game.waiting
    assert [] == misread_tiles(kept.best, [J8])


def test_where_all_is_well_nothing_was_misread():
    """No tiles wait."""
    kept = tracker("default")
    kept.update(view_of(CAT))

    assert [] == misread_tiles(kept.best, [])
    assert kept.best is looked_at_anew(kept.best)
    assert kept.best is still_refused(kept.best, None)


def test_what_was_told_since_a_picture_comes_after_it():
    """The game as it was then, and what follows; put together again it is the same game."""
    kept = tracker("default")
    kept.update(view_of(CAT))
    kept.tell(Action("pass", "Bob"))
    kept.update(view_of(CATS))
    before, later = told_since(kept.ledger, 0)

    assert ["place"] == [d.entry.action.kind for d in before.done[:1]]
    assert len(kept.ledger.done) == len(before.done) + len(later)
    assert kept.ledger.state == gone_on(before, later).state


def test_what_does_not_follow_any_more_is_said():
    """An S behind CAT cannot be laid on an empty board."""
    kept = tracker("default")
    kept.update(view_of(CAT))
    kept.update(view_of(CATS))
    before, later = told_since(kept.ledger, -1)
    found = gone_on(before, later[1:])

    assert "later_plays" == found.code
    assert found.message.startswith("What was played later does not follow then: ")


def test_tiles_stay_refused_until_the_rules_take_them():
    """A game taken up again asks once more, and the same picture may be looked at anew."""
    kept = refused_game(C=1.0)
    before = replace(kept.best.waiting, refused=Refused("gap", "There is a gap in the line."))
    again = still_refused(kept.best, before)

    assert ("question", "not_a_word") == (again.findings[-1].status, again.waiting.refused.code)
    assert {"I8": "U", "J8": "C"} == {s.name: x for s, x in again.findings[-1].not_laid.items()}
    assert again.waiting.anew
    assert looked_at_anew(kept.best).waiting.anew
