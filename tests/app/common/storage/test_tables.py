"""Tables are kept: nothing that was acknowledged is lost or doubled, and troubles are told.

The same tests on a file's database and on PostgreSQL.
"""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from kibitz.app.common.storage.tables import (
    Step,
    Storage,
    StorageError,
    TableRow,
    TokenRow,
    metadata,
)
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action
from tests.app.common.storage.postgres_help import address, fresh_database, postgres

__all__ = ["address", "postgres"]

HOST = Actor("host")
ORDER = Order("scrabble", ("Ann", "Bob"))


@pytest.fixture(params=["file", "PostgreSQL"])
def where(request, tmp_path):
    """An empty place to keep tables in."""
    if request.param == "file":
        return str(tmp_path)
    return fresh_database(request.getfixturevalue("address"))


@pytest.fixture
def tables(where):
    tables = Tables(Storage(where))
    yield tables
    tables.close()


def place(**tiles):
    return Action("place", data={"tiles": tiles})


def reopened(where, table_id):
    """The table as another process would find it; the caller closes the tables."""
    tables = Tables(Storage(where))
    table = tables.get(table_id)
    assert table is not None
    return tables, table


def test_a_table_reopens_as_it_was(where):
    """Scores, board, undo and a word allowed by the players survive closing."""
    tables = Tables(Storage(where))
    table = tables.create(ORDER).table
    table.act(place(H7="A", H8="T"), HOST)
    table.act(Action("allow_word", data={"word": "ATZ"}), HOST)
    table.act(place(H9="Z"), HOST)
    table.act(Action("pass"), HOST)
    table.act(Action("undo"), HOST)
    before = (table.history(), table.view(HOST), table.seq)
    tables.close()

    tables, table = reopened(where, table.id)
    after = (table.history(), table.view(HOST), table.seq)
    table.act(Action("undo"), HOST)
    undone = len(table.history())
    tables.close()

    assert before[2] == after[2]
    assert before[1] == after[1]
    assert [h["action"] for h in before[0]] == [h["action"] for h in after[0]]
    assert len(before[0]) - 1 == undone


def test_the_clock_of_a_table_stands_while_the_server_is_down(where):
    """The time between closing and opening does not count."""
    tables = Tables(Storage(where))
    table = tables.create(ORDER).table
    table.act(place(H7="A", H8="T"), HOST)
    kept = table.steps[-1].data["t"]
    tables.close()
    time.sleep(0.3)

    tables, table = reopened(where, table.id)
    now = table.clock()
    tables.close()

    assert kept <= now < kept + 0.3


def test_a_picture_is_kept_beside_its_step(where):
    """A step's picture comes back as it was; a step without one has none."""
    storage = Storage(where)
    storage.create_table(TableRow("t1", 1.0, {"game": "x"}), (TokenRow("h", "host"),))
    storage.append(
        "t1", (Step(1, 1.0, "seen", {"a": "ä"}, None, b"jpeg"), Step(2, 2.0, "told", {}))
    )

    kept = storage.steps_of("t1")
    pictures = (storage.picture("t1", 1), storage.picture("t1", 2), storage.pictured("t1"))
    storage.close()

    assert [(1, {"a": "ä"}), (2, {})] == [(s.seq, s.data) for s in kept]
    assert (b"jpeg", None, (1,)) == pictures


def test_a_batch_is_kept_whole_or_not_at_all(where):
    """When one of several steps cannot be kept, none of them is."""
    storage = Storage(where)
    storage.create_table(TableRow("t1", 1.0, {}), ())
    storage.append("t1", (Step(1, 1.0, "told", {}),))

    with pytest.raises(StorageError) as refused:
        storage.append("t1", (Step(2, 1.0, "told", {}), Step(1, 1.0, "told", {})))
    kept = [s.seq for s in storage.steps_of("t1")]
    storage.close()

    assert ("written_elsewhere", [1]) == (refused.value.code, kept)


def test_two_servers_do_not_write_one_table_twice(where):
    """A table that another server went on with is refused here, and opened anew it is whole."""
    one, two = Tables(Storage(where)), Tables(Storage(where))
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
    trouble = table.saving.trouble
    monkeypatch.setattr(Storage, "append", append)
    second = table.act(Action("pass"), HOST)
    kept = [s.seq for s in tables.storage.steps_of(table.id)]

    assert (False, False, True) == (first.saved, again.saved, second.saved)
    assert trouble is not None
    assert "storage_full" == trouble.code
    assert table.saving.trouble is None
    assert [1, 2] == kept


def test_tables_of_a_newer_version_are_left_alone(where):
    """A database of a format not known yet is refused with what to do."""
    storage = Storage(where)
    with storage._engine.begin() as db:
        db.exec_driver_sql("UPDATE kibitz_meta SET value = '99'")
    storage.close()

    with pytest.raises(StorageError) as newer:
        Storage(where)

    assert "newer_version" == newer.value.code
    assert "update Kibitz" in newer.value.message


def test_tokens_are_kept_as_hashes_only(where):
    """No token can be read out of what is kept."""
    tables = Tables(Storage(where))
    opened = tables.create(ORDER)
    tokens = [opened.host, opened.camera, opened.watch, *opened.seats.values()]
    with tables.storage._engine.connect() as db:
        names = [t.name for t in metadata.sorted_tables]
        kept = repr([db.exec_driver_sql(f"SELECT * FROM {n}").all() for n in names])
    tables.close()

    assert opened.table.id in kept
    assert [] == [t for t in tokens if t in kept]


def test_steps_that_the_rules_now_refuse_are_told(where):
    """A kept step that this version's rules refuse is listed, and the rest goes on."""
    tables = Tables(Storage(where))
    table = tables.create(ORDER).table
    table.act(place(H7="A", H8="T"), HOST)
    step = table.steps[0]
    tables.close()
    entries = step.data["change"]["entries"]
    entries[0]["do"]["tiles"] = {"A1": "A", "A2": "T"}
    storage = Storage(where)
    with storage._engine.begin() as db:
        db.exec_driver_sql("DELETE FROM kibitz_steps")
    storage.append(table.id, (replace(step, picture=None),))
    storage.close()

    tables, table = reopened(where, table.id)
    lost = [r.code for r in table.lost]
    tables.close()

    assert ["not_centre"] == lost
