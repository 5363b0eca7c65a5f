"""Boards with other premium squares, and of other sizes (rule 0.4)."""

from __future__ import annotations

import pytest

from kibitz.app.common.materials.named import make_materials
from kibitz.engine.board.layouts import STANDARD, WANTED, Layout, on_board_of, read_layout
from kibitz.engine.games import find_game
from kibitz.engine.options import check_options
from kibitz.engine.record.ledger import Entry, Opening, open_ledger
from kibitz.engine.rules import Action, Refused
from kibitz.engine.table import Square

SIDE = 21
ROWS = [["."] * SIDE for _ in range(SIDE)]
for _row, _col, _sign in [
    (10, 10, "*"),
    (10, 12, "q"),
    (10, 14, "Q"),
    (12, 20, "L"),
    (20, 20, "W"),
]:
    ROWS[_row][_col] = _sign
LARGE = tuple("".join(row) for row in ROWS)
SMALL = ("........",) * 3 + ("...*....",) + ("........",) * 4


def ledger_on(rows: object):
    game = find_game("scrabble")
    options = check_options(game.info, {"cl.layout": rows, "lexicon": "none"})
    materials = make_materials("none", "en", options)
    return open_ledger(Opening(on_board_of(game, options), ("Ann", "Bob"), options, materials))


def played(ledger, player: str, **tiles: str):
    return ledger.add(Entry(Action("place", player, None, {"tiles": tiles}), 0))


@pytest.mark.parametrize(
    "given",
    [LARGE, list(LARGE), "\n".join(LARGE) + "\n", "/".join(LARGE), " ".join("\n".join(LARGE))],
    ids=["rows", "list", "lines", "slashes", "spaced"],
)
def test_rows_are_given_in_several_ways(given):
    """A file's text, one line and a list are the same layout."""
    assert LARGE == read_layout(given)


@pytest.mark.parametrize(
    ("given", "got"),
    [
        (7, "got 7"),
        ("oval", "got 1 rows in 'oval'"),
        (("." * 7,) * 7, f"got 7 rows in {('.' * 7,) * 7!r:.60}"),
        (("." * 25,) * 25, f"got 25 rows in {('.' * 25,) * 25!r:.60}"),
        (("." * 8,) * 7 + ("." * 9,), "got 9 signs in row 8 of 8"),
        (("." * 8,) * 7 + ("...X....",), "got 'X' in row 8"),
        (("." * 8,) * 8, "got 0 stars"),
        (("...*...*",) + ("." * 8,) * 7, "got 2 stars"),
    ],
)
def test_what_is_no_layout_is_refused(given, got):
    """The message says what was expected and what came."""
    with pytest.raises(ValueError, match=r"expected .standard.") as caught:
        read_layout(given)

    assert f"expected {WANTED}, {got}" == str(caught.value)


@pytest.mark.parametrize(("sign", "word", "letter"), [
    (".", 1, 1), ("l", 1, 2), ("L", 1, 3), ("q", 1, 4), ("w", 2, 1), ("*", 2, 1), ("W", 3, 1), ("Q", 4, 1),
])  # fmt: skip
def test_what_signs_are_worth(sign, word, letter):
    """Two to four times, for the letter or for the word."""
    layout = Layout((sign + "." * 7, *SMALL[1:]))

    assert (word, letter) == (layout.word_factor(Square(0, 0)), layout.letter_factor(Square(0, 0)))


def test_a_game_on_a_large_board():
    """The star is where the layout has it; squares have names up to its edge; premiums count."""
    ledger = ledger_on(LARGE)

    refused = played(ledger, "Ann", H8="A", H9="T")[1]
    assert isinstance(refused, Refused)
    assert "not_centre" == refused.code
    off = played(ledger, "Ann", V11="A", K11="T")[1]
    assert isinstance(off, Refused)
    assert "off_board" == off.code

    # C on the star, T on four times the letter, R on four times the word: 10 x 2 x 4
    ledger, done = played(ledger, "Ann", K11="C", K12="A", K13="T", K14="E", K15="R")
    assert 80 == done.result["turn_score"]
    # RATS, then TOASTED with its D on three times the letter
    ledger, done = played(ledger, "Bob", L15="A", M15="T", N15="S")
    assert 4 == done.result["turn_score"]
    ledger, done = played(ledger, "Ann", M16="O", M17="A", M18="S", M19="T", M20="E", M21="D")
    assert 1 + 1 + 1 + 1 + 1 + 1 + 3 * 2 == done.result["turn_score"]

    view = ledger.game.view(ledger.state, None)
    assert {"Ann": 92, "Bob": 4} == view["scores"]
    assert 21 == len(view["board"])
    assert ".............." + "TOASTED" == view["board"][12]
    assert (21, 21, LARGE, False) == (
        ledger.game.info.surface.rows,
        ledger.game.info.surface.cols,
        ledger.game.info.premiums,
        ledger.game.info.gcg,
    )


def test_another_layout_of_the_usual_size():
    """The premium squares alone may differ."""
    rows = tuple("." * 15 if r != 7 else STANDARD[7].replace("W", ".") for r in range(15))
    ledger, done = played(ledger_on(rows), "Ann", H8="A", H9="T")

    assert 4 == done.result["turn_score"]
    assert 15 == ledger.game.info.surface.rows
