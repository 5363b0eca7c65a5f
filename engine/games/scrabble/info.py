"""Facts and settings of Classic Scrabble."""

from __future__ import annotations

from kibitz.engine import clock
from kibitz.engine.board.layouts import STANDARD, STANDARD_NAME, read_layout
from kibitz.engine.options import clock_settings, common_settings
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import GameInfo, Setting, StartField

PLAYERS = (2, 3, 4)

INFO = GameInfo(
    slug="scrabble",
    title="Scrabble",
    players=PLAYERS,
    settings=(
        *common_settings(),
        *clock_settings(overtime=True),
        Setting("cl.scoreless_limit", 6, phrase("How many scoreless turns in a row end the game."), rule="CL-15", minimum=2, maximum=24),
        Setting("cl.exchange_min_bag", 7, phrase("How many tiles the bag must hold for an exchange."), rule="CL-12", minimum=0, maximum=100),
        Setting("cl.endgame", "transfer", phrase("Who gets the tiles left on racks: everybody's own loss and the sum to whoever went out, or twice the other's rack to whoever went out."), ("transfer", "double_to_out"), "CL-17"),
        Setting("cl.press_clock", False, phrase("Players press a clock to end a turn, and tell so: a play taken off after the press was challenged off, before it withdrawn."), (True, False), "CL-14"),
        Setting("cl.layout", STANDARD_NAME, phrase("The board's premium squares: standard, or rows of signs with / between them, of other sizes too."), rule="0.4", parse=read_layout),
        Setting("cl.tie", "pre_rack", phrase("Equal scores: the higher score before the racks wins, or a draw."), ("pre_rack", "draw"), "CL-18"),
    ),
    other_names=("classic",),
    sentence=phrase("The classic game, 2 to 4 players."),
    premiums=STANDARD,
    layout_setting="cl.layout",
    letter_values=True,
    taken_off_costs_turn=True,
    press_setting="cl.press_clock",
    end_action="end_game",
    notation="1A",
    gcg=True,
    score_columns=True,
    start=(
        StartField("board", "board", phrase("The board"), phrase("Capitals, a small letter for a blank; without it empty.")),
        StartField("scores", "numbers", phrase("Points so far"), phrase("Each player's points; 0 without it.")),
        StartField("to_move", "player", phrase("Whose turn it is"), phrase("The first player without it.")),
        StartField("rack_counts", "numbers", phrase("Tiles on each rack"), phrase("How many tiles each holds; as many as the rules give without it.")),
        StartField("racks", "racks", phrase("Known racks"), phrase("The letters on racks that are known, ? a blank.")),
        StartField("bag_count", "number", phrase("Tiles in the bag"), phrase("How many are left to draw; without it all that lie nowhere else.")),
        StartField("scoreless_run", "number", phrase("Turns without points"), phrase("How many in a row just now; 0 without it.")),
        *clock.START,
    ),
)  # fmt: skip
