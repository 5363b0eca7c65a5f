"""Facts and settings of ScrabbleShip."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.engine import clock
from kibitz.engine.board.layouts import STANDARD
from kibitz.engine.games.scrabbleship.fleets import SHIP_LENGTHS, zones_of
from kibitz.engine.options import clock_settings, common_settings
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import GameInfo, Setting, StartField
from kibitz.engine.table import SurfaceSpec

INFO = GameInfo(
    slug="scrabbleship",
    title="ScrabbleShip",
    players=(2, 3, 4),
    settings=(
        *common_settings(reject_invalid=False, challenge="single"),
        *clock_settings(overtime=True),
        Setting("ss.sink_mode", 1, phrase("A ship sinks with its first hit (1) or when all its squares are hit (2)."), (1, 2), "SS-17"),
        Setting("ss.ship_bonus_scope", "through_hit", phrase("Which words of a play a sunk ship multiplies."), ("through_hit", "main_word", "turn"), "SS-28"),
        Setting("ss.ship_bonus_stack", "multiply", phrase("Several ships sunk by one word multiply, or are added first."), ("multiply", "add"), "SS-25"),
        Setting("ss.own_sunk_cancels", "all", phrase("Sinking an own ship loses all ship bonuses of the play, or only its own."), ("all", "own"), "SS-27"),
        Setting("ss.own_penalty_per", "ship", phrase("Ten points off for each own ship sunk, or once a turn."), ("ship", "turn"), "SS-26"),
        Setting("ss.kwyjibo", "multiplier", phrase("KWYJIBO counts double, or its plain value once more, or each of its tiles double, or is no word."), ("multiplier", "flat", "face", "off"), "SS-12"),
        Setting("ss.reveal", "after_challenge", phrase("Hits are revealed after the challenge window, or at once."), ("after_challenge", "immediate"), "SS-14"),
        Setting("ss.challenge", "unknown_words", phrase("Which words may be challenged before the judge: those that are not in the list, or any word."), ("unknown_words", "any_word"), "SS-11", usual="any_word"),
        Setting("ss.hit_names_ship", False, phrase("A hit also names the kind of ship."), (True, False), "SS-15"),
        Setting("ss.premium_under_ship", "keep", phrase("Premium squares under a ship's strip stay in force, or not."), ("keep", "void"), "SS-20"),
        Setting("ss.exchange_min_bag", 0, phrase("How many tiles the bag must hold for an exchange."), rule="SS-10", minimum=0, maximum=100),
        Setting("ss.zones", "seating", phrase("Which zone each player has: in seating order, or the names in the order of the zones."), rule="SS-5", also=(Mapping, list, tuple)),
        Setting("ss.endgame_racks", False, phrase("Tiles left on racks are deducted at the end."), (True, False), "SS-35"),
        Setting("ss.players3", False, phrase("Three may play, with one of the four zones empty."), (True, False), "SS-A9"),
        Setting("ss.fleets", "entered", phrase("Fleets are entered in secret, or kept on paper and the owners call hits themselves."), ("entered", "told"), "SS-A15"),
        Setting("ss.press_clock", False, phrase("Players press a clock to end a turn, and tell so: a play taken off after the press was challenged off, before it withdrawn."), (True, False), "SS-13"),
        Setting("ss.ships_may_touch", True, phrase("Ships of a fleet may touch."), (True, False), "SS-A17"),
    ),
    sentence=phrase("Words that hit hidden ships, for 2 or 4."),
    surface=SurfaceSpec(markers=SHIP_LENGTHS),
    marker_zones=zones_of,
    premiums=STANDARD,
    letter_values=True,
    taken_off_costs_turn=True,
    press_setting="ss.press_clock",
    end_action="no_plays",
    challenge_window=True,
    score_columns=True,
    start=(
        StartField("board", "board", phrase("The board"), phrase("Capitals, a small letter for a blank; without it empty.")),
        StartField("scores", "numbers", phrase("Points so far"), phrase("Each player's points; 0 without it.")),
        StartField("ship_count", "numbers", phrase("Ships counted"), phrase("Others' ships sunk less own ones sunk; 0 without it.")),
        StartField("to_move", "player", phrase("Whose turn it is"), phrase("The first player without it.")),
        StartField("hits", "squares", phrase("Squares hit"), phrase("Every square called a hit; without it what the fleets show once they are entered.")),
        StartField("sunk", "ships", phrase("Ships sunk"), phrase("Whose ship and which; without it what the fleets show once they are entered.")),
        StartField("rack_counts", "numbers", phrase("Tiles on each rack"), phrase("How many tiles each holds; as many as the rules give without it.")),
        StartField("racks", "racks", phrase("Known racks"), phrase("The letters on racks that are known, ? a blank.")),
        StartField("bag_count", "number", phrase("Tiles in the bag"), phrase("How many are left to draw; without it all that lie nowhere else.")),
        StartField("pass_run", "number", phrase("Passes in a row"), phrase("Just now; 0 without it.")),
        StartField("fleets", "other", "Fleets", "Each player's ships; better entered by each in secret."),
        *clock.START,
    ),
)  # fmt: skip
