"""Tables in PostgreSQL, where a server of it can be started here."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from app.access import Actor
from app.storage import Step, Storage, StorageError, TableRow
from app.tables import Order, Tables
from engine.rules import Action

HOST = Actor("host")
ORDER = Order("scrabble", ("Ann", "Bob"))


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    which = shutil.which("initdb")
    return found[-1].parent if found else Path(which).parent if which else None


def _as_user() -> list[str]:
    """PostgreSQL does not run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


@pytest.fixture(scope="module")
def address():
    """The address of a server of its own, reached by a socket in its folder."""
    programs = _programs()
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is required here: apt-get install postgresql")
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="kibitz-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"
    user = _as_user()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True}
    make = ["initdb", "-D", str(data), "-A", "trust", "-U", "kibitz", "--no-sync"]
    subprocess.run([*user, str(programs / make[0]), *make[1:]], cwd="/", **quiet)
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    control = [*user, str(programs / "pg_ctl"), "-D", str(data), "-w"]
    subprocess.run([*control, "-o", options, "start"], cwd="/", **quiet)
    yield f"postgresql:///postgres?host={folder}&user=kibitz"
    subprocess.run([*control, "-m", "immediate", "stop"], cwd="/", **quiet)
    shutil.rmtree(folder)


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
