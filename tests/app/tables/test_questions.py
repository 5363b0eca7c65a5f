"""Questions that a table asks its people."""

from __future__ import annotations

import pytest

from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action, JsonValue

HOST = Actor("host")


def test_a_blank_that_a_person_laid_is_asked_about(tmp_path):
    """Letters that make a word are offered, the common ones first, to whoever laid it."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(Order("scrabble", ("Ann", "Bob"))).table
    table.act(Action("place", "Ann", data={"tiles": {"H8": "C", "H9": "?", "H10": "T"}}), HOST)
    (asked,) = table.questions()
    tables.close()

    assert ("blank", "H9", "Ann") == (asked["field"], asked["square"], asked["player"])
    assert ["A", "O", "U"] == asked["choices"]


@pytest.mark.parametrize(("blank", "letters"), [("M8", "IRU"), ("D8", "R")])
def test_letters_of_a_blank_are_offered_as_its_player_reads_them(tmp_path, blank, letters):
    """South reads HO?SE downwards, North GA?DEN upwards: HOUSE and two more fit, and GARDEN."""
    tables = Tables(Storage(str(tmp_path)))
    settings = {"sh.opening": "any", "sh.clocks": "off"}
    table = tables.create(Order("scrabble-house", ("Ann", "Bob"), settings)).table
    for player, rows, word in (("Ann", "KLMNO", "HOUSE"), ("Bob", "FEDCBA", "GARDEN")):
        tiles: dict[str, JsonValue] = {f"{r}8": x for r, x in zip(rows, word, strict=True)}
        if blank in tiles:
            tiles[blank] = "?"
        table.act(Action("place", player, data={"tiles": tiles}), HOST)
    (asked,) = table.questions()
    tables.close()

    assert (blank, letters) == (asked["square"], "".join(sorted(asked["choices"])))
