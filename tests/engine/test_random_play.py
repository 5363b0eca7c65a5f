"""Properties that hold in any game, tried by random play."""

import json
import random

import pytest

from engine.rules import Accepted, Event, Refused, replay
from tests.engine.random_games import begin, random_action

GAMES = ["scrabble", "scrabbleship", "frankenscrabbards", "scrabble-house", "scrabbage"]
TRIES = 60


def play(slug, seed, check):
    """Try random actions, calling `check(game, before, action, verdict, after)` for each."""
    rng = random.Random(f"{slug}-{seed}")
    challenge = rng.choice([True, False])
    game, start = begin(slug, reject_invalid=challenge)
    state, events = start, []
    for _ in range(TRIES):
        action = random_action(slug, game, state, rng)
        verdict = game.decide(state, action)
        before = state
        if isinstance(verdict, Accepted):
            for event in verdict.events:
                state = game.evolve(state, event)
            events += verdict.events
        check(game, before, action, verdict, state)
    return game, start, state, events


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_live_and_replayed_are_one(slug, seed):
    """Folding the events again gives the same state, also after they went through JSON."""
    game, start, live, events = play(slug, seed, lambda *_: None)
    kept = json.loads(json.dumps([{"kind": e.kind, "data": dict(e.data)} for e in events]))

    assert live == replay(game, start, events)
    assert live == replay(game, start, [Event(e["kind"], e["data"]) for e in kept])


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_refusals_have_a_code_and_change_nothing(slug, seed):
    """A refused action leaves the state as it was and says why."""
    seen = []

    def check(game, before, action, verdict, after):
        if isinstance(verdict, Refused):
            seen.append(
                (before == after, bool(verdict.code), verdict.message.endswith((".", "?")))
            )

    play(slug, seed, check)

    assert set(seen) <= {(True, True, True)}
    assert seen


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_views_and_lines_can_be_sent(slug, seed):
    """Every view is plain JSON and every announcement a sentence."""
    lines = []

    def check(game, before, action, verdict, after):
        for viewer in (None, "Ann"):
            json.dumps(game.view(after, viewer))
        if isinstance(verdict, Accepted):
            for event in verdict.events:
                lines.extend(game.announce(after, event))

    play(slug, seed, check)

    assert [] == [x for x in lines if not x.endswith((".", "!", "?"))]


@pytest.mark.parametrize("seed", range(8))
def test_an_explosion_leaves_no_mixed_string(seed):
    """After every settled play of Scrabble House each connected string faces one side."""
    mixed = []

    def check(game, before, action, verdict, after):
        board = after.boards[0]
        if board.pending is None:
            for square, (_, side) in board.cells.items():
                for n in (square.step("across"), square.step("down")):
                    if n in board.cells and board.cells[n][1] != side:
                        mixed.append((square.name, n.name))

    play("scrabble-house", seed, check)

    assert [] == mixed


@pytest.mark.parametrize("seed", range(8))
def test_scrabble_conserves_its_tiles(seed):
    """Board, racks and bag always add up to the set."""
    totals = set()

    def check(game, before, action, verdict, after):
        totals.add(len(after.grid.tiles) + after.bag + sum(after.counts.values()))

    play("scrabble", seed, check)

    assert {26 * 9 + 2} == totals
