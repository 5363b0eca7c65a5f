"""Who runs a table is one server at a time, and what another writes is refused."""

from __future__ import annotations

import time

import pytest

from kibitz.app.common.storage.kept import LeaseLostError, StorageError
from kibitz.app.common.storage.tables import Step, Storage
from kibitz.app.hall.leases import HallRule
from kibitz.app.hall.member import Hall
from kibitz.app.tables.orders import Order
from kibitz.app.tables.registry import Tables
from tests.app.common.storage.postgres_help import address, fresh_database, postgres
from tests.app.hall.hall_help import QUICK, two_servers, until

__all__ = ["address", "postgres"]

ORDER = Order("scrabble", ("Ann", "Bob"), {"reject_invalid": False}, lexicon="none")


def test_the_same_table_opened_by_two_servers_at_once_is_run_by_one(address):
    """Whoever comes second is told, and cannot write."""
    where = fresh_database(address)
    with two_servers(where) as (left, right):
        made = left.session.tables.create(ORDER).table
        left.hall.recheck_lease(made.id)
        left.session.tables.forget(made.id)
        got = []
        for server in (left, right):
            try:
                got.append(server.session.tables.get(made.id) is not None)
            except LeaseLostError:
                got.append(False)

    assert [True, False] == got


def test_a_server_that_lost_a_table_without_knowing_can_write_nothing(address):
    """The write checks who runs the table in its own transaction."""
    where = fresh_database(address)
    storage, other = Storage(where), Storage(where)
    sleeper = Hall(storage, "sleeper", "http://127.0.0.1:1", "here", QUICK)
    awake = Hall(other, "awake", "http://127.0.0.1:2", "here", QUICK)
    tables = Tables(storage, hall=sleeper)
    table = tables.create(ORDER).table
    # the sleeper gives no more signs of life; the other one does
    until(lambda: awake.beat() or _taken(awake, table.id))
    with pytest.raises(LeaseLostError) as refused:
        storage.append(table.id, (Step(1, 1.0, "told", {}),))
    other.append(table.id, (Step(1, 2.0, "told", {"by": "awake"}),))
    kept = other.steps_of(table.id)
    tables.close()
    other.close()

    assert "lease_lost" == refused.value.code
    assert [{"by": "awake"}] == [s.data for s in kept]


def _taken(hall, table_id):
    place = hall.seek(table_id, fresh=True)
    return place is not None and place.here


def test_who_has_just_come_calls_nobody_gone(address):
    """After the database was away, who comes back first must not take the others' tables."""
    where = fresh_database(address)
    storage, other = Storage(where), Storage(where)
    rule = HallRule(lease_s=1.0)
    first = Hall(storage, "first", "http://127.0.0.1:1", "here", rule)
    tables = Tables(storage, hall=first)
    table = tables.create(ORDER).table
    time.sleep(rule.lease_s + 0.5)
    late = Hall(other, "late", "http://127.0.0.1:2", "here", rule)
    late.beat()
    too_soon = late.seek(table.id, fresh=True)
    first.beat()
    kept = late.seek(table.id, fresh=True)
    tables.close()
    other.close()

    assert (False, False) == (too_soon.here, kept.here)


@pytest.mark.parametrize(("off", "said"), [(40, "40 s ahead"), (-40, "40 s behind"), (1, "")])
def test_a_clock_that_differs_from_the_halls_is_told(address, monkeypatch, capsys, off, said):
    """Links run out and calls for a judge are dated by it."""
    storage, now = Storage(fresh_database(address)), time.time
    hall = Hall(storage, "left", "http://127.0.0.1:1", "here", QUICK)
    monkeypatch.setattr(time, "time", lambda: now() + off)
    hall.beat()
    monkeypatch.undo()
    storage.close()
    told = capsys.readouterr().err

    assert bool(said) == ("this machine's clock is" in told)
    assert said in told


def test_two_machines_cannot_have_one_name(address):
    """The second is told what to do; a restart on the same machine keeps its name and tables."""
    where = fresh_database(address)
    first, second, third = Storage(where), Storage(where), Storage(where)
    Hall(first, "hall", "http://127.0.0.1:1", "machine one", QUICK)
    with pytest.raises(StorageError) as refused:
        Hall(second, "hall", "http://127.0.0.1:2", "machine two", QUICK)
    again = Hall(third, "hall", "http://127.0.0.1:1", "machine one", QUICK)
    for storage in (first, second, third):
        storage.close()

    assert ("name_taken", "hall") == (refused.value.code, again.me.name)
    assert "--name" in refused.value.message
