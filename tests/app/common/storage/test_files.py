"""What is said when the file of the tables, or its disk, has troubles."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from kibitz.app.common.storage.tables import (
    FILE_NAME,
    Storage,
    StorageError,
    StorageLimits,
    database_url,
)
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.state import notices
from kibitz.app.tables.table import Table
from kibitz.engine.rules import Action
from tests.app.server_help import LETTERS, board
from tests.helpers.fake_readings import reading_of_rows

HOST = Actor("host")
RECORDS = Path(__file__).with_name("records")


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


def saved_at_last(table: Table) -> bool:
    """Whether everything is written before long, without anybody doing anything."""
    ends = time.monotonic() + 20
    while table.saving.trouble is not None and time.monotonic() < ends:
        time.sleep(0.05)
    return table.saving.trouble is None


def test_a_game_goes_on_while_the_disk_is_really_full(tmp_path):
    """When the file may not grow the play counts and it is said; later all is written."""
    storage = Storage(str(tmp_path))
    limits = [1_000_000]

    @sa.event.listens_for(storage._engine, "connect")
    def limit(connection, _record):
        connection.execute(f"PRAGMA max_page_count={limits[0]}")

    tables = Tables(storage)
    table = tables.create(Order("scrabble", ("Ann", "Bob"))).table
    limits[0] = 1  # no more pages than there are already
    storage._engine.dispose()
    reading = reading_of_rows(board(H7="CAT"), LETTERS)
    full = table.observe(reading, b"x" * 300_000)
    passed = table.act(Action("pass"), HOST)
    told = notices(table, HOST)
    limits[0] = 1_000_000
    storage._engine.dispose()
    written = saved_at_last(table)
    kept = [(s.seq, s.kind) for s in storage.steps_of(table.id)]
    picture = storage.picture(table.id, 1)
    tables.close()

    assert (False, False) == (full["saved"], passed.saved)
    assert "storage_full" == told[0].code
    assert "free some space" in str(told[0].message)
    assert "The game goes on and is kept in memory" in str(told[0].message)
    assert written
    assert [(1, "seen"), (2, "told")] == kept
    assert b"x" * 300_000 == picture


def test_a_game_goes_on_while_the_database_is_locked(tmp_path):
    """Another program holds the file: the play counts, it is said, and written afterwards."""
    tables = Tables(Storage(str(tmp_path), StorageLimits(lock_s=0.05)))
    table = tables.create(Order("scrabble", ("Ann", "Bob"))).table
    holder = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    played = table.act(Action("place", data={"tiles": {"H7": "A", "H8": "T"}}), HOST)
    told = notices(table, HOST)
    holder.rollback()
    holder.close()
    written = saved_at_last(table)
    kept = [s.seq for s in tables.storage.steps_of(table.id)]
    tables.close()

    assert (False, "storage_locked") == (played.saved, told[0].code)
    assert "is locked by another program" in str(told[0].message)
    assert (True, [1]) == (written, kept)


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.sql")), ids=lambda p: p.stem)
def test_a_record_of_an_older_version_opens(tmp_path, path):
    """A game that an older version kept is as it was, with its pictures, and goes on."""
    db = sqlite3.connect(tmp_path / FILE_NAME)
    db.executescript(path.read_text(encoding="utf-8"))
    db.close()
    tables = Tables(Storage(str(tmp_path)))
    (row,) = tables.storage.table_rows()
    table = tables.get(row.id)
    assert table is not None
    words = [[w["word"] for w in entry["words"]] for entry in table.history()]
    scores = dict(table.view(HOST)["scores"])
    pictures = [tables.storage.picture(row.id, n) for n in tables.storage.pictured(row.id)]
    again = table.act(Action("pass"), HOST, "key")
    on = table.act(Action("place", data={"tiles": {"I9": "O"}}), HOST)
    lost = table.lost
    tables.close()

    assert [["BAT"], [], ["BAD"]] == words
    assert {"Ann": 16, "Bob": 0} == scores
    assert [b"\xff\xd8 one \xff\xd9", b"\xff\xd8 two \xff\xd9"] == pictures
    assert [] == lost
    assert again.repeated
    assert (True, 7) == (on.saved, on.seq)


@pytest.mark.skipif(os.name != "posix", reason="permissions are kept otherwise there")
def test_a_new_data_folder_is_its_owners(tmp_path):
    """Fleets and hands lie in it, so that nobody else on this machine may look into it."""
    Storage(str(tmp_path / "new")).close()

    assert (tmp_path / "new").stat().st_mode & 0o077 == 0
