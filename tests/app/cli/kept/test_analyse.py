"""`kibitz analyse`: turns of a GCG or a recorded table beside the best scoring plays."""

from __future__ import annotations

import json

import pytest

from kibitz.app.cli.kept import analyse
from kibitz.app.common.errors import CommandError, UsageError
from kibitz.app.common.materials.own_words import keep_list
from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action

GCG = """#player1 Ann Ann
#player2 Bob Bob
#lexicon NWL2023
>Ann: ADEGNRT 8D GARDEN +18 18
>Bob: DOU 9H OUD +9 9
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A user with a data folder of the own, and a game in it."""
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    (tmp_path / "game.gcg").write_text(GCG)
    return tmp_path


def recorded(folder, game="scrabble", lexicon="default"):
    tables = Tables(Storage(str(folder / "data")))
    table = tables.create(Order(game, ("Ann", "Bob"), {}, "en", lexicon, None)).table
    tiles = {"H7": "G", "H8": "O"}
    table.act(Action("place", "Ann", None, {"tiles": tiles}), Actor("host"))
    tables.close()
    return table.id


def test_the_list_that_a_file_names_is_taken_where_it_is_kept(folder, capsys):
    keep_list("NWL2023", ["GARDEN", "OUD", "DANGER"], "NWL2023.txt")
    analyse.command(str(folder / "game.gcg"), as_json=True)
    first, *_, last = map(json.loads, capsys.readouterr().out.splitlines())

    assert {"DANGER", "GARDEN"} == {move["text"] for move in first["best"]}
    assert ("rack", 1, 1) == (
        first["known"], last["players"]["Ann"]["turns"], last["players"]["Ann"]["racks"],
    )  # fmt: skip


def test_what_cannot_be_analysed_is_said(folder):
    (folder / "none.gcg").write_text("#player1 Ann Ann\n")
    (folder / "other.txt").write_text("nothing")
    calls = [
        ((str(folder / "none.gcg"),), {}, CommandError, "the game has no turns yet"),
        ((str(folder / "other.txt"),), {}, CommandError, "is no GCG: line 1: expected"),
        (("nowhere",), {}, UsageError, "there is no file and no table 'nowhere'; kept are: "),
        ((recorded(folder, "scrabbage"),), {}, UsageError, "expected a game of Scrabble, got"),
        ((recorded(folder, lexicon="none"),), {}, UsageError, "expected a word list, as any"),
        ((str(folder / "game.gcg"),), {"moves": 0}, UsageError, "^moves 0: "),
        ((str(folder / "game.gcg"),), {"lexicon": "x"}, UsageError, "there is no file 'x'"),
    ]
    for arguments, options, kind, text in calls:
        with pytest.raises(kind, match=text):
            analyse.command(*arguments, **options)
