"""Whatever is sent, an action is judged and never breaks the rules or the state."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kibitz.engine.rules import Accepted, Action, Refused
from tests.engine.random_games import NAMES, SLUGS, begin, play
from tests.helpers.property_examples import tries

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 200)
    | st.floats(allow_nan=True)
    | st.sampled_from(["", "A", "H8", "4:B8", "?", "Ann", "ANN", "é", "A1", "Z99", "cat", "½"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["H8", "H9", "Ann", "owner", "word", "x", ""]), inner)
    ),
    max_leaves=6,
)
FIELDS = (
    "tiles", "count", "words", "word", "verdict", "fleet", "racks", "square", "letter", "value",
    "field", "squares", "winner", "claims", "steal", "from_player", "also", "old", "new", "same",
    "turned", "lifted", "board", "bonus", "calls", "main_word", "players", "total_words",
    "final_frank", "points", "out", "valid", "same_root", "explode", "window", "forced",
)  # fmt: skip
KINDS = (
    "place", "pass", "exchange", "challenge", "accept", "withdraw", "answer", "racks", "end_game",
    "enter_fleet", "go_on", "judge_decision", "no_plays", "lay_card", "abandon", "finish_game",
    "flip", "claim", "tie", "give_up", "no_more_words", "overrule_root", "tick", "object", "tidy",
    "press_clock", "flag_fall", "draw_limit", "draw", "tile", "go", "end_of_play", "scrab",
    "end_of_hand", "hand", "deal_info", "working_on", "rule_fragment", "play_off", "discard",
    "dance",
)  # fmt: skip
ACTIONS = st.builds(
    Action,
    st.sampled_from(KINDS),
    st.sampled_from([None, *NAMES, "Zed"]),
    st.none() | st.floats(0, 2000),
    st.dictionaries(st.sampled_from(FIELDS), JUNK, max_size=4),
)


@pytest.mark.parametrize("slug", SLUGS)
@tries(40)
@given(actions=st.lists(ACTIONS, min_size=1, max_size=4), seed=st.integers(0, 30))
@example(actions=[Action("press_clock")], seed=6)  # with a clock, at no known time
@example(actions=[Action("challenge", None, None, {"words": 1})], seed=0)
def test_junk_is_judged(slug, actions, seed):
    """Every answer is a verdict; what is accepted can be folded, shown and said."""
    played = play(slug, random.Random(seed), 12)
    game, state = played.game, played.state
    for action in actions:
        before = repr(state)
        verdict = game.decide(state, action)
        assert before == repr(state)
        if isinstance(verdict, Refused):
            assert verdict.code
            assert verdict.message.endswith((".", "?"))
            continue
        assert isinstance(verdict, Accepted)
        json.dumps([event.to_json() for event in verdict.events])
        for event in verdict.events:
            state = game.evolve(state, event)
        for event in verdict.events:
            game.announce(state, event)
        json.dumps(game.view(state, NAMES[0]))


POSITION = st.dictionaries(
    st.sampled_from(
        ["board", "board45", "boards", "scores", "racks", "to_move", "bag_count", "fleets", "sunk",
         "hits", "hands", "hand", "pool", "words", "tiles", "flipper", "face_down", "dealer",
         "scrab", "tiles_left", "records", "plays", "main_cluster", "first_play_done", "blanks",
         "bag", "bags", "last_flip", "won", "scoreless_run", "pass_run", "ship_count",
         "team_scores", "frank", "dismissed", "last_tile_by", "plays_so_far", "date"]
    ),
    JUNK,
    max_size=4,
)  # fmt: skip


@pytest.mark.parametrize("slug", SLUGS)
@tries(60)
@given(position=POSITION)
def test_a_junk_position_is_refused_or_taken(slug, position):
    """A position that cannot be is a `ValueError` and nothing else; any other can be shown."""
    game, empty = begin(slug)
    try:
        state = game.begin(NAMES[:2], empty.options, empty.materials, position)
    except ValueError:
        state = empty

    assert json.dumps(game.view(state, None))
