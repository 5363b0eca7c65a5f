"""Tables of an older format are brought up to today's, all at once or not at all."""

from __future__ import annotations

import pytest

from kibitz.app.common.storage import databases as schema
from kibitz.app.common.storage.databases import FORMAT, header_checksum, step_checksum
from kibitz.app.common.storage.tables import Storage, StorageError
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.engine.rules import Action
from tests.app.common.storage.postgres_help import address, fresh_database, postgres

__all__ = ["address", "postgres"]

HOST = Actor("host")


@pytest.fixture(params=["file", "PostgreSQL"])
def where(request, tmp_path):
    """An empty place to keep tables in."""
    if request.param == "file":
        return str(tmp_path)
    return fresh_database(request.getfixturevalue("address"))


def of_format_1(where: str) -> str:
    """A kept game as the first format had it: without checksums."""
    tables = Tables(Storage(where))
    table = tables.create(Order("scrabble", ("Ann", "Bob"))).table
    table.act(Action("place", data={"tiles": {"H8": "Q", "H9": "I"}}), HOST)
    table.act(Action("pass"), HOST)
    with tables.storage._engine.begin() as db:
        for name in ("kibitz_tables", "kibitz_steps"):
            db.exec_driver_sql(f"ALTER TABLE {name} DROP COLUMN checksum")
        db.exec_driver_sql("DROP TABLE kibitz_refusals")
        db.exec_driver_sql("UPDATE kibitz_meta SET value = '1' WHERE name = 'format'")
    tables.close()
    return table.id


def format_of(storage: Storage) -> int:
    return storage._format()


def test_an_older_format_is_brought_up(where):
    """The game is as it was, has checksums now, and goes on; the format is written."""
    table_id = of_format_1(where)
    tables = Tables(Storage(where))
    table = tables.get(table_id)
    assert table is not None
    scores = table.view(HOST)["scores"]
    on = table.act(Action("pass"), HOST)
    with tables.storage._engine.connect() as db:
        header, *steps = [
            *db.exec_driver_sql("SELECT id, created, header, checksum FROM kibitz_tables").all(),
            *db.exec_driver_sql(
                "SELECT table_id, seq, at, kind, data, idem, checksum FROM kibitz_steps"
            ).all(),
        ]
    found = format_of(tables.storage)
    tables.close()

    assert (FORMAT, {"Ann": 22, "Bob": 0}, True) == (found, scores, on.saved)
    assert header_checksum(*header[:3]) == header[3]
    assert [step_checksum(*s[:6]) for s in steps] == [s[6] for s in steps]


def test_a_change_of_format_that_breaks_off_leaves_the_older_one(where, monkeypatch):
    """Power fails in the middle: the older format is as it was, and the next start brings it up."""
    table_id = of_format_1(where)

    def breaks_off(db):
        schema._add_checksums(db)
        raise StorageError("storage_full", "the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", {1: breaks_off})
        with pytest.raises(StorageError):
            Storage(where)
    tables = Tables(Storage(where))
    table = tables.get(table_id)
    found = format_of(tables.storage)
    tables.close()

    assert (FORMAT, 2) == (found, table.seq if table else 0)


def test_a_format_that_is_none_is_told(where):
    """A damaged format is a sentence, not a traceback."""
    storage = Storage(where)
    with storage._engine.begin() as db:
        db.exec_driver_sql("UPDATE kibitz_meta SET value = 'x2'")
    storage.close()
    with pytest.raises(StorageError) as damaged:
        Storage(where)

    assert "storage_damaged" == damaged.value.code


def test_every_part_of_a_step_counts_in_its_checksum():
    """Its table, number, time, kind, content and key."""
    step = ("t", 1, 1.0, "told", "{}", None)
    others = [
        ("u", 1, 1.0, "told", "{}", None),
        ("t", 2, 1.0, "told", "{}", None),
        ("t", 1, 1.5, "told", "{}", None),
        ("t", 1, 1.0, "seen", "{}", None),
        ("t", 1, 1.0, "told", "[]", None),
        ("t", 1, 1.0, "told", "{}", ""),
    ]

    assert 7 == len({step_checksum(*x) for x in (step, *others)})
