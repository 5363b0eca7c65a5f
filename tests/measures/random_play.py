"""Random games by the thousand, to see that nothing breaks.

    python -m tests.measures.random_play --games 1000
    python -m tests.measures.random_play --game scrabbage --games 50 --seed 7

After every action the state is shown to a watcher and to a player, every event is announced, and
at the end of each game its events are folded again. The first game that breaks is named with its
seed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from typing import Any

from kibitz.engine.rules import Accepted, replay
from tests.engine.random_games import SLUGS, Played, play

TRIES = 400
LONG = {"scrabbage": 2500}
"""A game of one tile a turn takes longer to reach its end."""


def show(game: Any, before: Any, action: Any, verdict: Any, after: Any) -> None:
    """Print everything that people would see and hear."""
    if isinstance(verdict, Accepted):
        for viewer in (None, after.players[0]):
            json.dumps(game.view(after, viewer))
        for event in verdict.events:
            game.announce(after, event)


def one_game(slug: str, seed: str) -> Played:
    """Play a random game from a seed and replay it at its end."""
    played = play(slug, random.Random(seed), LONG.get(slug, TRIES), show)
    if replay(played.game, played.start, played.events) != played.state:
        raise AssertionError("the events of the game do not lead to its state")
    return played


def many_games(slug: str, count: int, seed: int) -> str | None:
    """Play games and print figures; returns the seed of the first that broke, or None."""
    began = time.process_time()
    tried = accepted = finished = 0
    for number in range(count):
        name = f"{slug}-{seed + number}"
        try:
            played = one_game(slug, name)
        except Exception:  # noqa: BLE001 - whatever breaks is what is looked for
            traceback.print_exc()
            return name
        tried += played.tried
        accepted += played.accepted
        finished += played.state.over
    took = time.process_time() - began
    print(
        f"{slug:18} {count} games, {tried} actions, {accepted} accepted, {finished} finished, {took:.0f} s of one core"
    )
    return None


def main() -> int:
    """Play as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=SLUGS)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    broken = [
        name
        for slug in ([told.game] if told.game else SLUGS)
        if (name := many_games(slug, told.games, told.seed))
    ]
    for name in broken:
        print(f"BROKEN: {name}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
