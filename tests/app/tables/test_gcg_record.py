"""Random games of Scrabble written as GCG: read again and scored again they are the same."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from kibitz.app.tables.records import gcg_game
from kibitz.engine.record.gcg import read_gcg, write_gcg
from kibitz.engine.record.gcg_replay import replay_gcg
from kibitz.engine.record.ledger import Entry, Ledger, Opening, open_ledger
from kibitz.engine.rules import Accepted
from tests.engine.random_games import TILES, play

GAMES = 60


@cache
def recorded(seed: int) -> Ledger:
    """A random game as a table keeps it."""
    actions = []

    def note(game, before, action, verdict, after):
        if isinstance(verdict, Accepted):
            actions.append(action)

    played = play("scrabble", random.Random(f"gcg {seed}"), 150, note)
    start = played.start
    opening = Opening(played.game, start.players, start.options, start.materials)
    ledger = open_ledger(opening)
    for photo, action in enumerate(actions):
        ledger, _ = ledger.add(Entry(action, photo))
    return ledger


@pytest.mark.parametrize("seed", range(GAMES))
def test_written_and_read_again(seed):
    """Every move comes back, and every score and total is what a second reckoning gives."""
    ledger = recorded(seed)
    game = gcg_game(ledger)
    again = read_gcg(write_gcg(game))
    scored = replay_gcg(again, [TILES])

    assert [
        (m.player, m.kind, m.square, m.axis, m.word, m.score, m.total) for m in game.moves
    ] == [(m.player, m.kind, m.square, m.axis, m.word, m.score, m.total) for m in again.moves]
    assert [] == scored.wrong
    assert dict(ledger.state.scores) == scored.scores


def test_the_games_have_what_can_happen():
    """Plays, exchanges, passes, plays taken off, points for wrong challenges, racks at the end."""
    kinds = Counter(m.kind for seed in range(GAMES) for m in gcg_game(recorded(seed)).moves)

    assert {"play", "exchange", "pass", "withdrawn", "bonus", "racks"} == set(kinds)
