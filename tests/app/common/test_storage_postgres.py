"""Tables in PostgreSQL, where a server of it can be started here."""

from __future__ import annotations

import threading
import time

import pytest
import sqlalchemy as sa

from kibitz.app.common.storage import Step, Storage, StorageError, TableRow, database_url
from kibitz.app.tables.access import Actor
from kibitz.app.tables.registry import Order, Tables
from kibitz.engine.rules import Action
from tests.app.common.postgres_help import address, fresh_database, postgres

__all__ = ["address", "postgres"]

HOST = Actor("host")
ORDER = Order("scrabble", ("Ann", "Bob"))


PLAY = Action("place", data={"tiles": {"H7": "A", "H8": "T"}})


def waiting_for_locks(engine) -> int:
    """How many sessions of this database wait for a lock."""
    asked = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    with engine.connect() as db:
        return int(db.exec_driver_sql(asked).scalar() or 0)


def saved_at_last(table) -> bool:
    """Whether everything is written before long, without anybody doing anything."""
    ends = time.monotonic() + 30
    while table.trouble is not None and time.monotonic() < ends:
        time.sleep(0.05)
    return table.trouble is None


def test_two_servers_share_postgresql_without_doubling(address):
    """The second writer of a step number is refused, also for pictures in the same batch."""
    where = fresh_database(address)
    storage, other = Storage(where), Storage(where)
    storage.create_table(TableRow("pg1", 1.0, {}), ())
    storage.append("pg1", (Step(1, 1.0, "seen", {}, None, b"one"),))

    with pytest.raises(StorageError) as refused:
        other.append("pg1", (Step(1, 1.0, "seen", {}, None, b"two"),))
    kept = other.picture("pg1", 1)
    storage.close()
    other.close()

    assert ("written_elsewhere", b"one") == (refused.value.code, kept)


def test_who_opens_a_table_waits_for_a_step_that_is_being_written(address):
    """A killed writer's last commit may still be under way: its step is found all the same."""
    where = fresh_database(address)
    storage, other = Storage(where), Storage(where)
    storage.create_table(TableRow("pg1", 1.0, {}), ())
    found = []
    opening = threading.Thread(target=lambda: found.extend(other.steps_of("pg1")))
    engine = sa.create_engine(database_url(where))

    @sa.event.listens_for(storage._engine, "commit")
    def _late(_connection):
        opening.start()
        while not waiting_for_locks(engine) and opening.is_alive():
            time.sleep(0.01)

    storage.append("pg1", (Step(1, 1.0, "seen", {}, None, None),))
    opening.join(30)
    for used in (storage, other):
        used.close()
    engine.dispose()

    assert [1] == [s.seq for s in found]


def test_a_table_locked_by_another_program_is_told(address, monkeypatch):
    """A play counts while somebody holds the table of steps; then it is written."""
    monkeypatch.setattr("kibitz.app.common.storage.BUSY_SECONDS", 1)
    where = fresh_database(address)
    tables = Tables(Storage(where))
    table = tables.create(ORDER).table
    engine = sa.create_engine(database_url(where))
    with engine.begin() as holder:
        holder.exec_driver_sql("LOCK TABLE kibitz_steps IN ACCESS EXCLUSIVE MODE")
        played = table.act(PLAY, HOST)
        code = table.trouble.code
    written = saved_at_last(table)
    kept = [s.seq for s in tables.storage.steps_of(table.id)]
    engine.dispose()
    tables.close()

    assert (False, "storage_locked") == (played.saved, code)
    assert (True, [1]) == (written, kept)


def test_a_server_that_fails_and_comes_back(postgres):
    """While the database is away the game goes on in memory; nothing is lost or doubled."""
    tables = Tables(Storage(fresh_database(postgres.address)))
    table = tables.create(ORDER).table
    first = table.act(PLAY, HOST)
    postgres.stop()
    second = table.act(Action("pass"), HOST, "k")
    code = table.trouble.code
    postgres.start()
    written = saved_at_last(table)
    again = table.act(Action("pass"), HOST, "k")
    kept = [(s.seq, s.kind) for s in tables.storage.steps_of(table.id)]
    tables.close()

    assert (True, False, "storage_unavailable") == (first.saved, second.saved, code)
    assert written
    assert again.repeated
    assert [(1, "told"), (2, "told")] == kept


def test_a_database_that_is_away_is_told():
    """An address where no server answers is told, not raised as it came."""
    with pytest.raises(StorageError) as away:
        Storage("postgresql://127.0.0.1:9/none")

    assert ("storage_unavailable", True) == (away.value.code, away.value.passing)
