"""Properties that hold in any game, tried by random play."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kibitz.engine.board.layouts import STANDARD_LAYOUT, letter_factor, word_factor
from kibitz.engine.games.frankenscrabbards.clusters import groups_of
from kibitz.engine.rules import Accepted, Action, Event, Refused, action_from_json, apply, replay
from kibitz.engine.table import Grid, Square, Tile, parse_square
from kibitz.engine.tiles.unseen import size_of
from kibitz.engine.words.formed import words_formed
from tests.engine.random_games import NAMES, SLUGS, TILES, begin, play, random_fleet
from tests.helpers.property_examples import tries

QUICK = tries(10)
SEEDS = st.integers(0, 10**9)
TRIES = 50
EVERY_GAME = pytest.mark.parametrize("slug", SLUGS)
SECRET_FIELDS = {"fleet", "fleets", "rack", "racks", "hand", "hands"}


def played(slug, seed, check=None):
    """A random game from a seed."""
    return play(slug, random.Random(seed), TRIES, check)


@EVERY_GAME
@QUICK
@given(seed=SEEDS)
def test_live_and_replayed_are_one(slug, seed):
    """Folding the events again gives the same state, also after they went through JSON."""
    game = played(slug, seed)
    kept = json.loads(json.dumps([{"kind": e.kind, "data": dict(e.data)} for e in game.events]))

    assert game.state == replay(game.game, game.start, game.events)
    assert game.state == replay(game.game, game.start, [Event(e["kind"], e["data"]) for e in kept])


@EVERY_GAME
@QUICK
@given(seed=SEEDS)
def test_actions_written_down_play_the_same_game(slug, seed):
    """A record of the actions alone leads to the same state."""
    actions = []

    def note(game, before, action, verdict, after):
        if isinstance(verdict, Accepted):
            actions.append(json.loads(json.dumps(action.to_json())))

    game = played(slug, seed, note)
    state = game.start
    for fields in actions:
        state, _ = apply(game.game, state, action_from_json(fields))

    assert game.state == state


@EVERY_GAME
@QUICK
@given(seed=SEEDS)
def test_refusals_have_a_code_and_change_nothing(slug, seed):
    """A refused action leaves the state, written out, as it was and says why."""
    told = []

    def check(game, before, action, verdict, after):
        if isinstance(verdict, Refused):
            shown = repr(before)
            again = game.decide(before, action)
            same = repr(before) == shown and again == verdict and after == before
            told.append((same, bool(verdict.code), verdict.message[-1] in ".?"))

    played(slug, seed, check)

    assert set(told) <= {(True, True, True)}


@EVERY_GAME
@QUICK
@given(seed=SEEDS)
def test_views_and_lines_can_be_sent(slug, seed):
    """Every view is plain JSON and every announcement a sentence."""
    lines = []

    def check(game, before, action, verdict, after):
        for viewer in (None, *after.players):
            json.dumps(game.view(after, viewer))
        if isinstance(verdict, Accepted):
            json.dumps(dict(verdict.result))
            for event in verdict.events:
                lines.extend(game.announce(after, event))

    played(slug, seed, check)

    assert [] == [x for x in lines if not x.endswith((".", "!", "?"))]


def tiles_of(slug, state):
    """How many tiles there are, everywhere."""
    if slug == "grabscrab":
        return state.total
    if slug == "scrabble-house":
        held = sum(h.own + h.other for h in state.hands.values())
        on_boards = sum(len(b.cells) + b.bag for b in state.boards)
        return on_boards + held + state.away.own + state.away.other
    if slug == "scrabbage":
        return 0  # hands are seldom told: see the bag below
    return len(state.grid.tiles) + state.bag + sum(state.counts.values())


@EVERY_GAME
@QUICK
@given(seed=SEEDS)
def test_tiles_are_conserved(slug, seed):
    """Boards, racks, pools, words and bags always add up to the same; only told racks change it."""
    totals = set()

    def check(game, before, action, verdict, after):
        if action.kind != "racks" and isinstance(verdict, Accepted):
            totals.add(tiles_of(slug, after) - tiles_of(slug, before))

    played(slug, seed, check)

    assert totals <= {0}


@QUICK
@given(seed=SEEDS)
def test_the_bag_of_scrabbage_holds_what_does_not_lie(seed):
    """After each hand everything that is not on the board is in the bag (SB-29)."""
    wrong = []

    def check(game, before, action, verdict, after):
        if isinstance(verdict, Accepted) and any(e.kind == "_hand_over" for e in verdict.events):
            wrong.append(size_of(TILES) - len(after.grid.tiles) - after.bag)

    played("scrabbage", seed, check)

    assert set(wrong) <= {0}


def keys_in(value):
    """Every key of a JSON value, at any depth."""
    if isinstance(value, dict):
        return set(value) | {k for v in value.values() for k in keys_in(v)}
    if isinstance(value, list):
        return {k for v in value for k in keys_in(v)}
    return set()


@pytest.mark.parametrize("slug", ["scrabble", "scrabbleship", "scrabbage"])
@QUICK
@given(seed=SEEDS)
def test_open_events_hold_no_secret(slug, seed):
    """What carries a fleet, a rack or a hand is for its owner alone."""
    leaks = []

    def check(game, before, action, verdict, after):
        for event in verdict.events if isinstance(verdict, Accepted) else ():
            secret = keys_in(dict(event.data)) & SECRET_FIELDS
            if secret and (event.visible_to is None or len(event.visible_to) != 1):
                leaks.append((event.kind, secret))

    played(slug, seed, check)

    assert [] == leaks


def shown_to_others(game, state, owner):
    """All that anybody but the owner sees."""
    return [game.view(state, viewer) for viewer in (None, *state.players) if viewer != owner]


@QUICK
@given(seed=SEEDS)
def test_nobody_sees_a_difference_between_two_fleets(seed):
    """Games that differ in a hidden fleet look the same to all but its owner, until it is hit."""
    rng = random.Random(seed)
    game, state = begin("scrabbleship", players=NAMES[:2])
    fleets = []
    while len(fleets) < 2:
        fleet = random_fleet(state, "Ann", rng)
        action = Action("enter_fleet", "Ann", None, {"fleet": fleet})
        if isinstance(game.decide(state, action), Accepted):
            fleets.append(action)
    # Row H holds no ship (SS-5), so a play along it tells nothing.
    play_on_h = Action("place", None, None, {"tiles": {"H7": "A", "H8": "T"}})
    shown = []
    for action in fleets:
        now, _ = apply(game, state, action)
        now, _ = apply(game, now, play_on_h)
        shown.append(shown_to_others(game, now, "Ann"))

    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("slug", "kind", "field"),
    [
        ("scrabble", "racks", "racks"),
        ("scrabbleship", "racks", "racks"),
        ("scrabbage", "hand", ""),
    ],
)
@QUICK
@given(seed=SEEDS)
def test_nobody_sees_a_difference_between_two_racks(slug, kind, field, seed):
    """Games that differ in a told rack or hand look the same to all but its owner."""
    game, state = begin(slug, players=NAMES[:2])
    rng = random.Random(seed)
    shown = []
    for _ in range(2):
        tiles = rng.choices("AEIOURSTLN?", k=4)
        data = {field: {"Ann": tiles}} if field else {"tiles": tiles}
        now, verdict = apply(game, state, Action(kind, "Ann", None, data))
        assert isinstance(verdict, Accepted)
        assert tiles == (game.view(now, "Ann").get("rack") or game.view(now, "Ann")["hand"])
        shown.append(shown_to_others(game, now, "Ann"))

    assert shown[0] == shown[1]


@QUICK
@given(seed=SEEDS)
def test_a_premium_square_pays_once(seed):
    """Every word's score is that of its letters, with premiums only where none was used before."""
    wrong, used = [], set()

    def check(game, before, action, verdict, after):
        nonlocal used
        if not isinstance(verdict, Accepted) or action.kind != "place":
            return
        if "words" not in verdict.result:
            return
        used = {s for s in used if s in before.grid}
        new = {parse_square(s) for s in action.data["tiles"]}
        fresh = {s for s in new if s in STANDARD_LAYOUT.premiums and s not in used}
        scores = []
        for run in words_formed(after.grid, new):
            total, factor = 0, 1
            for square in run.squares:
                tile = after.grid.tiles[square]
                value = 0 if tile.blank else TILES.value(tile.letter)
                total += value * (letter_factor(square) if square in fresh else 1)
                factor *= word_factor(square) if square in fresh else 1
            scores.append(total * factor)
        used |= fresh
        if scores != [w["score"] for w in verdict.result["words"]]:
            wrong.append((action, verdict.result))

    played("scrabble", seed, check)

    assert [] == wrong


@QUICK
@given(seed=SEEDS)
def test_joined_boards_do_not_depend_on_the_order_of_plays(seed):
    """The same tiles laid in another order make the same clusters, by both settings."""
    rng = random.Random(seed)
    tiles = {}
    for _ in range(rng.randint(5, 25)):
        at = Square(rng.randrange(45), rng.randrange(45))
        axis = rng.choice(["across", "down"])
        run = [at.step(axis, i) for i in range(rng.randint(2, 30))]
        tiles |= {s: Tile("A") for s in run if s.row < 45 and s.col < 45}
    shuffled = list(tiles.items())
    rng.shuffle(shuffled)
    there, back = Grid(45, 45, tiles), Grid(45, 45, dict(shuffled))

    for connect in ("star_group", "any_crossing"):
        groups = groups_of(there, connect)
        assert groups == groups_of(back, connect)
        assert len({b for g in groups for b in g}) == sum(len(g) for g in groups)


@QUICK
@example(seed=372)
@given(seed=SEEDS)
def test_no_board_of_scrabble_house_is_mixed(seed):
    """On a board in play each pair of neighbours faces one side, unless people declined."""
    mixed = []

    def check(game, before, action, verdict, after):
        for board in after.boards if after.options["sh.explode"] == "always" else ():
            # an objection may end a board before what it broke up has exploded
            settled = board.pending is None and board.result is None
            for square, (_, side) in board.cells.items() if settled else ():
                for near in (square.step("across"), square.step("down")):
                    if near in board.cells and board.cells[near][1] != side:
                        mixed.append((square.name, near.name))

    played("scrabble-house", seed, check)

    assert [] == mixed
