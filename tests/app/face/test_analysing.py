"""`kibitz.analyse`: a game of Scrabble beside the best scoring plays."""

from __future__ import annotations

from pathlib import Path

import pytest

import kibitz
from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action

GCG = """#player1 Ann Ann
#player2 Bob Bob
>Ann: ADEGNRT 8D GARDEN +18 18
>Bob: DOU 9H OUD +9 9
"""


@pytest.fixture(autouse=True)
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game, and a user without lists."""
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    path = tmp_path / "game.gcg"
    path.write_text(GCG)
    return path


def test_a_game(game: Path) -> None:
    """Turns with what was missed, the players' sums, and the words that were good."""
    said: list[str] = []
    found = kibitz.analyse(game, moves=2, progress=said.append)
    first, second = found.turns

    assert ("default", ["words: default"]) == (found.lexicon, said)
    assert ("Ann", "8D", "GARDEN", 18, 54, "rack") == (
        first.player, first.place, first.word, first.score, first.missed, first.known,
    )  # fmt: skip
    assert ("H4", "DRAGNET", 72) == (
        first.best[0].place, first.best[0].word, first.best[0].score,
    )  # fmt: skip
    assert (2, "played") == (len(second.best), second.known)
    assert {"turns": 1, "missed": 54, "racks": 1, "best": 0} == found.players["Ann"]


def test_as_the_command_prints_it(game: Path) -> None:
    """Turns and sums are the lines of the command."""
    line = kibitz.analyse(game, moves=1).to_json()

    assert [1, 2] == [turn["turn"] for turn in line["turns"]]
    assert {"place": "H4", "word": "DRAGNET", "text": "DRAGNET", "score": 72} == (
        line["turns"][0]["best"][0]
    )
    assert 54 == line["players"]["Ann"]["missed"]


def test_a_table(tmp_path: Path) -> None:
    """A game that was watched is analysed by its name."""
    photos = tmp_path / "photos"
    photos.mkdir()
    for name in ("01.jpg", "02.jpg"):
        (photos / name).write_bytes((kibitz.examples()["scrabble"] / name).read_bytes())
    data = str(tmp_path / "kept")
    with kibitz.watch(photos, players="Ann,Bob", data=data) as table:
        list(table)
    found = kibitz.analyse(table.table, moves=1, data=data)

    assert [("Ann", "GARDEN", 20)] == [(t.player, t.word, t.score) for t in found.turns]


def test_what_cannot_be_analysed(game: Path) -> None:
    """What was expected is said in the words of a program."""
    empty = game.with_name("empty.gcg")
    empty.write_text("#player1 Ann Ann\n")
    calls = [
        (lambda: kibitz.analyse(empty), kibitz.CommandError, "the game has no turns yet"),
        (lambda: kibitz.analyse(game, moves=0), kibitz.UsageError, "^moves 0: "),
        (lambda: kibitz.analyse(game, lexicon="none"), kibitz.UsageError, "one: lexicon NAME"),
        (lambda: kibitz.analyse("nowhere"), kibitz.UsageError, "no file and no table 'nowhere'"),
    ]
    for call, kind, says in calls:
        with pytest.raises(kind, match=says):
            call()


def test_of_a_game_that_goes_on_no_rack_is_told(tmp_path: Path) -> None:
    """Until its end only the tiles that were played are known."""
    told, data = [], str(tmp_path)
    tables = Tables(Storage(data))
    table = tables.create(Order("scrabble", ("Ann", "Bob"))).table
    for action in (
        Action("racks", data={"racks": {"Ann": list("CATERSV")}}),
        Action("place", "Ann", data={"tiles": {"H7": "C", "H8": "A", "H9": "T"}}),
        Action("end_game"),
    ):
        table.act(action, Actor("host"))
        if action.kind != "racks":
            told.append(kibitz.analyse(table.id, moves=1, data=data).turns[0])
    tables.close()

    assert [("ACT", "played"), ("ACERSTV", "rack")] == [(t.tiles, t.known) for t in told]
