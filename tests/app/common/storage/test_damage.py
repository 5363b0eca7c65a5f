"""A damaged table is named and set aside; every other table goes on."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from kibitz.app.cli.kept.tables import export
from kibitz.app.cli.materials import check
from kibitz.app.cli.serving.serve_tables import TablePlan, open_planned
from kibitz.app.common.storage.databases import step_checksum
from kibitz.app.common.storage.tables import FILE_NAME, DamagedTableError, Storage
from kibitz.app.server.app import create_app
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action
from tests.app.server_help import RunningServer, bearer, make_session

HOST = Actor("host")
ROOT = Path(__file__).resolve().parents[4]
ORDER = Order("scrabble", ("Ann", "Bob"))


def played(folder: Path, order: Order = ORDER) -> str:
    """A kept game of four steps: 22 points for QI, a pass, an S and a pass."""
    tables = Tables(Storage(str(folder)))
    table = tables.create(order).table
    for action in (
        Action("place", data={"tiles": {"H8": "Q", "H9": "I"}}),
        Action("pass"),
        Action("place", data={"tiles": {"H10": "S"}}),
        Action("pass"),
    ):
        table.act(action, HOST)
    tables.close()
    return table.id


def change(folder: Path, statement: str, *values: object) -> None:
    """Change the database behind Kibitz's back."""
    db = sqlite3.connect(folder / FILE_NAME)
    assert db.execute(statement, values).rowcount == 1
    db.commit()
    db.close()


def zero_page(folder: Path, holds: bytes) -> None:
    """Overwrite the page of the file that holds some text with zeros, as a bad disk would."""
    path = folder / FILE_NAME
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = db.execute("PRAGMA page_size").fetchone()[0]
    db.close()
    data = bytearray(path.read_bytes())
    page = data.index(holds) // size
    data[page * size : (page + 1) * size] = bytes(size)
    path.write_bytes(data)


def letter(folder: Path, table: str) -> None:
    """One letter of step 3 becomes another."""
    change(
        folder,
        "UPDATE kibitz_steps SET data = replace(data, '\"S\"', '\"T\"') "
        "WHERE table_id = ? AND seq = 3",
        table,
    )


def brace(folder: Path, table: str) -> None:
    """The text of step 3 breaks off."""
    change(
        folder,
        "UPDATE kibitz_steps SET data = substr(data, 1, 40) WHERE table_id = ? AND seq = 3",
        table,
    )


def gap(folder: Path, table: str) -> None:
    """Step 3 is gone."""
    change(folder, "DELETE FROM kibitz_steps WHERE table_id = ? AND seq = 3", table)


def swap(folder: Path, table: str) -> None:
    """Step 3 has the content of step 1."""
    change(
        folder,
        "UPDATE kibitz_steps SET (data, checksum) = (SELECT data, checksum FROM kibitz_steps "
        "WHERE table_id = ?1 AND seq = 1) WHERE table_id = ?1 AND seq = 3",
        table,
    )


def rubbish(folder: Path, table: str) -> None:
    """Step 3 holds bytes that are no text."""
    change(
        folder,
        "UPDATE kibitz_steps SET data = CAST(x'ff00fe' AS TEXT) WHERE table_id = ? AND seq = 3",
        table,
    )


def no_change(folder: Path, table: str) -> None:
    """Step 3 is whole, but does not say what it changed."""
    db = sqlite3.connect(folder / FILE_NAME)
    at, kind = db.execute(
        "SELECT at, kind FROM kibitz_steps WHERE table_id = ? AND seq = 3", (table,)
    ).fetchone()
    db.close()
    data = '{"do":{"action":"pass"}}'
    value = step_checksum(table, 3, at, kind, data, None)
    change(
        folder,
        "UPDATE kibitz_steps SET data = ?, checksum = ? WHERE table_id = ? AND seq = 3",
        data,
        value,
        table,
    )


@pytest.mark.parametrize(
    ("harm", "wrong"),
    [
        (letter, "step 3 was changed (its checksum differs)"),
        (brace, "step 3 was changed (its checksum differs)"),
        (gap, "step 3 is missing"),
        (swap, "step 3 was changed (its checksum differs)"),
        (rubbish, "step 3 was changed (its checksum differs)"),
        (no_change, "step 3 does not say what it changed"),
    ],
)
def test_a_damaged_step_is_noticed(tmp_path, capsys, harm, wrong):
    """A changed letter, text that breaks off, a missing step ...: named, and the rest written."""
    table = played(tmp_path)
    harm(tmp_path, table)
    tables = Tables(Storage(str(tmp_path)))
    with pytest.raises(DamagedTableError) as damaged:
        tables.get(table)
    tables.close()
    capsys.readouterr()
    code = export(table, data=str(tmp_path))
    exported, told = capsys.readouterr()
    found = json.loads(exported)

    assert (wrong, 2) == (damaged.value.damage.wrong, damaged.value.damage.readable)
    assert ("Ann", "Bob") == damaged.value.damage.players
    # what is whole is the first play and the pass
    assert (1, [1, 2]) == (code, [event["seq"] for event in found["events"]])
    assert {"Ann": 22, "Bob": 0} == found["final"]["scores"]
    assert f"table {table} (Ann, Bob) is damaged and set aside: {wrong}" in told


@pytest.mark.parametrize("format_", ["gcg", "csv", "html"])
def test_what_is_whole_is_written_in_every_format(tmp_path, capsys, format_):
    """The plays before the damage, as a file that other programs read."""
    table = played(tmp_path)
    letter(tmp_path, table)
    code = export(table, format_=format_, data=str(tmp_path))
    out = capsys.readouterr().out

    assert (1, True, False) == (code, "QI" in out, "QIS" in out)


def header(folder: Path, table: str) -> None:
    """The header is no JSON any more."""
    change(folder, "UPDATE kibitz_tables SET header = '{\"game' WHERE id = ?", table)


def renamed(folder: Path, table: str) -> None:
    """A letter of the header is another."""
    change(
        folder,
        "UPDATE kibitz_tables SET header = replace(header, 'Ann', 'Anm') WHERE id = ?",
        table,
    )


@pytest.mark.parametrize("harm", [header, renamed, letter, gap, no_change])
def test_everything_else_goes_on(tmp_path, capsys, harm):
    """The server starts with a game, lists its tables and shows the hall of fame."""
    order = Order("frankenscrabbards", ("Ann", "Bob"))
    bad, good = played(tmp_path), played(tmp_path, order)
    harm(tmp_path, bad)
    session = make_session(tmp_path)
    opened, goes_on = open_planned(session.tables, TablePlan("scrabble", ("Ann", "Bob")))
    client = TestClient(create_app(session))
    listed = client.get("/api/tables")
    fame = client.get("/api/fame")
    session.close()
    told = capsys.readouterr().err
    (damaged,) = listed.json()["damaged"]

    assert (False, True) == (goes_on, opened.table.id not in (bad, good))
    assert (200, 200) == (listed.status_code, fame.status_code)
    assert {good, opened.table.id} == {t["table"] for t in listed.json()["tables"]}
    assert (bad, ["Ann", "Bob"]) == (damaged["table"], damaged["players"])
    assert f"'kibitz export {bad}' writes what can be read" in damaged["message"]
    assert 1 == told.count(f"table {bad} (Ann, Bob) is damaged and set aside")


def test_who_holds_a_link_of_a_damaged_table_is_told(tmp_path):
    """Its link still opens an answer in words; without it nobody learns that it is there."""
    session = make_session(tmp_path)
    client = TestClient(create_app(session))
    made = client.post("/api/tables", json={"game": "scrabble", "players": ["Ann", "Bob"]}).json()
    path = f"/api/tables/{made['table']}"
    auth = bearer(made["host_token"])
    client.post(f"{path}/actions", json={"action": "pass", "player": "Ann"}, headers=auth)
    session.close()
    change(tmp_path, "UPDATE kibitz_steps SET kind = 'undo' WHERE table_id = ?", made["table"])
    session = make_session(tmp_path)
    client = TestClient(create_app(session))
    told = client.get(path, headers=auth)
    stranger = client.get(path, headers=bearer("x" * 32))
    session.close()

    assert (409, "table_damaged") == (told.status_code, told.json()["error"]["code"])
    assert str(tmp_path) not in told.text
    assert (404, "not_found") == (stranger.status_code, stranger.json()["error"]["code"])


def test_a_page_of_zeros_is_found(tmp_path, capsys):
    """The check reads every page; a table whose rows lie elsewhere can still be played."""
    bad = played(tmp_path)
    for _ in range(3):
        good = played(tmp_path)
    before = check.command(as_json=True, data=str(tmp_path))
    zero_page(tmp_path, b'"H8":"Q"')
    after = check.command(as_json=True, data=str(tmp_path))
    lines = [json.loads(x) for x in capsys.readouterr().out.splitlines()]
    data = [x for x in lines if x["name"] == "data"]

    assert (0, 1) == (before, after)
    assert "4 tables, 16 steps" in data[0]["message"]
    assert [True, *[False] * (len(data) - 1)] == [x["ok"] for x in data]
    assert any(f"table {bad} (Ann, Bob) is damaged" in x["message"] for x in data)
    assert good != bad


@pytest.mark.parametrize("harm", [letter, header, no_change])
def test_the_check_names_a_damaged_table(tmp_path, capsys, harm):
    """Every row is read, not only counted."""
    table = played(tmp_path)
    harm(tmp_path, table)
    code = check.command(as_json=False, data=str(tmp_path))
    out = capsys.readouterr().out

    assert 1 == code
    assert f"FAIL  data: table {table} (Ann, Bob) is damaged and set aside" in out


@pytest.mark.slow
def test_a_server_starts_beside_a_damaged_table(tmp_path):
    """`kibitz serve --game` with a broken header of another table says so, and serves."""
    table = played(tmp_path)
    header(tmp_path, table)
    with RunningServer(tmp_path) as server:
        _, told = server.stop()

    assert "Kibitz is at" in server.lines[0]
    assert f"table {table} (Ann, Bob) is damaged and set aside: its header" in told
