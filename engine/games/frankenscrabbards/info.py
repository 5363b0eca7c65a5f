"""Facts and settings of Frankenscrabbards."""

from __future__ import annotations

from kibitz.engine import clock
from kibitz.engine.options import clock_settings, common_settings
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import GameInfo, HallOfFame, Setting, StartField
from kibitz.engine.table import JOINED_SIDE, SurfaceSpec

PLAYERS = tuple(range(1, 21))
SIZE = JOINED_SIDE

INFO = GameInfo(
    slug="frankenscrabbards",
    title="Frankenscrabbards",
    players=PLAYERS,
    settings=(
        *common_settings(),
        *clock_settings(),
        Setting("fs.sets", 9, phrase("How many sets of tiles are mixed."), rule="FS-1", minimum=1, maximum=20),
        Setting("fs.rack", 15, phrase("How many tiles a player holds."), rule="FS-4", minimum=1, maximum=30),
        Setting("fs.refill", True, phrase("Racks are filled up after each play."), (True, False), "FS-5"),
        Setting("fs.connect", "star_group", phrase("Boards are joined by their star groups, or by any tiles across a seam."), ("star_group", "any_crossing"), "FS-14"),
        Setting("fs.exchange", "free", phrase("Pass and exchange cost nothing, count as a play, or are not allowed."), ("free", "counts", "off"), "FS-12"),
        Setting("fs.game_set", "", phrase("The name of the game set, for comparing records."), rule="FS-21"),
    ),
    sentence=phrase("Nine boards joined to one, played together."),
    surface=SurfaceSpec(rows=SIZE, cols=SIZE),
    most_tiles=15,
    hall_of_fame=HallOfFame("fs.game_set", result="total_words", holder="final_frank"),
    end_action="abandon",
    sets_setting="fs.sets",
    counts_points=False,
    start=(
        StartField("board45", "board", phrase("The nine boards"), phrase("Boards 1 to 9, row by row; without it empty.")),
        StartField("plays_so_far", "number", phrase("Plays counted"), phrase("Including those of the opening; 0 without it.")),
        StartField("frank", "player", phrase("The Frank"), phrase("Who has the figurine; nobody without it.")),
        StartField("to_move", "player", phrase("Whose turn it is"), phrase("The first player without it.")),
        StartField("main_cluster", "boards", phrase("The main cluster"), phrase("The boards of it; without it the largest.")),
        StartField("rack_counts", "numbers", phrase("Tiles on each rack"), phrase("How many tiles each holds; a full rack without it.")),
        StartField("bag_count", "number", phrase("Tiles in the bag"), phrase("How many are left to draw; without it all that lie nowhere else.")),
        StartField("plays", "other", "Words", "Each play's player and main word."),
        StartField("records", "other", "Records", "Finished games to compare with."),
        StartField("date", "other", "Date", "The day of the game."),
        *clock.START,
    ),
)  # fmt: skip
