"""Tiles that may be the first of a play, in every game that is played on a board."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.games import games
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Opening, open_ledger
from kibitz.engine.rules import Change
from kibitz.engine.table import Square
from kibitz.engine.tracking.evidence.interpretation import try_change
from kibitz.engine.tracking.explanations.matching import HALF_LAID

ON_BOARDS = [game for game in games() if game.info.surface.kind == "board"]


@pytest.mark.parametrize("game", ON_BOARDS, ids=lambda game: game.info.slug)
@pytest.mark.parametrize("tiles", [{Square(1, 1): "H"}, {Square(1, 1): "H", Square(1, 2): "O"}])
def test_whatever_opening_rule_a_play_breaks_it_may_go_on(game, tiles):
    """More tiles bring it to the star, or to the own home row."""
    options = check_options(game.info, {})
    materials = make_materials("default", "en", options)
    ledger = open_ledger(Opening(game, ("Ann", "Bob"), options, materials))
    tried, refused = try_change(ledger, Change(added=tiles), 0)

    assert tried is None
    assert refused.code in HALF_LAID
