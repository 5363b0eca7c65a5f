"""Facts and settings of Scrabbage."""

from __future__ import annotations

from kibitz.engine import clock
from kibitz.engine.board.layouts import STANDARD
from kibitz.engine.options import clock_settings, common_settings
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import GameInfo, Setting, StartField

PLAYERS = (2, 3, 4)

INFO = GameInfo(
    slug="scrabbage",
    title="Scrabbage",
    players=PLAYERS,
    settings=(
        *common_settings(),
        *clock_settings(),
        Setting("sb.working_check", "off", phrase("Whether it is checked that a tile works towards a word: not, against the hand, or at the end of the hand."), ("off", "hands", "end"), "SB-14"),
        Setting("sb.fragment_penalty", 0, phrase("Points off for a fragment left at the end of a hand."), rule="SB-15", minimum=0, maximum=121),
        Setting("sb.go2_resume", True, phrase("With two players whoever said go may come back in."), (True, False), "SB-21"),
        Setting("sb.go_to_out", True, phrase("The go point is scored even when the other is out of tiles."), (True, False), "SB-23"),
        Setting("sb.scrab_line", "free", phrase("Scrab tiles lie anywhere, or in a single line."), ("free", "single"), "SB-26"),
        Setting("sb.scrab_word_squares", "multiply", phrase("Several word squares in one scrab word multiply, or the highest counts."), ("multiply", "highest"), "SB-28"),
        Setting("sb.star_double", True, phrase("The star is a double word square."), (True, False), "SB-20"),
        Setting("sb.board_persists", True, phrase("Tiles stay on the board from hand to hand."), (True, False), "SB-34"),
        Setting("sb.end_tie", "shared", phrase("Equal points at the end are shared."), ("shared", "play_off"), "SB-31"),
    ),
    sentence=phrase("Tile by tile, pegged like cribbage to 121."),
    premiums=STANDARD,
    letter_values=True,
    tile_by_tile=True,
    end_action="end_game",
    start=(
        StartField("board", "board", phrase("The board"), phrase("Capitals, a small letter for a blank; without it empty.")),
        StartField("scores", "numbers", phrase("Pegs"), phrase("Each side's points; 0 without it.")),
        StartField("team_scores", "other", "Pegs of teams", "The same under another name."),
        StartField("dealer", "player", phrase("The dealer"), phrase("The first player without it.")),
        StartField("to_move", "player", phrase("Whose turn it is"), phrase("The first player without it.")),
        StartField("tiles_left", "numbers", phrase("Tiles in each hand"), phrase("How many each still has to lay; 4 without it.")),
        StartField("hands", "racks", phrase("Known hands"), phrase("The letters of hands that are known, ? a blank.")),
        StartField("scrab", "rack", phrase("The scrab"), phrase("Its letters, where they are known.")),
        StartField("last_tile_by", "player", phrase("Who laid the last tile"), phrase("Nobody without it.")),
        StartField("bag_count", "number", phrase("Tiles in the bag"), phrase("How many are left to draw; without it all that lie nowhere else.")),
        *clock.START,
    ),
)  # fmt: skip
