"""Writers are killed at random moments; nothing that was acknowledged is lost or doubled.

`KIBITZ_TEST_KILLS` sets how many there are in a file's database (200) and, a fifth of it, in
PostgreSQL.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.app.common.storage.postgres_help import address, postgres

__all__ = ["address", "postgres"]

ROOT = Path(__file__).resolve().parents[4]
KILLS = int(os.environ.get("KIBITZ_TEST_KILLS", "200"))


def killed(where: str, kills: int, seed: int) -> list[dict[str, Any]]:
    """What was found after each kill."""
    script = ROOT / "tests" / "app" / "common" / "storage" / "storage_killer.py"
    done = subprocess.run(
        [sys.executable, str(script), where, str(kills), str(seed)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert "" == done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def wrong(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Kills after which something was not as it should be."""
    good = {
        "in_order": True,
        "lost": [],
        "unsaved": [],
        "refused": 0,
        "pictures_lost": [],
        "again": True,
        "doubled": 0,
        "goes_on": True,
        "undone": True,
    }
    return [
        f
        for f in found
        if {k: f[k] for k in good} != good
        # one more may have been written whose acknowledgement was never read
        or f["more"] not in (0, 1)
    ]


@pytest.mark.slow
def test_a_killed_writer_loses_nothing(tmp_path):
    """Every acknowledged step is there once, with its picture, and the game goes on (SQLite)."""
    found = killed(str(tmp_path), KILLS, 1)

    assert [] == wrong(found)
    assert KILLS == len(found)
    assert sum(f["acknowledged"] for f in found) >= KILLS


@pytest.mark.slow
def test_a_killed_writer_loses_nothing_in_postgresql(address):
    """Every acknowledged step is there once, with its picture, and the game goes on."""
    kills = max(1, KILLS // 5)
    found = killed(address, kills, 2)

    assert [] == wrong(found)
    assert kills == len(found)
    assert sum(f["acknowledged"] for f in found) >= kills
