"""Kills a server at random while plays and frames arrive; nothing acknowledged may be lost."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.app.server_help import bearer, board, picture_of
from tests.enduring.server import ServerProcess
from tests.enduring.stranger import Stranger

TILES = "AAAAAAAAABBCCDDDDEEEEEEEEEEEEFFGGGHHIIIIIIIIIJKLLLLMMNNNNNNOOOOOOOOPPQRRRRRRSSSSTTTTTTUUUUVVWWXYYZ"
MOST_LAID = 60
LIVES_PER_TABLE = 25
LATEST_KILL_S = 0.4
FIRST_ANSWER_S = 5.0
"""So long every second life waits for its first answer."""


@dataclass
class Kills:
    """Result of the kills.

    Attributes:
        tried: kills.
        survived: servers that answered again afterwards.
        told: actions of which a server had said that they are saved.
        lost: those of them that were gone afterwards.
        doubled: actions that were sent again and done twice.
        wrong: steps with another content, or numbers with a gap.
        repeated: actions that were on the disk though the answer never came.
        frames: settled pictures of which a server had said that they are saved.
        restarts_s: how long the starts took.
        stranger: what somebody tried who attacked all the time, and what of it broke something.
    """

    tried: int = 0
    survived: int = 0
    told: int = 0
    lost: int = 0
    doubled: int = 0
    wrong: int = 0
    repeated: int = 0
    frames: int = 0
    restarts_s: list[float] = field(default_factory=list)
    stranger: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The result for the report."""
        times = sorted(self.restarts_s) or [0.0]
        out = {k: v for k, v in self.__dict__.items() if k != "restarts_s"}
        return {**out, "restart_median_s": round(times[len(times) // 2], 3)}

    @property
    def good(self) -> bool:
        """True if nothing broke."""
        bad = self.lost or self.doubled or self.wrong or self.stranger.get("broke")
        return self.tried == self.survived and not bad


def squares() -> list[str]:
    """All squares from the middle outwards, each next to an earlier one."""
    order, seen = [(7, 7)], {(7, 7)}
    for r, c in order:
        for a, b in ((r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c)):
            if 0 <= a < 15 and 0 <= b < 15 and (a, b) not in seen:
                seen.add((a, b))
                order.append((a, b))
    return [f"{chr(65 + r)}{c + 1}" for r, c in order]


class TableLog:
    """One table, and what the server has acknowledged of it."""

    def __init__(self, made: dict[str, Any], rng: random.Random) -> None:
        self.made = made
        self.rng = rng
        self.told: dict[int, dict[str, Any]] = {}
        self.seen_seq = 0
        self.laid = 0
        self.places = squares()
        self.bag = rng.sample(TILES, len(TILES))
        self.open: tuple[str, dict[str, Any]] | None = None

    def next_action(self) -> dict[str, Any]:
        """A play or an undo, whichever fits."""
        if self.laid and (self.laid > MOST_LAID or self.rng.random() < 0.35):
            return {"action": "undo"}
        first = 0 if not self.laid else self.laid + 1
        more = {self.places[i]: self.bag[i] for i in range(first, self.laid + 2)}
        return {"action": "place", "tiles": more}

    def done(self, action: dict[str, Any], answer: dict[str, Any]) -> None:
        """Note that the server acknowledged an action."""
        self.laid += -1 if action["action"] == "undo" else 1
        if answer["saved"]:
            self.told[answer["seq"]] = action
        self.seen_seq = max(self.seen_seq, answer["seq"])


class Player(threading.Thread):
    """Posts plays until the server dies."""

    def __init__(self, address: str, log: TableLog) -> None:
        super().__init__(daemon=True)
        self.address, self.log, self.count = address, log, 0
        self.answered = threading.Event()

    def run(self) -> None:
        """Post one play after the other, each with a key."""
        log = self.log
        with httpx.Client(base_url=self.address, timeout=20) as client:
            try:
                while True:
                    if log.open is None:
                        log.open = f"{log.rng.random()}", log.next_action()
                    key, action = log.open
                    answer = post(client, log.made, action, key)
                    log.open = None
                    if answer.status_code == 200:
                        log.done(action, answer.json())
                        self.count += 1
                        self.answered.set()
            except httpx.HTTPError:
                return  # the server is dead; what was open is sent again to the next one


class Camera(threading.Thread):
    """Posts photographs of a growing game until the server dies."""

    def __init__(self, address: str, log: TableLog) -> None:
        super().__init__(daemon=True)
        self.address, self.log, self.count = address, log, 0

    def run(self) -> None:
        """Post photographs in which words come and go, so that each has news."""
        log, made = self.log, self.log.made
        headers = {**bearer(made["camera_token"]), "content-type": "image/png"}
        with httpx.Client(base_url=self.address, timeout=20) as client:
            try:
                while True:
                    log.laid += 1
                    word = "ABCDEFGH"[: 2 + log.laid % 6]
                    answer = client.post(
                        f"/api/tables/{made['table']}/frames",
                        content=picture_of(board(H6=word)),
                        headers=headers,
                    )
                    line = answer.json().get("line") if answer.status_code == 200 else None
                    if line and line["saved"] and line["seq"] > log.seen_seq:
                        log.seen_seq = line["seq"]
                        self.count += 1
            except httpx.HTTPError:
                return


def post(client: httpx.Client, made: dict[str, Any], action: Any, key: str) -> httpx.Response:
    """Act as the table's host."""
    headers = {**bearer(made["host_token"]), "Idempotency-Key": key}
    return client.post(f"/api/tables/{made['table']}/actions", json=action, headers=headers)


def new_log(client: httpx.Client, rng: random.Random) -> TableLog:
    """A new table where any word is valid."""
    order = {
        "game": "scrabble",
        "players": ["Ann", "Bob"],
        "lexicon": "none",
        "settings": {"reject_invalid": False},
    }
    return TableLog(client.post("/api/tables", json=order).raise_for_status().json(), rng)


def events_of(client: httpx.Client, made: dict[str, Any]) -> list[dict[str, Any]]:
    """Every step that is kept."""
    path = f"/api/tables/{made['table']}/record"
    answer = client.get(path, headers=bearer(made["host_token"])).raise_for_status()
    events: list[dict[str, Any]] = answer.json()["events"]
    return events


def check(client: httpx.Client, log: TableLog, kills: Kills) -> None:
    """Check that acknowledged steps are kept once and unchanged, and open ones done once."""
    events = events_of(client, log.made)
    numbers = [e["seq"] for e in events]
    kills.wrong += numbers != list(range(1, len(numbers) + 1))
    kept = {e["seq"]: e for e in events}
    for seq, action in log.told.items():
        if seq not in kept:
            kills.lost += 1
        elif kept[seq].get("do", {}).get("action") != action["action"]:
            kills.wrong += 1
    if log.open is not None:
        key, action = log.open
        answer = post(client, log.made, action, key)
        if answer.status_code == 200:
            said = answer.json()
            there = bool(said.get("repeated"))
            kills.repeated += there
            after = len(events_of(client, log.made))
            kills.doubled += after != len(numbers) + (not there)
            log.done(action, said)
        log.open = None


def run_kills(
    data: str,
    count: int,
    rng: random.Random,
    ends: float,
    *,
    between: Callable[[int, ServerProcess], None] | None = None,
    say: Callable[[str], None] = print,
) -> Kills:
    """Kill a server many times.

    Args:
        data: where its tables are kept.
        count: how often.
        rng: decides when.
        ends: no later than that, on the monotonic clock.
        between: what else happens to the server in each life, a stopped database for instance.
        say: hears how it goes.
    """
    kills, server = Kills(), ServerProcess(data)
    with Stranger([server], rng) as stranger:
        _kill(server, kills, count, rng, ends, between, say)
    kills.stranger = stranger.to_json()
    return kills


def _kill(
    server: ServerProcess,
    kills: Kills,
    count: int,
    rng: random.Random,
    ends: float,
    between: Callable[[int, ServerProcess], None] | None,
    say: Callable[[str], None],
) -> None:
    logs: list[TableLog] = []
    while kills.tried < count and time.monotonic() < ends:
        if not server.start():
            kills.tried += 1
            say(f"the server did not come back after {kills.tried} kills")
            server.kill()
            break
        kills.restarts_s.append(server.start_s)
        with server.client() as client:
            for log in logs:
                check(client, log, kills)
            if kills.tried % LIVES_PER_TABLE == 0:
                logs = [new_log(client, rng), new_log(client, rng)]
        kills.survived += kills.tried > 0
        threads = [Player(server.address, logs[0]), Camera(server.address, logs[1])]
        for thread in threads:
            thread.start()
        if between is not None:
            between(kills.tried, server)
        if kills.tried % 2:  # a busy machine would seldom come as far as an answer
            threads[0].answered.wait(FIRST_ANSWER_S)
        time.sleep(rng.uniform(0.005, LATEST_KILL_S))
        server.kill()
        for thread in threads:
            thread.join(30)
        kills.tried += 1
        kills.told += threads[0].count
        kills.frames += threads[1].count
        if kills.tried % 100 == 0:
            say(f"{kills.tried} kills: {kills.to_json()}")
    if server.start():
        with server.client() as client:
            for log in logs:
                check(client, log, kills)
        kills.survived += 1
        server.stop()
