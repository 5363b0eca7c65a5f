"""The race of Scrabbage: 121 points win at once (SB-30)."""

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.rules import Accepted, Action, apply


@pytest.mark.parametrize(("before", "won"), [(60, False), (118, False), (119, True)])
def test_who_reaches_121_points_wins_at_once(before, won):
    """A tile that makes AT is worth two points."""
    game = find_game("scrabbage")
    options = check_options(game.info, {})
    initial = {"scores": {"Ann": before, "Bob": 0}, "dealer": "Ann"}
    materials = make_materials("default", "en", options)
    state = game.begin(("Ann", "Bob"), options, materials, initial)
    for player, square, letter in (("Bob", "H8", "A"), ("Ann", "H9", "T")):
        data = {"square": square, "letter": letter}
        state, verdict = apply(game, state, Action("tile", player, None, data))
        assert isinstance(verdict, Accepted), verdict

    assert before + 2 == state.scores["Ann"]
    assert won == game.view(state, None)["over"]
