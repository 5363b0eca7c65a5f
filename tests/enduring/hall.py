"""Kills one of two servers of a hall during plays; the other must take over its tables."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.enduring.kills import LATEST_KILL_S, Kills, TableLog, check, new_log, post
from tests.enduring.server import ServerProcess
from tests.enduring.stranger import Stranger

TABLES = 3
KILLS_PER_TABLE = 20
WITHIN_S = 10.0
"""How soon a table of a server that died must take plays again."""
GIVE_UP_S = 60.0


@dataclass
class HallKills(Kills):
    """Result of the kills.

    Attributes:
        taken_over_s: from each kill until the last of the tables took a play again.
        late: kills after which that took too long.
    """

    taken_over_s: list[float] = field(default_factory=list)
    late: int = 0

    def to_json(self) -> dict[str, Any]:
        """The result for the report."""
        times = sorted(self.taken_over_s) or [0.0]
        out = {k: v for k, v in super().to_json().items() if k != "taken_over_s"}
        return {
            **out,
            "taken_over_median_s": round(times[len(times) // 2], 2),
            "taken_over_most_s": round(times[-1], 2),
        }

    @property
    def good(self) -> bool:
        """True if nothing broke."""
        return super().good and not self.late


class Roamer(threading.Thread):
    """Posts plays to any server of the hall; unanswered ones are sent again to another."""

    def __init__(self, servers: tuple[ServerProcess, ...], log: TableLog) -> None:
        super().__init__(daemon=True)
        self.servers, self.log = servers, log
        self.count = 0
        self.last_done = 0.0
        self.ends = threading.Event()

    def run(self) -> None:
        """Post one play after the other, each with a key, until stopped."""
        log = self.log
        while not self.ends.is_set():
            server = log.rng.choice(self.servers)
            try:
                with httpx.Client(base_url=server.address, timeout=20) as client:
                    while not self.ends.is_set() and log.rng.random() > 0.1:
                        self._play(client)
            except httpx.HTTPError:
                self.ends.wait(0.05)

    def _play(self, client: httpx.Client) -> None:
        log = self.log
        if log.open is None:
            log.open = f"{log.rng.random()}", log.next_action()
        key, action = log.open
        answer = post(client, log.made, action, key)
        if answer.status_code >= 500:  # it was not done, or nobody knows: asked again
            self.ends.wait(0.05)
            return
        log.open = None
        if answer.status_code == 200:
            log.done(action, answer.json())
            self.count += 1
            self.last_done = time.monotonic()


def runs_any(server: ServerProcess, logs: list[TableLog]) -> bool:
    """True if a server runs one of these tables now."""
    with server.client() as client:
        listed = client.get("/api/tables").raise_for_status().json()["tables"]
    open_here = {t["table"] for t in listed if t["open"]}
    return any(log.made["table"] in open_here for log in logs)


def run_hall_kills(
    data: str,
    count: int,
    rng: random.Random,
    ends: float,
    *,
    between: Callable[[int], None] | None = None,
    say: Callable[[str], None] = print,
) -> HallKills:
    """Kill one of two servers, again and again.

    Args:
        data: the address of their database.
        count: how often.
        rng: decides which and when.
        ends: no later than that, on the monotonic clock.
        between: what else happens in each round, a stopped database for instance.
        say: hears how it goes.
    """
    kills = HallKills()
    servers = ServerProcess(data, "left"), ServerProcess(data, "right")
    for server in servers:
        if not server.start():
            raise RuntimeError("a server of the hall does not start")
    with Stranger(servers, rng) as stranger:
        _kill(servers, kills, count, rng, ends, between, say)
    kills.stranger = stranger.to_json()
    for server in servers:
        server.stop()
    return kills


def _kill(
    servers: tuple[ServerProcess, ServerProcess],
    kills: HallKills,
    count: int,
    rng: random.Random,
    ends: float,
    between: Callable[[int], None] | None,
    say: Callable[[str], None],
) -> None:
    logs: list[TableLog] = []
    while kills.tried < count and time.monotonic() < ends:
        if kills.tried % KILLS_PER_TABLE == 0:
            with rng.choice(servers).client() as client:
                logs = [new_log(client, rng) for _ in range(TABLES)]
        # who runs no table leaves none to be taken over
        victim = next((s for s in rng.sample(servers, 2) if runs_any(s, logs)), servers[0])
        other = next(s for s in servers if s is not victim)
        players = [Roamer(servers, log) for log in logs]
        for player in players:
            player.start()
        if between is not None:
            between(kills.tried)
        time.sleep(rng.uniform(0.2, 0.2 + LATEST_KILL_S))
        victim.kill()
        kills.tried += 1
        took = _goes_on(players, time.monotonic())
        kills.taken_over_s.append(took)
        kills.late += took > WITHIN_S
        kills.told += sum(p.count for p in players)
        with other.client() as client:
            for log in logs:
                check(client, log, kills)
        kills.survived += victim.start()
        kills.restarts_s.append(victim.start_s)
        if kills.tried % 10 == 0:
            say(f"{kills.tried} kills in the hall: {kills.to_json()}")


def _goes_on(players: list[Roamer], killed: float) -> float:
    """Seconds from a kill until every table took a play again; stops the players."""
    while time.monotonic() < killed + GIVE_UP_S:
        if all(p.last_done > killed + 0.05 for p in players):
            break
        time.sleep(0.02)
    took = time.monotonic() - killed
    for player in players:
        player.ends.set()
    for player in players:
        player.join(30)
    return took
