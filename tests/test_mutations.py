"""The tool that counts what tests notice reads which test failed and makes changes that count."""

from __future__ import annotations

import random

import pytest

from tests.mutations import changes_of, failed_in, scaled

SOURCE = b'''
LEAST = 3


def far(x: float, *, near: bool) -> bool:
    """Whether it is far."""
    return x > 0.7 and not near
'''


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("FAILED tests/a/test_b.py::test_c - assert 1 == 2", "tests/a/test_b.py::test_c"),
        ("FAILED tests/test_b.py::test_c[of what is usual] - assert", "tests/test_b.py::test_c[of what is usual]"),
        ("FAILED tests/test_b.py::test_c[a - b]", "tests/test_b.py::test_c[a - b]"),
        ("FAILED tests/test_b.py::test_c[x] - assert [1] == [2]", "tests/test_b.py::test_c[x]"),
        ("ERROR tests/test_b.py - ImportError: cannot", "tests/test_b.py"),
    ],
)  # fmt: skip
def test_which_test_failed(line, expected):
    """Names of cases may have blanks and dashes in them."""
    assert [expected] == failed_in(f"....F\n{line}\n1 failed in 0.1s")


def test_what_is_changed_in_a_file():
    """Numbers of a module, floats in code, comparisons, `and` and `not`; each in one place."""
    found = changes_of("x.py", SOURCE, random.Random(1))
    before = {kind: [x.before for x in changes] for kind, changes in found.items()}

    assert {"constants": ["3", "0.7"], "conditions": ["x > 0.7 and not near", "x > 0.7", "not near"]} == before  # fmt: skip
    assert all(x.before.encode() in SOURCE for group in found.values() for x in group)
    assert found["constants"][0].made_in(SOURCE).splitlines()[1] in (b"LEAST = 1", b"LEAST = 6")


@pytest.mark.parametrize(
    ("value", "by", "unit", "expected"),
    [
        (0.9, 0.5, "probability", 0.95),
        (0.9, 2.0, "probability", 0.8),
        (0.2, 0.5, "probability", 0.1),
        (8, 2.0, "count", 10),
        (1, 0.5, "count", 2),
        (10, 2.0, "count", 5),
    ],
)
def test_how_a_number_is_changed(value, by, unit, expected):
    """Half or double within its bounds; another number in any case."""
    high = 1.0 if unit == "probability" else 10

    assert expected == pytest.approx(scaled(value, by, unit, 1 if unit == "count" else 0.0, high))
