"""What ScrabbleShip is played with: its facts and settings."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.engine.games.scrabbleship.fleets import SHIP_LENGTHS
from kibitz.engine.layouts import STANDARD
from kibitz.engine.options import common_settings
from kibitz.engine.rules import GameInfo, Setting
from kibitz.engine.table import SurfaceSpec

INFO = GameInfo(
    slug="scrabbleship",
    title="ScrabbleShip",
    players=(2, 3, 4),
    settings=(
        *common_settings(reject_invalid=False, challenge="single"),
        Setting("ss.sink_mode", 1, "A ship sinks with its first hit (1) or when all its squares are hit (2).", (1, 2), "SS-17"),
        Setting("ss.ship_bonus_scope", "through_hit", "Which words of a play a sunk ship multiplies.", ("through_hit", "main_word", "turn"), "SS-28"),
        Setting("ss.ship_bonus_stack", "multiply", "Several ships sunk by one word multiply, or are added first.", ("multiply", "add"), "SS-25"),
        Setting("ss.own_sunk_cancels", "all", "Sinking an own ship loses all ship bonuses of the play, or only its own.", ("all", "own"), "SS-27"),
        Setting("ss.own_penalty_per", "ship", "Ten points off for each own ship sunk, or once a turn.", ("ship", "turn"), "SS-26"),
        Setting("ss.kwyjibo", "multiplier", "KWYJIBO counts double, or its plain value once more, or each of its tiles double, or is no word.", ("multiplier", "flat", "face", "off"), "SS-12"),
        Setting("ss.reveal", "after_challenge", "Hits are revealed after the challenge window, or at once.", ("after_challenge", "immediate"), "SS-14"),
        Setting("ss.hit_names_ship", False, "A hit also names the kind of ship.", (True, False), "SS-15"),
        Setting("ss.premium_under_ship", "keep", "Premium squares under a ship's strip stay in force, or not.", ("keep", "void"), "SS-20"),
        Setting("ss.exchange_min_bag", 0, "How many tiles the bag must hold for an exchange.", rule="SS-10", minimum=0, maximum=100),
        Setting("ss.zones", "seating", "Which zone each player has: in seating order, or the names in the order of the zones.", rule="SS-5", also=(Mapping, list, tuple)),
        Setting("ss.endgame_racks", False, "Tiles left on racks are deducted at the end.", (True, False), "SS-35"),
        Setting("ss.players3", False, "Three may play, with one of the four zones empty.", (True, False), "SS-A9"),
        Setting("ss.fleets", "entered", "Fleets are entered in secret, or the owners call hits themselves.", ("entered", "told"), "SS-A15"),
        Setting("ss.press_clock", False, "Players press a clock to end a turn, and tell so: a play taken off after the press was challenged off, before it withdrawn.", (True, False), "SS-13"),
        Setting("ss.ships_may_touch", True, "Ships of a fleet may touch.", (True, False), "SS-A17"),
    ),
    sentence="Words that hit hidden ships, for 2 or 4.",
    surface=SurfaceSpec(markers=SHIP_LENGTHS),
    premiums=STANDARD,
    letter_values=True,
    taken_off_costs_turn=True,
    press_setting="ss.press_clock",
    end_action="no_plays",
    challenge_window=True,
    score_columns=True,
)  # fmt: skip
