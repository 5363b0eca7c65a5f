"""A correction says what was put right and whose score is another now, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.record.retold import lines_of_letter
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

    assert said(table, "undo") == ["The correction is undone.", "Ann has 10."]
    assert said(table, "undo") == ["Taken back: AT of Bob.", "Bob has 0."]


def test_a_correction_that_drops_plays_says_so(table):
    """What no longer holds is left out, and that is said."""
    lines = said(table, "correct", square="H9", letter="O", anyway=True)

    assert lines == [
        "Correction: COT for 10, not CAT.",
        "One later play is left out.",
        "Bob has 0.",
    ]


def game_of(*plays: tuple[int, str, dict[str, str]]) -> Ledger:
    """Plays of Ann and Bob, each with the number of the picture that showed it."""
    game = find_game("scrabble")
    options = check_options(game.info, {})
    ledger = open_ledger(
        Opening(game, ("Ann", "Bob"), options, make_materials("default", "en", options))
    )
    for photo, player, tiles in plays:
        ledger, verdict = ledger.add(Entry(Action("place", player, None, {"tiles": tiles}), photo))
        assert not isinstance(verdict, Refused), verdict
    return ledger


def test_a_letter_that_makes_other_plays_says_whose_score_is_another():
    """Ann has played since HAT, so that what is told of it is not her score now."""
    since = (2, "Bob", {"I9": "T"}), (3, "Ann", {"I10": "O"})
    before = game_of((1, "Ann", CAT), *since, (4, "Bob", {"I11": "N"}))
    after = game_of((1, "Ann", {**CAT, "H8": "H"}), *since, (5, "Bob", {"I11": "E"}))

    assert (
        "Ann plays HAT.",
        "12 for HAT; 12.",
        "Bob plays TOE.",
        "3 for TOE; 6.",
        "Ann has 16.",
    ) == lines_of_letter(before, after)


def test_a_play_nobody_heard_of_is_not_told_with_a_letter():
    """It is said when it is said, not with what an answer put right before it."""
    before = game_of((1, "Ann", CAT), (2, "Bob", {"I9": "T"}))
    after = game_of((3, "Ann", {"H8": "A", "H9": "T"}), (2, "Bob", {"I9": "O"}))

    assert ("Ann plays AT.", "4 for AT; 4.") == lines_of_letter(before, after, unheard=2)
