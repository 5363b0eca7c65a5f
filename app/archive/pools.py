"""Pools that replay games: processes of this machine, or a cluster; a bounded number at a time."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from kibitz.app.archive.job import (
    Result,
    Task,
    failure,
    replay_game,
    start_process,
    version,
)
from kibitz.app.common.errors import CommandError, Option, UsageError
from kibitz.app.common.limits import WAITS

LOCAL = "local:"
"""A cluster of so many processes of this machine, as `local:4`."""


MOST_SENT_BYTES: Final = 2_000_000_000
"""Of games on their way to a cluster at once."""
DASK: Final = {
    # games travel with the call, so that one whose worker dies can be sent to another
    "distributed.admin.large-graph-warning-threshold": "10GB",
    # workers would look at what they do a hundred times a second, for a page that nobody opens
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    # memory given back at once is taken again, page by page, by the next picture
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
}
"""Settings of Dask; workers of this machine take it over, others have their own."""
DIED = (
    "the process that replayed this game was ended from outside, perhaps for want of memory; "
    "try fewer --workers, or leave the game out"
)


@dataclass(eq=False)
class Workers:
    """A pool of processes that replay games.

    Attributes:
        make: starts them; called again after one of them died and took the others along.
        count: how many there are.
        sends: whether a game's bytes must travel, as the workers do not see this machine's files.
    """

    make: Callable[[], AbstractContextManager[Executor]]
    count: int
    sends: bool = False
    most_waiting: int = field(init=False)

    def __post_init__(self) -> None:
        self.most_waiting = 2 * self.count  # one waits for each worker beside the one it replays

    def replay(self, tasks: Iterator[Task]) -> Iterator[Result]:
        """Yield each game's result as it gets done; a bounded number are in work at once.

        A game whose process dies is tried once more by itself; if that process dies too, the
        game has failed.

        Raises:
            OSError: there is no room to unpack a game.
            CommandError: the workers cannot work at all.
        """
        suspects: deque[Task] = deque()
        with _Running(self) as running:
            while True:
                running.fill(tasks, suspects)
                if not running.futures:
                    return
                done, _ = wait(running.futures, return_when=FIRST_COMPLETED)
                lost: list[Task] = []
                for future in done:
                    task = running.futures.pop(future)
                    result = _result_of(future, task, alone=running.alone)
                    if result is None:
                        lost.append(task)
                    else:
                        yield result
                if lost:
                    suspects += [*lost, *running.start_anew()]


class _Running:
    """The running processes of a pool, and the games that they work on."""

    def __init__(self, workers: Workers) -> None:
        self.futures: dict[Future[Result], Task] = {}
        self.alone = False
        self._workers = workers
        self._stack = ExitStack()
        self._executor: Executor | None = None

    def __enter__(self) -> _Running:
        self._start()
        return self

    def __exit__(self, *error: object) -> None:
        for future in self.futures:
            future.cancel()
        self._stack.close()

    def _start(self) -> None:
        self._executor = self._stack.enter_context(self._workers.make())

    def start_anew(self) -> list[Task]:
        """Start new processes after one died; returns the games that were lost with it."""
        tasks = list(self.futures.values())
        self.futures.clear()
        self._stack.close()
        self._start()
        return tasks

    def fill(self, tasks: Iterator[Task], suspects: deque[Task]) -> None:
        """Hand out games; one that may have brought down a process is handed out alone."""
        if suspects:
            if not self.futures:
                self.alone = True
                self._submit(suspects.popleft())
            return
        if self.alone and self.futures:
            return
        self.alone = False
        while len(self.futures) < self._workers.most_waiting and self._room():
            task = next(tasks, None)
            if task is None:
                return
            self._submit(task)

    def _room(self) -> bool:
        """True if the bytes in transit leave room for another game."""
        sent = sum(len(t.place) for t in self.futures.values() if isinstance(t.place, bytes))
        return sent < MOST_SENT_BYTES

    def _submit(self, task: Task) -> None:
        assert self._executor is not None
        try:
            future = self._executor.submit(replay_game, task)
        except BrokenProcessPool as error:
            future = Future()
            future.set_exception(error)
        self.futures[future] = task


def _result_of(future: Future[Result], task: Task, *, alone: bool) -> Result | None:
    """A game's result; None where its process died and it is to be tried alone."""
    try:
        return future.result()
    except BrokenProcessPool:
        return failure(task.name, "process_died", DIED) if alone else None
    except (OSError, CommandError):
        raise
    except BaseException as error:
        if type(error).__name__ == "KilledWorker":  # the cluster has tried it several times
            return failure(task.name, "process_died", DIED)
        if type(error).__name__ in ("CancelledError", "FutureCancelledError"):
            raise CommandError(
                "the cluster is gone; what is done is kept: start it and give the same command "
                "again"
            ) from error
        raise


def local_workers(count: int) -> Workers:
    """A pool of processes on this machine, each on one core."""
    import multiprocessing

    # "spawn": a forked copy of a process that has loaded the inference library may hang
    context = multiprocessing.get_context("spawn")
    return Workers(lambda: ProcessPoolExecutor(count, context, start_process), count)


def cluster_workers(address: str) -> Workers:
    """A pool on a Dask scheduler's machines, or `local:N`: N Dask processes here.

    Raises:
        UsageError: the package is missing, or the address is none.
        CommandError: no scheduler answers, or its machines have another version of Kibitz.
    """
    try:
        import dask
        from dask.distributed import Client, LocalCluster
    except ImportError as error:
        raise UsageError(
            Option("cluster"),
            " needs the package 'distributed' here and on every machine of the cluster: "
            "pip install 'kibitz[cluster]'",
        ) from error
    dask.config.set(DASK)
    if address.startswith(LOCAL):
        count = _count(address)

        @contextmanager
        def started() -> Iterator[Executor]:
            with (
                LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=":0",
                    memory_limit=0,
                    silence_logs=50,
                ) as cluster,
                Client(cluster) as client,
            ):
                yield _ready(client)

        return Workers(started, count)
    if "://" not in address:
        raise UsageError(
            Option("cluster"), f": expected tcp://HOST:PORT or local:N, got {address!r:.60}"
        )

    @contextmanager
    def connected() -> Iterator[Executor]:
        try:
            client = Client(address, timeout=f"{WAITS.answer_s:g}s")
        except (OSError, TimeoutError, ValueError) as error:
            raise CommandError(
                f"no scheduler answers at {address}; start one with 'dask scheduler' and workers "
                "with 'dask worker'"
            ) from error
        with client:
            yield _ready(client)

    with connected():
        cores = _cores(address)
    return Workers(connected, cores, sends=True)


def _count(address: str) -> int:
    number = address.removeprefix(LOCAL)
    if not number.isdecimal() or not 1 <= int(number) <= 4096:
        raise UsageError(
            Option("cluster"), f": expected local:N with the number of workers, got {address!r}"
        )
    return int(number)


def _cores(address: str) -> int:
    """Number of games that a cluster replays at once."""
    from dask.distributed import Client

    with Client(address, timeout=f"{WAITS.answer_s:g}s") as client:
        return max(1, int(sum(client.nthreads().values())))


def _ready(client: Any) -> Executor:
    """Executor of a cluster, once a worker is there and all have this version of Kibitz.

    Raises:
        CommandError: there is no worker, or one has another version.
    """
    try:
        client.wait_for_workers(1, timeout=WAITS.answer_s)
    except TimeoutError as error:
        raise CommandError("the cluster has no workers; start one with 'dask worker'") from error
    here = version()
    try:
        others = client.run(version)
    except Exception as error:
        raise CommandError(
            f"a worker of the cluster cannot run Kibitz ({type(error).__name__}: {error}); "
            "install the same version there"
        ) from error
    if wrong := [worker for worker, found in others.items() if found != here]:
        raise CommandError(
            f"{len(wrong)} workers have another version of Kibitz, as {wrong[0]}; install "
            "the same version everywhere"
        )
    executor: Executor = client.get_executor(pure=False)
    return executor


def all_cores() -> int:
    """Number of cores that this process may use."""
    return (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
