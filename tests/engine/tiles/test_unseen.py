"""Which tiles have not been seen, in each game."""

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options


def begun(slug, players=("Ann", "Bob"), **initial):
    """A game from a position."""
    game = find_game(slug)
    options = check_options(game.info, {})
    return game, game.begin(players, options, make_materials("default", "en", options), initial)


def test_face_down_tiles():
    """What lies in no pool and no word is face down, if it is one whole set."""
    game, state = begun("grabscrab", pool="AAZ", words={"Ann": ["RAIN"]})
    seen = game.view(state, None)["unseen"]

    assert (6, 5, None) == (seen["A"], seen["R"], seen.get("Z"))
    assert 93 == sum(seen.values())
