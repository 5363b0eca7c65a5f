"""A call with an Idempotency-Key that comes twice is done once, and answered alike."""

from __future__ import annotations

import pytest

from kibitz.app.common.storage.tables import RefusalRow, Step, Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.saving import (
    REUSED,
    Repeats,
    answer_to,
    fingerprint,
    key_hash,
)
from kibitz.app.tables.setup import Outcome
from kibitz.engine.rules import Action, Refused

PASS, OTHER = "asked to pass", "asked for something else"
DONE = Step(7, 1.0, "told", answer_to(PASS, {"turn_score": 0}, ["Ann passes."]), "k")


def saved(_seq: int) -> bool:
    return True


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("written", [False, True])
def test_what_was_done_is_answered_as_it_was(restarted, written):
    """Also after a restart; whether it is written is told as it is now."""
    repeats = Repeats([DONE] if restarted else [], [])
    if not restarted:
        repeats.done(str(DONE.idem), DONE)
    found = repeats.answered("k", PASS, lambda seq: written and seq == 7)

    assert isinstance(found, Outcome)
    assert (7, written, ("Ann passes.",), True) == (
        found.seq,
        found.saved,
        found.say,
        found.repeated,
    )
    assert {"turn_score": 0} == dict(found.verdict.result)


@pytest.mark.parametrize("restarted", [False, True])
def test_what_was_refused_is_refused_as_it_was(restarted):
    """Whatever the rules would say of it now."""
    why = Refused("not_your_turn", "It is Bob's turn.")
    rows = [RefusalRow("k", PASS, why.code, why.message)] if restarted else []
    repeats = Repeats([], rows)
    if not restarted:
        repeats.refused("k", PASS, why)

    assert why == repeats.answered("k", PASS, saved)


def test_a_key_stands_for_one_call():
    """Another call with it is refused, whether the first one was done or not; a new key is free."""
    repeats = Repeats([DONE], [RefusalRow("r", PASS, "not_your_turn", "It is Bob's turn.")])

    assert [REUSED, REUSED, None] == [repeats.answered(k, OTHER, saved) for k in ("k", "r", "new")]


def test_a_step_without_a_key_answers_nothing():
    """Pictures and calls without a key are steps as well."""
    repeats = Repeats([Step(1, 1.0, "seen", {})], [])

    assert None is repeats.answered("", PASS, saved)


def test_keys_of_different_people_are_different():
    """Two seats, and the host, may all use the same."""
    people = Actor("host"), Actor("seat", "Ann"), Actor("seat", "Bob")

    assert 3 == len({key_hash("k", who) for who in people})
    assert key_hash("k", people[1]) == key_hash("k", Actor("seat", "Ann"))
    assert key_hash("k", people[1]) != key_hash("l", people[1])


@pytest.mark.parametrize(
    "other",
    [
        Action("exchange", "Ann", data={"count": 2}),
        Action("pass", "Bob", data={"count": 2}),
        Action("pass", "Ann", data={"count": 3}),
    ],
)
def test_the_whole_of_a_call_tells_it_from_another(other):
    """What is done, by whom, and all that belongs to it."""
    call = Action("pass", "Ann", data={"count": 2})

    assert fingerprint(call) == fingerprint(Action("pass", "Ann", data={"count": 2}))
    assert fingerprint(call) != fingerprint(other)


HOST = Actor("host")


def test_a_refused_key_stays_with_its_call_after_a_restart(tmp_path):
    """What was refused under a key is refused again; another call under it is another refusal."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(Order("scrabble", ("Ann", "Bob"))).table
    wrong = Action("place", data={"tiles": {"A1": "A", "A2": "T"}})
    first = table.act(wrong, HOST, "key")
    tables.close()
    tables = Tables(Storage(str(tmp_path)))
    again = tables.get(table.id)
    assert again is not None
    found = [again.act(wrong, HOST, "key"), again.act(Action("pass"), HOST, "key")]
    seq = again.seq
    tables.close()

    assert isinstance(first, Refused)
    assert [first.code, "idempotency_key_reused"] == [
        r.code if isinstance(r, Refused) else "done" for r in found
    ]
    assert first.message == getattr(found[0], "message", "")
    assert 0 == seq
