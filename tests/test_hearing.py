"""What is said in a film against what is true."""

from __future__ import annotations

import pytest

from tests.filming.hearing import Hearing
from tests.filming.script import Known, Saying

OH = Saying(("Ann plays OH.", "10 for OH; 10."), "OH", 10)
OH_HE = Saying((*OH.lines, "with HE."), "OH", 10)
OHO = Saying(("Ann plays OHO.", "12 for OHO; 12."), "OHO", 12)
OHO_HE = Saying((*OHO.lines, "with HE."), "OHO", 12)


def faults(truths: list[tuple[Saying, ...]], said: list[tuple[str, ...]]) -> list[str]:
    """What is wrong when each truth is followed by what is said of it."""
    hearing, before = Hearing(), Known()
    for number, (sayings, lines) in enumerate(zip(truths, said, strict=True)):
        now = Known(said=sayings)
        hearing.believe(before, now)
        hearing.hear(lines, float(number))
        before = now
    return hearing.faults()


@pytest.mark.parametrize(
    ("truths", "said", "expected"),
    [
        ([()], [()], []),
        ([(OH,)], [OH.lines], []),
        ([(OH,)], [()], ["never said: Ann plays OH. 10 for OH; 10."]),
        (
            [(OH,)],
            [(*OH.lines, "Ann plays OH.")],
            ["0.0 s: said, but not so or not again: Ann plays OH."],
        ),
        (
            [(OH,)],
            [("Bob plays OH.", "10 for OH; 10.")],
            [
                "0.0 s: said, but not so or not again: Bob plays OH.",
                "0.0 s: said, but not so or not again: 10 for OH; 10.",
                "never said: Ann plays OH. 10 for OH; 10.",
            ],
        ),
        ([(OH,), (OHO,)], [OH.lines, OHO.lines], []),
        ([(OH,), (OHO,)], [OH.lines, ("Correction: OHO for 12, not OH.",)], []),
        ([(OH,), (OHO,)], [OH.lines, ("OH is taken up and laid elsewhere.", *OHO.lines)], []),
        ([(OH_HE,), (OHO_HE,)], [OH_HE.lines, OHO.lines], []),
        (
            [(OH_HE,), (OHO_HE,)],
            [OH_HE.lines, OHO_HE.lines],
            ["1.0 s: said, but not so or not again: with HE."],
        ),
        (
            [(OH_HE,), (OHO_HE,)],
            [OH_HE.lines, ("OH is taken up and laid elsewhere.", *OHO_HE.lines)],
            [],
        ),
        ([(OH,), ()], [OH.lines, ("Ann takes OH back and has the turn again.",)], []),
        ([(OH,), ()], [OH.lines, ()], ["never said to be taken up: OH"]),
        ([(OH,), ()], [(), ()], []),
        ([(Saying(("Ann passes.",), needed=False),)], [()], []),
    ],
)
def test_everything_is_said_once(truths, said, expected):
    """What is true is said with its player, words and points, and nothing else is said."""
    assert expected == faults(truths, said)


def test_what_is_said_just_before_it_is_true_is_said():
    """People may tell a claim before the hand has laid its word."""
    hearing = Hearing()
    hearing.hear(OH.lines, 1.0)
    hearing.believe(Known(), Known(said=(OH,)))

    assert [] == hearing.faults()


def test_what_an_answer_calls_for_is_no_fault():
    """Lines since the answer are dropped; those before it stay."""
    hearing = Hearing()
    hearing.hear(["a"], 1.0)
    hearing.hear(["b"], 2.0)

    assert ["b"] == [said.line for said in hearing.drop(since=2.0)]
    hearing.believe(Known(), Known(said=(Saying(("b",)),)))
    assert ["1.0 s: said, but not so or not again: a"] == hearing.faults()
