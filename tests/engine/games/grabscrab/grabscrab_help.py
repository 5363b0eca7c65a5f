"""A table of GrabScrab for tests."""

from __future__ import annotations

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games.grabscrab.rules import GAME
from kibitz.engine.options import check_options
from kibitz.engine.rules import Action, Materials, apply
from kibitz.engine.words.lexicon import words_from_text

WORDS = words_from_text("RAIN\nTRAIN\nRATING\nTRAINING\nSTOP\nGORE\nGLOVE\nANTIC\n")


PLAYERS = ("Ann", "Bob", "Cyd")


def table(initial=None, settings=None, players=PLAYERS, tiles="en"):
    options = check_options(GAME.info, settings or {})
    return GAME.begin(players, options, Materials(WORDS, load_tile_set(tiles)), initial)


def act(state, kind, player=None, at=None, **data):
    return apply(GAME, state, Action(kind, player, at, data))
