"""The README's table of games has a full row for every game."""

from __future__ import annotations

from kibitz.engine.games import games
from tests.helpers.shared_data import ROOT


def test_every_game_has_a_full_row() -> None:
    """Each game's row says what the camera sees and what people tell."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [
        [cell.strip() for cell in x.strip("|").split("|")] for x in lines if x.startswith("| ")
    ]
    table = {row[0]: row[1:] for row in rows}

    for game in games():
        assert len(table[game.info.title]) == 2
        assert all(table[game.info.title])
