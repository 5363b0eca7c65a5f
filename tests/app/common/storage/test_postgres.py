"""Tables in PostgreSQL, where a server of it can be started here."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from kibitz.app.common.storage.tables import (
    Step,
    Storage,
    StorageError,
    StorageLimits,
    TableRow,
    database_url,
)
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.state import notices
from kibitz.engine.rules import Action
from tests.app.common.storage.postgres_help import address, fresh_database, postgres

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
    while table.saving.trouble is not None and time.monotonic() < ends:
        time.sleep(0.05)
    return table.saving.trouble is None


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


def test_a_table_locked_by_another_program_is_told(address):
    """A play counts while somebody holds the table of steps; then it is written."""
    where = fresh_database(address)
    tables = Tables(Storage(where, StorageLimits(lock_s=1.0)))
    table = tables.create(ORDER).table
    engine = sa.create_engine(database_url(where))
    with engine.begin() as holder:
        holder.exec_driver_sql("LOCK TABLE kibitz_steps IN ACCESS EXCLUSIVE MODE")
        played = table.act(PLAY, HOST)
        code = table.saving.trouble.code
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
    code = table.saving.trouble.code
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

    assert ("storage_unavailable", True) == (away.value.code, away.value.is_temporary)


def test_lines_in_use_at_the_end_are_closed_when_they_are_done(address):
    """Closing waits for nobody: what is in use then, or asked for later, stays open no longer."""
    storage = Storage(fresh_database(address))
    with storage._engine.connect() as in_use:
        storage.close()
        lines = [in_use.connection.dbapi_connection]
        answer = in_use.exec_driver_sql("SELECT 1").scalar()
    with storage._engine.connect() as later:
        lines.append(later.connection.dbapi_connection)

    assert 1 == answer
    assert [True, True] == [line.closed for line in lines]


def processes_of(storage) -> list[int]:
    """The server's process and those of its open lines, the server first."""
    with storage._engine.connect() as db:
        mine = int(db.exec_driver_sql("SELECT pg_backend_pid()").scalar() or 0)
    parent = int(Path(f"/proc/{mine}/stat").read_text().rpartition(")")[2].split()[1])
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [parent, *map(int, listed)]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are found in /proc")
def test_a_table_goes_on_while_the_database_stands_still(postgres):
    """A server that neither answers nor hangs up: plays count at once, and are stored in order."""
    storage = Storage(
        fresh_database(postgres.address),
        StorageLimits(lock_s=1.0, answer_s=1.5, rest_s=1.0),
    )
    tables = Tables(storage)
    table = tables.create(ORDER).table
    first = table.act(PLAY, HOST)
    stopped = processes_of(storage)
    waited = []
    for process in stopped:
        os.kill(process, signal.SIGSTOP)
    try:
        found = []
        for _ in range(4):
            began = time.monotonic()
            found.append(table.act(Action("pass"), HOST).saved)
            waited.append(time.monotonic() - began)
        trouble, host = table.saving.trouble, notices(table, HOST)[0]
        watcher = notices(table, Actor("watch"))[0]
        views = [table.view(HOST)["scores"], len(table.history())]
    finally:
        for process in stopped:
            os.kill(process, signal.SIGCONT)
    written = saved_at_last(table)
    kept = [(s.seq, s.kind) for s in storage.steps_of(table.id)]
    tables.close()

    assert (True, [False] * 4) == (first.saved, found)
    # only the first waited, until the lines were cut; far from the 25 s of an endless wait
    assert [False, True, True, True] == [seconds < 1.0 for seconds in waited]
    assert max(waited) < 5.0
    assert ("storage_hung", True) == (trouble.code, trouble.is_temporary)
    assert "does not answer" in str(host.message)
    assert "The game goes on and is kept in memory" in str(watcher.message)
    assert [{"Ann": 4, "Bob": 0}, 5] == views
    assert written
    assert [(n, "told") for n in range(1, 6)] == kept
