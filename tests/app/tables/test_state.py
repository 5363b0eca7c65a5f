"""What a table's pages are told of what was said."""

from __future__ import annotations

from kibitz.app.common.storage.tables import Storage
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.state import said
from kibitz.engine.rules import Action

HOST = Actor("host")


def test_the_newest_forty_announcements_are_told(tmp_path):
    """Oldest first, each with its step."""
    tables = Tables(Storage(str(tmp_path)))
    table = tables.create(Order("frankenscrabbards", ("Ann", "Bob"))).table
    for turn in range(45):
        table.act(Action("pass", ("Ann", "Bob")[turn % 2]), HOST)
    told = said(table)
    tables.close()

    assert 40 == len(told)
    assert sorted(line.seq for line in told) == [line.seq for line in told]
