"""Measures how a server's cost grows: with tables, watchers, plays and kept tables.

    python tests/measures/hall_costs.py

It prints a line of JSON, and takes minutes.

What happens inside one process is counted in its processor time, which other work on the machine
does not change; what people wait for is timed against a real server, with what is compared taken
in turns, so that a busy machine disturbs both alike.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import multiprocessing
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from sys import float_info
from typing import Any, Final

import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kibitz.app.common.errors import CommandError
from kibitz.app.common.storage.databases import (
    header_checksum,
    step_checksum,
    steps,
    tables,
    tokens,
)
from kibitz.app.common.storage.tables import Storage, database_url
from kibitz.app.common.terminal import show_progress
from kibitz.app.server.access.gate import allowed_descriptors
from kibitz.app.tables.orders import Order
from kibitz.app.tables.people.access import HOST
from kibitz.app.tables.registry import Tables
from kibitz.app.tables.state import table_view
from kibitz.app.tables.table import Table
from kibitz.engine.games import DEFAULT_GAME, INFOS
from kibitz.engine.rules import Action, Refused

TABLES: Final = (1, 8, 32, 56)
WATCHERS: Final = (0, 10, 100, 1000, 10_000)
SPARE: Final = 256
"""Files that a process needs open beside the lines to its watchers."""
PLAYS: Final = (10, 100, 800)
"""Of one game; the largest set that is played with here has 900 tiles."""
KEPT: Final = (10, 1000, 100_000)
ROUNDS: Final = 3
PAGES: Final = 100
CALM_S: Final = 2.0
CALM_SHARE: Final = 0.02
"""Of a core, over that time: a server that does less has nothing to do."""
ACTIONS: Final = 8
"""Timed at a table in each round."""
PAUSE_S: Final = 2.0
"""Between two actions at the watched table: a game has one in half a minute."""
LAST_S: Final = 20.0
"""So long the last change may take to reach the last watcher."""
SNAPSHOT_S: Final = 2.0
SNAPSHOT_LINES: Final = 4
HOME: Final = "/api/tables?limit=30&away=false"
START_S: Final = 120.0
MOMENT_S: Final = 0.02
"""Between two looks whether something has happened."""
LETTERS: Final = "ETAOINSRHLDCUMFPGWYBVKXJQZ"
LARGE: Final = next(info.slug for info in INFOS if info.surface.joined)
"""The game with most tiles."""
_ANY_WORD: Final = {"reject_invalid": False}


def bench_hall(
    tables_: Sequence[int] = TABLES,
    watchers: Sequence[int] = WATCHERS,
    plays: Sequence[int] = PLAYS,
    kept: Sequence[int] = KEPT,
) -> dict[str, Any]:
    """Measure all four, with ratios to the smallest size."""
    out: dict[str, Any] = {"part": "hall"}
    show_progress("action by tables, and by plays")
    out |= _with_ratios("action_ms_by_tables", by_tables(tables_))
    out |= _with_ratios("action_ms_by_plays", by_plays(plays))
    show_progress("start and first page by tables ever kept")
    starts, pages = by_kept(kept)
    out |= _with_ratios("start_s_by_kept", starts) | _with_ratios("home_ms_by_kept", pages)
    show_progress("action by watchers")
    most = allowed_descriptors() - SPARE  # both ends are limited alike
    waits, snapshots, heard = by_watchers([n for n in watchers if n <= most])
    out |= _with_ratios("action_ms_by_watchers", waits)
    return {**out, "told_by_watchers": heard, "snapshots_a_second": snapshots}


def _with_ratios(name: str, found: dict[int, float]) -> dict[str, Any]:
    least = max(found[min(found)], float_info.epsilon)
    ratios = {str(n): round(value / least, 2) for n, value in found.items()}
    return {
        name: {str(n): round(value, 2) for n, value in found.items()},
        f"{name.partition('_by_')[0]}_ratio_by_{name.partition('_by_')[2]}": ratios,
    }


# --- in one process -------------------------------------------------------------------------


def by_tables(numbers: Sequence[int]) -> dict[int, float]:
    """Milliseconds of processor time of an action, by number of active tables."""
    with _place() as places:
        open_ones: list[Table] = []
        found: dict[int, list[float]] = {}
        for number in numbers:
            while len(open_ones) < number:
                open_ones.append(places.create(_plain()).table)
            some = open_ones if number < ACTIONS else open_ones[:: max(1, number // ACTIONS)]
            for _ in range(ROUNDS * ACTIONS):
                for table in some:
                    found.setdefault(number, []).append(_back_and_forth(table))
        return {n: statistics.median(ms) for n, ms in found.items()}


def by_plays(numbers: Sequence[int]) -> dict[int, float]:
    """The same by number of plays in one game, and the time of a page's document."""
    found: dict[int, list[float]] = {}
    with _place() as places:
        table = places.create(Order(LARGE, ("Ann", "Bob"), _ANY_WORD, lexicon="none")).table
        for count, act_ms in enumerate(_plays_of(table), 1):
            for number in numbers:
                if number - ROUNDS < count <= number:
                    found.setdefault(number, []).append(act_ms + _page_of(table))
            if count >= max(numbers):
                break
    return {n: statistics.median(ms) for n, ms in found.items()}


def _plain() -> Order:
    return Order(DEFAULT_GAME, ("Ann", "Bob"), _ANY_WORD, lexicon="none")


@contextmanager
def _place() -> Iterator[Tables]:
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        places = Tables(Storage(folder))
        try:
            yield places
        finally:
            places.close()


def _back_and_forth(table: Table) -> float:
    """Milliseconds of a play, which is then undone."""
    began = time.process_time()
    table.act(Action("place", data={"tiles": {"H7": "A", "H8": "T"}}), HOST)
    took = time.process_time() - began
    table.act(Action("undo"), HOST)
    return took * 1e3


def _page_of(table: Table) -> float:
    """Milliseconds to make the document that pages get after an action."""
    began = time.process_time()
    table_view(table, HOST, None).to_text()
    return (time.process_time() - began) * 1e3


def _plays_of(table: Table) -> Iterator[float]:
    """Yield times of plays of the largest game over all nine boards, until no tile is left.

    Yields:
        Milliseconds of each play.
    """
    seen: set[tuple[int, int]] = set()
    for board in range(9):
        row, col = 15 * (board // 3) + 7, 15 * (board % 3) + 7
        if took := _lay(table, {_name(row, col): "E", _name(row, col + 1): "T"}):
            seen |= {(row, col), (row, col + 1)}
            yield took
    order = sorted(seen)
    for row, col in order:
        for place in ((row, col + 1), (row, col - 1), (row + 1, col), (row - 1, col)):
            if place in seen or not all(0 <= x < 45 for x in place):
                continue
            took = next(filter(None, (_lay(table, {_name(*place): x}) for x in LETTERS)), 0.0)
            if took:
                seen.add(place)
                order.append(place)
                yield took


def _lay(table: Table, tiles: dict[str, str]) -> float:
    """Milliseconds of a play; 0 if it was refused."""
    began = time.process_time()
    outcome = table.act(Action("place", data={"tiles": tiles}), HOST)
    return 0.0 if isinstance(outcome, Refused) else (time.process_time() - began) * 1e3


def _name(row: int, col: int) -> str:
    """Name of a square on joined boards."""
    return f"{3 * (row // 15) + col // 15 + 1}:{chr(65 + row % 15)}{col % 15 + 1}"


# --- tables ever kept -----------------------------------------------------------------------


def by_kept(numbers: Sequence[int]) -> tuple[dict[int, float], dict[int, float]]:
    """Processor seconds to start a server, and milliseconds of its first page, by kept tables.

    Where the system does not tell a process's time, both are what a caller waits.
    """
    starts: dict[int, list[float]] = {n: [] for n in numbers}
    pages: dict[int, list[float]] = {n: [] for n in numbers}
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        places = {n: Path(folder, str(n)) for n in numbers}
        for number, place in places.items():
            fill(str(place), number)
            show_progress(f"{number} tables are kept")
        for _ in range(ROUNDS):
            for number, place in places.items():
                with served(str(place)) as server:
                    starts[number].append(server.start_s)
                    pages[number].append(_page_ms(server))
    return (
        {n: min(s) for n, s in starts.items()},
        {n: statistics.median(ms) for n, ms in pages.items()},
    )


def _page_ms(server: Served) -> float:
    """Milliseconds of a list of tables, after the server has read what is kept."""
    _calm(server)
    before = server.spent_s()
    waits = [_timed(server.port, "GET", HOME)[0] for _ in range(PAGES)]
    after = server.spent_s()
    if before is None or after is None:
        return statistics.median(waits)
    return (after - before) / PAGES * 1e3


def _calm(server: Served) -> None:
    """Wait until a server is idle after reading what is kept."""
    ends, before = time.monotonic() + START_S, server.spent_s()
    while time.monotonic() < ends and before is not None:
        time.sleep(CALM_S)
        after = server.spent_s()
        if after is None or after - before < CALM_S * CALM_SHARE:
            return
        before = after


def fill(data: str, number: int) -> None:
    """Keep so many tables with links and one step each, as if they had been played."""
    storage = Storage(data)
    storage.close()
    header = json.dumps(_plain().to_json(), separators=(",", ":"))
    engine = sa.create_engine(database_url(data))
    began = time.time() - number
    step = json.dumps({"do": {"action": "pass"}, "say": ["Ann passes."], "t": 1.0})
    with engine.begin() as db:
        for first in range(0, number, 5000):
            some = range(first, min(first + 5000, number))
            names = {i: f"bench{i:08d}" for i in some}
            db.execute(
                tables.insert(),
                [
                    {
                        "id": names[i],
                        "created": began + i,
                        "header": header,
                        "checksum": header_checksum(names[i], began + i, header),
                    }
                    for i in some
                ],
            )
            roles = ("host", "camera", "watch", "seat")
            db.execute(
                tokens.insert(),
                [
                    {"hash": f"{i:056d}{role:>8}", "table_id": names[i], "role": role}
                    for i in some
                    for role in roles
                ],
            )
            rows = [
                {"table_id": names[i], "seq": 1, "at": began + i, "kind": "told", "data": step}
                for i in some
            ]
            db.execute(
                steps.insert(),
                [{**r, "idem": None, "checksum": step_checksum(**r, idem=None)} for r in rows],
            )
    engine.dispose()


@dataclass(slots=True)
class Served:
    """A server in its own process.

    Attributes:
        process: its number.
        port: where it answers.
        start_s: processor time until it answered; where the system does not tell, the wait.
    """

    process: int
    port: int = 0
    start_s: float = 0.0

    def spent_s(self) -> float | None:
        """Its processor time so far; None where the system does not tell."""
        try:
            text = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii")
            user, system = text.rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, AttributeError):
            return None


@contextmanager
def served(data: str) -> Iterator[Served]:
    """Run a server in its own process while the block lasts.

    Raises:
        CommandError: it does not start.
    """
    began = time.monotonic()
    command = [sys.executable, "-m", "kibitz", "serve", "--data", data, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = re.search(r":(\d+)/$", process.stdout.readline().strip())
            if address is None:
                raise CommandError("bench: the server did not start; try 'kibitz serve' alone")
            port = int(address[1])
            while time.monotonic() < began + START_S:
                with suppress(OSError):
                    _timed(port, "GET", "/healthz")
                    break
                time.sleep(MOMENT_S)
            server = Served(process.pid, port)
            server.start_s = server.spent_s() or time.monotonic() - began
            yield server
        finally:
            process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()


def _timed(
    port: int, method: str, path: str, token: str = "", body: Any = None
) -> tuple[float, Any]:
    """Milliseconds of a call on a connection of its own, and its answer."""
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.connect()
    began = time.perf_counter()
    line.request(method, path, None if body is None else json.dumps(body), headers)
    answer = line.getresponse()
    data = answer.read()
    took = (time.perf_counter() - began) * 1e3
    line.close()
    if answer.status >= 400:
        raise CommandError(f"bench: {method} {path} answered {answer.status}: {data[:200]!r}")
    return took, json.loads(data) if data else None


# --- watchers -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Crowd:
    """Watchers in their own process."""

    port: int
    stream: str
    number: int

    def run(self, ready: Event, ends: Event, told: Any) -> None:
        """Watch until told to end; `told` counts the changes that arrived."""
        allowed_descriptors()
        with suppress(KeyboardInterrupt):
            asyncio.run(self._watch(ready, ends, told))

    async def _watch(self, ready: Event, ends: Event, told: Any) -> None:
        jobs, watching = [], [asyncio.Event() for _ in range(self.number)]
        for number, watches in enumerate(watching):
            jobs.append(asyncio.create_task(self._one(told, watches)))
            if number % 50 == 49:
                await asyncio.sleep(MOMENT_S)
        for watches in watching:
            await watches.wait()
        ready.set()
        await asyncio.to_thread(ends.wait)
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)

    async def _one(self, told: Any, watches: asyncio.Event) -> None:
        """Watch, and reconnect where a connection ended, as browsers do.

        Changes that a busy server sends as one count as what they are; `watches` is set once the
        stream's first part has come, and what that catches up with is not counted.
        """
        known = 0
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                try:
                    call = f"GET {self.stream}{known} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                    writer.write(call.encode())
                    seq = known
                    while True:
                        line = await reader.readuntil(b"\n")
                        if line.startswith(b"id:"):
                            seq = int(line[3:])
                        elif line.startswith(b"data:"):
                            if watches.is_set() and line.startswith(b'data: {"after'):
                                told.value += seq - known
                            known = seq
                            watches.set()
                        elif line.startswith(b":"):
                            watches.set()
                finally:
                    writer.close()
            await asyncio.sleep(MOMENT_S)


def by_watchers(
    numbers: Sequence[int], rounds: int = ROUNDS
) -> tuple[dict[int, float], float, dict[str, int]]:
    """Milliseconds of an action by number of watchers, and snapshots a second.

    Returns:
        The medians, how many snapshots a second one server answers, and how many changes each
        crowd was told.
    """
    found: dict[int, list[float]] = {n: [] for n in numbers}
    reached = dict.fromkeys(numbers, 0)
    with (
        tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder,
        served(folder) as server,
    ):
        port = server.port
        made = _timed(port, "POST", "/api/tables", body=_plain().to_json())[1]
        table, token = made["table"], made["host_token"]
        public = _timed(port, "PUT", f"/api/tables/{table}/public", token, {"public": True})[1]
        place = f"/api/tables/{table}/actions"
        for _ in range(rounds):
            for number in numbers:
                with _crowd(Crowd(port, public["stream"], number)) as heard:
                    found[number] += _actions(port, place, token)
                    ends = time.monotonic() + LAST_S
                    while heard.value < number * ACTIONS and time.monotonic() < ends:
                        time.sleep(MOMENT_S)
                    reached[number] += heard.value
        snapshots = _snapshots(port, public["snapshot"])
    return (
        {n: statistics.median(ms) for n, ms in found.items()},
        round(snapshots),
        {str(n): count for n, count in reached.items()},
    )


def _actions(port: int, place: str, token: str) -> list[float]:
    out = []
    for _ in range(ACTIONS // 2):
        for body in ({"action": "place", "tiles": {"H7": "A", "H8": "T"}}, {"action": "undo"}):
            time.sleep(PAUSE_S)
            out.append(_timed(port, "POST", place, token, body)[0])
    return out


@contextmanager
def _crowd(crowd: Crowd) -> Iterator[Any]:
    context = multiprocessing.get_context("spawn")
    ready, ends, reached = context.Event(), context.Event(), context.Value("q", 0)
    process = context.Process(target=crowd.run, args=(ready, ends, reached), daemon=True)
    process.start()
    try:
        if not ready.wait(START_S):
            raise CommandError("bench: the watchers did not connect")
        yield reached
    finally:
        ends.set()
        process.join(20)
        if process.is_alive():
            os.kill(int(process.pid or 0), signal.SIGKILL)


def _snapshots(port: int, path: str) -> float:
    """Snapshots a second that a server answers, on a few open connections."""
    lines = [http.client.HTTPConnection("127.0.0.1", port) for _ in range(SNAPSHOT_LINES)]
    done, began = 0, time.monotonic()
    while time.monotonic() < began + SNAPSHOT_S:
        for line in lines:
            line.request("GET", path, headers={"accept-encoding": "gzip"})
        for line in lines:
            line.getresponse().read()
            done += 1
    took = time.monotonic() - began
    for line in lines:
        line.close()
    return done / took


if __name__ == "__main__":
    sys.stdout.write(json.dumps(bench_hall()) + "\n")
