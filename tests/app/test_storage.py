"""Tables are kept: nothing that was acknowledged is lost or doubled, and troubles are told."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import replace

import pytest

from app.access import Actor
from app.storage import FILE_NAME, Step, Storage, StorageError, TableRow, TokenRow, database_url
from app.tables import Order, Tables
from engine.rules import Action

HOST = Actor("host")
ORDER = Order("scrabble", ("Ann", "Bob"))


@pytest.fixture
def tables(tmp_path):
    tables = Tables(Storage(str(tmp_path)))
    yield tables
    tables.close()


def place(**tiles):
    return Action("place", data={"tiles": tiles})


def reopened(folder, table_id):
    """The table as another process would find it; the caller closes the tables."""
    tables = Tables(Storage(str(folder)))
    table = tables.get(table_id)
    assert table is not None
    return tables, table


def test_a_table_reopens_as_it_was(tmp_path):
    """Scores, board, undo and a word allowed by the players survive closing."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(ORDER).table
    table.act(place(H7="A", H8="T"), HOST)
    table.act(Action("allow_word", data={"word": "ATZ"}), HOST)
    table.act(place(H9="Z"), HOST)
    table.act(Action("pass"), HOST)
    table.act(Action("undo"), HOST)
    before = (table.history(), table.view(HOST), table.seq)
    tables.close()

    tables, table = reopened(tmp_path, table.id)
    after = (table.history(), table.view(HOST), table.seq)
    table.act(Action("undo"), HOST)
    undone = len(table.history())
    tables.close()

    assert before[2] == after[2]
    assert before[1] == after[1]
    assert [h["action"] for h in before[0]] == [h["action"] for h in after[0]]
    assert len(before[0]) - 1 == undone


def test_the_clock_of_a_table_stands_while_the_server_is_down(tmp_path):
    """The time between closing and opening does not count."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(ORDER).table
    table.act(place(H7="A", H8="T"), HOST)
    kept = table.steps[-1].data["t"]
    tables.close()
    time.sleep(0.3)

    tables, table = reopened(tmp_path, table.id)
    now = table.clock()
    tables.close()

    assert kept <= now < kept + 0.3


def test_a_picture_is_kept_beside_its_step(tmp_path):
    """A step's picture comes back as it was; a step without one has none."""
    storage = Storage(str(tmp_path))
    storage.create_table(TableRow("t1", 1.0, {"game": "x"}), (TokenRow("h", "host"),))
    storage.append(
        "t1", (Step(1, 1.0, "seen", {"a": "ä"}, None, b"jpeg"), Step(2, 2.0, "told", {}))
    )

    kept = storage.steps_of("t1")
    pictures = (storage.picture("t1", 1), storage.picture("t1", 2), storage.pictured("t1"))
    storage.close()

    assert [(1, {"a": "ä"}), (2, {})] == [(s.seq, s.data) for s in kept]
    assert (b"jpeg", None, (1,)) == pictures


def test_a_batch_is_kept_whole_or_not_at_all(tmp_path):
    """When one of several steps cannot be kept, none of them is."""
    storage = Storage(str(tmp_path))
    storage.create_table(TableRow("t1", 1.0, {}), ())
    storage.append("t1", (Step(1, 1.0, "told", {}),))

    with pytest.raises(StorageError) as refused:
        storage.append("t1", (Step(2, 1.0, "told", {}), Step(1, 1.0, "told", {})))
    kept = [s.seq for s in storage.steps_of("t1")]
    storage.close()

    assert ("written_elsewhere", [1]) == (refused.value.code, kept)


def test_two_servers_do_not_write_one_table_twice(tmp_path):
    """A table that another server went on with is refused here, and opened anew it is whole."""
    one, two = Tables(Storage(str(tmp_path))), Tables(Storage(str(tmp_path)))
    table = one.create(ORDER).table
    other = two.get(table.id)
    assert other is not None
    table.act(place(H7="A", H8="T"), HOST)

    with pytest.raises(StorageError) as refused:
        other.act(Action("pass"), HOST)
    two.forget(table.id)
    anew = two.get(table.id)
    assert anew is not None
    seen = (anew.seq, anew.view(HOST)["scores"])
    one.close()
    two.close()

    assert "written_elsewhere" == refused.value.code
    assert (1, {"Ann": 4, "Bob": 0}) == seen


def test_a_full_disk_loses_nothing(tables, monkeypatch):
    """While the disk is full the game goes on in memory and says so; then all is written."""
    table = tables.create(ORDER).table
    append = Storage.append

    def full(*_):
        raise StorageError("storage_full", "the disk is full")

    monkeypatch.setattr(Storage, "append", full)
    first = table.act(place(H7="A", H8="T"), HOST, "k")
    again = table.act(place(H7="A", H8="T"), HOST, "k")
    trouble = table.trouble
    monkeypatch.setattr(Storage, "append", append)
    second = table.act(Action("pass"), HOST)
    kept = [s.seq for s in tables.storage.steps_of(table.id)]

    assert (False, False, True) == (first.saved, again.saved, second.saved)
    assert trouble is not None
    assert "storage_full" == trouble.code
    assert table.trouble is None
    assert [1, 2] == kept


def test_what_sqlite_says_of_a_full_disk_is_understood(tmp_path):
    """A database that may not grow is told as a full disk."""
    storage = Storage(str(tmp_path))
    storage.create_table(TableRow("t1", 1.0, {}), ())
    with storage._engine.connect() as db:
        db.exec_driver_sql("PRAGMA max_page_count=1")

        values = {"table_id": "t1", "seq": 1, "jpeg": b"x" * 9_000_000}
        insert = "INSERT INTO kibitz_pictures VALUES (:table_id, :seq, :jpeg)"
        with pytest.raises(StorageError) as full, storage._guard():
            db.exec_driver_sql(insert, values)
    storage.close()

    assert "storage_full" == full.value.code


def test_a_locked_database_is_told(tmp_path, monkeypatch):
    """A writer that finds the database locked says so; it is worth trying again."""
    monkeypatch.setattr("app.storage.BUSY_SECONDS", 0.05)
    storage = Storage(str(tmp_path))
    holder = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    with pytest.raises(StorageError) as locked:
        storage.create_table(TableRow("t1", 1.0, {}), ())
    holder.rollback()
    holder.close()
    storage.close()

    assert ("storage_locked", True) == (locked.value.code, locked.value.passing)


def test_tables_of_a_newer_version_are_left_alone(tmp_path):
    """A database of a format not known yet is refused with what to do."""
    Storage(str(tmp_path)).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as db:
        db.execute("UPDATE kibitz_meta SET value = '99'")
    db.close()

    with pytest.raises(StorageError) as newer:
        Storage(str(tmp_path))

    assert "newer_version" == newer.value.code
    assert "update Kibitz" in newer.value.message


def test_a_file_that_is_no_database_is_told(tmp_path):
    """Rubbish in place of the database is named as such, and left as it is."""
    (tmp_path / FILE_NAME).write_bytes(b"no database at all" * 100)

    with pytest.raises(StorageError) as damaged:
        Storage(str(tmp_path))

    assert "storage_damaged" == damaged.value.code


@pytest.mark.parametrize("data", ["nonsense://x", "/proc/nothing/here"])
def test_a_place_that_cannot_be_used_is_told(data):
    """A wrong address and a folder that cannot be made are told with what to give."""
    with pytest.raises(StorageError) as wrong:
        Storage(data)

    assert wrong.value.code in ("bad_data_address", "storage_unavailable")
    assert "--data" in wrong.value.message


@pytest.mark.parametrize(
    ("data", "url"),
    [
        ("postgres://u:p@h/d", "postgresql+psycopg://u:p@h/d"),
        ("postgresql://h/d", "postgresql+psycopg://h/d"),
        ("sqlite:////tmp/x.db", "sqlite:////tmp/x.db"),
        ("/tmp/x", f"sqlite:////tmp/x/{FILE_NAME}"),
    ],
)
def test_where_tables_are_kept(data, url):
    """A folder is a SQLite file in it; PostgreSQL goes by its address."""
    assert url == database_url(data)


def test_tokens_are_kept_as_hashes_only(tmp_path):
    """No token can be read out of the files."""
    tables = Tables(Storage(str(tmp_path)))
    opened = tables.create(ORDER)
    tokens = [opened.host, opened.camera, opened.watch, *opened.seats.values()]
    tables.close()

    kept = b"".join(p.read_bytes() for p in tmp_path.iterdir())

    assert [] == [t for t in tokens if t.encode() in kept]


def test_steps_that_the_rules_now_refuse_are_told(tmp_path):
    """A kept step that this version's rules refuse is listed, and the rest goes on."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(ORDER).table
    table.act(place(H7="A", H8="T"), HOST)
    step = table.steps[0]
    tables.close()
    entries = step.data["change"]["entries"]
    entries[0]["do"]["tiles"] = {"A1": "A", "A2": "T"}
    storage = Storage(str(tmp_path))
    with storage._engine.begin() as db:
        db.exec_driver_sql("DELETE FROM kibitz_steps")
    storage.append(table.id, (replace(step, picture=None),))
    storage.close()

    tables, table = reopened(tmp_path, table.id)
    lost = [r.code for r in table.lost]
    tables.close()

    assert ["not_centre"] == lost
