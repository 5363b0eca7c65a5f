"""The scrab, and the end of a game of Scrabbage (SB-26, SB-31)."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games import find_game
from kibitz.engine.games.scrabbage.hand import end_game, scrab
from kibitz.engine.options import check_options
from kibitz.engine.rules import Action, Materials
from kibitz.engine.words.lexicon import words_from_text

pytestmark = pytest.mark.fast

GAME = find_game("scrabbage")
MATERIALS = Materials(
    words_from_text("AT\nCAT\nCATS\nTO\nON\nTON\nSO\nEAT\n"), load_tile_set("en")
)
TWO, THREE, FOUR = ("Ann", "Bob"), ("Ann", "Bob", "Cyd"), ("Ann", "Bob", "Cyd", "Dee")
CAT = ["." * 15] * 7 + [".......CAT....."] + ["." * 15] * 7
"""CAT on H8 to H10."""


def table(players=TWO, settings=None, **initial):
    settings = {"sb." + name: value for name, value in (settings or {}).items()}
    options = check_options(GAME.info, settings)
    return GAME.begin(players, options, MATERIALS, initial or None)


def scrabbed(state, tiles, player="Ann"):
    return scrab(state, Action("scrab", player, None, {"tiles": tiles}))


SAID = Action("said")


@pytest.mark.parametrize(
    ("tiles", "initial", "code"),
    [
        ({"H8": "S"}, {}, "occupied"),
        ({"H11": "S", "I11": "O", "J11": "N", "K11": "S", "L11": "O"}, {}, "too_many"),
        (0, {}, "bad_action"),
        ({"H11": "S"}, {"scrab": ["A", "E", "I", "O"]}, "not_in_scrab"),
        ({"H11": "s"}, {"scrab": ["S", "E", "I", "O"]}, "not_in_scrab"),
        ({"H11": "S", "I10": "O"}, {"settings": {"scrab_line": "single"}}, "not_in_line"),
        ({"A1": "S"}, {}, "not_connected"),
        ({"H11": "E"}, {}, "not_a_word"),
        (None, {}, "bad_action"),
    ],
)
def test_a_scrab_that_breaks_a_rule_is_refused(tiles, initial, code):
    """Free squares, four tiles of the scrab, connected, all strings words (SB-26)."""
    state = table(board=CAT, dealer="Ann", **initial)

    assert code == scrabbed(state, tiles).code


@pytest.mark.parametrize(
    ("scores", "settings", "winner", "line"),
    [
        ({"Ann": 5, "Bob": 9}, {}, ["Bob"], "Bob wins, 9 to 5."),
        ({"Ann": 7, "Bob": 7}, {}, ["Ann", "Bob"], "A draw, 7 to 7."),
        ({"Ann": 7, "Bob": 7}, {"end_tie": "play_off"}, None, "A draw, 7 to 7."),
    ],
)
def test_people_end_the_game(scores, settings, winner, line):
    """Before anybody has 121: most points win, as when the bag is short (SB-31)."""
    state = table(settings=settings, scores=scores)
    (over,) = end_game(state, SAID).events
    after = GAME.evolve(state, over)

    assert (winner, "ended") == tuple(GAME.view(after, None)[k] for k in ("winner", "reason"))
    assert (line,) == GAME.announce(after, over)


@pytest.mark.parametrize(
    ("tiles", "code"),
    [
        ({"H8": "T"}, None),
        ({"H8": "T", "H9": "O"}, None),
        ({"H8": "T", "A10": "N"}, "not_connected"),
        ({"H9": "O"}, "not_centre"),
    ],
)
def test_a_scrab_on_an_empty_board_hangs_on_its_tile_on_the_star(tiles, code):
    """As on a board with tiles, directly or through others (SB-26)."""
    assert code == getattr(scrabbed(table(dealer="Ann"), tiles), "code", None)
