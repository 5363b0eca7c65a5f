"""When a game of Scrabble ends, and who wins (CL-15 to CL-18)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games import find_game
from kibitz.engine.games.scrabble.events import close_window, finish, folded, recounted
from kibitz.engine.options import check_options
from kibitz.engine.rules import Action, Event, Materials, apply
from kibitz.engine.words.lexicon import words_from_text

GAME = find_game("scrabble")
MATERIALS = Materials(words_from_text("CAT"), load_tile_set("en"))
PLAY = Event(
    "_played",
    {
        "player": "Ann",
        "tiles": {"H8": "C", "H9": "A", "H10": "T"},
        "words": [{"word": "CAT", "score": 10}],
        "score": 10,
    },
)
SETTLED = Event("_settled", {})


def table(settings=None, players=("Ann", "Bob"), **initial):
    settings = {"cl." + name: value for name, value in (settings or {}).items()}
    options = check_options(GAME.info, settings)
    return GAME.begin(players, options, MATERIALS, initial)


def test_the_window_closes_before_it_ends():
    """What goes out is settled first; where nothing waits nothing happens (CL-16)."""
    state = table(bag_count=0, rack_counts={"Ann": 3, "Bob": 2})

    assert [] == close_window(state)
    assert ["_settled", "_end_racks", "game_over"] == [
        e.kind for e in close_window(folded(state, [PLAY]))
    ]


def test_with_an_empty_bag_the_last_rack_is_what_nobody_has_seen():
    """The set's 187 points without the 5 of CAT, however the rack is told (CL-17)."""
    counts = {"Ann": 0, "Bob": 97}
    state = replace(folded(table(), [PLAY, SETTLED]), bag=0, counts=counts)
    racks, _ = finish(state, "out_of_tiles", "Ann")

    assert {"Ann": 182, "Bob": -182} == racks.data["change"]


@pytest.mark.parametrize(
    ("scores", "tie", "winner"),
    [
        ({"Ann": 30, "Bob": 20}, "pre_rack", ["Ann"]),
        ({"Ann": 25, "Bob": 20}, "pre_rack", ["Bob"]),
        ({"Ann": 29, "Bob": 20}, "pre_rack", ["Ann"]),
        ({"Ann": 29, "Bob": 20}, "draw", ["Ann", "Bob"]),
    ],
)
def test_the_highest_score_after_the_racks_wins(scores, tie, winner):
    """Equal, the higher one before them, or a draw (CL-18); Ann holds ten, Bob one."""
    state = table({"tie": tie}, scores=scores, racks={"Ann": ["Q"], "Bob": ["A"]})
    _, over = finish(state, "scoreless_turns", None)

    assert winner == over.data["winner"]


@pytest.mark.parametrize(("ann", "winner"), [(25, "Bob"), (35, "Ann")])
def test_racks_told_after_the_end_are_counted_once(ann, winner):
    """What was counted before is taken back, and the winner is found anew."""
    state = table(scores={"Ann": ann, "Bob": 20})
    before = folded(state, finish(state, "scoreless_turns", None))
    told = replace(before, racks={"Ann": ("Q",)})
    once = folded(told, recounted(told))
    twice = folded(once, recounted(once))

    assert (("Ann",), {"Ann": ann, "Bob": 20}) == (before.winner, before.scores)
    assert ((winner,), {"Ann": ann - 10, "Bob": 20}) == (once.winner, once.scores)
    assert (once.winner, once.scores) == (twice.winner, twice.scores)


@pytest.mark.parametrize("slug", ["scrabble", "scrabbleship"])
@pytest.mark.parametrize(
    ("kind", "data"), [("place", {"tiles": {"I8": "A"}}), ("exchange", {"count": 1})]
)
def test_nobody_plays_on_after_the_last_play(slug, kind, data):
    """What ends the game waits for a challenge: it may be let stand, not followed by a turn."""
    game = find_game(slug)
    fleets = {"ss.fleets": "told"} if slug == "scrabbleship" else {}
    options = check_options(game.info, {"reject_invalid": False, **fleets})
    start = {"bag_count": 0, "rack_counts": {"Ann": 3, "Bob": 2}}
    state = game.begin(("Ann", "Bob"), options, MATERIALS, start)
    cat = {"H8": "C", "H9": "A", "H10": "T"}
    state, _ = apply(game, state, Action("place", "Ann", None, {"tiles": cat, "window": "open"}))
    verdict = game.decide(state, Action(kind, "Bob", None, data))
    after, _ = apply(game, state, Action("accept"))

    assert ("game_over", after.over) == (getattr(verdict, "code", verdict), True)
