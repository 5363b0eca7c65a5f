"""Whatever people do in GrabScrab: no tile is lost, refusals change nothing, replay = live."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.grabscrab.rules import GAME
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, Materials, apply, replay
from kibitz.engine.words.lexicon import WordList
from tests.engine.games.grabscrab.grabscrab_words import SMALL

PLAYERS = ("Ann", "Bob", "Cyd", "Dee")
CHOICES = {s.name: s.choices for s in GAME.info.settings if s.choices and s.name.startswith("gs.")}


def random_action(state, bag, rng):
    """Something that somebody may try: mostly sensible, sometimes not."""
    player = rng.choice(PLAYERS)
    kind = rng.choices(
        ["flip", "claim", "steal", "tie", "give_up", "no_more_words", "tick", "overrule_root"],
        [12, 8, 10, 2, 1, 1, 1, 1],
    )[0]
    if kind == "flip":
        letter = rng.choice(sorted(bag.elements())) if bag else "A"
        return Action("flip", rng.choice([None, state.flipper, player]), data={"letter": letter})
    if kind == "tie":
        claims = [{"player": rng.choice(PLAYERS), **call(state, rng)} for _ in range(2)]
        return Action("tie", data={"claims": claims})
    if kind in ("claim", "steal"):
        return Action(
            "claim", player, rng.choice([None, 1.0]), call(state, rng, steal=kind == "steal")
        )
    if kind == "give_up":
        words = [w.word for w in state.words[player]] or [None]
        return Action("give_up", player, data={"word": rng.choice([None, *words])})
    if kind == "overrule_root":
        old, new = rng.sample(SMALL, 2)
        return Action(kind, data={"old": old, "new": new, "same": rng.random() < 0.5})
    return Action(kind, at=5.0)


def call(state, rng, *, steal=None):
    """A word that fits the table if there is one, else any word."""
    held = [(p, w) for p in PLAYERS for w in state.words[p]]
    pool = Counter(state.pool)
    if held and (steal or (steal is None and rng.random() < 0.5)):
        owner, old = rng.choice(held)
        have = Counter(old.tiles) + pool
        fitting = [w for w in SMALL if (Counter(w) - have).total() <= have["?"] and w != old.word]
        data = {"word": rng.choice(fitting or SMALL), "steal": old.word}
        if rng.random() < 0.7:
            data["from_player"] = owner
        if rng.random() < 0.15:
            data["also"] = [rng.choice(held)[1].word]
        return data
    fitting = [w for w in SMALL if (Counter(w) - pool).total() <= pool["?"]]
    return {"word": rng.choice(fitting if fitting and rng.random() < 0.9 else SMALL)}


def tiles_on(state):
    """Every tile that lies face up."""
    held = "".join(w.tiles for words in state.words.values() for w in words)
    return Counter(state.pool) + Counter(held)


def play(seed, actions=80):
    """A game of random actions.

    Returns:
        The first state, the events, the last state, and how many actions were accepted.
    """
    rng = random.Random(seed)
    chosen = {name: rng.choice(values) for name, values in CHOICES.items()}
    chosen["gs.final_window"] = rng.choice(["until_told", 3])
    tile_set = load_tile_set("en")
    full = Counter({x: tile_set.count(x) for x in (*tile_set.letters, "?")})
    options = check_options(GAME.info, chosen)
    common = Counter({x: n for x, n in full.items() if x in "?AEIOURSTNLDG"})
    few = Counter(rng.sample(sorted(common.elements()), 40))
    materials = Materials(WordList(frozenset(SMALL)), tile_set)
    state = start = GAME.begin(PLAYERS, options, materials, {"face_down": few.total()})
    events, accepted, held = [], 0, 0
    for _ in range(actions):
        action = random_action(state, few - tiles_on(state), rng)
        after, verdict = apply(GAME, state, action)
        if isinstance(verdict, Accepted):
            accepted += 1
            held += any(e.kind in ("won", "stolen") for e in verdict.events)
            events += verdict.events
            for event in verdict.events:
                assert all(isinstance(x, str) for x in GAME.announce(after, event))
        else:
            assert after == state, "a refused action changed the table"
            assert verdict.code
            assert verdict.message
        assert after.total == few.total(), "a tile was lost or found (GS-21)"
        assert not tiles_on(after) - few, "a tile lies there that the set does not have"
        assert after.face_down >= 0
        for words in after.words.values():
            for word in words:
                assert all(t in ("?", w) for t, w in zip(word.tiles, word.word, strict=True))
        assert after.flipper in PLAYERS
        state = after
    return start, events, state, accepted, held


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_random_play(seed):
    """Whatever is tried, no tile is lost, refusals change nothing, and replay equals play."""
    start, events, state, _, _ = play(seed)

    assert state == replay(GAME, start, events)


def test_random_play_gets_somewhere():
    """The random games of these tests hold words, so the claims above are not empty."""
    games = [play(seed) for seed in range(20)]

    assert sum(g[3] for g in games) > 200
    assert sum(g[4] for g in games) > 30


@pytest.mark.slow
def test_a_thousand_random_games():
    """A thousand games without a crash."""
    for seed in range(1000):
        start, events, state, _, _ = play(seed)

        assert state == replay(GAME, start, events)
