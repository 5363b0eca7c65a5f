"""Measures an archive: photographs a second, parallel processes, memory, finishing.

    python tests/measures/archive_costs.py [FOLDER...]

It prints a line of JSON, and takes minutes; without folders it replays copies of a bundled game.

Each run is a process of its own, so that its processor time and its memory are its own; runs
with one process, two, and a cluster of two take turns, so that what else the machine does
disturbs all of them alike.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from sys import float_info
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kibitz.app.common.errors import CommandError
from kibitz.app.common.terminal import show_progress
from kibitz.engine.games import DEFAULT_GAME

COPIES: Final = 24
"""Of the bundled game, for the runs that are timed."""
WARM: Final = 4
"""Games that are done before the timing begins: two for each of two workers."""
ROUNDS: Final = 2
"""How often each kind of run takes its turn; the best counts."""
GROWTH: Final = (3, 10, 30, 100)
"""Games, of few photographs each, of the runs that tell how cost and memory grow."""
GROWTH_PHOTOS: Final = 2
KEPT_FEW: Final = 100
KEPT_MANY: Final = 1000
"""Games of the two archives whose finishing is compared."""
DEMO = Path(__file__).resolve().parents[2] / "app" / "data" / "demo" / DEFAULT_GAME


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of one run.

    The timing begins when each worker has done its first games, so that starting processes and
    loading models, which a long archive does once, count for nothing.

    Attributes:
        photos: photographs of the whole run.
        timed_photos: those that were done while it was timed.
        timed_s: seconds by the clock.
        timed_cpu_s: processor seconds of all its processes in that time.
        cpu_s: processor seconds of all its processes in the whole run.
        own_mb: the most memory of the process that hands out games.
        worker_mb: the most memory of any process that replays them.
    """

    photos: int
    timed_photos: int
    timed_s: float
    timed_cpu_s: float
    cpu_s: float
    own_mb: float
    worker_mb: float

    @property
    def rate(self) -> float:
        """Photographs per second of real time."""
        return self.timed_photos / max(self.timed_s, float_info.epsilon)

    @property
    def cpu_rate(self) -> float:
        """Photographs per second of processor time."""
        return self.timed_photos / max(self.timed_cpu_s, float_info.epsilon)

    @property
    def cores_got(self) -> float:
        """Number of cores that were used on average."""
        return self.timed_cpu_s / max(self.timed_s, float_info.epsilon)


def bench_archive(paths: Sequence[str] = ()) -> dict[str, Any]:
    """Measure the cost of an archive on this machine.

    Args:
        paths: folders with games; without them copies of a bundled game.

    Raises:
        CommandError: the games cannot be replayed.
    """
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        base = Path(folder)
        games = list(paths) or [str(_copies(base / "games", COPIES))]
        kinds = {"one": ["workers=1"], "two": ["workers=2"], "dask": ["cluster=local:2"]}
        runs: dict[str, list[Cost]] = {name: [] for name in kinds}
        for number in range(ROUNDS):
            for name, how in kinds.items():
                show_progress(f"archive: round {number + 1} of {ROUNDS}, {name}")
                runs[name].append(_run(base / "out", games, how))
        out = {"part": "archive", **figures(runs)}
        show_progress("archive: growth")
        out |= growth(
            [
                _run(base / "out", [str(_copies(base / f"m{n}", n, GROWTH_PHOTOS))], ["workers=1"])
                for n in GROWTH
            ]
        )
        show_progress("archive: finishing")
        return {**out, **_finishing(base)}


def figures(runs: dict[str, list[Cost]]) -> dict[str, Any]:
    """Figures of the timed runs: the best of each kind, and their ratios."""
    best = {name: max(some, key=lambda c: c.rate) for name, some in runs.items()}
    thrifty = {name: max(c.cpu_rate for c in some) for name, some in runs.items()}
    one, two, dask = best["one"], best["two"], best["dask"]
    return {
        "photographs": one.photos,
        "photographs_a_second": {name: round(c.rate, 2) for name, c in best.items()},
        "photographs_a_cpu_second": {name: round(x, 2) for name, x in thrifty.items()},
        "cores_got": {name: round(c.cores_got, 2) for name, c in best.items()},
        "scaling_1_to_2": round(two.rate / (2 * one.rate), 3),
        "scaling_1_to_2_by_cpu": round(thrifty["two"] / thrifty["one"], 3),
        "dask_to_pool": round(dask.rate / two.rate, 3),
        "dask_to_pool_by_cpu": round(thrifty["dask"] / thrifty["two"], 3),
    }


def growth(costs: Sequence[Cost]) -> dict[str, Any]:
    """Processor time and peak memory by number of photographs, fewest first.

    What a photograph costs is told by what a run takes more than the next smaller one: starting,
    which comes once, is in both.
    """
    few, many = costs[0], costs[-1]
    return {
        "photograph_ms_by_photographs": {
            str(b.photos): round((b.cpu_s - a.cpu_s) / (b.photos - a.photos) * 1e3, 1)
            for a, b in pairwise(costs)
        },
        "own_mb_by_photographs": {str(c.photos): round(c.own_mb, 1) for c in costs},
        "worker_mb_by_photographs": {str(c.photos): round(c.worker_mb, 1) for c in costs},
        "own_memory_most_to_fewest": round(many.own_mb / few.own_mb, 3),
        "worker_memory_most_to_fewest": round(many.worker_mb / few.worker_mb, 3),
    }


def _copies(folder: Path, count: int, photos: int | None = None) -> Path:
    """A folder with copies of the bundled game, or of its first photographs."""
    names = sorted(p.name for p in DEMO.glob("*.jpg"))[:photos]
    for number in range(count):
        game = folder / f"game{number:05}"
        game.mkdir(parents=True)
        for name in names:
            shutil.copy(DEMO / name, game / name)
        if photos is None:
            for name in ("game.json", "told.json"):
                shutil.copy(DEMO / name, game / name)
    return folder


def _run(out: Path, games: Sequence[str], how: Sequence[str]) -> Cost:
    shutil.rmtree(out, ignore_errors=True)
    call = [sys.executable, str(Path(__file__)), str(out), *how, "--", *games]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(f"bench: the archive could not be made: {done.stderr[-500:]}")
    return Cost(**json.loads(done.stdout.splitlines()[-1]))


def measured(out: Path, games: Sequence[str], **how: Any) -> Cost:
    """Make an archive in this process; returns its cost."""
    try:
        import resource
    except ImportError as error:
        why = "bench: this system does not tell what processes cost (it has no 'resource')"
        raise CommandError(why) from error

    import kibitz

    times: list[tuple[float, int, float]] = []

    def progress(now: kibitz.Progress) -> None:
        if now.done:
            times.append((now.seconds, now.photos, cpu_of_all()))

    done = kibitz.archive(games, out, progress=progress, **how)
    own, below = (resource.getrusage(x) for x in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    if done.failures == done.games:
        raise CommandError(f"bench: none of the games can be replayed: {done.failed[0]['error']}")
    first, last = times[min(WARM, len(times) - 1)], times[-1]
    return Cost(
        photos=done.photos,
        timed_photos=last[1] - first[1],
        timed_s=last[0] - first[0],
        timed_cpu_s=last[2] - first[2],
        cpu_s=cpu_of_all(),
        own_mb=own.ru_maxrss / 1024,
        worker_mb=below.ru_maxrss / 1024,
    )


def cpu_of_all() -> float:
    """Processor seconds so far of this process and its descendants.

    Raises:
        CommandError: the system does not tell.
    """
    tick = os.sysconf("SC_CLK_TCK")
    left, total = [os.getpid()], 0
    while left:
        pid = Path(f"/proc/{left.pop()}")
        try:
            fields = (pid / "stat").read_text().rpartition(")")[2].split()
            below = [x for task in pid.glob("task/*/children") for x in task.read_text().split()]
        except OSError as error:
            if total:
                continue  # one that has just ended
            raise CommandError("bench: this system does not tell what processes cost") from error
        total += sum(int(x) for x in fields[11:15])  # its own, and of those below that have ended
        left += map(int, below)
    return total / tick


def _finishing(base: Path) -> dict[str, Any]:
    """Processor milliseconds a game for the final tables and pages, with few and many games."""
    took = {count: statistics.median(_finished(base, count)) for count in (KEPT_FEW, KEPT_MANY)}
    few, many = took[KEPT_FEW], took[KEPT_MANY]
    return {
        "finishing_ms_a_game": round(many, 3),
        f"finishing_{KEPT_MANY}_to_{KEPT_FEW}_games": round(many / few, 3),
        "keeping_ms_a_game": round(_keeping(base), 3),
    }


def _finished(base: Path, count: int) -> Iterator[float]:
    from kibitz.app.archive.run import finish
    from kibitz.app.archive.store import Store

    result = _result(base)
    with Store(base / f"kept{count}") as store:
        store.note(iter(_found(count)), "bench")
        for found in _found(count):
            store.keep(_named(result, found.name))
        for _ in range(ROUNDS):
            began = time.process_time()
            finish(store, count, 0)
            yield (time.process_time() - began) * 1e3 / count


def _keeping(base: Path) -> float:
    """Processor milliseconds that keeping one result takes the main process."""
    from kibitz.app.archive.store import Store

    result = _result(base)
    with Store(base / "keeping") as store:
        store.note(iter(_found(KEPT_FEW)), "bench")
        began = time.process_time()
        for found in _found(KEPT_FEW):
            store.keep(_named(result, found.name))
        return (time.process_time() - began) * 1e3 / KEPT_FEW


def _found(count: int) -> Iterator[Any]:
    from kibitz.app.archive.finding import Found

    for number in range(count):
        yield Found(f"game{number:05}", DEMO, "folder", 12, "stamp")


def _result(base: Path) -> Any:
    """Result of the bundled game."""
    from kibitz.app.archive.facts import GameFacts
    from kibitz.app.archive.job import Task, replay_game

    return replay_game(Task("game", DEMO, "folder", GameFacts(), pictures=False, work=base))


def _named(result: Any, name: str) -> Any:
    from dataclasses import replace

    return replace(result, name=name, line={**result.line, "game": name})


if __name__ == "__main__":
    if "--" not in sys.argv:
        sys.stdout.write(json.dumps(bench_archive(sys.argv[1:])) + "\n")
        sys.exit()
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    given, places = sys.argv[2:], sys.argv[2:]
    split = given.index("--")
    options: dict[str, Any] = dict(x.split("=", 1) for x in given[:split])
    if "workers" in options:
        options["workers"] = int(options["workers"])
    cost = measured(Path(sys.argv[1]), places[split + 1 :], **options)
    sys.stdout.write(json.dumps(asdict(cost)) + "\n")
