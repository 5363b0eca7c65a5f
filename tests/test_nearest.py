"""The tests nearest to a change are those of its name, those that import it, and itself."""

from __future__ import annotations

import pytest

from tests.nearest import nearest


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("engine/words/roots.py", "tests/engine/words/test_roots.py"),
        ("app/tables/table.py", "tests/app/tables/test_table.py"),
        ("tests/engine/test_rules.py", "tests/engine/test_rules.py"),
        ("app/web/js/seat.js", "tests/browser/tables/test_buttons.py"),
    ],
)
def test_what_is_near(path, near):
    """A page is opened by its fast tests; a test that was changed is its own."""
    assert near in nearest([path])


def test_what_is_further_comes_after_what_is_near():
    """Tests of the same room, then of those who import what imports it."""
    near = nearest(["engine/words/roots.py"])
    further = nearest(["engine/words/roots.py"], further=True)

    assert (near, True) == (further[: len(near)], len(further) > len(near))


def test_a_page_of_text_has_no_tests():
    """Nothing is run for it."""
    assert [] == nearest(["README.md"])
