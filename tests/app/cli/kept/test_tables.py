"""`kibitz tables`: what is kept here, named, put away, deleted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.app.cli.main import app, run
from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables


@pytest.fixture
def kept(tmp_path: Path) -> list[str]:
    """Two tables; their names."""
    tables = Tables(Storage(str(tmp_path)))
    made = [
        tables.create(Order("scrabble", ("Ann", "Bob"))).table.id,
        tables.create(Order("grabscrab", ("Ann", "Zoe"))).table.id,
    ]
    tables.close()
    return made


def call(folder: Path, *given: str) -> int:
    return run(app, ["tables", *given, "--data", str(folder)], debug=True)


def lines(capsys: Any) -> list[Any]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_tables_are_listed_and_found(tmp_path: Path, kept: list[str], capsys: Any) -> None:
    """The newest first; words look into names, players and games."""
    assert 0 == call(tmp_path, "list", "--json")
    every = [line["table"] for line in lines(capsys)]
    call(tmp_path, "list", "zoe", "grab", "--json")
    found = [line["table"] for line in lines(capsys)]

    assert (kept[::-1], [kept[1]]) == (every, found)


def test_a_table_is_named_put_away_and_shown(tmp_path: Path, kept: list[str], capsys: Any) -> None:
    """The list leaves out what is put away; `--all` shows it with its name."""
    call(tmp_path, "rename", kept[0], "Sunday evening")
    call(tmp_path, "archive", kept[0])
    call(tmp_path, "list", "--json")
    listed = [line["table"] for line in lines(capsys)]
    call(tmp_path, "list", "--all", "sunday", "--json")
    (found,) = lines(capsys)
    call(tmp_path, "archive", kept[0], "--back")
    call(tmp_path, "show", kept[0], "--json")
    (shown,) = lines(capsys)

    assert [kept[1]] == listed
    assert ("Sunday evening", True) == (found["name"], found["archived"])
    assert (False, {"host": 1, "camera": 1, "watch": 1, "Ann": 1, "Bob": 1}) == (
        shown["archived"],
        shown["links"],
    )


def test_deleting_wants_to_be_meant(tmp_path: Path, kept: list[str], capsys: Any) -> None:
    """Without --yes nothing goes; with it what is named goes, and what is not there is told."""
    unmeant = run(app, ["tables", "delete", kept[0], "--data", str(tmp_path)], debug=False)
    meant = call(tmp_path, "delete", kept[0], "nothere", "--yes")
    said = capsys.readouterr().err
    call(tmp_path, "list", "--json")
    left = [line["table"] for line in lines(capsys)]

    assert (2, 1, [kept[1]]) == (unmeant, meant, left)
    assert "for good" in said
    assert "no table 'nothere'" in said


def test_room_is_given_back(tmp_path: Path, kept: list[str]) -> None:
    """After deleting and vacuuming, nothing of the table is left in the files."""
    call(tmp_path, "rename", kept[0], "Heartofgold")
    call(tmp_path, "delete", kept[0], "--yes")
    assert 0 == call(tmp_path, "vacuum", "--keep-pictures", "none")
    data = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())

    assert b"Heartofgold" not in data
    assert kept[0].encode() not in data


def test_an_unknown_table_is_told_with_those_there_are(
    tmp_path: Path, kept: list[str], capsys: Any
) -> None:
    """Every part of the command says so the same way."""
    codes = [
        run(app, ["tables", *given, "--data", str(tmp_path)], debug=False)
        for given in (["show", "x"], ["rename", "x", "y"], ["archive", "x"], ["export", "x"])
    ]
    said = capsys.readouterr().err.splitlines()

    assert [2] * 4 == codes
    assert all(kept[0] in line and "there is no table 'x'" in line for line in said)


def test_where_there_are_no_tables_it_is_said(tmp_path: Path, capsys: Any) -> None:
    """An empty answer would look like a fault; programs get no line."""
    assert 0 == call(tmp_path, "list")
    told = capsys.readouterr()

    assert ("", "No tables.") == (told.out, told.err.strip())
