"""Facts and settings of Scrabble House."""

from __future__ import annotations

from kibitz.engine import clock
from kibitz.engine.options import common_settings
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import GameInfo, Setting, StartField
from kibitz.engine.table import SurfaceSpec

SEATS = (2, 4)

INFO = GameInfo(
    slug="scrabble-house",
    title="Scrabble House",
    players=SEATS,
    settings=(
        *common_settings(reject_invalid=False),
        Setting("sh.leftover", "two_letter_hook", phrase("Which tiles of a left-over run that is no word go: those of two-letter words, all, or none."), ("two_letter_hook", "remove_all", "tolerate"), "SH-17"),
        Setting("sh.leftover_piece", "stay", phrase("Kept tiles that side by side are no word stay, or go and break what hangs on them."), ("stay", "cut"), "SH-17"),
        Setting("sh.rounds", "simultaneous", phrase("Strings of one cascade round go together, or one by one."), ("simultaneous", "one_by_one"), "SH-19"),
        Setting("sh.explode", "always", phrase("A play that takes in opposing tiles always explodes, or its player may decline."), ("always", "optional"), "SH-12"),
        Setting("sh.anchor", "any", phrase("Later plays build on any tile, or only on own ones."), ("any", "own"), "SH-10"),
        Setting("sh.clock", 600, phrase("Seconds on each player's clock."), rule="SH-26", minimum=10, maximum=7200),
        Setting("sh.opening", "diagonal", phrase("Only two players who sit diagonally opposite open, each on the own board, or anybody does."), ("diagonal", "any"), "SH-5", before="any"),
        Setting("sh.clocks", "on", phrase("A play that is typed before the clocks run is refused, or the game may be played without clocks."), ("on", "off"), "SH-5", before="off"),
        Setting("sh.match_end", "first_board", phrase("The first board to finish decides, or both are played out."), ("first_board", "both"), "SH-30"),
        Setting("sh.look", "unknown_words", phrase("The opponent may look before tiles are removed: where a word is not in the list, or always until the clock is pressed."), ("unknown_words", "always"), "SH-11", usual="always"),
        Setting("sh.exchange", "off", phrase("Whether tiles may be exchanged."), ("off", "on"), "SH-28"),
    ),
    other_names=("scrabblehouse",),
    sentence=phrase("Two boards, two teams, explosions and clocks."),
    surface=SurfaceSpec(facing=True, tile_colours=2),
    seats_per_board=2,
    most_tiles=15,
    timed=True,
    end_action="end_game",
    challenge_window=True,
    takes_turns=False,
    counts_points=False,
    start=(
        StartField("board", "board", phrase("The board"), phrase("Capitals face South, small letters North; without it empty.")),
        StartField("boards", "board", phrase("The two boards"), phrase("Capitals face South, small letters North; without it empty.")),
        StartField("blanks", "squares", phrase("Blanks on board 1"), phrase("The squares where blanks lie.")),
        StartField("blanks_2", "squares", phrase("Blanks on board 2"), phrase("The squares where blanks lie.")),
        StartField("bonus", "squares", phrase("Bonus tiles on board 1"), phrase("Squares with a tile of the other board's colour.")),
        StartField("bonus_2", "squares", phrase("Bonus tiles on board 2"), phrase("Squares with a tile of the other board's colour.")),
        StartField("first_play_done", "flags", phrase("Who has opened"), phrase("Without it whoever has a tile on the board.")),
        StartField("to_move", "players", phrase("Whose turn it is"), phrase("One name for each board; whoever lays next without it.")),
        StartField("hands", "hands", phrase("Tiles in hand"), phrase("Each player's own-colour tiles; 7 without it.")),
        StartField("hand", "other", "A hand", "The same for everybody."),
        StartField("bag", "number", phrase("Tiles in the bag"), phrase("Of one board; without it all that lie nowhere else.")),
        StartField("bags", "boards", phrase("Tiles in each bag"), phrase("Of board 1 and board 2.")),
        *clock.START,
    ),
)  # fmt: skip
