"""A PostgreSQL server of its own for tests, where the programs for one are installed.

`KIBITZ_TEST_POSTGRES` names a running one instead: the address of a user who may make databases.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from kibitz.app.common.storage.tables import database_url
from tests.app.cameras.camera_help import not_here


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    which = shutil.which("initdb")
    return found[-1].parent if found else Path(which).parent if which else None


def _as_user() -> list[str]:
    """PostgreSQL does not run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


class PostgresServer:
    """A server on loopback that can be stopped and started again."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="kibitz-pg-"))
        if os.geteuid() == 0:
            shutil.chown(self._folder, "postgres", "postgres")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._run("initdb", "-A", "trust", "-U", "kibitz", "--no-sync")
        self.start()

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"postgresql://kibitz@127.0.0.1:{self._port}/postgres"

    def start(self) -> None:
        """Let it answer."""
        options = f"-k {self._folder} -c listen_addresses=127.0.0.1 -p {self._port} -c fsync=off"
        self._run("pg_ctl", "-w", "-o", options, "start")

    def stop(self) -> None:
        """As if its power failed."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def remove(self) -> None:
        """Stop it for good."""
        self.stop()
        shutil.rmtree(self._folder)

    def _run(self, program: str, *args: str) -> None:
        command = [*_as_user(), str(self._programs / program), "-D", str(self._folder / "data")]
        subprocess.run(
            [*command, *args],
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    """A server of its own."""
    programs = _programs()
    if programs is None:
        not_here("PostgreSQL is not installed (apt-get install postgresql)")
        return
    server = PostgresServer(programs)
    yield server
    server.remove()


@pytest.fixture(scope="module")
def address(request: pytest.FixtureRequest) -> str:
    """The address of a server."""
    named = os.environ.get("KIBITZ_TEST_POSTGRES")
    if named:
        return named
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.address


def fresh_database(address: str) -> str:
    """The address of a new, empty database of a server."""
    name = f"kibitz_{uuid.uuid4().hex[:12]}"
    engine = sa.create_engine(database_url(address), isolation_level="AUTOCOMMIT")
    with engine.connect() as db:
        db.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return sa.make_url(address).set(database=name).render_as_string(hide_password=False)
