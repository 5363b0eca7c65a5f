"""Kinds of questions: what holds for each, and who takes the answer."""

from __future__ import annotations

import pytest

from kibitz.engine.rules import Action, Refused
from kibitz.engine.tracking.explanations.listed import EXPLANATIONS
from kibitz.engine.tracking.questions import Kind, Trait
from tests.helpers.seen_boards import cat, tracker


def test_a_game_s_own_question_has_no_traits():
    """It lasts until a picture asks nothing."""
    kind = Kind("fleet")

    assert (Kind.OTHER, []) == (kind, [trait for trait in Trait if kind.has(trait)])


def test_no_two_explanations_ask_the_same():
    """An answer goes to one of them."""
    asked = [e.kind for e in EXPLANATIONS if e.kind is not None]

    assert sorted(set(asked)) == sorted(asked)


@pytest.mark.parametrize("field", [*Kind, "fleet"])
def test_an_answer_that_nobody_asked_for_is_refused_or_changes_nothing(field):
    """Whatever kind of question it names."""
    kept = tracker()
    kept.update(cat())
    before = kept.ledger.done
    verdict = kept.tell(Action("answer", data={"field": field, "value": "?"}))

    assert isinstance(verdict, Refused) or field == Kind.BOARD_CHANGED
    assert before == kept.ledger.done
