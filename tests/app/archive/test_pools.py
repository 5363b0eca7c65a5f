"""A cluster's machines need the package alone: games travel to them, with the lists they need."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import kibitz
from kibitz.app.archive import run as archive_run
from kibitz.app.archive.pools import cluster_workers
from kibitz.app.common.limits import WaitRule
from tests.app.archive.archive_help import film_game, folder_game, lines_of, results_of, zip_game
from tests.helpers.shared_data import ROOT

pytestmark = pytest.mark.slow
pytest.importorskip("distributed", reason="a cluster needs the extra 'cluster'")

PATIENCE_S = 600


def _dask(folder: Path, *call: str) -> subprocess.Popen[str]:
    """A part of a cluster, in an empty folder."""
    folder.mkdir()
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + call[0], *call[1:]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def _drained(process: subprocess.Popen[str], sign: str) -> str:
    """What a process logs in the line with a sign; the rest is read away."""
    found, there = [""], threading.Event()

    def read() -> None:
        assert process.stderr is not None
        for line in process.stderr:
            if sign in line and not there.is_set():
                found[0] = line
                there.set()

    threading.Thread(target=read, daemon=True).start()
    assert there.wait(PATIENCE_S)
    return found[0]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and a worker of one thread; its address."""
    base = tmp_path_factory.mktemp("cluster")
    scheduler = _dask(
        base / "scheduler",
        "dask_scheduler",
        "--port",
        "0",
        "--no-dashboard",
        "--host",
        "127.0.0.1",
    )
    address = "tcp://" + _drained(scheduler, "Scheduler at:").split("tcp://")[1].strip()
    worker = _dask(base / "worker", "dask_worker", address, "--nthreads", "1", "--no-dashboard")
    _drained(worker, "Registered to")
    yield address
    for process in (worker, scheduler):
        process.terminate()
        process.wait(PATIENCE_S)
        assert process.stderr is not None
        process.stderr.close()


def test_a_cluster_gives_the_same_as_one_machine(tmp_path: Path, cluster: str) -> None:
    """Folders, zips, films, a word list of the command, and bad games."""
    base = tmp_path / "in"
    folder_game(base / "folder")
    zip_game(base / "packed.zip")
    film_game(base / "filmed.avi")
    (base / "bad.zip").write_bytes(b"no zip")
    folder_game(base / "told", {"players": 3})
    words = tmp_path / "words.txt"
    words.write_text("GARDEN\nFRIEND\n")
    here = kibitz.archive(base, tmp_path / "here", workers=1, lexicon=str(words))
    there = kibitz.archive(base, tmp_path / "there", cluster=cluster, lexicon=str(words))
    again = kibitz.archive(base, tmp_path / "there", workers=1, lexicon=str(words))

    assert results_of(here.out) == results_of(there.out)
    assert {
        "bad": "zip_damaged",
        "told": "facts_wrong",
        "folder": None,
        "filmed": None,
        "packed": None,
    } == {line["game"]: line["error"] and line["error"]["code"] for line in lines_of(there.out)}
    assert (5, 2, 5) == (there.games, there.failures, there.replayed)
    assert 0 == again.replayed


def test_a_game_that_is_too_large_to_send_is_named(
    tmp_path: Path, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what to do; the others are replayed."""
    monkeypatch.setattr(archive_run, "MOST_SENT_BYTES", 500_000)
    folder_game(tmp_path / "in" / "small")
    film_game(tmp_path / "in" / "large.avi")
    kibitz.archive(tmp_path / "in", tmp_path / "out", cluster=cluster)
    codes = {
        line["game"]: line["error"] and line["error"]["code"]
        for line in lines_of(tmp_path / "out")
    }

    assert {"small": None, "large": "too_large"} == codes


def test_local_workers_keep_their_memory() -> None:
    """Given back after each picture it would be taken again, which costs a quarter of the time."""
    with cluster_workers("local:1").make() as executor:
        told = [executor.submit(os.environ.get, x).result() for x in ENVIRONMENT]

    assert [None, "1"] == told


ENVIRONMENT = ("MALLOC_TRIM_THRESHOLD_", "OMP_NUM_THREADS")


def test_a_cluster_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With how to start one."""
    from kibitz.app.archive import pools

    monkeypatch.setattr(pools, "WAITS", WaitRule(answer_s=1))

    with pytest.raises(kibitz.CommandError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        cluster_workers("tcp://127.0.0.1:9")
