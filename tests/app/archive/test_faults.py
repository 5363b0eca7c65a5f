"""Killed, without a worker, without room: an archive goes on where it was."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import kibitz
from tests.app.archive.archive_help import folder_game, lines_of, results_of, zip_game
from tests.helpers.shared_data import ROOT

pytestmark = pytest.mark.slow

GAMES = 4
TRIES = 5
PATIENCE_S = 600


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some small games, folders and zips."""
    base = tmp_path_factory.mktemp("faults") / "in"
    for number in range(GAMES - 1):
        folder_game(base / f"game{number}", mark=str(number))
    zip_game(base / "packed.zip")
    return base


@pytest.fixture(scope="module")
def whole(games: Path) -> dict[str, bytes]:
    """What comes of them when nothing goes wrong."""
    out = games.parent / "whole"
    kibitz.archive(games, out, workers=1)
    return results_of(out)


def started(games: Path, out: Path, *more: str) -> subprocess.Popen[bytes]:
    """The command line at work, as the head of a group of its own."""
    call = [
        "-m",
        "kibitz",
        "archive",
        str(games),
        "--out",
        str(out),
        *(more or ("--workers", "1")),
    ]
    return subprocess.Popen(
        [sys.executable, *call],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # what a shell runs in the background ignores Ctrl-C, and so would this
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def recorded(out: Path) -> dict[str, int]:
    """The games that are recorded as done, with the files that hold their results.

    A run at work lets nobody else read its base, so a copy is looked at. A game's file is there
    before it is recorded.
    """
    copy = out.parent / f"{out.name}-copy"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    try:
        for part in sorted((out / ".kibitz").glob("done.sqlite*")):
            shutil.copy(part, copy)
    except FileNotFoundError:
        return recorded(out)  # a journal that is gone: what was copied belongs to two moments
    with sqlite3.connect(copy / "done.sqlite") as base:
        try:
            rows = base.execute("SELECT name FROM games WHERE line IS NOT NULL").fetchall()
        except sqlite3.OperationalError:
            return {}  # killed before there was a table
        finally:
            shutil.rmtree(copy)
    base.close()
    return {name: (out / "games" / f"{name}.json").stat().st_ino for (name,) in rows}


def in_session(session: int) -> list[int]:
    """The processes that still run of those that a command started."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(entry.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
def test_killed_again_and_again(tmp_path: Path, games: Path, whole: dict[str, bytes]) -> None:
    """After each kill what is recorded stays, no process is left, and the end is the same."""
    out, chance, kept, kills = tmp_path / "out", random.Random(8), dict[str, int](), 0
    for _ in range(4 * GAMES):
        run = started(games, out)
        wanted = len(kept) + chance.randrange(2)
        deadline = time.monotonic() + PATIENCE_S
        while run.poll() is None and time.monotonic() < deadline:
            there = [p for p in (out / "games").glob("*.json") if p.stem not in kept]
            if len(kept) + len(there) > wanted:
                break
            time.sleep(0.01)
        time.sleep(chance.random() * 0.4)
        run.kill()
        run.wait()
        kills += 1
        assert run.stderr is not None
        run.stderr.close()
        while in_session(run.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert [] == in_session(run.pid)
        now = recorded(out)
        assert kept == {name: now.get(name) for name in kept}
        kept = now
        if len(kept) == GAMES:
            break
    run = started(games, out)
    _, told = run.communicate()

    assert (0, GAMES) == (run.returncode, len(kept)), told
    assert kept == recorded(out)
    assert kills >= 2
    assert whole == results_of(out)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(x) for x in task.read_text().split()]
    return found


def workers_of(pid: int, sign: str) -> list[int]:
    """Its workers: those below it whose call has a sign in it."""
    below = children(pid)
    for child in below:
        below += children(child)
    calls = {x: Path(f"/proc/{x}/cmdline").read_bytes().decode() for x in below}
    return [pid for pid, call in calls.items() if sign in call]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="workers are found in /proc")
@pytest.mark.parametrize("kind", ["pool", "dask"])
def test_a_worker_is_killed(
    tmp_path: Path, games: Path, whole: dict[str, bytes], kind: str
) -> None:
    """Its game is replayed by another; nothing of the others is lost."""
    out = tmp_path / "out"
    more = ("--workers", "2") if kind == "pool" else ("--cluster", "local:2")
    run = started(games, out, *more)
    deadline = time.monotonic() + PATIENCE_S
    while not list((out / "games").glob("*.json")):
        assert run.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    victim = workers_of(run.pid, "spawn_main")[0]
    os.kill(victim, signal.SIGKILL)
    _, told = run.communicate(timeout=PATIENCE_S)

    assert 0 == run.returncode, told
    assert whole == results_of(out)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of half a megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    call = ["mount", "-t", "tmpfs", "-o", "size=512k", "kibitz-test", str(place)]
    try:
        done = subprocess.run(call, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no program 'mount' to make a small disk with")
    if done.returncode != 0:
        pytest.skip(f"a small disk cannot be made here: {done.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_runs_full(small_disk: Path, games: Path, whole: dict[str, bytes]) -> None:
    """It is told in words, what is done is kept whole, and with room again it goes on."""
    out = small_disk / "out"
    run = started(games, out)
    _, told = run.communicate(timeout=PATIENCE_S)
    some = {p.name for p in (out / "games").glob("*.json")}
    halves = list(out.rglob("*.new"))
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    again = started(games, out)
    _, after = again.communicate(timeout=PATIENCE_S)

    assert (1, True) == (run.returncode, b"there is no room left for" in told), told
    assert b"Traceback" not in told
    assert 0 < len(some) < GAMES
    assert [] == halves
    assert 0 == again.returncode, after
    assert whole == results_of(out)


LIMITED = """
import resource, signal, sys
if __name__ == '__main__':
    from kibitz.app.cli.main import main
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))
    main(sys.argv[1:])
"""


def test_a_file_that_may_not_grow(tmp_path: Path, games: Path, whole: dict[str, bytes]) -> None:
    """A limit of the system on files' sizes is told like a full disk."""
    pytest.importorskip("resource", reason="files' sizes cannot be limited here")
    script = tmp_path / "limited.py"
    script.write_text(LIMITED)
    out = tmp_path / "out"
    call = ["archive", str(games), "--out", str(out), "--workers", "1"]
    done = subprocess.run(
        [sys.executable, str(script), *call],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    again = kibitz.archive(games, out, workers=1)

    assert (1, True) == (done.returncode, "there is no room left for" in done.stderr), done.stderr
    assert again.complete
    assert whole == results_of(out)


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path, games: Path) -> None:
    """Ctrl-C: one sentence, exit 1; the next run does the rest."""
    for attempt in range(TRIES):
        out = tmp_path / f"out{attempt}"
        run = started(games, out)
        deadline = time.monotonic() + PATIENCE_S
        while not recorded(out) and time.monotonic() < deadline:
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=PATIENCE_S)
        if run.returncode:
            break  # else all was done before the signal came
    before = len(recorded(out))
    done = kibitz.archive(games, out, workers=1)

    assert (1, True) == (run.returncode, b"give the same command again" in told), told
    assert before > 0
    assert GAMES - before == done.replayed
    assert GAMES == len(lines_of(out))
