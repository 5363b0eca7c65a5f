"""Numbers have their place: the tool that counts them sees them, and there are few beside classes."""

from __future__ import annotations

import ast
from collections import Counter

from tests.measures.known_facts import FACTS, READING
from tests.measures.number_count import count_in, count_numbers, facts
from tests.sensitivity import parameters, stages

SOURCE = """
from typing import Final
SIDE_PX: Final = 15
LEAST, MOST = 3, 0.5
NAME = "text"

class ShadeRule:
    dark: float = number(0.3, "probability", 0.0, 1.0, "what is darker")

class Fair:
    bright: float = number(0.7, "probability", 0.0, 1.0, "what is brighter")
    dark: float = as_in(ShadeRule(), "dark")

def far(x: float) -> bool:
    return x * 0.5 > 2.0 and x > 0.7 and x > np.percentile([x, 1.0], 5)
"""


def test_numbers_are_counted_by_where_they_stand():
    """Constants by name, facts and fields apart, floats in code but for a half, one, two.

    A field is one in whatever class; one taken over from another class is no other number.
    """
    expected = {"final": 1, "constants": 2, "fields": 2, "inline": 2}

    assert expected == {k: n for k, n in count_in(ast.parse(SOURCE)).items() if n}


def test_every_parameter_class_is_found():
    """Those of rooms that only import them are not counted twice."""
    found = [p.name for p in parameters(stages())]

    assert {"CombRule.clearly", "SizeRule.off", "PlayPriors.clear"} <= set(found)
    assert len(found) == len(set(found))


def test_there_are_few_numbers():
    """A new one replaces another, or says what none does; it belongs into its stage's class."""
    total: Counter[str] = Counter()
    for count in count_numbers().values():
        total += count

    outside = total["constants"] + total["inline"]

    assert outside <= 3
    assert total["fields"] + outside <= 249


def test_a_number_outside_of_classes_is_a_known_fact():
    """What steers has a field; a constant has its reason in `FACTS`, once."""
    known = [name for names in FACTS.values() for name in names.split()]

    assert len(known) == len(set(known))
    assert facts(READING) == set(known)
