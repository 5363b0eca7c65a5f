"""What Frankenscrabbards lets a team do: stars first, few words, records (FS-6 to FS-24)."""

from __future__ import annotations

from functools import partial

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.frankenscrabbards.rules import GAME
from kibitz.engine.options import check_options
from kibitz.engine.rules import Action, Change, Materials
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
    "field", [{"players": True}, {"total_words": True}, {"final_frank": {"A": 1}}]
)
def test_what_is_no_record_is_refused(field):
    """A number of players and of words, and a name (FS-21)."""
    finish = ("finish_game", "Ann", {"total_words": 27, "final_frank": "Ann"} | field)
    state, codes = done(table(), finish)

    assert (["bad_action"], ()) == (codes, tuple(state.records))


def test_a_game_comes_into_the_records_once():
    """Told again, it would be level with itself (FS-23)."""
    finish = ("finish_game", "Ann", {"total_words": 27, "final_frank": "Ann"})
    better = ("finish_game", "Ann", {"total_words": 25, "final_frank": "Ann"})
    state, codes = done(table(), finish, finish, better)

    assert ["ok", "recorded", "ok"] == codes
    assert [27, 25] == [record["total_words"] for record in state.records]
