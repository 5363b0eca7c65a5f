"""What cannot be saved when a server stops is said, lies in a file, and is taken back."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from kibitz.app.common.storage.tables import Storage, StorageError
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import Actor
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.state import notices
from kibitz.engine.rules import Action

HOST = Actor("host")
PLAY = Action("place", data={"tiles": {"H7": "A", "H8": "T"}})


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """The folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def full(*_):
    raise StorageError("storage_full", "the disk is full: free some space")


def stopped_when_full(where: Path, monkeypatch) -> tuple[str, str]:
    """A server whose disk is full when it stops: its table, and its host's token."""
    tables = Tables(Storage(str(where)))
    opened = tables.create(Order("scrabble", ("Ann", "Bob")))
    opened.table.act(PLAY, HOST, "key")
    with monkeypatch.context() as patch:
        patch.setattr(Storage, "append", full)
        opened.table.act(Action("pass"), HOST, "pass")
        opened.table.act(Action("place", data={"tiles": {"H6": "B"}}), HOST)
        tables.close()
    return opened.table.id, opened.host


def test_steps_that_a_full_disk_did_not_take_come_back(tmp_path, beside, monkeypatch, capsys):
    """They are named when the server stops; the next one on this place has them in order."""
    where = tmp_path / "tables"
    table_id, _ = stopped_when_full(where, monkeypatch)
    stopped = capsys.readouterr().err
    (file,) = beside.iterdir()
    rights = file.stat().st_mode & 0o077
    other = Tables(Storage(str(tmp_path / "other")))
    other.take_back()
    other.close()
    tables = Tables(Storage(str(where)))
    tables.take_back()
    table = tables.get(table_id)
    assert table is not None
    seq, scores = table.seq, table.view(HOST)["scores"]
    again = table.act(Action("pass"), HOST, "pass")
    tables.close()
    started = capsys.readouterr().err

    assert f"table {table_id}: steps 2 to 3 are not saved (the disk is full" in stopped
    assert f"they are in {file}: the next 'kibitz serve'" in stopped
    assert (3, {"Ann": 9, "Bob": 0}) == (seq, scores)
    assert again.repeated
    assert f"table {table_id}: steps 2 to 3 are taken back from {file}" in started
    assert (0, []) == (rights, list(beside.iterdir()))


def test_what_can_be_written_nowhere_is_told_in_words(tmp_path, beside, monkeypatch, capsys):
    """Nothing is dropped without a word: each step that is lost is said."""
    shutil.rmtree(beside)
    stopped_when_full(tmp_path / "tables", monkeypatch)
    told = capsys.readouterr().err

    assert "no file beside could be written" in told
    assert "  step 2: Bob passes." in told
    assert "  step 3: Ann plays BAT." in told


def test_a_game_that_went_on_without_them_is_left_alone(tmp_path, beside, monkeypatch, capsys):
    """Another game was played on meanwhile: the file stays, and it is said."""
    where = tmp_path / "tables"
    table_id, _ = stopped_when_full(where, monkeypatch)
    tables = Tables(Storage(str(where)))
    table = tables.get(table_id)
    assert table is not None
    table.act(Action("exchange", data={"count": 2}), HOST)
    tables.take_back()
    kept = [s.data["do"]["action"] for s in tables.storage.steps_of(table_id)]
    tables.close()

    assert ["place", "exchange"] == kept
    assert "the game went on without step 2" in capsys.readouterr().err
    assert 1 == len(list(beside.iterdir()))


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be deleted there")
def test_a_data_folder_that_is_deleted_is_noticed(tmp_path, beside, capsys):
    """What is written into a deleted file is not saved: it is said, and the whole game kept."""
    where = tmp_path / "tables"
    tables = Tables(Storage(str(where)))
    opened = tables.create(Order("scrabble", ("Ann", "Bob")))
    table = opened.table
    first = table.act(PLAY, HOST)
    shutil.rmtree(where)
    second = table.act(Action("pass"), HOST)
    told = notices(table, HOST)[0], notices(table, Actor("watch"))[0]
    with pytest.raises(StorageError) as new:
        tables.create(Order("scrabble", ("Ann", "Bob")))
    tables.close()
    stopped = capsys.readouterr().err
    (file,) = beside.iterdir()
    tables = Tables(Storage(str(where)))
    tables.take_back()
    found = tables.actor(table.id, opened.host)
    assert found is not None
    back = found[0].seq, found[0].view(HOST)["scores"], found[1].role
    tables.close()

    assert (True, False) == (first.saved, second.saved)
    assert ["storage_gone", "storage_gone"] == [t.code for t in told]
    assert (True, False) == tuple(str(where) in str(t.message) for t in told)
    assert "storage_gone" == new.value.code
    assert f"steps 1 to 2 are not saved ({where}" in stopped
    assert str(file) in stopped
    assert (2, {"Ann": 4, "Bob": 0}, "host") == back


@pytest.mark.skipif(os.name != "posix", reason="rights are kept otherwise there")
def test_a_file_that_others_could_have_written_is_not_believed(tmp_path, beside, monkeypatch):
    """Anybody may put a file into the folder for temporary files."""
    where = tmp_path / "tables"
    table_id, _ = stopped_when_full(where, monkeypatch)
    (file,) = beside.iterdir()
    file.chmod(0o666)
    tables = Tables(Storage(str(where)))
    tables.take_back()
    kept = len(tables.storage.steps_of(table_id))
    tables.close()

    assert 1 == kept
