"""Facts and settings of GrabScrab."""

from __future__ import annotations

from kibitz.engine import clock
from kibitz.engine.options import clock_settings, common_settings
from kibitz.engine.phrases import phrase
from kibitz.engine.rules import GameInfo, Setting, StartField
from kibitz.engine.table import SurfaceSpec

CLAIM_CODES = (
    "too_short",
    "not_a_word",
    "no_letter_added",
    "not_all_letters",
    "letters_missing",
    "same_root",
    "merge_not_allowed",
    "dismissed",
    "no_such_word",
)
"""Why a claim may be refused (GS-6 to GS-18)."""


INFO = GameInfo(
    slug="grabscrab",
    title="GrabScrab",
    players=tuple(range(2, 13)),
    settings=(
        *common_settings(),
        *clock_settings(),
        Setting(
            "gs.min_length",
            4,
            phrase("How many letters a word needs."),
            None,
            "GS-7",
            minimum=2,
            maximum=15,
        ),
        Setting(
            "gs.root_test",
            "affix",
            phrase(
                "How a steal is tested for the same root: by affixes, by asking, or not at all."
            ),
            ("affix", "ask", "off"),
            "GS-12",
        ),
        Setting(
            "gs.rulings",
            (),
            phrase("Roots people have ruled on, as CORN/CORNER=different or QUIT/QUIET=same."),
            None,
            "GS-12",
        ),
        Setting(
            "gs.tie",
            "flip_back",
            phrase(
                "Two calls at once: the last tile goes back, or the words are out until a flip."
            ),
            ("flip_back", "dismiss"),
            "GS-16",
        ),
        Setting(
            "gs.penalty", False, phrase("A false call costs one own word."), (True, False), "GS-17"
        ),
        Setting(
            "gs.penalty_codes",
            ("not_a_word", "letters_missing"),
            phrase("Which refusals count as false calls."),
            None,
            "GS-17",
            each=CLAIM_CODES,
        ),
        Setting(
            "gs.merge", False, phrase("Words may be joined into one."), (True, False), "GS-18"
        ),
        Setting(
            "gs.count",
            "held",
            phrase("Who wins: most words held at the end, or most words won on the way."),
            ("held", "won_total"),
            "GS-20",
        ),
        Setting(
            "gs.final_window",
            "until_told",
            phrase("After the last tile: until people say so, or so many seconds without a call."),
            None,
            "GS-19",
            minimum=0,
            maximum=3600,
        ),
        Setting(
            "gs.end_tie",
            "shared",
            phrase("Equal counts: the win is shared, or more letters win."),
            ("shared", "letters"),
            "GS-20",
        ),
    ),
    sentence=phrase("No board: flip, call, and steal words."),
    surface=SurfaceSpec("table", "loose"),
    timed=True,
    shortest_word_setting="gs.min_length",
    rulings_setting="gs.rulings",
    takes_turns=False,
    counts_points=False,
    end_action="end_game",
    start=(
        StartField(
            "pool", "letters", phrase("Face up"), phrase("The letters in the middle, ? a blank.")
        ),
        StartField(
            "face_down",
            "number",
            phrase("Face down"),
            phrase("How many; without it all that lie nowhere else."),
        ),
        StartField("words", "words", phrase("Words"), phrase("The words before each player.")),
        StartField(
            "tiles",
            "words",
            phrase("Their tiles"),
            phrase("The same words with ? where a blank lies."),
        ),
        StartField(
            "flipper", "player", phrase("Who flips next"), phrase("The first player without it.")
        ),
        StartField(
            "won", "numbers", phrase("Calls won"), phrase("As many as words are held without it.")
        ),
        StartField(
            "last_flip",
            "other",
            "The last tile turned",
            "Its letter and who turned it.",
        ),
        StartField(
            "dismissed",
            "other",
            "Words that are out",
            "Until another tile is turned.",
        ),
        *clock.START,
    ),
)
