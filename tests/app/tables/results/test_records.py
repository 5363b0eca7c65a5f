"""Recorded games written out by commands: GCG, JSON, and what a replay tells of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from kibitz.app.cli.main import main
from kibitz.app.common.materials.named import load_tile_set
from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.results.records import gcg_game, table_lines
from kibitz.engine.record.gcg import read_gcg, write_gcg
from kibitz.engine.record.gcg_replay import replay_gcg
from kibitz.engine.rules import Action
from tests.app.replay_help import board, replay
from tests.app.server_help import PLAY, act, new_table
from tests.app.tables.results.results_help import CAT, CATS, data_of, small_jpeg
from tests.helpers.fake_readings import reading_of_rows

CART = board(G=".........O", H=".......CAT", I=".........E")


def test_gcg_of_a_replay() -> None:
    """Plays, a play taken off and totals come out as a reader of GCG computes them."""
    _, _, run = replay([CAT, CART, CAT, CATS])
    text = write_gcg(gcg_game(run.ledger))
    again = replay_gcg(read_gcg(text), [load_tile_set("en")])

    moves = [line for line in text.splitlines() if line.startswith(">")]
    assert moves == [
        ">Ann: ACT 8H CAT +10 10",
        ">Bob: EO J7 O.E +3 3",
        ">Bob: EO -- -3 0",
        ">Ann: S 8H ...S +6 16",
    ]
    assert again.wrong == []
    assert dict(again.scores) == {"Ann": 16, "Bob": 0}


@pytest.fixture
def recorded(tmp_path: Path) -> tuple[str, str]:
    """A kept table: one play seen in a picture, one pass told. Its folder and its name."""
    where = str(tmp_path / "data")
    tables = Tables(Storage(where))
    table = tables.create(Order("scrabble", ("Ann", "Bob"), lexicon="none")).table
    table.observe(reading_of_rows(CAT, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), small_jpeg())
    table.act(Action("pass", "Bob"), Actor("host"))
    tables.close()
    return where, table.id


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as leave:
        main(list(arguments))
    return int(leave.value.code or 0)


def test_export_formats(recorded: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Every format is written to standard output."""
    where, name = recorded
    texts = {}
    for format_ in ("json", "csv", "gcg", "html"):
        assert run("export", name, "--data", where, "--format", format_) == 0
        texts[format_] = capsys.readouterr().out

    assert json.loads(texts["json"])["final"]["scores"] == {"Ann": 10, "Bob": 0}
    rows = list(csv.reader(io.StringIO(texts["csv"])))
    assert [row[2] for row in rows[1:]] == ["place", "pass"]
    assert ">Ann: ACT 8H CAT +10 10" in texts["gcg"]
    frames = json.loads(data_of(texts["html"]))["frames"]
    assert [frame["image"] for frame in frames] == [0, 0]


def test_gcg_of_three_players_is_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The format's readers take two players; the message names what to take instead."""
    where = str(tmp_path)
    tables = Tables(Storage(where))
    table = tables.create(Order("scrabble", ("Ann", "Bob", "Cyd"))).table
    tables.close()

    assert run("export", table.id, "--data", where, "--format", "gcg") == 1
    assert "Take JSON" in capsys.readouterr().err


def test_export_to_a_file(
    recorded: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `-o` the record goes to a file and nothing to standard output."""
    where, name = recorded
    target = tmp_path / "out" / "game.gcg"

    assert run("export", name, "--data", where, "--format", "gcg", "-o", str(target)) == 0
    assert capsys.readouterr().out == ""
    assert read_gcg(target.read_bytes()).players[0] == ("Ann", "Ann")


def test_export_of_one_position(
    recorded: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--after` the position that the game had then, as CGP; no other format has it."""
    where, name = recorded
    command = ("export", name, "--data", where, "--after", "0", "--format")
    codes = [run(*command, form) for form in ("cgp", "gcg")]
    told = capsys.readouterr()

    assert [0, 1] == codes
    assert "/".join(["15"] * 15) + " / 0/0 0 ld english;\n" == told.out
    assert "GCG holds the whole game; only CGP is written of one position." in told.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["nope"], "there is no table 'nope'"), (["nope", "--format", "doc"], "--format: expected")],
)
def test_export_refusals(
    arguments: list[str],
    said: str,
    recorded: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An unknown table or format is a wrong call."""
    assert run("export", *arguments, "--data", recorded[0]) == 2
    assert said in capsys.readouterr().err


def test_replay_of_a_recorded_table(
    recorded: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """`kibitz replay` takes a kept table: its lines and its final line."""
    where, name = recorded

    assert run("replay", name, "--data", where, "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["play"]["tiles"] == {"H8": "C", "H9": "A", "H10": "T"}
    assert lines[-1]["final"]["scores"] == {"Ann": 10, "Bob": 0}


def test_a_table_that_no_camera_saw_is_replayed(client, session):
    """What was told has a line each, and the last line as usual."""
    made = new_table(client)
    act(client, made, PLAY)
    act(client, made, {"action": "pass", "player": "Bob"})
    *lines, last = table_lines(session.tables.get(made["table"]))

    assert [(x["status"], x["say"]) for x in lines] == [
        ("play", ["Ann plays AT.", "4 for AT; 4."]),
        ("no_change", ["Bob passes."]),
    ]
    assert last["final"]["scores"] == {"Ann": 4, "Bob": 0}


def test_a_recorded_table_ends_with_what_stayed_open(client, session):
    """Its last line names the open questions and why any word is good, as that of photographs."""
    made = new_table(client, tiles="de")
    act(client, made, {"action": "place", "player": "Ann", "tiles": {"H8": "A", "H9": "?"}})
    table = session.tables.get(made["table"])
    final = list(table_lines(table))[-1]["final"]
    asked = [(q["file"], q["field"], q["square"]) for q in final["questions"]]
    act(client, made, {"action": "correct", "square": "H9", "letter": "s"})
    later = list(table_lines(table))[-1]["final"]

    assert [(made["table"], "blank", "H9")] == asked
    assert [] == later["questions"] == later["unresolved"]
    assert [True] == ["for the tile set 'de'" in note for note in later["notes"]]
