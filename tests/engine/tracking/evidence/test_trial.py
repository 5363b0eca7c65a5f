"""What a change may be is tried: actions of the rules, and the words that they make."""

from __future__ import annotations

import pytest

from kibitz.engine.tracking.evidence.interpretation import may_be_word
from tests.helpers.seen_boards import tracker


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("CUP", True),
        ("CUC", False),
        ("CU?", True),
        ("CUC?", False),
        ("?UC?", True),
        ("QX??", True),
    ],
)
def test_what_blanks_may_make_a_word_of(word, expected):
    """Any letters do for one blank; of more than some hundred ways none is told to be a word."""
    materials = tracker("default").ledger.opening.materials

    assert expected == may_be_word(word, materials)
