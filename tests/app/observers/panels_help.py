"""Pictures of a bundled game of nine joined boards."""

from __future__ import annotations

from kibitz.app.common.materials.named import letters_for
from tests.filming.story import shots_of
from tests.helpers.pictured_games import game_of

LETTERS = letters_for("en")


GAME = game_of("frankenscrabbards")


SHOTS = list(shots_of(GAME))
