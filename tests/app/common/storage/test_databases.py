"""What a database says is told in words that help, and which limits it has."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from kibitz.app.common.storage.databases import explain_error, file_identity, hung_error
from kibitz.app.common.storage.tables import (
    FILE_NAME,
    Storage,
    StorageError,
    StorageLimits,
    TableRow,
)


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


def test_a_locked_database_is_told(tmp_path):
    """A writer that finds the database locked says so; it is worth trying again."""
    storage = Storage(str(tmp_path), StorageLimits(lock_s=0.05))
    holder = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    with pytest.raises(StorageError) as locked:
        storage.create_table(TableRow("t1", 1.0, {}), ())
    holder.rollback()
    holder.close()
    storage.close()

    assert ("storage_locked", True) == (locked.value.code, locked.value.is_temporary)


def test_a_file_that_is_no_database_is_told(tmp_path):
    """Rubbish in place of the database is named as such, and left as it is."""
    (tmp_path / FILE_NAME).write_bytes(b"no database at all" * 100)

    with pytest.raises(StorageError) as damaged:
        Storage(str(tmp_path))

    assert "storage_damaged" == damaged.value.code


@pytest.mark.parametrize(
    ("said", "code", "passing"),
    [
        ("database or disk is full", "storage_full", True),
        ("could not extend file: No space left on device", "storage_full", True),
        ("disk I/O error", "storage_full", True),
        ("database is locked", "storage_locked", True),
        ("deadlock detected", "storage_locked", True),
        ("database disk image is malformed", "storage_damaged", False),
        ("invalid page in block 3", "storage_damaged", False),
        ("unable to open database file", "storage_unavailable", True),
        ("server closed the connection", "storage_unavailable", True),
    ],
)
def test_what_a_database_says_is_told_in_words(said, code, passing):
    """With the place, so that somebody can do something about it; some of it may pass."""
    error = explain_error(OperationalError("INSERT", {}, sqlite3.OperationalError(said)), "/games")

    assert (code, passing) == (error.code, error.is_temporary)
    assert "/games" in error.message
    assert said in error.message
    assert "/games" not in error.public


def test_a_change_that_is_not_taken_is_no_trouble_of_the_place():
    """A key that is there already: trying again would not help."""
    error = explain_error(IntegrityError("INSERT", {}, sqlite3.IntegrityError("UNIQUE")), "/games")

    assert ("storage_failed", False) == (error.code, error.is_temporary)


def test_a_database_that_says_nothing_is_not_asked_again_so_soon():
    """Whoever waits is told at once."""
    error = hung_error("db.example")

    assert ("storage_hung", True, True) == (error.code, error.is_temporary, error.slow)


def test_a_file_is_known_by_more_than_its_name(tmp_path):
    """Another one in its place is another one; none is none."""
    file, other = tmp_path / "a", tmp_path / "b"
    marks = [file_identity(file)]
    for path in (file, other):
        path.write_bytes(b"x")
    marks.append(file_identity(file))
    file.write_bytes(b"more")
    marks.append(file_identity(file))
    other.replace(file)
    marks.append(file_identity(file))

    assert marks[0] is None
    assert marks[1] == marks[2] != marks[3]
