"""A hall survives its servers, its database and the lines between them."""

from __future__ import annotations

import os
import random
import threading
import time
from dataclasses import replace

import httpx
import pytest
import sqlalchemy as sa

from tests.app.common.storage.postgres_help import address, fresh_database, postgres
from tests.app.hall.hall_help import QUICK, CutLine, HallServer, open_table, until
from tests.app.hall.test_member import SECOND
from tests.app.server_help import PLAY, act, bearer
from tests.enduring.hall import run_hall_kills

__all__ = ["address", "postgres"]

KILLS = 3
SOON = replace(QUICK, patience_s=5.0)
"""A server that soon says that it cannot help."""


def through(data: str, line: CutLine) -> str:
    """The address of a database through a line that can be cut."""
    return sa.make_url(data).set(port=line.port).render_as_string(hide_password=False)


def test_a_killed_server_loses_and_doubles_nothing(address):
    """Kill -9 in the middle of plays: the other server goes on with every table in ten seconds."""
    kills = run_hall_kills(
        fresh_database(address),
        KILLS,
        random.Random(24),
        time.monotonic() + 300,
        say=lambda _: None,
    )

    assert kills.told > 0
    assert (KILLS, KILLS, 0, 0, 0, 0) == (
        kills.tried, kills.survived, kills.lost, kills.doubled, kills.wrong, kills.late
    )  # fmt: skip


@pytest.mark.skipif(
    "KIBITZ_TEST_POSTGRES" in os.environ, reason="somebody else's PostgreSQL is not stopped"
)
def test_a_database_that_restarts_changes_nobodys_tables(postgres):
    """Both servers go on with the tables that they had."""
    where = fresh_database(postgres.address)
    left, right = HallServer(where, "left").start(), HallServer(where, "right").start()
    with (
        httpx.Client(base_url=left.address, timeout=90) as one,
        httpx.Client(base_url=right.address, timeout=90) as other,
    ):
        first, second = open_table(one), open_table(other)
        act(one, first, PLAY)
        postgres.stop()
        time.sleep(QUICK.lease_s + 0.5)
        postgres.start()
        until(lambda: left.hall.in_touch and right.hall.in_touch)
        told = [
            act(other, first, SECOND, **{"Idempotency-Key": "a"}).json(),
            act(one, second, PLAY, **{"Idempotency-Key": "b"}).json(),
        ]
    there = [left.session.tables.is_open(first["table"]) is not None,
             right.session.tables.is_open(second["table"]) is not None]  # fmt: skip
    left.stop()
    right.stop()

    assert [(2, True), (1, True)] == [(t["seq"], t["saved"]) for t in told]
    assert [True, True] == there


def test_a_server_cut_off_from_the_database_takes_no_more_actions(address):
    """The other takes its table over; what the first is told meanwhile is refused, not lost."""
    where = fresh_database(address)
    line = CutLine(sa.make_url(where).port)
    left = HallServer(through(where, line), "left", SOON).start()
    right = HallServer(where, "right").start()
    with (
        httpx.Client(base_url=left.address, timeout=90) as one,
        httpx.Client(base_url=right.address, timeout=90) as other,
    ):
        made = open_table(one)
        act(one, made, PLAY)
        until(lambda: len(left.hall.servers()) == 2)
        line.cut()
        at_right = act(other, made, SECOND, **{"Idempotency-Key": "bob"}).json()
        until(lambda: not left.hall.in_touch)
        at_left = act(one, made, {"action": "undo"}, **{"Idempotency-Key": "undo"})
        line.mend()
        healed = until(lambda: left.hall.in_touch)
        again = act(one, made, {"action": "undo"}, **{"Idempotency-Key": "undo"}).json()
        events = other.get(
            f"/api/tables/{made['table']}/record", headers=bearer(made["host_token"])
        ).json()["events"]
    left.stop()
    right.stop()
    line.close()

    assert (2, True, 503) == (at_right["seq"], at_right["saved"], at_left.status_code)
    assert (True, 3, True) == (healed, again["seq"], again["saved"])
    assert [1, 2, 3] == [e["seq"] for e in events]


def test_servers_that_cannot_reach_each_other_leave_the_table_where_it_is(address):
    """A call that cannot be passed on is refused at last; the table's own server goes on."""
    where = fresh_database(address)
    left, right = HallServer(where, "left").start(), HallServer(where, "right", SOON).start()
    line = CutLine(left.port)
    with left.session.tables.storage.transaction() as db:
        db.exec_driver_sql(
            f"UPDATE kibitz_servers SET reach = 'http://127.0.0.1:{line.port}' WHERE name = 'left'"
        )
    until(lambda: any(str(line.port) in s.reach for s in right.hall.servers()))
    with (
        httpx.Client(base_url=left.address, timeout=90) as one,
        httpx.Client(base_url=right.address, timeout=90) as other,
    ):
        made = open_table(one)
        before = act(other, made, PLAY).status_code
        line.cut()
        refused: list[int] = []
        asking = threading.Thread(
            target=lambda: refused.append(
                other.get(
                    f"/api/tables/{made['table']}", headers=bearer(made["host_token"])
                ).status_code
            )
        )
        asking.start()
        goes_on = act(one, made, SECOND).json()
        line.close()
        asking.join(120)
    left.stop()
    right.stop()

    assert (200, 2, True) == (before, goes_on["seq"], goes_on["saved"])
    assert [503] == refused
