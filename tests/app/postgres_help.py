"""A PostgreSQL server of its own for tests, where the programs for one are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.camera_help import not_here


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    which = shutil.which("initdb")
    return found[-1].parent if found else Path(which).parent if which else None


def _as_user() -> list[str]:
    """PostgreSQL does not run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server of its own, reached by a socket in its folder."""
    programs = _programs()
    if programs is None:
        not_here("PostgreSQL is not installed (apt-get install postgresql)")
        return
    folder = Path(tempfile.mkdtemp(prefix="kibitz-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"
    user = _as_user()
    quiet: dict[str, Any] = {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "check": True,
    }
    make = ["initdb", "-D", str(data), "-A", "trust", "-U", "kibitz", "--no-sync"]
    subprocess.run([*user, str(programs / make[0]), *make[1:]], cwd="/", **quiet)
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    control = [*user, str(programs / "pg_ctl"), "-D", str(data), "-w"]
    subprocess.run([*control, "-o", options, "start"], cwd="/", **quiet)
    yield f"postgresql:///postgres?host={folder}&user=kibitz"
    subprocess.run([*control, "-m", "immediate", "stop"], cwd="/", **quiet)
    shutil.rmtree(folder)
