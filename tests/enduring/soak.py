"""Runs many tables and pages for a long time: memory, response times, messages to pages."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.app.server_help import bearer, board, picture_of
from tests.enduring.kills import TableLog, events_of, new_log
from tests.enduring.server import ServerProcess
from tests.enduring.stranger import Stranger

WARM_PART = 0.2
"""Of the time; what is in memory then is what the growth is measured from."""
PAUSE_S = 1.0
POOLED = 20
"""Descriptors that the database's pool keeps once it was busy: five connections of three files."""


@dataclass
class Soak:
    """Result of the soak test.

    Attributes:
        told: actions of which the server said that they are saved.
        lost: those of them that were gone at the end.
        failed: calls that were not answered as they should be.
        behind: pages that had not heard of their table's last step at the end.
        dropped: pages whose line broke.
        stranger: what somebody tried who attacked all the time, and what of it broke something.
        sent_again: actions sent a second time because the line had closed under them.
        latencies_s: from sending an action to its answer.
    """

    tables: int = 0
    sockets: int = 0
    seconds: float = 0.0
    told: int = 0
    lost: int = 0
    failed: int = 0
    behind: int = 0
    dropped: int = 0
    messages: int = 0
    sent_again: int = 0
    memory_mb: list[float] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    latencies_s: list[float] = field(default_factory=list)
    why: Counter[str] = field(default_factory=Counter)
    stranger: dict[str, Any] = field(default_factory=dict)

    def fail(self, why: str) -> None:
        """Count a call that was not answered as it should be."""
        self.failed += 1
        self.why[why] += 1

    def to_json(self) -> dict[str, Any]:
        """The result for the report."""
        plain = (
            *("tables", "sockets", "told", "lost", "failed", "sent_again"),
            *("behind", "dropped", "messages"),
        )
        times = sorted(self.latencies_s) or [0.0]
        return {
            **{k: getattr(self, k) for k in plain},
            "why_failed": dict(self.why),
            "stranger": self.stranger,
            "minutes": round(self.seconds / 60, 1),
            "memory_mb": [round(m) for m in self.memory_mb],
            "memory_growth_mb": round(self.growth_mb, 1),
            "descriptors": self.descriptors,
            "leaked": self.leaked,
            "latency_ms": {
                name: round(1e3 * times[min(len(times) - 1, int(part * len(times)))])
                for name, part in (("median", 0.5), ("p95", 0.95), ("p99", 0.99), ("most", 1.0))
            },
        }

    @property
    def growth_mb(self) -> float:
        """Growth of memory between the time when everything was open and the end."""
        return self.memory_mb[-1] - self.memory_mb[0] if self.memory_mb else 0.0

    @property
    def leaked(self) -> int:
        """Descriptors left open after all pages have gone, above those before they came."""
        return self.descriptors[-1] - self.descriptors[0] if self.descriptors else 0

    @property
    def good(self) -> bool:
        """True if nothing broke; descriptors of the database's pool are allowed."""
        bad = self.lost or self.failed or self.behind or self.dropped
        bad = bad or bool(self.stranger.get("broke"))
        return not bad and self.leaked <= POOLED


class _Crowd:
    """All clients that run at the same time."""

    def __init__(self, server: ServerProcess, soak: Soak, rng: random.Random, ends: float) -> None:
        self.server, self.soak, self.rng, self.ends = server, soak, rng, ends
        self.heard: dict[int, tuple[TableLog, int]] = {}
        self.leave = asyncio.Event()

    async def play(self, client: httpx.AsyncClient, log: TableLog) -> None:
        """Play at one table: plays, undos, sometimes a photograph."""
        base = f"/api/tables/{log.made['table']}"
        auth = bearer(log.made["host_token"])
        await asyncio.sleep(self.rng.random() * PAUSE_S)
        while time.monotonic() < self.ends:
            action = log.next_action()
            began = time.monotonic()
            try:
                answer = await self._told(client, f"{base}/actions", action, auth)
                self.soak.latencies_s.append(time.monotonic() - began)
                if answer.status_code == 200:
                    log.done(action, answer.json())
                elif answer.status_code != 409:
                    self.soak.fail(str(answer.status_code))
                if self.rng.random() < 0.05:
                    picture = picture_of(board())
                    headers = {**bearer(log.made["camera_token"]), "content-type": "image/png"}
                    await client.post(f"{base}/frames", content=picture, headers=headers)
            except httpx.HTTPError as error:
                self.soak.fail(type(error).__name__)
            await asyncio.sleep(PAUSE_S * (0.5 + self.rng.random()))

    async def _told(
        self, client: httpx.AsyncClient, path: str, action: Any, auth: dict[str, str]
    ) -> httpx.Response:
        """Answer to an action, sent again if the connection broke, as a page does."""
        headers = {**auth, "Idempotency-Key": f"{self.rng.random()}"}
        try:
            return await client.post(path, json=action, headers=headers)
        except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
            # an idle line that the server closed while this went out: whether the action came
            # through is open, and the key keeps it from being done twice
            self.soak.sent_again += 1
            return await client.post(path, json=action, headers=headers)

    async def look(self, number: int, log: TableLog) -> None:
        """Follow a table as a page until all leave."""
        base = self.server.address.replace("http", "ws")
        where = f"{base}/api/tables/{log.made['table']}/live?token={log.made['watch_token']}"
        self.heard[number] = log, 0
        try:
            async with connect(where, max_size=2**24, open_timeout=60) as page:
                hear = asyncio.create_task(self._hear(number, log, page))
                await asyncio.wait(
                    (hear, asyncio.create_task(self.leave.wait())),
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if hear.done():
                    self.soak.dropped += 1
                hear.cancel()
        except (WebSocketException, OSError, TimeoutError):
            self.soak.dropped += 1

    async def _hear(self, number: int, log: TableLog, page: Any) -> None:
        try:
            async for text in page:
                self.soak.messages += 1
                message = json.loads(text)
                if "seq" in message:
                    self.heard[number] = log, int(message["seq"])
        except WebSocketException:
            return


async def _soak(
    server: ServerProcess, soak: Soak, logs: list[TableLog], rng: random.Random, ends: float
) -> None:
    crowd = _Crowd(server, soak, rng, ends)
    pages = [asyncio.create_task(crowd.look(i, logs[i % len(logs)])) for i in range(soak.sockets)]
    # the server lets go of an idle line after five seconds; nothing is sent into one that closes
    limits = httpx.Limits(max_connections=20, max_keepalive_connections=20, keepalive_expiry=2.0)
    async with httpx.AsyncClient(base_url=server.address, timeout=60, limits=limits) as client:
        players = [asyncio.create_task(crowd.play(client, log)) for log in logs]
        whole = ends - time.monotonic()
        await asyncio.sleep(max(0.0, whole * WARM_PART))
        soak.memory_mb.append(server.memory_mb())
        steps = 5
        for _ in range(steps):
            await asyncio.sleep(max(0.0, (ends - time.monotonic()) / steps))
            soak.memory_mb.append(server.memory_mb())
        await asyncio.gather(*players)
    late = time.monotonic() + 30
    while time.monotonic() < late and _behind(crowd):  # noqa: ASYNC110 - each page hears for itself
        await asyncio.sleep(0.2)
    soak.behind = _behind(crowd)
    crowd.leave.set()
    await asyncio.gather(*pages)


def _behind(crowd: _Crowd) -> int:
    return sum(seq < log.seen_seq for log, seq in crowd.heard.values())


def run_soak(
    tables: int,
    sockets: int,
    seconds: float,
    rng: random.Random,
    say: Callable[[str], None] = print,
) -> Soak:
    """Keep many tables and pages busy.

    Args:
        tables: how many are played at.
        sockets: how many pages look on.
        seconds: for how long.
        rng: decides what is played.
        say: hears how it goes.
    """
    soak = Soak(tables, sockets, seconds)
    with tempfile.TemporaryDirectory(prefix="kibitz-soak-") as folder:
        server = ServerProcess(folder)
        server.start()
        with server.client(60) as client:
            logs = [new_log(client, rng) for _ in range(tables)]
        soak.descriptors.append(server.descriptors())
        say(f"{tables} tables and {sockets} pages for {seconds / 60:.1f} minutes")
        with Stranger([server], rng) as stranger:
            asyncio.run(_soak(server, soak, logs, rng, time.monotonic() + seconds))
        soak.stranger = stranger.to_json()
        time.sleep(1.0)  # what the pages left behind is put away
        soak.descriptors.append(server.descriptors())
        with server.client(60) as client:
            for log in logs:
                kept = {e["seq"] for e in events_of(client, log.made)}
                soak.told += len(log.told)
                soak.lost += len(set(log.told) - kept)
        server.stop()
    return soak
