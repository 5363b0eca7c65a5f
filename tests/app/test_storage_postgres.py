"""Tables in PostgreSQL, where a server of it can be started here."""

from __future__ import annotations

import pytest

from app.access import Actor
from app.storage import Step, Storage, StorageError, TableRow
from app.tables import Order, Tables
from engine.rules import Action
from tests.app.postgres_help import address

__all__ = ["address"]

HOST = Actor("host")
ORDER = Order("scrabble", ("Ann", "Bob"))


def test_a_table_lives_in_postgresql(address):
    """Steps, pictures, keys and tokens come back from PostgreSQL as from a file."""
    tables = Tables(Storage(address))
    opened = tables.create(ORDER)
    opened.table.act(Action("place", data={"tiles": {"H7": "A", "H8": "T"}}), HOST, "k")
    before = opened.table.history()
    tables.close()

    tables = Tables(Storage(address))
    found = tables.actor(opened.table.id, opened.host)
    assert found is not None
    again = found[0].act(Action("place", data={"tiles": {"H7": "A", "H8": "T"}}), HOST, "k")
    after = found[0].history()
    tables.close()

    assert before == after
    assert again.repeated


def test_two_servers_share_postgresql_without_doubling(address):
    """The second writer of a step number is refused, also for pictures in the same batch."""
    storage, other = Storage(address), Storage(address)
    storage.create_table(TableRow("pg1", 1.0, {}), ())
    storage.append("pg1", (Step(1, 1.0, "seen", {}, None, b"one"),))

    with pytest.raises(StorageError) as refused:
        other.append("pg1", (Step(1, 1.0, "seen", {}, None, b"two"),))
    kept = other.picture("pg1", 1)
    storage.close()
    other.close()

    assert ("written_elsewhere", b"one") == (refused.value.code, kept)


def test_a_database_that_is_away_is_told():
    """An address where no server answers is told, not raised as it came."""
    with pytest.raises(StorageError) as away:
        Storage("postgresql://127.0.0.1:9/none")

    assert ("storage_unavailable", True) == (away.value.code, away.value.passing)
