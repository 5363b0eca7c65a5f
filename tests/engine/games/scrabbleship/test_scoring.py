"""Shots and scores of one play of ScrabbleShip, worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.scrabbleship.rules import GAME
from kibitz.engine.games.scrabbleship.scoring import (
    check_calls,
    close_window,
    fire,
    reveal,
    revealed_words,
    score_play,
)
from kibitz.engine.options import check_options
from kibitz.engine.rules import Action, Materials, apply
from kibitz.engine.table import Grid, parse_square, tile_from_text
from kibitz.engine.words.lexicon import words_from_text
from tests.helpers.property_examples import tries

pytestmark = pytest.mark.fast

TILES = load_tile_set("en")
MATERIALS = Materials(words_from_text("CAT"), TILES)


def squares(names):
    return tuple(parse_square(name) for name in names.split())


def fleets(**ships):
    """Fleets of a ship or a few: `Bob="patrol I8 I9, destroyer J8 J9 J10"`."""
    out = {}
    for owner, text in ships.items():
        parts = [part.split(maxsplit=1) for part in text.split(",")]
        out[owner] = {ship: squares(lies) for ship, lies in parts}
    return out


def laid(start, word, axis="down"):
    """A board with one word on it, and its squares."""
    places = [parse_square(start).step(axis, i) for i in range(len(word))]
    tiles = {s: tile_from_text(x) for s, x in zip(places, word, strict=True)}
    return Grid(15, 15).with_tiles(tiles), tuple(places)


def scored(board, ships, *, by="Ann", hits="", strips="", **settings):
    """The score of a play of all tiles of a board but `hits`, which is hit before."""
    grid, new = board
    settings = {"ss." + name: value for name, value in settings.items()}
    options = check_options(GAME.info, settings)
    shots = fire(new, ships, frozenset(squares(hits)), (), options["ss.sink_mode"])
    return score_play(grid, new, shots, by, options, TILES, frozenset(squares(strips)))


CAT = laid("H8", "CAT")
"""5 points, doubled by the star."""
HIT_ALL = "I9 I10 I11 I12"


@pytest.mark.parametrize(
    ("ship", "lies", "mode", "turn"),
    [
        ("patrol", "I8 I9", 1, 40),
        ("destroyer", "I8 I9 I10", 1, 30),
        ("submarine", "I8 I9 I10", 1, 30),
        ("scrabbleship", "I8 I9 I10 I11", 1, 20),
        ("carrier", "I8 I9 I10 I11 I12", 1, 12),
        ("patrol", "I8 I9", 2, 40),
        ("carrier", "I8 I9 I10 I11 I12", 2, 10),
    ],
)
def test_what_each_ship_is_worth_to_the_word_that_sinks_it(ship, lies, mode, turn):
    """Factors (SS-24); of the carrier only the tile on it counts double, by method 1 (SS-23)."""
    found = scored(CAT, fleets(Bob=f"{ship} {lies}"), hits=HIT_ALL, sink_mode=mode)

    assert (turn, 1) == (found.turn, found.count_delta)


@pytest.mark.parametrize(
    ("ann", "bob", "settings", "turn", "count"),
    [
        ("patrol I8 I9", "", {}, 10 - 10, -1),
        ("patrol I8 I9, submarine J8 J9 J10", "", {}, 10 - 20, -2),
        ("patrol I8 I9, submarine J8 J9 J10", "", {"own_penalty_per": "turn"}, 10 - 10, -2),
        ("patrol I8 I9", "submarine J8 J9 J10", {}, 10 - 10, 0),
        ("patrol I8 I9", "submarine J8 J9 J10", {"own_sunk_cancels": "own"}, 30 - 10, 0),
        ("patrol I8 I9", "", {"sink_mode": 2}, 10, 0),
    ],
)
def test_who_sinks_an_own_ship_pays_for_it(ann, bob, settings, turn, count):
    """No bonus, ten points and the count; another's ship sunk beside it counts (SS-26, SS-27)."""
    ships = fleets(Ann=ann, Bob=bob) if bob else fleets(Ann=ann)
    found = scored(CAT, ships, **settings)

    assert (turn, count) == (found.turn, found.count_delta)


@pytest.mark.parametrize(
    ("scope", "hit", "words"),
    [
        ("through_hit", "I8", [("CAT", 40), ("TO", 2)]),
        ("through_hit", "J8", [("CAT", 40), ("TO", 8)]),
        ("main_word", "J8", [("CAT", 40), ("TO", 2)]),
        ("turn", "I8", [("CAT", 40), ("TO", 8)]),
    ],
)
def test_which_words_of_a_play_get_the_factor(scope, hit, words):
    """Those through the hit, the main one, or all of the turn (SS-28)."""
    grid, new = CAT
    board = grid.with_tiles({parse_square("J9"): tile_from_text("O")}), new
    lies = parse_square(hit)
    ships = {"Bob": {"patrol": (lies, lies.step("across", -1))}}

    assert words == list(scored(board, ships, ship_bonus_scope=scope).words)


@pytest.mark.parametrize(
    ("mode", "turn"),
    [
        ("multiplier", 30 * 2 * 2 + 50),
        ("flat", 30 * 2 + 26 + 50),
        ("face", (2 * 26 + 4) * 2 + 50),
        ("off", 30 * 2 + 50),
    ],
)
def test_how_kwyjibo_counts(mode, turn):
    """On H2 to H8 as the opening, its Y on a double letter (SS-12)."""
    assert turn == scored(laid("H2", "KWYJIBO", "across"), {}, kwyjibo=mode).turn


# --- shots ----------------------------------------------------------------------------------

BOTH = fleets(Ann="patrol G8 F8", Bob="submarine J8 J9 J10, patrol I8 I9, destroyer K8 L8 M8")


def test_ships_sink_in_the_order_of_their_last_tiles():
    """However the fleet is listed (SS-15), and each once however many tiles hit it (SS-21)."""
    shots = fire(squares("I8 J8 K8 L8"), BOTH, frozenset(), (), 1)

    assert ["patrol", "submarine", "destroyer"] == [ship for _, ship, _ in shots.sunk]


SOME = st.frozensets(st.sampled_from(squares("F8 G8 H8 I8 J8 K8 L8 M8 J9 I9")))


@tries(60)
@given(SOME, SOME)
def test_what_sinks_by_method_two_sinks_by_method_one(new, hits):
    """The first hit comes no later than the last; and each tile gets one call."""
    one, two = (fire(tuple(new), BOTH, hits - new, (), mode) for mode in (1, 2))

    assert set(two.sunk) <= set(one.sunk)
    assert sorted(new) == [call.square for call in one.calls]
    assert one.calls == two.calls


# --- calls that owners make themselves -------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        (["C7"], "['C7']"),
        ({"C7": "Bob"}, "'Bob' for C7"),
        ({"C7": {"owner": "Zoe"}}, "for C7"),
        ({"C7": {"owner": "Bob", "ship": "canoe"}}, "'canoe'"),
        ({"C7": {"owner": "Bob", "squares": ["Z9"]}}, "'Z9'"),
        ({"C7": {"owner": "Bob", "squares": 7}}, "C7:"),
        ({"Z9": {"owner": "Bob"}}, "'Z9'"),
    ],
)
def test_wrong_calls_say_what_came(calls, said):
    """Before anything is scored by them."""
    assert said in check_calls(calls, ("Ann", "Bob"))


# --- a play that waits -----------------------------------------------------------------------

LENGTHS = {"carrier": 5, "scrabbleship": 4, "submarine": 3, "destroyer": 3}
SHIPS = {
    owner: {
        "patrol": [f"{first}8", f"{first}9"],
        **{
            s: [f"{r}{i + 1}" for i in range(n)]
            for r, (s, n) in zip(rows, LENGTHS.items(), strict=True)
        },
    }
    for owner, first, rows in (("Ann", "A", "BCDE"), ("Bob", "I", "LMNO"))
}


def waiting(**settings):
    """CAT lies on the patrol, the last that Bob has, and may be challenged."""
    settings = {"ss." + name: value for name, value in settings.items()}
    options = check_options(GAME.info, settings)
    lost = [["Bob", ship] for ship in LENGTHS]
    start = {"fleets": SHIPS, "scores": {"Ann": 7}, "sunk": lost}
    state = GAME.begin(("Ann", "Bob"), options, MATERIALS, start)
    data = {"tiles": {"H8": "C", "I8": "A", "J8": "T"}, "window": "open"}
    return apply(GAME, state, Action("place", "Ann", None, data))[0]


def test_what_is_revealed_comes_in_order():
    """Calls, then each ship with its strip, then the score (SS-14, SS-15)."""
    events, result = reveal(waiting())

    assert ["miss", "hit", "miss", "sunk", "ship_tile", "_scored"] == [e.kind for e in events]
    assert {"square": "I8", "owner": "Bob"} == events[1].data
    assert 7 + 40 == events[-1].data["total"]
    assert (40, 1) == (result["turn_score"], result["ship_count_delta"])


@pytest.mark.parametrize(
    ("mode", "first"), [("after_challenge", "miss"), ("immediate", "_settled")]
)
def test_the_window_closes_with_what_was_held_back(mode, first):
    """Once: what was revealed at once is not told again; Bob's only ship is sunk."""
    events = close_window(waiting(reveal=mode))

    assert [first, "_settled", "game_over"] == [
        events[0].kind,
        *(e.kind for e in events if e.kind in ("_settled", "game_over")),
    ]


def test_where_nothing_waits_nothing_is_told():
    """Neither a window nor a play."""
    options = check_options(GAME.info, {})
    state = GAME.begin(("Ann", "Bob"), options, MATERIALS)

    assert ([], ([], {}), []) == (close_window(state), reveal(state), revealed_words(state))


@pytest.mark.parametrize(
    ("told", "calls"),
    [
        ({}, []),
        ({"calls": {}}, ["miss", "miss", "miss"]),
        ({"calls": {"I8": {"owner": "Bob", "ship": "patrol"}}}, ["miss", "hit", "miss"]),
    ],
)
def test_owners_who_said_nothing_called_no_miss(told, calls):
    """Where fleets are told to nobody, only what owners called is called (SS-A15)."""
    options = check_options(GAME.info, {"ss.fleets": "told"})
    state = GAME.begin(("Ann", "Bob"), options, MATERIALS)
    tiles = {"H8": "C", "I8": "A", "J8": "T"}
    state, verdict = apply(GAME, state, Action("place", "Ann", None, {"tiles": tiles, **told}))
    _, later = apply(GAME, state, Action("pass", "Bob", None, {}))

    said = [e.kind for e in (*verdict.events, *later.events)]
    assert calls == [kind for kind in said if kind in ("miss", "hit")]


def _on_paper(settings, *actions):
    """The game after actions, with fleets that Kibitz is not told, and the last verdict."""
    options = check_options(GAME.info, {"ss.fleets": "told", **settings})
    state = GAME.begin(("Ann", "Bob"), options, MATERIALS)
    tiles = {"H8": "C", "I8": "A", "J8": "T"}
    verdict = None
    for action in (Action("place", "Ann", None, {"tiles": tiles}), *actions):
        state, verdict = apply(GAME, state, action)
    return state, verdict


CALLED = Action(
    "call", "Bob", None, {"calls": {"J8": {"owner": "Bob", "ship": "patrol", "sunk": True}}}
)
NO_WORD = Action("challenge", "Bob", None, {})


@pytest.mark.parametrize(
    "settings",
    [{}, {"ss.challenge": "any_word"}, {"ss.reveal": "immediate"}, {"reject_invalid": True}],
)
@pytest.mark.parametrize("before", [(), (NO_WORD,)], ids=["called", "challenged"])
def test_a_play_waits_for_what_its_owners_call(settings, before):
    """Also after a challenge that failed: then it scores and sinks, and waits no more (SS-A15)."""
    waiting = _on_paper(settings, *before)[0]
    state, verdict = _on_paper(settings, *before, CALLED)

    assert (True, {"Ann": 0, "Bob": 0}) == (
        GAME.view(waiting, None)["waits_for_calls"],
        waiting.scores,
    )
    assert 40 == state.scores["Ann"] == verdict.result["turn_score"]
    assert (1, False) == (state.ship_count["Ann"], GAME.view(state, None)["waits_for_calls"])


@pytest.mark.parametrize(
    ("actions", "code"),
    [
        ((CALLED, CALLED), "no_calls_awaited"),
        ((Action("call", "Bob", None, {"calls": {"K8": {"owner": "Bob"}}}),), "bad_action"),
        ((Action("call", "Bob", None, {}),), "bad_action"),
    ],
)
def test_calls_are_of_the_tiles_that_wait(actions, code):
    """Once, and of no other square."""
    assert code == _on_paper({}, *actions)[1].code
