"""A correction says what was put right and whose score is another now, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action, Refused

HOST = Actor("host")
CAT = {"H8": "C", "H9": "A", "H10": "T"}


@pytest.fixture
def table(tmp_path: Path):
    """Ann has laid CAT, Bob made AT of it."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(Order("scrabble", ("Ann", "Bob"))).table
    for player, tiles in (("Ann", CAT), ("Bob", {"I9": "T"})):
        table.act(Action("place", player, None, {"tiles": tiles}), HOST)
    yield table
    tables.close()


def said(table, kind: str, **data) -> list[str]:
    outcome = table.act(Action(kind, None, None, data), HOST)
    assert not isinstance(outcome, Refused), outcome
    return list(outcome.say)


def test_a_corrected_tile_says_the_new_word_alone(table):
    """Bob's play after it is not said again, and only Ann's score changed."""
    assert said(table, "correct", square="H8", letter="B") == [
        "Correction: BAT for 10, not CAT.",
    ]
    assert said(table, "correct", square="H8", letter="H") == [
        "Correction: HAT for 12, not BAT.",
        "Ann has 12.",
    ]


def test_an_entry_left_out_is_named(table):
    """Who laid what is said, and what the score is without it."""
    assert said(table, "correct", entry=1, **{"with": None}) == [
        "Left out: AT of Bob.",
        "Bob has 0.",
    ]


def test_undo_says_what_it_took_back(table):
    """A play taken back is named; a correction taken back is a correction."""
    said(table, "correct", square="H8", letter="H")

    assert said(table, "undo") == ["The correction is taken back.", "Ann has 10."]
    assert said(table, "undo") == ["Taken back: AT of Bob.", "Bob has 0."]


def test_a_correction_that_drops_plays_says_so(table):
    """What no longer holds is left out, and that is said."""
    lines = said(table, "correct", square="H9", letter="O", anyway=True)

    assert lines == [
        "Correction: COT for 10, not CAT.",
        "One later play is left out.",
        "Bob has 0.",
    ]
