"""Tiles that the set has not are told when they are laid, with every place where they lie."""

from __future__ import annotations

import pytest

import kibitz

PLAY = {"H8": "Z", "H9": "O"}


def column(board: int, rows: str, letter: str) -> dict[str, str]:
    return {f"{board}:{row}8": letter for row in rows}


BLANKS = "; ".join(f"board {n}, {row} eight" for row in "DEFGHIJKLM" for n in (1, 2))


@pytest.mark.parametrize(
    ("slug", "settings", "start", "actions", "said"),
    [
        ("scrabble", {}, {}, [{"action": "place", "tiles": PLAY}], []),
        (
            "scrabble", {}, {},
            [{"action": "place", "tiles": PLAY}, {"action": "place", "tiles": {"I8": "Z"}}],
            ["The set has one Z. Which of these is it: H eight, I eight?"],
        ),
        (
            "scrabble", {}, {}, [{"action": "place", "tiles": {"H8": "a", "H9": "b", "H10": "c"}}],
            ["The set has 2 blanks. Which of these are they: H eight, H nine, H ten?"],
        ),
        (
            "scrabbleship", {"ss.fleets": "told"}, {},
            [{"action": "place", "tiles": {"H8": "Ñ", "H9": "O"}}],
            ["The set has no Ñ. What lies here: H eight?"],
        ),
        (
            "frankenscrabbards", {"fs.sets": 1}, {},
            [{"action": "place", "tiles": {"5:H8": "Z", "5:H9": "Z"}}],
            ["The set has one Z. Which of these is it: board 5, H eight; board 5, H nine?"],
        ),
        (
            "frankenscrabbards", {}, {}, [{"action": "place", "tiles": column(1, "GHIJKLMNO", "Z")}],
            [],
        ),
        (
            "frankenscrabbards", {}, {},
            [{"action": "place", "tiles": column(n, "DEFGHIJKLM", "x")} for n in (1, 2)],
            [f"The set has 18 blanks. Which of these are they: {BLANKS}?"],
        ),
        (
            "grabscrab", {}, {"pool": "ZA", "words": {"Bob": ["ZOO"]}, "face_down": 9},
            [{"action": "flip", "player": "Ann", "letter": "Z"}],
            ["The set has one Z. Which of these is it: in the middle, ZOO?"],
        ),
        (
            "scrabble-house", {}, {},
            [{"action": "place", "player": "Ann", "tiles": {"O8": "Z", "O9": "Z"}}],
            ["The set has one Z. Which of these is it: O eight, O nine?"],
        ),
    ],
)  # fmt: skip
def test_what_is_said(slug, settings, start, actions, said):
    """Of the newest play alone; one set, or as many as are played with."""
    settings = {"reject_invalid": False, **settings}
    game = kibitz.Game(slug, "Ann,Bob", lexicon="none", start=start or None, settings=settings)
    for action in actions:
        outcome = game.act(action)

    assert said == [line for line in outcome.say if line.startswith("The set has")]


def test_letters_without_small_forms_are_no_blanks():
    """Hebrew has no capitals; its blanks are told by their letter alone."""
    game = kibitz.Game("scrabble", "Ann,Bob", tiles="he", lexicon="none")
    outcome = game.act("place", "Ann", tiles={"H7": "ש", "H8": "ל", "H9": "א"})

    assert outcome.legal
    assert [] == [line for line in outcome.say if line.startswith("The set has")]


@pytest.mark.parametrize(
    ("letter", "reason"), [("ß", "bad_action"), ("7", "bad_action"), ("é", None)]
)
def test_a_tile_bears_one_letter(letter, reason):
    """The capital of ß is two letters, which no board has on a square."""
    game = kibitz.Game("scrabble", "Ann,Bob", lexicon="none")

    assert reason == game.act("place", tiles={"H8": letter, "H9": "A"}).result.get("reason")
