"""What Classic Scrabble is played with: its facts and settings."""

from __future__ import annotations

from kibitz.engine.layouts import STANDARD
from kibitz.engine.options import common_settings
from kibitz.engine.rules import GameInfo, Setting

PLAYERS = (2, 3, 4)

INFO = GameInfo(
    slug="scrabble",
    title="Scrabble",
    players=PLAYERS,
    settings=(
        *common_settings(),
        Setting("cl.scoreless_limit", 6, "How many scoreless turns in a row end the game.", rule="CL-15", minimum=2, maximum=24),
        Setting("cl.exchange_min_bag", 7, "How many tiles the bag must hold for an exchange.", rule="CL-12", minimum=0, maximum=100),
        Setting("cl.endgame", "transfer", "Who gets the tiles left on racks: everybody's own loss and the sum to whoever went out, or twice the other's rack to whoever went out.", ("transfer", "double_to_out"), "CL-17"),
        Setting("cl.press_clock", False, "Players press a clock to end a turn, and tell so: a play taken off after the press was challenged off, before it withdrawn.", (True, False), "CL-14"),
        Setting("cl.tie", "pre_rack", "Equal scores: the higher score before the racks wins, or a draw.", ("pre_rack", "draw"), "CL-18"),
    ),
    other_names=("classic",),
    sentence="The classic game, 2 to 4 players.",
    premiums=STANDARD,
    letter_values=True,
    taken_off_costs_turn=True,
    press_setting="cl.press_clock",
    end_action="end_game",
    gcg=True,
    score_columns=True,
)  # fmt: skip
