"""Positions as CGP: the examples of the format's description, and games as they are kept."""

from __future__ import annotations

import re

import pytest

from kibitz.app.common.materials.named import load_tile_set
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.cgp import CgpImpossible, Position, cgp_text, format_position
from kibitz.engine.record.ledger import Entry, Opening, open_ledger
from kibitz.engine.rules import Accepted, Action, Materials
from kibitz.engine.table import Grid, Square, Tile, grid_from_rows
from kibitz.engine.words.lexicon import WordList

ENGLISH = load_tile_set("en")
EMPTY = "/".join(["15"] * 15)
ENDGAME = (
    "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6"
    "/1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7"
)


def grid_of(rows):
    """A board from the first field of a CGP without brackets."""
    drawn = [re.sub(r"\d+", lambda n: "." * int(n[0]), row) for row in rows.split("/")]
    return grid_from_rows(drawn)


def ledger_of(*actions, game="scrabble", tiles="en", players=("Ann", "Bob"), name="", **settings):
    """A game in which these actions were done, all of them accepted."""
    rules = find_game(game)
    options = check_options(rules.info, settings)
    words = WordList(frozenset({"AT", "TO"}), name=name)
    ledger = open_ledger(Opening(rules, players, options, Materials(words, load_tile_set(tiles))))
    for kind, data in actions:
        ledger, verdict = ledger.add(Entry(Action(kind, None, None, data), 0, told=True))
        assert isinstance(verdict, Accepted), verdict
    return ledger


AT = ("place", {"tiles": {"H7": "A", "H8": "T"}})


@pytest.mark.parametrize(
    ("grid", "racks", "scores", "zeros", "lexicon", "expected"),
    [
        (EMPTY, ("AELNOQT", ""), (0, 0), 0, "NWL18", f"{EMPTY} AELNOQT/ 0/0 0 lex NWL18;"),
        (ENDGAME, ("IKLMTZ", "?AEINRU"), (0, 0), 0, "OSPD1",
         f"{ENDGAME} IKLMTZ/AEINRU? 0/0 0 lex OSPD1;"),
        (EMPTY, ("", "ABCDEF"), (357, 289), 5, "", f"{EMPTY} /ABCDEF 357/289 5"),
    ],
)  # fmt: skip
def test_the_examples_of_the_description(grid, racks, scores, zeros, lexicon, expected):
    players = ("Nigel", "Joel")
    position = Position(
        grid_of(grid),
        players,
        dict(zip(players, racks, strict=True)),
        dict(zip(players, scores, strict=True)),
        zeros,
    )

    assert expected == format_position(position, ENGLISH, [("lex", lexicon)])


def test_tiles_of_two_letters_stand_in_brackets():
    """`[CH]`, and `[ch]` for a blank that stands for it; on a rack as well."""
    laid = {Square(0, 7): Tile("Ĉ"), Square(0, 8): Tile("Ĺ", blank=True), Square(0, 14): Tile("Ñ")}
    position = Position(Grid(15, 15).with_tiles(laid), ("Ann",), {"Ann": "?ŔÑ"}, {"Ann": 0}, 0)
    text = format_position(position, load_tile_set("es"))

    assert ["7[CH][ll]5Ñ", "Ñ[RR]?"] == [text.split("/", 1)[0], text.split(" ")[1]]


def test_who_is_to_move_stands_first():
    """After each entry of the history the position as it was then."""
    ledger = ledger_of(AT, ("pass", {}), ("racks", {"racks": {"Bob": list("QUEEN?A")}}))
    row = "/".join(["15"] * 7 + ["6AT7"] + ["15"] * 7)

    assert f"{EMPTY} / 0/0 0 ld english;" == cgp_text(ledger, 0)
    assert f"{row} / 0/4 0 ld english;" == cgp_text(ledger, 1)
    assert f"{row} / 4/0 1 ld english;" == cgp_text(ledger, 2)
    assert f"{row} /AEENQU? 4/0 1 ld english;" == cgp_text(ledger)
    assert f"{row} / 4/0 1 ld english;" == cgp_text(ledger, racks=False)


def test_what_it_is_played_with_is_named_where_others_know_it():
    german = ledger_of(tiles="de", name="/lists/csw21.txt", **{"cl.scoreless_limit": 4})
    spanish = ledger_of(tiles="es", name="/lists/mine.txt", players=("Ann", "Bob", "Cyd"))

    assert f"{EMPTY} / 0/0 0 lex CSW21; ld german; mcnz 4;" == cgp_text(german)
    assert f"{EMPTY} // 0/0/0 0" == cgp_text(spanish)


@pytest.mark.parametrize(
    ("make", "after", "expected"),
    [
        (lambda: ledger_of(game="scrabbage"), None, "CGP is a format for Scrabble on 15x15"),
        (lambda: ledger_of(AT), 2, "Expected the number of an entry from 0 to 1, got 2."),
        (lambda: ledger_of(("place", {"tiles": {"H7": "A", "H8": "?"}, "forced": True})), None,
         "The blank on H8 has no letter yet"),
    ],
)  # fmt: skip
def test_what_it_cannot_hold_is_refused_in_words(make, after, expected):
    with pytest.raises(CgpImpossible, match=expected):
        cgp_text(make(), after)


@pytest.mark.parametrize(
    ("size", "letter", "language", "expected"),
    [
        (17, "A", "en", "CGP is read for boards of 15x15 squares, not of 17x17"),
        (15, "א", "he", "CGP writes a blank as a small letter, and א on A1 has none"),
    ],
)
def test_a_board_that_it_has_no_signs_for_is_refused(size, letter, language, expected):
    grid = Grid(size, size).with_tiles({Square(0, 0): Tile(letter, blank=True)})

    with pytest.raises(CgpImpossible, match=expected):
        format_position(Position(grid, ("Ann",), {}, {"Ann": 0}, 0), load_tile_set(language))
