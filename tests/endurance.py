"""Attack Kibitz for as long as you like, on this machine alone, and say what came of it.

    python tests/endurance.py --kills 1000 --mutations 100000 --soak-minutes 60 --hours 3
    python tests/endurance.py --short

Kills a server at random moments while plays and photographs are posted; gives mutated inputs
through every door; keeps 50 tables and 200 pages busy; all the while a stranger attacks from this
machine. Leaves with 1 if anything told was lost,
anything broke, hung or leaked. Nothing outside this machine is reached.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.enduring.doors import run_doors
from tests.enduring.hall import run_hall_kills
from tests.enduring.kills import run_kills
from tests.enduring.server import ServerProcess
from tests.enduring.soak import run_soak

DATABASE_STOPS_EVERY = 5


def say(text: str) -> None:
    """How it goes, for people who wait."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


def asked(given: list[str] | None = None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=1000, help="of a server with SQLite")
    parser.add_argument(
        "--postgres-kills", type=int, default=0, help="with PostgreSQL, which stops too"
    )
    parser.add_argument(
        "--hall", type=int, default=0, help="kills of one of two servers on one PostgreSQL"
    )
    parser.add_argument("--mutations", type=int, default=100_000, help="inputs over all doors")
    parser.add_argument(
        "--soak-minutes", type=float, default=60.0, help="of many tables and pages"
    )
    parser.add_argument("--tables", type=int, default=50, help="in the soak")
    parser.add_argument("--sockets", type=int, default=200, help="pages in the soak")
    parser.add_argument("--hours", type=float, default=3.0, help="no longer than that in all")
    parser.add_argument("--seed", type=int, default=0, help="0: another each time")
    parser.add_argument("--short", action="store_true", help="less than a minute of everything")
    given_options = parser.parse_args(given)
    if given_options.short:
        short = {"kills": 4, "mutations": 300, "soak_minutes": 0.08, "tables": 5, "sockets": 20}
        for name, value in {**short, "postgres_kills": 0, "hall": 0, "hours": 0.05}.items():
            setattr(given_options, name, value)
    return given_options


def kills_with_postgres(count: int, rng: random.Random, ends: float) -> dict[str, Any] | None:
    """Kills of a server whose database stops and starts too; None: there is no PostgreSQL here."""
    from tests.app.common.storage.postgres_help import PostgresServer, _programs

    programs = _programs()
    if programs is None:
        return None
    database = PostgresServer(programs)

    def between(number: int, _server: ServerProcess) -> None:
        if number % DATABASE_STOPS_EVERY == 0:
            time.sleep(rng.random() * 0.2)
            database.stop()
            time.sleep(rng.random() * 0.5)
            database.start()

    try:
        return run_kills(database.address, count, rng, ends, between=between, say=say).to_json()
    finally:
        database.remove()


def kills_in_a_hall(count: int, rng: random.Random, ends: float) -> dict[str, Any] | None:
    """Kills of one of two servers that share a database; None: there is no PostgreSQL here."""
    from tests.app.common.storage.postgres_help import PostgresServer, _programs

    programs = _programs()
    if programs is None:
        return None
    database = PostgresServer(programs)
    try:
        kills = run_hall_kills(database.address, count, rng, ends, say=say)
        return {**kills.to_json(), "good": kills.good}
    finally:
        database.remove()


def main(given: list[str] | None = None) -> int:
    """Run what is asked for; 0 if nothing broke."""
    options = asked(given)
    seed = options.seed or random.SystemRandom().randrange(1, 10**6)
    rng, began = random.Random(seed), time.monotonic()
    ends = began + options.hours * 3600
    report: dict[str, Any] = {"seed": seed}
    good = True
    if options.kills:
        say(f"{options.kills} kills")
        with tempfile.TemporaryDirectory(prefix="kibitz-kills-") as folder:
            kills = run_kills(folder, options.kills, rng, ends, say=say)
        report["kills"], good = kills.to_json(), good and kills.good
    if options.postgres_kills:
        found = kills_with_postgres(options.postgres_kills, rng, ends)
        report["postgres_kills"] = found or "PostgreSQL is not installed here"
        broke = found and (found["lost"] or found["doubled"] or found["wrong"])
        good = good and not broke
    if options.hall:
        say(f"{options.hall} kills in a hall")
        hall = kills_in_a_hall(options.hall, rng, ends)
        report["hall"] = hall or "PostgreSQL is not installed here"
        good = good and (hall is None or hall["good"])
    if options.mutations:
        say(f"{options.mutations} mutated inputs")
        doors = run_doors(options.mutations, rng, ends, say)
        report["mutations"], good = doors.to_json(), good and doors.good
    seconds = min(options.soak_minutes * 60, ends - time.monotonic())
    if seconds > 0:
        soak = run_soak(options.tables, options.sockets, seconds, rng, say)
        report["soak"], good = soak.to_json(), good and soak.good
    report["minutes"] = round((time.monotonic() - began) / 60, 1)
    report["good"] = bool(good)
    sys.stdout.write(json.dumps(report, indent=1) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
