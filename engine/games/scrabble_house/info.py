"""What Scrabble House is played with: its facts and settings."""

from __future__ import annotations

from kibitz.engine.options import common_settings
from kibitz.engine.rules import GameInfo, Setting, StartField
from kibitz.engine.table import SurfaceSpec

SEATS = (2, 4)

INFO = GameInfo(
    slug="scrabble-house",
    title="Scrabble House",
    players=SEATS,
    settings=(
        *common_settings(reject_invalid=False),
        Setting("sh.leftover", "two_letter_hook", "Which tiles of a left-over run that is no word go: those of two-letter words, all, or none.", ("two_letter_hook", "remove_all", "tolerate"), "SH-17"),
        Setting("sh.leftover_piece", "stay", "Kept tiles that side by side are no word stay, or go and break what hangs on them.", ("stay", "cut"), "SH-17"),
        Setting("sh.rounds", "simultaneous", "Strings of one cascade round go together, or one by one.", ("simultaneous", "one_by_one"), "SH-19"),
        Setting("sh.explode", "always", "A play that takes in opposing tiles always explodes, or its player may decline.", ("always", "optional"), "SH-12"),
        Setting("sh.anchor", "any", "Later plays build on any tile, or only on own ones.", ("any", "own"), "SH-10"),
        Setting("sh.clock", 600, "Seconds on each player's clock.", rule="SH-26", minimum=10, maximum=7200),
        Setting("sh.match_end", "first_board", "The first board to finish decides, or both are played out.", ("first_board", "both"), "SH-30"),
        Setting("sh.exchange", "off", "Whether tiles may be exchanged.", ("off", "on"), "SH-28"),
    ),
    other_names=("scrabblehouse",),
    sentence="Two boards, two teams, explosions and clocks.",
    surface=SurfaceSpec(facing=True, tile_colours=2),
    seats_per_board=2,
    most_tiles=15,
    timed=True,
    challenge_window=True,
    takes_turns=False,
    counts_points=False,
    start=(
        StartField("board", "board", "The board", "Capitals face South, small letters North; without it empty."),
        StartField("boards", "board", "The two boards", "Capitals face South, small letters North; without it empty."),
        StartField("blanks", "squares", "Blanks on board 1", "The squares where blanks lie."),
        StartField("blanks_2", "squares", "Blanks on board 2", "The squares where blanks lie."),
        StartField("bonus", "squares", "Bonus tiles on board 1", "Squares with a tile of the other board's colour."),
        StartField("bonus_2", "squares", "Bonus tiles on board 2", "Squares with a tile of the other board's colour."),
        StartField("first_play_done", "flags", "Who has opened", "Without it whoever has a tile on the board."),
        StartField("to_move", "players", "Whose turn it is", "One name for each board; whoever lays next without it."),
        StartField("hands", "hands", "Tiles in hand", "Each player's own-colour tiles; 7 without it."),
        StartField("hand", "other", "A hand", "The same for everybody."),
        StartField("bag", "number", "Tiles in the bag", "Of one board; without it all that lie nowhere else."),
        StartField("bags", "boards", "Tiles in each bag", "Of board 1 and board 2."),
        StartField("clocks", "numbers", "Seconds left", "On each player's clock; all of it without."),
        StartField("running", "other", "Clocks that run", "One name for each board."),
        StartField("running_since", "other", "Since when", "In seconds of the table's clock."),
    ),
)  # fmt: skip
