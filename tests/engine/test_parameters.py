"""Parameters know their bounds, units and sentences, and refuse what makes no sense."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from kibitz.engine.parameters import Number, checked, number, numbers, with_number


@dataclass(frozen=True, slots=True)
class Group:
    """A group of numbers."""

    share: float = number(0.5, "probability", 0.0, 1.0, "how much of it")

    def __post_init__(self) -> None:
        checked(self)


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage with a group of numbers in it."""

    times: int = number(3, "count", 1, 9, "how often")
    group: Group = Group()
    name: str = "a word is no number"

    def __post_init__(self) -> None:
        checked(self)


def test_every_number_is_listed_with_its_facts():
    """A table of all numbers can be printed, those of groups too."""
    expected = [
        Number("times", 3, "count", 1, 9, "how often"),
        Number("group.share", 0.5, "probability", 0.0, 1.0, "how much of it"),
    ]

    assert expected == list(numbers(Stage()))


def test_one_number_is_changed_by_its_path():
    """A number in a group is changed; all else stays."""
    assert Stage(3, Group(0.25)) == with_number(Stage(), "group.share", 0.25)
    assert Stage(4) == with_number(Stage(), "times", 4)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("group.share", 1.5, "Group.share: expected 0 to 1 probability, got 1.5"),
        ("group.share", float("nan"), "Group.share: expected 0 to 1 probability, got nan"),
        ("group.share", "x", "Group.share: expected a number in probability, got 'x'"),
        ("times", 2.5, "Stage.times: expected a whole number, got 2.5"),
        ("times", True, "Stage.times: expected a number in count, got True"),
        ("often", 2, "Stage has no number 'often'"),
    ],
)
def test_what_makes_no_sense_is_refused(path, value, message):
    """The message says what was expected and what came."""
    with pytest.raises(ValueError, match=r"expected|no number") as error:
        with_number(Stage(), path, value)

    assert message == str(error.value)


def test_a_default_out_of_bounds_is_refused():
    """A class with such a default cannot be written."""
    with pytest.raises(ValueError, match="expected a default from 0 to 1, got 2"):
        number(2.0, "probability", 0.0, 1.0, "how much of it")


def test_whole_numbers_are_known():
    """Who halves and doubles numbers keeps counts whole."""
    assert [True, False] == [n.whole for n in numbers(Stage())]
