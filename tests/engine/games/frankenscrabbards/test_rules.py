"""What Frankenscrabbards lets a team do: stars first, few words, records (FS-6 to FS-24)."""

from __future__ import annotations

from functools import partial

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.frankenscrabbards.rules import GAME
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, Change, Materials, apply
from kibitz.engine.table import Square
from kibitz.engine.words.lexicon import words_from_text
from tests.helpers.steps import after_steps

pytestmark = pytest.mark.fast

MATERIALS = Materials(words_from_text("CAT\nAT"), load_tile_set("en"))
CAT = {"1:H7": "C", "1:H8": "A", "1:H9": "T"}
LAID = ("place", "Ann", {"tiles": CAT})


def table(settings=None, **initial):
    """A team of Ann and Bob before nine boards."""
    return GAME.begin(("Ann", "Bob"), check_options(GAME.info, settings or {}), MATERIALS, initial)


done = partial(after_steps, GAME)


@pytest.mark.parametrize(
    ("tiles", "code"),
    [
        ({"H8": "A"}, "bad_action"),
        ({"1:A1": "C", "1:A2": "A", "1:A3": "T"}, "opening_needs_star"),
        ({"5:H8": "A"}, "no_word"),
        ({"5:H8": "A", "5:H9": "A"}, "not_a_word"),
        ({"9:H8": "A", "9:H9": "T"}, "ok"),
        (CAT, "ok"),
    ],
)
def test_a_play_covers_a_free_star(tiles, code):
    """Squares are named with their board, and any board may come first (FS-3, FS-7)."""
    assert [code] == done(table(), ("place", "Ann", {"tiles": tiles}))[1]


def test_words_are_counted_and_not_scored():
    """Each play is one word more; the next player is to move (FS-10)."""
    second = {"2:H8": "A", "2:H9": "T"}
    state, codes = done(table(), LAID, ("place", "Bob", {"tiles": second}))

    assert ["ok", "ok"] == codes
    assert (2, "Ann") == (state.total, state.to_move)


def test_nobody_lays_more_tiles_than_they_hold():
    """How many that is may be told (FS-9)."""
    assert ["not_on_rack"] == done(table(rack_counts={"Ann": 2}), LAID)[1]


def test_only_the_last_play_is_taken_back():
    """Before the next one, and once; its word does not count (FS-A11)."""
    state, codes = done(table(), ("withdraw", "Ann", {}), LAID, *[("withdraw", "Ann", {})] * 2)

    assert ["nothing_to_withdraw", "ok", "ok", "nothing_to_withdraw"] == codes
    assert (0, 0) == (state.total, len(state.grid.tiles))


@pytest.mark.parametrize(
    ("mode", "kind", "code", "total"),
    [
        ("off", "pass", "no_exchange", 0),
        ("off", "exchange", "no_exchange", 0),
        ("counts", "pass", "ok", 1),
        ("counts", "exchange", "ok", 1),
    ],
)
def test_passing_counts_as_a_word_where_it_is_allowed(mode, kind, code, total):
    """As the group has agreed (FS-12)."""
    state, codes = done(table({"fs.exchange": mode}), (kind, "Ann", {}))

    assert ([code], total) == (codes, state.total)


def test_what_a_camera_sees_is_a_play_its_take_back_or_both():
    """Tiles are named with their board; what was there before the last play stays unexplained."""
    squares = [Square(7, 6), Square(7, 7), Square(7, 8)]
    (seen,) = GAME.interpret(table(), Change(added=dict(zip(squares, "CAT", strict=True))))
    state, _ = done(table(), LAID)
    (off,) = GAME.interpret(state, Change(removed=tuple(squares)))

    assert (Action("place", None, None, {"tiles": CAT}),) == seen.actions
    assert (Action("withdraw"),) == off.actions
    assert () == GAME.interpret(state, Change(removed=tuple(squares[:2])))
    assert () == GAME.interpret(table(), Change(removed=tuple(squares)))


@pytest.mark.parametrize(
    ("totals", "new", "against", "holder"),
    [
        ([], True, None, "Ann"),
        ([30], True, 30, "Ann"),
        ([20], False, 20, "Ann"),
        ([19], False, 19, "Cyd"),
        ([19, 40], False, 19, "Cyd"),
    ],
)
def test_a_finished_game_is_held_against_the_records(totals, new, against, holder):
    """Fewer words are a record; as many pass the title on (FS-21 to FS-23)."""
    records = [{"players": 2, "total_words": n, "final_frank": "Cyd"} for n in totals]
    told = {"players": 2, "total_words": 20, "final_frank": "Ann"}
    _, verdict = apply(GAME, table(records=records), Action("finish_game", None, None, told))

    assert isinstance(verdict, Accepted)
    assert (new, against, holder) == (
        verdict.result["new_record"],
        verdict.result["compared_with"],
        verdict.result["title_holder"],
    )


def test_an_abandoned_game_is_no_record():
    """It is kept as unfinished (FS-24)."""
    told = {"players": 2, "total_words": 20, "final_frank": "Ann"}
    state, codes = done(table(), ("abandon", None, {}), ("finish_game", None, told))

    assert ["ok", "unfinished"] == codes
    assert state.abandoned
